#include "contact/region/contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "constants.hpp"
#include "contact/last_used.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

/// An irregular direction: no mesh is aligned with it.
constexpr Vec3 kShiftDirection{0.5436891, 0.6180340, 0.5675871};

/// A triangle with what the crossing test reads of it.
struct TestTriangle {
  std::uint32_t index;
  Vec3 corner[3];
  Vec3 normal;  ///< of any length
  int low[3];   ///< the end of side i with the lower vertex number
  int high[3];  ///< the other one
  unsigned up;  ///< bit i: side i runs from the lower vertex number to the higher one
};

struct ContourCache {
  LastUsed<TestTriangle, 32> triangles;
  LastUsed<Vec3, 256> vertices;
};

/// Those of this thread, for both meshes. Not inline: else the compiler looks the thread's variable up anew
/// wherever it is used.
[[nodiscard, gnu::noinline]] std::array<ContourCache, 2>& threadCaches() {
  static thread_local std::array<ContourCache, 2> caches;
  return caches;
}

/// The unit vector by which a sheet grows at a vertex of its border, in the frame of its mesh: in its
/// surface, away from that.
[[nodiscard]] Vec3 outwardsAt(const Mesh& mesh, std::uint32_t v) {
  Vec3 sum;
  for (const std::uint32_t e : mesh.edgesAt(v)) {
    const MeshEdge& edge = mesh.edges()[e];
    if (edge.triangle[1] != Mesh::kNone) continue;
    const std::uint32_t t = edge.triangle[0];
    const Vec3& from = mesh.vertices()[edge.v[0]];
    const Vec3 outwards = normalised(cross(mesh.vertices()[edge.v[1]] - from, mesh.normal(t)));
    const Vec3 inwards = mesh.vertex(t, 0) + mesh.vertex(t, 1) + mesh.vertex(t, 2) - 3 * from;
    sum += dot(outwards, inwards) > 0 ? -outwards : outwards;
  }
  return normalised(sum);
}

/// Places the triangles of a mesh for the crossing test: blown up and shifted. The first of two sheets grows
/// at its borders.
class Loader {
 public:
  Loader(const PlacedMesh& placed, double inflation, double growth, const Vec3& shift, ContourCache& cache)
      : placed_(placed),
        inflation_(placed.mesh().isSolid() ? inflation : 0),
        growth_(growth),
        shift_(shift),
        cache_(cache) {
    cache_.triangles.forget();
    cache_.vertices.forget();
  }

  [[nodiscard]] const TestTriangle& triangle(std::uint32_t t) {
    return cache_.triangles.get(t, [this](std::uint32_t i) { return load(i); });
  }

 private:
  [[nodiscard]] TestTriangle load(std::uint32_t t) {
    const std::uint32_t* c = placed_.mesh().corners(t);
    TestTriangle out{};
    out.index = t;
    for (int i = 0; i < 3; ++i) {
      out.corner[i] = cache_.vertices.get(c[i], [this](std::uint32_t v) { return place(v); });
      const bool runs_up = c[i] < c[nextCorner(i)];
      out.low[i] = runs_up ? i : nextCorner(i);
      out.high[i] = runs_up ? nextCorner(i) : i;
      out.up |= unsigned(runs_up) << i;
    }
    out.normal = cross(out.corner[1] - out.corner[0], out.corner[2] - out.corner[0]);
    return out;
  }
  [[nodiscard]] Vec3 place(std::uint32_t v) const {
    const Mesh& mesh = placed_.mesh();
    Vec3 local = mesh.vertices()[v] + mesh.vertexNormal(v) * inflation_;
    if (growth_ > 0 && mesh.isOnBorder(v)) local += outwardsAt(mesh, v) * growth_;
    return placed_.pose().apply(local) + shift_;
  }

  const PlacedMesh& placed_;
  double inflation_, growth_;
  Vec3 shift_;
  ContourCache& cache_;
};

/// Signed distances of the corners of `t` from the plane of `plane`.
[[nodiscard]] bool straddles(const TestTriangle& t, const TestTriangle& plane, double distance[3]) {
  for (int i = 0; i < 3; ++i) distance[i] = dot(plane.normal, t.corner[i] - plane.corner[0]);
  const bool front = distance[0] >= 0;
  return front != (distance[1] >= 0) || front != (distance[2] >= 0);
}

/// The sides of a triangle that straddles a plane: two have an end on either side of it.
struct CrossingSides {
  int crosses[2];
  int stays;
};

[[nodiscard]] CrossingSides crossingSides(const double distance[3]) {
  const bool front[3] = {distance[0] >= 0, distance[1] >= 0, distance[2] >= 0};
  if (front[0] == front[1]) return {{1, 2}, 0};
  if (front[1] == front[2]) return {{0, 2}, 1};
  return {{0, 1}, 2};
}

/// How far a triangle of which these are the distances stays from the plane of `plane`; 0 if a sliver has no
/// plane to speak of.
[[nodiscard]] double clearanceFrom(const TestTriangle& plane, const double distance[3]) {
  constexpr double kSliverArea = 1e-6;  // in units of the square of its longer sides
  const double area = length(plane.normal);
  const double square =
      std::max(lengthSq(plane.corner[1] - plane.corner[0]), lengthSq(plane.corner[2] - plane.corner[0]));
  if (!(area > kSliverArea * square)) return 0;
  return std::min({std::abs(distance[0]), std::abs(distance[1]), std::abs(distance[2])}) / area;
}

/// What a triangle that straddles a plane cuts from a line in that plane: from side `low` to side `high`.
struct LineCut {
  double from, to;
  int low, high;
};

[[nodiscard]] LineCut cutFrom(const Vec3& line, const TestTriangle& t, const double distance[3]) {
  const CrossingSides sides = crossingSides(distance);
  double at[2];
  for (int i = 0; i < 2; ++i) {
    const int from = sides.crosses[i], to = nextCorner(from);
    const double share = distance[from] / (distance[from] - distance[to]);
    at[i] = dot(line, t.corner[from] + (t.corner[to] - t.corner[from]) * share);
  }
  const int low = at[0] <= at[1] ? 0 : 1;
  return {at[low], at[1 - low], sides.crosses[low], sides.crosses[1 - low]};
}

/// How far apart the triangles are across side i of `a` and side j of `b`, `a` being the lower one along
/// `line`; 0 if these do not part them.
[[nodiscard]] double gapAcross(const Vec3& line, const TestTriangle& a, int i, const TestTriangle& b, int j) {
  constexpr double kParallel = 1e-6;  // the sine of their angle
  const Vec3 side_a = a.corner[nextCorner(i)] - a.corner[i], side_b = b.corner[nextCorner(j)] - b.corner[j];
  const Vec3 across = cross(side_a, side_b);
  const double size = length(across);
  if (!(size > kParallel * std::sqrt(lengthSq(side_a) * lengthSq(side_b)))) return 0;
  const Vec3 axis = across * ((dot(across, line) < 0 ? -1 : 1) / size);
  double top = 0, bottom = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    top = std::max(top, dot(axis, a.corner[k] - a.corner[i]));
    bottom = std::min(bottom, dot(axis, b.corner[k] - a.corner[i]));
  }
  return std::max(bottom - top, 0.0);
}

/// How far apart are two that straddle each other's planes? What they cut from the line where these meet does
/// not overlap if they do not cross, and then the sides that face each other on it part them.
[[nodiscard]] double gapOnLine(const TestTriangle& a, const double distance_a[3], const TestTriangle& b,
                               const double distance_b[3]) {
  const Vec3 line = cross(a.normal, b.normal);
  const LineCut of_a = cutFrom(line, a, distance_a), of_b = cutFrom(line, b, distance_b);
  if (of_a.to < of_b.from) return gapAcross(line, a, of_a.high, b, of_b.low);
  if (of_b.to < of_a.from) return gapAcross(line, b, of_b.high, a, of_a.low);
  return 0;
}

/// The two can't cross until their points have moved by so much.
[[nodiscard]] double clearance(const TestTriangle& a, const TestTriangle& b) {
  double distance_a[3];
  double distance_b[3];
  const bool is_through_b = straddles(a, b, distance_a), is_through_a = straddles(b, a, distance_b);
  if (is_through_a && is_through_b) return gapOnLine(a, distance_a, b, distance_b);
  return std::max(is_through_b ? 0.0 : clearanceFrom(b, distance_a),
                  is_through_a ? 0.0 : clearanceFrom(a, distance_b));
}

/// On which side of side i of `a` does side j of `b` pass? The volume is computed with both edges directed
/// upwards and turned afterwards.
[[nodiscard]] inline bool passesLeft(const TestTriangle& a, int i, const TestTriangle& b, int j) {
  const Vec3& p0 = a.corner[a.low[i]];
  const Vec3 along = a.corner[a.high[i]] - p0;
  const Vec3 from = b.corner[b.low[j]] - p0, to = b.corner[b.high[j]] - p0;
  const bool left = dot(along, cross(from, to)) >= 0;
  return left == (((a.up >> i ^ b.up >> j) & 1) == 0);
}

class ContourFinder {
 public:
  ContourFinder(const MeshPair& pair, ContactScratch& scratch, QueryStats& stats)
      : pair_(pair),
        scratch_(scratch),
        stats_(stats),
        loaders_{Loader(pair[0], pair.tolerances().inflation, pair.growth(), {}, threadCaches()[0]),
                 Loader(pair[1], pair.tolerances().inflation, 0,
                        kShiftDirection * (kCrossingShift * pair.size()), threadCaches()[1])} {}

  void run(NearPairs* near) {
    if (near != nullptr && near->cover(pair_))
      near->forEach([&](std::uint32_t t1, std::uint32_t t2) { test(triangle(0, t1), triangle(1, t2)); });
    else
      search(near);
  }

  void runAmong(const NearPairs& kept) {
    kept.forEachKept([&](std::uint32_t t1, std::uint32_t t2) { test(triangle(0, t1), triangle(1, t2)); });
  }

 private:
  void search(NearPairs* near) {
    const double reach = near != nullptr ? near->startAt(pair_) : 0;
    auto take = [&](std::uint32_t t1, std::uint32_t t2, bool) {
      const TestTriangle &a = triangle(0, t1), &b = triangle(1, t2);
      test(a, b);
      if (reach > 0) near->keep(t1, t2, clearance(a, b));
      return false;
    };
    const SearchCounts counts =
        searchTrianglePairs(pair_[0].mesh().wideTree(), pair_[1].mesh().wideTree(), pair_.mesh2InMesh1(),
                            pair_.tolerances().crossing + pair_.growth() + reach, false, take);
    stats_.box_tests += counts.box_tests;
  }

  [[nodiscard]] const TestTriangle& triangle(std::size_t side, std::uint32_t t) {
    return loaders_[side].triangle(t);
  }

  void test(const TestTriangle& a, const TestTriangle& b) {
    ++stats_.triangle_tests;
    double distance_a[3];
    double distance_b[3];
    if (!straddles(a, b, distance_a) || !straddles(b, a, distance_b)) return;

    // A side goes through the other triangle if it passes all of its sides on the same hand. Whether it does
    // is mostly told by those that cross, too.
    const CrossingSides in_a = crossingSides(distance_a), in_b = crossingSides(distance_b);
    bool left[2][2];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) left[i][j] = passesLeft(a, in_a.crosses[i], b, in_b.crosses[j]);

    std::uint32_t ends[4];
    int count = 0;
    for (int i = 0; i < 2; ++i)
      if (left[i][0] == left[i][1] && passesLeft(a, in_a.crosses[i], b, in_b.stays) == left[i][0])
        ends[count++] = addCrossing(0, a, in_a.crosses[i], distance_a, b.index);
    for (int j = 0; j < 2; ++j)
      if (left[0][j] == left[1][j] && passesLeft(a, in_a.stays, b, in_b.crosses[j]) == left[0][j])
        ends[count++] = addCrossing(1, b, in_b.crosses[j], distance_b, a.index);
    if (count == 2) addSegment(ends[0], ends[1], a, b);
  }

  std::uint32_t addCrossing(int side, const TestTriangle& t, int i, const double distance[3],
                            std::uint32_t face) {
    const std::uint32_t edge = pair_[side].mesh().edgeOf(t.index, i);
    bool is_new = false;
    std::uint32_t& number =
        scratch_.crossing_numbers.at({edge, face, static_cast<std::uint32_t>(side)}, is_new);
    if (!is_new) return number;
    number = static_cast<std::uint32_t>(scratch_.crossings.size());

    const int low = t.low[i], high = t.high[i];
    const double along = std::clamp(distance[low] / (distance[low] - distance[high]), 0.0, 1.0);
    const Vec3 point = t.corner[low] + (t.corner[high] - t.corner[low]) * along;
    scratch_.crossings.push_back({point, along, edge, face, static_cast<std::uint8_t>(side),
                                  distance[high] >= 0, 0, number, number, Mesh::kNone});
    return number;
  }

  void addSegment(std::uint32_t from, std::uint32_t to, const TestTriangle& a, const TestTriangle& b) {
    const Vec3 along = scratch_.crossings[to].point - scratch_.crossings[from].point;
    if (dot(along, cross(b.normal, a.normal)) < 0) std::swap(from, to);
    scratch_.segments.push_back({from, to, {a.index, b.index}});
    for (const std::uint32_t end : {from, to}) {
      std::uint8_t& degree = scratch_.crossings[end].degree;
      degree = static_cast<std::uint8_t>(std::min(degree + 1, 3));
    }
  }

  const MeshPair& pair_;
  ContactScratch& scratch_;
  QueryStats& stats_;
  std::array<Loader, 2> loaders_;
};

}  // namespace

void findContours(const MeshPair& pair, ContactScratch& scratch, QueryStats& stats, NearPairs* near) {
  scratch.clearContours();
  ContourFinder(pair, scratch, stats).run(near);
}

void findContoursAmong(const NearPairs& kept, const MeshPair& pair, ContactScratch& scratch,
                       QueryStats& stats) {
  scratch.clearContours();
  ContourFinder(pair, scratch, stats).runAmong(kept);
}

}  // namespace odemesh
