// Links, hooks and rings under tension.
#include <cmath>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/mesh_files.hpp"
#include "scenes/meshes.hpp"
#include "scenes/overlap.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

/// A link with its long way along x and its hole seen along z.
struct Link {
  TriangleMesh mesh;
  double pitch;  ///< m, from link to link as they touch
  double tube;   ///< m, the radius of the bar
};

Link ringLink(int segments, int sides) {
  const double major = 0.2, minor = 0.05;
  return {makeTorus(major, minor, segments, sides), 2 * (major - minor), minor};
}

// 1.5 long and 1 wide in its file, with a bar of 0.095 in radius.
std::optional<Link> fileLink() {
  const auto mesh = exampleMesh("chain-link.obj");
  if (!mesh) return std::nullopt;
  TriangleMesh lying = *mesh;
  for (Vec3& v : lying.vertices) v = Vec3{v.y, -v.x, v.z} * 0.4;
  return Link{lying, 0.4 * (1.5 - 4 * 0.0951), 0.4 * 0.095};
}

struct ChainSpec {
  Link link;
  int count;
  Vec3 direction;       ///< from the fixed end on
  TriangleMesh load{};  ///< welded to one more link, with its x pointing away from the chain; may be empty
  double reach = 0;     ///< m, from the load's origin back to where that link begins
};

/// The rotation that takes x to `direction` and turns every other link by a right angle about it.
Mat3 linkRotation(const Vec3& direction, int index) {
  const Vec3 x = normalised(direction);
  const Vec3 y = normalised(cross({0, 1, 0}, x)), z = cross(x, y);
  const Vec3 a = index % 2 == 0 ? y : z, b = index % 2 == 0 ? z : -y;
  return Mat3{{x, a, b}}.transposed();
}

void addLoad(SceneBuilder& builder, const ChainSpec& chain, const Geometry& link, const Vec3& position) {
  BodySpec spec;
  spec.name = "load";
  const Vec3 below{chain.reach + chain.link.pitch / 2, 0, 0};
  spec.parts = {{link}, {builder.mesh(chain.load), Pose{{}, below}}};
  spec.pose = {linkRotation(chain.direction, chain.count), position};
  builder.add(std::move(spec));
}

/// The share of the pitch at which neighbouring links do not overlap; facets make holes narrower.
double freePitch(const SceneOptions& options, const ChainSpec& chain) {
  for (int thousandths = 995; thousandths > 800; thousandths -= 5) {
    const double share = thousandths / 1000.0;
    SceneBuilder trial(options);
    const Geometry link = trial.mesh(chain.link.mesh);
    for (int i = 0; i < 3; ++i)
      trial.moving("link", link, normalised(chain.direction) * (chain.link.pitch * share * i),
                   linkRotation(chain.direction, i));
    if (greatestOverlap(trial.world()) == 0) return share;
  }
  return 0.8;
}

SceneRun chainRun(const SceneOptions& options, const ChainSpec& chain, double duration) {
  SceneBuilder builder(options);
  const Geometry link = builder.mesh(chain.link.mesh);
  const double step = chain.link.pitch * freePitch(options, chain);
  const Vec3 along = normalised(chain.direction);
  builder.fixed("anchor", link, {}, linkRotation(chain.direction, 0));
  for (int i = 1; i < chain.count; ++i)
    builder.moving("link " + std::to_string(i), link, along * (step * i), linkRotation(chain.direction, i));
  if (!chain.load.triangles.empty()) addLoad(builder, chain, link, along * (step * chain.count));
  const SceneFrame frame = builder.frame();
  SceneRun run = judgedHolding(builder, duration,
                               {.radius = chain.link.tube, .speed = std::numeric_limits<double>::infinity()});
  std::vector<LinkWatch::Link> links;
  for (std::size_t i = 0; i + 1 < run.world->bodyCount(); ++i) links.emplace_back(i, i + 1);
  addLongestStep(run, LinkWatch(frame, std::move(links)), chain.link.pitch, chain.link.tube);
  return run;
}

Scene chainScene(const std::string& name, const std::string& description, const ChainSpec& chain) {
  return {"chains/" + name, description, {}, false, [chain](const SceneOptions& o) {
            return chainRun(o, chain, o.quick ? 4 : 20);
          }};
}

// An anchor, drawn in the x-y plane with its crown at the right: a shank of 1 m that runs out into two curved
// arms, each with a palm at its end. Its origin is at the shank's left end.
TriangleMesh anchor() {
  std::vector<Point2> outline;
  const auto arm = [&](double radius, double from, double to) {
    for (int i = 0; i <= 8; ++i) {
      const double angle = from + (to - from) * i / 8;
      outline.push_back({0.5 + radius * std::cos(angle), radius * std::sin(angle)});
    }
  };
  const double end = 1.3;  // radians from the crown
  outline.push_back({0, -0.05});
  outline.push_back({0.4, -0.05});
  arm(0.4, -0.15, -end);
  outline.push_back({0.48, -0.4});
  outline.push_back({0.56, -0.62});
  arm(0.52, -end, end);
  outline.push_back({0.56, 0.62});
  outline.push_back({0.48, 0.4});
  arm(0.4, end, 0.15);
  outline.push_back({0.4, 0.05});
  outline.push_back({0, 0.05});
  return extruded(outline, 0.1);
}

// A hook, drawn in the x-y plane with its opening upwards on the right and its eye's bar at the top left.
TriangleMesh hook() {
  std::vector<Point2> outline;
  const double inner = 0.15, outer = 0.25;
  const auto arc = [&](double radius, double from, double to) {
    for (int i = 0; i <= 12; ++i) {
      const double angle = from + (to - from) * i / 12;
      outline.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
  };
  arc(outer, std::numbers::pi, 2 * std::numbers::pi);
  outline.push_back({outer, 0.1});
  outline.push_back({inner, 0.1});
  arc(inner, 2 * std::numbers::pi, std::numbers::pi);
  outline.push_back({-inner, 0.6});
  outline.push_back({-outer, 0.6});
  return extruded(outline, 0.1);
}

// Two hooks, one upside down, bar on bar.
SceneRun hooks(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Geometry geometry = builder.mesh(hook());
  const Mat3 upright = rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  builder.fixed("upper", geometry, {}, upright);
  const Mat3 turned =
      rotationAbout({0, 0, 1}, std::numbers::pi / 2) * rotationAbout({0, 1, 0}, std::numbers::pi) * upright;
  builder.moving("lower", geometry, {0, 0, -0.28}, turned);

  return judgedHolding(builder, options.quick ? 4 : 20, {.radius = 0.05, .speed = 0.5, .floor = -1.2});
}

// A ring swings and rolls on a pin.
SceneRun ringOnPin(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Mat3 lying = rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  builder.fixed("pin", builder.mesh(makeCylinder(0.1, 1, 32)), {}, lying);
  const double hang = 0.3 - 0.05 - 0.1, lean = 0.7;
  builder.moving("ring", builder.mesh(makeTorus(0.3, 0.05, 48, 16)),
                 {hang * std::sin(lean), 0, -hang * std::cos(lean) + 1e-3}, lying);
  return judgedHolding(builder, options.quick ? 5 : 20,
                       {.radius = 0.05, .speed = std::numeric_limits<double>::infinity(), .floor = -0.25});
}

}  // namespace

std::vector<Scene> chainScenes() {
  const double inf_slope = std::tan(1.0);
  std::vector<Scene> out;
  const Scene ring = chainScene("rings", "a hanging chain of six rings", {ringLink(32, 16), 6, {0, 0, -1}});
  out.push_back(ring);
  appendCoarseStep(out, ring);
  appendScales(out, ring);
  const Scene coarse =
      chainScene("coarse", "a hanging chain of six rings of 80 triangles", {ringLink(8, 5), 6, {0, 0, -1}});
  out.push_back(coarse);
  appendCoarseStep(out, coarse);
  out.push_back(chainScene("swing", "a chain of six rings, let go at an angle",
                           {ringLink(32, 16), 6, {inf_slope, 0, -1}}));
  if (const auto link = fileLink()) {
    const Scene links = chainScene("links", "a hanging chain of eight links", {*link, 8, {0, 0, -1}});
    out.push_back(links);
    appendCoarseStep(out, links);
    const Scene long_chain = chainScene("long", "a hanging chain of twenty links", {*link, 20, {0, 0, -1}});
    out.push_back(long_chain);
    appendCoarseStep(out, long_chain);
    const Scene wrecking = chainScene("wrecking-ball", "a ball on a chain of eight links, let go at an angle",
                                      {*link, 8, {1, 0, -1}, makeIcosphere(0.4, 3), 0.4});
    out.push_back(wrecking);
    appendCoarseStep(out, wrecking);
  }
  for (const auto& [name, direction] : {std::pair{"anchor", Vec3{0, 0, -1}}, {"anchor-swing", {1, 0, -1}}}) {
    const Scene hanging = chainScene(name,
                                     std::string("an anchor on a chain of eight rings of 80 triangles") +
                                         (direction.x > 0 ? ", let go at an angle" : ""),
                                     {ringLink(8, 5), 8, direction, anchor(), 0});
    out.push_back(hanging);
    appendCoarseStep(out, hanging);
  }
  out.push_back({"chains/hooks", "a hook on a hook, bar on bar", {}, false, &hooks});
  out.push_back({"chains/pin", "a ring that swings on a pin", {}, false, &ringOnPin});
  return out;
}

}  // namespace odemesh::sim
