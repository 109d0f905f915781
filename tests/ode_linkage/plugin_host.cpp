// A program that knows nothing of ODE and opens a plugin that does, as Python opens its modules: libode is
// then in nobody's order of lookup but the plugin's.
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  void* const plugin = dlopen(PLUGIN_FILE, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  auto* const run = reinterpret_cast<int (*)(int, char**)>(dlsym(plugin, "runTests"));
  return run != nullptr ? run(argc, argv) : 1;
}
