// What ODE has to say.
#pragma once

namespace odemesh::sandbox {

/// From now on a message of ODE's is printed to stderr once, however often it is repeated: its own collider
/// does so thousands of times in a run.
void sayMessagesOfOdeOnce();

}  // namespace odemesh::sandbox
