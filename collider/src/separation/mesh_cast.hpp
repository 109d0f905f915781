// Rays against a mesh for the collider's own use: the face that is hit is named as the mesh has it.
#pragma once

#include <cstdint>
#include <limits>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <optional>
#include <vector>

namespace odemesh {

/// The limit of a ray that has none.
inline constexpr double kEndless = std::numeric_limits<double>::infinity();

struct FaceHit {
  double t;     ///< along the ray in units of its direction
  bool enters;  ///< the ray meets the face from its front
  std::uint32_t face;
};

/// As `castRay`, without its checks for numbers that are not finite. What lies beyond `limit`, in units of
/// the direction, may be left out.
[[nodiscard]] std::optional<FaceHit> firstFaceOnRay(const Mesh& mesh, const Pose& pose, const Vec3& origin,
                                                    const Vec3& direction, double limit = kEndless);

/// Replaces `out` by all faces on the ray, in no particular order. A ray through an edge may meet both faces
/// there.
void facesOnRay(const Mesh& mesh, const Pose& pose, const Vec3& origin, const Vec3& direction,
                std::vector<FaceHit>& out);

}  // namespace odemesh
