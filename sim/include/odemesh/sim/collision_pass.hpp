// The collisions of one step on several threads, with the same result on any number of them.
//
//     CollisionPass pass(4);
//     ...
//     pass.clear();
//     dSpaceCollide(space, &pass, [](void* data, dGeomID geom1, dGeomID geom2) {
//       static_cast<CollisionPass*>(data)->add(geom1, geom2);
//     });
//     pass.run(64, CollisionPass::dCollideContacts, [&](dGeomID, dGeomID, std::span<dContact> contacts) {
//       for (dContact& c : contacts) makeContactJoint(c);  // on this thread
//     });
//
// 1. The space lists the pairs, on the calling thread; that also brings all poses up to date.
// 2. The threads share out the pairs of two meshes, and of a mesh and a plane, if odemesh is installed: its
// colliders
//    read poses and meshes, and write nothing that is shared. ODE's own colliders of meshes share a cache,
//    and are left to the calling thread, as all other pairs are.
// 3. The contacts are handed over on the calling thread, in the order in which the pairs were listed.
//
// So whatever is done with the contacts, such as making joints, may do what ODE allows to one thread only,
// and what comes of it does not depend on the number of threads.
#pragma once

#include <ode/ode.h>

#include <functional>
#include <memory>
#include <odemesh/sim/ode_handles.hpp>
#include <odemesh/sim/thread_pool.hpp>
#include <span>
#include <vector>

namespace odemesh::sim {

/// Not for use by several threads at once; keeps its threads and its memory from step to step.
class CollisionPass {
 public:
  /// Finds contacts of a pair: fills `out` from its beginning and returns how many. Runs on any of the
  /// threads, and must neither throw nor change what is shared.
  using Find = std::function<int(dGeomID geom1, dGeomID geom2, std::span<dContact> out)>;
  /// Takes the contacts of a pair that touches, on the calling thread.
  using Take = std::function<void(dGeomID geom1, dGeomID geom2, std::span<dContact> contacts)>;

  /// More threads than this are not made.
  static constexpr int kMostThreads = 256;

  /// `threads` counts the calling one; others than 1 to kMostThreads are brought into that range.
  explicit CollisionPass(int threads = 1);

  /// The calling one included.
  [[nodiscard]] int threads() const { return static_cast<int>(pool_->size()); }
  /// From the next run on.
  void setThreads(int threads);

  /// Forgets the pairs of the last step.
  void clear();
  /// The pair is collided by the next run.
  void add(dGeomID geom1, dGeomID geom2);
  /// Collides all pairs that were added, with up to `max_contacts` for each, 1 to 65535. Geoms must not
  /// change meanwhile.
  void run(int max_contacts, const Find& find, const Take& take);

  /// What dCollide finds; the surface parameters are left as they are.
  static int dCollideContacts(dGeomID geom1, dGeomID geom2, std::span<dContact> out);

 private:
  struct Pair {
    dGeomID geom1, geom2;
    std::size_t thread = 0;  ///< whose `found` holds the contacts
    std::size_t begin = 0;
    std::size_t count = 0;
  };
  /// What one thread works with.
  struct Bench {
    std::vector<dContact> room;   ///< for the contacts of one pair
    std::vector<dContact> found;  ///< those of all pairs, in the order in which the thread came to them
  };

  void collide(Pair& pair, std::size_t thread, const Find& find);

  OdeLibrary library_;
  std::unique_ptr<ThreadPool> pool_;
  std::vector<Bench> benches_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> shared_, own_;  ///< indices of the pairs for all threads, and for the calling one
};

}  // namespace odemesh::sim
