// The picture of the final frame.
#pragma once

#include <odemesh/sim/world.hpp>
#include <string>

namespace odemesh::sandbox {

/// Draws the world as it is into a PNG. Returns "" or, where pictures are impossible here, a sentence that
/// says why; the simulation does not depend on it. Throws InputError for a file that can't be written.
[[nodiscard]] std::string savePicture(const sim::World& world, const std::string& file);

}  // namespace odemesh::sandbox
