#include "urdf_elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <odemesh/sim/input_error.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string_view>

namespace odemesh::sim {
namespace {

struct Level {
  std::string_view name;  ///< of an element
  std::vector<std::string_view>
      used;  ///< its children that are taken over, or that say nothing about physics
};

const std::vector<Level>& levels() {
  static const std::vector<Level> kLevels = {
      {"robot", {"link", "joint", "material", "gazebo"}},
      {"link", {"inertial", "collision", "visual"}},
      {"inertial", {"origin", "mass", "inertia"}},
      {"collision", {"origin", "geometry"}},
      {"geometry", {"box", "sphere", "cylinder", "mesh"}},
      {"joint", {"origin", "parent", "child", "axis", "limit", "dynamics"}},
  };
  return kLevels;
}

/// Attributes that are finite numbers with spaces between them.
struct Numbers {
  std::string_view element;
  const char* attribute;
  std::size_t count;
};
constexpr Numbers kNumbers[] = {
    {"origin", "xyz", 3},     {"origin", "rpy", 3},       {"box", "size", 3},
    {"sphere", "radius", 1},  {"cylinder", "radius", 1},  {"cylinder", "length", 1},
    {"mesh", "scale", 3},     {"mass", "value", 1},       {"inertia", "ixx", 1},
    {"inertia", "iyy", 1},    {"inertia", "izz", 1},      {"inertia", "ixy", 1},
    {"inertia", "ixz", 1},    {"inertia", "iyz", 1},      {"axis", "xyz", 3},
    {"limit", "lower", 1},    {"limit", "upper", 1},      {"limit", "effort", 1},
    {"limit", "velocity", 1}, {"dynamics", "damping", 1}, {"dynamics", "friction", 1},
};

bool areNumbers(const std::string& text, std::size_t count) {
  std::istringstream in(text);
  std::size_t found = 0;
  for (std::string word; in >> word; ++found) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end != '\0' || std::isnan(value)) return false;
  }
  return found == count;
}

class UrdfCheck {
 public:
  UrdfCheck(std::string file, pugi::xml_node robot) : file_(std::move(file)), robot_(robot) {
    for (const pugi::xml_node link : robot.children("link")) links_.emplace(nameOf(link), link);
    for (const pugi::xml_node joint : robot.children("joint"))
      joints_above_.emplace(joint.child("child").attribute("link").value(), joint);
    findMasses();
  }

  std::vector<std::string> run() {
    for (const pugi::xml_node child : robot_.children())
      if (isNamed(child, "link") || isNamed(child, "joint")) requireReadable(child, child);
    count(robot_);
    std::vector<std::string> out = leftOutTexts(file_, counts_);
    if (const std::string text = massless(); !text.empty()) out.push_back(file_ + ": " + text);
    return out;
  }

 private:
  static bool isNamed(const pugi::xml_node& node, std::string_view name) { return node.name() == name; }
  static std::string nameOf(const pugi::xml_node& node) { return node.attribute("name").value(); }

  void requireReadable(const pugi::xml_node& node, const pugi::xml_node& owner, int depth = 0) const {
    const auto refuse = [&](const std::string& problem) {
      throw InputError(file_ + ": the " + owner.name() + " '" + nameOf(owner) + "': " + problem);
    };
    if (depth > kDeepest)
      refuse("its elements are nested too deep; at most " + std::to_string(kDeepest) + " are taken");
    const std::string_view type = node.attribute("type").value();
    if (isNamed(node, "joint") && (type == "floating" || type == "planar"))
      refuse("libsdformat has no joints of the type " + std::string(type) +
             "; put what moves freely into a file of its own, or write the world in SDF");
    for (const Numbers& wanted : kNumbers) {
      const pugi::xml_attribute attribute = node.attribute(wanted.attribute);
      if (!isNamed(node, wanted.element) || !attribute || areNumbers(attribute.value(), wanted.count))
        continue;
      refuse(std::string("'") + attribute.value() + "' of <" + node.name() + " " + wanted.attribute +
             "> is not " + (wanted.count == 1 ? "a number" : "3 numbers") + "; correct it");
    }
    for (const pugi::xml_node child : node.children())
      if (!isNamed(child, "visual")) requireReadable(child, owner, depth + 1);
  }

  void count(const pugi::xml_node& node) {
    const auto level = std::find_if(levels().begin(), levels().end(),
                                    [&](const Level& each) { return isNamed(node, each.name); });
    if (level == levels().end()) return;
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (std::find(level->used.begin(), level->used.end(), child.name()) == level->used.end()) {
        ++counts_[std::string("<") + child.name() + "> in <" + node.name() + ">"];
      } else {
        count(child);
      }
    }
  }

  static bool isFixed(const pugi::xml_node& joint) {
    return std::string_view(joint.attribute("type").value()) == "fixed";
  }
  static std::string parentOf(const pugi::xml_node& joint) {
    return joint.child("parent").attribute("link").value();
  }

  // The links with mass, and those that fixed joints join to such a one below them.
  void findMasses() {
    std::vector<std::string> pending;
    const auto add = [&](const std::string& link) {
      if (links_.count(link) > 0 && has_mass_.insert(link).second) pending.push_back(link);
    };
    for (const pugi::xml_node link : robot_.children("link"))
      if (nameOf(link) == "world" || link.child("inertial").child("mass").attribute("value").as_double() != 0)
        add(nameOf(link));
    while (!pending.empty()) {
      const auto [first, last] = joints_above_.equal_range(pending.back());
      pending.pop_back();
      for (auto joint = first; joint != last; ++joint)
        if (isFixed(joint->second)) add(parentOf(joint->second));
    }
  }

  // `depth` ends circles, which libsdformat refuses later.
  [[nodiscard]] bool isLeftOut(const std::string& link, int depth = 0) const {
    if (depth > kDeepest) return false;
    const auto [first, last] = joints_above_.equal_range(link);
    const pugi::xml_node joint = first != last ? first->second : pugi::xml_node();
    if (!isFixed(joint) && has_mass_.count(link) == 0) return true;
    return links_.count(parentOf(joint)) > 0 && isLeftOut(parentOf(joint), depth + 1);
  }

  [[nodiscard]] std::string massless() const {
    std::string first;
    std::size_t more = 0;
    for (const pugi::xml_node link : robot_.children("link")) {
      if (!isLeftOut(nameOf(link))) continue;
      if (first.empty()) {
        first = nameOf(link);
      } else {
        ++more;
      }
    }
    if (first.empty()) return {};
    return "links without mass are left out, and all that hang on them ('" + first + "'" +
           (more > 0 ? " and " + std::to_string(more) + " more" : "") + "); give them an <inertial>";
  }

  static constexpr int kDeepest = 100;
  std::string file_;
  pugi::xml_node robot_;
  std::map<std::string, int> counts_;
  std::map<std::string, pugi::xml_node> links_;              ///< by name
  std::multimap<std::string, pugi::xml_node> joints_above_;  ///< by the names of their children
  std::set<std::string> has_mass_;
};

void requireWellFormed(const std::filesystem::path& file, const pugi::xml_parse_result& result) {
  if (result) return;
  std::ifstream in(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  const auto line = 1 + std::count(text.begin(), text.end(), '\n');
  throw InputError(file.string() + ": is not well-formed XML (" + result.description() + ", line " +
                   std::to_string(line) + "); correct it");
}

}  // namespace

std::vector<std::string> unreadUrdf(const std::filesystem::path& file) {
  pugi::xml_document document;
  requireWellFormed(file, document.load_file(file.c_str()));
  const pugi::xml_node robot = document.child("robot");
  if (!robot) return {};
  return UrdfCheck(file.string(), robot).run();
}

std::vector<std::string> leftOutTexts(const std::string& file, const std::map<std::string, int>& counts) {
  std::vector<std::string> out;
  out.reserve(counts.size());
  for (const auto& [what, times] : counts) {
    out.push_back(file + ": " + what + " is not supported and left out");
    if (times > 1) out.back() += " (" + std::to_string(times) + " times)";
  }
  return out;
}

}  // namespace odemesh::sim
