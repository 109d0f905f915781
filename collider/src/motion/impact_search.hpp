// The search for impacts: vertices through faces and edges through edges, by Provot's conditions (1997) on
// motions that are straight in short parts of the step.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <odemesh/motion.hpp>
#include <optional>
#include <span>
#include <vector>

#include "constants.hpp"
#include "contact/stamps.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/meeting_boxes.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

/// An edge, and what it lies in or sweeps over.
struct BoxedEdge {
  std::uint32_t edge;
  Aabb box;
};

/// The ends of an edge somewhere.
struct Segment {
  Vec3 a, b;
};

/// The normals of the faces at an edge.
struct EdgeNormals {
  Vec3 first, second;
  bool has_two;

  EdgeNormals(const Mesh& mesh, const MeshEdge& edge)
      : first(mesh.normal(edge.triangle[0])), has_two(edge.triangle[1] != Mesh::kNone) {
    if (has_two) second = mesh.normal(edge.triangle[1]);
  }
  /// Faces on one side only, or not in one plane.
  [[nodiscard]] bool isRidge() const { return !has_two || dot(first, second) < kFlatCosine; }
};

/// The faces beside an edge: unit vectors across it, into them.
class FacesBeside {
 public:
  FacesBeside(const Mesh& mesh, const MeshEdge& edge);

  [[nodiscard]] std::span<const Vec3> arms() const { return {arm_.data(), count_}; }
  [[nodiscard]] FacesBeside turned(const Mat3& rotation) const {
    FacesBeside out = *this;
    for (Vec3& arm : out.arm_) arm = rotation * arm;
    return out;
  }

 private:
  std::array<Vec3, 2> arm_{};
  std::size_t count_ = 0;
};

/// An edge of the mesh in whose frame the other one moves.
struct StillEdge {
  MeshEdge edge;
  Segment place;
  FacesBeside beside;
};

/// The way of a point that turns is looked at so many times a step for how deep it comes, and for when that
/// is.
inline constexpr int kTurnSamples = 4;
inline constexpr std::size_t kDeepestSamples = 8;

/// The greatest of `depthAt(t)` within a step of `dt` from `time` on.
template <typename DepthAt>
[[nodiscard]] double greatestDepthFrom(double time, double dt, DepthAt&& depthAt) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (int i = 1; i <= kTurnSamples; ++i)
    greatest = std::max(greatest, depthAt(time + dt * i / kTurnSamples));
  return greatest;
}

/// Does what moves at this velocity, of which forces bring `gain` in the step, fall as they pull?
[[nodiscard]] bool fallsBy(const Vec3& velocity, const Vec3& gain);

/// Where a vertex is at the begin and at the end of a part of the step, in the frame of the other mesh.
struct SweptVertex {
  Vec3 from, to;
};

/// How far an impact is from those that are kept, at the least, as squares; normals count as well as places.
struct ImpactApart {
  double whole_sq = std::numeric_limits<double>::infinity();
  double across_sq = std::numeric_limits<double>::infinity();  ///< but for what is along their normals
};

/// A part of the step: poses of each mesh in the frame of the other one, at its begin and at its end.
struct StepPart {
  double begin_time, duration;
  std::array<Pose, 2> begin, end;
};

/// A straight way in the frame of the mesh that is met, lengthened backwards by a hair.
struct Way {
  Vec3 from, to;
  double lead;  ///< share of the way that lies before its begin
  [[nodiscard]] double timeAt(double share, const StepPart& part) const;
};

/// An edge of mesh 1 on its way in the frame of mesh 2.
struct MovingEdge {
  MeshEdge edge;
  Way way;  ///< of its first end
  Segment begin, end;
  FacesBeside beside, beside_at_begin;  ///< in the frames of mesh 1 and of mesh 2
};

/// What a search gathers of each mesh, kept from call to call so that nothing is allocated anew.
struct MotionScratch {
  std::vector<StepPart> parts;
  std::array<std::vector<std::uint32_t>, 2> vertices, edges;  ///< near the sweep
  std::array<Stamps, 2> has_vertex, has_edge;
  std::array<std::vector<SweptVertex>, 2> swept;      ///< by vertex; set for `vertices`
  std::array<std::vector<BoxedEdge>, 2> boxed_edges;  ///< of mesh 1, moving, and of mesh 2
  std::vector<MovingEdge> moving_edges;               ///< those of mesh 1
  std::vector<StillEdge> still_edges;                 ///< those of mesh 2
  MeetingBoxes meeting_boxes;
  std::vector<Impact> found;
  std::vector<Impact> followers;  ///< of vertices in front of which their own mesh bulges more
  std::vector<Impact> feet;       ///< those that are no guards
  std::vector<ImpactApart> apart;
  std::vector<CastHit> hits;                   ///< on the way of a centre
  std::array<Contact, kMostImpacts> overlaps;  ///< of the meshes at some time of the step
  std::size_t overlap_count = 0;
};

/// That of this thread.
[[nodiscard]] MotionScratch& motionScratch();

enum class Met;

/// Does a mesh at a pose bulge at a vertex, against this normal: is none of its neighbours in front of it?
[[nodiscard]] bool bulges(const Mesh& mesh, std::uint32_t v, const Pose& pose, const Vec3& normal);

/// Impacts of one pair of meshes, in no particular order.
class ImpactSearch {
 public:
  /// Approach within `dt` counts from `least_share` on, in units of the mover's thickness.
  ImpactSearch(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2, double dt,
               double least_share, Front front);

  /// Appends to `found` of the scratch. False if the meshes do not come near each other.
  bool run();
  /// The same where the meshes overlap first, if they come as deep in each other as discrete collision copes
  /// with and deeper.
  void runOnOverlaps();

 private:
  /// A point at which mesh `side` meets the other one, whose frame it is in.
  struct Meeting {
    int side;
    Vec3 point;
    Vec3 normal;  ///< of the other mesh's surface, towards mesh `side`
    double time;
    Pose pose, other_pose;  ///< of mesh `side` and of the other one at that time
    std::uint32_t triangle, other_triangle;
    bool leads = true;  ///< no neighbour of a vertex is in front of it
  };

  /// What is known of a meeting before it is known whether it counts.
  struct Course {
    Impact impact;      ///< without triangles
    Vec3 at, other_at;  ///< where the points of mesh `side` and of the other one have their leverage
    Vec3 approach;      ///< of mesh 1
  };

  [[nodiscard]] std::array<Pose, 2> relativePosesAt(double time) const;
  [[nodiscard]] double turnWithin(double duration) const;
  [[nodiscard]] double smallerRadius() const {
    return std::min(mesh_[0]->sphereRadius(), mesh_[1]->sphereRadius());
  }
  [[nodiscard]] double armOf(int side) const;
  [[nodiscard]] double bendWithin(int side, double reach, double duration) const;
  [[nodiscard]] double bendOfWhatMeets(double duration) const;
  [[nodiscard]] bool areFine() const;
  void splitStep(double from, double to);
  void addParts(double from, double to);
  [[nodiscard]] bool meetBetween(double from, double to);
  [[nodiscard]] bool meetInSpans();
  [[nodiscard]] bool meetFirst();
  [[nodiscard]] bool isLongWay() const;
  void boundFirst();
  [[nodiscard]] double timeToApproachBy(double share) const;
  void noteMeeting(double time);
  [[nodiscard]] double shareUntilLatest(const StepPart& part) const;
  void dropLate(std::size_t before);
  [[nodiscard]] bool meet(const StepPart& part);
  [[nodiscard]] int moverPastStill() const;
  [[nodiscard]] Met metOnWay(int mover, const StepPart& part) const;
  [[nodiscard]] bool staysApart(const StepPart& part) const;
  [[nodiscard]] double bendOf(int side, const StepPart& part) const;
  [[nodiscard]] Way wayOf(const SweptVertex& vertex) const;
  [[nodiscard]] bool isFar(double way_sq, const StepPart& part) const;
  void startGathering(int side);
  void makeRoomForSwept(int side);
  [[nodiscard]] bool gatherPairs(const StepPart& part);
  void gather(int side, const StepPart& part);
  void meetFaces(int side, const StepPart& part);
  void meetFacesOfTip(int side, const StepPart& part);
  /// `bounds` are those of the other mesh.
  void meetFacesAt(int side, std::uint32_t v, const Aabb& bounds, const StepPart& part);
  [[nodiscard]] std::optional<Meeting> firstFaceMet(int side, std::uint32_t v, const SweptVertex& swept,
                                                    const StepPart& part, double until) const;
  [[nodiscard]] Vec3 wayWithoutForces(int side, std::uint32_t v, const StepPart& part) const;
  [[nodiscard]] double passedAlong(const Vec3& along, const Vec3& normal, const Vec3& way) const;
  void meetEdges(const StepPart& part);
  void boxStillEdges(const Mat3& axes, const StepPart& part);
  void boxMovingEdges(const Mat3& axes, const StepPart& part);
  [[nodiscard]] bool mayBeMet(int side, const MeshEdge& edge, const StepPart& part) const;
  [[nodiscard]] StillEdge stillEdge(std::uint32_t edge) const;
  [[nodiscard]] MovingEdge movingEdge(const MeshEdge& own, const SweptVertex& a, const SweptVertex& b,
                                      const StepPart& part) const;
  [[nodiscard]] bool mayFace(const MovingEdge& own, const StillEdge& other, double turn) const;
  void meetEdgePair(const MovingEdge& own, const StillEdge& other, const StepPart& part);
  [[nodiscard]] std::optional<Meeting> firstMeeting(const MovingEdge& own, const StillEdge& other,
                                                    const StepPart& part) const;
  /// As if the step had no forces that bring about `meeting`.
  ///@{
  [[nodiscard]] MovingEdge withoutForces(MovingEdge edge, const Meeting& meeting, const StepPart& part) const;
  [[nodiscard]] SweptVertex withoutForces(const SweptVertex& vertex, const Meeting& meeting,
                                          const StepPart& part) const;
  ///@}
  [[nodiscard]] bool hasToComeWithoutForces(const Meeting& meeting) const;
  [[nodiscard]] std::span<const StepPart> fromOn(const StepPart& part) const;
  [[nodiscard]] SweptVertex sweptIn(const StepPart& part, int side, std::uint32_t v) const;
  [[nodiscard]] static Vec3 localOf(const Meeting& meeting);
  [[nodiscard]] std::array<Vec3, 2> gains(int side, const Meeting& meeting, const StepPart& part) const;
  void gatherTriangle(int side, std::uint32_t t, const StepPart& part);
  void keepFollowers();
  [[nodiscard]] bool isBehindFront(const Vec3& normal) const;
  [[nodiscard]] double depthOfFront(const Vec3& normal) const;
  [[nodiscard]] double guardedRadius(int side) const;
  [[nodiscard]] bool guardCentre(int side, double radius, const StepPart& part);
  [[nodiscard]] double timeOfSample(std::size_t i) const {
    return dt_ * double(i + 1) / double(kDeepestSamples);
  }
  [[nodiscard]] double timeOfDeepest(const Meeting& meeting, const Vec3& local);
  [[nodiscard]] Motion carried(int side) const;
  [[nodiscard]] double sinksBy(const Meeting& meeting, const Vec3& local) const;
  [[nodiscard]] bool isAskew(const Vec3& way, const Vec3& normal) const;
  [[nodiscard]] bool isLeftToContacts(const Vec3& way, const Impact& impact, const Vec3& approach) const;
  void brakeAlong(const Vec3& at, const Vec3& other_at, int side, Impact& impact) const;
  [[nodiscard]] Course courseOf(const Meeting& meeting, const Vec3& local, double time) const;
  void add(const Meeting& meeting);
  [[nodiscard]] bool isShallowAt(double time, double deep) const;
  double depthAt(double time);
  void addFirstOverlap(double apart, double deep, double sunk, double most);
  void addOverlap(const Contact& contact, double time);
  [[nodiscard]] bool counts(const Impact& impact, const Vec3& approach) const;
  [[nodiscard]] Vec3 leverage(int side, const Vec3& local, double time) const;
  [[nodiscard]] Vec3 velocityAt(int side, const Vec3& point) const;

  std::array<const Mesh*, 2> mesh_;
  std::array<Motion, 2> motion_;
  double dt_;
  Front front_;
  Approach approach_;
  double hair_;          ///< a length that counts as nothing
  double graze_;         ///< overlaps sideways that are less do not count
  Vec3 gain_;            ///< how far forces take mesh 1 from mesh 2 in the step
  Vec3 coped_gain_;      ///< as far as contacts cope with that
  bool falls_;           ///< as they pull; else meetings count that come about without them
  double least_motion_;  ///< approach within dt along the normal that discrete collision copes with
  /// What meets later does not count, as far as is known.
  double latest_ = std::numeric_limits<double>::infinity();
  /// Poses in each other's frame through the step, once one of them is asked for.
  std::optional<std::array<std::array<Pose, 2>, kDeepestSamples>> samples_;
  MotionScratch& scratch_ = motionScratch();
};

}  // namespace odemesh
