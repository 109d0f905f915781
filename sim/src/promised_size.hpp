// Mesh files that promise more than they hold.
#pragma once

#include <odemesh/sim/input_error.hpp>
#include <string>

namespace odemesh::sim {

/// Refuses `file`, which has `size` bytes and promises `what`, say "8 vertices".
[[noreturn]] inline void refusePromise(const std::string& file, const std::string& what,
                                       std::uintmax_t size) {
  throw InputError(file + ": promises " + what + ", but has only " + std::to_string(size) +
                   " bytes; it is truncated or damaged, export it again");
}

}  // namespace odemesh::sim
