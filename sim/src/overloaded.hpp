// One function object of several lambdas, for std::visit.
#pragma once

namespace odemesh::sim {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // for Clang before 17

}  // namespace odemesh::sim
