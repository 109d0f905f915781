// Nets of rings: lying rings at the points of a grid, joined by standing ones.
#include <algorithm>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/overlap.hpp"
#include "scenes/variants.hpp"

namespace odemesh::sim {
namespace {

constexpr double kMajor = 0.2, kTube = 0.05;
constexpr double kPitch = 2 * (kMajor - kTube);  ///< m, from a ring to the next as they touch

struct NetSpec {
  int side;             ///< lying rings along an edge
  int segments, sides;  ///< of a ring
  double ball;          ///< m, radius; 0: none
};

/// A net in the x-y plane around the origin; its bodies are the world's first.
class Net {
 public:
  /// Places its rings `pitch` apart, and holds those at its corners.
  Net(SceneBuilder& builder, const NetSpec& spec, double pitch)
      : builder_(builder), side_(spec.side), pitch_(pitch) {
    ring_ = builder.mesh(makeTorus(kMajor, kTube, spec.segments, spec.sides));
    for (int i = 0; i < side_ * side_; ++i) addLying(i % side_, i / side_);
    for (int i = 0; i < side_ * side_; ++i) {
      const int x = i % side_, y = i / side_;
      if (x + 1 < side_) addJoining(i, i + 1, rotationAbout({1, 0, 0}, std::numbers::pi / 2));
      if (y + 1 < side_) addJoining(i, i + side_, rotationAbout({0, 1, 0}, std::numbers::pi / 2));
    }
  }
  [[nodiscard]] const std::vector<LinkWatch::Link>& links() const { return links_; }

 private:
  void addLying(int x, int y) {
    const double middle = 0.5 * (side_ - 1);
    const Vec3 at = Vec3{x - middle, y - middle, 0} * (2 * pitch_);
    const bool is_corner = x % (side_ - 1) == 0 && y % (side_ - 1) == 0;
    if (is_corner)
      builder_.fixed("corner", ring_, at);
    else
      builder_.moving("ring", ring_, at);
    places_.push_back(at);
  }
  void addJoining(std::size_t a, std::size_t b, const Mat3& rotation) {
    const std::size_t own = places_.size() + links_.size() / 2;
    builder_.moving("joining ring", ring_, (places_[a] + places_[b]) / 2, rotation);
    links_.emplace_back(a, own);
    links_.emplace_back(own, b);
  }

  SceneBuilder& builder_;
  int side_;
  double pitch_;
  Geometry ring_;
  std::vector<Vec3> places_;
  std::vector<LinkWatch::Link> links_;
};

/// The greatest share of the pitch at which rings do not overlap yet; facets make holes narrower.
double freePitch(const SceneOptions& options, NetSpec spec) {
  spec.side = 2;
  for (int percent = 98; percent > 90; --percent) {
    const double share = percent / 100.0;
    SceneBuilder trial(options);
    const Net net(trial, spec, kPitch * share);
    if (greatestOverlap(trial.world()) == 0) return share;
  }
  return 0.9;
}

void addBall(SceneBuilder& builder, double radius) {
  BodySpec ball;
  ball.name = "ball";
  ball.parts = {{builder.mesh(makeIcosphere(radius, 3))}};
  ball.pose.translation = {0.03, 0.05, radius + 0.3};
  ball.density = 100;
  builder.add(std::move(ball));
}

// Held at its corners, with a ball that falls into it.
SceneRun hangingNet(const SceneOptions& options, const NetSpec& spec) {
  SceneBuilder builder(options);
  const Net net(builder, spec, kPitch * freePitch(options, spec));
  if (spec.ball > 0) addBall(builder, spec.ball);
  const SceneFrame frame = builder.frame();
  const double size = kPitch * 2 * (spec.side - 1);
  // A net swings for some 900 steps before it hangs at rest.
  const double settling = std::max(4.0, 900 * options.dt);
  SceneRun run =
      judgedHolding(builder, options.quick ? settling : 15, {.radius = kTube, .speed = 0.5, .floor = -size});
  addLongestStep(run, LinkWatch(frame, net.links()), kPitch, kTube);
  return run;
}

Scene netScene(const std::string& name, const std::string& description, const NetSpec& spec) {
  return {
      "nets/" + name, description, {}, false, [spec](const SceneOptions& o) { return hangingNet(o, spec); }};
}

}  // namespace

std::vector<Scene> netScenes() {
  std::vector<Scene> out;
  const Scene coarse =
      netScene("coarse", "a net of 21 rings of 80 triangles hung from its corners", {3, 8, 5, 0});
  out.push_back(coarse);
  appendCoarseStep(out, coarse);
  appendExactSolver(out, Scene(out.back()));
  const Scene caught =
      netScene("ball", "a ball dropped into a net of 40 rings of 80 triangles", {4, 8, 5, 0.4});
  out.push_back(caught);
  appendCoarseStep(out, caught);
  appendScales(out, caught);
  out.push_back(netScene("fine", "a net of 21 rings of 512 triangles hung from its corners", {3, 32, 8, 0}));
  out.push_back(
      netScene("fine-ball", "a ball dropped into a net of 40 rings of 512 triangles", {4, 32, 8, 0.4}));
  return out;
}

}  // namespace odemesh::sim
