#include "contact/patch/samples.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "constants.hpp"
#include "contact/patch/walls_beside.hpp"
#include "contact/way_out/way_out.hpp"

namespace odemesh {

namespace {

/// Between one and two times so many vertices of a side stand for all.
constexpr std::size_t kSamples = 24;

/// Fewer vertices than this are all looked at.
constexpr std::size_t kManyVertices = 48;

/// A region is sampled from this depth on, in units of the smaller mesh's radius. What rests on something is
/// far less deep, and keeps all its corners.
constexpr double kSampledDepth = 2e-3;

/// Up to so many vertices are all looked at if they meet no more faces than the second number, which rise
/// from each other as the walls of a groove do: of a body that lies flush on one wall, the single corner that
/// is deep in another wall would hardly be among the samples.
constexpr std::size_t kManyBetweenWalls = 512;
constexpr std::size_t kFewFaces = 8;

/// Samples stand for the deepest vertex if this share of them is at least half as deep, and one of them is as
/// deep, by `kAsDeep`, and as far out by the second share. Of the vertices of a cap half are that deep.
constexpr double kLevelShare = 0.75;
constexpr double kAsFarOut = 0.95;

/// A number for each vertex, as good as drawn (Knuth 1973, multiplicative hashing).
[[nodiscard]] std::uint32_t rankOf(std::uint32_t vertex) {
  return vertex * 0x9e3779b1U;
}

class Sampler {
 public:
  Sampler(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
          const Vec3& along, ContactScratch& scratch)
      : pair_(pair), sides_(sides), region_(region), along_(along), scratch_(scratch) {}

  [[nodiscard]] bool run() {
    std::size_t count[2];
    for (int side = 0; side < 2; ++side) {
      scratch_.samples[side].clear();
      count[side] = scratch_.inside[side].countOf(pair_[side].mesh(), region_);
    }
    const std::size_t total = count[0] + count[1];
    if (total < kManyVertices || (total < kManyBetweenWalls && (meetsWalls(0) || meetsWalls(1))))
      return false;
    for (int side = 0; side < 2; ++side) takeSome(side, count[side]);
    if (!isDeep()) return false;
    for (int side = 0; side < 2; ++side) takeDeepest(side);
    return true;
  }

 private:
  /// Does the contour run over few faces of mesh `side`, of which one rises in front of another?
  [[nodiscard]] bool meetsWalls(int side) const {
    std::array<std::uint32_t, kFewFaces> faces;
    auto end = faces.begin();
    bool do_rise = false;
    for (const std::uint32_t i : scratch_.segments_of.of(region_)) {
      const std::uint32_t face = scratch_.segments[i].face[side];
      if (std::find(faces.begin(), end, face) != end) continue;
      if (end == faces.end()) return false;
      do_rise = do_rise || std::any_of(faces.begin(), end,
                                       [&](std::uint32_t other) { return isWallBeside(side, face, other); });
      *end++ = face;
    }
    return do_rise;
  }

  [[nodiscard]] bool isWallBeside(int side, std::uint32_t face, std::uint32_t other) const {
    const Vec3 normal = sides_[side].normal(other);
    return dot(normal, sides_[side].normal(face)) < kClusterCosine &&
           rises(pair_, side, face, pair_[side].corner(other, 0), normal);
  }

  void takeSome(int side, std::size_t count) {
    const auto level = std::bit_width(count / (2 * kSamples));
    const std::uint64_t end = (std::uint64_t(1) << 32) >> level;
    scratch_.inside[side].forEachOf(pair_[side].mesh(), region_, [&](std::uint32_t v) {
      if (rankOf(v) < end) take(side, v);
    });
  }

  void take(int side, std::uint32_t v) {
    const Mesh& mesh = pair_[side].mesh();
    if (mesh.isFlat(v)) return;
    const std::uint32_t face = mesh.edges()[*mesh.edgesAt(v).begin()].triangle[0];
    const Vec3 mean = pair_[side].pose().rotate(mesh.vertexNormal(v));
    if (lengthSq(mean) == 0) return;
    scratch_.samples[side].push_back(
        {pair_[side].vertex(v), sides_[side].isFlipped(face) ? -mean : mean, face, v});
  }

  [[nodiscard]] bool isDeep() const {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    const auto look = [&](const Vec3& p) {
      lowest = std::min(lowest, dot(along_, p));
      highest = std::max(highest, dot(along_, p));
    };
    for (const Vec3& p : scratch_.points[0]) look(p);
    for (const auto& samples : scratch_.samples)
      for (const Sample& s : samples) look(s.point);
    return highest - lowest > kSampledDepth * pair_.size();
  }

  /// From the deepest sample down the surface to where it is deepest. Not below what is level, as the bottom
  /// of a cylinder: which of its vertices is deepest changes as it sways, and so would what it stands on.
  void takeDeepest(int side) {
    const auto& samples = scratch_.samples[side];
    if (samples.empty()) return;
    const Vec3 down = side == 0 ? -along_ : along_;
    const Sample& start = *std::max_element(
        samples.begin(), samples.end(),
        [&](const Sample& a, const Sample& b) { return dot(down, a.point) < dot(down, b.point); });
    const Mesh& mesh = pair_[side].mesh();
    std::uint32_t deepest = start.vertex;
    double depth = dot(down, start.point);
    for (bool deeper = true; deeper;) {
      deeper = false;
      const std::uint32_t from = deepest;
      mesh.forEachNeighbour(from, [&](std::uint32_t v) {
        const double d = dot(down, pair_[side].vertex(v));
        if (d <= depth || !scratch_.inside[side].contains(mesh, v)) return;
        deepest = v;
        depth = d;
        deeper = true;
      });
    }
    if (deepest != start.vertex && !standFor(pair_[side].vertex(deepest), samples, down)) take(side, deepest);
  }

  /// Do the samples say what a vertex says that is the deepest along `down`?
  [[nodiscard]] bool standFor(const Vec3& vertex, const std::vector<Sample>& samples,
                              const Vec3& down) const {
    double rim = dot(down, vertex);
    for (const Vec3& p : scratch_.points[0]) rim = std::min(rim, dot(down, p));
    const double greatest = dot(down, vertex) - rim;
    Vec3 middle{};
    for (const Sample& s : samples) middle += s.point / double(samples.size());
    const Vec3 out = vertex - middle;
    std::size_t deep = 0;
    bool is_beside = false;
    for (const Sample& s : samples) {
      const double depth = dot(down, s.point) - rim;
      if (depth >= 0.5 * greatest) ++deep;
      is_beside = is_beside ||
                  (depth >= kAsDeep * greatest && dot(out, s.point - middle) >= kAsFarOut * lengthSq(out));
    }
    return is_beside && double(deep) >= kLevelShare * double(samples.size());
  }

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  std::uint32_t region_;
  Vec3 along_;
  ContactScratch& scratch_;
};

/// Appends the contact at sample `s` of mesh `side`, which leaves along `way`, if its normal is near the way.
void addCandidate(int side, const Sample& s, const Vec3& way, const FaceHit& exit, const Vec3& normal,
                  ContactScratch& scratch) {
  const double share = dot(normal, side == 0 ? way : -way);
  if (share < kClusterFacingCosine) return;
  scratch.candidates.push_back({s.point + way * (0.5 * exit.t),
                                normal,
                                exit.t * share,
                                {side == 0 ? s.face : exit.face, side == 0 ? exit.face : s.face}});
}

/// The contact of a sample that leaves by the face `exit`, going against its own normal. A vertex of an edge
/// looks past the face that it lies under: straight towards that one the way is shorter.
void addLocalCandidate(const MeshPair& pair, int side, const Sample& s, const FaceHit& exit,
                       ContactScratch& scratch) {
  const Vec3 way = -s.normal;
  // Sheets are left by either side: the far face looks along the way.
  const Vec3 normal = pair[1 - side].normal(exit.face), far = exit.enters ? -normal : normal;
  const auto straight = exitFace(pair, side, s.point, far, exit.t);
  if (straight && straight->t <= exit.t)
    addCandidate(side, s, far, *straight, side == 0 ? far : -far, scratch);
  else
    addCandidate(side, s, way, exit, normalised(side == 0 ? far + way : -far - way, way), scratch);
}

}  // namespace

bool takeSamples(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
                 const Vec3& along, ContactScratch& scratch) {
  return Sampler(pair, sides, region, along, scratch).run();
}

void probeSamples(const MeshPair& pair, const Separation& separation, ContactScratch& scratch) {
  const double most = separation.depth + pair.tolerances().slack;
  for (int side = 0; side < 2; ++side) {
    const Vec3 way = side == 0 ? separation.direction : -separation.direction;
    for (const Sample& s : scratch.samples[side])
      if (const auto exit = exitFace(pair, side, s.point, way, most); exit && exit->t <= most)
        addCandidate(side, s, way, *exit, separation.direction, scratch);
  }
}

bool probeSamplesLocally(const MeshPair& pair, const std::array<SheetSide, 2>& sides, double most,
                         ContactScratch& scratch) {
  for (int side = 0; side < 2; ++side) {
    // The deepest is the last: it tells soonest.
    const auto& samples = scratch.samples[side];
    for (std::size_t i = samples.size(); i-- > 0;) {
      const Sample& s = samples[i];
      const auto exit = exitFace(pair, side, s.point, -s.normal);
      if (!exit || exit->enters != sides[1 - side].isFlipped(exit->face)) continue;
      if (exit->t > most) return false;
      addLocalCandidate(pair, side, s, *exit, scratch);
    }
  }
  return true;
}

}  // namespace odemesh
