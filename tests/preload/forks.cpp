// Collides a pair of meshes, and forks: once to end at once, as games and shells do, and once to collide two
// pairs.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "scene.hpp"

namespace {

void collideBoxes(int times) {
  const odemesh::test::Box box(0.5F, 0.5F, 0.5F);
  const dTriMeshDataID data = dGeomTriMeshDataCreate();
  box.build(data);
  const dGeomID low = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  const dGeomID high = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  dGeomSetPosition(high, 0.25, 0.125, 0.95);
  dContactGeom contact;
  for (int i = 0; i < times; ++i) dCollide(low, high, 1, &contact, sizeof contact);
  dGeomDestroy(low);
  dGeomDestroy(high);
  dGeomTriMeshDataDestroy(data);
}

void forkToCollide(int times) {
  const pid_t child = fork();
  if (child == 0) {
    collideBoxes(times);
    std::exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argument_count, char**) {
  const bool is_idle = argument_count > 1;
  dInitODE2(0);
  collideBoxes(is_idle ? 0 : 3);
  forkToCollide(0);
  if (!is_idle) forkToCollide(2);
  dCloseODE();
}
