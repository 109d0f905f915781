// Segments and rays against a mesh, by one descent of its tree (CS277).
#include "separation/mesh_cast.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <odemesh/distance.hpp>
#include <tuple>
#include <utility>

#include "mid_phase/wide_rays.hpp"
#include "narrow_phase/segment_triangle.hpp"

namespace odemesh {

namespace {

enum class Line { kSegment, kRay };

/// A segment or ray in the frame of a mesh.
class LocalCast {
 public:
  LocalCast(const Mesh& mesh, const Pose& pose, const Vec3& origin, const Vec3& direction, Line line)
      : mesh_(mesh),
        pose_(pose),
        line_(line),
        origin_(pose.inverse().apply(origin)),
        direction_(pose.rotation.transposed() * direction),
        unit_(unitOf()),
        along_(line == Line::kSegment ? direction_ : direction_ * unit_),
        end_(origin_ + along_),
        ray_(TreeRay::in(mesh.wideTree(), origin_, direction_)) {}

  /// Calls `on_hit(hit, triangle, limit)` for hits no later than `limit`, which `on_hit` may lower.
  template <class OnHit>
  void search(double most, OnHit&& on_hit) const {
    ray_.search(line_ == Line::kSegment ? 1 : most, [&](std::uint32_t t, double& limit) {
      if (const std::optional<SegmentHit> hit = meetTriangle(t)) on_hit(*hit, t, limit);
    });
  }

  [[nodiscard]] CastHit inWorld(const SegmentHit& hit, std::uint32_t t) const {
    return {hit.t, pose_.apply(hit.point), pose_.rotate(mesh_.normal(t)),
            mesh_.inputTriangleAt(t, hit.point)};
  }
  [[nodiscard]] bool facesStart(std::uint32_t t) const {
    const Vec3& a = mesh_.vertex(t, 0);
    return dot(cross(mesh_.vertex(t, 1) - a, mesh_.vertex(t, 2) - a), direction_) < 0;
  }
  [[nodiscard]] std::uint32_t inputTriangle(std::uint32_t t) const { return mesh_.inputTriangle(t); }

 private:
  [[nodiscard]] std::optional<SegmentHit> meetTriangle(std::uint32_t t) const {
    const Triangle triangle = triangleOf(mesh_, t);
    if (line_ == Line::kSegment) return intersectSegment(origin_, end_, triangle);
    auto hit = intersectRay(origin_, along_, triangle);
    if (hit) hit->t *= unit_;
    return hit;
  }

  /// Tolerances on the ray are meant for one whose direction is about as long as the mesh is large.
  [[nodiscard]] double unitOf() const {
    constexpr std::uint64_t kExponent = 0x7ff0000000000000;
    const double ratio = mesh_.sphereRadius() / length(direction_);
    return std::isnormal(ratio) ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(ratio) & kExponent) : 1;
  }

  const Mesh& mesh_;
  const Pose& pose_;
  Line line_;
  Vec3 origin_, direction_;
  double unit_;       ///< of a ray; a power of two, so that nothing is rounded
  Vec3 along_, end_;  ///< the segment, or a unit of the ray
  TreeRay ray_;
};

struct FirstHit {
  SegmentHit hit;
  std::uint32_t triangle;
};

/// Of hits at the same place, one of a face that looks at the start comes first.
[[nodiscard]] bool isBefore(const LocalCast& cast, double t, std::uint32_t triangle, const FirstHit& other) {
  if (t != other.hit.t) return t < other.hit.t;
  const auto rank = [&](std::uint32_t of) { return std::pair(!cast.facesStart(of), cast.inputTriangle(of)); };
  return rank(triangle) < rank(other.triangle);
}

[[nodiscard]] std::optional<FirstHit> findFirst(const LocalCast& cast, double most = kEndless) {
  std::optional<FirstHit> best;
  cast.search(most, [&](const SegmentHit& hit, std::uint32_t t, double& limit) {
    if (best && !isBefore(cast, hit.t, t, *best)) return;
    best = {hit, t};
    limit = hit.t;
  });
  return best;
}

[[nodiscard]] std::optional<CastHit> castFirst(const LocalCast& cast) {
  const auto first = findFirst(cast);
  return first ? std::optional(cast.inWorld(first->hit, first->triangle)) : std::nullopt;
}

void castAll(const LocalCast& cast, std::vector<CastHit>& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  cast.search(kEndless,
              [&](const SegmentHit& hit, std::uint32_t t, double&) { out.push_back(cast.inWorld(hit, t)); });
  std::sort(out.begin() + first, out.end(), [](const CastHit& a, const CastHit& b) {
    return std::tie(a.t, a.triangle) < std::tie(b.t, b.triangle);
  });
}

[[nodiscard]] bool isUsable(const Pose& pose, const Vec3& a, const Vec3& b) {
  return isFinite(pose) && isFinite(a) && isFinite(b);
}

}  // namespace

std::optional<FaceHit> firstFaceOnRay(const Mesh& mesh, const Pose& pose, const Vec3& origin,
                                      const Vec3& direction, double limit) {
  const LocalCast cast(mesh, pose, origin, direction, Line::kRay);
  const auto first = findFirst(cast, limit);
  if (!first) return std::nullopt;
  return FaceHit{first->hit.t, cast.facesStart(first->triangle), first->triangle};
}

void facesOnRay(const Mesh& mesh, const Pose& pose, const Vec3& origin, const Vec3& direction,
                std::vector<FaceHit>& out) {
  out.clear();
  const LocalCast cast(mesh, pose, origin, direction, Line::kRay);
  cast.search(kEndless, [&](const SegmentHit& hit, std::uint32_t t, double&) {
    out.push_back({hit.t, cast.facesStart(t), t});
  });
}

std::optional<CastHit> castSegment(const Mesh& mesh, const Pose& pose, const Vec3& from, const Vec3& to) {
  if (!isUsable(pose, from, to)) return std::nullopt;
  return castFirst(LocalCast(mesh, pose, from, to - from, Line::kSegment));
}

void castSegmentAll(const Mesh& mesh, const Pose& pose, const Vec3& from, const Vec3& to,
                    std::vector<CastHit>& out) {
  if (isUsable(pose, from, to)) castAll(LocalCast(mesh, pose, from, to - from, Line::kSegment), out);
}

std::optional<CastHit> castRay(const Mesh& mesh, const Pose& pose, const Vec3& origin,
                               const Vec3& direction) {
  if (!isUsable(pose, origin, direction)) return std::nullopt;
  return castFirst(LocalCast(mesh, pose, origin, direction, Line::kRay));
}

void castRayAll(const Mesh& mesh, const Pose& pose, const Vec3& origin, const Vec3& direction,
                std::vector<CastHit>& out) {
  if (isUsable(pose, origin, direction)) castAll(LocalCast(mesh, pose, origin, direction, Line::kRay), out);
}

}  // namespace odemesh
