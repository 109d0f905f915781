// The queries of odemesh/collide.hpp: each reads as the stages of the pipeline.
#include <algorithm>
#include <odemesh/collide.hpp>
#include <optional>
#include <utility>

#include "collide_pair.hpp"
#include "contact/deep.hpp"
#include "contact/pair/locked.hpp"
#include "contact/pair/within_margin.hpp"
#include "contact/pair_order.hpp"
#include "contact/patch/patch.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/region/contours.hpp"
#include "contact/region/regions.hpp"
#include "contact/scratch.hpp"
#include "contact/triangle_contact.hpp"
#include "contact/way_out/is_free.hpp"
#include "mid_phase/pair_sort.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "mid_phase/wide_probe.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "reduction/rolling.hpp"
#include "reduction/select.hpp"

namespace odemesh {

namespace {

/// Contacts of sheets that are less deep than this, in units of the smaller radius, are those of sheets that
/// rest on each other, or come to rest.
constexpr double kShallowSheets = 3e-3;

/// Calls `on_pair(t1, t2)` for each pair of triangles that meet until it returns true; with `any`, in an
/// order that finds the first one soon.
template <typename OnPair>
void forEachIntersection(const MeshPair& pair, bool any, QueryStats& stats, OnPair&& on_pair) {
  const SearchCounts counts =
      searchTrianglePairs(pair[0].mesh().wideTree(), pair[1].mesh().wideTree(), pair.mesh2InMesh1(), 0, any,
                          [&](std::uint32_t t1, std::uint32_t t2, bool sure) {
                            if (!sure && !trianglesIntersect(pair[0].triangle(t1), pair[1].triangle(t2)))
                              return false;
                            ++stats.intersecting_pairs;
                            return on_pair(t1, t2);
                          });
  stats.box_tests += counts.box_tests;
  stats.triangle_tests += counts.triangle_tests;
}

struct FacePair {
  std::uint32_t first, second;
};

/// Two faces that meet, the first that are found.
[[nodiscard]] std::optional<FacePair> findMeeting(const MeshPair& pair, QueryStats& stats) {
  std::optional<FacePair> found;
  forEachIntersection(pair, true, stats, [&](std::uint32_t t1, std::uint32_t t2) {
    found = {t1, t2};
    return true;
  });
  return found;
}

/// The contacts of the bodies whose contours are known. False if they do not cross, and nothing is inside.
bool addContacts(const MeshPair& pair, ContactScratch& scratch, QueryStats& stats) {
  scratch.clearContacts();
  std::array<SheetSide, 2> sides{SheetSide(pair, 0, scratch), SheetSide(pair, 1, scratch)};
  const std::uint32_t regions = findRegions(pair, sides, scratch);
  for (std::uint32_t region = 0; region < regions; ++region) addPatch(pair, sides, region, scratch);
  stats.intersecting_pairs = scratch.segments.size();
  return regions > 0 || !scratch.crossings.empty();
}

/// Returns whether the surfaces cross or a body has something inside.
bool findRegionContacts(const MeshPair& pair, ContactScratch& scratch, QueryStats& stats, NearPairs* near) {
  findContours(pair, scratch, stats, near);
  const bool any = addContacts(pair, scratch, stats);
  if (near != nullptr) near->noteApart(!any);
  return any;
}

/// Those of bodies that are tried out somewhere else: nothing is counted or kept.
void tryRegionContacts(const MeshPair& pair, ContactScratch& scratch) {
  QueryStats stats;
  findRegionContacts(pair, scratch, stats, nullptr);
}

/// Of sheets that are no deeper in each other than what rests or has fallen for a step. What stands flush
/// with a border, as a card on another does, hangs over it by a hair: the first sheet grows by that. True if
/// this is all.
[[nodiscard]] bool findOfSheetsAtRest(const MeshPair& pair, ContactScratch& scratch, QueryStats& stats,
                                      NearPairs* near) {
  if (!findRegionContacts(pair.grown(), scratch, stats, near)) return true;
  const auto isShallow = [&](const Contact& c) { return c.depth < kShallowSheets * pair.size(); };
  return !scratch.contacts.empty() && std::ranges::all_of(scratch.contacts, isShallow);
}

void findContacts(const MeshPair& pair, ContactScratch& scratch, QueryStats& stats, NearPairs* near) {
  if (near != nullptr && near->areApart(pair)) return scratch.clearContacts();
  if (!areSheets(pair))
    findRegionContacts(pair, scratch, stats, near);
  else if (!findOfSheetsAtRest(pair, scratch, stats, near))
    findRegionContacts(pair, scratch, stats, nullptr);
  freeLocked(pair, scratch, tryRegionContacts);
}

/// The same with contacts where the bodies are closer than `margin`: of patches up to the smaller radius, and
/// farther off at the closest points alone. What is known of blown-up bodies does not spare a query.
void findWithinMargin(const MeshPair& pair, double margin, ContactScratch& scratch, QueryStats& stats,
                      NearPairs* near) {
  const MeshPair blown_up = pair.blownUp(std::min(margin, pair.size()));
  findContours(blown_up, scratch, stats, near);
  addContacts(blown_up, scratch, stats);
  if (near != nullptr) near->noteApart(false);
  if (isFree(pair, {})) return holdAgainstGap(pair, margin, scratch);
  takeApart(scratch);
  if (near != nullptr && near->areKept())
    findContoursAmong(*near, pair, scratch, stats);
  else
    findContours(pair, scratch, stats, nullptr);
  addContacts(pair, scratch, stats);
  freeLocked(pair, scratch, tryRegionContacts);
  dropKnown(pair, scratch);
}

}  // namespace

void turnRound(std::span<Contact> contacts) {
  for (Contact& contact : contacts) {
    contact.normal = -contact.normal;
    std::swap(contact.triangle1, contact.triangle2);
  }
}

ContactScratch& threadScratch() {
  static thread_local ContactScratch scratch;
  return scratch;
}

bool intersects(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                QueryStats* stats) {
  QueryStats local;
  bool found = false;
  if (isFinite(pose1) && isFinite(pose2)) {
    const MeshPair pair(mesh1, pose1, mesh2, pose2);
    found = boundsMeet(pair, 0) &&
            (areCertainToMeet(mesh1, mesh2, pair.mesh2InMesh1()) || findMeeting(pair, local));
  }
  if (stats != nullptr) *stats = local;
  return found;
}

void intersectingTriangles(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                           std::vector<TrianglePair>& out, QueryStats* stats) {
  QueryStats local;
  const std::size_t first = out.size();
  if (isFinite(pose1) && isFinite(pose2)) {
    const MeshPair pair(mesh1, pose1, mesh2, pose2);
    if (boundsMeet(pair, 0))
      forEachIntersection(pair, false, local, [&](std::uint32_t t1, std::uint32_t t2) {
        out.push_back(inputPair(pair, t1, t2));
        return false;
      });
  }
  sortUnique(out, first);
  if (stats != nullptr) *stats = local;
}

bool mayCollide(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2, double margin) {
  const double reach =
      Tolerances(std::min(mesh1.sphereRadius(), mesh2.sphereRadius()), usableMargin(margin)).crossing;
  // As a MeshPair places them. No number of a pose that is not finite is near another.
  const Mat3 back = pose1.rotation.transposed();
  const Vec3 centre2 = (pose2.translation - pose1.translation) + pose2.rotate(mesh2.sphereCentre());
  const Vec3 between = back * centre2 - mesh1.sphereCentre();
  return boundsMeet(mesh1, mesh2, back * pose2.rotation, between, reach);
}

std::size_t collidePair(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                        std::span<Contact> out, QueryStats& stats, double margin, NearPairs* near,
                        Bounds bounds, const RelativeMotion* motion) {
  stats = {};
  if (!isFinite(pose1) || !isFinite(pose2) || out.empty()) return 0;
  const auto [pair, is_reversed] = orderedPair(mesh1, pose1, mesh2, pose2);
  margin = usableMargin(margin);
  if (bounds == Bounds::kUnknown && !boundsMeet(pair, Tolerances(pair.size(), margin).crossing)) return 0;
  ContactScratch& scratch = threadScratch();
  scratch.apart.clear();
  scratch.motion.reset();
  if (motion != nullptr) scratch.motion = is_reversed ? motion->reversed() : *motion;
  scratch.rolls = isRolling(motion, margin, pair.toWorld().apply(pair[1].centre()), pair.size());
  if (margin > 0)
    findWithinMargin(pair, margin, scratch, stats, near);
  else
    findContacts(pair, scratch, stats, near);
  stats.patches = scratch.patch_end.size();
  stats.contacts_found = scratch.contacts.size() + scratch.apart.size();
  stats.contained = scratch.contained;
  stats.unsound_contacts = scratch.unsound_contacts;
  std::size_t count = selectContacts(scratch, out);
  if (!scratch.apart.empty()) count += selectApart(scratch, out.subspan(count));
  if (is_reversed) turnRound(out.first(count));
  return count;
}

std::size_t collideApart(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                         std::span<Contact> out, double margin) {
  const auto [pair, is_reversed] = orderedPair(mesh1, pose1, mesh2, pose2);
  const MeshPair blown_up = pair.blownUp(margin);
  ContactScratch& scratch = threadScratch();
  scratch.motion.reset();
  scratch.rolls = false;
  tryRegionContacts(blown_up, scratch);
  takeApart(scratch);
  const std::size_t count = selectApart(scratch, out);
  if (is_reversed) turnRound(out.first(count));
  return count;
}

std::size_t collideClosest(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                           std::span<Contact> out, double margin) {
  const auto [pair, is_reversed] = orderedPair(mesh1, pose1, mesh2, pose2);
  const auto closest = closestContact(pair, margin);
  if (!closest || out.empty()) return 0;
  if (closest->is_flat) return collide(mesh1, pose1, mesh2, pose2, out, nullptr, margin);
  out[0] = closest->contact;
  if (is_reversed) turnRound(out.first(1));
  return 1;
}

std::size_t collideAny(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                       Contact& out, QueryStats& stats) {
  stats = {};
  if (!isFinite(pose1) || !isFinite(pose2)) return 0;
  const auto [pair, is_reversed] = orderedPair(mesh1, pose1, mesh2, pose2);
  if (!boundsMeet(pair, 0)) return 0;
  const auto faces = findMeeting(pair, stats);
  if (!faces) return 0;
  out = triangleContact(pair, faces->first, faces->second);
  if (is_reversed) turnRound({&out, 1});
  return stats.contacts_found = 1;
}

std::size_t collide(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                    std::span<Contact> out, QueryStats* stats, double margin) {
  QueryStats local;
  return collidePair(mesh1, pose1, mesh2, pose2, out, stats != nullptr ? *stats : local, margin, nullptr);
}

}  // namespace odemesh
