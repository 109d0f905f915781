// World files for the tests, and what is asked of the worlds that come of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/world_file.hpp>
#include <stdexcept>
#include <string>

#include "sim/mesh_files.hpp"

namespace odemesh::sim {

namespace fs = std::filesystem;

class WorldFile : public testing::Test {
 protected:
  void SetUp() override {
    if (!canLoadWorldFiles()) GTEST_SKIP() << "built without libsdformat";
  }

  [[nodiscard]] fs::path write(const std::string& content, const std::string& name = "test.sdf") const {
    fs::create_directories((folder_.path() / name).parent_path());
    return folder_.write(name, content);
  }
  // The world with `content` in it.
  [[nodiscard]] WorldDescription load(const std::string& content,
                                      const WorldFileOptions& options = {}) const {
    const std::string head = "<?xml version='1.0'?><sdf version='1.7'><world name='test'>";
    return loadWorldFile(write(head + content + "</world></sdf>"), options);
  }
  void expectRefused(const std::string& content, const std::string& part) const {
    try {
      static_cast<void>(load(content));
      FAIL() << "was accepted; expected: " << part;
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(part), std::string::npos) << what;
      EXPECT_NE(what.find("test.sdf"), std::string::npos) << what;
    }
  }

  test::TemporaryFolder folder_;
};

inline std::string linkOf(const std::string& content, const std::string& name = "link") {
  return "<link name='" + name +
         "'><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></"
         "inertial>" +
         content + "</link>";
}

inline std::string collision(const std::string& geometry, const std::string& surface = "") {
  return "<collision name='c'><geometry>" + geometry + "</geometry>" +
         (surface.empty() ? "" : "<surface>" + surface + "</surface>") + "</collision>";
}

inline std::string model(const std::string& name, const std::string& content) {
  return "<model name='" + name + "'>" + content + "</model>";
}

inline const std::string kSphere = "<sphere><radius>0.5</radius></sphere>";
inline const std::string kPlane = "<plane><normal>0 0 1</normal></plane>";

inline std::string groundWith(const std::string& surface) {
  return model("ground", "<static>1</static>" + linkOf(collision(kPlane, surface)));
}

inline void expectNear(const Vec3& a, const Vec3& b, double tolerance = 1e-9) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

inline const BodySpec& bodyNamed(const WorldDescription& world, const std::string& name) {
  for (const BodySpec& body : world.bodies)
    if (body.name == name) return body;
  throw std::runtime_error("no body " + name);
}

inline bool warnsOf(const WorldDescription& world, const std::string& part) {
  return std::count_if(world.warnings.begin(), world.warnings.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; }) == 1;
}

}  // namespace odemesh::sim
