// A C++ program that uses the library as a stranger would.
#include <odemesh/collide.hpp>
#include <odemesh/mesh.hpp>
#include <odemesh/odemesh.h>

#include <cstdio>
#include <string_view>

int main() {
  const std::string_view version = odemeshVersion();
  if (version != EXPECTED_VERSION) {
    std::fprintf(stderr, "odemeshVersion() says %s, the package %s\n", version.data(), EXPECTED_VERSION);
    return 1;
  }
  std::printf("C++: odemesh %s\n", version.data());
  return 0;
}
