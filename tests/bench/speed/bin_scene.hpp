// A whole simulation: meshes that fall into a bin, with ODE's own collider and with odemesh.
#pragma once

namespace odemesh::bench {

/// Simulates 100 meshes of about 1,000 triangles for `steps` steps of 1/100 s with each collider and prints
/// the processor time of collision and of whole steps.
void compareInBin(int steps);

}  // namespace odemesh::bench
