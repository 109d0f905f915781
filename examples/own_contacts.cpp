// A near callback of one's own: each mesh carries its friction, and the callback decides how two of them
// combine. Three slabs on an incline of 20 degrees; each slides as the textbook says.
#include <ode/ode.h>
#include <odemesh/odemesh.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

struct Material {
  const char* name;
  double mu;
};

// The unit cube, scaled below.
const float kCorners[8][3] = {{-0.5F, -0.5F, -0.5F}, {0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, -0.5F},
                              {-0.5F, 0.5F, -0.5F},  {-0.5F, -0.5F, 0.5F}, {0.5F, -0.5F, 0.5F},
                              {0.5F, 0.5F, 0.5F},    {-0.5F, 0.5F, 0.5F}};
const dTriIndex kTriangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {2, 3, 7}, {2, 7, 6}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};

// A mesh of a box; ODE refers to the vertices, which therefore stay here.
struct BoxMesh {
  float vertices[8][3];
  dTriMeshDataID data = dGeomTriMeshDataCreate();

  BoxMesh(float x, float y, float z) {
    for (int i = 0; i < 8; ++i) {
      vertices[i][0] = kCorners[i][0] * x;
      vertices[i][1] = kCorners[i][1] * y;
      vertices[i][2] = kCorners[i][2] * z;
    }
    dGeomTriMeshDataBuildSingle(data, vertices, 3 * sizeof(float), 8, kTriangles, 36, 3 * sizeof(dTriIndex));
  }
  ~BoxMesh() { dGeomTriMeshDataDestroy(data); }
  BoxMesh(const BoxMesh&) = delete;
  BoxMesh& operator=(const BoxMesh&) = delete;
};

struct Simulation {
  dWorldID world = dWorldCreate();
  dSpaceID space = dSimpleSpaceCreate(nullptr);
  dJointGroupID contact_joints = dJointGroupCreate(0);

  ~Simulation() {
    dJointGroupDestroy(contact_joints);
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }
};

// The slippery one of the two decides. dContactApprox1 makes friction proportional to the load.
void onNear(void* data, dGeomID geom1, dGeomID geom2) {
  const auto& simulation = *static_cast<const Simulation*>(data);
  const auto* material1 = static_cast<const Material*>(dGeomGetData(geom1));
  const auto* material2 = static_cast<const Material*>(dGeomGetData(geom2));
  dContact contacts[32] = {};
  const int count = dCollide(geom1, geom2, 32, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = static_cast<dReal>(std::min(material1->mu, material2->mu));
    dJointAttach(dJointCreateContact(simulation.world, simulation.contact_joints, &contacts[i]),
                 dGeomGetBody(geom1), dGeomGetBody(geom2));
  }
}

// How far a slab slides in `seconds`.
double slide(Material slab_material, double seconds) {
  constexpr double kStep = 1.0 / 1000;
  const double angle = 20 * std::numbers::pi / 180;
  Simulation simulation;
  // The incline lies along x and gravity is tilted, which is the same thing.
  dWorldSetGravity(simulation.world, static_cast<dReal>(9.81 * std::sin(angle)), 0,
                   static_cast<dReal>(-9.81 * std::cos(angle)));
  const BoxMesh floor_mesh(40, 4, 1);
  const BoxMesh slab_mesh(1, 1, 0.2F);
  Material steel{"steel", 10};
  const dGeomID floor = dCreateTriMesh(simulation.space, floor_mesh.data, nullptr, nullptr, nullptr);
  dGeomSetData(floor, &steel);
  const dGeomID slab = dCreateTriMesh(simulation.space, slab_mesh.data, nullptr, nullptr, nullptr);
  dGeomSetData(slab, &slab_material);
  const dBodyID body = dBodyCreate(simulation.world);
  dMass mass;
  dMassSetBox(&mass, 1000, 1, 1, dReal(0.2));
  dBodySetMass(body, &mass);
  dGeomSetBody(slab, body);
  dBodySetPosition(body, -5, 0, dReal(0.6));
  for (int step = 0; step < static_cast<int>(seconds / kStep); ++step) {
    dSpaceCollide(simulation.space, &simulation, &onNear);
    dWorldQuickStep(simulation.world, static_cast<dReal>(kStep));
    dJointGroupEmpty(simulation.contact_joints);
  }
  return dBodyGetPosition(body)[0] + 5.0;
}

}  // namespace

int main() {
  dInitODE2(0);
  if (odemeshInstall() != ODEMESH_OK) return std::puts(odemeshLastError()), 1;
  const double angle = 20 * std::numbers::pi / 180;
  bool good = true;
  std::printf("%-8s %4s %12s %12s\n", "slab", "mu", "slid, m", "expected, m");
  for (const Material& material : {Material{"ice", 0.02}, Material{"wood", 0.2}, Material{"rubber", 0.9}}) {
    const double pull = std::max(0.0, std::sin(angle) - material.mu * std::cos(angle));
    const double expected = 0.5 * 9.81 * pull * 1.5 * 1.5;
    const double slid = slide(material, 1.5);
    std::printf("%-8s %4.2f %12.4f %12.4f\n", material.name, material.mu, slid, expected);
    good = good && std::abs(slid - expected) < 0.02 * expected + 0.01;
  }
  dCloseODE();
  return good ? 0 : 1;
}
