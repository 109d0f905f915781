#include "plan.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <odemesh/sim/column.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_source.hpp>
#include <odemesh/sim/rest_monitor.hpp>
#include <odemesh/sim/world_file.hpp>
#include <sstream>

#include "ground.hpp"

namespace odemesh::sandbox {
namespace {

using Meshes = std::vector<std::shared_ptr<const sim::CollisionMesh>>;

constexpr std::uint64_t kMostSteps = 1'000'000'000;

Meshes loadMeshes(const Options& options, std::vector<std::string>& warnings) {
  Meshes meshes;
  for (const std::string& file : options.files) {
    const sim::LoadedMesh loaded = sim::loadMeshSource(file, options.load);
    warnings.insert(warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
    const auto& mesh = meshes.emplace_back(sim::CollisionMesh::make(loaded.mesh));
    warnings.insert(warnings.end(), mesh->massWarnings().begin(), mesh->massWarnings().end());
  }
  return meshes;
}

std::vector<double> radiiOf(const Meshes& meshes, std::size_t count) {
  std::vector<double> radii;
  for (std::size_t i = 0; i < count; ++i) radii.push_back(meshes[i % meshes.size()]->boundingRadius());
  return radii;
}

// `centre` is the pose of the centre of mass.
sim::BodySpec bodyOf(const std::shared_ptr<const sim::CollisionMesh>& mesh, const Pose& centre,
                     std::size_t index, const Options& options) {
  sim::BodySpec spec;
  spec.name = mesh->mesh().name + " #" + std::to_string(index + 1);
  spec.parts.push_back({sim::MeshGeometry{mesh}});
  spec.pose = {centre.rotation, centre.translation - centre.rotate(mesh->origin())};
  spec.density = options.density;
  spec.mass = options.mass;
  return spec;
}

// ODE's softness is per mass: what goes unnoticed below a body of a tonne lets one of a kilometre sink in.
double cfmFor(const Meshes& meshes, const Options& options) {
  constexpr double kTonne = 1000;
  double heaviest = kTonne;
  for (const auto& mesh : meshes)
    heaviest = std::max(heaviest, options.mass.value_or(options.density * mesh->unitDensity().mass));
  return sim::WorldSettings{}.cfm * (kTonne / heaviest);
}

std::uint64_t stepsOf(const Options& options, double dt, double default_seconds) {
  if (options.steps) return *options.steps;
  const double steps = std::ceil(options.seconds.value_or(default_seconds) / dt - 1e-9);
  if (steps > static_cast<double>(kMostSteps))
    throw sim::InputError(
        "--seconds over --dt makes more than 1e9 steps; give a shorter time or longer steps");
  return static_cast<std::uint64_t>(std::max(1.0, steps));
}

// Far enough out that only what has been lost gets there: below the ground, or thrown away by the solver.
void setBounds(sim::WorldSettings& settings, const Ground& ground, const sim::Column& column, double radius) {
  const double reach = 2 * ground.reach + 10 * (column.top - ground.level) + 100 * radius;
  const auto limit = [](double z) { return std::clamp(z, -1e6, 1e6); };
  settings.kill_min = {limit(ground.centre.x - reach), limit(ground.centre.y - reach),
                       limit(ground.level - 2 * radius)};
  settings.kill_max = {limit(ground.centre.x + reach), limit(ground.centre.y + reach),
                       limit(ground.level + reach)};
}

double largestRadius(const sim::World& world) {
  double radius = 0;
  for (std::size_t i = 0; i < world.bodyCount(); ++i)
    if (!world.body(i).isStatic()) radius = std::max(radius, world.body(i).boundingRadius());
  return radius;
}

Plan planOfScene(const Options& options) {
  Plan plan;
  plan.scene = sim::findScene(options.scene);
  if (plan.scene == nullptr)
    throw sim::InputError("--scene: there is no scene '" + options.scene + "'; --scene list names them");
  const sim::SceneRun run = makeRun(plan, options.world.collider);
  plan.settings = run.world->settings();
  plan.settings.threads = options.world.threads;
  plan.steps = stepsOf(options, plan.settings.dt, run.duration > 0 ? run.duration : kDefaultSeconds);
  plan.rest_threshold = options.rest_speed.value_or(
      sim::restThreshold(length(plan.settings.gravity), largestRadius(*run.world)));
  return plan;
}

// A world brings its settings with it, apart from the collider.
Plan planOfWorld(const Options& options) {
  if (options.files.size() != 1)
    throw sim::InputError(options.files[0] +
                          ": a world has to be the only file; give one file, or meshes alone");
  sim::WorldFileOptions from;
  from.model_path.assign(options.model_path.begin(), options.model_path.end());
  from.collider = options.world.collider;
  sim::WorldDescription world = sim::loadWorldFile(options.files[0], from);
  Plan plan;
  plan.settings = world.settings;
  plan.settings.threads = options.world.threads;
  plan.bodies = std::move(world.bodies);
  plan.joints = std::move(world.joints);
  plan.warnings = std::move(world.warnings);
  plan.steps = stepsOf(options, plan.settings.dt, kDefaultSeconds);
  const sim::SceneRun run = makeRun(plan, options.world.collider);
  plan.rest_threshold = options.rest_speed.value_or(
      sim::restThreshold(length(plan.settings.gravity), largestRadius(*run.world)));
  return plan;
}

}  // namespace

Plan makePlan(const Options& options) {
  if (!options.scene.empty()) return planOfScene(options);
  if (std::any_of(options.files.begin(), options.files.end(), &sim::isWorldFile)) return planOfWorld(options);
  Plan plan;
  plan.settings = options.world;
  plan.steps = stepsOf(options, options.world.dt, kDefaultSeconds);
  const Meshes meshes = loadMeshes(options, plan.warnings);
  plan.settings.cfm = options.cfm.value_or(cfmFor(meshes, options));
  const std::vector<double> radii = radiiOf(meshes, options.count.value_or(meshes.size()));
  const auto largest = std::max_element(radii.begin(), radii.end());
  const double radius = *largest;
  const std::string& from = options.files[std::size_t(largest - radii.begin()) % options.files.size()];
  const double drop = options.drop.value_or(radius);

  sim::Column column = sim::arrangeColumn(radii, {options.seed, options.spacing, 0});
  Ground ground = makeGround(options.ground, {column.radius, column.top + drop, radius, radii.size(), from});
  plan.warnings.insert(plan.warnings.end(), ground.warnings.begin(), ground.warnings.end());
  plan.ground_level = ground.level;
  plan.bodies.push_back(std::move(ground.body));
  const Vec3 base{ground.centre.x, ground.centre.y, ground.top + drop};
  for (std::size_t i = 0; i < radii.size(); ++i) {
    column.poses[i].translation += base;
    plan.bodies.push_back(bodyOf(meshes[i % meshes.size()], column.poses[i], i, options));
  }
  column.top += base.z;
  plan.rest_threshold = options.rest_speed.value_or(sim::restThreshold(std::abs(options.gravity), radius));
  setBounds(plan.settings, ground, column, radius);
  return plan;
}

sim::SceneRun makeRun(const Plan& plan, sim::Collider collider) {
  if (plan.scene != nullptr) {
    sim::SceneOptions options = plan.scene->options;
    options.collider = collider;
    sim::SceneRun run = plan.scene->build(options);
    run.world->setThreads(plan.settings.threads);
    return run;
  }
  sim::SceneRun run;
  sim::WorldSettings settings = plan.settings;
  settings.collider = collider;
  run.world = std::make_unique<sim::World>(settings);
  for (const sim::BodySpec& body : plan.bodies) run.world->addBody(body);
  for (const sim::JointSpec& joint : plan.joints) run.world->addJoint(joint);
  return run;
}

std::string listOfScenes() {
  std::ostringstream out;
  for (const sim::Scene& scene : sim::allScenes())
    out << std::left << std::setw(34) << scene.name << scene.description << "\n";
  return out.str();
}

}  // namespace odemesh::sandbox
