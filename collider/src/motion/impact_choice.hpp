// Of all impacts within a step, those that a caller has room for.
#pragma once

#include <cstddef>
#include <odemesh/motion.hpp>
#include <span>
#include <vector>

namespace odemesh {

/// Fills `out` from `found`, which is reordered: the first in time, then those that land around it soonest,
/// none twice. Where there is no room for all, what keeps a centre from passing comes behind the first, or
/// before it if there is room for one, unless the others keep it as well: the rest of a body follows its
/// centre, but not a corner that is held. `size` is the smaller mesh's radius. Returns how many were written.
[[nodiscard]] std::size_t chooseImpacts(std::vector<Impact>& found, double size, std::span<Impact> out);

}  // namespace odemesh
