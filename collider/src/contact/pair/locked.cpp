#include "contact/pair/locked.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <odemesh/collide.hpp>
#include <odemesh/motion.hpp>
#include <optional>
#include <span>

#include "contact/deep.hpp"
#include "contact/pair/free_way.hpp"
#include "contact/region/point_in_solid.hpp"
#include "contact/way_out/is_free.hpp"

namespace odemesh {

namespace {

/// A motion answers the contacts if none is left deeper than this share of the deepest. They oppose each
/// other if so many steps do not get below a greater one.
constexpr double kAnswered = 0.02;
constexpr double kUnanswered = 0.1;
constexpr int kMostProjections = 64;

/// Contacts may understate the way out: it is looked at as far as so many times what they say; of those of
/// one direction, past an edge, all of them, of others the first. The way back should not be shorter.
constexpr std::array<double, 6> kLengthened{1.05, 1.25, 1.6, 2, 2.5, 3.2};
constexpr auto kLonger = std::span(kLengthened).first<4>();
constexpr std::array<double, 3> kShorterWays{0.7, 0.85, 0.95};

/// What is less deep, in units of the smaller mesh's radius, is not looked at for that: so is what rests.
constexpr double kLeastLengthened = 1e-3;

/// Contacts have one direction if the cosine of their normals is more than this.
constexpr double kOneDirection = 0.999;

/// What fills its hole is free but for being too large by this share.
constexpr double kTooLarge = 1e-3;

/// Contacts overstate the way out if one of these shares of it is enough. Those that tell the way to the far
/// side of a hollow are free in it, and again a little before they are told to be.
constexpr std::array<double, 2> kOverstated{0.5, 0.9};

/// Ways are as long as each other if they differ by no more than this share of their length.
constexpr double kLike = 1.0 / 32;

/// Bodies turn free if following their contacts, so many times, leaves none deeper than this share of the
/// deepest at first.
constexpr int kMostFollowed = 8;
constexpr double kTurnedFree = 0.25;

/// Contacts that are less deep than this share of what counts as deep are those of bodies at rest.
constexpr double kRestingShare = 1.0 / 16;

/// Shallow contacts lead into something deeper if that is more than this share of what counts as deep: walls
/// of a tight fit lead to each other, by less.
constexpr double kDeeperShare = 0.5;

/// What has to turn by more, in radians, or is deeper than this many times what counts as deep (that is, than
/// a plate is thick), does not stand askew but crosses the other body.
constexpr double kMostTurn = 0.2, kMostAskew = 8.0 / 3;

/// A way out that is no more than this many times as long as what the contacts tell is taken, whether the
/// body comes free by turning or not: one contact is easier on a solver than many that almost oppose each
/// other. Past the border of a sheet, a way has to be shorter still: a solid may belong on one side of it.
constexpr double kFarther = 2, kFartherPastBorder = 3;

/// Contacts by which bodies have to move farther than so many times as deep as they are drive them too fast,
/// each as it is to come out at the solver's correcting speed.
constexpr double kMostDriven = 3;

/// A body's radius of gyration, in units of its radius: half, of what is compact, a little more, of a rod.
constexpr double kGyration = 0.5;

/// Ways out are looked for from this share of what counts as deep on, up to so many radii of the smaller
/// mesh.
constexpr double kLeastWay = 0.5, kLongest = 4;

/// So many directions of contacts are looked at, of those that are as deep as this share of the deepest, and
/// lines through so many contacts.
constexpr double kDeeper = 0.5;
constexpr std::size_t kMostNormals = 8, kMostLines = 4;

/// Meshes may coincide if their centres are closer than this, and their radii differ by less, in units of the
/// smaller radius. Then so many points are looked at, each below a vertex by this share of what is deep.
constexpr double kCoinciding = 0.25;
constexpr std::size_t kMostPoints = 16;
constexpr double kBelowSurface = 0.5;

[[nodiscard]] double deepestOf(const std::vector<Contact>& contacts) {
  double deepest = 0;
  for (const Contact& c : contacts) deepest = std::max(deepest, c.depth);
  return deepest;
}

/// A small motion of a body about its centre, in answer to contacts.
struct Answer {
  Vec3 way;
  Vec3 turn;          ///< by its length in radians
  double missed = 0;  ///< a length, of the contact that is answered least
};

/// The gyration of what does not turn.
constexpr double kNeverTurns = std::numeric_limits<double>::infinity();

/// The scratch for contacts of bodies that are tried out somewhere else.
[[nodiscard]] ContactScratch& scratchElsewhere() {
  static thread_local ContactScratch scratch;
  return scratch;
}

class Lock {
 public:
  Lock(const MeshPair& pair, ContactScratch& scratch, RegionContacts findContacts)
      : pair_(pair), scratch_(scratch), find_contacts_(findContacts), deep_(deepOf(pair)) {
    for (const Contact& c : scratch.contacts)
      if (c.depth > deepest_.depth) deepest_ = c;
  }

  [[nodiscard]] bool isLocked() const {
    if (areSheets(pair_)) return isBorderInBorder();
    if (deepest_.depth > deep_) return leadsNowhere();
    return leadsDeeper() || (mayCoincide() && doCoincide());
  }

  /// Are the bodies free on the way already? Then contacts told the way to a wall on the far side, which
  /// sheets do not have, and are shortened.
  bool shortenOverstated() {
    if (areSheets(pair_) || deepest_.depth <= deep_) return false;
    const auto way = wayOfContacts();
    if (!way) return false;
    const auto share = std::ranges::find_if(kOverstated, [&](double s) { return isFree(pair_, *way * s); });
    if (share == kOverstated.end()) return false;
    const double free = halveToFree(pair_, *way, 0, *share);
    const double least = halveToFree(pair_, *way, free - *share / 64, free);
    for (Contact& c : scratch_.contacts) c.depth *= least;
    deepest_.depth *= least;
    return true;
  }

  /// Past an edge, what holds the bodies in each other may lie outside of the region. Where contacts of one
  /// direction do not free them, but a little more does, the deepest are told that.
  void lengthenUnderstated() {
    if (!scratch_.leaves_past_edge || !pair_.areSolid() || deepest_.depth < kLeastLengthened * pair_.size())
      return;
    const Vec3 way = toPair(deepest_.normal) * deepest_.depth;
    if (!isAlong(deepest_.normal)) return;
    const auto share = std::ranges::find_if(kLengthened, [&](double s) { return isFree(pair_, way * s); });
    if (share == kLengthened.begin() || share == kLengthened.end()) return;
    const double free = halveToFree(pair_, way, *(share - 1), *share) * deepest_.depth;
    const double least = deepest_.depth - pair_.tolerances().touching;
    for (Contact& c : scratch_.contacts)
      if (c.depth >= least) c.depth = free;
    deepest_.depth = free;
  }

  /// The deepest contact so far takes another direction: bodies are parted no faster than others.
  void leaveBy(const Vec3& way) {
    deepest_.position = middleOfContacts();
    if (isBorderInBorder()) takeTriangles(scratch_.crossings.front());
    deepest_.normal = pair_.toWorld().rotate(normalised(way));
    deepest_.depth = std::min(length(way), std::max(deepest_.depth, deep_));
    scratch_.contacts.assign(1, deepest_);
    scratch_.patch_end.assign(1, 1);
  }

  /// The shortest way out: along the line of centres, off the deeper contacts, or as the meshes lie. None of
  /// sheets whose borders rest on each other, as those of a house of cards do.
  [[nodiscard]] std::optional<Vec3> findWay() {
    const auto way = findWay(kLongest * pair_.size(), true);
    if (!way || !isBorderInBorder()) return way;
    const bool is_hair = isFree(pair_, *way * (kLeastWay * deep_ / length(*way)));
    return is_hair ? std::nullopt : way;
  }

  /// The same, if the contacts lead farther than the bodies are thin, and it is less than half as long, past
  /// the border of a sheet less than a third. Sheets that lie in each other part at once, and slide off each
  /// other only by all their length. Those without thickness have no inside to be led through.
  [[nodiscard]] std::optional<Vec3> muchShorterWay() {
    if (pair_.areConvex() || deepest_.depth <= deep_) return std::nullopt;
    const bool is_one_a_sheet = isSheet(pair_[0].mesh()) != isSheet(pair_[1].mesh());
    const double led = ledBy(), farther = is_one_a_sheet ? kFartherPastBorder : kFarther;
    return led > kMostAskew * deep_ ? findWay(led / farther, areSheets(pair_)) : std::nullopt;
  }

  /// Is the way out much longer than what the contacts tell, and do they let out a body that turns? What
  /// stands askew in a slot, as a drawer does that is half out, meets the one wall or the other wherever it
  /// is moved, or both at once.
  [[nodiscard]] bool isAskew(const Vec3& way) const {
    return deepest_.depth > deep_ && deepest_.depth <= kMostAskew * deep_ &&
           length(way) > kFarther * deepest_.depth && turnsFree();
  }

 private:
  /// Do sheets cut each other from their borders inwards, so that no part of them is cut off?
  [[nodiscard]] bool isBorderInBorder() const {
    return areSheets(pair_) && scratch_.contacts.empty() && !scratch_.crossings.empty();
  }

  /// How far do the contacts lead? Those that almost oppose each other, much farther than they are deep.
  [[nodiscard]] double ledBy() const {
    const auto way = wayOfContacts();
    return way ? std::max(length(*way), deepest_.depth) : deepest_.depth;
  }

  /// Of those up to a length. What lies deep in something thin leaves it by as little as that, whatever the
  /// contacts say.
  [[nodiscard]] std::optional<Vec3> findWay(double longest, bool may_pass) {
    auto& directions = scratch_.directions;
    directions.clear();
    if (const Vec3 between = pair_[0].centre() - pair_[1].centre(); lengthSq(between) > 0)
      directions.push_back(normalised(between));
    if (const auto way = wayOfContacts(); way && lengthSq(*way) > 0) directions.push_back(normalised(*way));
    for (const Contact& c : scratch_.contacts)
      if (c.depth >= kDeeper * deepest_.depth && directions.size() < kMostNormals)
        directions.push_back(toPair(c.normal));
    findPointsInBoth();
    return shortestFreeWay(pair_, scratch_.points_in_both, {kLeastWay * deep_, longest, may_pass}, scratch_);
  }

  /// Do all contacts have this normal, but for those that are next to nothing?
  [[nodiscard]] bool isAlong(const Vec3& normal) const {
    return std::ranges::all_of(scratch_.contacts, [&](const Contact& c) {
      return dot(c.normal, normal) > kOneDirection || c.depth < kAnswered * deepest_.depth;
    });
  }

  /// Contacts lie between the surfaces: the deepest of all, and of each patch.
  void findPointsInBoth() {
    auto& points = scratch_.points_in_both;
    points.clear();
    addPointInBoth(deepest_);
    std::size_t begin = 0;
    for (const std::size_t end : scratch_.patch_end) {
      const auto patch = std::span(scratch_.contacts).subspan(begin, end - begin);
      if (!patch.empty() && points.size() < kMostLines)
        addPointInBoth(*std::ranges::max_element(patch, {}, &Contact::depth));
      begin = end;
    }
  }

  void addPointInBoth(const Contact& contact) {
    auto& points = scratch_.points_in_both;
    const Vec3 p = pair_.toWorld().inverse().apply(contact.position);
    if (std::ranges::find(points, p) == points.end()) points.push_back(p);
  }

  [[nodiscard]] Vec3 toPair(const Vec3& world) const { return pair_.toWorld().rotation.transposed() * world; }

  /// Do the contacts oppose each other, lead back, or from one overlap into the next? Those that almost
  /// oppose each other lead far, and fast, and have to free the bodies right there.
  [[nodiscard]] bool leadsNowhere() const {
    const auto way = wayOfContacts();
    if (!way || length(*way) > kMostDriven * deepest_.depth) return true;
    if (std::ranges::any_of(kShorterWays, [&](double share) { return isFree(pair_, *way * -share); }))
      return true;
    const bool almost_oppose = length(*way) > kFarther * deepest_.depth;
    for (const double share : kLonger.first(almost_oppose ? 1 : kLonger.size())) {
      const bool is_free = isFree(pair_, *way * share);
      if (isFree(pair_, *way * -share)) return !is_free || isShorterBack(*way, share);
      if (is_free) return false;
    }
    return !isFreeButFor(pair_, *way * (almost_oppose ? kLonger[0] : kLonger[1]), kTooLarge);
  }

  /// Are shallow patches all that is told of a region that is deep as a whole, and does following them lead
  /// to contacts that are much deeper? Where edges cross a thin plate near its end, each place of them is
  /// near some face, and the whole is not.
  [[nodiscard]] bool leadsDeeper() const {
    if (scratch_.split_depth <= deep_ || deepest_.depth <= kRestingShare * deep_) return false;
    const auto way = wayOfContacts();
    if (!way) return false;
    Pose moved = pair_[0].pose();
    moved.translation += *way * kLonger[0];
    ContactScratch& elsewhere = scratchElsewhere();
    find_contacts_({pair_[0].mesh(), moved, pair_[1].mesh(), pair_[1].pose()}, elsewhere);
    return deepestOf(elsewhere.contacts) > std::max(kFarther * deepest_.depth, kDeeperShare * deep_);
  }

  /// Do the contacts let a body out that turns by as much as they say?
  [[nodiscard]] bool turnsFree() const {
    const int side = pair_[0].mesh().sphereRadius() <= pair_[1].mesh().sphereRadius() ? 0 : 1;
    std::array<Pose, 2> pose{pair_[0].pose(), pair_[1].pose()};
    ContactScratch& elsewhere = scratchElsewhere();
    elsewhere.contacts = scratch_.contacts;
    for (Contact& c : elsewhere.contacts) {
      c.position = pair_.toWorld().inverse().apply(c.position);
      c.normal = toPair(c.normal);
    }
    double turned = 0;
    for (int i = 0; i < kMostFollowed; ++i) {
      const Vec3 centre = pose[side].apply(pair_[side].mesh().sphereCentre());
      const Answer twist = answerTo(elsewhere.contacts, side, centre, kGyration * pair_.size());
      turned += length(twist.turn);
      if (turned > kMostTurn || length(twist.way) > kMostDriven * deepest_.depth) return false;
      pose[side] = Motion{pose[side], centre, twist.way, twist.turn}.at(1);
      find_contacts_({pair_[0].mesh(), pose[0], pair_[1].mesh(), pose[1]}, elsewhere);
      if (deepestOf(elsewhere.contacts) <= kTurnedFree * deepest_.depth) return true;
    }
    return false;
  }

  /// Both ways are free at this share of their length. Of ways as long as each other, one leads back if it
  /// leads towards the other's centre: from step to step, bodies are sent the same way.
  [[nodiscard]] bool isShorterBack(const Vec3& way, double share) const {
    const double on = halveToFree(pair_, way, 0, share), back = halveToFree(pair_, -way, 0, share);
    if (std::abs(on - back) > kLike * share) return back < on;
    return dot(way, pair_[0].centre() - pair_[1].centre()) < 0;
  }

  /// Of none, that of the borders in each other, or that between the meshes.
  [[nodiscard]] Vec3 middleOfContacts() const {
    if (isBorderInBorder()) return middleOfCrossings();
    if (scratch_.contacts.empty())
      return pair_.toWorld().apply(0.5 * (pair_[0].centre() + pair_[1].centre()));
    Vec3 sum;
    for (const Contact& c : scratch_.contacts) sum += c.position;
    return sum / double(scratch_.contacts.size());
  }

  /// The deepest contact is between the faces that meet there.
  void takeTriangles(const Crossing& c) {
    std::array<std::uint32_t, 2> face{};
    face[c.side] = pair_[c.side].mesh().edges()[c.edge].triangle[0];
    face[1 - c.side] = c.face;
    deepest_.triangle1 = pair_[0].inputTriangleAt(face[0], c.point);
    deepest_.triangle2 = pair_[1].inputTriangleAt(face[1], c.point);
  }

  /// In the world frame.
  [[nodiscard]] Vec3 middleOfCrossings() const {
    Vec3 sum;
    for (const Crossing& c : scratch_.crossings) sum += c.point;
    return pair_.toWorld().apply(sum / double(scratch_.crossings.size()));
  }

  /// The motion of mesh 1 that answers all contacts, if there is one.
  [[nodiscard]] std::optional<Vec3> wayOfContacts() const {
    const Answer answer = answerTo(scratch_.contacts, 0, deepest_.position, kNeverTurns);
    return answer.missed > kUnanswered * deepest_.depth ? std::nullopt : std::optional(toPair(answer.way));
  }

  /// The motion of mesh `side`, of this radius of gyration about its centre, that answers the contacts:
  /// projected onto the one that it answers least, again and again (Kaczmarz 1937).
  [[nodiscard]] Answer answerTo(const std::vector<Contact>& contacts, int side, const Vec3& centre,
                                double gyration) const {
    const double gyration_sq = gyration * gyration;
    Answer answer;
    for (int i = 0; i < kMostProjections; ++i) {
      answer.missed = kAnswered * deepest_.depth;
      Vec3 push, arm;
      for (const Contact& c : contacts) {
        const Vec3 normal = side == 0 ? c.normal : -c.normal, lever = cross(c.position - centre, normal);
        const double left = c.depth - dot(normal, answer.way) - dot(lever, answer.turn);
        if (left <= answer.missed) continue;
        answer.missed = left;
        push = normal;
        arm = lever;
      }
      if (push == Vec3{}) break;
      const double impulse = answer.missed / (1 + lengthSq(arm) / gyration_sq);
      answer.way += push * impulse;
      answer.turn += arm * (impulse / gyration_sq);
    }
    return answer;
  }

  [[nodiscard]] bool mayCoincide() const {
    const double near = kCoinciding * pair_.size();
    return pair_.areSolid() &&
           std::abs(pair_[0].mesh().sphereRadius() - pair_[1].mesh().sphereRadius()) < near &&
           lengthSq(pair_[1].centre() - pair_[0].centre()) < near * near;
  }

  /// Of surfaces that lie in each other, contacts tell nothing.
  [[nodiscard]] bool doCoincide() const { return isMostlyWithinOther(0) || isMostlyWithinOther(1); }

  /// Is most of what is below the surface of mesh `side`?
  [[nodiscard]] bool isMostlyWithinOther(int side) const {
    const PlacedMesh& placed = pair_[side];
    const Mesh& mesh = placed.mesh();
    const PointInSolid other(pair_[1 - side]);
    const std::size_t stride = mesh.vertexCount() / kMostPoints + 1;
    const std::size_t points = (mesh.vertexCount() + stride - 1) / stride;
    std::size_t outside = 0;
    for (std::size_t v = 0; v < mesh.vertexCount() && 2 * outside < points; v += stride) {
      const Vec3 below = placed.vertex(std::uint32_t(v)) -
                         placed.pose().rotate(mesh.vertexNormal(v)) * (kBelowSurface * deep_);
      outside += !other.contains(below);
    }
    return 2 * outside < points;
  }

  const MeshPair& pair_;
  ContactScratch& scratch_;
  RegionContacts find_contacts_;
  Contact deepest_;
  double deep_;  ///< a length, of the thinner body
};

}  // namespace

void freeLocked(const MeshPair& pair, ContactScratch& scratch, RegionContacts findContacts) {
  Lock lock(pair, scratch, findContacts);
  const bool is_shortened = lock.shortenOverstated();
  if (!is_shortened && lock.isLocked()) {
    const auto way = lock.findWay();
    if (way && !lock.isAskew(*way)) lock.leaveBy(*way);
    return;
  }
  if (!is_shortened) lock.lengthenUnderstated();
  if (const auto way = lock.muchShorterWay()) lock.leaveBy(*way);
}

}  // namespace odemesh
