// What is known of ODE's own colliders and its build without any of its headers saying so.
#pragma once

#include <ode/ode.h>

namespace odemesh::ode {

/// The linker's names of ODE's own colliders of two trimeshes (dCollideTTL) and of a trimesh and a plane
/// (dCollideTrimeshPlane). ODE's table of colliders takes their addresses through its own relocations, so a
/// library that comes before libode in the order of lookup and defines them replaces them.
inline constexpr const char* kTrimeshColliderSymbol = "_Z11dCollideTTLP6dxGeomS0_iP12dContactGeomi";
inline constexpr const char* kPlaneColliderSymbol = "_Z20dCollideTrimeshPlaneP6dxGeomS0_iP12dContactGeomi";
/// That of a heightfield and any other geom, which calls the one of a trimesh and a plane by its name.
inline constexpr const char* kHeightfieldColliderSymbol =
    "_Z19dCollideHeightfieldP6dxGeomS0_iP12dContactGeomi";

/// What dCheckConfiguration calls the precision that this library is compiled for.
#if defined(dDOUBLE)
inline constexpr const char* kPrecision = "ODE_double_precision";
#else
inline constexpr const char* kPrecision = "ODE_single_precision";
#endif

}  // namespace odemesh::ode
