// Voxel map and point shell with a virtual coupling (McNeely, Puterbaugh and Troy 1999; CS277): a documented
// contact model whose cost depends on the number of shell points alone. Coarse: it knows surfaces to a voxel.
//
// A map belongs to the mesh that stands still, a shell to the one that is moved; each is in its mesh's frame,
// and poses take them to the world. Lengths are in the meshes' unit.
#pragma once

#include <odemesh/export.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <optional>
#include <span>
#include <vector>

namespace odemesh {

/// What a cube of a VoxelMap holds.
enum class Voxel : std::uint8_t {
  kFree,      ///< nothing of the mesh
  kSurface,   ///< a part of the surface
  kInterior,  ///< the inside alone
};

/// Cubes around a mesh: free, on the surface (a triangle passes through) or inside.
class VoxelMap {
 public:
  static constexpr std::size_t kMaxVoxels = std::size_t{1} << 27;  ///< the largest map that is built

  /// One byte a voxel; O(voxels + those in the bounding boxes of the triangles). The inside of a mesh that is
  /// not solid is what cannot be reached from outside. Empty if the size is not positive and finite or needs
  /// more than kMaxVoxels: choose a larger one.
  [[nodiscard]] static ODEMESH_API std::optional<VoxelMap> build(const Mesh& mesh, double voxel_size);

  /// The voxel that holds a point of the mesh's frame; free outside the map and for points not finite.
  [[nodiscard]] ODEMESH_API Voxel at(const Vec3& point) const;
  /// The centre of the voxel that holds `point`, in the mesh's frame.
  [[nodiscard]] ODEMESH_API Vec3 centreOf(const Vec3& point) const;

  /// The side of a voxel.
  [[nodiscard]] double voxelSize() const { return size_; }
  /// Voxels along x, y and z.
  [[nodiscard]] const std::array<std::size_t, 3>& counts() const { return count_; }
  /// The voxel with these numbers, each below its count.
  [[nodiscard]] Voxel at(std::size_t x, std::size_t y, std::size_t z) const {
    return voxels_[index(x, y, z)];
  }
  /// Its centre, in the mesh's frame.
  [[nodiscard]] Vec3 centreOf(std::size_t x, std::size_t y, std::size_t z) const {
    return origin_ + size_ * Vec3{double(x) + 0.5, double(y) + 0.5, double(z) + 0.5};
  }
  /// Bytes that the map occupies: one a voxel.
  [[nodiscard]] std::size_t memoryBytes() const { return voxels_.size(); }

 private:
  VoxelMap() = default;
  void markSurface(const Mesh& mesh);
  void markInterior();
  [[nodiscard]] std::size_t index(std::size_t x, std::size_t y, std::size_t z) const {
    return (z * count_[1] + y) * count_[0] + x;
  }

  Vec3 origin_;
  double size_ = 1;
  std::array<std::size_t, 3> count_{};
  std::vector<Voxel> voxels_;
};

/// A point of the surface and the unit normal that points into the body, in the mesh's frame.
struct ShellPoint {
  Vec3 position;  ///< on the surface
  Vec3 inward;    ///< unit normal into the body
};

/// One point for each surface voxel of a map of the mesh with that size: the point of the surface closest to
/// the voxel's centre. Empty where no map can be built.
[[nodiscard]] ODEMESH_API std::vector<ShellPoint> buildPointShell(const Mesh& mesh, double spacing);

/// A shell point in a surface voxel, behind the plane through the voxel's centre at right angles to the
/// point's normal. World frame.
struct VoxelContact {
  Vec3 position;  ///< of the shell point
  Vec3
      direction;  ///< unit, into the body of the shell: moving it so by `depth` brings the point to the plane
  double depth = 0;  ///< of the point behind the plane
};

/// Appends the contacts of the shell with the map to `out`, and returns the number of shell points that lie
/// in interior voxels, past the surface: those give no force by this model. O(points). Poses that are not
/// finite give nothing.
ODEMESH_API std::size_t voxelContacts(const VoxelMap& map, const Pose& map_pose,
                                      std::span<const ShellPoint> shell, const Pose& shell_pose,
                                      std::vector<VoxelContact>& out);

/// A force and the torque about a point.
struct Wrench {
  Vec3 force;   ///< world
  Vec3 torque;  ///< world
};

/// The springs of all contacts on the body of the shell, `stiffness` in force per length, about `centre`
/// (world).
[[nodiscard]] ODEMESH_API Wrench contactWrench(std::span<const VoxelContact> contacts, double stiffness,
                                               const Vec3& centre);

/// Stiffness and damping of a virtual coupling, for translation and rotation.
struct Coupling {
  double translational_stiffness = 0;  ///< kT, force per length
  double translational_damping = 0;    ///< bT, force per velocity
  double rotational_stiffness = 0;     ///< kR, torque per radian
  double rotational_damping = 0;       ///< bR, torque per angular velocity
};

/// The 6-D spring and damper by which the handle pulls the tool: force = kT d - bT v, torque = kR theta - bR
/// omega. `d` runs from the tool to the handle, theta is the equivalent axis and angle (at most half a turn)
/// from the tool's orientation to the handle's, and v and omega are the velocities of the tool relative to
/// the handle. On the tool, about its origin, in the world frame.
[[nodiscard]] ODEMESH_API Wrench virtualCoupling(const Coupling& coupling, const Pose& handle,
                                                 const Pose& tool, const Vec3& relative_velocity,
                                                 const Vec3& relative_angular_velocity);

}  // namespace odemesh
