#include <odemesh/odemesh.h>

#include <algorithm>
#include <odemesh/sim/collision_pass.hpp>

namespace odemesh::sim {
namespace {

/// Builds of ODE that keep collision data for each thread want to be told of the threads.
void enterThread() {
  dAllocateODEDataForThread(dAllocateMaskAll);
}
void leaveThread() {
  dCleanupODEAllDataForThread();
}

std::unique_ptr<ThreadPool> makePool(int threads) {
  const auto count = static_cast<unsigned>(std::clamp(threads, 1, CollisionPass::kMostThreads));
  return std::make_unique<ThreadPool>(count, enterThread, leaveThread);
}

/// Does this pair have a collider that may run on several threads at once?
bool isThreadSafe(dGeomID geom1, dGeomID geom2) {
  if (odemeshIsInstalled() == 0) return false;
  const int class1 = dGeomGetClass(geom1);
  const int class2 = dGeomGetClass(geom2);
  if (class1 == dTriMeshClass) return class2 == dTriMeshClass || class2 == dPlaneClass;
  return class1 == dPlaneClass && class2 == dTriMeshClass;
}

}  // namespace

CollisionPass::CollisionPass(int threads) : pool_(makePool(threads)), benches_(pool_->size()) {}

void CollisionPass::setThreads(int threads) {
  if (threads == this->threads()) return;
  pool_ = makePool(threads);
  benches_.resize(pool_->size());
}

void CollisionPass::clear() {
  pairs_.clear();
  shared_.clear();
  own_.clear();
}

void CollisionPass::add(dGeomID geom1, dGeomID geom2) {
  (isThreadSafe(geom1, geom2) ? shared_ : own_).push_back(pairs_.size());
  pairs_.push_back({geom1, geom2});
}

void CollisionPass::run(int max_contacts, const Find& find, const Take& take) {
  for (Bench& bench : benches_) {
    bench.room.resize(static_cast<std::size_t>(max_contacts));
    bench.found.clear();
  }
  pool_->forEach(shared_.size(),
                 [&](std::size_t i, std::size_t thread) { collide(pairs_[shared_[i]], thread, find); });
  for (const std::size_t i : own_) collide(pairs_[i], 0, find);
  for (const Pair& pair : pairs_)
    if (pair.count > 0)
      take(pair.geom1, pair.geom2, std::span(benches_[pair.thread].found).subspan(pair.begin, pair.count));
}

void CollisionPass::collide(Pair& pair, std::size_t thread, const Find& find) {
  Bench& bench = benches_[thread];
  const int count = find(pair.geom1, pair.geom2, bench.room);
  pair.thread = thread;
  pair.begin = bench.found.size();
  pair.count = static_cast<std::size_t>(std::max(count, 0));
  bench.found.insert(bench.found.end(), bench.room.begin(), bench.room.begin() + std::max(count, 0));
}

int CollisionPass::dCollideContacts(dGeomID geom1, dGeomID geom2, std::span<dContact> out) {
  return dCollide(geom1, geom2, static_cast<int>(out.size()), &out[0].geom, sizeof(dContact));
}

}  // namespace odemesh::sim
