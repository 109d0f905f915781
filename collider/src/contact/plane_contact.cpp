// A mesh on a plane: the vertices below it, reduced to one patch, but for rounded tips that are deep.
#include <algorithm>
#include <cmath>
#include <odemesh/collide.hpp>
#include <optional>

#include "bvh/wide_walk.hpp"
#include "collide_pair.hpp"
#include "contact/patch/candidates.hpp"
#include "contact/patch/layer_centre.hpp"
#include "contact/projection.hpp"
#include "contact/scratch.hpp"
#include "half_space.hpp"
#include "reduction/reduce.hpp"
#include "reduction/rolling.hpp"
#include "reduction/rounded_tip.hpp"
#include "reduction/select.hpp"

namespace odemesh {

namespace {

/// Depth of the lowest point of a tree's box.
[[nodiscard]] double deepestOf(const WideBox& box, const WideTree& tree, const HalfSpace& plane) {
  const double reach = std::abs(plane.normal.x) * box.half.x + std::abs(plane.normal.y) * box.half.y +
                       std::abs(plane.normal.z) * box.half.z;
  return plane.depthOf(tree.origin()) - tree.scale() * (dot(plane.normal, box.centre) - reach);
}

/// Faces that look down by less than this cosine stand upright, and cover nothing: whether the middle of a
/// wheel's side lies over its lowest edge or beside it is for rounding to say.
constexpr double kUpright = 1e-6;

/// All vertices of so few are looked at, without the tree.
constexpr std::size_t kFewVertices = 64;

/// The vertices at a depth of at least `least_depth`; those within flat parts carry nothing.
class BelowPlane {
 public:
  BelowPlane(const Mesh& mesh, const HalfSpace& plane, double least_depth, ContactScratch& scratch)
      : mesh_(mesh), plane_(plane), least_depth_(least_depth), scratch_(scratch) {}

  void gather(QueryStats& stats) {
    if (mesh_.vertexCount() > kFewVertices) return gatherFromTree(stats);
    ++stats.box_tests;
    const std::span<const Vec3> vertices = mesh_.vertices();
    for (std::uint32_t v = 0; v < vertices.size(); ++v)
      if (const double depth = plane_.depthOf(vertices[v]); depth >= least_depth_) take(v, depth);
  }

 private:
  void gatherFromTree(QueryStats& stats) {
    const WideTree& tree = mesh_.wideTree();
    scratch_.vertex_probed.reset(mesh_.vertexCount());
    walk(
        tree,
        [&](const WideBox& box) {
          ++stats.box_tests;
          return deepestOf(box, tree, plane_) >= least_depth_;
        },
        [&](std::uint32_t t) {
          for (int i = 0; i < 3; ++i)
            if (const std::uint32_t v = mesh_.corners(t)[i]; scratch_.vertex_probed.insert(v))
              if (const double depth = plane_.depthOf(mesh_.vertices()[v]); depth >= least_depth_)
                take(v, depth);
        });
  }

  void take(std::uint32_t v, double depth) {
    if (mesh_.isFlat(v) || mesh_.edgesAt(v).size() == 0) return;
    const Vec3 position = mesh_.vertices()[v] + plane_.normal * (0.5 * depth);
    scratch_.candidates.push_back({position, plane_.normal, depth, {mesh_.triangleAt(v), 0}});
    scratch_.vertices_below.push_back(v);
  }

  const Mesh& mesh_;
  const HalfSpace& plane_;
  double least_depth_;
  ContactScratch& scratch_;
};

/// A part of the surface below the plane, or all of it.
using Part = std::optional<std::uint32_t>;

/// May a tree's box hold a face of the part? Each has a vertex below the plane.
[[nodiscard]] bool mayHold(const WideBox& box, const WideTree& tree, Part part, const PlaneParts& parts) {
  return !part || parts.boxOf(*part).meets(
                      {tree.origin() + box.low() * tree.scale(), tree.origin() + box.high() * tree.scale()});
}

[[nodiscard]] bool isOf(Part part, const Mesh& mesh, std::uint32_t t, const PlaneParts& parts) {
  const auto isOfPart = [&](std::uint32_t v) { return parts.holds(*part, v); };
  return !part || std::ranges::any_of(std::span(mesh.corners(t), 3), isOfPart);
}

/// The middle of what lies below the plane, at any height; nothing if the faces there do not look down, or
/// rise to where a tip is hollow, which may be above the plane.
[[nodiscard]] std::optional<Vec3> middleBelow(const Mesh& mesh, const HalfSpace& plane, Part part,
                                              const ContactScratch& scratch) {
  const Vec3& deepest = scratch.candidates.front().position;
  const Projection onto = Projection::along(plane.normal);
  const ShadowPoint origin = onto.of(deepest);
  LayerCentre layer(origin, {origin.u + mesh.sphereRadius(), origin.v});
  const WideTree& tree = mesh.wideTree();
  const auto isBelow = [](const LayerPoint& p) { return p.thickness > 0; };
  const auto isHollowHere = [&](const LayerPoint& p) { return isHollowAt(p, scratch); };
  bool is_hollow = false;
  walk(
      tree,
      [&](const WideBox& box) {
        return deepestOf(box, tree, plane) >= 0 && mayHold(box, tree, part, scratch.plane_parts);
      },
      [&](std::uint32_t t) {
        if (is_hollow || dot(mesh.normal(t), plane.normal) >= -kUpright) return;
        if (!isOf(part, mesh, t, scratch.plane_parts)) return;
        LayerPoint corner[3];
        for (int i = 0; i < 3; ++i)
          corner[i] = {onto.of(mesh.vertex(t, i)), plane.depthOf(mesh.vertex(t, i))};
        if (std::ranges::none_of(corner, isBelow)) return;
        is_hollow = !mesh.isConvex() && std::ranges::any_of(corner, isHollowHere);
        layer.addPolygon(corner);
      });
  const auto at = is_hollow ? std::nullopt : layer.centre();
  return at ? std::optional(onto.lift(*at, 0)) : std::nullopt;
}

/// A rounded tip carries in its middle. False, and nothing is moved, if there is none that is not hollow.
bool keepMiddle(const Mesh& mesh, const HalfSpace& plane, Part part, ContactScratch& scratch) {
  if (!mesh.isConvex() && isHollowTip(plane.normal, scratch)) return false;
  const auto middle = middleBelow(mesh, plane, part, scratch);
  if (middle) keepDeepestOver(*middle, plane.normal, scratch);
  return middle.has_value();
}

/// The depth of the lowest point of the bounding box.
[[nodiscard]] double deepestOf(const Mesh& mesh, const HalfSpace& plane) {
  const Vec3 &n = plane.normal, &half = mesh.boxHalfExtent();
  return plane.depthOf(mesh.sphereCentre()) + std::abs(n.x) * half.x + std::abs(n.y) * half.y +
         std::abs(n.z) * half.z;
}

[[nodiscard]] HalfSpace localPlane(const Pose& pose, const HalfSpace& plane) {
  return {pose.rotation.transposed() * plane.normal, plane.depthOf(pose.translation)};
}

class PlaneContacts {
 public:
  PlaneContacts(const Mesh& mesh, const Pose& pose, const HalfSpace& plane, double margin,
                ContactScratch& scratch)
      : mesh_(mesh),
        pose_(pose),
        normal_(plane.normal),
        plane_(localPlane(pose, plane)),
        tolerances_(mesh.sphereRadius(), margin),
        scratch_(scratch) {}

  [[nodiscard]] std::size_t find(std::span<Contact> out, QueryStats& stats) {
    scratch_.clearContacts();
    scratch_.candidates.clear();
    scratch_.vertices_below.clear();
    BelowPlane(mesh_, plane_, -tolerances_.opening, scratch_).gather(stats);
    if (!mesh_.isConvex() && greatestDepth(scratch_) > leastTipDepth(tolerances_, scratch_)) takeTips();
    const bool touches = reducePatch(plane_.normal, tolerances_, scratch_);
    if (touches && scratch_.is_tip && !has_parts_) keepMiddle(mesh_, plane_, std::nullopt, scratch_);
    stats.unsound_contacts = scratch_.unsound_contacts;
    stats.patches = scratch_.patch_end.size() + touches;
    stats.contacts_found = scratch_.contacts.size() + scratch_.candidates.size();
    if (scratch_.contacts.empty()) return write(out);
    if (touches) appendPatch();
    return selectContacts(scratch_, out);
  }

 private:
  /// Of several parts below the plane, each that is a rounded tip becomes a patch, and its candidates go: in
  /// the hull of all, only the deepest tip would have its lowest point.
  void takeTips() {
    PlaneParts& parts = scratch_.plane_parts;
    const std::uint32_t count = parts.find(mesh_, plane_, -tolerances_.opening, scratch_.vertices_below);
    if (count == 1) return;
    has_parts_ = true;
    scratch_.off_tips.clear();
    scratch_.single.swap(scratch_.candidates);
    for (std::uint32_t part = 0; part < count; ++part) {
      scratch_.candidates.clear();
      for (const std::uint32_t i : parts.of(part)) scratch_.candidates.push_back(scratch_.single[i]);
      const std::size_t unsound = scratch_.unsound_contacts;
      if (reducePatch(plane_.normal, tolerances_, scratch_) && scratch_.is_tip &&
          keepMiddle(mesh_, plane_, part, scratch_))
        appendPatch();
      else {  // to be reduced together, and counted then
        for (const std::uint32_t i : parts.of(part)) scratch_.off_tips.push_back(scratch_.single[i]);
        scratch_.unsound_contacts = unsound;
      }
    }
    scratch_.candidates.swap(scratch_.off_tips);
  }

  [[nodiscard]] Contact contactOf(const Candidate& c) const {
    return {pose_.apply(c.position), normal_, c.depth, mesh_.inputTriangleAt(c.face[0], c.position), 0};
  }

  void appendPatch() {
    for (const Candidate& c : scratch_.candidates) scratch_.contacts.push_back(contactOf(c));
    scratch_.patch_end.push_back(scratch_.contacts.size());
  }

  /// The candidates, of one patch, whose first is its deepest.
  [[nodiscard]] std::size_t write(std::span<Contact> out) const {
    const std::size_t count = std::min(scratch_.candidates.size(), out.size());
    for (std::size_t i = 0; i < count; ++i) out[i] = contactOf(scratch_.candidates[i]);
    return count;
  }

  const Mesh& mesh_;
  const Pose& pose_;
  const Vec3& normal_;  ///< of the plane, in the world
  HalfSpace plane_;
  Tolerances tolerances_;
  ContactScratch& scratch_;
  bool has_parts_ = false;  ///< what overlaps is of several parts, whose middle may be in the air
};

}  // namespace

bool mayCollidePlane(const Mesh& mesh, const Pose& pose, const Vec3& plane_normal, double plane_offset,
                     double margin) {
  const double deepest = deepestOf(mesh, localPlane(pose, {plane_normal, plane_offset}));
  if (deepest >= 0) return true;
  const Tolerances tolerances(mesh.sphereRadius(), usableMargin(margin));
  const double rounding = kBoxSlack * (mesh.sphereRadius() + length(mesh.sphereCentre()) +
                                       std::abs(plane_offset) + length(pose.translation));
  return deepest >= -tolerances.slack - rounding;
}

std::size_t collideHalfSpace(const Mesh& mesh, const Pose& pose, const HalfSpace& plane,
                             std::span<Contact> out, QueryStats& stats, double margin,
                             const RelativeMotion* motion) {
  stats = {};
  if (!isFinite(pose) || !isFinite(plane.normal) || !std::isfinite(plane.offset) || out.empty()) return 0;
  ContactScratch& scratch = threadScratch();
  margin = usableMargin(margin);
  scratch.rolls = isRolling(motion, margin, pose.apply(mesh.sphereCentre()), mesh.sphereRadius());
  return PlaneContacts(mesh, pose, plane, margin, scratch).find(out, stats);
}

std::size_t collidePlane(const Mesh& mesh, const Pose& pose, const Vec3& plane_normal, double plane_offset,
                         std::span<Contact> out, QueryStats* stats, double margin) {
  QueryStats local;
  return collideHalfSpace(mesh, pose, {plane_normal, plane_offset}, out, stats != nullptr ? *stats : local,
                          margin);
}

}  // namespace odemesh
