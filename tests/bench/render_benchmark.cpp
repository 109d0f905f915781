// Processor time that drawing a picture takes: spheres of some 1,000 triangles in a bowl, off screen, without
// and with what costs most. Where OpenGL is rendered in software this is all of the work, spread over the
// processors. The last line is for one thread, and without reading the picture: with GALLIUM_NOOP=1, where
// Mesa draws nothing, that is what a graphics card leaves to the processor.
//
//   render_benchmark [BODIES [WIDTH HEIGHT [FRAMES]]]
#include <epoxy/gl.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <odemesh/sim/render/offscreen_context.hpp>
#include <odemesh/sim/render/renderer.hpp>
#include <odemesh/sim/shapes.hpp>

namespace {

using namespace odemesh;
using namespace odemesh::sim;

Snapshot spheresInABowl(int bodies) {
  const auto bowl = std::make_shared<const TriangleMesh>(makeBowl(6, 0.5));
  Snapshot out;
  out.bodies.push_back({bowl, {}, groundColour(), true, 0});
  for (int i = 0; i < bodies; ++i) {
    const auto sphere = std::make_shared<const TriangleMesh>(makeSphere(0.5, 24, 22));
    const Vec3 place{static_cast<double>(i % 5 - 2), static_cast<double>(i / 5 % 5 - 2), 1.0 + i / 25};
    out.bodies.push_back({sphere, {{}, place}, bodyColour(static_cast<std::size_t>(i)), false, 1});
  }
  return out;
}

double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A framebuffer for the life of the program, bound.
void bindFramebuffer(int width, int height) {
  GLuint names[3];
  glGenFramebuffers(1, names);
  glGenRenderbuffers(2, names + 1);
  glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
  const GLenum formats[] = {GL_RGBA8, GL_DEPTH_COMPONENT24};
  const GLenum places[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
  for (int i = 0; i < 2; ++i) {
    glBindRenderbuffer(GL_RENDERBUFFER, names[1 + i]);
    glRenderbufferStorage(GL_RENDERBUFFER, formats[i], width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, places[i], GL_RENDERBUFFER, names[1 + i]);
  }
}

void timeCalls(const Snapshot& snapshot, const Camera& camera, int width, int height, int frames) {
  bindFramebuffer(width, height);
  Renderer renderer;
  const RenderOptions options;
  renderer.draw(snapshot, camera, options, {0, 0, width, height});  // prepares
  const DrawCounts before = renderer.counts();
  const double start = threadSeconds();
  for (int i = 0; i < frames; ++i) {
    renderer.draw(snapshot, camera, options, {0, 0, width, height});
    glFlush();
  }
  std::printf("%-20s %7.3f ms a frame, %zu drawing calls, %zu bytes uploaded\n", "calls, this thread",
              (threadSeconds() - start) / frames * 1e3,
              (renderer.counts().calls - before.calls) / static_cast<std::size_t>(frames),
              (renderer.counts().bytes - before.bytes) / static_cast<std::size_t>(frames));
}

double processorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const int width = argument(2, 1280);
  const int height = argument(3, 720);
  const int frames = argument(4, 40);
  const OffscreenContext context;
  const Snapshot snapshot = spheresInABowl(argument(1, 100));
  const Camera camera =
      frameAll({{2, -5, 2.6}, {0, 0, 2}, 35}, snapshot, static_cast<double>(width) / height);
  std::printf("%s, %d x %d, %zu bodies\n", context.description().c_str(), width, height,
              snapshot.bodies.size());
  const struct {
    const char* name;
    RenderOptions options;
  } cases[] = {
      {"full", {.samples = 1}},
      {"4 samples a pixel", {.samples = 4}},
      {"low quality", {.quality = Quality::kLow, .shadow_side = 768, .samples = 1}},
      {"1024 shadow map", {.shadow_side = 1024, .samples = 1}},
      {"512 shadow map", {.shadow_side = 512, .samples = 1}},
      {"no shadows", {.shadows = false, .samples = 1}},
      {"wireframe", {.wireframe = true, .samples = 1}},
  };
  for (const auto& c : cases) {
    Renderer renderer;
    static_cast<void>(renderer.render(snapshot, camera, c.options, width, height));  // prepares
    const double start = processorSeconds();
    for (int i = 0; i < frames; ++i)
      static_cast<void>(renderer.render(snapshot, camera, c.options, width, height));
    std::printf("%-20s %7.1f ms a frame\n", c.name, (processorSeconds() - start) / frames * 1e3);
  }
  timeCalls(snapshot, camera, width, height, frames);
}
