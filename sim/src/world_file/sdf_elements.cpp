#include "sdf_elements.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace odemesh::sim {
namespace {

struct Level {
  std::string_view element;
  std::vector<std::string_view> used;  ///< its children that a world uses, or that say nothing about physics
};

// What sdf_world.cpp reads. Elements that are not named on the left are not descended into.
const std::vector<Level>& levels() {
  static const std::vector<Level> kLevels = {
      {"sdf", {"world", "model"}},
      {"world",
       {"model", "physics", "gravity", "include", "frame", "magnetic_field", "atmosphere", "scene", "gui"}},
      {"model",
       {"pose", "static", "self_collide", "allow_auto_disable", "link", "joint", "frame", "model",
        "include"}},
      {"link", {"pose", "inertial", "collision", "visual", "gravity", "self_collide", "must_be_base_link"}},
      {"collision", {"pose", "geometry", "surface"}},
      {"geometry", {"mesh", "box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "empty"}},
      {"surface", {"bounce", "friction", "contact"}},
      {"friction", {"ode"}},
      {"contact", {"ode", "collide_bitmask"}},
      {"joint", {"pose", "parent", "child", "axis", "axis2"}},
      {"axis", {"xyz", "limit", "dynamics", "initial_position"}},
      {"axis2", {"xyz", "limit", "dynamics", "initial_position"}},
      {"limit", {"lower", "upper", "effort", "velocity"}},
      {"dynamics", {"damping", "friction"}},
      {"physics", {"max_step_size", "real_time_factor", "real_time_update_rate", "max_contacts", "ode"}},
  };
  return kLevels;
}

const Level* levelOf(const std::string& name) {
  const auto found = std::find_if(levels().begin(), levels().end(),
                                  [&](const Level& level) { return level.element == name; });
  return found == levels().end() ? nullptr : &*found;
}

void count(const sdf::ElementPtr& element, std::map<std::string, int>& out) {
  const Level* level = levelOf(element->GetName());
  if (level == nullptr) return;
  for (sdf::ElementPtr child = element->GetFirstElement(); child; child = child->GetNextElement()) {
    const std::string name = child->GetName();
    const bool used = std::find(level->used.begin(), level->used.end(), name) != level->used.end();
    if (used) {
      count(child, out);
    } else if (child->GetExplicitlySetInFile()) {
      ++out["<" + name + "> in <" + element->GetName() + ">"];
    }
  }
}

}  // namespace

sdf::ElementPtr descend(sdf::ElementPtr parent, std::initializer_list<const char*> path) {
  for (const char* name : path) {
    if (!parent || !parent->HasElement(name)) return nullptr;
    parent = parent->GetElement(name);
  }
  return parent;
}

std::vector<std::string> unusedElements(const std::string& file, const sdf::ElementPtr& root) {
  std::map<std::string, int> counts;
  if (root) count(root, counts);
  std::vector<std::string> out;
  for (const auto& [what, times] : counts)
    out.push_back(file + ": " + what + " is not supported and left out" +
                  (times > 1 ? " (" + std::to_string(times) + " times)" : ""));
  return out;
}

}  // namespace odemesh::sim
