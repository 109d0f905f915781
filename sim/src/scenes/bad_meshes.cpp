// Rest of bodies whose meshes are wrong in ways that leave their meaning clear.
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"

namespace odemesh::sim {
namespace {

TriangleMesh duplicated(TriangleMesh mesh) {
  const auto once = mesh.triangles;
  mesh.triangles.insert(mesh.triangles.end(), once.begin(), once.end());
  return mesh;
}

// A needle along an edge of every tenth triangle.
TriangleMesh withoutArea(TriangleMesh mesh) {
  const std::size_t count = mesh.triangles.size();
  for (std::size_t i = 0; i < count; i += 10) {
    const auto [a, b, c] = mesh.triangles[i];
    const auto middle = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) * 0.5);
    mesh.triangles.push_back({a, middle, b});
    mesh.triangles.push_back({c, c, a});
  }
  return mesh;
}

TriangleMesh halfFlipped(TriangleMesh mesh) {
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 2)
    std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
  return mesh;
}

// A wall across the inside, which makes edges of three triangles.
TriangleMesh innerWall(TriangleMesh mesh) {
  append(mesh, transformed(makePlaneGrid(1, 1, 4, 4), {rotationAbout({1, 0, 0}, 1.5707963267948966), {}}));
  return mesh;
}

TriangleMesh soup(const TriangleMesh& mesh) {
  TriangleMesh out;
  for (const auto& triangle : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    for (const std::uint32_t index : triangle) out.vertices.push_back(mesh.vertices[index]);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

// Every triangle moved by itself, by a hundredth of a millimetre at most.
TriangleMesh cracked(const TriangleMesh& mesh) {
  TriangleMesh out = soup(mesh);
  Random random(1);
  const auto off = [&] { return random.uniform(-1e-5, 1e-5); };
  for (Vec3& p : out.vertices) p = p + Vec3{off(), off(), off()};
  return out;
}

// One triangle of the top is missing.
TriangleMesh holed(TriangleMesh mesh) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto [a, b, c] = mesh.triangles[i];
    if (mesh.vertices[a].z > 0.49 && mesh.vertices[b].z > 0.49 && mesh.vertices[c].z > 0.49) {
      mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(i));
      return mesh;
    }
  }
  return mesh;
}

using Spoil = std::function<TriangleMesh(const TriangleMesh&)>;

// Both the box and the slab are spoilt; the box keeps the mass of the clean one.
SceneRun spoiltBoxOnSlab(const SceneOptions& options, const Spoil& spoil) {
  SceneBuilder builder(options);
  TriangleMesh slab = makeBox({3, 3, 1}, 3);
  builder.fixed("slab", builder.mesh(spoil(slab)), {0, 0, -0.5});
  BodySpec spec;
  spec.name = "box";
  spec.parts = {{builder.mesh(spoil(makeBox({1, 1, 1}, 3)))}};
  spec.pose = {rotationAbout({0, 0, 1}, 0.3), {0.11, 0.07, 0.5}};
  spec.inertial = solidInertial(BoxGeometry{Vec3{1, 1, 1} * options.scale}, 1000);
  builder.add(std::move(spec));
  return judgedStill(builder, options.quick ? 6 : 60);
}

}  // namespace

std::vector<Scene> badMeshScenes() {
  const std::pair<const char*, Spoil> kinds[] = {{"inverted", &inverted},     {"duplicated", &duplicated},
                                                 {"zero-area", &withoutArea}, {"half-flipped", &halfFlipped},
                                                 {"inner-wall", &innerWall},  {"soup", &soup},
                                                 {"cracked", &cracked},       {"holed", &holed}};
  std::vector<Scene> out;
  for (const auto& [name, spoil] : kinds)
    out.push_back({std::string("bad-meshes/") + name,
                   std::string("a box on a slab, both meshes ") + name,
                   {},
                   false,
                   [spoil = spoil](const SceneOptions& o) { return spoiltBoxOnSlab(o, spoil); }});
  return out;
}

}  // namespace odemesh::sim
