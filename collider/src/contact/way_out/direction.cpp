#include "contact/way_out/direction.hpp"

#include <algorithm>
#include <array>
#include <odemesh/distance.hpp>
#include <span>

#include "constants.hpp"
#include "contact/way_out/convex_exit.hpp"
#include "contact/way_out/direction_collector.hpp"
#include "contact/way_out/edge_normals.hpp"
#include "contact/way_out/hollow.hpp"
#include "contact/way_out/way_out.hpp"
#include "mesh/triangle_normal.hpp"

namespace odemesh {

namespace {

/// Of so many faces the directions are looked at.
constexpr std::size_t kMostFaces = 128;

/// Faces have a mean direction if their area vectors add up to this share of their areas.
constexpr double kLeastMean = 0.05;

/// A region is deep from this share of the smaller mesh's radius on.
constexpr double kDeepRegion = 1e-3;

/// A region of no more faces is small.
constexpr std::size_t kFewFaces = 256;

/// A face looks along a direction if its normal's cosine with it is more than this.
constexpr double kAlongCosine = 0.05;

/// Faces whose normals have a greater cosine than this are taken for the same or its opposite.
constexpr double kSameFaceCosine = 0.9;

/// About so many edges that are stuck through a body are looked at.
constexpr std::size_t kMostThrough = 16;

/// Whether what is no deeper than this grazes, in units of the smaller mesh's radius, is told to a fraction
/// of the inflation. What rests is a little deeper.
constexpr double kMayGraze = 5 * kInflation;

/// A body sticks through the other along a direction if that makes the way out longer by this factor.
constexpr double kThroughFactor = 1.1;

/// Exits are as long as each other if they differ by no more than this, in units of the smaller mesh's
/// radius. So are those along unit vectors that differ by no more.
constexpr double kSameExit = 1e-9;

[[nodiscard]] bool isDeep(double depth, const MeshPair& pair) {
  return depth > kDeepRegion * pair.size();
}

[[nodiscard]] bool isSmall(const ContactScratch& scratch) {
  return !scratch.is_sampled && scratch.faces[0].size() + scratch.faces[1].size() <= kFewFaces;
}

struct ThroughExit {
  double depth = 0;  ///< until the edge has come out
  double cost = 0;   ///< until all of its body has
  bool is_sideways = false;
};

/// How far an edge that is stuck right through `body` has to move along the unit vector `way`. Out by a side
/// of the body, if that is what it meets; else back through the face on the far side, or past the body's
/// bounding box.
[[nodiscard]] ThroughExit exitOf(const EdgeThrough& edge, const PlacedMesh& own, const PlacedMesh& body,
                                 const Vec3& way, double lead) {
  const auto hit = leavesAt(body, edge.middle, way, lead, kEndless);
  if (!hit || hit->enters) return {};  // a graze: in the blown-up body alone
  if (std::abs(dot(body.normal(hit->face), edge.face_normal)) < kSameFaceCosine)
    return {hit->t, hit->t, true};
  const double towards_face = dot(way, edge.face_normal);
  if (towards_face < kAlongCosine) return {};  // the other end is the one that has to come out
  const double level = dot(edge.face_point, edge.face_normal);
  ThroughExit exit{(level - dot(edge.end, edge.face_normal)) / towards_face,
                   (level + own.support(-edge.face_normal)) / towards_face};
  const Vec3 sideways = way - edge.along * dot(way, edge.along);
  const double share = length(sideways);
  if (share < kAlongCosine) return exit;
  const double past = (body.support(sideways / share) - dot(sideways / share, edge.middle)) / share;
  return {std::min(exit.depth, past), std::min(exit.cost, past)};
}

/// How far the points of the region are apart (`mostApart`). Those that it is due to are kept: they often
/// tell that another direction is not the shortest.
[[nodiscard]] double regionApart(const Vec3& direction, ContactScratch& scratch) {
  const auto& [first, second] = scratch.points;
  double lowest = kEndless, highest = -kEndless;
  const Vec3 *lowest_at = nullptr, *highest_at = nullptr;
  const auto takeLow = [&](const Vec3& p, double height) {
    if (!(height < lowest)) return;
    lowest = height;
    lowest_at = &p;
  };
  const auto takeHigh = [&](const Vec3& p, double height) {
    if (!(height > highest)) return;
    highest = height;
    highest_at = &p;
  };
  for (std::size_t i = 0; i < scratch.contour_points; ++i) {  // both sides begin with them
    const double height = dot(direction, first[i]);
    takeLow(first[i], height);
    takeHigh(first[i], height);
  }
  for (const Vec3& p : std::span(first).subspan(scratch.contour_points)) takeLow(p, dot(direction, p));
  for (const Vec3& p : std::span(second).subspan(scratch.contour_points)) takeHigh(p, dot(direction, p));
  if (lowest_at != nullptr) scratch.extreme_points[0].push_back(*lowest_at);
  if (highest_at != nullptr) scratch.extreme_points[1].push_back(*highest_at);
  return highest - lowest;
}

/// How far mesh 1 has to move along `direction` until no point of the region lies below a point of mesh 2,
/// and every edge that is stuck right through the other body has come out of it.
///
/// If some of the points alone have to move by more than `enough`, that is returned as a bound.
[[nodiscard]] Separation exitAlong(const MeshPair& pair, const Vec3& direction, ContactScratch& scratch,
                                   double enough = kEndless) {
  if (enough < kEndless)
    if (const double bound = mostApart(direction, scratch.extreme_points); bound > enough)
      return {direction, bound, bound, false, true};
  const double without = regionApart(direction, scratch);
  Separation out{direction, without, without, false, false};
  if (scratch.is_convex_through) {  // all of a body has to come out
    out.depth = out.cost = std::max(without, planeExit(pair, direction));
    out.is_through = out.cost > kThroughFactor * without;
    return out;
  }
  double extent = without;
  for (int side = 0; side < 2; ++side) {
    const auto& edges = scratch.edges_through[side];
    const std::size_t stride = edges.size() / kMostThrough | 1U;  // odd: the ends of an edge alternate
    for (std::size_t i = 0; i < edges.size(); i += stride) {
      const ThroughExit exit = exitOf(edges[i], pair[side], pair[1 - side],
                                      side == 0 ? direction : -direction, pair.tolerances().slack);
      out.depth = std::max(out.depth, exit.depth);
      out.cost = std::max(out.cost, exit.cost);
      // The rim of a sheet that lies under a body runs right through its lowest layer.
      if (exit.is_sideways && !pair[side].mesh().isSolid()) extent = std::max(extent, exit.depth);
    }
  }
  out.is_through = out.cost > kThroughFactor * extent;
  return out;
}

[[nodiscard]] Separation leastExit(const MeshPair& pair, ContactScratch& scratch) {
  Separation best{{0, 0, 1}, 0, kEndless};
  for (const Vec3& direction : scratch.directions)
    if (const Separation exit = exitAlong(pair, direction, scratch, best.cost); exit.cost < best.cost)
      best = exit;
  return best;
}

/// How far the points of mesh `inner` (of many, some) have to move to leave the other one along `direction`;
/// more than `enough` is a bound.
[[nodiscard]] double longestWayOut(const MeshPair& pair, int inner, const Vec3& direction,
                                   const ContactScratch& scratch, double enough) {
  const Vec3 way = inner == 0 ? direction : -direction;
  double longest = 0;
  forMeasured(scratch.points[inner], [&](const Vec3& p) {
    longest = std::max(longest, wayOut(pair, inner, p, way));
    return longest < enough;
  });
  return longest;
}

/// Do edges cross, and no vertex is inside?
[[nodiscard]] bool areEdgesAlone(const ContactScratch& scratch) {
  return !scratch.hasVerticesInside() && !scratch.inside_edges[0].empty() && !scratch.inside_edges[1].empty();
}

/// Regions are those of the blown-up bodies. Where edges cross, the extent is that of both blown up, and what
/// is measured that of one.
[[nodiscard]] double blownUpBy(const MeshPair& pair, const ContactScratch& scratch) {
  return (areEdgesAlone(scratch) ? 2 : 1) * pair.tolerances().inflation;
}

/// Those of `points` that have farthest to go along `way`, but for `slack`: the corners of a face are as deep
/// as each other.
[[nodiscard]] const std::vector<Vec3>& deepestAlong(const Vec3& way, const std::vector<Vec3>& points,
                                                    double slack, std::vector<Vec3>& out) {
  double least = kEndless;
  for (const Vec3& p : points) least = std::min(least, dot(way, p));
  out.clear();
  for (const Vec3& p : points)
    if (dot(way, p) <= least + slack) out.push_back(p);
  return out;
}

/// The way out that the deepest points of a region really have along `direction`, measured through the other
/// body. The extent of the region alone takes a spike for something that can step out sideways.
///
/// If some points have to move by more than `enough`, that is returned as a bound; `kEndless` if the
/// direction leads nowhere. Convex bodies that a plane parts after no more than `least` costs are not
/// measured.
[[nodiscard]] double measuredExit(const MeshPair& pair, Separation& least, ContactScratch& scratch,
                                  double enough) {
  const Vec3& direction = least.direction;
  const double blown_up = blownUpBy(pair, scratch);
  if (pair.areConvex()) {
    const double apart = planeExit(pair, direction) + (least.cost < kMayGraze * pair.size() ? blown_up : 0);
    if (apart <= least.cost) return apart;
    if (const auto exit = rayExit(pair, direction, blown_up)) {
      least.ray_exit = exit->depth;
      return exit->blown_up;
    }
  }
  double greatest = -kEndless;
  for (int side = 0; side < 2; ++side) {
    const Vec3 way = side == 0 ? direction : -direction;
    const auto isWithin = [&](const auto& p) {
      greatest = std::max(greatest, wayOutPast(pair, side, p, way, scratch) + blown_up);
      return !(greatest > enough);
    };
    if (!forMeasured(scratch.inside_edges[side], isWithin)) return greatest;
    // What hangs over the rim of a sheet is deepest where that comes out of it at a side.
    if (!forMeasured(scratch.rim_ends[side], isWithin)) return greatest;
    const auto& points = scratch.inside_points[side];
    if (points.size() >= kMostMeasured &&
        !forMeasured(deepestAlong(way, points, pair.tolerances().touching, scratch.deepest_points), isWithin))
      return greatest;
    if (!forMeasured(points, isWithin)) return greatest;
  }
  return greatest;
}

/// A direction other than the area vector has to be better by this factor where regions are sampled: the
/// samples do not reach as far as the region does, so a depth that they tell may be too small.
constexpr double kSampledExtent = 1.2;

/// Does a face of the region look against `direction`, as one of two walls does against the way off the
/// other?
[[nodiscard]] bool isOpposed(const Vec3& direction, const ContactScratch& scratch) {
  return std::ranges::any_of(scratch.directions,
                             [&](const Vec3& d) { return dot(d, direction) < kLooksAgainst; });
}

/// May the region be caught between two sides?
[[nodiscard]] bool mayBeCaught(const Separation& exit, const MeshPair& pair, const ContactScratch& scratch) {
  return isSmall(scratch) && (isDeep(exit.depth, pair) || isOpposed(exit.direction, scratch));
}

/// The least exit. Where all that is deepest lies on the contour, the way back is as long: of the two, but
/// for rounding, that of solids away from the other's centre.
[[nodiscard]] Separation& leastOf(const MeshPair& pair, std::vector<Separation>& exits) {
  Separation& least = *std::ranges::min_element(exits, {}, &Separation::cost);
  if (!pair.areSolid() || dot(least.direction, pair[0].centre() - pair[1].centre()) >= 0) return least;
  const double most = least.cost + kSameExit * pair.size();
  const auto back = std::ranges::find_if(exits, [&](const Separation& exit) {
    return exit.cost <= most && dot(exit.direction, least.direction) < -kSameDirectionCosine;
  });
  return back != exits.end() ? *back : least;
}

/// The direction of least exit, where the exit is the greater of the region's extent and of the measured one.
/// Along the area vector nothing steps out sideways; it is measured where the region may be caught between
/// two sides.
[[nodiscard]] Separation leastMeasuredExit(const MeshPair& pair, const Vec3& area_direction,
                                           ContactScratch& scratch) {
  auto& exits = scratch.exits;
  exits.clear();
  const auto isAlongArea = [&](const Vec3& direction) {
    return dot(direction, area_direction) > kSameDirectionCosine;
  };
  const auto exitOver = [&](const Vec3& direction, double enough) {
    const double factor = scratch.is_sampled && !isAlongArea(direction) ? kSampledExtent : 1;
    Separation exit = exitAlong(pair, direction, scratch, enough / factor);
    exit.cost *= factor;
    return exit;
  };
  double least_cost = kEndless;
  for (const Vec3& direction : scratch.directions) {
    exits.push_back(exitOver(direction, least_cost));
    least_cost = std::min(least_cost, exits.back().cost);
  }
  if (exits.empty()) return {{0, 0, 1}};  // no face of the region has a normal
  while (true) {
    Separation& least = leastOf(pair, exits);
    if (least.is_bound) {
      least = exitOver(least.direction, kEndless);
      continue;
    }
    if (least.is_measured ||
        (isAlongArea(least.direction) && !pair.areConvex() && !mayBeCaught(least, pair, scratch)))
      return least;
    double second = kEndless;
    for (const Separation& other : exits)
      if (&other != &least) second = std::min(second, other.cost);
    const double exit = measuredExit(pair, least, scratch, second);
    if (exit < kEndless) least.way_out = exit - blownUpBy(pair, scratch);
    if (exit <= least.cost) return least;
    least.cost = exit;
    if (exit < kEndless) least.depth = exit;
    least.is_measured = exit <= second || exit == kEndless;
  }
}

/// The faces of a region that may be flat sides that matter: the largest, and a sample of the rest, since a
/// flat side may be cut into small faces.
void sampleFaces(const std::vector<RegionFace>& faces, std::vector<const RegionFace*>& out) {
  out.clear();
  for (const RegionFace& f : faces) out.push_back(&f);
  if (out.size() <= kMostFaces) return;
  constexpr std::size_t kLargest = kMostFaces / 2;
  std::nth_element(out.begin(), out.begin() + kLargest, out.end(),
                   [](const RegionFace* a, const RegionFace* b) {
                     return a->area != b->area ? a->area > b->area : a->face < b->face;
                   });
  const std::size_t stride = (out.size() - kLargest) / (kMostFaces - kLargest) + 1;
  std::size_t kept = kLargest;
  for (std::size_t i = kLargest; i < out.size(); i += stride) out[kept++] = out[i];
  out.resize(kept);
}

/// Is it among those that will be looked at? A flat face has one direction with its mean and the area vector.
[[nodiscard]] bool isListed(const Vec3& direction, const ContactScratch& scratch) {
  return std::ranges::any_of(scratch.directions,
                             [&](const Vec3& d) { return lengthSq(d - direction) <= kSameExit * kSameExit; });
}

/// The directions of the faces of each side, and their mean: out of a groove, it is the way between its
/// walls. A body that is on both sides of a sheet does not leave it by one of them.
void addFaceNormals(ContactScratch& scratch) {
  DirectionCollector normals(scratch);
  Vec3 means[2];
  for (int side = 0; side < 2; ++side) {
    if (scratch.is_passed[side]) continue;
    sampleFaces(scratch.faces[side], scratch.largest_faces);
    Vec3 sum;
    double area = 0;
    for (const RegionFace* f : scratch.largest_faces) {
      const Vec3 n = side == 0 ? -f->normal : f->normal;
      normals.add(n, f->area);
      sum += n * f->area;
      area += f->area;
    }
    if (length(sum) > kLeastMean * area) means[side] = normalised(sum);
  }
  for (const Vec3& mean : means)
    if (lengthSq(mean) > 0 && !isListed(mean, scratch)) scratch.directions.push_back(mean);
}

}  // namespace

Separation findSeparation(const MeshPair& pair, const Vec3& area_vector, bool contour_is_simple,
                          ContactScratch& scratch) {
  if (contour_is_simple)
    if (const auto out_of_hollow = leaveHollow(pair, scratch)) return *out_of_hollow;
  addFaceNormals(scratch);
  const bool has_area = contour_is_simple && lengthSq(area_vector) > 0;
  const Vec3 along_area = has_area ? normalised(area_vector) : Vec3{};
  if (has_area) {
    addEdgeNormals(pair, along_area, scratch);
    if (!isListed(along_area, scratch)) scratch.directions.insert(scratch.directions.begin(), along_area);
  }
  return leastMeasuredExit(pair, along_area, scratch);
}

bool isDeepAndSmall(double depth, const MeshPair& pair, const ContactScratch& scratch) {
  return isDeep(depth, pair) && isSmall(scratch);
}

double mostApart(const Vec3& direction, const std::array<std::vector<Vec3>, 2>& points) {
  double lowest = kEndless, highest = -kEndless;
  for (const Vec3& p : points[0]) lowest = std::min(lowest, dot(direction, p));
  for (const Vec3& p : points[1]) highest = std::max(highest, dot(direction, p));
  return highest - lowest;
}

Separation findExit(const MeshPair& pair, int inner, ContactScratch& scratch) {
  const PlacedMesh& outer = pair[1 - inner];
  DirectionCollector normals(scratch);
  // In the same order, and in the outer body's frame, whichever mesh comes first.
  for (const int side : {inner, 1 - inner}) {
    const Mesh& mesh = pair[side].mesh();
    for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t)
      normals.add(side == 0 ? -pair[side].normal(t) : pair[side].normal(t),
                  triangleArea(mesh.vertex(t, 0), mesh.vertex(t, 1), mesh.vertex(t, 2)));
  }
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (x != 0 || y != 0 || z != 0)
          scratch.directions.push_back(outer.pose().rotate(normalised({double(x), double(y), double(z)})));
  if (const auto nearest = closestPoint(outer.mesh(), outer.pose(), pair[inner].centre()))
    scratch.directions.push_back(normalised(nearest->point - pair[inner].centre()) *
                                 (inner == 0 ? 1.0 : -1.0));
  if (outer.mesh().isConvex()) return leastExit(pair, scratch);
  Separation best{{0, 0, 1}, 0, kEndless};
  for (const Vec3& direction : scratch.directions)
    if (const double exit = longestWayOut(pair, inner, direction, scratch, best.cost); exit < best.cost)
      best = {direction, exit, exit};
  return best;
}

}  // namespace odemesh
