// odemeshInstall, odemeshSuspend and odemeshUninstall: the collider's place in ODE's table.
#include <odemesh/odemesh.h>

#include <csetjmp>
#include <cstdio>
#include <new>

#include "ode/data_watch.hpp"
#include "ode/errors.hpp"
#include "ode/mesh_cache.hpp"
#include "ode/ode_symbol.hpp"
#include "ode/other_copy.hpp"
#include "ode/pair_memory.hpp"
#include "ode/settings.hpp"
#include "ode/stock_colliders.hpp"
#include "ode/trimesh_collider.hpp"

#if defined(__ELF__)
#define ODEMESH_OPTIONAL __attribute__((weak))
#else
#define ODEMESH_OPTIONAL
#endif

// ODE exports its colliders without declaring them; an ODE without trimesh has none of these.
ODEMESH_OPTIONAL int dCollideTTL(dxGeom* g1, dxGeom* g2, int flags, dContactGeom* contacts, int stride);
ODEMESH_OPTIONAL int dCollideTrimeshPlane(dxGeom* g1, dxGeom* g2, int flags, dContactGeom* contacts,
                                          int stride);

namespace odemesh::ode {

namespace {

enum class State { kAbsent, kSuspended, kInstalled };
State state = State::kAbsent;

std::jmp_buf out_of_assertion;

void leaveAssertion(int, const char*, va_list) {
  std::longjmp(out_of_assertion, 1);
}

constexpr int kAsserted = -1;

/// How many contacts ODE finds between two geoms, which are destroyed. Before dInitODE the table of colliders
/// is empty, and a build of ODE with assertions reports that through the debug handler, which is turned away
/// from abort() meanwhile.
[[nodiscard]] int collideWithoutAbort(dGeomID a, dGeomID b) {
  dContactGeom contact;
  dMessageFunction* const handler = dGetDebugHandler();
  dSetDebugHandler(leaveAssertion);
  const int count = setjmp(out_of_assertion) == 0 ? dCollide(a, b, 1, &contact, sizeof contact) : kAsserted;
  dSetDebugHandler(handler);
  dGeomDestroy(a);
  dGeomDestroy(b);
  return count;
}

/// Planes are asked about first: what has a pose needs locks that dCloseODE destroys, where ODE has no atomic
/// instructions (on ARM), and would end the program.
[[nodiscard]] bool isOdeInitialised() {
  const auto plane = [] { return dCreatePlane(nullptr, 0, 0, 1, 0); };
  const auto sphere = [] { return dCreateSphere(nullptr, 1); };
  return collideWithoutAbort(plane(), plane()) != kAsserted && collideWithoutAbort(sphere(), sphere()) == 1;
}

/// `linked` as ODE itself defines it. What the linker found may be a preloaded library's, which is what an
/// uninstallation must not end at.
[[nodiscard]] dColliderFn* stockCollider(const char* name, dColliderFn* linked) {
  void* const original = symbolInLoadedOde(name);
  return original != nullptr ? reinterpret_cast<dColliderFn*>(original) : linked;
}

[[nodiscard]] dColliderFn* stockTrimeshCollider() {
  static dColliderFn* const stock = stockCollider(kTrimeshColliderSymbol, dCollideTTL);
  return stock;
}

[[nodiscard]] dColliderFn* stockPlaneCollider() {
  static dColliderFn* const stock = stockCollider(kPlaneColliderSymbol, dCollideTrimeshPlane);
  return stock;
}

/// Calls ODE's collider as ODE would have. An override is registered for both orders of a pair, so ODE calls
/// it with the geoms swapped and turns the contacts round; here both are undone.
int collideAsStock(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) {
  const int count = stockTrimeshCollider()(o2, o1, flags, contacts, skip);
  for (int i = 0; i < count; ++i)
    turnRound(*reinterpret_cast<dContactGeom*>(reinterpret_cast<char*>(contacts) + std::ptrdiff_t(i) * skip));
  return count;
}

int install() {
  if (dCheckConfiguration(kPrecision) == 0) return fail(ODEMESH_ERROR_PRECISION);
  if (dCheckConfiguration("ODE_EXT_trimesh") == 0 || stockTrimeshCollider() == nullptr ||
      stockPlaneCollider() == nullptr)
    return fail(ODEMESH_ERROR_NO_TRIMESH);
  if (!isOdeInitialised()) return fail(ODEMESH_ERROR_NOT_INITIALISED);
  if (isOtherCopyInstalled()) return fail(ODEMESH_ERROR_OTHER_COPY);
  static_cast<void>(pairMemory());  // takes a millisecond to make, which no collision is to wait for
  pinThisLibrary();
  chainFreeHandler();
  dSetColliderOverride(dTriMeshClass, dTriMeshClass, collideTrimeshes);
  dSetColliderOverride(dTriMeshClass, dPlaneClass, collideTrimeshAndPlane);
  state = State::kInstalled;
  return ODEMESH_OK;
}

// After a dCloseODE there is nothing to put back: the next init registers ODE's own.
void putStockCollidersBack() {
  if (!isOdeInitialised()) return;
  dSetColliderOverride(dTriMeshClass, dTriMeshClass, collideAsStock);
  dSetColliderOverride(dTriMeshClass, dPlaneClass, stockPlaneCollider());
}

void suspend() {
  if (state != State::kInstalled) return;
  state = State::kSuspended;
  putStockCollidersBack();
}

void uninstall() {
  if (state == State::kAbsent) return;
  suspend();
  state = State::kAbsent;
  unchainFreeHandler();
  meshCache().clear();
  pairMemory().clear();
}

/// Runs `body`, which returns an error code, and keeps exceptions from C callers.
template <typename Body>
int guarded(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(ODEMESH_ERROR_MEMORY);
  } catch (...) {
    return fail(ODEMESH_ERROR_ARGUMENT, "unexpected failure");
  }
}

int failOf(dTriMeshDataID data, const CachedMesh& unusable) {
  char detail[256];
  std::snprintf(detail, sizeof detail, "mesh data %p: %s", static_cast<const void*>(data),
                whyUnusable(unusable).c_str());
  return fail(ODEMESH_ERROR_MESH, detail);
}

[[nodiscard]] odemeshMeshInfo infoOf(const CachedMesh& cached) {
  const Mesh& mesh = *cached.mesh;
  const MeshTopology& topology = mesh.topology();
  odemeshMeshInfo info{};
  info.size = sizeof info;
  info.triangles = mesh.triangleCount();
  info.bad_triangles = cached.bad_triangles;
  info.vertices = mesh.vertexCount();
  info.border_edges = topology.border_edges;
  info.non_manifold_edges = topology.non_manifold_edges;
  info.flipped_edges = topology.flipped_edges;
  info.components = topology.components;
  info.watertight = topology.isWatertight() ? 1 : 0;
  info.volume = topology.volume;
  info.memory_bytes = mesh.memoryBytes();
  return info;
}

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" {

int odemeshInstall(void) {
  return guarded([] { return install(); });
}

void odemeshUninstall(void) {
  guarded([] {
    uninstall();
    return ODEMESH_OK;
  });
}

void odemeshSuspend(void) {
  guarded([] {
    suspend();
    return ODEMESH_OK;
  });
}

int odemeshIsInstalled(void) {
  return state == State::kInstalled ? 1 : 0;
}

int odemeshPrepare(dTriMeshDataID data) {
  if (data == nullptr) return fail(ODEMESH_ERROR_ARGUMENT, "odemeshPrepare: data is null");
  return guarded([&] {
    const CachedMesh cached = meshCache().get(data, options().freshness);
    return cached.mesh ? ODEMESH_OK : failOf(data, cached);
  });
}

int odemeshMeshChanged(dTriMeshDataID data) {
  if (data == nullptr) return fail(ODEMESH_ERROR_ARGUMENT, "odemeshMeshChanged: data is null");
  meshCache().forget(data);
  return ODEMESH_OK;
}

int odemeshGetMeshInfo(dTriMeshDataID data, odemeshMeshInfo* info) {
  if (data == nullptr) return fail(ODEMESH_ERROR_ARGUMENT, "odemeshGetMeshInfo: data is null");
  if (!isSized(info)) return fail(ODEMESH_ERROR_ARGUMENT, "odemeshGetMeshInfo: set info->size first");
  return guarded([&] {
    const CachedMesh cached = meshCache().get(data, options().freshness);
    if (!cached.mesh) return failOf(data, cached);
    copySized(infoOf(cached), *info);
    return int(ODEMESH_OK);
  });
}

}  // extern "C"
