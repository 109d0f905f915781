#include <odemesh/methods.hpp>
#include <utility>

#include "mid_phase/methods/pair_method.hpp"
#include "mid_phase/pair_sort.hpp"

namespace odemesh {

namespace {

[[nodiscard]] std::unique_ptr<const PairMethod> makeMethod(MidPhase method, const Mesh& mesh1,
                                                           const Mesh& mesh2) {
  switch (method) {
    case MidPhase::kAllPairs:
      return makeAllPairs();
    case MidPhase::kSphereTree:
      return makeSphereTrees(mesh1, mesh2);
    case MidPhase::kAabbTree:
      return makeAabbTrees(mesh1, mesh2);
    case MidPhase::kObbTree:
      return makeObbTrees(mesh1, mesh2);
    case MidPhase::kOctree:
      return makeOctrees(mesh1, mesh2);
    case MidPhase::kUniformGrid:
      return makeUniformGrid(mesh1);
  }
  return nullptr;
}

[[nodiscard]] PairCollector runSearch(const PairMethod& method, const MeshPair& pair, SearchMode mode,
                                      QueryStats* stats) {
  PairCollector collector(pair, mode);
  method.search(pair, collector);
  if (stats != nullptr) *stats = collector.stats;
  return collector;
}

}  // namespace

std::string_view name(MidPhase method) {
  switch (method) {
    case MidPhase::kAllPairs:
      return "all pairs";
    case MidPhase::kSphereTree:
      return "sphere tree";
    case MidPhase::kAabbTree:
      return "AABB tree";
    case MidPhase::kObbTree:
      return "OBB tree";
    case MidPhase::kOctree:
      return "octree";
    case MidPhase::kUniformGrid:
      return "uniform grid";
  }
  return "unknown method";
}

PairFinder::PairFinder(MidPhase method, std::shared_ptr<const Mesh> mesh1, std::shared_ptr<const Mesh> mesh2)
    : method_(method), mesh1_(std::move(mesh1)), mesh2_(std::move(mesh2)) {
  if (mesh1_ && mesh2_) search_ = makeMethod(method, *mesh1_, *mesh2_);
}

PairFinder::~PairFinder() = default;
PairFinder::PairFinder(PairFinder&&) noexcept = default;
PairFinder& PairFinder::operator=(PairFinder&&) noexcept = default;

std::optional<TrianglePair> PairFinder::findAny(const Pose& pose1, const Pose& pose2,
                                                QueryStats* stats) const {
  if (stats != nullptr) *stats = {};
  if (!search_ || !isFinite(pose1) || !isFinite(pose2)) return std::nullopt;
  const MeshPair pair(*mesh1_, pose1, *mesh2_, pose2);
  const PairCollector collector = runSearch(*search_, pair, SearchMode::kAny, stats);
  return collector.found.empty() ? std::nullopt : std::optional(collector.found.front());
}

void PairFinder::findAll(const Pose& pose1, const Pose& pose2, std::vector<TrianglePair>& out,
                         QueryStats* stats) const {
  if (stats != nullptr) *stats = {};
  if (!search_ || !isFinite(pose1) || !isFinite(pose2)) return;
  const MeshPair pair(*mesh1_, pose1, *mesh2_, pose2);
  PairCollector collector = runSearch(*search_, pair, SearchMode::kAll, stats);
  sortUnique(collector.found);
  out.insert(out.end(), collector.found.begin(), collector.found.end());
}

std::size_t PairFinder::memoryBytes() const {
  return search_ ? search_->memoryBytes() : 0;
}

}  // namespace odemesh
