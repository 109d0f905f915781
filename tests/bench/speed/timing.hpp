// How long something takes.
#pragma once

#include <chrono>

namespace odemesh::bench {

template <typename Work>
[[nodiscard]] double microseconds(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace odemesh::bench
