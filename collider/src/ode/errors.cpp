// Version and error texts of the C interface.
#include "ode/errors.hpp"

#include <odemesh/odemesh.h>

#include <cstdio>
#include <new>

namespace odemesh::ode {

namespace {
constexpr std::size_t kMessageBytes = 512;
thread_local char last_error[kMessageBytes] = "";
}  // namespace

int fail(int code, const char* detail) noexcept {
  if (detail != nullptr && *detail != '\0')
    std::snprintf(last_error, kMessageBytes, "%s (%s)", odemeshErrorText(code), detail);
  else
    std::snprintf(last_error, kMessageBytes, "%s", odemeshErrorText(code));
  return code;
}

int failAfterCallback(const char* function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return fail(ODEMESH_ERROR_MEMORY, function);
  } catch (...) {  // the library throws nothing else
    return fail(ODEMESH_ERROR_CALLBACK, function);
  }
}

void warn(const char* message) noexcept {
  std::snprintf(last_error, kMessageBytes, "%s", message);
}

}  // namespace odemesh::ode

extern "C" {

const char* odemeshVersion(void) {
  return ODEMESH_VERSION;
}

int odemeshVersionNumber(void) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  std::sscanf(ODEMESH_VERSION, "%d.%d.%d", &major, &minor, &patch);
  return major * 10000 + minor * 100 + patch;
}

const char* odemeshErrorText(int code) {
  switch (code) {
    case ODEMESH_OK:
      return "no error";
    case ODEMESH_ERROR_NOT_INITIALISED:
      return "ODE is not initialised: call dInitODE2(0) before odemeshInstall()";
    case ODEMESH_ERROR_PRECISION:
      return "this libodemesh and the ODE in the process differ in precision: build odemesh against the same "
             "ODE";
    case ODEMESH_ERROR_NO_TRIMESH:
      return "this ODE was built without trimesh support: use one configured with OPCODE";
    case ODEMESH_ERROR_ARGUMENT:
      return "an argument is null, has a wrong size field or is out of range";
    case ODEMESH_ERROR_MESH:
      return "the mesh has no usable triangle: check its vertices and indices";
    case ODEMESH_ERROR_MEMORY:
      return "out of memory";
    case ODEMESH_ERROR_OTHER_COPY:
      return "another copy of odemesh is installed in this process: use that one, or uninstall it first";
    case ODEMESH_ERROR_CALLBACK:
      return "the near callback threw an exception, which ended the pass: catch it there";
    default:
      return "unknown error code";
  }
}

const char* odemeshLastError(void) {
  return odemesh::ode::last_error;
}

}  // extern "C"
