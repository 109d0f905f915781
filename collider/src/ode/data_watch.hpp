// Notices when ODE's trimesh data is created, built, updated or destroyed.
//
// Two mechanisms, of which the second covers what the first does not see:
//
// 1. On ELF platforms this library defines ODE's dGeomTriMeshDataCreate, Build*, Update and Destroy itself
//    (data_watch.cpp): each tells the mesh cache and passes on to ODE. They are reached where this library
//    stands before libode in the order of symbol lookup: linked before it, preloaded, or linked statically.
//    Data whose creation passed here is taken to be handled by calls that pass here throughout; all other
//    data has its content compared at each use. So nothing has to be found out about the order of libraries.
// 2. ODE's free handler, chained while odemesh is installed, tells of the destruction of any data.
//
// Out of reach: data that one part of a program creates through watched calls while another part rebuilds or
// edits it through function pointers taken from libode itself (dlsym on a handle of libode). Such a program
// needs ODEMESH_FRESHNESS_COMPARE or odemeshMeshChanged().
#pragma once

namespace odemesh::ode {

/// Chains a free handler into ODE that drops the mesh of destroyed data. Does nothing if ODE's frees reach
/// the handler already. ODE has to be initialised.
void chainFreeHandler();

/// Takes it out again, unless the program has chained another one onto it since; then it stays, and passes
/// on.
void unchainFreeHandler();

}  // namespace odemesh::ode
