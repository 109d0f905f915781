#include "cost.hpp"

#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace odemesh::sim {
namespace {

/// Steps of a scene that has no duration.
constexpr int kPoseSteps = 40;

/// Fewer steps have no median worth the name.
constexpr int kFewSteps = 5;

/// A turn of one collider ends after so many steps, or so much time. A program has one collider, which finds
/// its code and data in the processor's caches; after a step with the other one, half a microsecond's work
/// takes twice as long.
constexpr std::size_t kTurnSteps = 64;
constexpr std::chrono::milliseconds kTurnTime{20};

using Clock = std::chrono::steady_clock;

struct BodyState {
  std::array<dReal, 3> position, linear, angular;
  std::array<dReal, 12> rotation;
};

template <std::size_t kCount>
std::array<dReal, kCount> copyOf(const dReal* values) {
  std::array<dReal, kCount> out;
  std::copy_n(values, kCount, out.begin());
  return out;
}

std::vector<BodyState> statesOf(const World& world) {
  std::vector<BodyState> out;
  for (std::size_t i = 0; i < world.bodyCount(); ++i) {
    dBodyID body = world.body(i).odeBody();
    if (body == nullptr) continue;
    out.push_back({copyOf<3>(dBodyGetPosition(body)), copyOf<3>(dBodyGetLinearVel(body)),
                   copyOf<3>(dBodyGetAngularVel(body)), copyOf<12>(dBodyGetRotation(body))});
  }
  return out;
}

void setStates(World& world, const std::vector<BodyState>& states) {
  auto state = states.begin();
  for (std::size_t i = 0; i < world.bodyCount(); ++i) {
    dBodyID body = world.body(i).odeBody();
    if (body == nullptr) continue;
    dBodySetPosition(body, state->position[0], state->position[1], state->position[2]);
    dBodySetRotation(body, state->rotation.data());
    dBodySetLinearVel(body, state->linear[0], state->linear[1], state->linear[2]);
    dBodySetAngularVel(body, state->angular[0], state->angular[1], state->angular[2]);
    ++state;
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Measured {
 public:
  void add(const StepMetrics& metrics, bool has_pairs) {
    if (!has_pairs) return;
    collision_.push_back(metrics.collision_ms);
    step_.push_back(metrics.collision_ms + metrics.solver_ms);
    contacts_.push_back(static_cast<double>(metrics.contacts));
  }
  [[nodiscard]] int steps() const { return static_cast<int>(step_.size()); }
  [[nodiscard]] Cost cost() const { return {median(collision_), median(step_), median(contacts_)}; }

 private:
  std::vector<double> collision_, step_, contacts_;
};

/// Meshes are preprocessed when they are first met; ODE does so when they are made.
void meetMeshes(const World& world) {
  useCollider(world.settings().collider);
  const int count = dSpaceGetNumGeoms(world.odeSpace());
  dContactGeom room;
  for (int i = 1; i < count; ++i)
    dCollide(dSpaceGetGeom(world.odeSpace(), 0), dSpaceGetGeom(world.odeSpace(), i), 1, &room, sizeof room);
}

SceneRun buildWith(const Scene& scene, SceneOptions options, Collider collider) {
  options.collider = collider;
  SceneRun run = scene.build(options);
  meetMeshes(*run.world);
  return run;
}

/// The two runs of a scene.
class Race {
 public:
  Race(const Scene& scene, const SceneOptions& options, CostStates states)
      : states_(states),
        odemesh_(buildWith(scene, options, Collider::kOdemesh)),
        ode_(buildWith(scene, options, Collider::kOde)) {}

  template <typename GoesOn>
  void run(GoesOn&& goes_on) {
    if (odemesh_.duration == 0) return runPose();
    while (goes_on() && !odemesh_.isDone()) {
      const std::vector<Step> steps = turnOfOdemesh();
      for (const Step& step : steps) {
        if (states_ == CostStates::kSame) setStates(*ode_.world, step.begin);
        stepOde();
        odemesh_cost_.add(step.metrics, hasPairs(step.metrics));
      }
    }
  }

  [[nodiscard]] CostReport report() const {
    const int steps = std::min(odemesh_cost_.steps(), ode_cost_.steps());
    return {odemesh_cost_.cost(), ode_cost_.cost(), steps < kFewSteps ? 0 : steps, {}};
  }

 private:
  struct Step {
    std::vector<BodyState> begin;
    StepMetrics metrics;
  };

  /// Only odemesh counts pairs of bodies that a joint connects; of the same states, the same steps are
  /// measured.
  [[nodiscard]] bool hasPairs(const StepMetrics& metrics) const {
    return (states_ == CostStates::kSame ? ode_.world->metrics() : metrics).pairs > 0;
  }

  void runPose() {
    const auto beginning = statesOf(*odemesh_.world);
    for (int i = 0; i < kPoseSteps; ++i) {
      setStates(*odemesh_.world, beginning);
      odemesh_.step();
      odemesh_cost_.add(odemesh_.world->metrics(), odemesh_.world->metrics().pairs > 0);
    }
    for (int i = 0; i < kPoseSteps; ++i) {
      setStates(*ode_.world, beginning);
      stepOde();
    }
  }

  [[nodiscard]] std::vector<Step> turnOfOdemesh() {
    const auto end = Clock::now() + kTurnTime;
    std::vector<Step> steps;
    do {
      steps.push_back({statesOf(*odemesh_.world), {}});
      odemesh_.step();
      steps.back().metrics = odemesh_.world->metrics();
    } while (steps.size() < kTurnSteps && !odemesh_.isDone() && Clock::now() < end);
    return steps;
  }

  void stepOde() {
    if (ode_.world->failure()) return;
    ode_.step();
    ode_cost_.add(ode_.world->metrics(), ode_.world->metrics().pairs > 0);
  }

  CostStates states_;
  SceneRun odemesh_, ode_;
  Measured odemesh_cost_, ode_cost_;
};

}  // namespace

CostReport measureCost(const Scene& scene, const SceneOptions& options, CostStates states, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  try {
    Race race(scene, options, states);
    race.run([end] { return Clock::now() < end; });
    return race.report();
  } catch (const std::exception& error) {
    CostReport failed;
    failed.failure = error.what();
    return failed;
  }
}

}  // namespace odemesh::sim
