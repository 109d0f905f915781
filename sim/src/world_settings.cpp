#include <odemesh/sim/collision_pass.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/world_settings.hpp>
#include <sstream>
#include <string_view>

namespace odemesh::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Beyond this, the integer cells of ODE's hash space overflow in a single-precision build.
constexpr double kFarthest = 1e6;
constexpr double kGreatestAcceleration = 1e6;

// Written so that NaN fails.
void checkRange(std::string_view what, double value, double least, double greatest) {
  if (value >= least && value <= greatest) return;
  std::ostringstream message;
  message << what << " is " << value << "; it has to be ";
  if (greatest == kInfinity) {
    message << least << " or more";
  } else {
    message << "from " << least << " to " << greatest;
  }
  throw InputError(message.str());
}

void checkVector(std::string_view what, const Vec3& v, double greatest) {
  for (int axis = 0; axis < 3; ++axis) checkRange(what, v[axis], -greatest, greatest);
}

void checkKillBox(const WorldSettings& settings) {
  checkVector("kill_min", settings.kill_min, kFarthest);
  checkVector("kill_max", settings.kill_max, kFarthest);
  for (int axis = 0; axis < 3; ++axis)
    if (!(settings.kill_min[axis] < settings.kill_max[axis]))
      throw InputError(
          "the kill box is empty; every coordinate of kill_min has to be below that of kill_max");
}

}  // namespace

std::string_view solverName(Solver solver) {
  return solver == Solver::kExact ? "exact" : "quick";
}

void validate(const Surface& surface) {
  checkRange("friction mu", surface.mu, 0, kInfinity);
  checkRange("restitution", surface.restitution, 0, 1);
  checkRange("bounce threshold (m/s)", surface.bounce_threshold, 0, kGreatestAcceleration);
  if (surface.erp) checkRange("contact ERP", *surface.erp, 0, 1);
  if (surface.cfm) checkRange("contact CFM", *surface.cfm, 0, kFarthest);
  if (surface.mu2) checkRange("friction mu2", *surface.mu2, 0, kInfinity);
  checkVector("friction direction", surface.friction_direction, kFarthest);
  checkRange("slip1 (m/(N s))", surface.slip1, 0, kFarthest);
  checkRange("slip2 (m/(N s))", surface.slip2, 0, kFarthest);
  if (surface.spring) {
    checkRange("contact stiffness (N/m)", surface.spring->stiffness, 1e-9, 1e30);
    checkRange("contact damping (N s/m)", surface.spring->damping, 0, 1e30);
  }
  if (surface.surface_layer) checkRange("surface layer (m)", *surface.surface_layer, 0, kFarthest);
  checkRange("surface's greatest correcting speed (m/s)", surface.max_correcting_speed, 0, kInfinity);
}

void validate(const WorldSettings& settings) {
  checkVector("gravity (m/s2)", settings.gravity, kGreatestAcceleration);
  checkRange("time step dt (s)", settings.dt, 1e-6, 0.1);
  checkRange("solver iterations", settings.iterations, 1, 10000);
  checkRange("solver relaxation", settings.relaxation, 1e-3, 2);
  checkRange("ERP", settings.erp, 0, 1);
  checkRange("CFM", settings.cfm, 0, kFarthest);
  checkRange("most contacts of a pair (max contacts)", settings.max_contacts, 1, 0xffff);
  checkRange("threads", settings.threads, 1, CollisionPass::kMostThreads);
  checkRange("surface layer (m)", settings.surface_layer, 0, kFarthest);
  checkRange("greatest correcting speed (m/s)", settings.max_correcting_speed, 0, kInfinity);
  validate(settings.surface);
  checkKillBox(settings);
}

}  // namespace odemesh::sim
