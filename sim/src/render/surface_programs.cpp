#include "render/surface_programs.hpp"

#include <string>

#include "render/shaders.hpp"

namespace odemesh::sim::render {

namespace {

std::string definesOf(const SurfaceFeatures& features) {
  std::string out;
  const auto define = [&](bool on, const char* name) {
    if (on) out += std::string("#define ") + name + "\n";
  };
  define(features.shadows, "SHADOWS");
  define(features.flat, "FLAT");
  define(features.wireframe, "WIREFRAME");
  define(features.grid, "GRID");
  define(features.fade, "FADE");
  return out;
}

ShaderProgram compiled(const SurfaceFeatures& features) {
  const std::string defines = definesOf(features);
  const char* grid = features.grid ? kGrid : "";
  const char* fade = features.fade ? kFade : "";
  if (features.plain)
    return {{kVersion, kInstance, kLight, kPlainVertex},
            {kVersion, defines.c_str(), grid, fade, kPlainFragment}};
  return {{kVersion, kInstance, kSurfaceVertex},
          {kVersion, defines.c_str(), kLight, grid, fade, kSurfaceFragment}};
}

}  // namespace

const ShaderProgram& SurfacePrograms::get(const SurfaceFeatures& features) {
  if (const auto found = programs_.find(features); found != programs_.end()) return found->second;
  return programs_.emplace(features, compiled(features)).first->second;
}

}  // namespace odemesh::sim::render
