// Does my part stack, stay in its tray, and do so again in the same way? Put file names in place of the
// shapes.
#include <odemesh/sim/testing.hpp>

using namespace odemesh::sim;

TEST(MyPart, FiveOfThemStand) {
  Trial trial;
  trial.addGround();
  for (int i = 0; i < 5; ++i) trial.addMesh("shape:box", {0, 0, 0.5 + 1.001 * i});
  trial.runSeconds(2);
  EXPECT_TRUE(met(isAtRest(trial)));
  EXPECT_TRUE(met(stands(trial, 0.02)));
  EXPECT_TRUE(met(overlapsAtMost(trial, 0.01)));
}

TEST(MyPart, StaysInItsTrayAndAlwaysTheSameWay) {
  Trial trials[2];
  for (Trial& trial : trials) {
    trial.addGround();
    trial.addMesh("shape:torus", {0, 0, 1}, 2.5);  // kg
    trial.runSeconds(2);
    EXPECT_TRUE(met(staysInside(trial, {{-1, -1, -0.01}, {1, 1, 2}})));
  }
  EXPECT_TRUE(met(hasSameHash(trials[0], trials[1])));
}
