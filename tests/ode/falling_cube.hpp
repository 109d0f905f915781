// A cube that falls fast on a plate, as the tests of what looks a step ahead throw it.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "ode_scene.hpp"

namespace odemesh::test {

using Pair = std::pair<dGeomID, dGeomID>;

inline void collectPair(void* data, dGeomID a, dGeomID b) {
  static_cast<std::vector<Pair>*>(data)->emplace_back(a, b);
}

/// A plate of 20 mm around the origin and a cube of 0.2 m at a height of 0.61 m that falls at 50 m/s.
class SpeculativeTest : public OdeTest {
 protected:
  SpeculativeTest() {
    EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
    dBodySetPosition(body_.get(), 0, 0, dReal(0.61));
    dBodySetLinearVel(body_.get(), 0, 0, -50);
    dGeomSetBody(cube_.get(), body_.get());
  }

  int collide(const dSurfaceParameters* surface = nullptr, int room = 16) {
    return odemeshCollideSpeculative(cube_.get(), plate_.get(), dReal(1.0 / 60), room, surface,
                                     contacts_.data(), sizeof(dContact));
  }

  const Triangles plate_box_ = boxTriangles(10, 10, 0.01F), cube_box_ = boxTriangles(0.1F, 0.1F, 0.1F);
  const MeshData plate_data_ = dataOf(plate_box_), cube_data_ = dataOf(cube_box_);
  const World world_{dWorldCreate()};
  const Body body_{dBodyCreate(world_.get())};
  const Geom plate_ = geomOf(plate_data_), cube_ = geomOf(cube_data_);
  std::array<dContact, 64> contacts_{};
};

}  // namespace odemesh::test
