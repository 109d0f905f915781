#include "ode/ode_symbol.hpp"

#if defined(__ELF__)

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>
#include <vector>

namespace odemesh::ode {

namespace {

/// A function that every ODE defines, and nothing that stands in front of it.
constexpr const char* kOdeFunction = "dCollide";

/// The files of the loaded shared objects, in the order in which they were loaded.
[[nodiscard]] std::vector<std::string> loadedObjects() {
  std::vector<std::string> files;
  const auto note = [](dl_phdr_info* info, std::size_t, void* out) {
    if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
      static_cast<std::vector<std::string>*>(out)->emplace_back(info->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(note, &files);
  return files;
}

/// "libode.so.8", or "libode-5e0c1f.so" as wheels of Python rename it.
[[nodiscard]] bool isNamedLikeOde(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
  return name.starts_with("libode.") || name.starts_with("libode-");
}

/// The file of the object that `address` is in, or null.
[[nodiscard]] const char* fileOf(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fname : nullptr;
}

/// `name` in an object that is loaded already, or in those that this one needs; null if there is none.
[[nodiscard]] void* symbolIn(const char* file, const char* name) {
  void* const object = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return nullptr;
  void* const symbol = dlsym(object, name);
  dlclose(object);  // gives back the reference that dlopen took; the object stays
  return symbol;
}

/// Keeps the object that `address` is in loaded until the process ends.
void pin(const void* address) {
  if (const char* file = fileOf(address))
    static_cast<void>(dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
}

/// Whatever its name: a package that brings its own ODE may have renamed it.
[[nodiscard]] void* findInLoadedOde(const char* name) {
  for (const std::string& file : loadedObjects()) {
    void* const function = symbolIn(file.c_str(), kOdeFunction);
    const char* ode = function != nullptr ? fileOf(function) : nullptr;
    if (ode != nullptr) return symbolIn(ode, name);
  }
  return nullptr;
}

}  // namespace

void* symbolInLoadedOde(const char* name) noexcept {
  try {
    void* const symbol = findInLoadedOde(name);
    if (symbol != nullptr) pin(symbol);
    return symbol;
  } catch (...) {
    return nullptr;
  }
}

bool hasLibode() noexcept {
  const auto find = [](dl_phdr_info* info, std::size_t, void*) {
    return info->dlpi_name != nullptr && isNamedLikeOde(info->dlpi_name) ? 1 : 0;
  };
  return dl_iterate_phdr(find, nullptr) != 0;
}

void* odeSymbol(const char* name) noexcept {
  // There is no "next" where libode came first or was loaded privately, by a module of Python for example.
  void* const next = dlsym(RTLD_NEXT, name);
  if (next == nullptr) return symbolInLoadedOde(name);
  pin(next);
  return next;
}

void pinThisLibrary() noexcept {
  static const char here = 0;
  pin(&here);
}

}  // namespace odemesh::ode

#else

namespace odemesh::ode {

void* symbolInLoadedOde(const char*) noexcept {
  return nullptr;
}
void* odeSymbol(const char*) noexcept {
  return nullptr;
}
bool hasLibode() noexcept {
  return false;
}
void pinThisLibrary() noexcept {}

}  // namespace odemesh::ode

#endif
