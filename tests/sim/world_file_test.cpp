// Worlds of SDF: what libsdformat reads becomes what ODE has.
#include <gtest/gtest.h>

#include <cmath>
#include <odemesh/sim/testing.hpp>

#include "sim/world_files.hpp"

namespace odemesh::sim {
namespace {

constexpr double kGravity = 9.81;

// A quarter turn about z takes (1, 0, 0) to (0, 1, 0).
TEST_F(WorldFile, BodiesAreWhereTheFileSays) {
  const WorldDescription world = load(
      model("m", "<pose>1 2 3 0 0 1.5707963267948966</pose>" +
                     linkOf("<pose>1 0 0 0 0 0</pose>" + collision(kSphere), "a") +
                     "<frame name='f'><pose>0 0 5 0 0 0</pose></frame>" +
                     linkOf("<pose relative_to='f'>0 1 0 0 0 0</pose><collision name='c'><pose>0 0 2 0 0 "
                            "0</pose><geometry>" +
                                kSphere + "</geometry></collision>",
                            "b")));
  expectNear(bodyNamed(world, "m::a").pose.translation, {1, 3, 3});
  expectNear(bodyNamed(world, "m::a").pose.rotate({1, 0, 0}), {0, 1, 0});
  expectNear(bodyNamed(world, "m::b").pose.translation, {0, 2, 8});
  const std::unique_ptr<World> made = makeWorld(world);
  expectNear(made->body(1).partPose(0).translation, {0, 2, 10});
}

TEST_F(WorldFile, NestedModelsStandInTheirParents) {
  const WorldDescription world =
      load(model("outer", "<pose>0 0 1 0 0 0</pose>" + linkOf(collision(kSphere), "a") +
                              model("inner", "<pose>0 2 0 0 0 0</pose>" + linkOf(collision(kSphere), "b"))));
  expectNear(bodyNamed(world, "outer::inner::b").pose.translation, {0, 2, 1});
}

TEST_F(WorldFile, InertialsAreTaken) {
  const WorldDescription world =
      load(model("m",
                 "<link name='l'><inertial><pose>0.1 0 0 0 0 1.5707963267948966</pose><mass>2</mass>"
                 "<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial>" +
                     collision(kSphere) + "</link>"));
  const std::unique_ptr<World> made = makeWorld(world);
  const Inertial& inertial = made->body(0).inertial();
  EXPECT_EQ(inertial.mass, 2);
  expectNear(inertial.centre, {0.1, 0, 0});
  EXPECT_NEAR(inertial.inertia.row[0].x, 2, 1e-9);  // turned by a quarter
  EXPECT_NEAR(inertial.inertia.row[1].y, 1, 1e-9);
}

TEST_F(WorldFile, PhysicsSettingsAreTaken) {
  const WorldDescription world = load(
      "<gravity>0 1 -2</gravity><physics type='ode'><max_step_size>0.002</max_step_size>"
      "<max_contacts>7</max_contacts><ode><solver><type>quick</type><iters>33</iters><sor>1.1</sor>"
      "</solver><constraints><cfm>0.001</cfm><erp>0.3</erp><contact_max_correcting_vel>9"
      "</contact_max_correcting_vel><contact_surface_layer>0.005</contact_surface_layer>"
      "</constraints></ode></physics>" +
      groundWith(""));
  expectNear(world.settings.gravity, {0, 1, -2});
  EXPECT_EQ(world.settings.dt, 0.002);
  EXPECT_EQ(world.settings.max_contacts, 7);
  EXPECT_EQ(world.settings.solver, Solver::kQuick);
  EXPECT_EQ(world.settings.iterations, 33);
  EXPECT_EQ(world.settings.relaxation, 1.1);
  EXPECT_EQ(world.settings.cfm, 0.001);
  EXPECT_EQ(world.settings.erp, 0.3);
  EXPECT_EQ(world.settings.max_correcting_speed, 9);
  EXPECT_EQ(world.settings.surface_layer, 0.005);
}

TEST_F(WorldFile, TheSolverIsTaken) {
  const auto withSolver = [this](const std::string& type) {
    return load("<physics type='ode'><ode><solver><type>" + type + "</type></solver></ode></physics>" +
                groundWith(""));
  };
  EXPECT_EQ(withSolver("world").settings.solver, Solver::kExact);
  EXPECT_TRUE(withSolver("world").warnings.empty());
  const WorldDescription unknown = withSolver("dantzig");
  EXPECT_EQ(unknown.settings.solver, Solver::kQuick);
  EXPECT_TRUE(warnsOf(unknown, "the solver 'dantzig'"));
  EXPECT_EQ(load(groundWith("")).settings.solver, Solver::kQuick);
}

TEST_F(WorldFile, SurfacesAreTaken) {
  const WorldDescription world = load(groundWith(
      "<friction><ode><mu>0.3</mu><mu2>0.4</mu2><fdir1>1 0 0</fdir1><slip1>0.1</slip1><slip2>0.2</slip2>"
      "</ode></friction><bounce><restitution_coefficient>0.6</restitution_coefficient><threshold>0.5"
      "</threshold></bounce><contact><collide_bitmask>5</collide_bitmask><ode><kp>1e5</kp><kd>10</kd>"
      "<max_vel>0.2</max_vel><min_depth>0.003</min_depth></ode></contact>"));
  const Surface& surface = *world.bodies[0].parts[0].surface;
  EXPECT_EQ(surface.mu, 0.3);
  EXPECT_EQ(surface.mu2, 0.4);
  expectNear(surface.friction_direction, {1, 0, 0});
  EXPECT_EQ(surface.slip1, 0.1);
  EXPECT_EQ(surface.slip2, 0.2);
  EXPECT_EQ(surface.restitution, 0.6);
  EXPECT_EQ(surface.bounce_threshold, 0.5);
  EXPECT_EQ(surface.collide_bits, 5U);
  EXPECT_EQ(surface.spring->stiffness, 1e5);
  EXPECT_EQ(surface.spring->damping, 10);
  EXPECT_EQ(surface.max_correcting_speed, 0.2);
  EXPECT_EQ(surface.surface_layer, 0.003);
}

// Two springs in series carry the weight: depth = m g (1 / kp1 + 1 / kp2).
TEST_F(WorldFile, SpringsGiveByTheWeightOverTheirStiffness) {
  const std::string soft =
      "<contact><ode><kp>2000</kp><kd>20</kd><max_vel>10</max_vel><min_depth>0</min_depth>"
      "</ode></contact>";
  Trial trial(makeWorld(load(
      groundWith(soft) + model("ball", "<pose>0 0 0.49 0 0 0</pose>" + linkOf(collision(kSphere, soft))))));
  trial.runSeconds(3);
  EXPECT_TRUE(met(isAtRest(trial)));
  EXPECT_NEAR(trial.world().body(1).pose().translation.z, 0.5 - kGravity / 1000, 1e-4);
}

TEST_F(WorldFile, MaxVelLimitsHowFastBodiesAreParted) {
  const std::string slow = "<contact><ode><max_vel>0.05</max_vel></ode></contact>";
  Trial trial(
      makeWorld(load("<gravity>0 0 0</gravity>" + groundWith(slow) +
                     model("ball", "<pose>0 0 0.4 0 0 0</pose>" + linkOf(collision(kSphere, slow))))));
  trial.runSeconds(1);
  EXPECT_NEAR(trial.world().body(1).pose().translation.z, 0.45, 1e-3);
}

// Rises at 0.02 m/s, by 0.02 m, and no farther.
TEST_F(WorldFile, MinDepthIsLeft) {
  const std::string layer =
      "<contact><ode><min_depth>0.01</min_depth><max_vel>0.02</max_vel></ode></contact>";
  Trial trial(makeWorld(load(
      groundWith(layer) + model("ball", "<pose>0 0 0.47 0 0 0</pose>" + linkOf(collision(kSphere, layer))))));
  trial.runSeconds(2);
  EXPECT_NEAR(trial.world().body(1).pose().translation.z, 0.49, 1e-4);
}

std::string joint(const std::string& type, const std::string& axis) {
  return "<joint name='j' type='" + type + "'><parent>world</parent><child>link</child>" + axis + "</joint>";
}

std::string axisOf(const std::string& xyz, const std::string& more = "") {
  return "<axis><xyz>" + xyz + "</xyz>" + more + "</axis>";
}

// Turning about +y takes +x towards -z: the arm falls to positive angles.
TEST_F(WorldFile, HingesStopAtTheirLimits) {
  Trial trial(makeWorld(
      load(model("m", "<link name='link'><inertial><pose>1 0 0 0 0 0</pose><mass>1</mass></inertial></link>" +
                          joint("revolute", axisOf("0 1 0",
                                                   "<limit><lower>-0.5</lower><upper>0.3</upper></limit>"
                                                   "<dynamics><damping>5</damping></dynamics>"))))));
  trial.runSeconds(4);
  expectNear(trial.world().body(0).centreOfMass(), {std::cos(0.3), 0, -std::sin(0.3)}, 5e-3);
}

// Terminal speed m g / c.
TEST_F(WorldFile, DampedSlidersFallAtTheirTerminalSpeed) {
  Trial trial(makeWorld(load(model(
      "m", linkOf("") + joint("prismatic", axisOf("0 0 1", "<dynamics><damping>4</damping></dynamics>"))))));
  trial.runSeconds(4);
  expectNear(trial.world().body(0).linearVelocity(), {0, 0, -kGravity / 4}, 5e-3);
}

TEST_F(WorldFile, SlidersStopAtTheirLimitsAndFrictionHoldsThem) {
  const auto fall = [&](const std::string& more) {
    Trial trial(makeWorld(load(model("m", linkOf("") + joint("prismatic", axisOf("0 0 1", more))))));
    trial.runSeconds(2);
    return trial.world().body(0).pose().translation.z;
  };
  EXPECT_NEAR(fall("<limit><lower>-0.2</lower><upper>1</upper></limit>"), -0.2, 1e-3);
  EXPECT_NEAR(fall("<dynamics><friction>20</friction></dynamics>"), 0, 1e-3);
  EXPECT_LT(fall("<dynamics><friction>5</friction></dynamics>"), -1);
}

std::string springOf(double stiffness, double reference, double damping) {
  return "<dynamics><damping>" + std::to_string(damping) + "</damping><spring_stiffness>" +
         std::to_string(stiffness) + "</spring_stiffness><spring_reference>" + std::to_string(reference) +
         "</spring_reference></dynamics>";
}

// Hangs m g / k below the reference, whichever of the two links the joint calls its child.
TEST_F(WorldFile, SlidersHangOnTheirSprings) {
  for (const std::string ends :
       {"<parent>world</parent><child>link</child>", "<parent>base</parent><child>link</child>",
        "<parent>link</parent><child>base</child>"}) {
    const bool is_parent = ends.find("<parent>link") != std::string::npos;
    const std::string base = "<static>1</static>" + linkOf(collision(kSphere), "base");
    const std::string joint = "<joint name='j' type='prismatic'>" + ends +
                              axisOf("0 0 1", springOf(200, is_parent ? -0.1 : 0.1, 10)) + "</joint>";
    const std::string heavy_base =
        "<link name='base'><inertial><mass>1e9</mass><inertia><ixx>1e9</ixx><iyy>1e9</iyy><izz>1e9</izz>"
        "</inertia></inertial><gravity>0</gravity></link>";
    Trial trial(makeWorld(load(model("m", heavy_base + linkOf("") + joint))));
    trial.runSeconds(4);
    const std::size_t link = trial.world().body(0).name() == "m::link" ? 0 : 1;
    EXPECT_NEAR(trial.world().body(link).pose().translation.z, 0.1 - kGravity / 200, 1e-3) << ends;
  }
}

// Without weight, half of the period 2 pi sqrt(I / k) takes it to the other side of the reference. The
// implicit steps cost a little of the swing.
TEST_F(WorldFile, HingesSwingOnTheirSprings) {
  const double stiffness = 0.4;
  Trial trial(makeWorld(
      load("<gravity>0 0 0</gravity>" +
           model("m", linkOf("") + joint("revolute", axisOf("0 1 0", springOf(stiffness, 0.3, 0)))))));
  trial.runSeconds(3.14159265 * std::sqrt(0.1 / stiffness));
  EXPECT_NEAR(trial.world().joint(0).position(), 0.6, 0.01);
  EXPECT_NEAR(length(trial.world().body(0).angularVelocity()), 0, 0.02);
}

TEST_F(WorldFile, LimitsTakeTheirSoftness) {
  const WorldDescription world = load(model(
      "m", linkOf("") + joint("revolute", axisOf("0 1 0") + "<physics><ode><limit><erp>0.7</erp>"
                                                            "<cfm>0.01</cfm></limit></ode></physics>")));
  EXPECT_EQ(world.joints[0].limit_erp, 0.7);
  EXPECT_EQ(world.joints[0].limit_cfm, 0.01);
  EXPECT_TRUE(world.warnings.empty()) << world.warnings[0];
}

// A speed that loses a share d in each step of h: v = v0 (1 - d)^(t / h).
TEST_F(WorldFile, VelocityDecays) {
  Trial trial(makeWorld(load(model("m", linkOf("<velocity_decay><linear>0.01</linear><angular>0</angular>"
                                               "</velocity_decay>")))));
  trial.runSeconds(2);
  const double gain_equals_loss = -kGravity * 0.001 / 0.01;
  EXPECT_NEAR(trial.world().body(0).linearVelocity().z, gain_equals_loss, 0.02);
}

TEST_F(WorldFile, BallUniversalAndFixedJointsHold) {
  for (const std::string type : {"ball", "universal", "revolute2", "fixed"}) {
    const std::string axes = type == "universal" || type == "revolute2"
                                 ? axisOf("1 0 0") + "<axis2><xyz>0 1 0</xyz></axis2>"
                                 : std::string();
    Trial trial(
        makeWorld(load(model("m", linkOf("<pose>1 0 0 0 0 0</pose>") + "<joint name='j' type='" + type +
                                      "'><pose>-1 0 0 0 0 0</pose><parent>world</parent>"
                                      "<child>link</child>" +
                                      axes + "</joint>"))));
    trial.runSeconds(0.5);
    const Vec3 at = trial.world().body(0).centreOfMass();
    EXPECT_NEAR(length(at), 1, 1e-2) << type;
    EXPECT_EQ(at.z < -0.5, type != "fixed") << type << " " << at.z;
  }
}

TEST_F(WorldFile, LinksOfAModelPassThroughEachOtherUnlessToldNotTo) {
  for (const bool self_collide : {false, true}) {
    const std::string two =
        linkOf(collision(kSphere), "a") + linkOf("<pose>0.5 0 0 0 0 0</pose>" + collision(kSphere), "b");
    const std::string flag = self_collide ? "<self_collide>1</self_collide>" : "";
    Trial trial(makeWorld(load(model("m", flag + two))));
    trial.run(1);
    EXPECT_EQ(trial.world().contacts().empty(), !self_collide);
    // What a link says comes before what its model says, and one of two suffices.
    const std::string own = "<self_collide>1</self_collide>";
    const std::string one = linkOf(own + collision(kSphere), "a") +
                            linkOf("<pose>0.5 0 0 0 0 0</pose>" + collision(kSphere), "b");
    Trial by_link(makeWorld(load(model("m", flag + one))));
    by_link.run(1);
    EXPECT_FALSE(by_link.world().contacts().empty());
  }
}

TEST_F(WorldFile, WhatIsNotSupportedIsListedOnceByElement) {
  const WorldDescription world =
      load("<light name='l' type='point'/><plugin name='p' filename='q'/>" + groundWith("") +
           model("m", linkOf(collision(kSphere) + "<sensor name='s' type='contact'/>", "a") +
                          linkOf("<sensor name='s' type='contact'/>", "b") +
                          "<joint name='j' type='screw'><parent>a</parent><child>b</child>" +
                          axisOf("0 0 1") + "</joint><joint name='k' type='screw'><parent>a</parent>" +
                          "<child>b</child>" + axisOf("0 0 1") + "</joint>"));
  EXPECT_TRUE(warnsOf(world, "<light> in <world>"));
  EXPECT_TRUE(warnsOf(world, "<plugin> in <world>"));
  EXPECT_TRUE(warnsOf(world, "<sensor> in <link> is not supported and left out (2 times)"));
  EXPECT_TRUE(warnsOf(world, "screw"));
  EXPECT_TRUE(warnsOf(world, "'m::j' and 1 more"));
  EXPECT_TRUE(world.joints.empty());
  EXPECT_EQ(load(groundWith("")).warnings.size(), 0U);
}

// Each element with a value of its own: none may vanish without a word.
TEST_F(WorldFile, NoElementIsDroppedInSilence) {
  const struct {
    std::string content;
    const char* said;
  } cases[] = {
      {"<physics type='ode'><ode><solver><precon_iters>3</precon_iters></solver></ode></physics>",
       "<precon_iters> in <solver>"},
      {"<physics type='ode'><ode><solver><min_step_size>3</min_step_size></solver></ode></physics>",
       "<min_step_size> in <solver>"},
      {"<physics type='ode'><bullet><solver><iters>3</iters></solver></bullet></physics>",
       "<bullet> in <physics>"},
      {"<physics type='bullet'></physics>", "engine 'bullet'"},
      {"<wind><linear_velocity>1 0 0</linear_velocity></wind>", "<wind> in <world>"},
      {groundWith("<contact><ode><soft_cfm>0.1</soft_cfm></ode></contact>"),
       "<soft_cfm> in <ode> in <contact>"},
      {groundWith("<contact><poissons_ratio>0.1</poissons_ratio></contact>"),
       "<poissons_ratio> in <contact>"},
      {groundWith("<friction><torsional><coefficient>1</coefficient></torsional></friction>"),
       "<torsional> in <friction>"},
      {groundWith("<friction><bullet><friction>1</friction></bullet></friction>"), "<bullet> in <friction>"},
      {groundWith("<soft_contact><dart><stiffness>9</stiffness></dart></soft_contact>"),
       "<soft_contact> in <surface>"},
      {model("m", linkOf("<kinematic>1</kinematic>")), "<kinematic> in <link>"},
      {model("m", linkOf("<enable_wind>1</enable_wind>")), "<enable_wind> in <link>"},
      {model("m", linkOf("") + joint("revolute", axisOf("0 1 0", "<limit><stiffness>9</stiffness></limit>"))),
       "<stiffness> in <limit>"},
      {model("m",
             linkOf("") + joint("revolute",
                                axisOf("0 1 0") + "<physics><ode><max_force>9</max_force></ode></physics>")),
       "<max_force> in <ode> in <physics>"},
      {model("m", linkOf("") + joint("revolute", axisOf("0 1 0") + "<physics><simbody/></physics>")),
       "<simbody> in <physics> in <joint>"},
      {model("m", linkOf("") + joint("universal",
                                     axisOf("1 0 0", springOf(5, 0, 0)) + "<axis2><xyz>0 1 0</xyz></axis2>")),
       "springs of joints with two axes"},
      {model("m", linkOf("") + joint("revolute2", axisOf("1 0 0") + "<axis2><xyz>1 1 0</xyz></axis2>")),
       "not at right angles"},
      {model("m", linkOf(collision("<polyline><point>0 0</point><point>1 0</point><point>0 1</point>"
                                   "<height>1</height></polyline>"))),
       "<polyline> in <geometry>"},
      {model("m", linkOf(collision(kPlane))), "planes and heightmaps of models that move"},
      {"<invented>1</invented>", "<invented> in <world>"},
      {model("m", linkOf(collision("<sphere><radius>1</radius><invented>1</invented></sphere>"))),
       "<invented> in <sphere>"},
      {model("m", linkOf("") + joint("revolute", axisOf("0 1 0", "<mimic joint='k'/>"))),
       "<mimic> in <axis>"},
  };
  for (const auto& c : cases) {
    const WorldDescription world = load(c.content + model("ball", linkOf(collision(kSphere))));
    EXPECT_TRUE(warnsOf(world, c.said)) << c.said << "\n"
                                        << (world.warnings.empty() ? "-" : world.warnings[0]);
    EXPECT_EQ(world.warnings.size(), 1U) << c.said;
  }
}

const std::string kTwoObjects =
    "o near\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    "o far\nv 10 0 0\nv 12 0 0\nv 10 2 0\nv 10 0 2\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";

TEST_F(WorldFile, MeshesAreFoundScaledAndPicked) {
  static_cast<void>(write(kTwoObjects, "shelf/part/meshes/two.obj"));
  const auto meshModel = [](const std::string& uri, const std::string& more) {
    return groundWith("") + model("m", linkOf(collision("<mesh><uri>" + uri + "</uri>" + more + "</mesh>")));
  };
  const auto reach = [&](const std::string& uri, const std::string& more, const WorldFileOptions& options) {
    return makeWorld(load(meshModel(uri, more), options))->body(1).support({1, 0, 0});
  };
  WorldFileOptions shelf;
  shelf.model_path = {folder_.path() / "shelf"};
  EXPECT_NEAR(reach("shelf/part/meshes/two.obj", "", {}), 12, 1e-5);
  EXPECT_NEAR(reach("model://part/meshes/two.obj", "", shelf), 12, 1e-5);
  EXPECT_NEAR(reach("model://part/meshes/two.obj", "<scale>0.5 1 1</scale>", shelf), 6, 1e-5);
  EXPECT_NEAR(reach("model://part/meshes/two.obj", "<submesh><name>near</name></submesh>", shelf), 1, 1e-5);
  EXPECT_NEAR(
      reach("model://part/meshes/two.obj", "<submesh><name>far</name><center>1</center></submesh>", shelf), 1,
      1e-5);
  EXPECT_NEAR(reach("model://part/meshes/two.obj", "<scale>-1 1 1</scale>", shelf), 0, 1e-5);
  expectRefused(meshModel("model://part/meshes/two.obj", ""), "--model-path");
  for (const char* scale : {"0 1 1", "1 0 1", "1 1 0"})
    expectRefused(meshModel("shelf/part/meshes/two.obj", "<scale>" + std::string(scale) + "</scale>"),
                  std::string("is ") + scale + ", which leaves no volume");
  expectRefused(meshModel("shelf/part/meshes/two.obj", "<submesh><name>middle</name></submesh>"),
                "'near', 'far'");
}

TEST_F(WorldFile, ModelsAreIncluded) {
  static_cast<void>(
      write("<?xml version='1.0'?><model><name>ball</name><sdf version='1.7'>model.sdf</sdf></model>",
            "shelf/ball/model.config"));
  static_cast<void>(
      write("<?xml version='1.0'?><sdf version='1.7'>" + model("ball", linkOf(collision(kSphere))) + "</sdf>",
            "shelf/ball/model.sdf"));
  WorldFileOptions shelf;
  shelf.model_path = {folder_.path() / "shelf"};
  const WorldDescription world =
      load("<include><uri>model://ball</uri><name>one</name><pose>0 0 4 0 0 0</pose></include>", shelf);
  expectNear(bodyNamed(world, "one::link").pose.translation, {0, 0, 4});
  expectRefused("<include><uri>model://ball</uri></include>", "ball");
}

TEST_F(WorldFile, ModelsThatIncludeThemselvesAreRefused) {
  const std::string head = "<sdf version='1.9'>";
  const std::string include = "<include><uri>model://m</uri></include>";
  static_cast<void>(write("<model><name>m</name><sdf version='1.9'>m.sdf</sdf></model>", "m/model.config"));
  static_cast<void>(write(head + "<model name='m'>" + include + "<link name='l'/></model></sdf>", "m/m.sdf"));
  const fs::path file = write(head + "<world name='w'>" + include + "</world></sdf>");
  WorldFileOptions options;
  options.max_includes = 20;
  try {
    static_cast<void>(loadWorldFile(file, options));
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("test.sdf: includes more than 20 models"), std::string::npos)
        << error.what();
  }
}

TEST_F(WorldFile, WhatLibsdformatThrowsNamesTheFile) {
  const fs::path file = write("<sdf version='" + std::string(100, '9') + "'><model name='m'/></sdf>");
  try {
    static_cast<void>(loadWorldFile(file));
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("test.sdf: can't be read (libsdformat failed"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(WorldFile, ElementsWithinElementsDoNotUseUpTheStack) {
  constexpr int kDepth = 300'000;
  std::string deep;
  for (int i = 0; i < kDepth; ++i) deep += "<a>";
  for (int i = 0; i < kDepth; ++i) deep += "</a>";
  EXPECT_THROW(static_cast<void>(load(deep)), InputError);
  const std::string robot = "<robot name='r'><link name='base'>" + deep + "</link></robot>";
  EXPECT_THROW(static_cast<void>(loadWorldFile(write(robot, "r.urdf"))), InputError);
}

TEST_F(WorldFile, BadXmlIsRefusedWithItsLine) {
  try {
    static_cast<void>(
        loadWorldFile(write("<sdf version='1.7'>\n<world name='w'>\n</wrld></sdf>", "bad.sdf")));
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("bad.sdf: is not well-formed XML"), std::string::npos) << what;
    EXPECT_NE(what.find("line 3"), std::string::npos) << what;
  }
}

TEST_F(WorldFile, ValuesThatAreNoNumbersAreNamed) {
  expectRefused(model("a", "<link name='l'><inertial><mass>heavy</mass></inertial></link>"),
                "[heavy ] for key[mass]");
  expectRefused(model("a", "<pose>nan 0 1 0 0 0</pose>" + linkOf("")), "Pose values must be finite");
}

// A fixed fault: libsdformat took its own file of that name, unless there was a folder before it.
TEST_F(WorldFile, NamesOfLibsdformatsOwnFilesAreThoseOfTheUser) {
  const fs::path before = fs::current_path();
  for (const std::string name : {"world.sdf", "model.sdf", "joint.sdf"}) {
    const fs::path file =
        write("<sdf version='1.7'><world name='w'>" + groundWith("") + "</world></sdf>", name);
    fs::current_path(file.parent_path());
    EXPECT_NO_THROW(EXPECT_EQ(loadWorldFile(name).bodies.size(), 1U)) << name;
    fs::current_path(before);
  }
}

TEST_F(WorldFile, BadFilesGetNamedErrors) {
  EXPECT_THROW(static_cast<void>(loadWorldFile(folder_.path() / "missing.sdf")), InputError);
  EXPECT_THROW(static_cast<void>(loadWorldFile(write("not xml", "bad.sdf"))), InputError);
  EXPECT_THROW(static_cast<void>(loadWorldFile(write("", "empty.world"))), InputError);
  EXPECT_THROW(static_cast<void>(loadWorldFile(write("<sdf version='1.7'></sdf>", "hollow.sdf"))),
               InputError);
  expectRefused("", "nothing in it");
  expectRefused(model("m", linkOf(collision("<mesh><uri>missing.stl</uri></mesh>"))), "missing.stl");
  expectRefused(model("m", linkOf(collision(kSphere)) + "<joint name='j' type='fixed'><parent>no</parent>"
                                                        "<child>link</child></joint>"),
                "no");
  expectRefused(model("m", linkOf("<pose relative_to='nowhere'>0 0 0 0 0 0</pose>" + collision(kSphere))),
                "nowhere");
  expectRefused(groundWith("<friction><ode><mu>-1</mu></ode></friction>"), "mu");
}

void expectStands(const fs::path& file, double seconds) {
  Trial trial(makeWorld(loadWorldFile(file)));
  trial.runSeconds(1);  // they fall onto each other
  trial.mark();
  trial.runSeconds(seconds);
  EXPECT_TRUE(met(isAtRest(trial)));
  EXPECT_TRUE(met(stands(trial, 0.01)));
}

TEST_F(WorldFile, AStackOfGearsStands) {
  expectStands(fs::path(ODEMESH_EXAMPLE_MESHES) / ".." / "worlds" / "gear_stack.sdf", 1);
}

// gazebo-classic issue 3335: parts of 1 kg, let fall onto each other 0.3 m apart. Under ODE's own collider
// they sink into each other and are thrown about.
TEST_F(WorldFile, TheStackOfGazeboIssue3335Stands) {
  const fs::path part =
      fs::path(ODEMESH_EXAMPLE_MESHES) / ".." / ".." / ".." / "shared" / "meshes" / "gazebo-3335.stl";
  if (!fs::exists(part)) GTEST_SKIP() << "the part is not here";
  std::string models = groundWith("");
  for (int i = 0; i < 3; ++i)
    models +=
        model("part_" + std::to_string(i),
              "<pose>0 0 " + std::to_string(0.15 + 0.3 * i) +
                  " 0 0 0</pose><link name='link'><inertial><mass>1</mass><inertia><ixx>0.026</ixx>"
                  "<iyy>0.0085</iyy><izz>0.024</izz></inertia></inertial>" +
                  collision("<mesh><uri>" + fs::canonical(part).string() + "</uri></mesh>") + "</link>");
  static_cast<void>(load(models));
  expectStands(folder_.path() / "test.sdf", 1);
}

}  // namespace
}  // namespace odemesh::sim
