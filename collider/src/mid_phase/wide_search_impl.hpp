// The search itself, a template on the type of eight floats. Included by one translation unit for each type.
//
// Nothing here may call a function that other translation units define too (of the standard library, say):
// compiled for other instructions, it could replace theirs.
#pragma once

#include "mid_phase/leaf_faces.hpp"
#include "mid_phase/leaf_slab.hpp"
#include "mid_phase/wide_search.hpp"
#include "mid_phase/wide_search_base.hpp"

namespace odemesh {

template <typename F, SearchKind kKind>
class WideSearcher : private WideSearchBase<F> {
 public:
  WideSearcher(const WideQuery& query, const PairSink& sink) : Base(query), sink_(sink) {}

  SearchCounts run() {
    const NodePair roots{{0, 0}};
    if (query_.tree[0].nodes[0].child[0].isLeaf() && query_.tree[1].nodes[0].child[0].isLeaf())
      testLeaves(roots);
    else
      stack_[depth_++] = roots;
    while (depth_ > 0 && !done_) {
      const NodePair pair = stack_[--depth_];
      const Box first = boxOf(query_.tree[0], pair.ref[0]);
      const Box second = boxOf(query_.tree[1], pair.ref[1]);
      const bool first_is_larger = isLarger(first, second);
      if (second.child.isLeaf() || (!first.child.isLeaf() && first_is_larger))
        descend(0, first.child, second, pair.ref[1], !first_is_larger);
      else
        descend(1, second.child, first, pair.ref[0], first_is_larger);
      if (queued_ + 8 > kQueueSize || kAny) testQueue();
    }
    testQueue();
    flush();
    return counts_;
  }

 private:
  using Base = WideSearchBase<F>;
  using Base::boxOf;
  using Base::childOf;
  using Base::findBase;
  using Base::first_;
  using Base::isLarger;
  using Base::kStackSize;
  using Base::load1;
  using Base::load2;
  using Base::named;
  using Base::query_;
  using Base::second_;
  using typename Base::Box;
  using typename Base::LoadedLeaf;
  using typename Base::Mask;
  using typename Base::NodePair;
  using typename Base::Triangles;

  static constexpr int kQueueSize = 64;
  static constexpr bool kAny = kKind == SearchKind::kAny, kSwept = kKind == SearchKind::kSwept;

  /// Pairs `other`, a box of the other tree, with those boxes of a node that it overlaps. Pairs of leaves
  /// wait in the queue, all others go to the stack.
  void descend(int side, WideChild child, const Box& other, std::uint32_t other_ref, bool other_is_larger) {
    const SearchTree& tree = query_.tree[side];
    const std::uint32_t index = child.index();
    const WideNode& node = tree.nodes[index];
    if (kAny) prefetch(query_.tree[1 - side], other.child);
    const typename Base::Gaps gaps(tree.from_other, other, node);
    float gap[8];
    unsigned hits = overlaps(gaps, gap) & node.used;
    if (hits != 0) hits = nearSurfaces(side, node, hits, other, gaps.centre, other_ref, other_is_larger);
    counts_.box_tests += static_cast<std::size_t>(__builtin_popcount(node.used));
    const unsigned leaf_hits = other.child.isLeaf() ? hits & node.leaves : 0;
    hits ^= leaf_hits;
    for (unsigned rest = leaf_hits; rest != 0; rest &= rest - 1) {
      queue_[queued_++] = named(side, index, rest, other_ref);
      if (!kAny) prefetch(tree, node.child[__builtin_ctz(rest)]);
    }
    const int begin = depth_;
    for (unsigned rest = hits; rest != 0; rest &= rest - 1) {
      int at = depth_++;
      if (kAny) at = placeByGap(begin, at, gap[__builtin_ctz(rest)]);
      stack_[at] = named(side, index, rest, other_ref);
    }
  }

  /// What was not looked at for long is on its way while other things are tested: leaves while they wait in
  /// the queue, and what comes next on the way to the first pair, which is short.
  static void prefetch(const SearchTree& tree, WideChild child) {
    constexpr int kCacheLine = 64;
    const int size = child.isLeaf() ? int(sizeof(WideLeaf)) : int(sizeof(WideNode));
    const void* at = child.isLeaf() ? static_cast<const void*>(&tree.leaves[child.index()])
                                    : static_cast<const void*>(&tree.nodes[child.index()]);
    for (int line = 0; line < size; line += kCacheLine)
      __builtin_prefetch(static_cast<const char*>(at) + line);
  }

  /// Those boxes of `node` in `boxes` that are not clear of `other`, seen more closely: by the slabs that
  /// they have. A leaf without one that is larger than the node is looked at triangle by triangle, since many
  /// boxes will be held against it.
  unsigned nearSurfaces(int side, const WideNode& node, unsigned boxes, const Box& other,
                        const float centre[3], std::uint32_t other_ref, bool other_is_larger) {
    const TreePlacement& place = query_.tree[side].from_other;
    if ((boxes & node.thin) != 0) boxes &= ~(node.thin & clearOfSlabs(place, centre, other.half, node));
    if (boxes == 0) return 0;
    const SearchTree& others = query_.tree[1 - side];
    const WideNode& holder = others.nodes[other_ref / 8];
    if ((holder.thin >> other_ref % 8 & 1) != 0)
      return boxes & ~clearOfSlab(others.from_other, holder, other_ref % 8, node);
    if (!other_is_larger || !other.child.isLeaf()) return boxes;
    faces_[1 - side].load(others.leaves[other.child.index()], other.child, place);
    return boxes & ~faces_[1 - side].clearOf(node, boxes);
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
    for (int i = 0; i < queued_ && !done_; ++i) testLeaves(queue_[i]);
    queued_ = 0;
  }

  /// One bit for each box that is not clear of the other along any of the six face axes. Comparisons are such
  /// that a NaN counts as overlap. `gap` is greater the less they overlap.
  static unsigned overlaps(const typename Base::Gaps& gaps, float gap[8]) {
    const F most = gaps.greatest();
    most.store(gap);
    return ~(most > F::all(0)).bits();
  }

  /// One bit for each slab of `node` that a box of the other tree stays clear of. `centre` is that of the
  /// box, along the axes of the node, and `half` half its extents, along its own.
  static unsigned clearOfSlabs(const TreePlacement& place, const float centre[3], const float half[3],
                               const WideNode& node) {
    float extent[3][8];
    for (int j = 0; j < 3; ++j) (F::load(place.centre[j]) * F::all(half[j])).store(extent[j]);
    F along = F::all(0) - F::load(node.level), reach = F::load(node.thickness) + F::all(place.spare);
    F across[3] = {F::all(0), F::all(0), F::all(0)};
    for (int i = 0; i < 3; ++i) {
      const F direction = mulAdd(F::load(node.direction[i]), F::all(1 / kSlabSteps), F::all(-1));
      for (int j = 0; j < 3; ++j) across[j] = mulAdd(direction, F::all(extent[j][i]), across[j]);
      along = mulAdd(direction, F::all(centre[i]), along);
    }
    for (const F& each : across) reach = reach + abs(each);
    return (abs(along) > reach).bits();
  }

  /// One bit for each box of `node` that stays clear of the slab that the other tree has at `lane` of
  /// `holder`. `place` takes `node` to that tree.
  static unsigned clearOfSlab(const TreePlacement& place, const WideNode& holder, std::uint32_t lane,
                              const WideNode& node) {
    float level = -holder.level[lane];
    float direction[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      const float along = static_cast<float>(holder.direction[i][lane]) * (1 / kSlabSteps) - 1;
      level += along * place.centre_shift[i];
      for (int j = 0; j < 3; ++j) direction[j] += along * place.centre[j][i];
    }
    F along = F::all(level), reach = F::all(holder.thickness[lane] + place.spare);
    for (int j = 0; j < 3; ++j) {
      along = mulAdd(F::all(direction[j]), F::load(node.centre[j]), along);
      reach = mulAdd(F::all(__builtin_fabsf(direction[j])), F::load(node.half[j]), reach);
    }
    return (abs(along) > reach).bits();
  }

  /// The same as rows of floats, to take one triangle out of.
  struct Rows {
    float corner[9][8], low[3][8], high[3][8], normal[3][8], offset[8], normal_sum[8], edge[2][8];
  };

  /// How far corners and what is computed of them may be off along any axis: by the quantisation of their
  /// leaf, the margin, and the rounding of eight operations. Triangles of a large leaf among those of a small
  /// one are off by much more than these.
  struct Displacement {
    float corners;  ///< those of both leaves together; as much again covers the products with a normal
    float between;  ///< from a corner of one triangle to one of the other
    float edges1, edges2;
  };

  /// `size`: no coordinate of either is greater, seen from the corner of leaf 1.
  [[nodiscard]] Displacement displacement(float size) const {
    const float margin = query_.tree[1].from_other.margin;
    const float corners = first_.error + second_.error + margin + 1e-6F * size;
    // Edges do not know of how far apart the leaves are, but that corners of the second are moved to the
    // first.
    return {corners, corners + margin, 2 * (first_.error + margin + 1e-6F * first_.size),
            2 * (second_.error + margin + 1e-6F * second_.size + 1.2e-7F * size)};
  }

  /// One bit for each triangle that stays clear of the box of a leaf that lies `sign * base` away.
  static unsigned clearOf(const Triangles& t, const LoadedLeaf& box, const float base[3], float sign,
                          const float slack[3]) {
    Mask clear = F::all(box.low[0] + sign * base[0] - slack[0]) > t.high[0];
    clear = clear | (t.low[0] > F::all(box.high[0] + sign * base[0] + slack[0]));
    for (int i = 1; i < 3; ++i)
      clear = clear | (F::all(box.low[i] + sign * base[i] - slack[i]) > t.high[i]) |
              (t.low[i] > F::all(box.high[i] + sign * base[i] + slack[i]));
    return clear.bits();
  }

  /// How far half of the way leads along normals.
  [[nodiscard]] F riseAlong(const F normal[3]) const {
    const float* way = query_.tree[1].from_other.half_way;
    return abs(
        mulAdd(normal[0], F::all(way[0]), mulAdd(normal[1], F::all(way[1]), normal[2] * F::all(way[2]))));
  }

  void testLeaves(const NodePair& pair) {
    const WideChild child1 = childOf(query_.tree[0], pair.ref[0]);
    const WideChild child2 = childOf(query_.tree[1], pair.ref[1]);
    const WideLeaf& leaf1 = query_.tree[0].leaves[child1.index()];
    const WideLeaf& leaf2 = query_.tree[1].leaves[child2.index()];
    load2(child2.index());
    float base[3];
    findBase(leaf1, leaf2, base);
    const float size2 =
        second_.size + __builtin_fabsf(base[0]) + __builtin_fabsf(base[1]) + __builtin_fabsf(base[2]);
    const float off2 = second_.error + query_.tree[1].from_other.margin + 1e-6F * size2;
    slabs_[0].loadTurned(query_.tree[0], pair.ref[0]);
    const float* const way = kSwept ? query_.tree[1].from_other.half_way : nullptr;
    unsigned active2 =
        child2.triangles() & ~slabs_[0].clearOf(second_.triangles.corner, base, 1, 2 * off2, way);
    if (active2 == 0) return;
    load1(child1.index());
    const float size = first_.size + size2;
    const Displacement off = displacement(size);
    unsigned active1 = child1.triangles();
    // The bounds below hold in a wide range of sizes; outside it, or with a NaN, all pairs are candidates.
    if (!(size > 1e-8F && size < 1e12F && off.corners < 1e12F)) {
      emitAll(leaf1.first, active1, leaf2.first, active2);
      return;
    }
    slabs_[1].load(query_.tree[1], pair.ref[1]);
    active1 &= ~slabs_[1].clearOf(first_.triangles.corner, base, -1, 2 * off.corners, way);
    if (active1 == 0) return;
    float slack[3] = {off.corners, off.corners, off.corners};
    for (int i = 0; way != nullptr && i < 3; ++i) slack[i] += __builtin_fabsf(way[i]);
    active1 &= ~clearOf(first_.triangles, second_, base, 1, slack);
    active2 &= ~clearOf(second_.triangles, first_, base, -1, slack);
    if (active1 == 0 || active2 == 0) return;
    counts_.triangle_tests +=
        static_cast<std::size_t>(__builtin_popcount(active1) * __builtin_popcount(active2));
    if (!first_.has_planes) findPlanes1();
    if (!second_.has_planes) findPlanes2();

    placeSecond(base, slack);
    const Triangles& t2 = placed_;
    const F offset2 = t2.offset();
    F slack2 = mulAdd(t2.normal_sum, F::all(off.corners), F::all(second_.flaw));
    if constexpr (kSwept) slack2 = slack2 + riseAlong(t2.normal);
    for (; active1 != 0 && !done_; active1 &= active1 - 1)
      testTriangle(__builtin_ctz(active1), t2, offset2, slack2, active2, off, leaf1.first, leaf2.first);
    if (kAny) flush();
  }

  /// The triangles of leaf 2 seen from the corner of leaf 1, their boxes larger by `slack`.
  void placeSecond(const float base[3], const float slack[3]) {
    const Triangles& t = second_.triangles;
    for (int i = 0; i < 3; ++i) {
      const F shift = F::all(base[i]);
      for (int k = 0; k < 3; ++k) placed_.corner[k][i] = t.corner[k][i] + shift;
      placed_.low[i] = t.low[i] + F::all(base[i] - slack[i]);
      placed_.high[i] = t.high[i] + F::all(base[i] + slack[i]);
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
    return mulAdd(normal[0], point[0], mulAdd(normal[1], point[1], normal[2] * point[2] - offset));
  }
  static Mask onOneSide(const F h[3], const F& slack) {
    const F low = min(min(h[0], h[1]), h[2]), high = max(max(h[0], h[1]), h[2]);
    return (low > slack) | (F::all(0) - slack > high);
  }

  /// Triangle `lane` of leaf 1 against eight triangles of leaf 2. Boxes first; then the normals of both as
  /// separating axes, which are proofs whatever the error of the normals; then the signs of orientations.
  void testTriangle(int lane, const Triangles& t2, const F& offset2, const F& slack2, unsigned candidates,
                    const Displacement& off, std::uint32_t first1, std::uint32_t first2) {
    Mask clear = F::all(rows_.low[0][lane]) > t2.high[0];
    clear = clear | (t2.low[0] > F::all(rows_.high[0][lane]));
    for (int i = 1; i < 3; ++i)
      clear = clear | (F::all(rows_.low[i][lane]) > t2.high[i]) | (t2.low[i] > F::all(rows_.high[i][lane]));
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
    F slack1 = F::all(rows_.normal_sum[lane] * off.corners + first_.flaw);
    if constexpr (kSwept) slack1 = slack1 + riseAlong(normal);
    candidates &= ~(onOneSide(height1, slack2) | onOneSide(height2, slack1)).bits();
    if (candidates == 0) return;

    if constexpr (kSwept) {
      emit(first1 + static_cast<std::uint32_t>(lane), first2, candidates, 0);
      return;
    }
    const unsigned sure = decide(corner, F::all(rows_.edge[0][lane]), F::all(rows_.edge[1][lane]), height1,
                                 t2, height2, off, candidates);
    emit(first1 + static_cast<std::uint32_t>(lane), first2, candidates, sure);
  }

  /// A vector whose sum of magnitudes is at most `sum`, each of its coordinates off by at most `error`.
  struct Rough {
    F sum;
    float error;
  };
  /// A bound on the error of the determinant of three vectors: what theirs make of it, and 16 units of
  /// rounding.
  static F determinantError(const Rough& a, const Rough& b, const Rough& c) {
    const F errors = mulAdd(a.sum, F::all(b.error), b.sum * F::all(a.error));
    return mulAdd(a.sum * b.sum, mulAdd(c.sum, F::all(1e-6F), F::all(c.error)), c.sum * errors);
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
    const F x = mulSub(a[1], b[2], a[2] * b[1]), y = mulSub(a[2], b[0], a[0] * b[2]);
    const F z = mulSub(a[0], b[1], a[1] * b[0]);
    return mulAdd(x, c[0], mulAdd(y, c[1], z * c[2]));
  }

  /// The test of Guigue and Devillers 2003 for those lanes where every sign is beyond its error: drops the
  /// pairs that are certain not to meet from `candidates` and returns those that are certain to.
  static unsigned decide(const F corner[3][3], const F& sum0, const F& sum1, const F height1[3],
                         const Triangles& t2, const F height2[3], const Displacement& off,
                         unsigned& candidates) {
    const F spare = F::all(6 * off.corners);
    const F edge0 = sum0 + spare, edge1 = sum1 + spare;
    const F edge2 = t2.edge[0] + spare, edge3 = t2.edge[1] + spare;
    const F wide1 = edge0 + edge1, wide2 = edge2 + edge3;
    const F apart = abs(corner[0][0] - t2.corner[0][0]) + abs(corner[0][1] - t2.corner[0][1]) +
                    abs(corner[0][2] - t2.corner[0][2]) + spare;
    const F error1 = determinantError({edge2, off.edges2}, {edge3, off.edges2}, {apart + wide1, off.between});
    const F error2 = determinantError({edge0, off.edges1}, {edge1, off.edges1}, {apart + wide2, off.between});
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
    const F length = abs(w[0]) + abs(w[1]) + abs(w[2]) + spare;
    const F error = determinantError({wide1, off.edges1}, {wide2, off.edges2}, {length, off.between});
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
    if (kAny && sure != 0) flush();
  }

  void flush() {
    if (pair_count_ > 0 && !done_) done_ = sink_.take(sink_.context, pairs_, pair_count_);
    pair_count_ = 0;
  }

  const PairSink& sink_;
  SearchCounts counts_{0, 0};
  NodePair stack_[kStackSize];
  float gap_[kStackSize];
  int depth_ = 0;
  NodePair queue_[kQueueSize];
  int queued_ = 0;
  LeafFaces<F> faces_[2];
  LeafSlab<F> slabs_[2];
  Triangles placed_;
  Rows rows_;
  CandidatePair pairs_[PairSink::kMost];
  std::size_t pair_count_ = 0;
  bool done_ = false;
};

/// All pairs are the same whatever the rounding of what leaves out others. Which pair is the first follows
/// from the gaps between boxes, bit for bit.
template <typename F, typename Fused = F>
SearchCounts wideSearch(const WideQuery& query, const PairSink& sink) {
  if (query.kind == SearchKind::kAny) return WideSearcher<F, SearchKind::kAny>(query, sink).run();
  if (query.kind == SearchKind::kSwept) return WideSearcher<Fused, SearchKind::kSwept>(query, sink).run();
  return WideSearcher<Fused, SearchKind::kAll>(query, sink).run();
}

}  // namespace odemesh
