#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <odemesh/sim/input_error.hpp>
#include <sdf/sdf.hh>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "heightmap.hpp"
#include "parsed_world.hpp"
#include "resource_path.hpp"
#include "sdf_elements.hpp"
#include "sdf_joint.hpp"
#include "sdf_surface.hpp"
#include "urdf_elements.hpp"

namespace odemesh::sim {
namespace {

namespace fs = std::filesystem;

Vec3 fromSdf(const ignition::math::Vector3d& v) {
  return {v.X(), v.Y(), v.Z()};
}

Mat3 fromSdf(const ignition::math::Matrix3d& m) {
  Mat3 out;
  for (unsigned i = 0; i < 3; ++i) out.row[i] = {m(i, 0), m(i, 1), m(i, 2)};
  return out;
}

Pose fromSdf(const ignition::math::Pose3d& pose) {
  return {fromSdf(ignition::math::Matrix3d(pose.Rot().Normalized())), fromSdf(pose.Pos())};
}

Inertial fromSdf(const ignition::math::Inertiald& inertial) {
  return {inertial.MassMatrix().Mass(), fromSdf(inertial.Pose().Pos()), fromSdf(inertial.Moi())};
}

std::string textOf(const Vec3& v) {
  std::ostringstream out;
  out << v.x << ' ' << v.y << ' ' << v.z;
  return out.str();
}

/// The geometry of a collision, and where it is to be a mesh, of what.
struct Shape {
  Geometry geometry;
  std::optional<PendingMesh> mesh{};
};

/// Which alone is asked for what included models include.
struct GlobalFindCallback {
  explicit GlobalFindCallback(const std::function<std::string(const std::string&)>& find) {
    sdf::setFindCallback(find);
  }
  GlobalFindCallback(const GlobalFindCallback&) = delete;
  GlobalFindCallback& operator=(const GlobalFindCallback&) = delete;
  ~GlobalFindCallback() { sdf::setFindCallback({}); }
};

/// Keeps what libsdformat prints, which is more than its errors tell.
class ConsoleText {
 public:
  ConsoleText() { console_->GetMsgStream().SetStream(&text_); }
  ConsoleText(const ConsoleText&) = delete;
  ConsoleText& operator=(const ConsoleText&) = delete;
  ~ConsoleText() { console_->GetMsgStream().SetStream(nullptr); }

  /// The first error, without the place in libsdformat's source that comes before it; empty if there is none.
  [[nodiscard]] std::string firstError() const {
    const std::string all = text_.str(), mark = "\033[0m ";
    const std::size_t error = all.find("Error ["), begin = all.find(mark, error);
    if (error == std::string::npos || begin == std::string::npos) return {};
    const std::size_t from = begin + mark.size();
    return all.substr(from, all.find('\n', from) - from);
  }

 private:
  sdf::ConsolePtr console_ = sdf::Console::Instance();
  std::ostringstream text_;
};

/// Keeps what is printed on std::cerr meanwhile: the parser of URDF, which is asked about broken SDF too,
/// explains itself there.
class CerrText {
 public:
  CerrText() = default;
  CerrText(const CerrText&) = delete;
  CerrText& operator=(const CerrText&) = delete;
  ~CerrText() { std::cerr.rdbuf(before_); }

  [[nodiscard]] std::string all() const { return text_.str(); }
  /// The first error about a file that is URDF; empty if there is none.
  [[nodiscard]] std::string firstError() const {
    constexpr std::string_view kMark = "Error:";
    const std::string text = all();
    const std::size_t error = text.find(kMark);
    if (error == std::string::npos || text.find("'robot' element") != std::string::npos) return {};
    const std::size_t begin = std::min(text.find_first_not_of(' ', error + kMark.size()), text.size());
    return text.substr(begin, text.find('\n', begin) - begin);
  }

 private:
  std::ostringstream text_;
  std::streambuf* before_ = std::cerr.rdbuf(text_.rdbuf());
};

/// Turns libsdformat's world into a description, model by model.
class Converter {
 public:
  Converter(const fs::path& path, const WorldFileOptions& options)
      : file_(path.string()), resources_(path, options.model_path), most_includes_(options.max_includes) {
    out_.settings.collider = options.collider;
  }

  ParsedWorld convert() {
    const sdf::Root root = load();
    for (const std::string& text : unusedElements(file_, root.Element())) out_.warnings.push_back(text);
    if (root.WorldCount() > 0) {
      convertWorld(*root.WorldByIndex(0));
      if (root.WorldCount() > 1) warn("only the first of its worlds is loaded");
    } else if (root.Model() != nullptr) {
      convertModelAlone(*root.Model());
    } else {
      refuse("there is no <world> and no <model> in it; give a file that has one");
    }
    listOmissions();
    if (out_.bodies.empty()) refuse("nothing in it can touch or move; add a <link> with a <collision>");
    return {std::move(out_), std::move(meshes_)};
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const { throw InputError(file_ + ": " + problem); }

  // Says each thing once.
  void warn(const std::string& text) {
    if (said_.insert(text).second) out_.warnings.push_back(file_ + ": " + text);
  }

  // The same about several things, of which the first is named.
  void omit(const std::string& text, const std::string& name) {
    Omission& omission = omissions_[text];
    if (omission.count++ == 0) omission.first = name;
  }
  void listOmissions() {
    for (const auto& [text, omission] : omissions_)
      warn(text + " ('" + omission.first + "'" +
           (omission.count > 1 ? " and " + std::to_string(omission.count - 1) + " more" : "") + ")");
  }

  // Throws for the first error, with the reason for it if that is known.
  void require(const sdf::Errors& errors, const std::string& remedy, const std::string& reason = {}) const {
    if (errors.empty()) return;
    const sdf::Error& first = errors.front();
    const std::string line = first.LineNumber() ? ", line " + std::to_string(*first.LineNumber()) : "";
    const std::string more =
        errors.size() > 1 ? " (the first of " + std::to_string(errors.size()) + " faults)" : "";
    refuse(first.Message() + line + (reason.empty() ? "" : ": " + reason) + more + "; " + remedy);
  }

  sdf::Root load() {
    std::error_code error;
    if (!fs::is_regular_file(file_, error)) refuse("there is no such file; check its name");
    out_.warnings = unreadUrdf(file_);
    const ConsoleText console;
    sdf::ParserConfig config;
    const auto find = [this](const std::string& uri) { return findIncluded(uri); };
    config.SetFindCallback(find);
    const GlobalFindCallback for_included_models(find);
    sdf::Root root;
    std::string printed;
    {
      const CerrText urdf;
      // By a name alone, as "model.sdf", libsdformat finds a file of its own before that in the working
      // folder.
      const sdf::Errors errors = root.Load(fs::absolute(file_).string(), config);
      const std::string reason = console.firstError();
      require(errors, "correct the file (names are looked up in " + resources_.text() + ")",
              reason.empty() ? urdf.firstError() : reason);
      printed = urdf.all();
    }
    std::cerr << printed;
    return root;
  }

  std::string findIncluded(const std::string& uri) {
    if (++includes_ > most_includes_)
      refuse("includes more than " + std::to_string(most_includes_) + " models, the last of them '" + uri +
             "'; does a model include itself?");
    return resources_.find(uri);
  }

  void convertWorld(const sdf::World& world) {
    const Collider collider = out_.settings.collider;
    out_.name = world.Name();
    out_.settings = settingsFromSdf(world);
    if (const std::string engine = engineOf(world); engine != "ode")
      warn("its <physics> is for the engine '" + engine + "'; it is simulated with ODE");
    if (const auto type = unknownSolverOf(world))
      warn("its <physics> asks for the solver '" + *type + "'; it is simulated with the one named 'quick'");
    out_.settings.collider = collider;
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
      const sdf::Model& model = *world.ModelByIndex(i);
      convertModel(model, resolve(model.SemanticPose(), model.Name()), model.Name());
    }
  }

  // A model without a world stands on a ground plane, as it would after being spawned in an empty world.
  void convertModelAlone(const sdf::Model& model) {
    out_.name = model.Name();
    out_.settings.surface = surfaceFromSdf(nullptr);
    out_.settings.dt = 0.001;
    BodySpec ground;
    ground.name = "ground";
    ground.is_static = true;
    ground.parts.push_back({PlaneGeometry{}});
    out_.bodies.push_back(ground);
    warn("it has no <world>; its model is put over a ground plane at z = 0");
    convertModel(model, fromSdf(model.RawPose()), model.Name());
  }

  Pose resolve(const sdf::SemanticPose& pose, const std::string& owner, const std::string& to = "") const {
    ignition::math::Pose3d out;
    require(pose.Resolve(out, to), "correct the <pose> of '" + owner + "'");
    if (!isFinite(fromSdf(out))) refuse("the <pose> of '" + owner + "' is not finite; correct it");
    return fromSdf(out);
  }

  void convertModel(const sdf::Model& model, const Pose& pose, const std::string& scope) {
    const std::size_t group = model.SelfCollide() ? 0 : ++groups_;
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i)
      convertLink(*model.LinkByIndex(i), pose, scope, model.Static(), group);
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& nested = *model.ModelByIndex(i);
      convertModel(nested, pose * resolve(nested.SemanticPose(), nested.Name()),
                   scope + "::" + nested.Name());
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) convertJoint(*model.JointByIndex(i), pose, scope);
  }

  void convertLink(const sdf::Link& link, const Pose& model_pose, const std::string& scope, bool is_static,
                   std::size_t group) {
    BodySpec body;
    body.name = scope + "::" + link.Name();
    body.pose = model_pose * resolve(link.SemanticPose(), body.name);
    body.is_static = is_static;
    body.group = group;
    body.has_gravity = valueAt(link.Element(), {"gravity"}, true);
    if (valueAt(link.Element(), {"self_collide"}, group == 0)) body.group = 0;
    body.linear_damping = valueAt(link.Element(), {"velocity_decay", "linear"}, 0.0);
    body.angular_damping = valueAt(link.Element(), {"velocity_decay", "angular"}, 0.0);
    if (!is_static) body.inertial = fromSdf(link.Inertial());
    if (!is_static && !descend(link.Element(), {"inertial"}))
      omit("links without <inertial> get SDF's default, 1 kg and 1 kg m2", body.name);
    for (std::uint64_t i = 0; i < link.CollisionCount(); ++i)
      convertCollision(*link.CollisionByIndex(i), body);
    if (is_static && body.parts.empty()) {
      static_links_.insert(body.name);
      return;
    }
    links_[body.name] = out_.bodies.size();
    out_.bodies.push_back(std::move(body));
  }

  void convertCollision(const sdf::Collision& collision, BodySpec& body) {
    const std::string name = body.name + "::" + collision.Name();
    std::optional<Shape> shape = convertGeometry(*collision.Geom(), name);
    if (!shape) return;
    const bool is_terrain = collision.Geom()->Type() == sdf::GeometryType::HEIGHTMAP;
    if (!body.is_static && (is_terrain || std::holds_alternative<PlaneGeometry>(shape->geometry)))
      return omit("planes and heightmaps of models that move are left out; make the model static", name);
    const double restitution =
        valueAt(collision.Element(), {"surface", "bounce", "restitution_coefficient"}, 0.0);
    if (!(restitution >= 0 && restitution <= 1))
      omit("restitution_coefficients outside of 0 to 1 are limited to that", name);
    Part part;
    part.geometry = std::move(shape->geometry);
    part.pose = resolve(collision.SemanticPose(), name);
    if (is_terrain) part.pose = part.pose * Pose{{}, fromSdf(collision.Geom()->HeightmapShape()->Position())};
    part.surface = surfaceFromSdf(descend(collision.Element(), {"surface"}));
    try {
      validate(*part.surface);
    } catch (const InputError& error) {
      refuse("the <surface> of '" + name + "': " + error.what());
    }
    if (shape->mesh) {
      PendingMesh& mesh = meshes_.emplace_back(std::move(*shape->mesh));
      mesh.owner = name;
      mesh.body = out_.bodies.size();
      mesh.part = body.parts.size();
    }
    body.parts.push_back(std::move(part));
  }

  std::optional<Shape> convertGeometry(const sdf::Geometry& geometry, const std::string& owner) {
    switch (geometry.Type()) {
      case sdf::GeometryType::BOX:
        return Shape{BoxGeometry{fromSdf(geometry.BoxShape()->Size())}};
      case sdf::GeometryType::SPHERE:
        return Shape{SphereGeometry{geometry.SphereShape()->Radius()}};
      case sdf::GeometryType::CYLINDER:
        return Shape{
            CylinderGeometry{geometry.CylinderShape()->Radius(), geometry.CylinderShape()->Length()}};
      case sdf::GeometryType::CAPSULE:
        return Shape{CapsuleGeometry{geometry.CapsuleShape()->Radius(), geometry.CapsuleShape()->Length()}};
      case sdf::GeometryType::PLANE:
        return Shape{PlaneGeometry{fromSdf(geometry.PlaneShape()->Normal()), 0}};
      case sdf::GeometryType::ELLIPSOID:
        return ellipsoid(fromSdf(geometry.EllipsoidShape()->Radii()));
      case sdf::GeometryType::MESH:
        return mesh(*geometry.MeshShape(), owner);
      case sdf::GeometryType::HEIGHTMAP:
        return heightmap(*geometry.HeightmapShape(), owner);
      case sdf::GeometryType::EMPTY:  // and what libsdformat has no class for, which is among the unused
                                      // elements
        return std::nullopt;
    }
    return std::nullopt;
  }

  static Shape ellipsoid(const Vec3& radii) {
    PendingMesh out{PendingMesh::Kind::kEllipsoid};
    out.size = radii;
    return {MeshGeometry{}, out};
  }

  // The file of a URI; refuses one that is not there.
  std::string find(const char* what, const std::string& uri, const std::string& from,
                   const std::string& owner) const {
    std::string found = resources_.find(uri, from);
    if (found.empty())
      refuse(std::string("the ") + what + " '" + uri + "' of '" + owner + "' is not in any of " +
             resources_.text() + "; correct its <uri> or give its folder with --model-path");
    return found;
  }

  std::optional<Shape> heightmap(const sdf::Heightmap& description, const std::string& owner) {
    if (!canReadImages()) {
      omit("<heightmap> needs libpng, which this build is without; it is left out", owner);
      return std::nullopt;
    }
    PendingMesh out{PendingMesh::Kind::kHeightmap};
    out.size = fromSdf(description.Size());
    if (!(out.size.x > 0 && out.size.y > 0 && out.size.z > 0))
      refuse("the <size> of the heightmap of '" + owner + "' is not positive; correct it");
    out.file = find("image", description.Uri(), description.FilePath(), owner);
    return Shape{MeshGeometry{}, out};
  }

  Shape mesh(const sdf::Mesh& description, const std::string& owner) {
    PendingMesh out{PendingMesh::Kind::kFile};
    out.file = find("mesh", description.Uri(), description.FilePath(), owner);
    out.submesh = description.Submesh();
    out.is_centred = description.CenterSubmesh();
    out.size = fromSdf(description.Scale());
    if (!isFinite(out.size) || out.size.x * out.size.y * out.size.z == 0)
      refuse("the <scale> of the mesh '" + description.Uri() + "' of '" + owner + "' is " + textOf(out.size) +
             ", which leaves no volume; give three numbers other than 0");
    return {MeshGeometry{}, out};
  }

  // The body of a link named in `scope`; empty: the world, or what stands still in it.
  std::optional<std::size_t> linkIndex(const std::string& scope, const std::string& link,
                                       const std::string& joint) const {
    if (link == "world") return std::nullopt;
    const std::string name = scope + "::" + link;
    if (static_links_.count(name) > 0) return std::nullopt;
    const auto found = links_.find(name);
    if (found == links_.end())
      refuse("the joint '" + joint + "' names the link '" + link + "', which is not there; correct it");
    return found->second;
  }

  void convertJoint(const sdf::Joint& joint, const Pose& model_pose, const std::string& scope) {
    const std::string name = scope + "::" + joint.Name();
    const std::optional<JointSpec::Type> type = jointTypeFromSdf(joint.Type());
    if (!type)
      return omit("ODE has no joints of type " + jointTypeName(joint) +
                      "; they are left out, and their links are free",
                  name);
    JointSpec spec;
    spec.name = name;
    spec.type = *type;
    std::string child;
    std::string parent;
    require(joint.ResolveChildLink(child), "correct the joint '" + name + "'");
    require(joint.ResolveParentLink(parent), "correct the joint '" + name + "'");
    spec.child = linkIndex(scope, child, name);
    spec.parent = linkIndex(scope, parent, name);
    const Pose pose = model_pose * resolve(joint.SemanticPose(), name, "__model__");
    spec.anchor = pose.translation;
    for (unsigned i = 0; i < 2; ++i)
      if (const sdf::JointAxis* axis = joint.Axis(i)) spec.axes[i] = convertAxis(*axis, pose, name);
    spec.limit_erp = valueAt(joint.Element(), {"physics", "ode", "limit", "erp"}, spec.limit_erp);
    spec.limit_cfm = valueAt(joint.Element(), {"physics", "ode", "limit", "cfm"}, spec.limit_cfm);
    if (!isDynamic(spec.child) && !isDynamic(spec.parent)) return;  // between things that stand still
    if (fitsOde(joint.Type(), spec)) out_.joints.push_back(spec);
  }

  // Whether ODE has the joint with these axes; what it has not of them is left out.
  bool fitsOde(sdf::JointType type, JointSpec& spec) {
    const Vec3 first = normalised(spec.axes[0].direction);
    const Vec3 second = normalised(spec.axes[1].direction);
    if (type == sdf::JointType::REVOLUTE2 && std::abs(dot(first, second)) > 1e-3) {
      omit(
          "joints of type revolute2 whose axes are not at right angles are left out, and their links are "
          "free",
          spec.name);
      return false;
    }
    if (spec.type != JointSpec::Type::kHinge && spec.type != JointSpec::Type::kSlider)
      for (JointAxis& axis : spec.axes)
        if (std::exchange(axis.stiffness, 0) != 0)
          omit("springs of joints with two axes are not supported and left out", spec.name);
    return true;
  }

  bool isDynamic(const std::optional<std::size_t>& body) const {
    return body && !out_.bodies[*body].is_static;
  }

  JointAxis convertAxis(const sdf::JointAxis& axis, const Pose& joint_pose, const std::string& owner) const {
    ignition::math::Vector3d direction;
    require(axis.ResolveXyz(direction), "correct the axis of the joint '" + owner + "'");
    return axisFromSdf(axis, joint_pose.rotate(fromSdf(direction)));
  }

  std::string file_;
  ResourcePath resources_;
  int most_includes_;
  int includes_ = 0;
  WorldDescription out_;
  struct Omission {
    std::string first;  ///< thing that it was said of
    int count = 0;
  };
  std::set<std::string> said_;
  std::map<std::string, Omission> omissions_;
  std::size_t groups_ = 0;
  std::map<std::string, std::size_t> links_;
  std::set<std::string> static_links_;  ///< without a collision: not made into bodies
  std::vector<PendingMesh> meshes_;
};

}  // namespace

ParsedWorld parseWorldFile(const fs::path& path, const WorldFileOptions& options) {
  return Converter(path, options).convert();
}

}  // namespace odemesh::sim
