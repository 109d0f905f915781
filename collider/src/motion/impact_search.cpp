#include "motion/impact_search.hpp"

#include <algorithm>
#include <cmath>

#include "constants.hpp"
#include "motion/passage.hpp"
#include "motion/swept_hull.hpp"

namespace odemesh {

MotionScratch& motionScratch() {
  static thread_local MotionScratch scratch;
  return scratch;
}

namespace {

/// Forces lead along a surface whose normal is at a lesser cosine with them.
constexpr double kAlongSurface = 0.3;

/// A fast mesh that overlaps another one sideways by less than this, in units of the lesser thickness, passes
/// it: what slides along a floor does not strike the seams in it.
constexpr double kPassingOverlap = 0.01;

/// What moves at a smaller angle to the forces on it than this cosine falls, and lands on what it meets.
constexpr double kFallCosine = 0.7;

/// What moves along a surface by more than this share of its way into it does not come down beside it.
constexpr double kGentler = 0.5;

/// Contacts push overlaps out within some steps.
constexpr double kStepsToSettle = 5;

/// The ways of points in the frame of the other mesh count as straight while the meshes turn by no more
/// radians, and while such ways bend by no more of the lesser thickness, where the meshes may meet. Into how
/// many parts a step is split at most for that.
constexpr double kStraightTurn = 0.3, kStraightBend = 0.1;
constexpr int kMostParts = 64;

/// Motion sideways until an impact, in units of the smaller radius, that does not spoil its leverage.
constexpr double kSidewaysShare = 0.1;

/// The same where the way makes a smaller angle with the surface than this cosine with its normal: impulses
/// are small then.
constexpr double kGrazingShare = 1, kGrazingCosine = 0.3;

[[nodiscard]] Vec3 shortenedTo(double most, const Vec3& v) {
  const double reach = length(v);
  return reach > most ? v * (most / reach) : v;
}

/// Vertices follow others that meet a surface of this normal (a cosine).
constexpr double kFollowCosine = 0.9;

/// Do those of these normals push much the same way?
[[nodiscard]] bool areAlike(const Vec3& normal, const Vec3& other) {
  return dot(normal, other) > kFollowCosine;
}

}  // namespace

bool fallsBy(const Vec3& velocity, const Vec3& gain) {
  const Vec3 before = velocity - gain;
  return dot(before, gain) >= kFallCosine * length(before) * length(gain);
}

ImpactSearch::ImpactSearch(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2,
                           double dt, double least_share, Front front)
    : mesh_{&mesh1, &mesh2},
      motion_{motion1, motion2},
      dt_(dt),
      front_(front),
      approach_(approachWithin(mesh1, motion1, mesh2, motion2, dt)) {
  const double thin1 = mesh1.thickness(), thin2 = mesh2.thickness();
  const bool fast1 = isFast(mesh1, motion1, dt), fast2 = isFast(mesh2, motion2, dt);
  const bool first_counts = fast1 || (!fast2 && moverPastStill() == 0);
  const double mover = fast1 && fast2 ? std::min(thin1, thin2) : first_counts ? thin1 : thin2;
  hair_ = 1e-6 * std::min(mesh1.sphereRadius(), mesh2.sphereRadius());
  graze_ = kPassingOverlap * std::min(thin1, thin2);
  gain_ = (motion1.gain - motion2.gain) * dt;
  coped_gain_ = shortenedTo(kFastShare * std::min(thin1, thin2), gain_);
  falls_ = fallsBy(motion1.velocity - motion2.velocity, motion1.gain - motion2.gain);
  least_motion_ = least_share * mover;
}

bool ImpactSearch::run() {
  if (approach_.greatest() <= least_motion_) return false;
  scratch_.followers.clear();
  const std::size_t before = scratch_.found.size();
  const bool are_near = areFine() ? meetInSpans() : isLongWay() ? meetFirst() : meetBetween(0, dt_);
  dropLate(before);
  keepFollowers();
  for (int side = 0; side < 2; ++side) {
    const double radius = guardedRadius(side);
    if (radius == 0) continue;
    for (const StepPart& part : scratch_.parts)
      if (guardCentre(side, radius, part)) break;
  }
  return are_near;
}

/// Finds what meets between two times of the step. False if nothing is near enough.
bool ImpactSearch::meetBetween(double from, double to) {
  splitStep(from, to);
  const std::size_t count = scratch_.parts.size();
  if (to < dt_) addParts(to, dt_);  // for what meets without forces
  bool are_near = false;
  for (std::size_t i = 0; i < count; ++i) are_near |= meet(scratch_.parts[i]);
  return are_near;
}

std::array<Pose, 2> ImpactSearch::relativePosesAt(double time) const {
  const Pose first = motion_[0].at(time), second = motion_[1].at(time);
  return {relativePose(second, first), relativePose(first, second)};
}

/// By how much the meshes may turn against each other, in radians.
double ImpactSearch::turnWithin(double duration) const {
  return (length(motion_[0].spin) + length(motion_[1].spin)) * duration;
}

/// How far mesh `side` reaches from the point that it turns about.
double ImpactSearch::armOf(int side) const {
  const Vec3 middle = motion_[side].pose.apply(mesh_[side]->sphereCentre());
  return length(middle - motion_[side].centre) + mesh_[side]->sphereRadius();
}

/// How much the ways of points of a mesh that are within `reach` of the point about which the other one turns
/// bend in its frame: the greatest acceleration, with those of Coriolis and centrifugal. At `share` of the
/// duration they are off their chord by share * (1 - share) / 2 of it at most.
double ImpactSearch::bendWithin(int side, double reach, double duration) const {
  const Motion &own = motion_[side], &frame = motion_[1 - side];
  const double spin = length(own.spin), frame_spin = length(frame.spin), arm = armOf(side);
  const double speed = length(own.velocity - frame.velocity) + spin * arm;
  const double acceleration = spin * spin * arm + frame_spin * (2 * speed + frame_spin * reach);
  return acceleration * duration * duration;
}

/// The same of points of either mesh that meet the other one.
double ImpactSearch::bendOfWhatMeets(double duration) const {
  return std::max(bendWithin(0, armOf(1), duration), bendWithin(1, armOf(0), duration));
}

/// A span of the step into parts in which the meshes turn so little that ways are straight.
void ImpactSearch::splitStep(double from, double to) {
  scratch_.parts.clear();
  addParts(from, to);
}

void ImpactSearch::addParts(double from, double to) {
  const double span = to - from;
  const double straight = kStraightBend * std::min(mesh_[0]->thickness(), mesh_[1]->thickness());
  const double of_turn = turnWithin(span) / kStraightTurn;
  const double of_bend = std::sqrt(bendOfWhatMeets(span) / (8 * straight));
  const int count = int(std::clamp(std::ceil(std::max(of_turn, of_bend)), 1.0, double(kMostParts)));
  std::array<Pose, 2> begin = relativePosesAt(from);
  for (int i = 0; i < count; ++i) {
    const double begin_time = from + span * i / count, end_time = from + span * (i + 1) / count;
    const std::array<Pose, 2> end = relativePosesAt(end_time);
    scratch_.parts.push_back({begin_time, end_time - begin_time, begin, end});
    begin = end;
  }
}

/// Finds what meets in a part of the step. False if nothing is near enough.
bool ImpactSearch::meet(const StepPart& part) {
  if (part.begin_time > latest_) return false;
  const int mover = moverPastStill();
  const Met met = mover < 2 ? metOnWay(mover, part) : Met::kMore;
  if (met == Met::kNothing || (met == Met::kMore && staysApart(part))) return false;
  if (!gatherPairs(part))
    for (int side = 0; side < 2; ++side)
      if (met == Met::kMore || side == mover) gather(side, part);
  if (met == Met::kFaces) {
    meetFaces(mover, part);
    return true;
  }
  if (scratch_.vertices[0].empty() || scratch_.vertices[1].empty()) return false;
  meetFaces(0, part);
  meetFaces(1, part);
  meetEdges(part);
  return true;
}

/// The mesh that moves while the other one is at rest; 2 if there is none.
int ImpactSearch::moverPastStill() const {
  const auto rests = [](const Motion& m) { return lengthSq(m.velocity) == 0 && lengthSq(m.spin) == 0; };
  return rests(motion_[1]) ? 0 : rests(motion_[0]) ? 1 : 2;
}

/// What that mesh may meet of the other one.
Met ImpactSearch::metOnWay(int mover, const StepPart& part) const {
  const bool is_whole_step = part.duration == dt_;
  return odemesh::metOnWay(
      {*mesh_[mover], motion_[mover], *mesh_[1 - mover], part, mover, is_whole_step, front_}, least_motion_,
      hair_, scratch_.has_vertex[mover]);
}

/// Does a plane that keeps its place in one mesh part the meshes? First in that of fewer faces.
bool ImpactSearch::staysApart(const StepPart& part) const {
  const int coarser = mesh_[0]->triangleCount() < mesh_[1]->triangleCount() ? 0 : 1;
  for (const int side : {1 - coarser, coarser})
    if (staysBeyondPlane({*mesh_[side], part.begin[side], part.end[side], bendOf(side, part)},
                         *mesh_[1 - side], 2 * hair_))
      return true;
  return false;
}

/// How much the ways of all points of a mesh bend in the frame of the other one.
double ImpactSearch::bendOf(int side, const StepPart& part) const {
  const Motion &own = motion_[side], &frame = motion_[1 - side];
  const double arm = armOf(side);
  const double way = (length(own.velocity - frame.velocity) + length(own.spin) * arm) * dt_;
  return bendWithin(side, length(own.centre - frame.centre) + arm + way, part.duration);
}

Way ImpactSearch::wayOf(const SweptVertex& vertex) const {
  const auto& [from, to] = vertex;
  const double reach = length(to - from);
  const double lead = reach > hair_ ? hair_ / reach : 0;
  return {from - (to - from) * lead, to, lead};
}

double Way::timeAt(double share, const StepPart& part) const {
  return part.begin_time + part.duration * std::max(share * (1 + lead) - lead, 0.0);
}

/// Do points that move so far in the frame of the other mesh make impacts that count? In a step in which the
/// meshes turn little, points that meet approach each other by about as much.
bool ImpactSearch::isFar(double way_sq, const StepPart& part) const {
  constexpr double kCurved = 1.5;
  return kCurved * kCurved * way_sq > least_motion_ * least_motion_ || part.duration < dt_;
}

/// Of the vertices that would pass through a face behind others of their mesh, those count that are stopped
/// by a surface that the others meet: else the impulse of the first to meet it would throw them through.
void ImpactSearch::keepFollowers() {
  auto& found = scratch_.found;
  const std::size_t leaders = found.size();
  for (const Impact& f : scratch_.followers) {
    const auto leads = [&](const Impact& i) { return i.time <= f.time && areAlike(i.normal, f.normal); };
    if (isBehindFront(f.normal) || std::any_of(found.begin(), found.begin() + std::ptrdiff_t(leaders), leads))
      found.push_back(f);
  }
}

/// Has a contact that pushes much as this one would stopped what is in front?
bool ImpactSearch::isBehindFront(const Vec3& normal) const {
  return std::ranges::any_of(front_, [&](const Stop& s) { return areAlike(s.normal, normal); });
}

/// How deep such contacts are.
double ImpactSearch::depthOfFront(const Vec3& normal) const {
  double deepest = 0;
  for (const Stop& s : front_)
    if (areAlike(s.normal, normal)) deepest = std::max(deepest, s.depth);
  return deepest;
}

/// How near to the centre of a mesh others may not come; 0 for one that is not guarded.
double ImpactSearch::guardedRadius(int side) const {
  return isFast(*mesh_[side], motion_[side], dt_) ? kGuardedShare * mesh_[side]->innerRadius() : 0;
}

/// Keeps the centre of a solid in front of what it would cross, by most of its distance from its own surface,
/// however its corners turn meanwhile. The impulse goes through the centre. True if it would cross something
/// in this part of the step.
bool ImpactSearch::guardCentre(int side, double radius, const StepPart& part) {
  const Mesh& mesh = *mesh_[side];
  const Mesh& other = *mesh_[1 - side];
  const Vec3 local = mesh.sphereCentre();
  const Vec3 from = part.begin[side].apply(local), to = part.end[side].apply(local);
  const Vec3 direction = normalised(to - from);
  std::vector<CastHit>& hits = scratch_.hits;
  hits.clear();
  castSegmentAll(other, {}, from, to + direction * radius, hits);
  const auto hit = std::find_if(hits.begin(), hits.end(), [&](const CastHit& h) {
    return !other.isSolid() || dot(h.normal, direction) < 0;
  });
  if (hit == hits.end()) return false;
  const double facing = dot(hit->normal, direction);
  const double share = hit->t * (1 + radius / std::max(length(to - from), hair_));
  if (share > 1 && std::abs(facing) < kSharpCosine * 0.25) return false;  // it only comes near, and slides
  const double time = part.begin_time + std::min(share, 1.0) * part.duration;
  const Vec3 normal = motion_[1 - side].at(time).rotate(facing < 0 ? hit->normal : -hit->normal);
  const Vec3 centre = motion_[side].pose.apply(local);
  const double distance = dot(normal, centre - motion_[1 - side].pose.apply(hit->point));
  const Vec3 position = centre - normal * distance;
  const Vec3 approach = velocityAt(side, centre) - velocityAt(1 - side, position);
  Impact impact{time, position, side == 0 ? normal : -normal, distance, 0, 0, true, true};
  (side == 0 ? impact.triangle2 : impact.triangle1) = hit->triangle;
  brakeAlong(centre, motion_[1 - side].pose.apply(hit->point), side, impact);
  impact.gap = std::max(impact.gap - radius, 0.0);
  if (counts(impact, side == 0 ? approach : -approach)) scratch_.found.push_back(impact);
  return true;
}

Vec3 ImpactSearch::velocityAt(int side, const Vec3& point) const {
  return odemesh::velocityAt(motion_[side], point);
}

/// Where a point of the mesh is to be attached at time 0 so that its velocity there, kept up for `time`,
/// takes it as far as its turning way does.
Vec3 ImpactSearch::leverage(int side, const Vec3& local, double time) const {
  const Motion& m = motion_[side];
  const Vec3 arm = m.pose.apply(local) - m.centre;
  if (m.spin == Vec3{}) return m.centre + arm;
  const double half_angle = 0.5 * length(m.spin) * time;
  const Vec3 axis = normalised(m.spin);
  const Vec3 turned = rotationBy(m.spin * (0.5 * time)) * arm;
  const Vec3 along = axis * dot(axis, turned);
  const double chord = half_angle > 0 ? std::sin(half_angle) / half_angle : 1;
  return m.centre + along + (turned - along) * chord;
}

/// The point that meets the other mesh, in the frame of its own.
Vec3 ImpactSearch::localOf(const Meeting& meeting) {
  return meeting.pose.inverse().apply(meeting.other_pose.apply(meeting.point));
}

/// `local` is the point that meets, in the frame of its own mesh, with the leverage that it has until `time`.
ImpactSearch::Course ImpactSearch::courseOf(const Meeting& meeting, const Vec3& local, double time) const {
  const int side = meeting.side;
  const Vec3 normal = meeting.other_pose.rotate(meeting.normal);
  const Vec3 begin = motion_[side].pose.apply(local);
  const Vec3 other_begin = motion_[1 - side].pose.apply(meeting.point);
  const Vec3 at = leverage(side, local, time), other_at = leverage(1 - side, meeting.point, time);
  const Vec3 speed = velocityAt(side, at) - velocityAt(1 - side, other_at);
  const Impact impact{meeting.time,
                      motion_[side].is_fixed       ? other_at
                      : motion_[1 - side].is_fixed ? at
                                                   : 0.5 * (at + other_at),
                      side == 0 ? normal : -normal, std::max(dot(normal, begin - other_begin), 0.0)};
  return {impact, at, other_at, side == 0 ? speed : -speed};
}

void ImpactSearch::add(const Meeting& meeting) {
  const int side = meeting.side;
  const Vec3 local = localOf(meeting), normal = meeting.other_pose.rotate(meeting.normal);
  const double time = timeOfDeepest(meeting, local), sunk = depthOfFront(side == 0 ? normal : -normal);
  auto [impact, at, other_at, approach] = courseOf(meeting, local, time);
  impact.gap = (impact.gap + sunk) * (dt_ / time);
  impact.triangle1 = mesh_[side]->inputTriangleAt(meeting.triangle, local);
  impact.triangle2 = mesh_[1 - side]->inputTriangleAt(meeting.other_triangle, meeting.point);
  if (side == 1) std::swap(impact.triangle1, impact.triangle2);
  if (!counts(impact, approach) || isLeftToContacts(at - other_at, impact, approach)) return;
  if (turnWithin(dt_) > 0 && sinksBy(meeting, local) < least_motion_ + sunk) return;
  brakeAlong(at, other_at, side, impact);
  if (!counts(impact, approach)) return;
  (meeting.leads ? scratch_.found : scratch_.followers).push_back(impact);
  if (meeting.leads) noteMeeting(meeting.time);
}

/// One position can't have the leverage of both bodies if they move sideways to the normal until they meet
/// (by `way` in all). Bodies that graze are excepted up to a greater distance.
bool ImpactSearch::isAskew(const Vec3& way, const Vec3& normal) const {
  if (motion_[0].is_fixed || motion_[1].is_fixed) return false;
  const double size = smallerRadius();
  const bool grazes = std::abs(dot(way, normal)) < kGrazingCosine * length(way);
  return length(cross(way, normal)) >= (grazes ? kGrazingShare : kSidewaysShare) * size;
}

/// Does an impact that is askew bring no more overlap by the end of the step than that of slow meshes?
/// Contacts then push along the normal, where a brake would take the bodies along with each other.
bool ImpactSearch::isLeftToContacts(const Vec3& way, const Impact& impact, const Vec3& approach) const {
  const double overlap = -dot(impact.normal, approach) * dt_ - impact.gap;
  return overlap < kFastShare * std::min(mesh_[0]->thickness(), mesh_[1]->thickness()) &&
         isAskew(way, impact.normal);
}

/// When the point of a mesh that meets the other one is deepest in that within the step. What turns up again
/// before the end is not to be stopped as if it went on.
double ImpactSearch::timeOfDeepest(const Meeting& meeting, const Vec3& local) {
  if (turnWithin(dt_) == 0) return dt_;
  if (!samples_) {
    samples_.emplace();
    for (std::size_t i = 0; i < samples_->size(); ++i) (*samples_)[i] = relativePosesAt(timeOfSample(i));
  }
  double deepest_time = dt_, lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = samples_->size(); i-- > 0 && timeOfSample(i) > meeting.time;) {
    const double height = dot(meeting.normal, (*samples_)[i][std::size_t(meeting.side)].apply(local));
    if (height >= lowest) continue;
    lowest = height;
    deepest_time = timeOfSample(i);
  }
  return deepest_time;
}

/// The motion of mesh `side` as what stands fast carries it: without what forces bring, unless the meshes
/// fall.
Motion ImpactSearch::carried(int side) const {
  Motion out = motion_[side];
  if (!falls_ && motion_[1 - side].is_fixed) out.velocity -= out.gain;
  return out;
}

/// How deep a point of a mesh, or its middle as far as the forces of the step are not taken up, comes into
/// the other one within a step from the meeting on. What rolls turns up again.
double ImpactSearch::sinksBy(const Meeting& meeting, const Vec3& local) const {
  const Motion own = carried(meeting.side), other = carried(1 - meeting.side);
  const Vec3 gain = falls_ ? Vec3{} : motion_[meeting.side].gain - motion_[1 - meeting.side].gain;
  const Vec3 middle_way = (motion_[meeting.side].velocity - motion_[1 - meeting.side].velocity - gain) * dt_;
  const double of_middle = -dot(meeting.other_pose.rotate(meeting.normal), middle_way);
  return std::max(of_middle, greatestDepthFrom(meeting.time, dt_, [&](double time) {
                    const Vec3 point = relativePose(other.at(time), own.at(time)).apply(local);
                    return dot(meeting.normal, meeting.point - point);
                  }));
}

/// What is askew, by more than the balls within both meshes measure, is along the line through the points
/// that meet, from `other_at` to `at` of mesh `side`, which conserves all momenta; what is left is for the
/// next step. Less of it makes bodies spin, but stops them all the same. Bodies that graze would lose a speed
/// by the brake which their surfaces do not take.
void ImpactSearch::brakeAlong(const Vec3& at, const Vec3& other_at, int side, Impact& impact) const {
  const Vec3 way = at - other_at;
  const double inner = std::min(mesh_[0]->innerRadius(), mesh_[1]->innerRadius());
  if (!isAskew(way, impact.normal) || length(cross(way, impact.normal)) < inner) return;
  const double reach = length(way);
  impact.position = 0.5 * (at + other_at);
  impact.normal = side == 0 ? way / reach : -way / reach;
  impact.gap = reach;
  impact.is_smooth = true;
}

/// Does a meeting count only if it comes about without the forces of the step? What slides or rolls on a
/// floor is carried by it, but a sweep takes it to sink in, and strike the next tile. Not if the meshes fall,
/// nor if they would approach there by less than the forces bring: it holds against these.
bool ImpactSearch::hasToComeWithoutForces(const Meeting& meeting) const {
  if (falls_) return false;
  const int side = meeting.side;
  const Vec3 normal = meeting.other_pose.rotate(meeting.normal);
  const Vec3 at = leverage(side, localOf(meeting), meeting.time);
  const Vec3 other_at = leverage(1 - side, meeting.point, meeting.time);
  const double gained = -dot(normal, motion_[side].gain - motion_[1 - side].gain);
  return -dot(normal, velocityAt(side, at) - velocityAt(1 - side, other_at)) > 2 * gained;
}

/// A part of the step and those that follow it: without forces, what meets late in one may do so in the next.
std::span<const StepPart> ImpactSearch::fromOn(const StepPart& part) const {
  const std::span<const StepPart> parts = scratch_.parts;
  return parts.subspan(std::size_t(&part - parts.data()));
}

SweptVertex ImpactSearch::sweptIn(const StepPart& part, int side, std::uint32_t v) const {
  const Vec3& at = mesh_[side]->vertices()[v];
  return {part.begin[side].apply(at), part.end[side].apply(at)};
}

/// How far forces take mesh `side` by the begin and by the end of a part, in the frame of the other one, and
/// by how much it may pass through that. Of what leads into the surface that is met, no more than contacts
/// cope with; what leads along it may be as much as it is.
std::array<Vec3, 2> ImpactSearch::gains(int side, const Meeting& meeting, const StepPart& part) const {
  const Vec3 normal = meeting.other_pose.rotate(meeting.normal);
  const bool leads_along = std::abs(dot(normal, gain_)) < kAlongSurface * length(gain_);
  const Vec3& of_first = leads_along ? gain_ : coped_gain_;
  const Vec3 gain = side == 0 ? of_first : -of_first, graze = normalised(gain) * graze_;
  const auto by = [&](double time) {
    return motion_[1 - side].at(time).rotation.transposed() * (graze + gain * (time / dt_));
  };
  return {by(part.begin_time), by(part.begin_time + part.duration)};
}

SweptVertex ImpactSearch::withoutForces(const SweptVertex& vertex, const Meeting& meeting,
                                        const StepPart& part) const {
  const auto& [begin, end] = gains(meeting.side, meeting, part);
  return {vertex.from - begin, vertex.to - end};
}

/// The way of a vertex of mesh `side` in a step, at the pace of a part of it and without forces, in the frame
/// of the other mesh.
Vec3 ImpactSearch::wayWithoutForces(int side, std::uint32_t v, const StepPart& part) const {
  const SweptVertex swept = sweptIn(part, side, v);
  const Vec3 gain = part.begin[side].rotation * motion_[side].pose.rotation.transposed() * gain_;
  return (swept.to - swept.from) * (dt_ / part.duration) + (side == 0 ? -gain : gain);
}

/// Overlaps `along` a surface of this normal past whose end a point goes by `way`, forces apart, do not count
/// up to this length. Where it also moves along the surface, it lands beside it on what that is an end of, or
/// has landed: it sinks in by as much as is left to contacts, which push it out within some steps.
double ImpactSearch::passedAlong(const Vec3& along, const Vec3& normal, const Vec3& way) const {
  const double beside = std::abs(dot(along, way));
  if (beside > kGentler * std::abs(dot(normal, way))) return graze_;
  return std::clamp(kStepsToSettle * beside, graze_, kSlowApproach / kPassingOverlap * graze_);
}

/// Does the approach, of a point of mesh 1, use up the gap, and is it more than discrete collision copes
/// with?
bool ImpactSearch::counts(const Impact& impact, const Vec3& approach) const {
  return -dot(impact.normal, approach) * dt_ > std::max(impact.gap, least_motion_);
}

}  // namespace odemesh
