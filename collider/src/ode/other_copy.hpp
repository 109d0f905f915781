// Finds out whether the trimesh collider in ODE's table belongs to another copy of this library: a program
// and a plugin may each have brought their own. Each copy has a cache of its own and would take ODE's table
// for its own when it is uninstalled, so the second one refuses to be installed.
#pragma once

#include <odemesh/odemesh.h>

namespace odemesh::ode {

/// Is the collider of another copy registered? ODE has to be initialised.
[[nodiscard]] bool isOtherCopyInstalled();

/// Answers if the call is another copy's question (or this one's), and says whether it was.
[[nodiscard]] bool answerOtherCopy(dContactGeom* contacts, int skip) noexcept;

}  // namespace odemesh::ode
