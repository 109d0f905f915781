#include "render/batches.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "render/bounds.hpp"

namespace odemesh::sim::render {

namespace {

/// A batch while it is collected.
struct Group {
  Batch batch;
  std::vector<Instance> visible;
  std::vector<Instance> beside;
};

using Key = std::tuple<const PreparedMesh*, bool, bool>;

std::vector<Group> groupsOf(const Snapshot& snapshot, const View& view, MeshCache& meshes) {
  std::vector<Group> groups;
  std::map<Key, std::size_t> index;
  for (const DrawnBody& body : snapshot.bodies) {
    if (!isDrawable(body)) continue;
    const PreparedMesh& mesh = meshes.get(body.mesh);
    const bool opaque = body.colour.a >= 1;
    const auto [found, is_new] = index.try_emplace({&mesh, body.surroundings, opaque}, groups.size());
    if (is_new) groups.push_back({{&mesh, body.surroundings, opaque}, {}, {}});
    Group& group = groups[found->second];
    const Vec3 centre = body.pose.apply(mesh.centre) - view.origin;
    auto& instances = view.mayShow(centre, mesh.radius) ? group.visible : group.beside;
    instances.emplace_back(view.placed(body.pose, mesh.centre), body.colour);
  }
  return groups;
}

}  // namespace

Batches batchesOf(const Snapshot& snapshot, const View& view, MeshCache& meshes) {
  std::vector<Group> groups = groupsOf(snapshot, view, meshes);
  const auto rank = [](const Group& group) { return group.batch.opaque ? group.batch.surroundings : 2; };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const Group& a, const Group& b) { return rank(a) < rank(b); });
  Batches out;
  for (Group& group : groups) {
    group.batch.first = out.instances.size();
    group.batch.visible = group.visible.size();
    group.batch.count = group.visible.size() + group.beside.size();
    out.instances.insert(out.instances.end(), group.visible.begin(), group.visible.end());
    out.instances.insert(out.instances.end(), group.beside.begin(), group.beside.end());
    out.batches.push_back(group.batch);
  }
  return out;
}

}  // namespace odemesh::sim::render
