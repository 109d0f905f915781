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
    push(0, 0);
    while (depth_ > 0 && !done_) {
      const NodePair pair = stack_[--depth_];
      const Box first = boxOf(query_.tree[0], pair.ref[0]);
      const Box second = boxOf(query_.tree[1], pair.ref[1]);
      if (first.child.isLeaf() && second.child.isLeaf())
        testLeaves(first.child, second.child);
      else if (second.child.isLeaf() || (!first.child.isLeaf() && isLarger(first, second)))
        descend(0, first.child, second, pair.ref[1]);
      else
        descend(1, second.child, first, pair.ref[0]);
    }
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

  static float larger(float a, float b) { return a > b ? a : b; }
  static float smaller(float a, float b) { return a < b ? a : b; }

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

  bool isLarger(const Box& first, const Box& second) const {
    const float size1 = first.half[0] + first.half[1] + first.half[2];
    const float size2 = second.half[0] + second.half[1] + second.half[2];
    const auto& unit = query_.tree[0].from_other.linear;  // its columns are as long as the ratio of units
    const double scale = unit[0][0] * unit[0][0] + unit[1][0] * unit[1][0] + unit[2][0] * unit[2][0];
    return double(size1) * size1 >= double(size2) * size2 * scale;
  }

  void push(std::uint32_t first, std::uint32_t second) { stack_[depth_++] = {{first, second}}; }

  /// Pushes the pairs of `other`, a box of the other tree, with those boxes of a node that it overlaps.
  void descend(int side, WideChild child, const Box& other, std::uint32_t other_ref) {
    const SearchTree& tree = query_.tree[side];
    const std::uint32_t index = child.index();
    const WideNode& node = tree.nodes[index];
    float gap[8];
    unsigned hits = overlaps(tree.from_other, other, node, gap) & node.used;
    counts_.box_tests += static_cast<std::size_t>(__builtin_popcount(node.used));
    const int begin = depth_;
    while (hits != 0) {
      const auto lane = static_cast<std::uint32_t>(31 - __builtin_clz(hits));
      hits ^= 1U << lane;
      const std::uint32_t ref = index * 8 + lane;
      int at = depth_++;
      if (query_.any)
        for (; at > begin && !(gap[lane] <= gap_[at - 1]); --at) {
          stack_[at] = stack_[at - 1];
          gap_[at] = gap_[at - 1];
        }
      stack_[at] = side == 0 ? NodePair{{ref, other_ref}} : NodePair{{other_ref, ref}};
      if (query_.any) gap_[at] = gap[lane];
    }
  }

  /// One bit for each box of `node` that `box`, of the other tree, overlaps: the test of the six face axes.
  /// Comparisons are such that a NaN counts as overlap. `gap` is greater the less they overlap.
  static unsigned overlaps(const TreePlacement& place, const Box& box, const WideNode& node, float gap[8]) {
    F distance[3] = {F::all(0), F::all(0), F::all(0)};
    F half[3] = {distance[0], distance[0], distance[0]};
    F most = F::all(-3e38F);
    float reach_sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double* row = place.linear[i];
      const float* abs_row = place.abs_linear[i];
      const double centre = row[0] * double(box.centre[0]) + row[1] * double(box.centre[1]) +
                            row[2] * double(box.centre[2]) + place.shift[i];
      const float reach =
          abs_row[0] * box.half[0] + abs_row[1] * box.half[1] + abs_row[2] * box.half[2] + place.slack;
      reach_sum += reach;
      distance[i] = F::load(node.centre[i]) - F::all(static_cast<float>(centre));
      half[i] = F::load(node.half[i]);
      most = max(abs(distance[i]) - (half[i] + F::all(reach)), most);
    }
    const F zero = F::all(0);
    Mask apart = most > zero;
    if (apart.bits() != 0xff) {
      for (int j = 0; j < 3; ++j) {
        const float* gram = place.reach[j];
        const float reach = gram[0] * box.half[0] + gram[1] * box.half[1] + gram[2] * box.half[2] +
                            place.slack + 1e-6F * reach_sum;
        const F along = F::all(place.axis[0][j]) * distance[0] + F::all(place.axis[1][j]) * distance[1] +
                        F::all(place.axis[2][j]) * distance[2];
        const F extent = F::all(place.abs_axis[0][j]) * half[0] + F::all(place.abs_axis[1][j]) * half[1] +
                         F::all(place.abs_axis[2][j]) * half[2];
        most = max(abs(along) - (extent + F::all(reach)), most);
      }
      apart = most > zero;
    }
    most.store(gap);
    return ~apart.bits() & 0xff;
  }

  // Leaves. Both are brought to the frame of the second tree, with the origin at the corner of its leaf.

  /// Eight triangles with what the tests read of them.
  struct Triangles {
    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    F low[3] = {F::all(0), F::all(0), F::all(0)};
    F high[3] = {F::all(0), F::all(0), F::all(0)};
    F normal[3] = {F::all(0), F::all(0), F::all(0)};
    F offset = F::all(0);                ///< of the plane
    F slack = F::all(0);                 ///< a height above the plane that is certainly not on it
    F edge[2] = {F::all(0), F::all(0)};  ///< sums of the magnitudes of two edges, and the displacement

    void findBoxes() {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = min(min(corner[0][axis], corner[1][axis]), corner[2][axis]);
        high[axis] = max(max(corner[0][axis], corner[1][axis]), corner[2][axis]);
      }
    }
    /// `displacement`: how far a corner may be off along any axis; `flaw`: see `planeFlaw`.
    void findPlanes(float displacement, float flaw) {
      const F e0[3] = {corner[1][0] - corner[0][0], corner[1][1] - corner[0][1], corner[1][2] - corner[0][2]};
      const F e1[3] = {corner[2][0] - corner[0][0], corner[2][1] - corner[0][1], corner[2][2] - corner[0][2]};
      normal[0] = e0[1] * e1[2] - e0[2] * e1[1];
      normal[1] = e0[2] * e1[0] - e0[0] * e1[2];
      normal[2] = e0[0] * e1[1] - e0[1] * e1[0];
      offset = normal[0] * corner[0][0] + normal[1] * corner[0][1] + normal[2] * corner[0][2];
      slack = (abs(normal[0]) + abs(normal[1]) + abs(normal[2])) * F::all(displacement) + F::all(flaw);
      edge[0] = abs(e0[0]) + abs(e0[1]) + abs(e0[2]) + F::all(6 * displacement);
      edge[1] = abs(e1[0]) + abs(e1[1]) + abs(e1[2]) + F::all(6 * displacement);
    }
  };

  /// The same as rows of floats, to take one triangle out of.
  struct Rows {
    float corner[9][8], low[3][8], high[3][8], normal[3][8], offset[8], slack[8], edge[2][8];
  };

  /// The computed normal of a triangle that is no larger than `extent` may be this far from perpendicular to
  /// its edges: 24 units of rounding times the cube of the extent, and some to spare.
  static float planeFlaw(float extent) { return 2e-6F * extent * extent * extent; }

  struct LeafPair {
    float base[3];          ///< the corner of leaf 1, seen from that of leaf 2
    float linear[3][3];     ///< takes the quantised coordinates of leaf 1 over
    float extent[3];        ///< of leaf 2
    float low[3], high[3];  ///< box of leaf 1
    float size;             ///< no coordinate is greater
    float displacement;     ///< how far corners may be off along any axis, those of both leaves together
  };

  /// Displacements: the quantisation of both, the margin, and the rounding of eight operations on coordinates
  /// as large as `size`; as many again cover the products with a normal.
  LeafPair relate(const WideLeaf& leaf1, const WideLeaf& leaf2) const {
    constexpr float kMost = 65535;
    const TreePlacement& place = query_.tree[1].from_other;
    LeafPair out;
    out.size = 0;
    for (int i = 0; i < 3; ++i) {
      const double* row = place.linear[i];
      const double base = row[0] * double(leaf1.lo[0]) + row[1] * double(leaf1.lo[1]) +
                          row[2] * double(leaf1.lo[2]) + place.shift[i] - double(leaf2.lo[i]);
      out.base[i] = static_cast<float>(base);
      out.extent[i] = kMost * leaf2.step[i];
      out.low[i] = out.high[i] = out.base[i];
      float sum = out.extent[i] + __builtin_fabsf(out.base[i]);
      for (int j = 0; j < 3; ++j) {
        out.linear[i][j] = static_cast<float>(row[j] * double(leaf1.step[j]));
        const float length = kMost * out.linear[i][j];
        out.low[i] += smaller(length, 0);
        out.high[i] += larger(length, 0);
        sum += __builtin_fabsf(length);
      }
      out.size += sum;
    }
    out.displacement = leaf1.error * place.row_sum + leaf2.error + place.margin + 1e-6F * out.size;
    return out;
  }

  void load(const LeafPair& leaves, const WideLeaf& leaf1, Triangles& out) const {
    for (int k = 0; k < 3; ++k) {
      const F x = F::load(leaf1.q[3 * k]), y = F::load(leaf1.q[3 * k + 1]), z = F::load(leaf1.q[3 * k + 2]);
      for (int i = 0; i < 3; ++i)
        out.corner[k][i] = F::all(leaves.linear[i][0]) * x + F::all(leaves.linear[i][1]) * y +
                           F::all(leaves.linear[i][2]) * z + F::all(leaves.base[i]);
    }
    out.findBoxes();
  }
  void load(const WideLeaf& leaf2, Triangles& out) const {
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) out.corner[k][i] = F::load(leaf2.q[3 * k + i]) * F::all(leaf2.step[i]);
    out.findBoxes();
  }

  /// One bit for each triangle that stays clear of a box.
  static unsigned clearOf(const Triangles& t, const float low[3], const float high[3], float slack) {
    Mask clear = F::all(low[0] - slack) > t.high[0];
    for (int i = 0; i < 3; ++i)
      clear = clear | (F::all(low[i] - slack) > t.high[i]) | (t.low[i] > F::all(high[i] + slack));
    return clear.bits();
  }

  void testLeaves(WideChild child1, WideChild child2) {
    const WideLeaf& leaf1 = query_.tree[0].leaves[child1.index()];
    const WideLeaf& leaf2 = query_.tree[1].leaves[child2.index()];
    const LeafPair leaves = relate(leaf1, leaf2);
    unsigned active1 = child1.triangles();
    unsigned active2 = child2.triangles();
    // The bounds below hold in a wide range of sizes; outside it, or with a NaN, all pairs are candidates.
    if (!(leaves.size > 1e-8F && leaves.size < 1e12F && leaves.displacement < 1e12F)) {
      emitAll(leaf1.first, active1, leaf2.first, active2);
      return;
    }
    const float zero[3] = {0, 0, 0};
    Triangles t1, t2;
    load(leaves, leaf1, t1);
    active1 &= ~clearOf(t1, zero, leaves.extent, leaves.displacement);
    if (active1 == 0) return;
    load(leaf2, t2);
    active2 &= ~clearOf(t2, leaves.low, leaves.high, leaves.displacement);
    if (active2 == 0) return;
    counts_.triangle_tests +=
        static_cast<std::size_t>(__builtin_popcount(active1) * __builtin_popcount(active2));

    t2.findPlanes(leaves.displacement,
                  planeFlaw(larger(leaves.extent[0], larger(leaves.extent[1], leaves.extent[2]))));
    float extent1 = 0;
    for (int i = 0; i < 3; ++i) extent1 = larger(extent1, leaves.high[i] - leaves.low[i]);
    t1.findPlanes(leaves.displacement, planeFlaw(extent1));
    Rows rows;
    store(t1, rows);
    while (active1 != 0) {
      const int lane = __builtin_ctz(active1);
      active1 &= active1 - 1;
      testTriangle(rows, lane, t2, active2, leaves, leaf1.first, leaf2.first);
      if (done_) return;
    }
    if (query_.any) flush();
  }

  static void store(const Triangles& t, Rows& rows) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) t.corner[k][i].store(rows.corner[3 * k + i]);
      t.low[i].store(rows.low[i]);
      t.high[i].store(rows.high[i]);
      t.normal[i].store(rows.normal[i]);
    }
    t.offset.store(rows.offset);
    t.slack.store(rows.slack);
    t.edge[0].store(rows.edge[0]);
    t.edge[1].store(rows.edge[1]);
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
  void testTriangle(const Rows& rows, int lane, const Triangles& t2, unsigned candidates,
                    const LeafPair& leaves, std::uint32_t first1, std::uint32_t first2) {
    Mask clear = F::all(rows.low[0][lane] - leaves.displacement) > t2.high[0];
    for (int i = 0; i < 3; ++i)
      clear = clear | (F::all(rows.low[i][lane] - leaves.displacement) > t2.high[i]) |
              (t2.low[i] > F::all(rows.high[i][lane] + leaves.displacement));
    candidates &= ~clear.bits();
    if (candidates == 0) return;

    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) corner[k][i] = F::all(rows.corner[3 * k + i][lane]);
    const F height1[3] = {height(t2.normal, t2.offset, corner[0]), height(t2.normal, t2.offset, corner[1]),
                          height(t2.normal, t2.offset, corner[2])};
    candidates &= ~onOneSide(height1, t2.slack).bits();
    if (candidates == 0) return;

    const F normal[3] = {F::all(rows.normal[0][lane]), F::all(rows.normal[1][lane]),
                         F::all(rows.normal[2][lane])};
    const F offset = F::all(rows.offset[lane]);
    const F height2[3] = {height(normal, offset, t2.corner[0]), height(normal, offset, t2.corner[1]),
                          height(normal, offset, t2.corner[2])};
    candidates &= ~onOneSide(height2, F::all(rows.slack[lane])).bits();
    if (candidates == 0) return;

    const unsigned sure = decide(corner, F::all(rows.edge[0][lane]), F::all(rows.edge[1][lane]), height1, t2,
                                 height2, leaves.displacement, candidates);
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
  /// Which corner lies alone on its side of the plane.
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
  static unsigned decide(const F corner[3][3], const F& edge0, const F& edge1, const F height1[3],
                         const Triangles& t2, const F height2[3], float displacement, unsigned& candidates) {
    const F wide1 = edge0 + edge1, wide2 = t2.edge[0] + t2.edge[1];
    const F apart = abs(corner[0][0] - t2.corner[0][0]) + abs(corner[0][1] - t2.corner[0][1]) +
                    abs(corner[0][2] - t2.corner[0][2]) + F::all(6 * displacement);
    const F error1 = determinantError(t2.edge[0], t2.edge[1], apart + wide1, displacement);
    const F error2 = determinantError(edge0, edge1, apart + wide2, displacement);
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
  SearchCounts counts_;
  NodePair stack_[kStackSize];
  float gap_[kStackSize];
  int depth_ = 0;
  CandidatePair pairs_[PairSink::kMost];
  std::size_t pair_count_ = 0;
  bool done_ = false;
};

template <typename F>
SearchCounts wideSearch(const WideQuery& query, const PairSink& sink) {
  return WideSearcher<F>(query, sink).run();
}

}  // namespace odemesh
