// How the sandbox refuses input: one exception type, whose text is meant for the user.
#pragma once

#include <stdexcept>

namespace odemesh::sim {

/// Input that can't be used: a file, a mesh, a shape's parameter. `what()` names the thing, the element and
/// the remedy in one sentence, and can be printed as it is.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace odemesh::sim
