// Reading libsdformat's elements: values with defaults, poses, and what is not supported.
#pragma once

#include <initializer_list>
#include <sdf/Element.hh>
#include <string>
#include <vector>

namespace odemesh::sim {

/// The element at the end of a path of names below `parent`; null where the file has none.
[[nodiscard]] sdf::ElementPtr descend(sdf::ElementPtr parent, std::initializer_list<const char*> path);

/// The value of such an element, or `fallback`.
template <class T>
[[nodiscard]] T valueAt(const sdf::ElementPtr& parent, std::initializer_list<const char*> path, T fallback) {
  const sdf::ElementPtr element = descend(parent, path);
  return element ? element->Get<T>() : fallback;
}

/// One sentence for each kind of element under `root` that a world does not use, with how often it occurs.
[[nodiscard]] std::vector<std::string> unusedElements(const std::string& file, const sdf::ElementPtr& root);

}  // namespace odemesh::sim
