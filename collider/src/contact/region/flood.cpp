#include "contact/region/flood.hpp"

#include <limits>

namespace odemesh {

namespace {

/// Groups are worth their while once more vertices are inside than this and the number of crossings: those
/// near the contour are looked at one by one in any case.
constexpr std::size_t kFewInside = 256;

}  // namespace

Flood::Flood(const PlacedMesh& placed, int side, bool fills, ContactScratch& scratch)
    : mesh_(placed.mesh()),
      side_(side),
      fills_(fills),
      scratch_(scratch),
      inside_(scratch.inside[side]),
      sets_(scratch.region_sets),
      on_rim_(scratch.vertex_on_rim[side]),
      edge_crossed_(scratch.edge_crossed[side]),
      leaks_(scratch.leaks),
      walked_(scratch.walked),
      split_(scratch.split_groups[side]),
      most_vertices_(mesh_.vertexGroups() != nullptr ? kFewInside + scratch.crossings.size()
                                                     : std::numeric_limits<std::size_t>::max()) {}

/// Calls `on_vertex(v)` for the other ends of the edges at vertex `from` that are not crossed.
template <typename OnVertex>
void Flood::forEachUncrossed(std::uint32_t from, OnVertex&& on_vertex) const {
  if (on_rim_.contains(from))
    mesh_.forEachNeighbour(from, [&](std::uint32_t v) {
      if (!on_rim_.contains(v) || !edge_crossed_.contains(mesh_.edgeBetween(from, v))) on_vertex(v);
    });
  else
    mesh_.forEachNeighbour(from, on_vertex);
}

void Flood::add(std::uint32_t vertex, std::uint32_t node) {
  if (inside_.vertices.holds(vertex, node)) return;  // as most
  if (groups_ != nullptr)
    if (const std::uint32_t group = groups_->groupOf(vertex); !split_.contains(group))
      return inside_.groups.add(group, node, sets_);
  inside_.vertices.add(vertex, node, sets_);
}

/// Does the contour of a crossing with a sheet divide this mesh? Not where the sheet ends, unlike where this
/// mesh does.
bool Flood::divides(std::uint32_t crossing) const {
  const ContourKind kind = scratch_.contour_kind[crossing];
  if (kind != ContourKind::kOpen) return kind == ContourKind::kClosed;
  return !scratch_.contour_ends_at[scratch_.crossings[crossing].contour][std::size_t(1 - side_)];
}

void Flood::stopAtBorder() {
  leaks_.reset(mesh_.vertexCount());
  walked_.reset(mesh_.vertexCount());
  for (std::uint32_t c = 0; c < scratch_.crossings.size(); ++c) {
    if (scratch_.crossings[c].side != side_ || divides(c)) continue;
    has_leaks_ = true;
    for (const std::uint32_t v : mesh_.edges()[scratch_.crossings[c].edge].v) leaks_.insert(v);
  }
  if (!has_leaks_) return;
  auto& walk = scratch_.walk;
  for (std::size_t i = 0; i < inside_.vertices.size(); ++i) {
    if (!divides(inside_.vertices[i].region) || !reachesLeak(inside_.vertices[i].index)) continue;
    for (const std::uint32_t v : walk) leaks_.insert(v);
  }
}

/// Walks from a vertex over edges that are not crossed, as far as that tells.
bool Flood::reachesLeak(std::uint32_t from) {
  auto& walk = scratch_.walk;
  walk.assign(1, from);
  if (leaks_.contains(from)) return true;
  if (walked_.contains(from)) return false;
  walked_.insert(from);
  bool found = false;
  for (std::size_t next = 0; next < walk.size() && !found; ++next)
    forEachUncrossed(walk[next], [&](std::uint32_t v) {
      if (leaks_.contains(v)) found = true;
      if (walked_.contains(v)) return;
      walked_.insert(v);
      walk.push_back(v);
    });
  return found;
}

void Flood::run() {
  while (next_vertex_ < inside_.vertices.size() || next_group_ < inside_.groups.size()) {
    if (inside_.vertices.size() > most_vertices_ && groups_ == nullptr) beginGroups();
    if (next_vertex_ < inside_.vertices.size()) {
      const auto [from, origin] = inside_.vertices[next_vertex_++];
      if (fills_ || (divides(origin) && !(has_leaks_ && leaks_.contains(from))))
        spreadFrom(from, nodeOf(origin));
    } else {
      const auto [from, origin] = inside_.groups[next_group_++];
      spreadFromGroup(from, nodeOf(origin));
    }
  }
}

/// From now on, whatever holds neither an end of a crossed edge nor a vertex that was added is added whole.
void Flood::beginGroups() {
  groups_ = mesh_.vertexGroups();
  split_.reset(groups_->size());
  for (const Crossing& c : scratch_.crossings)
    if (c.side == side_)
      for (const std::uint32_t v : mesh_.edges()[c.edge].v) split_.insert(groups_->groupOf(v));
  for (std::size_t i = 0; i < inside_.vertices.size(); ++i)
    split_.insert(groups_->groupOf(inside_.vertices[i].index));
}

void Flood::spreadFrom(std::uint32_t from, std::uint32_t node) {
  if (groups_ == nullptr)
    forEachUncrossed(from, [&](std::uint32_t v) { inside_.vertices.add(v, node, sets_); });
  else
    forEachUncrossed(from, [&](std::uint32_t v) { add(v, node); });
}

/// None of its edges is crossed.
void Flood::spreadFromGroup(std::uint32_t from, std::uint32_t node) {
  bool meets_split = false;
  for (const std::uint32_t group : groups_->neighboursOf(from))
    if (split_.contains(group))
      meets_split = true;
    else
      inside_.groups.add(group, node, sets_);
  if (meets_split)
    groups_->forEachBorderVertex(from, [&](std::uint32_t of_group) { spreadToSplit(from, of_group, node); });
}

/// From a vertex of a group to those of groups that are looked at one by one.
void Flood::spreadToSplit(std::uint32_t group, std::uint32_t of_group, std::uint32_t node) {
  mesh_.forEachNeighbour(of_group, [&](std::uint32_t v) {
    if (!groups_->holds(group, v) && !inside_.vertices.holds(v, node) && split_.contains(groups_->groupOf(v)))
      inside_.vertices.add(v, node, sets_);
  });
}

}  // namespace odemesh
