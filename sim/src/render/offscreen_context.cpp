#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <array>
#include <odemesh/sim/render/offscreen_context.hpp>
#include <odemesh/sim/render/render_error.hpp>
#include <vector>

namespace odemesh::sim {

namespace {

constexpr EGLint kMaxDevices = 16;

struct NamedDisplay {
  std::string name;
  EGLDisplay display;
};

/// Of the display, or of EGL itself for EGL_NO_DISPLAY.
bool hasExtension(EGLDisplay display, const char* name) {
  return eglQueryString(display, EGL_EXTENSIONS) != nullptr && epoxy_has_egl_extension(display, name);
}

void addDeviceDisplays(std::vector<NamedDisplay>& out) {
  std::array<EGLDeviceEXT, kMaxDevices> devices{};
  EGLint count = 0;
  if (eglQueryDevicesEXT(kMaxDevices, devices.data(), &count) == EGL_FALSE) return;
  for (EGLint i = 0; i < count; ++i)
    out.push_back({"device " + std::to_string(i),
                   eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr)});
}

/// The ways to a display, the ones that need least first.
std::vector<NamedDisplay> displays() {
  std::vector<NamedDisplay> out;
  const auto has = [](const char* name) { return hasExtension(EGL_NO_DISPLAY, name); };
  const bool has_platforms = has("EGL_EXT_platform_base");
  if (has_platforms && has("EGL_MESA_platform_surfaceless"))
    out.push_back({"surfaceless", eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr)});
  if (has_platforms && has("EGL_EXT_platform_device") &&
      (has("EGL_EXT_device_enumeration") || has("EGL_EXT_device_base")))
    addDeviceDisplays(out);
  out.push_back({"default display", eglGetDisplay(EGL_DEFAULT_DISPLAY)});
  return out;
}

EGLContext createCoreContext(EGLDisplay display) {
  constexpr EGLint kAttributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                    3,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    3,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_NONE};
  constexpr EGLint kConfigAttributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  if (!hasExtension(display, "EGL_KHR_no_config_context"))
    eglChooseConfig(display, kConfigAttributes, &config, 1, &count);
  return eglCreateContext(display, config, EGL_NO_CONTEXT, kAttributes);
}

}  // namespace

class OffscreenContext::Impl {
 public:
  Impl() {
    if (!epoxy_has_egl())
      throw RenderError("no pictures: libEGL.so.1 is missing; install libegl1 and libgl1-mesa-dri");
    std::string tried;
    for (const NamedDisplay& candidate : displays()) {
      const char* failed = open(candidate.display);
      if (failed == nullptr) return;
      tried += (tried.empty() ? "" : "; ") + candidate.name + ": " + failed;
    }
    throw RenderError("no off-screen OpenGL 3.3 context through EGL (" + tried +
                      "); install libegl1 and libgl1-mesa-dri");
  }

  ~Impl() { close(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

 private:
  /// What failed, or null.
  const char* open(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY) return "not available";
    if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return "can't be initialised";
    display_ = display;
    const char* failed = nullptr;
    if (!hasExtension(display, "EGL_KHR_surfaceless_context"))
      failed = "contexts need a surface";
    else if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE)
      failed = "no desktop OpenGL";
    else if (context_ = createCoreContext(display); context_ == EGL_NO_CONTEXT)
      failed = "no OpenGL 3.3 core context";
    else if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_FALSE)
      failed = "the context can't be made current";
    if (failed != nullptr) close();
    return failed;
  }

  void close() {
    if (display_ == EGL_NO_DISPLAY) return;
    if (context_ != EGL_NO_CONTEXT) {
      if (eglGetCurrentContext() == context_)
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(display_, context_);
      context_ = EGL_NO_CONTEXT;
    }
    // The display is shared by the whole process and stays initialised: terminating it would take other
    // contexts along.
    display_ = EGL_NO_DISPLAY;
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

OffscreenContext::OffscreenContext() : impl_(std::make_unique<Impl>()) {}
OffscreenContext::~OffscreenContext() = default;

bool OffscreenContext::hasEgl() {
  return epoxy_has_egl();
}

std::string OffscreenContext::description() const {
  const auto text = [](GLenum name) {
    const auto* found = glGetString(name);
    return std::string(found != nullptr ? reinterpret_cast<const char*>(found) : "unknown");
  };
  return "OpenGL " + text(GL_VERSION) + " on " + text(GL_RENDERER);
}

}  // namespace odemesh::sim
