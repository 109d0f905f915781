// The arrays that a query fills stage by stage. Kept from call to call, so that none of them is allocated
// anew.
#pragma once

#include <array>
#include <cstdint>
#include <odemesh/collide.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "contact/inside_set.hpp"
#include "contact/plane_parts.hpp"
#include "contact/region_index.hpp"
#include "contact/relative_motion.hpp"
#include "contact/shadow.hpp"
#include "contact/shadow_grid.hpp"
#include "contact/stamped_table.hpp"
#include "contact/stamps.hpp"
#include "contact/way_memo.hpp"
#include "mesh/disjoint_sets.hpp"
#include "narrow_phase/triangle.hpp"
#include "reduction/patch_hull.hpp"
#include "separation/mesh_cast.hpp"

namespace odemesh {

/// A point where an edge of one mesh passes through a face of the other.
struct Crossing {
  Vec3 point;
  double t;             ///< place along the edge: 0 at its first vertex, 1 at its second
  std::uint32_t edge;   ///< of mesh `side`
  std::uint32_t face;   ///< of the other mesh
  std::uint8_t side;    ///< which mesh the edge belongs to
  bool to_front;        ///< the edge runs towards the front of the face
  std::uint8_t degree;  ///< contour segments that end here: 2 on a closed contour
  std::uint32_t region;
  std::uint32_t contour;  ///< the same for all crossings on one contour
  std::uint32_t partner;  ///< where the piece of the edge that enters here leaves again; Mesh::kNone if never
};

/// Which edge passes through which face of the other mesh.
struct CrossingKey {
  std::uint32_t edge, face, side;
  friend bool operator==(const CrossingKey&, const CrossingKey&) = default;
  [[nodiscard]] std::uint64_t hash() const {
    return std::uint64_t(edge) << 33 | std::uint64_t(face) << 1 | side;
  }
};

/// What two triangles have in common: a piece of an intersection contour, directed so that a closed contour
/// runs counter-clockwise around the part of mesh 2 that lies in mesh 1, seen from outside mesh 2.
struct ContourSegment {
  std::uint32_t from, to;  ///< crossings
  std::uint32_t face[2];   ///< the triangles
};

enum class ContourKind : std::uint8_t {
  kClosed,
  kOpen,          ///< ends at the border of a sheet
  kPassing,       ///< as well, and the body sticks out far on both sides of the sheet
  kAroundBorder,  ///< closed, around a border that lies in the other body, which it does not cut in two
};

/// A place where the two surfaces face each other, before the reduction. In the contact frame.
struct Candidate {
  Vec3 position;  ///< halfway between the surfaces
  Vec3 normal;    ///< unit, into mesh 1
  double depth;   ///< along the normal; negative where the surfaces are apart
  std::uint32_t face[2];
};

/// A candidate that was taken for one of another layer when those of a cluster were looked at.
struct DroppedCandidate {
  Candidate candidate;
  std::size_t cluster;
};

/// The direction of a region and how far mesh 1 has to move along it.
struct Separation {
  Vec3 direction;  ///< unit, into mesh 1, in the contact frame
  double depth = 0;
  double cost = 0;           ///< by which directions are compared: the depth, or more
  bool is_through = false;   ///< one body sticks out of the other on both sides along the direction
  bool is_bound = false;     ///< depth and cost are at least this, and were not looked at any further
  bool is_measured = false;  ///< depth and cost are those of the points inside, and no bound
  double way_out = 0;        ///< of the points inside, not blown up; 0 if that was not measured
  std::optional<double> ray_exit = std::nullopt;  ///< the same of convex bodies, if a ray has told it
};

/// A vertex of one mesh inside the other that stands for those around it.
struct Sample {
  Vec3 point;
  Vec3 normal;         ///< unit, outwards
  std::uint32_t face;  ///< one of those around it
  std::uint32_t vertex;
};

/// An end of an edge that runs right through the other mesh, and the face on the far side, by which it would
/// have to come back.
struct EdgeThrough {
  Vec3 end;
  Vec3 face_point;
  Vec3 face_normal;
  Vec3 along;   ///< unit, along the edge
  Vec3 middle;  ///< of the piece inside
};

/// A vertex or edge inside that leaves straight off one wall, or between two.
struct CornerPoint {
  Vec3 position;
  Vec3 direction;                       ///< unit, into mesh 1
  double depth;                         ///< off each wall
  std::array<std::size_t, 2> clusters;  ///< of the walls; twice the same for a single one
};

/// The piece of an edge inside the other mesh, from the crossing `entry` to its partner.
struct InsideEdge {
  Vec3 middle;
  std::uint32_t entry;
};

/// A face of a region, in the contact frame: many look at it, once for each of many directions and points.
struct RegionFace {
  std::uint32_t face;
  Vec3 normal;  ///< unit, towards its outside
  double area;
  Triangle triangle;
};

/// A vertex of a part of a body that a sheet cuts in two, and the contour and face of the sheet from which it
/// was reached.
struct PartVertex {
  std::uint32_t vertex, contour, face;
};

/// Of the crossings of a contour.
struct ContourMiddle {
  Vec3 point;  ///< until all are counted, their sum
  double count = 0;
};

/// Without its ends.
struct LengthRange {
  double from, to;
};

/// Of the ways of a body along one direction, as lengths.
struct WayBounds {
  std::vector<LengthRange> blocked;  ///< at these it is in the other body
  std::size_t lines = 0;             ///< so many lines were looked at for them
  /// Longer ones lead the smaller body's middle, from outside, through the other.
  std::optional<double> passes_from;
};

struct WeightedPoint {
  Vec3 point;
  double weight;
};

struct ContactScratch {
  std::optional<RelativeMotion> motion;  ///< of the pair in hand, if it is known
  bool rolls = false;  ///< does one mesh in hand roll on the other, as far as that is known?

  std::vector<Crossing> crossings;
  std::vector<ContourSegment> segments;
  std::array<InsideSet, 2> inside;
  DisjointSets region_sets;  ///< of the crossings, and of pieces that lie wholly inside

  // Stamps and lists of the mesh elements met so far, by side.
  StampedTable<CrossingKey, std::uint32_t> crossing_numbers;
  std::array<Stamps, 2> edge_crossed;
  std::array<Stamps, 2> vertex_on_rim;  ///< ends of crossed edges
  std::array<Stamps, 2> split_groups;   ///< groups whose vertices are looked at one by one
  Stamps leaks, walked;                 ///< vertices, while it is asked what is behind a sheet
  std::vector<std::uint32_t> walk;
  StampedMap part_of_vertex;  ///< of a body that a sheet cuts in two
  std::array<std::vector<PartVertex>, 2> vertex_parts;
  std::vector<ContourMiddle> contour_middles;  ///< by the number of the contour
  std::array<Stamps, 2> component_touched;
  StampedMap crossing_of_piece;  ///< of pieces whose faces alone are crossed, one on such a face
  std::array<Stamps, 2> face_seen;
  std::vector<std::uint64_t> crossing_keys;
  std::vector<std::uint32_t> order;
  std::vector<ContourKind> contour_kind;  ///< by crossing
  std::vector<double> contour_reach_sq;   ///< of open contours, by number: from their first crossing
  /// Of open contours, by number: do they end at the border of each mesh?
  std::vector<std::array<bool, 2>> contour_ends_at;

  // The elements of each region.
  RegionIndex crossings_of;
  RegionIndex segments_of;

  // One region at a time.
  std::array<std::vector<RegionFace>, 2> faces;
  std::array<std::vector<Vec3>, 2> points;              ///< where it begins, and what lies inside
  std::array<std::vector<Vec3>, 2> extreme_points;      ///< those farthest along directions looked at so far
  std::size_t contour_points = 0;                       ///< so many of either, the first, are where it begins
  Vec3 contour_middle;                                  ///< of the points where it begins
  Vec3 contour_area;                                    ///< its area vector; zero if that has no meaning
  std::array<std::vector<Vec3>, 2> inside_points;       ///< the vertices of a side inside the other mesh
  std::vector<Vec3> deepest_points;                     ///< those of them that are farthest along a direction
  std::array<std::vector<InsideEdge>, 2> inside_edges;  ///< the pieces of edges whose ends are both out
  std::array<std::vector<Vec3>, 2> rim_ends;            ///< of those of a sheet's border, a little further in
  std::array<std::vector<EdgeThrough>, 2> edges_through;
  std::array<std::vector<Vec3>, 2> through_points;  ///< the middles of those that do not come back soon
  std::array<bool, 2> meets_border{};  ///< of that mesh, a sheet, some of the border is in the region
  std::array<bool, 2> is_passed{};     ///< that mesh is a sheet, past whose border the other one goes on
  bool is_convex_through = false;      ///< of two convex bodies, one comes out of the other again
  bool is_sampled = false;             ///< the vertices inside are many, and some of them stand for all
  std::array<std::vector<Sample>, 2> samples;
  std::vector<Vec3> directions;
  std::vector<WayBounds> way_bounds;                  ///< of those along which a body may come free
  std::vector<Vec3> points_in_both;                   ///< that lie inside of both bodies
  std::array<std::vector<WeightedPoint>, 2> middles;  ///< tell whether a body has come through the other
  std::vector<std::pair<double, double>> weighted_lengths;
  std::vector<FaceHit> line_hits;
  std::array<std::vector<LengthRange>, 2> line_pieces;  ///< of a line, by the solid that they lie in
  std::vector<double> weights;
  std::vector<Separation> exits;  ///< by direction
  WayMemo ways_out;
  std::vector<const RegionFace*> largest_faces;
  std::vector<Aabb> point_boxes;  ///< of runs of a region's points
  std::vector<Vec3> clusters;
  std::vector<Vec3> joined_clusters;   ///< if one cone holds all, and its axis is the only cluster
  std::vector<double> cluster_depths;  ///< of the deepest contacts of each
  std::vector<CornerPoint> corner_points;
  std::array<std::vector<Shadow>, 2> shadows;
  std::array<std::vector<std::uint32_t>, 2> shadow_order;
  std::array<std::vector<ShadowEdge>, 2> shadow_edges;
  std::array<ShadowGrid<Shadow>, 2> shadow_grid;
  std::array<std::vector<Outline>, 2> layer_outlines;
  std::array<ShadowGrid<Outline>, 2> layer_grid;
  Stamps vertex_probed;
  StampedMap side_of_edge;  ///< 3 * shadow + side
  std::vector<Candidate> candidates;
  bool is_tip = false;               ///< the candidates, reduced, are those of a rounded tip or ridge
  std::vector<LayerPoint> tip;       ///< if so, the deepest of them, then the corners around it
  std::vector<Candidate> ridge;      ///< the two ends of a ridge, if they are its
  std::vector<Candidate> kept;       ///< until the candidates are reduced, then all that they were
  std::vector<Projected> projected;  ///< the candidates, across the direction of their patch
  HullRoom hull;
  std::vector<Projected> rim;           ///< where their overlap begins
  std::vector<Projected> deep;          ///< those of them that are nearly as deep as the deepest
  std::vector<std::uint32_t> by_depth;  ///< places of the candidates, as a heap
  std::vector<DroppedCandidate> dropped;
  std::vector<Candidate> single;      ///< candidates along one direction, while a split is tried
  std::vector<Candidate> gathered;    ///< candidates of several patches, while these are closed
  std::vector<std::size_t> patch_of;  ///< that each of them belongs to
  std::vector<Vec3> deep_points;      ///< those of them that are deep, as they are seen along it

  // Of a mesh on a plane.
  std::vector<std::uint32_t> vertices_below;  ///< of the candidates
  PlaneParts plane_parts;
  std::vector<Candidate> off_tips;  ///< those of parts that are no rounded tips

  /// Contacts of all regions, in the world, and the end of each patch's run in them.
  std::vector<Contact> contacts;
  std::vector<std::size_t> patch_end;
  /// The way out of a region whose patches tell of less, each of its own direction; of such, the longest.
  double split_depth = 0;
  bool leaves_past_edge = false;     ///< a region leaves by faces that it does not know, as past an edge
  std::vector<Contact> set_aside;    ///< one patch of a region, until those before it are made
  std::vector<bool> has_partner;     ///< of contacts, in a corner
  std::vector<Contact> apart;        ///< those of blown-up bodies where the bodies themselves are apart
  std::size_t contained = 0;         ///< patches of pieces that lie wholly inside the other mesh
  std::size_t unsound_contacts = 0;  ///< candidates left out because they were not finite

  /// Is any vertex of the region inside the other mesh?
  [[nodiscard]] bool hasVerticesInside() const {
    return !inside_points[0].empty() || !inside_points[1].empty();
  }

  void clearContours() {
    crossings.clear();
    segments.clear();
    crossing_numbers.clear();
  }
  void clearContacts() {
    contacts.clear();
    patch_end.clear();
    split_depth = 0;
    leaves_past_edge = false;
    contained = unsound_contacts = 0;
  }
};

/// This thread's scratch.
[[nodiscard]] ContactScratch& threadScratch();

}  // namespace odemesh
