#include <algorithm>
#include <cctype>
#include <odemesh/sim/world_file.hpp>

namespace odemesh::sim {

std::unique_ptr<World> makeWorld(const WorldDescription& description) {
  auto world = std::make_unique<World>(description.settings);
  for (const BodySpec& body : description.bodies) world->addBody(body);
  for (const JointSpec& joint : description.joints) world->addJoint(joint);
  return world;
}

bool isWorldFile(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".sdf" || extension == ".world" || extension == ".urdf";
}

}  // namespace odemesh::sim
