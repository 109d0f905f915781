// odemeshSpaceCollide: the pairs of a space, those that meet on their way included, in one pass over its
// geoms.
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <odemesh/collide.hpp>
#include <utility>
#include <vector>

#include "contact/pair_order.hpp"
#include "ode/contact_log.hpp"
#include "ode/errors.hpp"
#include "ode/followers.hpp"
#include "ode/geom_motion.hpp"
#include "ode/hovering.hpp"
#include "ode/operand.hpp"
#include "ode/pair_memory.hpp"
#include "ode/settings.hpp"
#include "ode/sort_and_sweep.hpp"
#include "ode/space_geoms.hpp"
#include "ode/strike_pass.hpp"
#include "ode/swept_pairs.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

struct BoxedGeom {
  dGeomID geom;
  Box box;
  const CachedMesh* mesh;  ///< of a trimesh that is known and not fast
  Pace pace;
  bool is_space;
};

/// What a pass works with, kept from call to call.
struct PassRoom {
  std::vector<BoxedGeom> bounded, unbounded;
  std::vector<const BoxedGeom*> not_fast;  ///< of both
  MovingRoom moving;
  Followers followers;
  std::vector<GeomPair> pairs;
  std::vector<GeomPair> known_apart;  ///< left out of these, and one of the two is brisk
  std::vector<dContact> contacts;     ///< of a step in which something is fast
};

/// This thread's room, on loan: a callback may collide another space while it is out.
class LoanedRoom {
 public:
  LoanedRoom() : spare_(spare()), room_(std::exchange(spare_, nullptr)) {
    if (room_ == nullptr) room_ = std::make_unique<PassRoom>();
  }
  ~LoanedRoom() { spare_ = std::move(room_); }
  LoanedRoom(const LoanedRoom&) = delete;
  LoanedRoom& operator=(const LoanedRoom&) = delete;
  PassRoom* operator->() { return room_.get(); }

 private:
  [[gnu::noinline]] static std::unique_ptr<PassRoom>& spare() {
    static thread_local std::unique_ptr<PassRoom> room;
    return room;
  }
  std::unique_ptr<PassRoom>& spare_;
  std::unique_ptr<PassRoom> room_;
};

/// If this thread knows it, which costs little.
[[nodiscard]] const CachedMesh* knownMesh(dGeomID trimesh) {
  return meshCache().recall(dGeomTriMeshGetData(trimesh), options().freshness);
}

/// Does the memory of pairs tell, which knows them as ODE asks for them: swapped? Farther apart than what is
/// taken for hovering.
[[nodiscard]] bool areKnownApart(const BoxedGeom& a, const Pose& pose_a, const BoxedGeom& b,
                                 const Pose& pose_b, double dt) {
  const Mesh &mesh_a = *a.mesh->mesh, &mesh_b = *b.mesh->mesh;
  const double margin = options().contact_margin;
  const std::array<const void*, 2> geoms{b.geom, a.geom};
  const PairMatter matter{b.mesh->serial, a.mesh->serial, margin};
  const MeshPair pair = orderedPair(mesh_b, pose_b, mesh_a, pose_a, margin).pair;
  const double reach = hoveringReach(HoveringPair::of(mesh_a, pose_a, mesh_b, pose_b), a.geom, b.geom, dt);
  return reach > 0 ? pairMemory().knowsStayingApart(geoms, matter, pair, reach)
                   : pairMemory().knowsApart(geoms, matter, pair);
}

/// Who tells that odemeshCollideSpeculative would find nothing between two meshes?
enum class Apart { kNobody, kBounds, kMemory };

/// Those that move have been looked at already.
[[nodiscard]] bool isKnownRigid(const BoxedGeom& geom, const Pose& pose) {
  return geom.pace != Pace::kSlow || isRigid(pose);
}

/// Their bounds, or the memory of what was found at the last steps, and neither is fast nor does one follow
/// the other.
[[nodiscard]] Apart whoTellsApart(const BoxedGeom& a, const BoxedGeom& b, double dt) {
  if (a.mesh == nullptr || b.mesh == nullptr) return Apart::kNobody;
  if (a.pace == Pace::kBrisk && b.pace == Pace::kBrisk) return Apart::kNobody;
  const Pose pose1 = poseOf(a.geom), pose2 = poseOf(b.geom);
  if (!isKnownRigid(a, pose1) || !isKnownRigid(b, pose2)) return Apart::kNobody;
  if (!mayCollide(*a.mesh->mesh, pose1, *b.mesh->mesh, pose2, options().contact_margin))
    return Apart::kBounds;
  return areKnownApart(a, pose1, b, pose2, dt) ? Apart::kMemory : Apart::kNobody;
}

class SpacePass {
 public:
  explicit SpacePass(double dt) : dt_(dt), moving_(dt, room_->moving) {}

  /// Returns the number of pairs that are left out since their meshes are apart.
  int run(dSpaceID space, void* data, dNearCallback* callback) {
    gather(space);
    addMeetingPairs();
    addUnboundedPairs();
    if (!moving_.fast().empty()) listNotFast();
    for (std::size_t i = 0; i < moving_.fast().size(); ++i) {
      addOnTheWay(moving_.fast()[i]);
      moving_.addFastPairs(i, room_->pairs);
    }
    moving_.addFollowing(room_->pairs);
    apart_ += room_->followers.drop(space, dt_, room_->moving, room_->known_apart, room_->pairs);
    callForAll(space, data, callback);
    return apart_;
  }

 private:
  void callForAll(dSpaceID space, void* data, dNearCallback* callback) {
    room_->contacts.clear();
    {
      const ContactLog log(moving_.fast().empty() ? nullptr : &room_->contacts);
      for (const GeomPair& pair : room_->pairs) callback(data, pair.a, pair.b);
    }
    collideStruck(space, dt_, {room_->contacts.data(), sizeof(dContact)}, int(room_->contacts.size()), data,
                  callback);
  }

  void gather(dSpaceID space) {
    for (auto* list : {&room_->bounded, &room_->unbounded}) list->clear();
    room_->pairs.clear();
    room_->known_apart.clear();
    dSpaceClean(space);
    forEachGeom(space, [this](dGeomID geom) { take(geom); });
  }

  void take(dGeomID geom) {
    const int geom_class = dGeomGetClass(geom);
    const bool is_space = isSpaceClass(geom_class);
    if (is_space) moving_.addAll(reinterpret_cast<dSpaceID>(geom));
    const CachedMesh* const mesh = geom_class == dTriMeshClass ? knownMesh(geom) : nullptr;
    const Pace pace = geom_class == dTriMeshClass
                          ? moving_.add(geom, mesh != nullptr ? mesh->mesh.get() : nullptr)
                          : Pace::kSlow;
    const Box box = boxOf(geom);
    // What is no number can't be sorted.
    const bool is_bounded = box.side[1] != dInfinity && !std::isnan(box.side[0]);
    (is_bounded ? room_->bounded : room_->unbounded)
        .push_back({geom, box, pace == Pace::kFast ? nullptr : mesh, pace, is_space});
  }

  void addIfMeeting(const BoxedGeom& a, const BoxedGeom& b) {
    if (!a.box.meets(b.box) || areFiltered(a.geom, b.geom)) return;
    const Apart told_by = whoTellsApart(a, b, dt_);
    if (told_by == Apart::kNobody) return room_->pairs.push_back({a.geom, b.geom});
    ++apart_;
    if (told_by == Apart::kMemory && (a.pace == Pace::kBrisk || b.pace == Pace::kBrisk))
      room_->known_apart.push_back({a.geom, b.geom});
  }

  void addMeetingPairs() {
    const auto& bounded = room_->bounded;
    sortAndSweep(
        bounded.size(), room_->moving.order, [&](std::uint32_t i) -> const Box& { return bounded[i].box; },
        [&](std::uint32_t i, std::uint32_t j) { addIfMeeting(bounded[i], bounded[j]); });
  }

  void addUnboundedPairs() {
    const auto& unbounded = room_->unbounded;
    for (std::size_t i = 0; i < unbounded.size(); ++i) {
      for (std::size_t j = i + 1; j < unbounded.size(); ++j) addIfMeeting(unbounded[i], unbounded[j]);
      for (const BoxedGeom& other : room_->bounded) addIfMeeting(unbounded[i], other);
    }
  }

  void listNotFast() {
    room_->not_fast.clear();
    for (const auto* list : {&room_->bounded, &room_->unbounded})
      for (const BoxedGeom& geom : *list)
        if (geom.pace != Pace::kFast) room_->not_fast.push_back(&geom);
  }

  /// What a fast mesh sweeps over and does not meet yet.
  void addOnTheWay(const MovingGeom& mover) {
    for (const BoxedGeom* other : room_->not_fast) {
      if (!mover.swept.meets(other->box)) continue;
      if (other->is_space)
        moving_.addNeighbours(reinterpret_cast<dSpaceID>(other->geom), mover, room_->pairs);
      else if (!mover.box.meets(other->box) && !areFiltered(mover.geom, other->geom))
        room_->pairs.push_back({mover.geom, other->geom});
    }
  }

  double dt_;
  LoanedRoom room_;
  MovingGeoms moving_;
  int apart_ = 0;
};

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" int odemeshSpaceCollide(dSpaceID space, dReal dt, void* data, dNearCallback* callback,
                                   int* apart) {
  if (!canPassOver(space, dt, callback))
    return fail(ODEMESH_ERROR_ARGUMENT, "odemeshSpaceCollide: give it a space, a callback and dt > 0");
  try {
    const int left_out = SpacePass(double(dt)).run(space, data, callback);
    if (odemeshIsInstalled() != 0) add(counters().pairs, static_cast<unsigned long long>(left_out));
    if (apart != nullptr) *apart = left_out;
    return ODEMESH_OK;
  } catch (...) {
    return failAfterCallback("odemeshSpaceCollide");
  }
}
