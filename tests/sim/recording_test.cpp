// Recordings, read back by Assimp.
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <fstream>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/recorded_motion.hpp>
#include <odemesh/sim/recording.hpp>
#include <odemesh/sim/trial.hpp>

#include "sim/mesh_files.hpp"

namespace odemesh::sim {
namespace {

constexpr unsigned kDynamic = 3;
constexpr unsigned kFrames = 31;  // of one second at 30 a second, with both ends

class RecordedRun : public testing::Test {
 protected:
  void SetUp() override {
    if (!canSaveRecordings()) GTEST_SKIP() << "built without tinygltf";
    trial_.addGround(10);
    for (unsigned i = 0; i < kDynamic; ++i) trial_.addMesh("shape:torus", {0, 0, 1.0 + i});
    BodySpec ball;
    ball.name = "ball";
    ball.parts.push_back({SphereGeometry{0.25}});
    ball.pose.translation = {3, 0, 2};
    ball.angular_velocity = {0, 0, 2};
    trial_.world().addBody(ball);
    Recording recording(trial_.world());
    for (int step = 0; step < 240; ++step) {
      trial_.world().step();
      recording.add();
    }
    EXPECT_EQ(recording.frameCount(), kFrames);
    recording.note("hash", "12ab");
    file_ = folder_.path() / "run.glb";
    recording.save(file_);
  }

  Trial trial_;
  test::TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_F(RecordedRun, AssimpFindsItsNodesMeshesAndFrames) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(file_.string(), 0);
  ASSERT_NE(scene, nullptr) << importer.GetErrorString();
  EXPECT_EQ(scene->mRootNode->mNumChildren, trial_.world().bodyCount());
  EXPECT_EQ(scene->mNumMeshes, 3U);  // ground, torus, ball: equal meshes are stored once
  ASSERT_EQ(scene->mNumAnimations, 1U);
  const aiAnimation& animation = *scene->mAnimations[0];
  ASSERT_EQ(animation.mNumChannels, kDynamic + 1);
  for (unsigned i = 0; i < animation.mNumChannels; ++i) {
    EXPECT_EQ(animation.mChannels[i]->mNumPositionKeys, kFrames);
    EXPECT_EQ(animation.mChannels[i]->mNumRotationKeys, kFrames);
  }
}

// z of the world is y in glTF; below the root node everything is as in the world.
TEST_F(RecordedRun, TheLastFrameIsWhereTheBodiesAre) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(file_.string(), 0);
  ASSERT_NE(scene, nullptr) << importer.GetErrorString();
  const Body& ball = trial_.world().body(kDynamic + 1);
  const aiAnimation& animation = *scene->mAnimations[0];
  const aiNodeAnim* channel = nullptr;
  for (unsigned i = 0; i < animation.mNumChannels; ++i)
    if (animation.mChannels[i]->mNodeName == aiString("ball")) channel = animation.mChannels[i];
  ASSERT_NE(channel, nullptr);
  const aiVector3D at = channel->mPositionKeys[kFrames - 1].mValue;
  EXPECT_NEAR(at.x, ball.pose().translation.x, 1e-5);
  EXPECT_NEAR(at.z, ball.pose().translation.z, 1e-5);
  // Turned by 2 rad about z in the one second, but for the moment when it touches the ground.
  const aiQuaternion turn = channel->mRotationKeys[kFrames - 1].mValue;
  const Mat3 rotation = ball.pose().rotation;
  const aiMatrix3x3 read = turn.GetMatrix();
  EXPECT_NEAR(read.a1, rotation.row[0].x, 1e-5);
  EXPECT_NEAR(read.b1, rotation.row[1].x, 1e-5);
  EXPECT_NEAR(read.c3, rotation.row[2].z, 1e-5);
  const aiVector3D up = aiMatrix3x3(scene->mRootNode->mTransformation) * aiVector3D(0, 0, 1);
  EXPECT_NEAR(up.y, 1, 1e-6);
}

TEST_F(RecordedRun, NotesAreReadBack) {
  const auto notes = readRecordingNotes(file_);
  ASSERT_EQ(notes.count("hash"), 1U);
  EXPECT_EQ(notes.at("hash"), "12ab");
}

TEST_F(RecordedRun, ItsMotionIsReadBack) {
  EXPECT_TRUE(isRecording(file_));
  const RecordedMotion motion = readRecording(file_);
  const World& world = trial_.world();
  ASSERT_EQ(motion.bodies.size(), world.bodyCount());
  EXPECT_EQ(motion.times.size(), kFrames);
  EXPECT_NEAR(motion.duration(), 1, 1e-6);
  World shown;
  for (std::size_t i = 0; i < world.bodyCount(); ++i) {
    const Body& then = world.body(i);
    Body& now = shown.addBody(motion.bodies[i]);
    EXPECT_EQ(now.name(), then.name());
    EXPECT_EQ(now.isStatic(), then.isStatic());
    if (!now.isStatic()) now.setPose(motion.pose(i, 1));
    for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.6, 0, -0.8}})
      EXPECT_NEAR(now.support(direction), then.support(direction), 5e-3)
          << then.name();  // the ball has facets
  }
}

// From z = 2 down to where the ball touches after 0.6 s; between two frames the fall is nearly straight.
TEST_F(RecordedRun, BetweenFramesMotionIsInterpolated) {
  const RecordedMotion motion = readRecording(file_);
  const std::size_t ball = kDynamic + 1;
  for (const double t : {0.1, 0.25, 0.317, 0.5})
    EXPECT_NEAR(motion.pose(ball, t).translation.z, 2 - 0.5 * 9.81 * t * t, 0.02) << t;
  const Pose turned = motion.pose(ball, 0.4);
  EXPECT_NEAR(turned.rotation.row[0].x, std::cos(0.8), 1e-3);
  EXPECT_NEAR(turned.rotation.row[1].x, std::sin(0.8), 1e-3);
  EXPECT_EQ(motion.pose(ball, -1).translation, motion.pose(ball, 0).translation);
  EXPECT_EQ(motion.pose(ball, 99).translation, motion.pose(ball, 1).translation);
}

// Some flips change nothing that is read back; none may do harm.
TEST_F(RecordedRun, DamagedFilesAreRefusedOrReadToTheEnd) {
  std::ifstream in(file_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  int refused = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    std::string damaged = whole;
    const std::size_t at = i * 7919 % std::min<std::size_t>(whole.size(), 12000);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << i % 8));
    if (i % 10 == 0) damaged.resize(at);
    try {
      const RecordedMotion motion = readRecording(folder_.write("damaged.glb", damaged));
      World world;
      for (const BodySpec& body : motion.bodies) world.addBody(body);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 15);
}

/// The header, and one chunk of text.
[[nodiscard]] std::string glbOf(std::string json) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto word = [](std::size_t value) {
    std::string out;
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xFF);
    return out;
  };
  return "glTF" + word(2) + word(20 + json.size()) + word(json.size()) + "JSON" + json;
}

// A fixed bug: tinygltf 2.5 wrote where they pointed.
TEST_F(RecordedRun, NumbersThatPointNowhereAreRefused) {
  const std::string lists = R"("accessors": [{"bufferView": 1}, {}], "bufferViews": [{}])";
  for (const std::string& json :
       {R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 2}}]}], )" + lists + "}",
        R"({"meshes": [{"primitives": [{"attributes": {"POSITION": -1}}]}], )" + lists + "}",
        R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], )" + lists + "}",
        R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 1}}]}], )" + lists + "}",
        R"({"meshes": [{"primitives": [{"targets": [{"NORMAL": 1}]}]}], )" + lists + "}",
        std::string(
            R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors": {"a": {}}})"),
        R"({"images": [{"bufferView": 0}], )" + lists + "}"}) {
    std::string told;
    try {
      static_cast<void>(readRecording(folder_.write("odd.glb", glbOf(json))));
    } catch (const InputError& error) {
      told = error.what();
    }
    EXPECT_NE(told.find("is damaged"), std::string::npos) << json << ": " << told;
  }
}

TEST_F(RecordedRun, BadFilesAndRatesAreRefused) {
  EXPECT_THROW(Recording(trial_.world(), 0), InputError);
  EXPECT_THROW(Recording(trial_.world(), std::nan("")), InputError);
  EXPECT_THROW(Recording(trial_.world()).save(folder_.path() / "none" / "run.glb"), InputError);
  EXPECT_THROW(static_cast<void>(readRecordingNotes(folder_.path() / "missing.glb")), InputError);
  EXPECT_THROW(static_cast<void>(readRecordingNotes(folder_.write("bad.glb", "not a glb"))), InputError);
}

TEST_F(RecordedRun, IsCalledTruncatedWhereverItIsCutOff) {
  std::ifstream in(file_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  const auto refusal = [&](std::size_t size) -> std::string {
    try {
      static_cast<void>(readRecordingNotes(folder_.write("cut.glb", whole.substr(0, size))));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const std::size_t size : {std::size_t{10}, std::size_t{1000}, whole.size() - 1})
    EXPECT_NE(refusal(size).find("truncated"), std::string::npos) << refusal(size);
}

}  // namespace
}  // namespace odemesh::sim
