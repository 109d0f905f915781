// predicate_soak [pairs] [seed]: compares the exact triangle test with the integer oracle on that many pairs
// from all families, at random places and scales. Ends with 1 at the first wrong answer. Some 5 us a pair.
#include "collider/triangle_families.hpp"
#include "narrow_phase/intersect_exact.hpp"

using namespace odemesh;
using namespace odemesh::test;

namespace {

void print(const char* name, const Triangle& t) {
  std::printf("%s", name);
  for (const Vec3& p : t.v) std::printf(" (%a, %a, %a)", p.x, p.y, p.z);
  std::printf("\n");
}

/// Places the pair somewhere, at some scale: an exact operation, so the oracle's answer stays.
struct Placement {
  IntPoint offset;
  int exponent;
};

Placement drawPlacement(std::mt19937_64& random) {
  const auto shift = [&] { return static_cast<std::int64_t>(random() >> 18) - (1LL << 45); };
  Placement out{{}, 0};
  if (random() % 4 == 0) out.offset = {shift(), shift(), shift()};
  if (random() % 4 == 0) out.exponent = static_cast<int>(random() % 1960) - 1060;
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const long long pairs = argc > 1 ? std::atoll(argv[1]) : 1000000;
  std::mt19937_64 random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  long long hits = 0;
  for (long long i = 0; i < pairs; ++i) {
    const auto family = static_cast<Family>(i % static_cast<int>(Family::kCount));
    const IntPair pair = drawPair(family, random);
    const Placement placed = drawPlacement(random);
    const Triangle a = toTriangle(pair.a, placed.offset, placed.exponent);
    const Triangle b = toTriangle(pair.b, placed.offset, placed.exponent);
    const bool expected = oracleMeets(pair.a, pair.b);
    hits += expected;
    if (trianglesIntersect(a, b) == expected) continue;
    std::printf("wrong at pair %lld, family %s: expected %d\n", i, familyName(family).c_str(), expected);
    print("a", a);
    print("b", b);
    return 1;
  }
  std::printf("%lld pairs, %lld of them meet, no wrong answer\n", pairs, hits);
  return 0;
}
