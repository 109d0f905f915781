// ODE's own definitions of the functions that data_watch.cpp stands in front of.
#pragma once

#include <atomic>

namespace odemesh::ode {

/// The address of `name` in the ODE of this process, or in another library that stands in front of it; null
/// if there is no such library or function, and on platforms where nothing stands in front of ODE. The
/// library stays loaded from then on, so the address may be kept.
[[nodiscard]] void* odeSymbol(const char* name) noexcept;

/// The same in the shared library of ODE itself, passing over what stands in front of it: a preloaded library
/// may define ODE's colliders. Null where ODE is linked statically into the program.
[[nodiscard]] void* symbolInLoadedOde(const char* name) noexcept;

/// Whether a shared library named as ODE is loaded. Looks at names alone, for the end of a process: dlopen
/// would start libraries again that have ended already.
[[nodiscard]] bool hasLibode() noexcept;

/// Keeps this library in memory until the process ends: ODE's table of colliders and its free handler go on
/// pointing into it after odemeshUninstall.
void pinThisLibrary() noexcept;

/// One function of ODE, looked up at its first use. May be used from any thread.
template <typename Function>
class OdeFunction {
 public:
  constexpr explicit OdeFunction(const char* name) : name_(name) {}

  [[nodiscard]] const char* name() const noexcept { return name_; }

  [[nodiscard]] Function* get() noexcept {
    Function* function = function_.load(std::memory_order_acquire);
    if (function == nullptr) {
      function = reinterpret_cast<Function*>(odeSymbol(name_));
      function_.store(function, std::memory_order_release);
    }
    return function;
  }

 private:
  const char* name_;
  std::atomic<Function*> function_{nullptr};
};

}  // namespace odemesh::ode
