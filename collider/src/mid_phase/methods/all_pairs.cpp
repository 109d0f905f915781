// Every triangle against every other one: Sinjur's "raw" method, O(n m).
#include <vector>

#include "mid_phase/methods/pair_method.hpp"

namespace odemesh {

namespace {

class AllPairs final : public PairMethod {
 public:
  void search(const MeshPair& pair, PairCollector& collector) const override {
    const auto count1 = static_cast<std::uint32_t>(pair[0].mesh().triangleCount());
    const auto count2 = static_cast<std::uint32_t>(pair[1].mesh().triangleCount());
    std::vector<Triangle> placed2(count2);
    for (std::uint32_t t2 = 0; t2 < count2; ++t2) placed2[t2] = collector.triangle(1, t2);
    for (std::uint32_t t1 = 0; t1 < count1; ++t1) {
      const Triangle a = collector.triangle(0, t1);
      for (std::uint32_t t2 = 0; t2 < count2; ++t2) {
        if (collector.test(t1, a, t2, placed2[t2])) return;
      }
    }
  }
  [[nodiscard]] std::size_t memoryBytes() const override { return 0; }
};

}  // namespace

std::unique_ptr<const PairMethod> makeAllPairs() {
  return std::make_unique<AllPairs>();
}

}  // namespace odemesh
