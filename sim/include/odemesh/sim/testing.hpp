// Physics tests of one's own meshes, with GoogleTest:
//
//     TEST(Bracket, ThreeStand) {
//       odemesh::sim::Trial trial;
//       trial.addGround();
//       for (int i = 0; i < 3; ++i) trial.addMesh("bracket.stl", {0, 0, 0.051 * i});
//       trial.run(480);
//       EXPECT_TRUE(met(isAtRest(trial)));
//       EXPECT_TRUE(met(stands(trial, 0.005)));
//     }
//
// Link odemesh::sim and GTest::gtest_main. The expectations are in trial.hpp; `met` lets GoogleTest print
// what was found. examples/mesh_test is a project to copy.
#pragma once

#include <gtest/gtest.h>

#include <odemesh/sim/trial.hpp>

namespace odemesh::sim {

/// The verdict in the form that EXPECT_TRUE and ASSERT_TRUE print.
[[nodiscard]] inline ::testing::AssertionResult met(const Verdict& verdict) {
  return (verdict ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << verdict.text;
}

}  // namespace odemesh::sim
