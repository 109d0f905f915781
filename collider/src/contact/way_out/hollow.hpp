// The way out of a hollow: where one body is concave, what is free of it is convex, and the shortest way
// there has a closed form.
#pragma once

#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Where the faces of one side of a region are those of a gentle hollow (a gutter, the valley of a terrain),
/// the least motion after which no vertex inside is behind any of them. None where they are not, or where
/// they lie in one plane. Its direction has no part along the ridges that it leaves by; a face of what lies
/// in the hollow, whose extent is about the same, would have one.
///
/// The least vector of an intersection of half-spaces, as an LP-type problem with a basis of up to three
/// (Sharir and Welzl 1992).
[[nodiscard]] std::optional<Separation> leaveHollow(const MeshPair& pair, const ContactScratch& scratch);

}  // namespace odemesh
