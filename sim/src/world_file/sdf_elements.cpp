#include "sdf_elements.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "urdf_elements.hpp"

namespace odemesh::sim {
namespace {

struct Level {
  std::string_view path;               ///< of an element, or the end of it
  std::vector<std::string_view> used;  ///< its children that a world uses, or that say nothing about physics
};

// What sdf_world.cpp reads; of two paths that fit, the longer one counts. Elements that are not named on the
// left are not descended into.
const std::vector<Level>& levels() {
  static const std::vector<Level> kLevels = {
      {"sdf", {"world", "model"}},
      {"world",
       {"model", "physics", "gravity", "include", "frame", "magnetic_field", "atmosphere", "scene", "gui"}},
      {"model",
       {"pose", "static", "self_collide", "allow_auto_disable", "link", "joint", "frame", "model",
        "include"}},
      {"link",
       {"pose", "inertial", "collision", "visual", "gravity", "self_collide", "must_be_base_link",
        "velocity_decay"}},
      {"inertial", {"pose", "mass", "inertia"}},
      {"inertia", {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}},
      {"velocity_decay", {"linear", "angular"}},
      {"collision", {"pose", "geometry", "surface"}},
      {"geometry",
       {"mesh", "box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "heightmap", "empty"}},
      {"box", {"size"}},
      {"sphere", {"radius"}},
      {"cylinder", {"radius", "length"}},
      {"capsule", {"radius", "length"}},
      {"ellipsoid", {"radii"}},
      {"plane", {"normal", "size"}},
      {"mesh", {"uri", "scale", "submesh"}},
      {"submesh", {"name", "center"}},
      {"heightmap", {"uri", "size", "pos", "texture", "blend", "use_terrain_paging"}},
      {"surface", {"bounce", "friction", "contact"}},
      {"bounce", {"restitution_coefficient", "threshold"}},
      {"friction", {"ode"}},
      {"friction/ode", {"mu", "mu2", "fdir1", "slip1", "slip2"}},
      {"surface/contact", {"ode", "collide_bitmask"}},
      {"contact/ode", {"kp", "kd", "max_vel", "min_depth"}},
      {"joint", {"pose", "parent", "child", "axis", "axis2", "physics"}},
      {"joint/physics", {"ode"}},
      {"joint/physics/ode", {"limit", "provide_feedback"}},
      {"ode/limit", {"cfm", "erp"}},
      {"axis", {"xyz", "limit", "dynamics"}},
      {"axis2", {"xyz", "limit", "dynamics"}},
      {"limit", {"lower", "upper", "effort", "velocity"}},
      {"dynamics", {"damping", "friction", "spring_reference", "spring_stiffness"}},
      {"physics", {"max_step_size", "real_time_factor", "real_time_update_rate", "max_contacts", "ode"}},
      {"physics/ode", {"max_contacts", "solver", "constraints"}},
      {"ode/solver", {"type", "iters", "sor"}},
      {"ode/constraints", {"cfm", "erp", "contact_max_correcting_vel", "contact_surface_layer"}},
  };
  return kLevels;
}

// "sdf/world/model" ends with "model" and with "world/model", but not with "del".
bool endsWith(std::string_view path, std::string_view end) {
  return path == end ||
         (path.size() > end.size() && path.ends_with(end) && path[path.size() - end.size() - 1] == '/');
}

// The one with the longest path that fits.
const Level* levelOf(const std::string& path) {
  const Level* best = nullptr;
  for (const Level& level : levels())
    if (endsWith(path, level.path) && (best == nullptr || level.path.size() > best->path.size()))
      best = &level;
  return best;
}

// Within what else it is: elements such as <ode> are in several.
std::string placeOf(const std::string& path) {
  std::string_view rest = path;
  std::string out;
  for (int i = 0; i < 2 && !rest.empty(); ++i) {
    const std::size_t slash = rest.find_last_of('/');
    const std::string_view name = slash == std::string_view::npos ? rest : rest.substr(slash + 1);
    out += " in <" + std::string(name) + ">";
    if (name != "ode" && name != "limit" && name != "physics" && name != "solver") break;
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
  }
  return out;
}

void count(const sdf::ElementPtr& element, const std::string& path, std::map<std::string, int>& out) {
  const Level* level = levelOf(path);
  if (level == nullptr) return;
  for (sdf::ElementPtr child = element->GetFirstElement(); child; child = child->GetNextElement()) {
    const std::string name = child->GetName();
    const bool used = std::find(level->used.begin(), level->used.end(), name) != level->used.end();
    if (used) {
      count(child, path + "/" + name, out);
    } else if (child->GetExplicitlySetInFile()) {
      ++out["<" + name + ">" + placeOf(path)];
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
  if (root) count(root, root->GetName(), counts);
  return leftOutTexts(file, counts);
}

}  // namespace odemesh::sim
