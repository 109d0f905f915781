// The search itself, a template on the type of eight floats. Included by one translation unit for each type.
//
// Nothing here may call a function that other translation units define too (of the standard library, say):
// compiled for other instructions, it could replace theirs.
#pragma once

#include "mid_phase/wide_search.hpp"

namespace odemesh {

template <typename F>
class WideSearcher {
 public:
  WideSearcher(const WideQuery& query, const PairSink& sink) : query_(query), sink_(sink) {}

  SearchCounts run() {
    const NodePair roots{{0, 0}};
    if (query_.tree[0].nodes[0].child[0].isLeaf() && query_.tree[1].nodes[0].child[0].isLeaf())
      testLeaves(query_.tree[0].nodes[0].child[0], query_.tree[1].nodes[0].child[0]);
    else
      stack_[depth_++] = roots;
    while (depth_ > 0 && !done_) {
      const NodePair pair = stack_[--depth_];
      const Box first = boxOf(query_.tree[0], pair.ref[0]);
      const Box second = boxOf(query_.tree[1], pair.ref[1]);
      if (second.child.isLeaf() || (!first.child.isLeaf() && isLarger(first, second)))
        descend(0, first.child, second, pair.ref[1]);
      else
        descend(1, second.child, first, pair.ref[0]);
      if (queued_ + 8 > kQueueSize || query_.any) testQueue();
    }
    testQueue();
    flush();
    return counts_;
  }

 private:
  using Mask = typename F::Mask;

  /// A box is named by its node and its lane: 8 * node + lane.
  struct NodePair {
    std::uint32_t ref[2];
  };
  struct Box {
    float centre[3], half[3];
    WideChild child;
  };
  // One pair makes way for at most eight that are one level deeper in one of the trees.
  static constexpr int kStackSize = (WideTree::kWidth - 1) * 2 * int(WideTree::kMaxDepth) + WideTree::kWidth;
  static constexpr int kQueueSize = 64;

  static float larger(float a, float b) { return a > b ? a : b; }
  static float smaller(float a, float b) { return a < b ? a : b; }

  static WideChild childOf(const SearchTree& tree, std::uint32_t ref) {
    return tree.nodes[ref / 8].child[ref % 8];
  }
  static Box boxOf(const SearchTree& tree, std::uint32_t ref) {
    const WideNode& node = tree.nodes[ref / 8];
    const std::uint32_t lane = ref % 8;
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.centre[axis] = node.centre[axis][lane];
      box.half[axis] = node.half[axis][lane];
    }
    box.child = node.child[lane];
    return box;
  }

  [[nodiscard]] bool isLarger(const Box& first, const Box& second) const {
    const float size1 = first.half[0] + first.half[1] + first.half[2];
    const float size2 = second.half[0] + second.half[1] + second.half[2];
    return size1 >= size2 * query_.unit;
  }

  /// Pairs `other`, a box of the other tree, with those boxes of a node that it overlaps. Pairs of leaves
  /// wait in the queue, all others go to the stack.
  void descend(int side, WideChild child, const Box& other, std::uint32_t other_ref) {
    const SearchTree& tree = query_.tree[side];
    const std::uint32_t index = child.index();
    const WideNode& node = tree.nodes[index];
    float gap[8];
    unsigned hits = overlaps(tree.from_other, other, node, gap) & node.used;
    counts_.box_tests += static_cast<std::size_t>(__builtin_popcount(node.used));
    const unsigned leaf_hits = other.child.isLeaf() ? hits & node.leaves : 0;
    hits ^= leaf_hits;
    for (unsigned rest = leaf_hits; rest != 0; rest &= rest - 1)
      queue_[queued_++] = named(side, index, rest, other_ref);
    const int begin = depth_;
    for (unsigned rest = hits; rest != 0; rest &= rest - 1) {
      int at = depth_++;
      if (query_.any) at = placeByGap(begin, at, gap[__builtin_ctz(rest)]);
      stack_[at] = named(side, index, rest, other_ref);
    }
  }

  /// The box of the lowest lane in `lanes` together with one of the other tree.
  static NodePair named(int side, std::uint32_t node, unsigned lanes, std::uint32_t other_ref) {
    const std::uint32_t ref = 8 * node + static_cast<std::uint32_t>(__builtin_ctz(lanes));
    return side == 0 ? NodePair{{ref, other_ref}} : NodePair{{other_ref, ref}};
  }

  /// Makes room so that the smallest gap comes to lie on top.
  int placeByGap(int begin, int at, float gap) {
    for (; at > begin && !(gap <= gap_[at - 1]); --at) {
      stack_[at] = stack_[at - 1];
      gap_[at] = gap_[at - 1];
    }
    gap_[at] = gap;
    return at;
  }

  void testQueue() {
    for (int i = 0; i < queued_ && !done_; ++i)
      testLeaves(childOf(query_.tree[0], queue_[i].ref[0]), childOf(query_.tree[1], queue_[i].ref[1]));
    queued_ = 0;
  }

  /// One bit for each box of `node` that `box`, of the other tree, overlaps: the test of the six face axes.
  /// Comparisons are such that a NaN counts as overlap. `gap` is greater the less they overlap.
  static unsigned overlaps(const TreePlacement& place, const Box& box, const WideNode& node, float gap[8]) {
    const F placed = F::load(place.centre[0]) * F::all(box.centre[0]) +
                     F::load(place.centre[1]) * F::all(box.centre[1]) +
                     F::load(place.centre[2]) * F::all(box.centre[2]) + F::load(place.centre_shift);
    const F reaches = F::load(place.reach[0]) * F::all(box.half[0]) +
                      F::load(place.reach[1]) * F::all(box.half[1]) +
                      F::load(place.reach[2]) * F::all(box.half[2]) + F::load(place.slack);
    float centre[8], reach[8];
    placed.store(centre);
    reaches.store(reach);
    const F dx = F::load(node.centre[0]) - F::all(centre[0]), hx = F::load(node.half[0]);
    const F dy = F::load(node.centre[1]) - F::all(centre[1]), hy = F::load(node.half[1]);
    const F dz = F::load(node.centre[2]) - F::all(centre[2]), hz = F::load(node.half[2]);
    F most = F::all(-3e38F);
    most = max(abs(dx) - (hx + F::all(reach[0])), most);
    most = max(abs(dy) - (hy + F::all(reach[1])), most);
    most = max(abs(dz) - (hz + F::all(reach[2])), most);
    for (int j = 0; j < 3; ++j) {
      const F along =
          F::all(place.axis[0][j]) * dx + F::all(place.axis[1][j]) * dy + F::all(place.axis[2][j]) * dz;
      const F extent = F::all(place.abs_axis[0][j]) * hx + F::all(place.abs_axis[1][j]) * hy +
                       F::all(place.abs_axis[2][j]) * hz;
      most = max(abs(along) - (extent + F::all(reach[3 + j])), most);
    }
    most.store(gap);
    return ~(most > F::all(0)).bits();
  }

  // Leaves. Both are brought to the axes and the unit of the second tree, with the origin at the corner of
  // the leaf of the first.

  /// Eight triangles with what the tests read of them.
  struct Triangles {
    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    F low[3] = {F::all(0), F::all(0), F::all(0)};
    F high[3] = {F::all(0), F::all(0), F::all(0)};
    F normal[3] = {F::all(0), F::all(0), F::all(0)};
    F normal_sum = F::all(0);            ///< of the magnitudes
    F edge[2] = {F::all(0), F::all(0)};  ///< sums of the magnitudes of two edges

    void findBoxes() {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = min(min(corner[0][axis], corner[1][axis]), corner[2][axis]);
        high[axis] = max(max(corner[0][axis], corner[1][axis]), corner[2][axis]);
      }
    }
    void findPlanes() {
      const F e0[3] = {corner[1][0] - corner[0][0], corner[1][1] - corner[0][1], corner[1][2] - corner[0][2]};
      const F e1[3] = {corner[2][0] - corner[0][0], corner[2][1] - corner[0][1], corner[2][2] - corner[0][2]};
      normal[0] = e0[1] * e1[2] - e0[2] * e1[1];
      normal[1] = e0[2] * e1[0] - e0[0] * e1[2];
      normal[2] = e0[0] * e1[1] - e0[1] * e1[0];
      normal_sum = abs(normal[0]) + abs(normal[1]) + abs(normal[2]);
      edge[0] = abs(e0[0]) + abs(e0[1]) + abs(e0[2]);
      edge[1] = abs(e1[0]) + abs(e1[1]) + abs(e1[2]);
    }
    [[nodiscard]] F offset() const {
      return normal[0] * corner[0][0] + normal[1] * corner[0][1] + normal[2] * corner[0][2];
    }
  };

  /// The same as rows of floats, to take one triangle out of.
  struct Rows {
    float corner[9][8], low[3][8], high[3][8], normal[3][8], offset[8], normal_sum[8], edge[2][8];
  };

  /// A leaf of either tree, kept until another one of that tree is loaded.
  struct LoadedLeaf {
    std::uint32_t index = ~0U;
    bool has_planes = false;
    Triangles triangles;
    float low[3], high[3];  ///< of the leaf, seen from its corner
    float size;             ///< no coordinate is greater, seen from its corner
    float error;            ///< of the coordinates
    float flaw;             ///< see `planeFlaw`
  };

  /// The computed normal of a triangle that is no larger than `extent` may be this far from perpendicular to
  /// its edges: 24 units of rounding times the cube of the extent, and some to spare.
  static float planeFlaw(const LoadedLeaf& leaf) {
    float extent = 0;
    for (int i = 0; i < 3; ++i) extent = larger(extent, leaf.high[i] - leaf.low[i]);
    return 2e-6F * extent * extent * extent;
  }

  static constexpr float kGreatestCode = 65535;

  void load1(std::uint32_t index) {
    if (index == first_.index) return;
    const WideLeaf& leaf = query_.tree[0].leaves[index];
    const TreePlacement& place = query_.tree[1].from_other;
    float linear[3][3];
    first_.size = 0;
    for (int i = 0; i < 3; ++i) {
      first_.low[i] = first_.high[i] = 0;
      for (int j = 0; j < 3; ++j) {
        linear[i][j] = static_cast<float>(place.linear[i][j]) * leaf.step[j];
        const float length = kGreatestCode * linear[i][j];
        first_.low[i] += smaller(length, 0);
        first_.high[i] += larger(length, 0);
      }
      first_.size += first_.high[i] - first_.low[i];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const F x = F::load(&leaf.q[3 * k][0]), y = F::load(&leaf.q[3 * k + 1][0]),
              z = F::load(&leaf.q[3 * k + 2][0]);
      for (int i = 0; i < 3; ++i)
        first_.triangles.corner[k][i] =
            F::all(linear[i][0]) * x + F::all(linear[i][1]) * y + F::all(linear[i][2]) * z;
    }
    first_.triangles.findBoxes();
    first_.error = leaf.error * place.row_sum;
    first_.flaw = planeFlaw(first_);
    first_.index = index;
    first_.has_planes = false;
  }

  void load2(std::uint32_t index) {
    if (index == second_.index) return;
    const WideLeaf& leaf = query_.tree[1].leaves[index];
    second_.size = 0;
    for (int i = 0; i < 3; ++i) {
      second_.low[i] = 0;
      second_.high[i] = kGreatestCode * leaf.step[i];
      second_.size += second_.high[i];
      for (int k = 0; k < 3; ++k)
        second_.triangles.corner[k][i] = F::load(leaf.q[3 * k + i]) * F::all(leaf.step[i]);
    }
    second_.triangles.findBoxes();
    second_.error = leaf.error;
    second_.flaw = planeFlaw(second_);
    second_.index = index;
    second_.has_planes = false;
  }

  /// The corner of leaf 2, seen from that of leaf 1.
  void findBase(const WideLeaf& leaf1, const WideLeaf& leaf2, float base[3]) const {
    const TreePlacement& place = query_.tree[1].from_other;
    for (int i = 0; i < 3; ++i) {
      const double* row = place.linear[i];
      base[i] = static_cast<float>(double(leaf2.lo[i]) -
                                   (row[0] * double(leaf1.lo[0]) + row[1] * double(leaf1.lo[1]) +
                                    row[2] * double(leaf1.lo[2]) + place.shift[i]));
    }
  }

  /// One bit for each triangle that stays clear of the box of a leaf that lies `sign * base` away.
  static unsigned clearOf(const Triangles& t, const LoadedLeaf& box, const float base[3], float sign,
                          float slack) {
    Mask clear = F::all(box.low[0] + sign * base[0] - slack) > t.high[0];
    clear = clear | (t.low[0] > F::all(box.high[0] + sign * base[0] + slack));
    for (int i = 1; i < 3; ++i)
      clear = clear | (F::all(box.low[i] + sign * base[i] - slack) > t.high[i]) |
              (t.low[i] > F::all(box.high[i] + sign * base[i] + slack));
    return clear.bits();
  }

  void testLeaves(WideChild child1, WideChild child2) {
    const WideLeaf& leaf1 = query_.tree[0].leaves[child1.index()];
    const WideLeaf& leaf2 = query_.tree[1].leaves[child2.index()];
    load1(child1.index());
    load2(child2.index());
    float base[3];
    findBase(leaf1, leaf2, base);
    const float size = first_.size + second_.size + __builtin_fabsf(base[0]) + __builtin_fabsf(base[1]) +
                       __builtin_fabsf(base[2]);
    // How far corners may be off along any axis, those of both leaves together: the quantisation of both, the
    // margin, and the rounding of eight operations; as many again cover the products with a normal.
    const float displacement = first_.error + second_.error + query_.tree[1].from_other.margin + 1e-6F * size;
    unsigned active1 = child1.triangles();
    unsigned active2 = child2.triangles();
    // The bounds below hold in a wide range of sizes; outside it, or with a NaN, all pairs are candidates.
    if (!(size > 1e-8F && size < 1e12F && displacement < 1e12F)) {
      emitAll(leaf1.first, active1, leaf2.first, active2);
      return;
    }
    active1 &= ~clearOf(first_.triangles, second_, base, 1, displacement);
    active2 &= ~clearOf(second_.triangles, first_, base, -1, displacement);
    if (active1 == 0 || active2 == 0) return;
    counts_.triangle_tests +=
        static_cast<std::size_t>(__builtin_popcount(active1) * __builtin_popcount(active2));
    if (!first_.has_planes) findPlanes1();
    if (!second_.has_planes) findPlanes2();

    placeSecond(base);
    const Triangles& t2 = placed_;
    const F offset2 = t2.offset();
    const F slack2 = t2.normal_sum * F::all(displacement) + F::all(second_.flaw);
    for (; active1 != 0 && !done_; active1 &= active1 - 1)
      testTriangle(__builtin_ctz(active1), t2, offset2, slack2, active2, displacement, leaf1.first,
                   leaf2.first);
    if (query_.any) flush();
  }

  /// The triangles of leaf 2 seen from the corner of leaf 1.
  void placeSecond(const float base[3]) {
    const Triangles& t = second_.triangles;
    for (int i = 0; i < 3; ++i) {
      const F shift = F::all(base[i]);
      for (int k = 0; k < 3; ++k) placed_.corner[k][i] = t.corner[k][i] + shift;
      placed_.low[i] = t.low[i] + shift;
      placed_.high[i] = t.high[i] + shift;
    }
  }

  void findPlanes2() {
    Triangles& t = second_.triangles;
    t.findPlanes();
    for (int i = 0; i < 3; ++i) placed_.normal[i] = t.normal[i];
    placed_.normal_sum = t.normal_sum;
    placed_.edge[0] = t.edge[0];
    placed_.edge[1] = t.edge[1];
    second_.has_planes = true;
  }

  void findPlanes1() {
    Triangles& t = first_.triangles;
    t.findPlanes();
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) t.corner[k][i].store(rows_.corner[3 * k + i]);
      t.low[i].store(rows_.low[i]);
      t.high[i].store(rows_.high[i]);
      t.normal[i].store(rows_.normal[i]);
    }
    t.offset().store(rows_.offset);
    t.normal_sum.store(rows_.normal_sum);
    t.edge[0].store(rows_.edge[0]);
    t.edge[1].store(rows_.edge[1]);
    first_.has_planes = true;
  }

  static F height(const F normal[3], const F& offset, const F point[3]) {
    return normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - offset;
  }
  static Mask onOneSide(const F h[3], const F& slack) {
    const F low = min(min(h[0], h[1]), h[2]), high = max(max(h[0], h[1]), h[2]);
    return (low > slack) | (F::all(0) - slack > high);
  }

  /// Triangle `lane` of leaf 1 against eight triangles of leaf 2. Boxes first; then the normals of both as
  /// separating axes, which are proofs whatever the error of the normals; then the signs of orientations.
  void testTriangle(int lane, const Triangles& t2, const F& offset2, const F& slack2, unsigned candidates,
                    float displacement, std::uint32_t first1, std::uint32_t first2) {
    Mask clear = F::all(rows_.low[0][lane] - displacement) > t2.high[0];
    clear = clear | (t2.low[0] > F::all(rows_.high[0][lane] + displacement));
    for (int i = 1; i < 3; ++i)
      clear = clear | (F::all(rows_.low[i][lane] - displacement) > t2.high[i]) |
              (t2.low[i] > F::all(rows_.high[i][lane] + displacement));
    candidates &= ~clear.bits();
    if (candidates == 0) return;

    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) corner[k][i] = F::all(rows_.corner[3 * k + i][lane]);
    const F height1[3] = {height(t2.normal, offset2, corner[0]), height(t2.normal, offset2, corner[1]),
                          height(t2.normal, offset2, corner[2])};
    const F normal[3] = {F::all(rows_.normal[0][lane]), F::all(rows_.normal[1][lane]),
                         F::all(rows_.normal[2][lane])};
    const F offset = F::all(rows_.offset[lane]);
    const F height2[3] = {height(normal, offset, t2.corner[0]), height(normal, offset, t2.corner[1]),
                          height(normal, offset, t2.corner[2])};
    const F slack1 = F::all(rows_.normal_sum[lane] * displacement + first_.flaw);
    candidates &= ~(onOneSide(height1, slack2) | onOneSide(height2, slack1)).bits();
    if (candidates == 0) return;

    const unsigned sure = decide(corner, F::all(rows_.edge[0][lane]), F::all(rows_.edge[1][lane]), height1,
                                 t2, height2, displacement, candidates);
    emit(first1 + static_cast<std::uint32_t>(lane), first2, candidates, sure);
  }

  /// A bound on the error of the determinant of three vectors whose sums of magnitudes are a, b, c: each
  /// coordinate is off by up to twice the displacement, and 16 units of rounding.
  static F determinantError(const F& a, const F& b, const F& c, float displacement) {
    return (a * b + b * c + c * a) * F::all(2 * displacement) + a * b * c * F::all(1e-6F);
  }

  static Mask beyond(const F h[3], const F& bound) {
    return (abs(h[0]) > bound) & (abs(h[1]) > bound) & (abs(h[2]) > bound);
  }

  struct Apex {
    Mask is0, is1;
  };
  /// Which corner lies alone on its side of the plane; there has to be one.
  static Apex apexOf(const F h[3]) {
    const F zero = F::all(0);
    const Mask s0 = h[0] > zero, s1 = h[1] > zero, s2 = h[2] > zero;
    const Mask differs01 = s0 ^ s1, differs02 = s0 ^ s2;
    return {differs01 & differs02, (differs01 ^ differs02) & differs01};
  }
  static F pick(const Apex& apex, const F& if0, const F& if1, const F& if2) {
    return select(apex.is0, if0, select(apex.is1, if1, if2));
  }
  static F determinant(const F a[3], const F b[3], const F c[3]) {
    return (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] +
           (a[0] * b[1] - a[1] * b[0]) * c[2];
  }

  /// The test of Guigue and Devillers 2003 for those lanes where every sign is beyond its error: drops the
  /// pairs that are certain not to meet from `candidates` and returns those that are certain to.
  static unsigned decide(const F corner[3][3], const F& sum0, const F& sum1, const F height1[3],
                         const Triangles& t2, const F height2[3], float displacement, unsigned& candidates) {
    const F spare = F::all(6 * displacement);
    const F edge0 = sum0 + spare, edge1 = sum1 + spare;
    const F edge2 = t2.edge[0] + spare, edge3 = t2.edge[1] + spare;
    const F wide1 = edge0 + edge1, wide2 = edge2 + edge3;
    const F apart = abs(corner[0][0] - t2.corner[0][0]) + abs(corner[0][1] - t2.corner[0][1]) +
                    abs(corner[0][2] - t2.corner[0][2]) + spare;
    const F error1 = determinantError(edge2, edge3, apart + wide1, displacement);
    const F error2 = determinantError(edge0, edge1, apart + wide2, displacement);
    // In a leaf that is much larger than its triangles, this sees what the bound of the first test is too
    // wide for.
    candidates &= ~(onOneSide(height1, error1) | onOneSide(height2, error2)).bits();
    const unsigned certain = candidates & beyond(height1, error1).bits() & beyond(height2, error2).bits();
    if (certain == 0) return 0;

    const Apex apex1 = apexOf(height1), apex2 = apexOf(height2);
    const F zero = F::all(0);
    // Each apex is to be above the other's plane; turning the other over brings it there.
    const Mask turn2 = zero > pick(apex1, height1[0], height1[1], height1[2]);
    const Mask turn1 = zero > pick(apex2, height2[0], height2[1], height2[2]);
    F q1[3] = {zero, zero, zero}, r1[3] = {zero, zero, zero}, q2[3] = {zero, zero, zero};
    F r2[3] = {zero, zero, zero}, w[3] = {zero, zero, zero};
    for (int i = 0; i < 3; ++i) {
      const F p1 = pick(apex1, corner[0][i], corner[1][i], corner[2][i]);
      const F p2 = pick(apex2, t2.corner[0][i], t2.corner[1][i], t2.corner[2][i]);
      const F next1 = pick(apex1, corner[1][i], corner[2][i], corner[0][i]) - p1;
      const F last1 = pick(apex1, corner[2][i], corner[0][i], corner[1][i]) - p1;
      const F next2 = pick(apex2, t2.corner[1][i], t2.corner[2][i], t2.corner[0][i]) - p2;
      const F last2 = pick(apex2, t2.corner[2][i], t2.corner[0][i], t2.corner[1][i]) - p2;
      q1[i] = select(turn1, last1, next1);
      r1[i] = select(turn1, next1, last1);
      q2[i] = select(turn2, last2, next2);
      r2[i] = select(turn2, next2, last2);
      w[i] = p2 - p1;
    }
    const F error = determinantError(wide1, wide2, apart + wide1 + wide2, displacement);
    const F before = determinant(q1, w, q2), after = determinant(r1, r2, w);
    const Mask misses = (before > error) | (after > error);
    const Mask meets = (zero - error > before) & (zero - error > after);
    candidates &= ~(certain & misses.bits());
    return certain & meets.bits();
  }

  void emitAll(std::uint32_t first1, unsigned lanes1, std::uint32_t first2, unsigned lanes2) {
    counts_.triangle_tests +=
        static_cast<std::size_t>(__builtin_popcount(lanes1) * __builtin_popcount(lanes2));
    for (; lanes1 != 0 && !done_; lanes1 &= lanes1 - 1)
      emit(first1 + static_cast<std::uint32_t>(__builtin_ctz(lanes1)), first2, lanes2, 0);
  }

  void emit(std::uint32_t triangle1, std::uint32_t first2, unsigned lanes, unsigned sure) {
    if (pair_count_ + 8 > PairSink::kMost) flush();
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = __builtin_ctz(lanes);
      const std::uint32_t flag = (sure >> lane & 1) != 0 ? CandidatePair::kSure : 0;
      pairs_[pair_count_++] = {triangle1 | flag, first2 + static_cast<std::uint32_t>(lane)};
    }
    if (query_.any && sure != 0) flush();
  }

  void flush() {
    if (pair_count_ > 0 && !done_) done_ = sink_.take(sink_.context, pairs_, pair_count_);
    pair_count_ = 0;
  }

  const WideQuery& query_;
  const PairSink& sink_;
  SearchCounts counts_{0, 0};
  NodePair stack_[kStackSize];
  float gap_[kStackSize];
  int depth_ = 0;
  NodePair queue_[kQueueSize];
  int queued_ = 0;
  LoadedLeaf first_, second_;
  Triangles placed_;
  Rows rows_;
  CandidatePair pairs_[PairSink::kMost];
  std::size_t pair_count_ = 0;
  bool done_ = false;
};

template <typename F>
SearchCounts wideSearch(const WideQuery& query, const PairSink& sink) {
  return WideSearcher<F>(query, sink).run();
}

}  // namespace odemesh
