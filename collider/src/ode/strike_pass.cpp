// odemeshSpaceCollideStruck: the pairs that what is struck brings together within the step.
#include "ode/strike_pass.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "constants.hpp"
#include "motion/sweep.hpp"
#include "ode/deflected.hpp"
#include "ode/delivery.hpp"
#include "ode/errors.hpp"
#include "ode/geom_motion.hpp"
#include "ode/operand.hpp"
#include "ode/space_geoms.hpp"
#include "ode/struck_bodies.hpp"
#include "ode/struck_pair.hpp"
#include "ode/struck_ways.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// So often it is looked what the contacts so far bring about, and so often at one pair. More find no more in
/// clusters of 36 balls, cubes and plates.
constexpr int kMostRounds = 8;
constexpr int kMostVisits = 3;

/// Two geoms, whatever their order.
struct PairKey {
  dGeomID low, high;

  PairKey(dGeomID a, dGeomID b) : low(std::min(a, b)), high(std::max(a, b)) {}
  friend auto operator<=>(const PairKey&, const PairKey&) = default;
};

/// What is known of a pair.
struct Known {
  dGeomID g1, g2;
  std::vector<dContact> contacts{};     ///< for (g1, g2)
  std::optional<std::size_t> number{};  ///< among those of the struck bodies
  int visits = 0;
  std::array<std::optional<Motion>, 2> seen{};  ///< what others made of its motions at the last visit
};

[[nodiscard]] bool mayHaveImpacts(dGeomID geom) {
  const int geom_class = dGeomGetClass(geom);
  return geom_class == dTriMeshClass || geom_class == dPlaneClass;
}

/// ODE needs no geoms in a contact.
[[nodiscard]] bool hasGeoms(const dContactGeom& c) {
  return c.g1 != nullptr && c.g2 != nullptr;
}

[[nodiscard]] bool areOfOnePair(const dContactGeom& a, const dContactGeom& b) {
  return a.g1 == b.g1 && a.g2 == b.g2;
}

class StrikePass {
 public:
  StrikePass(double dt, void* data, dNearCallback* callback)
      : dt_(dt), paces_(dt), bodies_(dt), data_(data), callback_(callback) {}

  void run(dSpaceID space, const ContactArray& contacts, int count) {
    if (!mayStrike(contacts, count)) return;
    take(contacts, count);
    std::optional<StruckWays> ways;
    for (int round = 0; round < kMostRounds; ++round) {
      bodies_.settle();
      const std::vector<dBodyID> turned = bodies_.turnedAside();
      if (turned.empty()) return;
      if (!ways) ways.emplace(space, bodies_, dt_);
      follow(*ways, turned);
    }
  }

 private:
  /// May the contacts of what is fast turn anything aside? Those of pairs that move as one do not, as what a
  /// gripper carries.
  [[nodiscard]] bool mayStrike(const ContactArray& contacts, int count) {
    double approach = 0, least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i) {
      if (!beginsFastPair(contacts, i)) continue;
      const dContactGeom& c = contacts[i].geom;
      CachedMesh keeper1, keeper2;
      const CachedMesh *const first = meshOf(c.g1, keeper1), *const second = meshOf(c.g2, keeper2);
      if (first == nullptr || second == nullptr) return true;
      const Mesh &mesh1 = *first->mesh, &mesh2 = *second->mesh;
      approach +=
          approachWithin(mesh1, bodies_.ownMotionOf(c.g1), mesh2, bodies_.ownMotionOf(c.g2), dt_).greatest();
      least = std::min({least, mesh1.thickness(), mesh2.thickness()});
      if (mayTurnAside(approach, kSlowApproach * least)) return true;
    }
    return false;
  }

  /// Contacts of pairs of which nothing is fast act once one of their bodies is struck.
  void take(const ContactArray& contacts, int count) {
    for (int i = 0; i < count; ++i)
      if (hasGeoms(contacts[i].geom)) take(contacts[i]);
    for (int i = 0; i < count; ++i) {
      if (!beginsFastPair(contacts, i)) continue;
      const dContactGeom& c = contacts[i].geom;
      if (Known& known = knownOf(c.g1, c.g2); !known.number) add(known);
    }
  }

  void take(const dContact& contact) {
    Known& known = knownOf(contact.geom.g1, contact.geom.g2);
    dContactGeom& taken = known.contacts.emplace_back(contact).geom;
    if (taken.g1 != known.g1) turnRound(taken);
  }

  [[nodiscard]] Known& knownOf(dGeomID g1, dGeomID g2) {
    return known_.try_emplace({g1, g2}, Known{g1, g2}).first->second;
  }

  /// Is this the first contact of a pair of which something is fast?
  [[nodiscard]] bool beginsFastPair(const ContactArray& contacts, int i) {
    const dContactGeom& c = contacts[i].geom;
    return (i == 0 || !areOfOnePair(contacts[i - 1].geom, c)) && isOfFast(c);
  }

  [[nodiscard]] bool isOfFast(const dContactGeom& c) {
    return hasGeoms(c) && (isFastGeom(c.g1) || isFastGeom(c.g2));
  }

  [[nodiscard]] bool isFastGeom(dGeomID geom) {
    CachedMesh keeper;
    const CachedMesh* const mesh = meshOf(geom, keeper);
    return mesh != nullptr && paces_.of(geom, *mesh->mesh) == Pace::kFast;
  }

  void add(Known& known) {
    known.number = bodies_.addPair(known.g1, known.g2);
    for (const dContact& c : known.contacts) bodies_.add(*known.number, c);
  }

  /// To what these bodies meet, and what those meet that are struck so.
  void follow(StruckWays& ways, const std::vector<dBodyID>& turned) {
    std::set<Encounter> encounters;
    ways.update(turned, encounters);
    while (!encounters.empty()) {
      const Encounter nearest = encounters.extract(encounters.begin()).value();
      if (!ways.mayMeet(nearest)) continue;
      Known& known = knownOf(ways.geomAt(nearest.mover), ways.geomAt(nearest.other));
      if (!meet(known)) continue;
      bodies_.settle(*known.number);
      ways.update(bodies_.turnedAside(), encounters);
    }
  }

  /// Has the pair contacts that act from now on? Each pair has a number of times, so that this ends.
  [[nodiscard]] bool meet(Known& known) {
    const bool is_new = !known.number;
    if (is_new) add(known);
    return ask(known) || (is_new && !known.contacts.empty());
  }

  /// Have others changed the motions of a pair, since the last visit or at all? What its own contacts do to
  /// them has been looked at with these.
  [[nodiscard]] bool areChanged(const Known& known, const std::array<Motion, 2>& motions) const {
    const std::array geoms{known.g1, known.g2};
    for (std::size_t side = 0; side < 2; ++side) {
      CachedMesh keeper;
      const CachedMesh* const mesh = meshOf(geoms[side], keeper);
      if (mesh == nullptr) continue;
      const Motion before = known.seen[side] ? *known.seen[side] : bodies_.ownMotionOf(geoms[side]);
      if (isTurnedAside(*mesh->mesh, before, motions[side], dt_)) return true;
    }
    return false;
  }

  /// Looks at a pair whose motions others have changed. Are there more contacts then?
  [[nodiscard]] bool ask(Known& known) {
    if (known.visits == kMostVisits || !mayHaveImpacts(known.g1) || !mayHaveImpacts(known.g2)) return false;
    const std::array motions = bodies_.motionsWithout(*known.number);
    if (!areChanged(known, motions)) return false;
    known.seen = {motions[0], motions[1]};
    ++known.visits;
    const std::size_t before = known.contacts.size();
    StruckPair pair{known.g1, known.g2, motions, std::move(known.contacts)};
    {
      const PairInHand in_hand(pair);
      callback_(data_, pair.g1, pair.g2);
    }
    known.contacts = std::move(pair.contacts);
    for (std::size_t i = before; i < known.contacts.size(); ++i)
      bodies_.add(*known.number, known.contacts[i]);
    return known.contacts.size() > before;
  }

  double dt_;
  GeomPaces paces_;
  StruckBodies bodies_;
  void* data_;
  dNearCallback* callback_;
  std::map<PairKey, Known> known_;
};

}  // namespace

void collideStruck(dSpaceID space, double dt, const ContactArray& contacts, int count, void* data,
                   dNearCallback* callback) {
  StrikePass(dt, data, callback).run(space, contacts, count);
}

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" int odemeshSpaceCollideStruck(dSpaceID space, dReal dt, const dContact* contacts, int count,
                                         int stride, void* data, dNearCallback* callback) {
  const bool has_contacts = count == 0 || (contacts != nullptr && stride >= int(sizeof(dContact)));
  if (!canPassOver(space, dt, callback) || count < 0 || !has_contacts)
    return fail(ODEMESH_ERROR_ARGUMENT,
                "odemeshSpaceCollideStruck: give it a space, a callback, dt > 0, contacts and their stride");
  try {
    collideStruck(space, double(dt), {const_cast<dContact*>(contacts), stride}, count, data, callback);
    return ODEMESH_OK;
  } catch (...) {
    return failAfterCallback("odemeshSpaceCollideStruck");
  }
}
