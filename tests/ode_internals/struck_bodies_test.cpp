// What the contacts of a step leave of the motions of many bodies, against closed forms.
#include "ode/struck_bodies.hpp"

#include <array>
#include <cstddef>

#include "ode/ode_scene.hpp"

namespace odemesh::test {
namespace {

/// Three equal balls side by side along x, of which the first comes at 3 m/s.
class StruckBodiesTest : public OdeTest {
 protected:
  StruckBodiesTest() {
    dMass mass;
    dMassSetSphere(&mass, 1000, kRadius);
    for (std::size_t i = 0; i < kCount; ++i) {
      dBodySetMass(bodies_[i].get(), &mass);
      dBodySetPosition(bodies_[i].get(), placeOf(i), 0, 0);
      dGeomSetBody(balls_[i].get(), bodies_[i].get());
    }
    dBodySetLinearVel(bodies_[0].get(), 3, 0, 0);
  }

  /// Between a ball and the next one.
  [[nodiscard]] dContact contactBehind(std::size_t i) const {
    dContact contact{};
    contact.geom.g1 = balls_[i].get();
    contact.geom.g2 = balls_[i + 1].get();
    contact.geom.normal[0] = -1;
    contact.geom.pos[0] = placeOf(i) + kRadius;
    contact.surface.mode = dContactApprox1;
    return contact;
  }

  void touch(std::size_t i) {
    struck_.add(struck_.addPair(balls_[i].get(), balls_[i + 1].get()), contactBehind(i));
  }

  [[nodiscard]] double speedOf(std::size_t i) const { return struck_.motionIn(balls_[i].get()).velocity.x; }

  static constexpr std::size_t kCount = 3;
  static constexpr dReal kRadius = dReal(0.1);
  [[nodiscard]] static dReal placeOf(std::size_t i) { return dReal(2) * kRadius * dReal(i); }

  const World world_{dWorldCreate()};
  const std::array<Body, kCount> bodies_{Body(dBodyCreate(world_.get())), Body(dBodyCreate(world_.get())),
                                         Body(dBodyCreate(world_.get()))};
  const std::array<Geom, kCount> balls_{Geom(dCreateSphere(nullptr, kRadius)),
                                        Geom(dCreateSphere(nullptr, kRadius)),
                                        Geom(dCreateSphere(nullptr, kRadius))};
  ode::StruckBodies struck_{1.0 / 60};
};

// Whichever pair comes first: those behind one that has moved act again.
TEST_F(StruckBodiesTest, ARowGoesOnTogether) {
  touch(1);
  touch(0);
  struck_.settle();
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_NEAR(speedOf(i), 1, 0.01) << i;
}

TEST_F(StruckBodiesTest, OnePairSettlesAlone) {
  touch(1);
  touch(0);
  struck_.settle(1);
  EXPECT_NEAR(speedOf(0), 1.5, 1e-3);
  EXPECT_NEAR(speedOf(1), 1.5, 1e-3);
  EXPECT_EQ(speedOf(2), 0);
}

}  // namespace
}  // namespace odemesh::test
