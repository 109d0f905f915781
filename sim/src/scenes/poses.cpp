// Two bodies in one pose, nothing moving: contacts against closed forms.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>
#include <optional>

#include "scenes/builder.hpp"
#include "scenes/families.hpp"
#include "scenes/hull.hpp"
#include "scenes/meshes.hpp"
#include "scenes/variants.hpp"

namespace odemesh::sim {
namespace {

/// What is known of one direction in which the two bodies touch, in the frame of the first body.
struct ExpectedPatch {
  Vec3 normal;  ///< into the second body
  double depth;
  std::optional<double> area{};  ///< m2, where the contacts should span one
};

struct PoseCase {
  TriangleMesh first, second;
  Pose pose{};  ///< of the second body in the frame of the first
  std::vector<ExpectedPatch> patches;
  bool touching_only = false;  ///< no overlap: no contact is fine
};

/// The same pair, differently stored or placed.
struct Version {
  Pose placed{};
  bool shuffle_triangles = false, shuffle_vertices = false, swapped = false;
};

/// The worst over the versions.
struct Findings {
  double normal_off = 0;    ///< degrees, of any contact from the nearest expected normal
  double depth_off = 0;     ///< share of the expected depth
  double uncovered = 0;     ///< share of the expected area
  double not_positive = 0;  ///< contacts of depth 0 or less
};

void shuffleTriangles(TriangleMesh& mesh, Random& random) {
  for (std::size_t i = mesh.triangles.size(); i > 1; --i)
    std::swap(mesh.triangles[i - 1], mesh.triangles[static_cast<std::size_t>(random.uniform() * double(i))]);
  for (auto& triangle : mesh.triangles)
    std::rotate(triangle.begin(), triangle.begin() + static_cast<int>(random.uniform() * 3), triangle.end());
}

void shuffleVertices(TriangleMesh& mesh, Random& random) {
  std::vector<std::uint32_t> to(mesh.vertices.size());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::uint32_t>(i);
  for (std::size_t i = to.size(); i > 1; --i)
    std::swap(to[i - 1], to[static_cast<std::size_t>(random.uniform() * double(i))]);
  std::vector<Vec3> vertices(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) vertices[to[i]] = mesh.vertices[i];
  mesh.vertices = std::move(vertices);
  for (auto& triangle : mesh.triangles)
    for (std::uint32_t& index : triangle) index = to[index];
}

std::vector<Version> versions() {
  Random random(5);
  std::vector<Version> out(4);
  out[1].shuffle_triangles = true;
  out[2].shuffle_vertices = true;
  out[3].swapped = true;
  for (int i = 0; i < 4; ++i) {
    Version moved;
    moved.placed = {random.rotation(), {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)}};
    moved.swapped = i % 2 == 1;
    moved.shuffle_triangles = i > 1;
    out.push_back(moved);
  }
  return out;
}

SceneRun buildPose(const SceneOptions& options, const PoseCase& pair, const Version& version) {
  WorldSettings settings;
  settings.gravity = {};
  SceneBuilder builder(options, settings);
  TriangleMesh meshes[2] = {pair.first, pair.second};
  Random random(17);
  for (TriangleMesh& mesh : meshes) {
    if (version.shuffle_triangles) shuffleTriangles(mesh, random);
    if (version.shuffle_vertices) shuffleVertices(mesh, random);
  }
  const Pose poses[2] = {version.placed, version.placed * pair.pose};
  for (int i = 0; i < 2; ++i) {
    const int body = version.swapped ? 1 - i : i;
    builder.moving(body == 0 ? "first" : "second", builder.mesh(meshes[body]), poses[body].translation,
                   poses[body].rotation);
  }
  return builder.finish(0);
}

struct LocalContact {
  Vec3 position, normal;  ///< frame of the first body at unit scale; the normal points into the second
  double depth;
};

std::vector<LocalContact> contactsOf(const SceneOptions& options, const PoseCase& pair,
                                     const Version& version) {
  SceneRun run = buildPose(options, pair, version);
  run.step();
  const SceneFrame frame{options.scale, options.offset};
  const std::size_t second = version.swapped ? 0 : 1;
  const Pose back = version.placed.inverse();
  std::vector<LocalContact> out;
  for (const ContactRecord& c : run.world->contacts()) {
    const Vec3 normal = c.body1 == second ? c.normal : -c.normal;
    out.push_back({back.apply(frame.point(c.position)), back.rotate(normal), frame.length(c.depth)});
  }
  return out;
}

double degreesBetween(const Vec3& a, const Vec3& b) {
  return std::atan2(length(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
}

const ExpectedPatch& nearestPatch(const PoseCase& pair, const Vec3& normal) {
  return *std::min_element(pair.patches.begin(), pair.patches.end(),
                           [&](const ExpectedPatch& a, const ExpectedPatch& b) {
                             return dot(a.normal, normal) > dot(b.normal, normal);
                           });
}

void examinePatch(const ExpectedPatch& patch, const std::vector<LocalContact>& contacts, Findings& out) {
  double deepest = 0;
  std::vector<Vec3> points;
  for (const LocalContact& c : contacts)
    if (degreesBetween(c.normal, patch.normal) < 1) {
      deepest = std::max(deepest, c.depth);
      points.push_back(c.position);
    }
  out.depth_off = std::max(out.depth_off, std::abs(deepest / patch.depth - 1));
  if (patch.area) out.uncovered = std::max(out.uncovered, 1 - hullArea(points, patch.normal) / *patch.area);
}

void examine(const PoseCase& pair, const std::vector<LocalContact>& contacts, Findings& out) {
  for (const LocalContact& c : contacts) {
    out.normal_off = std::max(out.normal_off, degreesBetween(c.normal, nearestPatch(pair, c.normal).normal));
    if (!(c.depth > 0)) ++out.not_positive;
  }
  if (pair.touching_only) return;
  for (const ExpectedPatch& patch : pair.patches) examinePatch(patch, contacts, out);
}

std::vector<Figure> judgePose(const SceneOptions& options, const PoseCase& pair) {
  Findings worst;
  for (const Version& version : versions()) examine(pair, contactsOf(options, pair, version), worst);
  std::vector<Figure> out = {
      {.name = "normal off", .value = worst.normal_off, .limit = 0.1, .unit = "deg"},
      {.name = "contacts not overlapping", .value = worst.not_positive, .limit = 0, .unit = ""}};
  if (!pair.touching_only)
    out.push_back({.name = "depth off", .value = worst.depth_off * 100, .limit = 1, .unit = "%"});
  if (std::any_of(pair.patches.begin(), pair.patches.end(), [](const auto& p) { return p.area.has_value(); }))
    out.push_back({.name = "uncovered", .value = worst.uncovered * 100, .limit = 5, .unit = "%"});
  return out;
}

Scene poseScene(const std::string& name, const std::string& description,
                const std::function<PoseCase(const SceneOptions&)>& makeCase) {
  return {"poses/" + name, description, {}, false, [makeCase](const SceneOptions& options) {
            const PoseCase pair = makeCase(options);
            SceneRun run = buildPose(options, pair, {});
            run.judge = [options, pair](World&) { return judgePose(options, pair); };
            return run;
          }};
}

TriangleMesh cutBox(const Vec3& size, const SceneOptions& options) {
  return options.unaligned ? irregularBox(size, options.cells) : makeBox(size, options.cells - 1);
}

constexpr Vec3 kUp{0, 0, 1};
constexpr double kShallow = 1e-3;

PoseCase boxOnSlab(const SceneOptions& o) {
  return {cutBox({3, 3, 0.5}, o),
          cutBox({1, 1, 1}, o),
          {rotationAbout(kUp, 0.4), {0.1, -0.2, 0.75 - kShallow}},
          {{kUp, kShallow, 1.0}}};
}

PoseCase alignedBoxes(const SceneOptions& o) {
  return {cutBox({1, 1, 1}, o), cutBox({1, 1, 1}, o), {{}, {0, 0, 1 - kShallow}}, {{kUp, kShallow, 1.0}}};
}

PoseCase offsetBoxes(const SceneOptions& o) {
  return {cutBox({1, 1, 1}, o),
          cutBox({1, 1, 1}, o),
          {{}, {0.3, 0.2, 1 - kShallow}},
          {{kUp, kShallow, 0.7 * 0.8}}};
}

// Side faces lie in one plane along x; the tops overlap.
PoseCase flushBoxes(const SceneOptions& o) {
  return {cutBox({1, 1, 1}, o), cutBox({1, 1, 1}, o), {{}, {0.4, 0, 1 - kShallow}}, {{kUp, kShallow, 0.6}}};
}

PoseCase touchingBoxes(const SceneOptions& o) {
  PoseCase out = alignedBoxes(o);
  out.pose.translation = {0.2, 0.1, 1};
  out.touching_only = true;
  out.patches = {{kUp, 0}};
  return out;
}

PoseCase crossedEdges(const SceneOptions& o) {
  const double reach = std::sqrt(0.5), depth = 0.01;
  const Mat3 on_edge = rotationAbout({1, 0, 0}, std::numbers::pi / 4);
  TriangleMesh lower = cutBox({2, 1, 1}, o);
  for (Vec3& v : lower.vertices) v = on_edge * v;
  return {lower,
          lower,
          {rotationAbout(kUp, std::numbers::pi / 2), {0.05, 0.03, 2 * reach - depth}},
          {{kUp, depth}}};
}

PoseCase vertexOnFace(const SceneOptions& o) {
  const double depth = 0.01;
  const Vec3 diagonal = normalised({1, 1, 1});
  const Mat3 stand = rotationAbout(cross(diagonal, -kUp), std::acos(-diagonal.z));
  return {cutBox({3, 3, 0.5}, o),
          cutBox({1, 1, 1}, o),
          {stand, {0.1, 0.2, 0.25 + std::sqrt(0.75) - depth}},
          {{kUp, depth}}};
}

PoseCase sphereInPlane(const SceneOptions& o) {
  const double depth = 0.01;
  TriangleMesh sphere = makeIcosphere(0.5, 3);
  double lowest = 0;
  for (const Vec3& v : sphere.vertices) lowest = std::min(lowest, v.z);
  return {cutBox({3, 3, 0.5}, o), sphere, {{}, {0.1, 0.2, 0.25 - lowest - depth}}, {{kUp, depth}}};
}

PoseCase lyingCylinder(const SceneOptions& o) {
  const double depth = 0.005, radius = 0.3;
  TriangleMesh cylinder = makeCylinder(radius, 1, 32);
  const Mat3 lie = rotationAbout({0, 1, 0}, std::numbers::pi / 2);
  double lowest = 0;
  for (Vec3& v : cylinder.vertices) {
    v = lie * v;
    lowest = std::min(lowest, v.z);
  }
  return {cutBox({3, 3, 0.5}, o),
          cylinder,
          {rotationAbout(kUp, 0.3), {0.1, 0.2, 0.25 - lowest - depth}},
          {{kUp, depth}}};
}

// The shortest way out of the big box is upwards, over 0.3 m.
PoseCase containedBox(const SceneOptions& o) {
  return {cutBox({1, 1, 1}, o), cutBox({0.2, 0.2, 0.2}, o), {{}, {0.05, 0.02, 0.3}}, {{kUp, 0.3}}};
}

PoseCase overhangingBox(const SceneOptions& o) {
  return {cutBox({3, 3, 0.5}, o),
          cutBox({1, 1, 1}, o),
          {{}, {1.4, 0.3, 0.75 - kShallow}},
          {{kUp, kShallow, 0.6}}};
}

// A box in the corner between a floor and a wall, which are one mesh.
PoseCase floorAndWall(const SceneOptions&) {
  const TriangleMesh corner = extruded({{-2, -0.5}, {2, -0.5}, {2, 2}, {1.5, 2}, {1.5, 0}, {-2, 0}}, 3);
  return {corner,
          makeBox({1, 1, 1}),
          {{}, {1 + 0.002, 0.5 - 0.001, 0.1}},
          {{{0, 1, 0}, 0.001, 1.0}, {{-1, 0, 0}, 0.002, 1.0}}};
}

}  // namespace

std::vector<Scene> poseScenes() {
  std::vector<Scene> out;
  appendCuts(out, poseScene("box-on-slab", "a box 1 mm in a slab", &boxOnSlab));
  appendScales(out, poseScene("box-on-slab", "a box 1 mm in a slab", &boxOnSlab));
  appendCuts(out, poseScene("aligned", "equal boxes, one on the other", &alignedBoxes));
  appendCuts(out, poseScene("offset", "equal boxes, the upper one shifted", &offsetBoxes));
  appendCuts(out, poseScene("flush", "equal boxes with side faces in one plane", &flushBoxes));
  appendCuts(out, poseScene("touching", "boxes that touch exactly", &touchingBoxes));
  appendCuts(out, poseScene("crossed-edges", "edge on edge at a right angle", &crossedEdges));
  appendCuts(out, poseScene("vertex-on-face", "a cube on its corner", &vertexOnFace));
  appendCuts(out, poseScene("sphere", "a sphere in a slab", &sphereInPlane));
  appendCuts(out, poseScene("cylinder", "a lying cylinder in a slab", &lyingCylinder));
  appendCuts(out, poseScene("contained", "a small box inside a big one", &containedBox));
  appendCuts(out, poseScene("overhanging", "a box that reaches over the slab's end", &overhangingBox));
  out.push_back(poseScene("floor-and-wall", "a box in the corner of one mesh", &floorAndWall));
  return out;
}

}  // namespace odemesh::sim
