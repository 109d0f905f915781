// libodemesh-preload.so is not linked to libode: it would load an ODE into every program, ahead of one that
// the program brings itself. What the collider needs of ODE is looked up in the ODE that the program uses.
#pragma once

namespace odemesh::ode {

/// Does the process have an ODE with everything that the collider calls? If so, calls are passed on from here
/// on. If not, `missing` is the name of a function that is not there.
[[nodiscard]] bool canForward(const char*& missing) noexcept;

}  // namespace odemesh::ode
