// Two cubes of triangles, one falling onto the other. Without the marked line this is plain ODE.
#include <ode/ode.h>
#include <odemesh/odemesh.h>

#include <cstdio>

namespace {

const float kCorners[8][3] = {{-0.5F, -0.5F, -0.5F}, {0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, -0.5F},
                              {-0.5F, 0.5F, -0.5F},  {-0.5F, -0.5F, 0.5F}, {0.5F, -0.5F, 0.5F},
                              {0.5F, 0.5F, 0.5F},    {-0.5F, 0.5F, 0.5F}};
const dTriIndex kTriangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {2, 3, 7}, {2, 7, 6}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};

dWorldID world;
dJointGroupID contact_joints;

void onNear(void*, dGeomID geom1, dGeomID geom2) {
  dContact contacts[16] = {};
  const int count = dCollide(geom1, geom2, 16, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    contacts[i].surface.mu = dReal(0.5);
    dJointAttach(dJointCreateContact(world, contact_joints, &contacts[i]), dGeomGetBody(geom1),
                 dGeomGetBody(geom2));
  }
}

}  // namespace

int main() {
  dInitODE2(0);
  odemeshInstall();  // <- the one added line
  world = dWorldCreate();
  dWorldSetGravity(world, 0, 0, dReal(-9.81));
  contact_joints = dJointGroupCreate(0);
  const dSpaceID space = dSimpleSpaceCreate(nullptr);
  const dTriMeshDataID cube = dGeomTriMeshDataCreate();
  dGeomTriMeshDataBuildSingle(cube, kCorners, 3 * sizeof(float), 8, kTriangles, 36, 3 * sizeof(dTriIndex));

  dCreateTriMesh(space, cube, nullptr, nullptr, nullptr);  // stays where it is, around the origin
  const dGeomID falling = dCreateTriMesh(space, cube, nullptr, nullptr, nullptr);
  const dBodyID body = dBodyCreate(world);
  dMass mass;
  dMassSetBox(&mass, 1000, 1, 1, 1);
  dBodySetMass(body, &mass);
  dGeomSetBody(falling, body);
  dBodySetPosition(body, dReal(0.2), dReal(0.1), dReal(1.5));

  for (int step = 0; step <= 480; ++step) {
    if (step % 120 == 0)
      std::printf("%.1f s  height %.4f m\n", step / 240.0, double(dBodyGetPosition(body)[2]));
    dSpaceCollide(space, nullptr, &onNear);
    dWorldQuickStep(world, dReal(1.0 / 240));
    dJointGroupEmpty(contact_joints);
  }
  const double height = dBodyGetPosition(body)[2];

  dJointGroupDestroy(contact_joints);
  dSpaceDestroy(space);
  dWorldDestroy(world);
  dGeomTriMeshDataDestroy(cube);
  dCloseODE();
  return height > 0.99 && height < 1.01 ? 0 : 1;  // one cube's height above the other
}
