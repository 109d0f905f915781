// A program that uses ODE as the bytes tell it: mesh data come, change and go, geoms are placed and collided
// through the overrides, bodies fly, options are set, the library is taken out and put back. Every contact
// has to be what ODE accepts, and the same as odemesh::collide gives for a mesh that is built afresh.
//
// ODE's own limits are kept to, because nothing behind them is reached: indices are in range, data have a
// triangle, and data of one triangle are not updated (see docs/fuzzing.md).
#include <odemesh/odemesh.h>

#include <algorithm>
#include <cstdarg>
#include <limits>
#include <memory>
#include <odemesh/collide.hpp>

#include "decode.hpp"
#include "ode/eased_depth.hpp"
#include "ode_handles.hpp"
#include "require.hpp"

namespace odemesh::fuzz {
namespace {

void onOdeMessage(int, const char* text, va_list arguments) {
  std::vfprintf(stderr, text, arguments);
  require(false, "ODE has nothing to say");
}

/// ODE and the library are set up once; an input starts with no data, no geoms and default options.
void setUp() {
  static const bool is_first = [] {
    dInitODE2(0);
    dSetErrorHandler(onOdeMessage);
    dSetDebugHandler(onOdeMessage);
    dSetMessageHandler(onOdeMessage);
    return true;
  }();
  static_cast<void>(is_first);
  require(odemeshInstall() == ODEMESH_OK, "the library installs");
  odemeshOptions options;
  odemeshDefaultOptions(&options);
  require(odemeshSetOptions(&options) == ODEMESH_OK, "the default options are accepted");
}

using test::Geom;
using Body = std::unique_ptr<dxBody, test::Destroy<&dBodyDestroy>>;
using Space = std::unique_ptr<dxSpace, test::Destroy<&dSpaceDestroy>>;
using Data = test::MeshData;

/// Mesh data and the buffers that ODE refers to.
struct OdeMesh {
  Data data;
  std::vector<float> xyz;
  std::vector<dTriIndex> indices;

  [[nodiscard]] std::size_t triangles() const { return indices.size() / 3; }

  void build() {
    dGeomTriMeshDataBuildSingle(data.get(), xyz.data(), 3 * sizeof(float), int(xyz.size() / 3),
                                indices.data(), int(indices.size()), 3 * sizeof(dTriIndex));
  }

  /// What the contacts are compared with: the corners of the triangles, as ODE hands them out.
  [[nodiscard]] std::shared_ptr<const Mesh> fresh() const {
    std::vector<Vec3> corners;
    std::vector<std::uint32_t> order;
    for (const std::size_t i : indices) {
      order.push_back(static_cast<std::uint32_t>(order.size()));
      corners.push_back({xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]});
    }
    return Mesh::build(corners, order, FlatParts::kMerge).mesh;
  }
};

/// A double as ODE keeps it; beyond floats it is infinite.
[[nodiscard]] float toFloat(double x) {
  constexpr double kMost = std::numeric_limits<float>::max();
  if (std::abs(x) > kMost)
    return x > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
  return float(x);
}

[[nodiscard]] dWorldID worldOfBodies() {
  static const dWorldID world = [] {
    const dWorldID made = dWorldCreate();
    dWorldSetGravity(made, 0, 0, -10);
    return made;
  }();
  return world;
}

[[nodiscard]] Pose poseOf(dGeomID geom) {
  const dReal* r = dGeomGetRotation(geom);
  const dReal* p = dGeomGetPosition(geom);
  const Mat3 rotation{{{r[0], r[1], r[2]}, {r[4], r[5], r[6]}, {r[8], r[9], r[10]}}};
  return {nearestRotation(rotation), {p[0], p[1], p[2]}};
}

[[nodiscard]] std::array<dReal, 12> matrixOf(const Pose& pose) {
  std::array<dReal, 12> out{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t axis = 0; axis < 3; ++axis)
      out[4 * row + axis] = dReal(pose.rotation.row[row][int(axis)]);
  return out;
}

[[nodiscard]] bool areSame(const dContactGeom& a, const dContactGeom& b) {
  return std::equal(a.pos, a.pos + 3, b.pos) && std::equal(a.normal, a.normal + 3, b.normal) &&
         a.depth == b.depth && a.g1 == b.g1 && a.g2 == b.g2 && a.side1 == b.side1 && a.side2 == b.side2;
}

[[nodiscard]] double distanceBetween(const dContactGeom& a, const dContactGeom& b) {
  return std::hypot(double(a.pos[0] - b.pos[0]), double(a.pos[1] - b.pos[1]), double(a.pos[2] - b.pos[2]));
}

/// Made of what a body will meet? What touches and bounces may move, too, where it parts.
[[nodiscard]] bool isImpact(const dContact& c) {
  return (c.surface.mode & dContactMotionN) != 0 && c.geom.depth == 0;
}

/// Do the bodies approach at a contact? Then it may stand for others beside it.
[[nodiscard]] bool isStruck(const dContactGeom& c) {
  double approach = 0;
  for (const dGeomID geom : {c.g1, c.g2}) {
    const dBodyID body = dGeomGetBody(geom);
    if (body == nullptr) continue;
    dVector3 velocity;
    dBodyGetPointVel(body, c.pos[0], c.pos[1], c.pos[2], velocity);
    for (int axis = 0; axis < 3; ++axis)
      approach += (geom == c.g1 ? -1 : 1) * double(velocity[axis]) * double(c.normal[axis]);
  }
  return approach > 0;
}

/// Do the bodies part where they touch, and may go on to? Beside a strike, dCollide leaves such contacts out.
[[nodiscard]] bool isParting(const dContact& c) {
  return (c.surface.mode & dContactMotionN) != 0 && !isStruck(c.geom);
}

class Program {
 public:
  explicit Program(ByteSource& in) : in_(in) {
    setUp();
    for (std::size_t i = 0; i < meshes_.size(); ++i) createData(i);
    for (std::size_t i = 0; i < geoms_.size(); ++i) createGeom(i);
    plane_.reset(dCreatePlane(nullptr, 0, 0, 1, 0));
  }

  void run() {
    collide();
    for (int step = 0; step < 16 && !in_.empty(); ++step) act(in_.below(16));
    collide();
  }

 private:
  void act(unsigned action) {
    switch (action) {
      case 0:
        recreateData();
        break;
      case 1:
        rebuildData();
        break;
      case 2:
        editVertex();
        break;
      case 3:
        createGeom(anyGeom());
        break;
      case 4:
        swapData();
        break;
      case 5:
        setOptions();
        break;
      case 6:
        reinstall();
        break;
      case 7:
        askAbout(meshes_[anyMesh()]);
        break;
      case 8:
        collideWithPlane();
        break;
      case 9:
      case 10:
        place(anyGeom());
        break;
      case 11:
        launch(anyGeom());
        break;
      case 12:
      case 13:
        collideOnTheWay();
        break;
      case 14:
        collideSpace();
        break;
      default:
        collide();
        break;
    }
  }

  [[nodiscard]] std::size_t anyMesh() { return in_.below(unsigned(meshes_.size())); }
  [[nodiscard]] std::size_t anyGeom() { return in_.below(unsigned(geoms_.size())); }

  void decodeBuffers(OdeMesh& mesh) {
    unit_ = decodeScale(in_);
    Soup soup = decodeMesh(in_);
    if (soup.vertices.empty()) soup.vertices.push_back({});
    if (soup.indices.empty()) soup.indices = {0, 0, 0};
    mesh.xyz.clear();
    for (const Vec3& v : soup.vertices)
      for (int axis = 0; axis < 3; ++axis) mesh.xyz.push_back(toFloat(v[axis] * unit_));
    mesh.indices.clear();
    for (const std::uint32_t i : soup.indices) mesh.indices.push_back(i % dTriIndex(soup.vertices.size()));
  }

  void createData(std::size_t i) {
    meshes_[i].data.reset(dGeomTriMeshDataCreate());
    decodeBuffers(meshes_[i]);
    meshes_[i].build();
  }

  void createGeom(std::size_t i) {
    mesh_of_[i] = anyMesh();
    geoms_[i].reset(dCreateTriMesh(nullptr, meshes_[mesh_of_[i]].data.get(), nullptr, nullptr, nullptr));
    place(i);
  }

  /// Data at what is most often the same address, with other geoms on it.
  void recreateData() {
    const std::size_t i = anyMesh();
    for (std::size_t g = 0; g < geoms_.size(); ++g)
      if (mesh_of_[g] == i) geoms_[g].reset();
    meshes_[i].data.reset();
    createData(i);
    for (std::size_t g = 0; g < geoms_.size(); ++g)
      if (!geoms_[g]) createGeom(g);
  }

  void rebuildData() {
    OdeMesh& mesh = meshes_[anyMesh()];
    decodeBuffers(mesh);
    mesh.build();
  }

  void editVertex() {
    OdeMesh& mesh = meshes_[anyMesh()];
    mesh.xyz[in_.byte() % mesh.xyz.size()] = toFloat(in_.number() * unit_);
    if (in_.byte() % 2 == 0 && mesh.triangles() > 1)
      dGeomTriMeshDataUpdate(mesh.data.get());
    else
      require(odemeshMeshChanged(mesh.data.get()) == ODEMESH_OK, "an edit is taken note of");
  }

  void swapData() {
    const std::size_t g = anyGeom();
    mesh_of_[g] = anyMesh();
    dGeomTriMeshSetData(geoms_[g].get(), meshes_[mesh_of_[g]].data.get());
  }

  void setOptions() {
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    options.contact_limit = int(in_.byte()) - 16;
    options.contact_margin = in_.byte() < 128 ? 0 : in_.number() * unit_;
    options.freshness = int(in_.below(4));
    options.triangle_callbacks = int(in_.below(2));
    odemeshSetOptions(&options);
    require(odemeshGetOptions(&options) == ODEMESH_OK, "the options can be read");
    require(options.contact_margin >= 0 && options.contact_limit >= 0, "the options are in range");
  }

  static void reinstall() {
    odemeshUninstall();
    require(odemeshIsInstalled() == 0 && odemeshInstall() == ODEMESH_OK, "the library can be put back");
  }

  static void askAbout(const OdeMesh& mesh) {
    odemeshMeshInfo info{};
    info.size = sizeof info;
    const int code = odemeshGetMeshInfo(mesh.data.get(), &info);
    require(code == odemeshPrepare(mesh.data.get()), "a mesh can be used or can't");
    if (code == ODEMESH_OK)
      require(info.triangles > 0 && info.bad_triangles < mesh.triangles(), "a mesh in use has triangles");
  }

  void place(std::size_t g) {
    dGeomSetBody(geoms_[g].get(), nullptr);
    const Pose pose = decodePose(in_, unit_).pose;
    dGeomSetRotation(geoms_[g].get(), matrixOf(pose).data());
    dGeomSetPosition(geoms_[g].get(), dReal(pose.translation.x), dReal(pose.translation.y),
                     dReal(pose.translation.z));
  }

  /// Gives a geom a body that moves. A rotation that is none stays with geoms: ODE makes another of it.
  void launch(std::size_t g) {
    bodies_[g].reset(dBodyCreate(worldOfBodies()));
    const dBodyID body = bodies_[g].get();
    const DecodedPose decoded = decodePose(in_, unit_);
    if (decoded.is_rigid) dBodySetRotation(body, matrixOf(decoded.pose).data());
    const Vec3& position = decoded.pose.translation;
    dBodySetPosition(body, dReal(position.x), dReal(position.y), dReal(position.z));
    const Vec3 velocity = 16 * unit_ * decodeVector(in_), spin = decodeVector(in_);
    dBodySetLinearVel(body, dReal(velocity.x), dReal(velocity.y), dReal(velocity.z));
    dBodySetAngularVel(body, dReal(spin.x), dReal(spin.y), dReal(spin.z));
    const unsigned kind = in_.below(8);
    if (kind == 0) dBodySetKinematic(body);
    if (kind == 1) dBodyDisable(body);
    if (kind == 2) dBodyAddForce(body, 0, 0, dReal(in_.number() * unit_));
    dGeomSetBody(geoms_[g].get(), body);
  }

  /// Collides with an array of just the size that the flags promise, so that one contact more is an overflow.
  [[nodiscard]] std::vector<dContactGeom> contactsOf(dGeomID g1, dGeomID g2) {
    const std::size_t limit = 1 + in_.byte() % 70;
    const bool will_any_do = in_.byte() < 32;
    if (limit == 1 && will_any_do) requireAnyOne(g1, g2);
    const int flags = int(limit) | (limit > 1 && will_any_do ? int(CONTACTS_UNIMPORTANT) : 0);
    std::vector<dContactGeom> contacts(limit);
    const int count = dCollide(g1, g2, flags, contacts.data(), sizeof(dContactGeom));
    require(count >= 0 && std::size_t(count) <= limit, "there are no more contacts than wanted");
    contacts.resize(std::size_t(count));
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    odemeshGetOptions(&options);
    for (const dContactGeom& c : contacts) requireSound(c, g1, g2, options.contact_margin > 0);
    return contacts;
  }

  /// That of a caller who only asks whether they touch is told from two triangles.
  static void requireAnyOne(dGeomID g1, dGeomID g2) {
    dContactGeom contact;
    const int flags = static_cast<int>(CONTACTS_UNIMPORTANT | 1U);
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    odemeshGetOptions(&options);
    if (dCollide(g1, g2, flags, &contact, sizeof contact) > 0)
      requireSound(contact, g1, g2, options.contact_margin > 0);
  }

  static void requireSound(const dContactGeom& c, dGeomID g1, dGeomID g2, bool has_margin) {
    require(c.g1 == g1 && c.g2 == g2, "a contact names the geoms in their order");
    require(std::isfinite(c.pos[0]) && std::isfinite(c.pos[1]) && std::isfinite(c.pos[2]),
            "a contact's position is finite");
    require(std::abs(dCalcVectorLengthSquare3(c.normal) - 1) < 1e-6, "a contact's normal is of unit length");
    require(std::isfinite(c.depth) && (c.depth > 0 || has_margin), "a contact's depth is positive");
  }

  void collide() {
    const std::size_t a = anyGeom();
    const std::size_t b = anyGeom();
    if (a == b) return;
    const std::vector<dContactGeom> contacts = contactsOf(geoms_[a].get(), geoms_[b].get());
    if (!contacts.empty()) requireFresh(contacts.front(), a, b);
  }

  /// ODE calls an override with the geoms swapped and turns the contacts round. Of what strikes, contacts at
  /// which the bodies part may have been left out, deeper ones among them.
  void requireFresh(const dContactGeom& c, std::size_t a, std::size_t b) const {
    const auto mesh1 = meshes_[mesh_of_[b]].fresh();
    const auto mesh2 = meshes_[mesh_of_[a]].fresh();
    require(mesh1 && mesh2, "only meshes with usable triangles touch");
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    odemeshGetOptions(&options);
    std::array<Contact, 64> room;
    const std::size_t count =
        odemesh::collide(*mesh1, poseOf(geoms_[b].get()), *mesh2, poseOf(geoms_[a].get()), room, nullptr,
                         options.contact_margin);
    require(count > 0, "what touches touches when built afresh");
    const std::span expected = std::span(room).first(isStruck(c) ? count : 1);
    ode::easeDepths(expected, std::min(mesh1->sphereRadius(), mesh2->sphereRadius()));
    const auto isIt = [&](const Contact& e) {
      return c.depth == dReal(e.depth) && c.side1 == int(e.triangle2);
    };
    require(std::ranges::any_of(expected, isIt), "no contact is stale");
  }

  void collideWithPlane() {
    const Vec3 normal = normalised(decodeGridPoint(in_), {0, 0, 1});
    dGeomPlaneSetParams(plane_.get(), dReal(normal.x), dReal(normal.y), dReal(normal.z),
                        dReal(in_.onGrid() * unit_));
    const dGeomID geom = geoms_[anyGeom()].get();
    static_cast<void>(in_.byte() % 2 == 0 ? contactsOf(geom, plane_.get()) : contactsOf(plane_.get(), geom));
  }

  void collideOnTheWay() {
    const unsigned pair = in_.below(9);
    const dGeomID g1 = geoms_[pair % 3].get();
    const dGeomID g2 = pair / 3 == pair % 3 ? plane_.get() : geoms_[pair / 3].get();
    const double dt = in_.byte() < 224 ? 1.0 / (1 + in_.byte()) : in_.number();
    const int room = 1 + in_.byte() % 70;
    const bool is_turned = in_.byte() % 2 == 0;
    askOnTheWay(is_turned ? g2 : g1, is_turned ? g1 : g2, dReal(dt), room);
  }

  /// All at once: what is struck strikes others within the step, with the contacts told by the callback or
  /// by the program.
  void collideSpace() {
    const Space space(dSimpleSpaceCreate(nullptr));
    dSpaceSetCleanup(space.get(), 0);
    const auto for_all = [&](void (*change)(dSpaceID, dGeomID)) {
      for (const Geom& geom : geoms_) change(space.get(), geom.get());
      change(space.get(), plane_.get());
    };
    for_all(dSpaceAdd);
    step_ = dReal(1.0 / (1 + in_.byte()));
    contacts_.clear();
    require(odemeshSpaceCollide(space.get(), step_, this, onNear, nullptr) == ODEMESH_OK, "a space collides");
    const std::vector<dContact> told = contacts_;
    require(odemeshSpaceCollideStruck(space.get(), step_, told.data(), int(told.size()), sizeof(dContact),
                                      this, onNear) == ODEMESH_OK,
            "what is struck collides");
    for_all(dSpaceRemove);
  }

  static void onNear(void* program, dGeomID g1, dGeomID g2) {
    auto& self = *static_cast<Program*>(program);
    for (const dContact& c : self.contactsOnTheWay(g1, g2, self.step_, 16)) self.contacts_.push_back(c);
  }

  /// Asks twice, for the same answer.
  void askOnTheWay(dGeomID g1, dGeomID g2, dReal dt, int room) {
    const std::vector<dContact> found = contactsOnTheWay(g1, g2, dt, room);
    const std::vector<dContact> again = contactsOnTheWay(g1, g2, dt, room);
    require(std::ranges::equal(found, again,
                               [](const dContact& a, const dContact& b) {
                                 return areSame(a.geom, b.geom) && a.surface.motionN == b.surface.motionN &&
                                        a.surface.bounce == b.surface.bounce;
                               }),
            "the same question has the same contacts");
    if (dt > 0 && std::isfinite(dt))
      requireOfDCollide(found, g1, g2, room);
    else
      require(found.empty(), "a step that is none has no contacts");
  }

  [[nodiscard]] std::vector<dContact> contactsOnTheWay(dGeomID g1, dGeomID g2, dReal dt, int room) {
    dSurfaceParameters surface{};
    surface.mode = dContactBounce;
    surface.mu = 1;
    surface.bounce = dReal(0.5);
    std::vector<dContact> contacts(static_cast<std::size_t>(room));
    const int count =
        odemeshCollideSpeculative(g1, g2, dt, room, &surface, contacts.data(), sizeof(dContact));
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    odemeshGetOptions(&options);
    const int limit = options.contact_limit > 0 ? std::min(options.contact_limit, room) : room;
    require(count >= 0 && count <= limit, "there are no more contacts on the way than wanted");
    contacts.resize(std::size_t(count));
    for (const dContact& c : contacts) requireSoundOnTheWay(c, g1, g2, options.contact_margin > 0);
    return contacts;
  }

  static void requireSoundOnTheWay(const dContact& c, dGeomID g1, dGeomID g2, bool has_margin) {
    requireSound(c.geom, g1, g2, has_margin || isImpact(c));
    if ((c.surface.mode & dContactMotionN) == 0) return;
    require(std::isfinite(c.surface.motionN) && c.surface.motionN <= 0, "bodies may approach");
    require(std::isfinite(c.surface.bounce) && c.surface.bounce >= 0, "a bounce is finite");
  }

  /// What touches is what dCollide finds, or lies beside that; all of it, if nothing comes on top.
  void requireOfDCollide(const std::vector<dContact>& found, dGeomID g1, dGeomID g2, int room) const {
    std::vector<dContactGeom> touching(static_cast<std::size_t>(room));
    touching.resize(std::size_t(dCollide(g1, g2, room, touching.data(), sizeof(dContactGeom))));
    std::size_t added = 0;
    for (const dContact& c : found) {
      if (isImpact(c)) continue;
      const auto isIt = [&](const dContactGeom& t) { return areSame(c.geom, t); };
      if (std::ranges::any_of(touching, isIt)) continue;
      ++added;
      const double radius = std::min(radiusOf(g1), radiusOf(g2));
      const auto standsFor = [&](const dContactGeom& t) {
        return isBeside(c.geom, t, 0.0031 * radius) || (isStruck(c.geom) && areOfOnePatch(c.geom, t, radius));
      };
      require(isParting(c) || std::ranges::any_of(touching, standsFor), "what touches is found by dCollide");
    }
    const auto is_struck = [](const dContact& c) { return isStruck(c.geom); };
    if (std::ranges::none_of(found, isImpact) && std::ranges::none_of(found, is_struck))
      require(found.size() == touching.size() + added || found.size() == touching.size(),
              "nothing that touches is left out for nothing");
    require(added == 0 || found.size() <= 15 || !std::ranges::none_of(found, isImpact),
            "few contacts are given more often");
  }

  /// As the data are now: ODE keeps the bounding box that they had when they were built.
  [[nodiscard]] double radiusOf(dGeomID geom) const {
    if (geom == plane_.get()) return std::numeric_limits<double>::infinity();
    const auto of = std::size_t(std::ranges::find(geoms_, geom, &Geom::get) - geoms_.begin());
    const auto mesh = meshes_[mesh_of_[of]].fresh();
    return mesh ? mesh->sphereRadius() : 0;
  }

  /// Is `c` the contact `t` but for its place, which is no farther than `reach` from it?
  [[nodiscard]] static bool isBeside(const dContactGeom& c, dContactGeom t, double reach) {
    const double away = distanceBetween(c, t);
    std::copy_n(c.pos, 3, t.pos);
    return away <= reach && areSame(c, t);
  }

  /// Of two that stand for the same patch, or a part of it.
  [[nodiscard]] static bool areOfOnePatch(const dContactGeom& c, const dContactGeom& t, double radius) {
    const double away = distanceBetween(c, t);
    return away <= 0.31 * radius && c.depth <= t.depth && std::equal(c.normal, c.normal + 3, t.normal);
  }

  ByteSource& in_;
  double unit_ = 1;
  std::array<OdeMesh, 3> meshes_;
  std::array<std::size_t, 3> mesh_of_{};
  std::array<Body, 3> bodies_;
  std::array<Geom, 3> geoms_;
  Geom plane_;
  dReal step_ = 0;                  ///< of a space that is being collided
  std::vector<dContact> contacts_;  ///< found in it
};

}  // namespace
}  // namespace odemesh::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  odemesh::fuzz::ByteSource in({data, size});
  odemesh::fuzz::Program(in).run();
  return 0;
}
