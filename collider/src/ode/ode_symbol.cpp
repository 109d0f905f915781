#include "ode/ode_symbol.hpp"

#if defined(__ELF__)

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>

namespace odemesh::ode {

namespace {

/// The file of the libode that is loaded already, or "".
[[nodiscard]] std::string loadedOdeFile() {
  std::string file;
  const auto look = [](dl_phdr_info* info, std::size_t, void* out) {
    const std::string_view path = info->dlpi_name != nullptr ? info->dlpi_name : "";
    if (!path.substr(path.rfind('/') + 1).starts_with("libode.so")) return 0;
    *static_cast<std::string*>(out) = path;
    return 1;
  };
  dl_iterate_phdr(look, &file);
  return file;
}

/// `name` in the libode that is loaded already, wherever it stands in the order of lookup.
[[nodiscard]] void* symbolInLoadedOde(const char* name) {
  const std::string file = loadedOdeFile();
  void* const library = file.empty() ? nullptr : dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const symbol = dlsym(library, name);
  dlclose(library);  // gives back the reference that dlopen took; the library stays
  return symbol;
}

}  // namespace

void* odeSymbol(const char* name) noexcept {
  // There is no "next" where libode came first or was loaded privately, by a module of Python for example.
  if (void* const next = dlsym(RTLD_NEXT, name)) return next;
  try {
    return symbolInLoadedOde(name);
  } catch (...) {
    return nullptr;
  }
}

void pinThisLibrary() noexcept {
  static const char here = 0;
  Dl_info info;
  if (dladdr(&here, &info) != 0 && info.dli_fname != nullptr)
    static_cast<void>(dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
}

}  // namespace odemesh::ode

#else

namespace odemesh::ode {

void* odeSymbol(const char*) noexcept {
  return nullptr;
}
void pinThisLibrary() noexcept {}

}  // namespace odemesh::ode

#endif
