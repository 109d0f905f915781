// A program that knows nothing of odemesh: mesh boxes, made with ODE's calls alone.
#pragma once

#include <ode/ode.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace odemesh::test {

/// Are this process's meshes to be collided by odemesh? So they are where it is preloaded and not switched
/// off.
[[nodiscard]] inline bool expectsOdemesh() {
  const auto variable = [](const char* name) -> std::string_view {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  return variable("LD_PRELOAD").find("odemesh-preload") != std::string_view::npos &&
         variable("ODEMESH_PRELOAD") != "off";
}

/// The corners and triangles of a box, wound counter-clockwise from outside.
struct Box {
  std::array<float, 24> xyz;
  std::array<dTriIndex, 36> indices{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

  Box(float half_x, float half_y, float half_z) {
    for (std::size_t corner = 0; corner < 8; ++corner) {
      xyz[3 * corner] = (corner & 1) != 0 ? half_x : -half_x;
      xyz[3 * corner + 1] = (corner & 2) != 0 ? half_y : -half_y;
      xyz[3 * corner + 2] = (corner & 4) != 0 ? half_z : -half_z;
    }
  }

  void build(dTriMeshDataID data) const {
    dGeomTriMeshDataBuildSingle(data, xyz.data(), 12, 8, indices.data(), 36, 3 * sizeof(dTriIndex));
  }
};

}  // namespace odemesh::test
