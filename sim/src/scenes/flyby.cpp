// Small fast bodies at 60 steps a second that pass close by a body at rest, sliding or rolling, or hit the
// plate beside it: it must go on as if they were not there.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <odemesh/sim/random.hpp>
#include <string>
#include <vector>

#include "scenes/families.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

constexpr double kG = 9.81, kFriction = 0.3;
constexpr double kSlideSpeed = 3, kRollSpeed = 2, kBallRadius = 0.15;
constexpr Vec3 kBoxSize{0.4, 0.4, 0.2};

enum class Watched { kResting, kSliding, kRolling };
enum class Traffic { kNone, kPast, kLanding };

struct Flyby {
  Watched watched;
  Traffic traffic;
  double speed;  ///< m/s, of the fast bodies
};

/// Where a fast body goes, seen from the middle of the watched one.
struct Lane {
  Vec3 side;   ///< towards it
  Vec3 along;  ///< of its flight
};

// The lanes over the watched body and along its way keep their distance however it moves, and so does the one
// behind it.
constexpr double kDiagonal = 1 / std::numbers::sqrt2;
constexpr std::array kLanes = {
    Lane{{0, 0, 1}, {1, 0, 0}}, Lane{{0, 0, 1}, {0, 1, 0}},   Lane{{0, 0, 1}, {kDiagonal, kDiagonal, 0}},
    Lane{{0, 1, 0}, {1, 0, 0}}, Lane{{0, -1, 0}, {-1, 0, 0}}, Lane{{-1, 0, 0}, {0, 1, 0}}};
constexpr int kShapes = 3;
/// Each lane has one of each shape, some of which tumble.
constexpr int kFlyers = int(kLanes.size()) * kShapes;
/// Steps from one flight of a body to its next.
constexpr int kPeriod = 18;
static_assert(kPeriod % kFlyers == 0 || kFlyers % kPeriod == 0);

/// On which fast bodies land beside a watched one; beside a sliding one on the first two.
constexpr std::array<Vec3, 4> kSides = {Vec3{0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}};

/// Half of what a shape measures, its length first. No sphere around one is as large as the watched body.
constexpr std::array<Vec3, kShapes> kHalves = {
    Vec3{0.08, 0.04, 0.03}, {0.05, 0.05, 0.05}, {0.09, 0.015, 0.015}};

/// What lands is to land flat: a ball of facets would roll off to any side.
Geometry shapeOf(const SceneBuilder& b, int shape, Traffic traffic) {
  return shape == 1 && traffic == Traffic::kPast ? b.sphere(kHalves[1].x, 1)
                                                 : b.box(kHalves[std::size_t(shape)] * 2);
}

[[nodiscard]] bool tumbles(int flyer) {
  return flyer % 2 == 1;
}

/// How far a flyer reaches to the side of its flight.
[[nodiscard]] double reachOf(int flyer, const Vec3& side) {
  const Vec3& half = kHalves[std::size_t(flyer % kShapes)];
  if (tumbles(flyer)) return length(half);
  return side.z != 0 ? half.z : half.y;
}

[[nodiscard]] Vec3 halfOf(Watched watched) {
  return watched == Watched::kRolling ? Vec3{kBallRadius, kBallRadius, kBallRadius} : kBoxSize / 2;
}

[[nodiscard]] Mat3 facing(const Vec3& along) {
  return rotationAbout({0, 0, 1}, std::atan2(along.y, along.x));
}

/// Everything of a run but what it is judged by.
class FlybyRun {
 public:
  FlybyRun(const SceneOptions& options, const Flyby& flyby)
      : flyby_(flyby), builder_(options, settings()), frame_(builder_.frame()) {
    builder_.fixed("plate", builder_.box({40, 40, 0.02}), {0, 0, -0.01});
    addWatched();
    if (flyby_.traffic == Traffic::kNone) return;
    for (int i = 0; i < kFlyers; ++i) addFlyer(i);
  }

  [[nodiscard]] SceneRun finish(double duration) { return builder_.finish(duration); }

  /// Sends those off whose turn it is.
  void drive(World& world) {
    if (flyby_.traffic == Traffic::kNone) return;
    const std::uint64_t step = world.metrics().step;
    for (int i = 0; i < kFlyers; ++i)
      if (step % kPeriod == std::uint64_t(i % kPeriod)) send(world, i, step >= kPeriod);
  }

  [[nodiscard]] static const Body& watched(const World& world) { return world.body(1); }
  /// The most of its speed that any lost on its flight, as a share.
  [[nodiscard]] double speedLost() const { return speed_lost_; }
  /// How many were below the plate at the end of their flight.
  [[nodiscard]] int passed() const { return passed_; }

 private:
  [[nodiscard]] static WorldSettings settings() {
    WorldSettings settings;
    settings.surface.mu = kFriction;
    return settings;
  }

  void addWatched() {
    const double r = kBallRadius;
    switch (flyby_.watched) {
      case Watched::kResting:
        builder_.moving("box", builder_.box(kBoxSize), {0, 0, kBoxSize.z / 2});
        break;
      case Watched::kSliding:
        builder_.moving("box", builder_.box(kBoxSize), {-3, 0, kBoxSize.z / 2}, {}, {kSlideSpeed, 0, 0});
        break;
      case Watched::kRolling:
        builder_.moving("ball", builder_.sphere(r, 4), {-3, 0, r}, {}, {kRollSpeed, 0, 0},
                        {0, kRollSpeed / r, 0});
        break;
    }
  }

  /// High above all, until it is sent off.
  void addFlyer(int i) {
    BodySpec spec;
    spec.name = "fast " + std::to_string(i);
    spec.parts = {{shapeOf(builder_, i % kShapes, flyby_.traffic)}};
    spec.pose.translation = {0, 0, 20.0 + i};
    spec.has_gravity = flyby_.traffic == Traffic::kLanding;
    spec.group = 1;
    builder_.add(std::move(spec));
  }

  void send(World& world, int i, bool has_flown) {
    Body& flyer = world.body(2 + std::size_t(i));
    if (has_flown) {
      speed_lost_ = std::max(speed_lost_, 1 - frame_.length(length(flyer.linearVelocity())) / flyby_.speed);
      passed_ += frame_.point(flyer.centreOfMass()).z < 0 ? 1 : 0;
    }
    if (flyby_.traffic == Traffic::kPast)
      sendPast(world, i, flyer);
    else
      sendDown(world, i, flyer);
  }

  /// From two to three steps before the watched body, past it at 2 to 10 mm.
  void sendPast(const World& world, int i, Body& flyer) {
    const Lane& lane = kLanes[std::size_t(i / kShapes)];
    const double off =
        dot(halfOf(flyby_.watched), {std::abs(lane.side.x), std::abs(lane.side.y), lane.side.z}) +
        reachOf(i, lane.side) + random_.uniform(0.002, 0.01);
    const double ahead = flyby_.speed * world.settings().dt * random_.uniform(2, 3);
    Vec3 at = frame_.point(watched(world).centreOfMass()) + lane.side * off - lane.along * ahead;
    if (lane.side.z == 0) at.z = halfOf(flyby_.watched).z;
    const double spin = tumbles(i) ? 60 : 0;
    place(flyer, at, facing(lane.along), lane.along * flyby_.speed,
          Vec3{random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1)} * spin);
  }

  /// Down at the plate, flat, at 0.2 to 0.4 m from a side of the watched body, and along that side.
  void sendDown(const World& world, int i, Body& flyer) {
    const bool is_resting = flyby_.watched == Watched::kResting;
    const Vec3& side = kSides[std::size_t(i) % (is_resting ? 4 : 2)];
    const Vec3 along{-side.y, side.x, 0};
    const Vec3& half = kHalves[std::size_t(i % kShapes)];
    const Vec3 velocity = along * random_.uniform(-0.3, 0.3) - Vec3{0, 0, 1};
    const double flight = world.settings().dt * random_.uniform(2, 3);
    Vec3 landing = frame_.point(watched(world).centreOfMass()) +
                   side * (halfOf(flyby_.watched).x + half.y + random_.uniform(0.2, 0.4));
    landing.z = half.z;
    place(flyer, landing - velocity * (flyby_.speed * flight), facing(along), velocity * flyby_.speed, {});
  }

  void place(Body& flyer, const Vec3& at, const Mat3& rotation, const Vec3& velocity,
             const Vec3& spin) const {
    flyer.setPose({rotation, at * frame_.scale + frame_.offset});
    flyer.setVelocity(velocity * frame_.scale, spin);
  }

  Flyby flyby_;
  SceneBuilder builder_;
  SceneFrame frame_;
  Random random_{7};
  double speed_lost_ = 0;
  int passed_ = 0;
};

/// The watched body after each step.
struct Track {
  std::vector<Vec3> centre, velocity;
  std::vector<Mat3> rotation;

  void add(const Body& body, const SceneFrame& frame) {
    centre.push_back(frame.point(body.centreOfMass()));
    velocity.push_back(frame.vector(body.linearVelocity()));
    rotation.push_back(body.pose().rotation);
  }
};

[[nodiscard]] double durationOf(Watched watched) {
  return watched == Watched::kResting ? 4 : 0.9;
}

/// The same body with nothing that passes it.
[[nodiscard]] Track undisturbed(const SceneOptions& options, Watched watched) {
  FlybyRun flyby(options, {watched, Traffic::kNone, 0});
  const SceneFrame frame{options.scale, options.offset};
  SceneRun run = flyby.finish(durationOf(watched));
  Track out;
  while (!run.isDone()) {
    run.step();
    out.add(FlybyRun::watched(*run.world), frame);
  }
  return out;
}

/// How far it gets from where it would be.
void appendDisturbance(const Track& track, const Track& alone, std::vector<Figure>& out) {
  double moved = 0, turned = 0;
  for (std::size_t i = 0; i < std::min(track.centre.size(), alone.centre.size()); ++i) {
    moved = std::max(moved, length(track.centre[i] - alone.centre[i]));
    turned = std::max(turned, angleBetween(track.rotation[i], alone.rotation[i]));
  }
  out.push_back({.name = "moved by them", .value = moved * 1e3, .limit = 0.1, .unit = "mm"});
  out.push_back(
      {.name = "turned by them", .value = turned * 180 / std::numbers::pi, .limit = 0.01, .unit = "deg"});
}

/// Friction alone slows it down: by mu g, all the time.
[[nodiscard]] Figure decelerationOff(const Track& track, double dt) {
  const std::size_t early = track.velocity.size() / 8, late = track.velocity.size() * 7 / 8;
  const double lost = track.velocity[early].x - track.velocity[late].x;
  const double expected = kFriction * kG * dt * double(late - early);
  return {.name = "deceleration off", .value = std::abs(lost / expected - 1) * 100, .limit = 1, .unit = "%"};
}

[[nodiscard]] std::vector<Figure> figuresOf(const SceneOptions& options, const Flyby& flyby,
                                            const FlybyRun& run, const Track& track) {
  std::vector<Figure> out;
  const Track alone = undisturbed(options, flyby.watched);
  appendDisturbance(track, alone, out);
  if (flyby.watched == Watched::kSliding) out.push_back(decelerationOff(track, options.dt));
  if (flyby.watched == Watched::kRolling)
    out.push_back({.name = "speed lost to them",
                   .value = (1 - length(track.velocity.back()) / length(alone.velocity.back())) * 100,
                   .limit = 0.5,
                   .unit = "%"});
  if (flyby.traffic == Traffic::kPast)
    out.push_back(
        {.name = "lost by a fast one", .value = run.speedLost() * 100, .limit = 0.01, .unit = "% of speed"});
  else
    out.push_back({.name = "passed through", .value = double(run.passed()), .limit = 0, .unit = ""});
  return out;
}

SceneRun build(const SceneOptions& options, const Flyby& flyby) {
  const auto flights = std::make_shared<FlybyRun>(options, flyby);
  const auto track = std::make_shared<Track>();
  const SceneFrame frame{options.scale, options.offset};
  SceneRun run = flights->finish(durationOf(flyby.watched));
  run.drive = [flights](World& w) { flights->drive(w); };
  run.observe = [track, frame](const World& w) { track->add(FlybyRun::watched(w), frame); };
  run.judge = [=](World&) { return figuresOf(options, flyby, *flights, *track); };
  return run;
}

Scene flybyScene(const std::string& name, const std::string& what, const Flyby& flyby) {
  const std::string number = std::to_string(int(flyby.speed));
  Scene scene{
      "fast/" + name + "-" + number, what + " at " + number + " m/s", {}, true, [=](const SceneOptions& o) {
        return build(o, flyby);
      }};
  scene.options.dt = 1.0 / 60;
  return scene;
}

}  // namespace

std::vector<Scene> flybyScenes() {
  std::vector<Scene> out;
  for (const double speed : {20, 50, 100}) {
    const auto add = [&](const std::string& name, const std::string& what, Watched watched, Traffic traffic) {
      out.push_back(flybyScene(name, what, {watched, traffic, speed}));
    };
    add("past-resting", "small bodies close by a box at rest", Watched::kResting, Traffic::kPast);
    const Scene past = out.back();
    appendAskew(out, past);
    add("past-sliding", "small bodies close by a sliding box", Watched::kSliding, Traffic::kPast);
    add("past-rolling", "small bodies close by a rolling ball", Watched::kRolling, Traffic::kPast);
    add("beside-resting", "small bodies at the plate beside a box at rest", Watched::kResting,
        Traffic::kLanding);
    const Scene resting = out.back();
    appendFewContacts(out, resting);
    add("beside-sliding", "small bodies at the plate beside a sliding box", Watched::kSliding,
        Traffic::kLanding);
  }
  return out;
}

}  // namespace odemesh::sim
