// From what depth on bodies are deep in each other.
#pragma once

#include "contact/placed_mesh.hpp"

namespace odemesh {

/// Has a mesh neither an inside nor a volume that it all but encloses?
[[nodiscard]] bool isSheet(const Mesh& mesh);

/// Are both?
[[nodiscard]] bool areSheets(const MeshPair& pair);

/// A length: bodies that overlap by more are deep in each other. It is in proportion to how thick the thinner
/// one is of those that are no sheets. Where both are, to the smaller one's radius.
[[nodiscard]] double deepOf(const MeshPair& pair);

}  // namespace odemesh
