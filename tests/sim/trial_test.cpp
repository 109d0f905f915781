#include <gtest/gtest.h>

#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/testing.hpp>

namespace odemesh::sim {
namespace {

void expectFails(const Verdict& verdict, const std::string& part) {
  EXPECT_FALSE(verdict.passed) << verdict.text;
  EXPECT_NE(verdict.text.find(part), std::string::npos) << verdict.text;
}

WorldSettings weightless() {
  WorldSettings settings;
  settings.gravity = {};
  return settings;
}

TEST(Trial, AStackOfBoxesMeetsEveryExpectation) {
  Trial trial;
  trial.addGround();
  for (int i = 0; i < 3; ++i) trial.addMesh("shape:box", {0, 0, 0.5 + 1.0005 * i});
  trial.runSeconds(1);
  EXPECT_TRUE(met(isAtRest(trial)));
  EXPECT_TRUE(met(stands(trial, 0.01)));
  EXPECT_TRUE(met(overlapsAtMost(trial, 0.01)));
  EXPECT_TRUE(met(staysInside(trial, {{-0.6, -0.6, -0.01}, {0.6, 0.6, 3.1}})));
  EXPECT_TRUE(met(hasHash(trial, trial.world().stateHash())));
}

// After t = 1 s of free fall: v = g t, and way g t^2 / 2 (by the explicit-implicit rule, half a step more).
TEST(Trial, AFallingBodyMeetsNone) {
  Trial trial;
  trial.addMesh("shape:icosphere", {0, 0, 0});
  trial.runSeconds(0.1);
  expectFails(isAtRest(trial), "over the last 0.1 s");
  trial.runSeconds(0.9);
  expectFails(isAtRest(trial), "over the last 0.25 s");
  expectFails(stands(trial, 4.9), "icosphere");
  EXPECT_TRUE(met(stands(trial, 4.95)));
  expectFails(staysInside(trial, {{-1, -1, -5.3}, {1, 1, 1}}), "allowed");
  EXPECT_TRUE(met(staysInside(trial, {{-1, -1, -5.5}, {1, 1, 1}})));
  expectFails(hasHash(trial, 0), "0000000000000000");
}

TEST(Trial, ReachIsThatOfTheBodies) {
  Trial trial(weightless());
  Body& body = trial.addMesh("shape:box", {1, 2, 3});
  body.setVelocity({2.4, 0, 0}, {});
  trial.run(100);  // 1 m
  EXPECT_NEAR(trial.reach().low.x, 0.5, 1e-6);
  EXPECT_NEAR(trial.reach().high.x, 2.5, 1e-6);
  EXPECT_NEAR(trial.reach().low.z, 2.5, 1e-6);
  EXPECT_NEAR(trial.reach().high.y, 2.5, 1e-6);
  EXPECT_NEAR(trial.moved(body), 1, 1e-6);
  trial.mark();
  EXPECT_EQ(trial.moved(body), 0);
  EXPECT_NEAR(trial.reach().low.x, 1.5, 1e-6);
}

// A quarter turn moves the farthest point of a body by sqrt(2) times its distance.
TEST(Trial, TurningCountsAsMoving) {
  Trial trial(weightless());
  Body& body = trial.addMesh("shape:box", {});
  trial.mark();
  body.setPose({{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {}});
  EXPECT_NEAR(trial.moved(body), std::sqrt(2.0) * body.boundingRadius(), 1e-6);
}

TEST(Trial, AFailedWorldMeetsNothing) {
  WorldSettings settings;
  settings.kill_min = {-1, -1, -1};
  settings.kill_max = {1, 1, 1};
  Trial trial(settings);
  trial.addMesh("shape:box", {});
  trial.runSeconds(2);
  expectFails(overlapsAtMost(trial, 1), "failed");
  expectFails(staysInside(trial, {{-9, -9, -9}, {9, 9, 9}}), "box");
}

TEST(Trial, NamesAMissingFile) {
  Trial trial;
  EXPECT_THROW(trial.addMesh("missing.obj", {}), InputError);
  EXPECT_THROW(trial.runSeconds(-1), InputError);
}

}  // namespace
}  // namespace odemesh::sim
