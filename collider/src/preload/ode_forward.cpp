#include "preload/ode_forward.hpp"

#include <ode/ode.h>

#include "ode/ode_symbol.hpp"

namespace odemesh::ode {

namespace {

constinit OdeFunction<decltype(dBodyGetAngularVel)> ode_body_get_angular_vel("dBodyGetAngularVel");
constinit OdeFunction<decltype(dBodyGetLinearVel)> ode_body_get_linear_vel("dBodyGetLinearVel");
constinit OdeFunction<decltype(dBodyGetPosition)> ode_body_get_position("dBodyGetPosition");
constinit OdeFunction<decltype(dBodyGetWorld)> ode_body_get_world("dBodyGetWorld");
constinit OdeFunction<decltype(dBodyIsEnabled)> ode_body_is_enabled("dBodyIsEnabled");
constinit OdeFunction<decltype(dCheckConfiguration)> ode_check_configuration("dCheckConfiguration");
constinit OdeFunction<decltype(dCreateTriMesh)> ode_create_trimesh("dCreateTriMesh");
constinit OdeFunction<decltype(dGeomDestroy)> ode_geom_destroy("dGeomDestroy");
constinit OdeFunction<decltype(dGeomGetBody)> ode_geom_get_body("dGeomGetBody");
constinit OdeFunction<decltype(dGeomGetClass)> ode_geom_get_class("dGeomGetClass");
constinit OdeFunction<decltype(dGeomGetPosition)> ode_geom_get_position("dGeomGetPosition");
constinit OdeFunction<decltype(dGeomGetRotation)> ode_geom_get_rotation("dGeomGetRotation");
constinit OdeFunction<decltype(dGeomPlaneGetParams)> ode_geom_plane_get_params("dGeomPlaneGetParams");
constinit OdeFunction<decltype(dGeomTriMeshGetCallback)> ode_geom_trimesh_get_callback(
    "dGeomTriMeshGetCallback");
constinit OdeFunction<decltype(dGeomTriMeshGetData)> ode_geom_trimesh_get_data("dGeomTriMeshGetData");
constinit OdeFunction<decltype(dGeomTriMeshGetTriangle)> ode_geom_trimesh_get_triangle(
    "dGeomTriMeshGetTriangle");
constinit OdeFunction<decltype(dGeomTriMeshGetTriangleCount)> ode_geom_trimesh_get_triangle_count(
    "dGeomTriMeshGetTriangleCount");
constinit OdeFunction<decltype(dGetFreeHandler)> ode_get_free_handler("dGetFreeHandler");
constinit OdeFunction<decltype(dSetFreeHandler)> ode_set_free_handler("dSetFreeHandler");
constinit OdeFunction<decltype(dWorldGetGravity)> ode_world_get_gravity("dWorldGetGravity");

template <typename Function>
[[nodiscard]] bool isMissing(OdeFunction<Function>& function, const char*& missing) {
  if (function.get() != nullptr) return false;
  missing = function.name();
  return true;
}

template <typename... Functions>
[[nodiscard]] bool isAnyMissing(const char*& missing, Functions&... functions) {
  return (isMissing(functions, missing) || ...);
}

}  // namespace

bool canForward(const char*& missing) noexcept {
  return !isAnyMissing(
      missing, ode_body_get_angular_vel, ode_body_get_linear_vel, ode_body_get_position, ode_body_get_world,
      ode_body_is_enabled, ode_check_configuration, ode_create_trimesh, ode_geom_destroy, ode_geom_get_body,
      ode_geom_get_class, ode_geom_get_position, ode_geom_get_rotation, ode_geom_plane_get_params,
      ode_geom_trimesh_get_callback, ode_geom_trimesh_get_data, ode_geom_trimesh_get_triangle,
      ode_geom_trimesh_get_triangle_count, ode_get_free_handler, ode_set_free_handler, ode_world_get_gravity);
}

}  // namespace odemesh::ode

using namespace odemesh::ode;

// Known inside this library alone (collider/CMakeLists.txt: the map of its symbols): the program keeps ODE's.
extern "C" {

const dReal* dBodyGetAngularVel(dBodyID body) {
  return ode_body_get_angular_vel.get()(body);
}
const dReal* dBodyGetLinearVel(dBodyID body) {
  return ode_body_get_linear_vel.get()(body);
}
const dReal* dBodyGetPosition(dBodyID body) {
  return ode_body_get_position.get()(body);
}
dWorldID dBodyGetWorld(dBodyID body) {
  return ode_body_get_world.get()(body);
}
int dBodyIsEnabled(dBodyID body) {
  return ode_body_is_enabled.get()(body);
}
int dCheckConfiguration(const char* token) {
  return ode_check_configuration.get()(token);
}
dGeomID dCreateTriMesh(dSpaceID space, dTriMeshDataID data, dTriCallback* callback,
                       dTriArrayCallback* array_callback, dTriRayCallback* ray_callback) {
  return ode_create_trimesh.get()(space, data, callback, array_callback, ray_callback);
}
void dGeomDestroy(dGeomID geom) {
  ode_geom_destroy.get()(geom);
}
dBodyID dGeomGetBody(dGeomID geom) {
  return ode_geom_get_body.get()(geom);
}
int dGeomGetClass(dGeomID geom) {
  return ode_geom_get_class.get()(geom);
}
const dReal* dGeomGetPosition(dGeomID geom) {
  return ode_geom_get_position.get()(geom);
}
const dReal* dGeomGetRotation(dGeomID geom) {
  return ode_geom_get_rotation.get()(geom);
}
void dGeomPlaneGetParams(dGeomID plane, dVector4 result) {
  ode_geom_plane_get_params.get()(plane, result);
}
dTriCallback* dGeomTriMeshGetCallback(dGeomID geom) {
  return ode_geom_trimesh_get_callback.get()(geom);
}
dTriMeshDataID dGeomTriMeshGetData(dGeomID geom) {
  return ode_geom_trimesh_get_data.get()(geom);
}
void dGeomTriMeshGetTriangle(dGeomID geom, int index, dVector3* v0, dVector3* v1, dVector3* v2) {
  ode_geom_trimesh_get_triangle.get()(geom, index, v0, v1, v2);
}
int dGeomTriMeshGetTriangleCount(dGeomID geom) {
  return ode_geom_trimesh_get_triangle_count.get()(geom);
}
dFreeFunction* dGetFreeHandler(void) {
  return ode_get_free_handler.get()();
}
void dSetFreeHandler(dFreeFunction* handler) {
  ode_set_free_handler.get()(handler);
}
void dWorldGetGravity(dWorldID world, dVector3 gravity) {
  ode_world_get_gravity.get()(world, gravity);
}

}  // extern "C"
