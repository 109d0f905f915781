// Notices when ODE's trimesh data is built, updated or destroyed.
#pragma once

namespace odemesh::ode {

/// True if the process's calls of dGeomTriMeshDataBuild*, Update and Destroy pass through this library, so
/// that every change is seen at once and for free. That is so where this library stands before libode in the
/// order of symbol lookup: linked before it, preloaded, or linked statically. ODE has to be initialised.
[[nodiscard]] bool dataCallsAreWatched();

/// Chains a free handler into ODE that drops the mesh of destroyed data; the fall-back where calls are not
/// watched.
void chainFreeHandler();
/// Takes it out again, unless the program has chained another one onto it since.
void unchainFreeHandler();

}  // namespace odemesh::ode
