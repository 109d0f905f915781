// Names of the colliders over the pictures.
#pragma once

#include <odemesh/sim/collider_choice.hpp>
#include <odemesh/sim/render/image.hpp>
#include <odemesh/sim/render/renderer.hpp>

namespace odemesh::viewer {

/// "odemesh" or "ODE's own collider".
[[nodiscard]] const char* captionOf(sim::Collider collider);

/// "odemesh" or "ODE", where there is no room.
[[nodiscard]] const char* shortCaptionOf(sim::Collider collider);

/// Writes the collider's name, or as much of it as fits, over a column of a picture.
void addCaption(sim::Collider collider, const sim::Viewport& column, sim::Image& image);

}  // namespace odemesh::viewer
