// Worlds of URDF, through the same library: what it drops is listed, and what it mistakes is refused.
#include "sim/world_files.hpp"

namespace odemesh::sim {
namespace {

TEST_F(WorldFile, UrdfIsRead) {
  const fs::path file = write(
      "<?xml version='1.0'?><robot name='arm'><link name='base'><inertial><mass value='1'/><inertia ixx='1' "
      "ixy='0' "
      "ixz='0' iyy='1' iyz='0' izz='1'/></inertial><collision><geometry><box size='1 1 "
      "1'/></geometry></collision>"
      "</link><link name='tip'><inertial><mass value='3'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
      "izz='1'/>"
      "</inertial><collision><geometry><sphere radius='0.2'/></geometry></collision></link>"
      "<joint name='j' type='revolute'><parent link='base'/><child link='tip'/><origin xyz='0 0 2'/>"
      "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>",
      "arm.urdf");
  const WorldDescription world = loadWorldFile(file);
  expectNear(bodyNamed(world, "arm::tip").pose.translation, {0, 0, 2});
  EXPECT_EQ(bodyNamed(world, "arm::tip").inertial->mass, 3);
  ASSERT_EQ(world.joints.size(), 1U);
  EXPECT_EQ(world.joints[0].axes[0].lower, -1);
  expectNear(world.joints[0].anchor, {0, 0, 2});
  EXPECT_TRUE(warnsOf(world, "ground plane"));
}

std::string urdfLink(const std::string& name, const std::string& content = "") {
  return "<link name='" + name +
         "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
         "izz='1'/></inertial>" +
         content + "</link>";
}

std::string urdfJoint(const std::string& type, const std::string& parent, const std::string& child,
                      const std::string& content = "") {
  return "<joint name='to_" + child + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + content + "</joint>";
}

const std::string kUrdfBall = "<collision><geometry><sphere radius='0.2'/></geometry></collision>";

TEST_F(WorldFile, WhatUrdfHasAndSdfHasNotIsListed) {
  const struct {
    std::string content;
    const char* said;
  } cases[] = {
      {urdfLink("a") + urdfJoint("continuous", "base", "a", "<mimic joint='to_b'/>"), "<mimic> in <joint>"},
      {urdfLink("a") + urdfJoint("continuous", "base", "a", "<calibration rising='0'/>"),
       "<calibration> in <joint>"},
      {"<transmission name='t'/><transmission name='u'/>",
       "<transmission> in <robot> is not supported and left out (2 times)"},
      {"<ros2_control name='c' type='system'/>", "<ros2_control> in <robot>"},
      {"<gazebo><plugin name='p' filename='q'/></gazebo>", "<plugin> in <model>"},
      {"<gazebo reference='base'><invented>1</invented></gazebo>", "<invented> in <link>"},
      {urdfLink("a", "<collision><geometry><capsule radius='1' length='1'/></geometry></collision>") +
           urdfJoint("fixed", "base", "a"),
       "<capsule> in <geometry>"},
      {"<link name='a'>" + kUrdfBall + "</link>" + urdfJoint("continuous", "base", "a") + urdfLink("b") +
           urdfJoint("fixed", "a", "b") + "<link name='c'/>" + urdfJoint("continuous", "b", "c") +
           urdfLink("d") + urdfJoint("continuous", "c", "d"),
       "('c' and 1 more)"},
      {"<link name='a'>" + kUrdfBall + "</link>" + urdfJoint("fixed", "base", "a") +
           "<!-- joined to what has mass -->",
       nullptr},
  };
  for (const auto& c : cases) {
    const WorldDescription world = loadWorldFile(
        write("<robot name='r'>" + urdfLink("base", kUrdfBall) + c.content + "</robot>", "r.urdf"));
    EXPECT_EQ(world.warnings.size(), c.said == nullptr ? 1U : 2U)
        << c.content;  // that on the ground plane too
    if (c.said != nullptr) {
      EXPECT_TRUE(warnsOf(world, c.said)) << c.said << "\n" << world.warnings[0];
    }
  }
}

// Each asked every other one for its mass once.
TEST_F(WorldFile, ManyLinksWithoutMassAreListedAtOnce) {
  std::string robot = "<robot name='r'>" + urdfLink("base", kUrdfBall);
  constexpr int kLinks = 3000;
  for (int i = 0; i < kLinks; ++i) robot += "<link name='" + std::to_string(i) + "'/>";
  for (int i = 0; i < kLinks; ++i)
    robot += urdfJoint("continuous", i == 0 ? "base" : std::to_string(i - 1), std::to_string(i));
  const WorldDescription world = loadWorldFile(write(robot + "</robot>", "r.urdf"));
  const auto said = [](const std::string& text) { return text.find("2999 more") != std::string::npos; };
  EXPECT_TRUE(std::any_of(world.warnings.begin(), world.warnings.end(), said));
}

TEST_F(WorldFile, UrdfThatLibsdformatMistakesIsRefused) {
  const struct {
    std::string content;
    const char* said;
  } cases[] = {
      {urdfLink("a") + urdfJoint("floating", "base", "a"), "the joint 'to_a'"},
      {urdfLink("a") + urdfJoint("planar", "base", "a"), "planar"},
      {urdfLink("a",
                "<collision><origin xyz='a b c'/><geometry><sphere radius='1'/></geometry></collision>") +
           urdfJoint("fixed", "base", "a"),
       "'a b c' of <origin xyz> is not 3 numbers"},
      {urdfLink("a", "<collision><geometry><sphere radius='1,5'/></geometry></collision>") +
           urdfJoint("fixed", "base", "a"),
       "'1,5' of <sphere radius> is not a number"},
  };
  for (const auto& c : cases) {
    const fs::path file =
        write("<robot name='r'>" + urdfLink("base", kUrdfBall) + c.content + "</robot>", "r.urdf");
    try {
      static_cast<void>(loadWorldFile(file));
      ADD_FAILURE() << "was accepted; expected: " << c.said;
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(c.said), std::string::npos) << what;
      EXPECT_NE(what.find("r.urdf: the "), std::string::npos) << what;
    }
  }
}

// libsdformat prints why, and says that it can't read the file.
TEST_F(WorldFile, UrdfThatIsNotUnderstoodIsRefusedWithTheReason) {
  const fs::path file = write(
      "<robot name='r'>" + urdfLink("base", kUrdfBall) + urdfJoint("fixed", "base", "nowhere") + "</robot>",
      "r.urdf");
  try {
    static_cast<void>(loadWorldFile(file));
    ADD_FAILURE() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("child link [nowhere]"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace odemesh::sim
