#include <algorithm>
#include <limits>
#include <odemesh/sim/body.hpp>
#include <odemesh/sim/input_error.hpp>

namespace odemesh::sim {
namespace {

// Two statics are never tested: neither collides with the other's category.
constexpr unsigned long kStaticCategory = 1;
constexpr unsigned long kDynamicCategory = 2;

dReal real(double value) {
  return static_cast<dReal>(value);
}

bool finite(const dReal* v) {
  return odemesh::isFinite(fromOde(v));
}

[[noreturn]] void refuse(const std::string& name, const std::string& problem) {
  throw InputError("body '" + name + "': " + problem);
}

void checkPosition(const std::string& name, const Vec3& p) {
  constexpr double kFarthest = 1e6;
  if (!odemesh::isFinite(p) || std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > kFarthest)
    refuse(name, "its position is not finite or beyond 1e6 m; place it nearer to the origin");
}

void checkRotation(const std::string& name, const Pose& pose) {
  const Mat3 product = pose.rotation * pose.rotation.transposed();
  double error = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) error += std::abs(product.row[i][j] - (i == j ? 1 : 0));
  const Vec3* row = pose.rotation.row;
  if (!(error < 1e-6) || dot(cross(row[0], row[1]), row[2]) < 0)
    refuse(name, "its rotation is not a rotation; give an orthonormal, right-handed matrix");
}

void checkVelocity(const std::string& name, const Vec3& linear, const Vec3& angular) {
  constexpr double kFastest = 1e8;
  const auto ok = [](const Vec3& v) { return length(v) <= kFastest; };
  if (!ok(linear) || !ok(angular))
    refuse(name, "a velocity is not finite or beyond 1e8; give metres and radians per second");
}

void checkDamping(const BodySpec& spec) {
  for (const double share : {spec.linear_damping, spec.angular_damping})
    if (!(share >= 0 && share <= 1))
      refuse(spec.name, "its damping is not from 0 to 1; give the share lost in a step");
}

void checkParts(const BodySpec& spec) {
  if (spec.parts.empty() && (spec.is_static || !spec.inertial))
    refuse(spec.name, "it has no geometry; give it at least one part");
  for (const Part& part : spec.parts) {
    validate(part.geometry, spec.name);
    checkRotation(spec.name, part.pose);
    checkPosition(spec.name, (spec.pose * part.pose).translation);
    if (part.surface) validate(*part.surface);
    if (!spec.is_static && std::holds_alternative<PlaneGeometry>(part.geometry))
      refuse(spec.name, "a plane can't move; make the body static");
  }
}

Inertial inertialOf(const BodySpec& spec) {
  if (spec.inertial) return *spec.inertial;
  std::vector<Inertial> parts;
  for (const Part& part : spec.parts)
    parts.push_back(moved(solidInertial(part.geometry, spec.density), part.pose));
  const Inertial whole = combined(parts);
  return spec.mass ? withMass(whole, *spec.mass) : whole;
}

Inertial checkedInertial(const BodySpec& spec) {
  const Inertial inertial = inertialOf(spec);
  if (!isPhysical(inertial))
    refuse(spec.name,
           "its mass is " + std::to_string(inertial.mass) +
               " kg or its inertia is not positive definite; give a positive density and a solid shape");
  return inertial;
}

double radiusOf(const BodySpec& spec, const Vec3& centre) {
  double radius = 0;
  for (const Part& part : spec.parts)
    radius = std::max(radius, radiusAbout(part.geometry, part.pose.inverse().apply(centre)));
  return radius;
}

dMass odeMass(const Inertial& inertial) {
  dMass mass;
  dMassSetZero(&mass);
  mass.mass = real(inertial.mass);
  rotationToOde(inertial.inertia, mass.I);
  return mass;
}

}  // namespace

Body::Body(const BodySpec& spec, std::size_t index, dWorldID world, dSpaceID space, const Surface& surface)
    : name_(spec.name), index_(index), group_(spec.group), parts_(spec.parts) {
  checkParts(spec);
  checkDamping(spec);
  checkVelocity(name_, spec.linear_velocity, spec.angular_velocity);
  if (!spec.is_static) {
    inertial_ = checkedInertial(spec);
    body_.reset(dBodyCreate(world));
    const dMass mass = odeMass(inertial_);
    dBodySetMass(body_.get(), &mass);
    dBodySetGravityMode(body_.get(), spec.has_gravity ? 1 : 0);
    dBodySetLinearDamping(body_.get(), real(spec.linear_damping));
    dBodySetAngularDamping(body_.get(), real(spec.angular_damping));
  }
  bounding_radius_ = radiusOf(spec, inertial_.centre);
  surfaces_.reserve(parts_.size());
  for (const Part& part : parts_) {
    surfaces_.push_back(part.surface.value_or(surface));
    tags_.push_back({this, surfaces_.size() - 1});
  }
  makeGeoms(space);
  setPose(spec.pose);
  setVelocity(spec.linear_velocity, spec.angular_velocity);
}

void Body::makeGeoms(dSpaceID space) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const GeomHandle& geom = geoms_.emplace_back(makeGeom(parts_[i].geometry, space));
    dGeomSetData(geom.get(), &tags_[i]);
    dGeomSetCategoryBits(geom.get(), isStatic() ? kStaticCategory : kDynamicCategory);
    dGeomSetCollideBits(geom.get(), isStatic() ? kDynamicCategory : kStaticCategory | kDynamicCategory);
    if (!isStatic()) attach(geom.get(), parts_[i]);
  }
}

// ODE's body has its origin in the centre of mass. A geom that lies there exactly gets no offset, which ODE
// would have to multiply out at every step.
void Body::attach(dGeomID geom, const Part& part) const {
  dGeomSetBody(geom, body_.get());
  Pose offset = geomPose(part.geometry, part.pose);
  offset.translation -= inertial_.centre;
  const Vec3& t = offset.translation;
  if (t != Vec3{}) dGeomSetOffsetPosition(geom, real(t.x), real(t.y), real(t.z));
  const Mat3 identity;
  if (std::equal(identity.row, identity.row + 3, offset.rotation.row)) return;
  dMatrix3 rotation;
  rotationToOde(offset.rotation, rotation);
  dGeomSetOffsetRotation(geom, rotation);
}

Pose Body::pose() const {
  if (isStatic()) return static_pose_;
  const Mat3 rotation = rotationFromOde(dBodyGetRotation(body_.get()));
  return {rotation, centreOfMass() - rotation * inertial_.centre};
}

Vec3 Body::centreOfMass() const {
  return isStatic() ? static_pose_.translation : fromOde(dBodyGetPosition(body_.get()));
}

Vec3 Body::linearVelocity() const {
  return isStatic() ? Vec3{} : fromOde(dBodyGetLinearVel(body_.get()));
}

Vec3 Body::angularVelocity() const {
  return isStatic() ? Vec3{} : fromOde(dBodyGetAngularVel(body_.get()));
}

double Body::kineticEnergy() const {
  if (isStatic()) return 0;
  const Vec3 spin = rotationFromOde(dBodyGetRotation(body_.get())).transposed() * angularVelocity();
  return 0.5 * (inertial_.mass * lengthSq(linearVelocity()) + dot(spin, inertial_.inertia * spin));
}

double Body::support(const Vec3& direction) const {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < parts_.size(); ++i)
    most = std::max(most, sim::support(parts_[i].geometry, partPose(i), direction));
  return most;
}

bool Body::isFinite() const {
  if (isStatic()) return true;
  dBodyID b = body_.get();
  const dReal* q = dBodyGetQuaternion(b);
  return finite(dBodyGetPosition(b)) && finite(q) && std::isfinite(q[3]) && finite(dBodyGetLinearVel(b)) &&
         finite(dBodyGetAngularVel(b)) && finite(dBodyGetForce(b)) && finite(dBodyGetTorque(b));
}

void Body::setPose(const Pose& pose) {
  checkRotation(name_, pose);
  const Vec3 centre = pose.apply(inertial_.centre);
  checkPosition(name_, centre);
  if (isStatic()) return placeStatic(pose);
  dMatrix3 rotation;
  rotationToOde(pose.rotation, rotation);
  dBodySetRotation(body_.get(), rotation);
  dBodySetPosition(body_.get(), real(centre.x), real(centre.y), real(centre.z));
}

void Body::placeStatic(const Pose& pose) {
  static_pose_ = pose;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Geometry& geometry = parts_[i].geometry;
    if (std::holds_alternative<PlaneGeometry>(geometry)) {
      placePlane(geoms_[i].get(), std::get<PlaneGeometry>(geometry), pose * parts_[i].pose);
      continue;
    }
    const Pose placed = geomPose(geometry, pose * parts_[i].pose);
    checkPosition(name_, placed.translation);
    dMatrix3 rotation;
    rotationToOde(placed.rotation, rotation);
    const Vec3& t = placed.translation;
    dGeomSetPosition(geoms_[i].get(), real(t.x), real(t.y), real(t.z));
    dGeomSetRotation(geoms_[i].get(), rotation);
  }
}

void Body::setVelocity(const Vec3& linear, const Vec3& angular) {
  checkVelocity(name_, linear, angular);
  if (isStatic()) return;
  dBodySetLinearVel(body_.get(), real(linear.x), real(linear.y), real(linear.z));
  dBodySetAngularVel(body_.get(), real(angular.x), real(angular.y), real(angular.z));
}

void Body::addForceAt(const Vec3& force, const Vec3& point) {
  if (!odemesh::isFinite(force) || !odemesh::isFinite(point))
    refuse(name_, "a force or the point it acts at is not finite");
  if (isStatic()) return;
  dBodyAddForceAtPos(body_.get(), real(force.x), real(force.y), real(force.z), real(point.x), real(point.y),
                     real(point.z));
}

}  // namespace odemesh::sim
