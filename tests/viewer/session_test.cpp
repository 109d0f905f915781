#include "viewer/session.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <odemesh/sim/recording.hpp>
#include <odemesh/sim/world_file.hpp>

#include "viewer_scenes.hpp"

namespace odemesh::viewer {
namespace {

std::uint64_t hashAfter(sim::Collider collider, int steps) {
  sim::SceneRun run = fallingBox(collider);
  for (int i = 0; i < steps; ++i) run.step();
  return run.world->stateHash();
}

TEST(Session, BothWorldsGoInStepAndAsTheyWouldAlone) {
  Session session(fallingBox, sim::Collider::kOde, true);
  ASSERT_TRUE(session.isSideBySide());
  for (int i = 0; i < 150; ++i) session.step();
  EXPECT_EQ(session.sides()[0].collider, sim::Collider::kOdemesh);
  EXPECT_EQ(session.sides()[1].collider, sim::Collider::kOde);
  for (const Side& side : session.sides()) {
    EXPECT_EQ(side.world().metrics().step, 150U);
    EXPECT_EQ(side.world().stateHash(), hashAfter(side.collider, 150));
  }
  session.setSideBySide(false);
  EXPECT_EQ(session.sides().size(), 1U);
  EXPECT_EQ(session.sides()[0].collider, sim::Collider::kOde);
}

TEST(Session, ResetGoesBackToTheStart) {
  Session session(fallingBox, sim::Collider::kOdemesh, false);
  const std::uint64_t start = session.sides()[0].world().stateHash();
  session.spawn();
  for (int i = 0; i < 10; ++i) session.step();
  EXPECT_NE(session.sides()[0].world().stateHash(), start);
  session.reset();
  EXPECT_EQ(session.sides()[0].world().stateHash(), start);
  EXPECT_EQ(session.time(), 0);
}

TEST(Session, TheColliderChangesWithTheBodiesWhereTheyAre) {
  Session session(fallingBox, sim::Collider::kOdemesh, false);
  for (int i = 0; i < 20; ++i) session.step();
  const std::uint64_t before = session.sides()[0].world().stateHash();
  session.setCollider(sim::Collider::kOde);
  EXPECT_EQ(session.sides()[0].world().stateHash(), before);
  EXPECT_EQ(session.sides()[0].world().settings().collider, sim::Collider::kOde);
  session.step();
  EXPECT_EQ(session.sides()[0].world().metrics().step, 21U);
}

TEST(Session, SpawnsAboveWhatIsThereInEveryWorld) {
  Session session(fallingBox, sim::Collider::kOdemesh, true);
  session.spawn();
  session.spawn();
  for (const Side& side : session.sides()) {
    const sim::World& world = side.world();
    ASSERT_EQ(world.bodyCount(), 4U);
    EXPECT_GE(-world.body(2).support({0, 0, -1}), world.body(1).support({0, 0, 1}));
    EXPECT_GE(-world.body(3).support({0, 0, -1}), world.body(2).support({0, 0, 1}));
    EXPECT_NEAR(world.body(2).inertial().mass, world.body(1).inertial().mass, 1e-9);
  }
  EXPECT_EQ(session.sides()[0].world().stateHash(), session.sides()[1].world().stateHash());
}

TEST(Session, ThrowsAlongTheRay) {
  Session session(fallingBox, sim::Collider::kOdemesh, false);
  const Vec3 direction = normalised({1, 2, -0.5});
  session.throwAlong({{-10, -10, 5}, direction});
  const sim::Body& body = session.sides()[0].world().body(2);
  const Vec3 velocity = body.linearVelocity();
  EXPECT_GT(length(velocity), 1);
  EXPECT_NEAR(dot(velocity, direction), length(velocity), 1e-9);
  EXPECT_NEAR(length(cross(body.centreOfMass() - Vec3{-10, -10, 5}, direction)), 0, 1e-9);
}

TEST(Session, WhereNothingMovesThereIsNothingToSpawn) {
  const auto empty = [](sim::Collider) {
    sim::SceneRun run;
    run.world = std::make_unique<sim::World>();
    return run;
  };
  Session session(empty, sim::Collider::kOdemesh, false);
  session.spawn();
  session.throwAlong({{0, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(session.sides()[0].world().bodyCount(), 0U);
  ASSERT_EQ(session.log().size(), 2U);
  EXPECT_EQ(session.log()[0].kind, LogLine::Kind::kError);
}

// A folder of its own for each test.
class DroppedFile : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("odemesh-drop-" + std::string(info->name()) + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
};

TEST_F(DroppedFile, FallsIntoEveryWorldAndIsWhatIsSpawnedNext) {
  Session session(fallingBox, sim::Collider::kOdemesh, true);
  session.drop(ODEMESH_EXAMPLE_MESHES "/spot.obj");
  session.spawn();
  for (const Side& side : session.sides()) {
    ASSERT_EQ(side.world().bodyCount(), 4U);
    for (const std::size_t body : {2U, 3U})
      EXPECT_EQ(sim::triangleCount(side.world().body(body).parts()[0].geometry), 5856U);
  }
  ASSERT_FALSE(session.log().empty());
  EXPECT_EQ(session.log()[0].kind, LogLine::Kind::kNote);
  EXPECT_NE(session.log()[0].text.find("spot.obj: 5856 triangles"), std::string::npos);
  const double start = session.sides()[0].world().body(2).centreOfMass().z;
  for (int i = 0; i < 24; ++i) session.step();
  EXPECT_LT(session.sides()[0].world().body(2).centreOfMass().z, start - 0.01);
}

TEST_F(DroppedFile, ThatIsBrokenIsNamedAndChangesNothing) {
  const struct {
    std::string file;
    const char* said;
  } cases[] = {
      {write("empty.stl", ""), "empty.stl"},
      {write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"), "nan.obj"},
      {write("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n"), "range.obj"},
      {write("notes.txt", "no mesh\n"), "notes.txt"},
      {write("cut.glb", std::string("glTF\2\0\0\0", 8)), "cut.glb"},
      {"/no/such/file.ply", "file.ply"},
      {folder_.string(), "odemesh-drop-"},
      {write("huge.obj", "v 0 0 0\nv 9000 0 0\nv 0 9000 0\nv 0 0 9000\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"),
       "--scale"},
  };
  Session session(fallingBox, sim::Collider::kOdemesh, true);
  const std::uint64_t before = session.sides()[0].world().stateHash();
  std::size_t lines = 0;
  for (const auto& c : cases) {
    session.drop(c.file);
    ASSERT_EQ(session.log().size(), ++lines) << c.file;
    EXPECT_EQ(session.log().back().kind, LogLine::Kind::kError);
    EXPECT_NE(session.log().back().text.find(c.said), std::string::npos) << session.log().back().text;
    for (const Side& side : session.sides()) {
      EXPECT_EQ(side.world().bodyCount(), 2U);
      EXPECT_EQ(side.world().stateHash(), before);
    }
  }
  session.spawn();  // still the scene's own body
  EXPECT_EQ(sim::triangleCount(session.sides()[0].world().body(2).parts()[0].geometry), 12U);
}

const std::string kWorld =
    "<?xml version='1.0'?><sdf version='1.7'><world name='w'><gravity>0 0 -1.5</gravity>"
    "<model name='ground'><static>1</static><link name='l'><collision name='c'><geometry><plane/></geometry>"
    "</collision></link></model>"
    "<model name='ball'><pose>0 0 3 0 0 0</pose><link name='l'><collision name='c'><geometry><sphere>"
    "<radius>0.5</radius></sphere></geometry></collision></link></model></world></sdf>";

TEST_F(DroppedFile, AWorldTakesThePlaceOfTheScene) {
  if (!sim::canLoadWorldFiles()) GTEST_SKIP() << "built without libsdformat";
  Session session(fallingBox, sim::Collider::kOdemesh, true);
  for (int i = 0; i < 5; ++i) session.step();
  ASSERT_TRUE(session.drop(write("w.sdf", kWorld))) << session.log().back().text;
  ASSERT_TRUE(session.isSideBySide());
  EXPECT_EQ(session.time(), 0);
  for (const Side& side : session.sides()) {
    EXPECT_EQ(side.world().settings().collider, side.collider);
    EXPECT_EQ(side.world().settings().gravity.z, -1.5);
    ASSERT_EQ(side.world().bodyCount(), 2U);
    EXPECT_EQ(side.world().body(1).name(), "ball::l");
  }
  EXPECT_NEAR(session.extent().centre.z, 3, 1e-9);
  EXPECT_NE(session.log()[0].text.find("w.sdf: 2 bodies"), std::string::npos);
  EXPECT_NE(session.log()[1].text.find("<inertial>"), std::string::npos);
  session.spawn();
  EXPECT_EQ(session.sides()[0].world().body(2).parts()[0].geometry.index(),
            sim::Geometry(sim::SphereGeometry{}).index());
  session.reset();
  EXPECT_EQ(session.sides()[1].world().bodyCount(), 2U);
}

TEST_F(DroppedFile, ABrokenWorldOrRecordingIsNamedAndChangesNothing) {
  if (!sim::canLoadWorldFiles()) GTEST_SKIP() << "built without libsdformat";
  Session session(fallingBox, sim::Collider::kOdemesh, false);
  const std::uint64_t before = session.sides()[0].world().stateHash();
  std::size_t lines = 0;
  for (const std::string& file :
       {write("cut.sdf", kWorld.substr(0, 200)), write("empty.world", ""), std::string("/no/such/arm.urdf"),
        write("bad.sdf", std::string(kWorld).replace(kWorld.find("0.5"), 3, "-1")),
        write("cut.glb", std::string("glTF\2\0\0\0", 8))}) {
    EXPECT_FALSE(session.drop(file));
    ASSERT_EQ(session.log().size(), ++lines) << file;
    EXPECT_EQ(session.log().back().kind, LogLine::Kind::kError);
    EXPECT_NE(session.log().back().text.find(std::filesystem::path(file).filename()), std::string::npos)
        << session.log().back().text;
    EXPECT_EQ(session.sides()[0].world().stateHash(), before);
  }
}

// Half a second of the falling box, at 30 frames a second.
std::string recordedFall(const std::filesystem::path& folder) {
  const sim::SceneRun run = fallingBox(sim::Collider::kOdemesh);
  sim::Recording recording(*run.world);
  recording.note("hash", "0");
  for (int i = 0; i < 120; ++i) {
    run.world->step();
    recording.add();
  }
  recording.save(folder / "fall.glb");
  return folder / "fall.glb";
}

TEST_F(DroppedFile, ARecordingIsPlayed) {
  if (!sim::canSaveRecordings()) GTEST_SKIP() << "built without tinygltf";
  const std::string file = recordedFall(folder_);
  Session session(fallingBox, sim::Collider::kOde, true);
  ASSERT_TRUE(session.drop(file)) << session.log().back().text;
  ASSERT_TRUE(session.isPlaying());
  ASSERT_EQ(session.sides().size(), 1U);
  EXPECT_NEAR(session.duration(), 0.5, 1e-6);
  const sim::World& world = session.sides()[0].world();
  const auto height = [&] { return world.body(1).centreOfMass().z; };
  EXPECT_NEAR(height(), 1.5, 1e-6);
  session.singleStep();
  EXPECT_NEAR(session.time(), 1.0 / 30, 1e-6);
  for (int i = 0; i < 64; ++i) session.step();
  EXPECT_NEAR(session.time(), 0.3, 1e-6);
  EXPECT_NEAR(height(), 1.5 - 0.5 * 9.81 * 0.09, 2e-2);  // falls
  const double there = height();
  session.seek(99);
  EXPECT_EQ(session.time(), session.duration());
  session.singleStep();
  EXPECT_EQ(session.time(), session.duration());
  session.seek(0.3);
  EXPECT_NEAR(height(), there, 1e-6);
  session.reset();
  EXPECT_NEAR(height(), 1.5, 1e-6);
  // What is not a simulation can't be meddled with.
  const std::size_t lines = session.log().size();
  session.spawn();
  session.drop("shape:box");
  EXPECT_EQ(session.log().size(), lines + 2);
  session.setSideBySide(true);
  session.setCollider(sim::Collider::kOdemesh);
  EXPECT_EQ(session.sides().size(), 1U);
  EXPECT_EQ(world.bodyCount(), 2U);
}

TEST_F(DroppedFile, OfAnotherSizeByFarIsTakenWithAWarning) {
  Session session(fallingBox, sim::Collider::kOdemesh, false);
  session.drop(write("tiny.obj",
                     "v 0 0 0\nv 0.003 0 0\nv 0 0.003 0\nv 0 0 0.003\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"));
  EXPECT_EQ(session.sides()[0].world().bodyCount(), 3U);
  ASSERT_EQ(session.log().size(), 2U) << session.log().back().text;
  EXPECT_EQ(session.log()[1].kind, LogLine::Kind::kWarning);
  EXPECT_NE(session.log()[1].text.find("--scale"), std::string::npos);
}

}  // namespace
}  // namespace odemesh::viewer
