// The C interface for executables that are not linked to odemesh but open it at run time, and privately, as
// a program with plugins does.
#include <dlfcn.h>
#include <odemesh/odemesh.h>

#include <cstdio>
#include <cstdlib>

namespace {

[[nodiscard]] void* openedLibrary() {
  static void* const library = dlopen(ODEMESH_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::abort();
  }
  return library;
}

template <typename Function>
[[nodiscard]] Function* find(const char* name, Function*) {
  return reinterpret_cast<Function*>(dlsym(openedLibrary(), name));
}

}  // namespace

extern "C" {

int odemeshInstall(void) {
  return find("odemeshInstall", &odemeshInstall)();
}
void odemeshUninstall(void) {
  find("odemeshUninstall", &odemeshUninstall)();
}
void odemeshDefaultOptionsOfSize(odemeshOptions* options, size_t size) {
  find("odemeshDefaultOptionsOfSize", &odemeshDefaultOptionsOfSize)(options, size);
}
int odemeshSetOptions(const odemeshOptions* options) {
  return find("odemeshSetOptions", &odemeshSetOptions)(options);
}
int odemeshMeshChanged(dTriMeshDataID data) {
  return find("odemeshMeshChanged", &odemeshMeshChanged)(data);
}
int odemeshGetCounters(odemeshCounters* counters) {
  return find("odemeshGetCounters", &odemeshGetCounters)(counters);
}
void odemeshResetCounters(void) {
  find("odemeshResetCounters", &odemeshResetCounters)();
}

}  // extern "C"
