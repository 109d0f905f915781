/* A C program that uses the library as a stranger would: two boxes as trimeshes, one call, one collision. */
#include <odemesh/odemesh.h>
#include <stdio.h>
#include <string.h>

static const float vertices[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                     {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const dTriIndex indices[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                         {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static int collideBoxes(void) {
  dContactGeom contacts[8];
  dTriMeshDataID data = dGeomTriMeshDataCreate();
  dGeomID lower, upper;
  int count;
  dGeomTriMeshDataBuildSingle(data, vertices, sizeof vertices[0], 8, indices, 36, sizeof indices[0]);
  lower = dCreateTriMesh(0, data, 0, 0, 0);
  upper = dCreateTriMesh(0, data, 0, 0, 0);
  dGeomSetPosition(upper, 0.25, 0.125, 1.96875);
  count = dCollide(upper, lower, 8, contacts, sizeof contacts[0]);
  if (count > 0) {
    printf("C: odemesh %s, %d contacts, depth %g, normal z %g\n", odemeshVersion(), count,
           (double)contacts[0].depth, (double)contacts[0].normal[2]);
  }
  dGeomDestroy(lower);
  dGeomDestroy(upper);
  dGeomTriMeshDataDestroy(data);
  /* They overlap by 1/32, and up is the way out of the lower one. */
  return count > 0 && contacts[0].depth > 0.03 && contacts[0].depth < 0.0325 && contacts[0].normal[2] > 0.999;
}

int main(void) {
  int collided;
  if (strcmp(odemeshVersion(), EXPECTED_VERSION) != 0) {
    fprintf(stderr, "odemeshVersion() says %s, the package %s\n", odemeshVersion(), EXPECTED_VERSION);
    return 1;
  }
  dInitODE2(0);
  if (odemeshInstall() != ODEMESH_OK) {
    fprintf(stderr, "%s\n", odemeshLastError());
    return 1;
  }
  collided = collideBoxes();
  odemeshUninstall();
  dCloseODE();
  return collided ? 0 : 1;
}
