// Worlds from files: SDF (.sdf, .world), the format of Gazebo, and URDF (.urdf), through libsdformat.
#pragma once

#include <filesystem>
#include <memory>
#include <odemesh/sim/world.hpp>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Everything that a world is made from.
struct WorldDescription {
  std::string name;
  WorldSettings settings;
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  /// Sentences for the user: what the file asks for and does not get, once for each kind of element.
  std::vector<std::string> warnings;
};

[[nodiscard]] std::unique_ptr<World> makeWorld(const WorldDescription& description);

struct WorldFileOptions {
  /// Folders that model:// and package:// names are looked up in, before those of the environment variables
  /// GAZEBO_MODEL_PATH, SDF_PATH and GAZEBO_RESOURCE_PATH, the file's own folder and the one over that.
  std::vector<std::filesystem::path> model_path;
  Collider collider = Collider::kOdemesh;
  /// Of models, by <include>; a file that asks for more is refused, since one that includes itself never
  /// ends.
  int max_includes = 2000;
};

/// By the extension: .sdf, .world, .urdf.
[[nodiscard]] bool isWorldFile(const std::filesystem::path& path);

/// Whether this build has libsdformat; without it `loadWorldFile` throws and says so.
[[nodiscard]] bool canLoadWorldFiles();

/// Reads the first world of a file, or the model of one without a world.
///
/// A link becomes a body of the name "model::link", a collision a part; shapes stay ODE's primitives, except
/// ellipsoids, which become meshes. Links of one model pass through each other unless <self_collide> is set.
/// Contacts get what Gazebo classic gives to ODE: ERP and CFM from <kp>, <kd> and the step, <max_vel>
/// (0.01 m/s where nothing is said), <min_depth>, <mu>, <mu2>, <fdir1>, <slip1>, <slip2>, restitution and
/// threshold; and <physics> its step, <iters>, <sor>, <erp>, <cfm>, <contact_surface_layer>,
/// <contact_max_correcting_vel> and <max_contacts>. A heightmap becomes a mesh of the same surface; its <pos>
/// moves it along x and y too, where Gazebo classic's ODE takes z alone.
///
/// libsdformat reads in a process of its own, with 120 s of processor time, three times as much by the clock,
/// and 4 GiB and 100 times the file's size of memory.
///
/// Throws InputError, naming the file, the element and the remedy, for files that libsdformat can't read,
/// crashes on, does not come back from or finds faults in, missing meshes and models, and values that a world
/// can't take.
[[nodiscard]] WorldDescription loadWorldFile(const std::filesystem::path& path,
                                             const WorldFileOptions& options = {});

}  // namespace odemesh::sim
