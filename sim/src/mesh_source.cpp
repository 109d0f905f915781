#include <array>
#include <charconv>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_source.hpp>
#include <odemesh/sim/shapes.hpp>
#include <optional>

namespace odemesh::sim {
namespace {

constexpr std::string_view kPrefix = "shape:";

using Counts = std::array<int, 2>;

struct Shape {
  std::string_view name;
  int counts;  // how many it takes
  Counts defaults;
  TriangleMesh (*make)(const Counts& counts);
};

constexpr Shape kShapes[] = {
    {"box",
     1,
     {0, 0},
     [](const Counts& c) {
       return makeBox({1, 1, 1}, c[0]);
     }},
    {"sphere", 2, {16, 8}, [](const Counts& c) { return makeSphere(0.5, c[0], c[1]); }},
    {"icosphere", 1, {2, 0}, [](const Counts& c) { return makeIcosphere(0.5, c[0]); }},
    {"cylinder", 1, {16, 0}, [](const Counts& c) { return makeCylinder(0.5, 1, c[0]); }},
    {"cone", 1, {16, 0}, [](const Counts& c) { return makeCone(0.5, 1, c[0]); }},
    {"capsule", 2, {16, 4}, [](const Counts& c) { return makeCapsule(0.25, 0.5, c[0], c[1]); }},
    {"torus", 2, {32, 16}, [](const Counts& c) { return makeTorus(0.375, 0.125, c[0], c[1]); }},
};

[[noreturn]] void refuseShape(const std::string& source, const std::string& problem) {
  throw InputError("'" + source + "': " + problem + "; " + std::string(shapeHelp()));
}

std::optional<int> wholeNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Counts parseCounts(const std::string& source, std::string_view text, const Shape& shape) {
  Counts counts = shape.defaults;
  for (int i = 0; i < shape.counts; ++i) {
    const std::size_t cross = i + 1 < shape.counts ? text.find('x') : std::string_view::npos;
    const std::optional<int> value = wholeNumber(text.substr(0, cross));
    if (!value || (i + 1 < shape.counts && cross == std::string_view::npos))
      refuseShape(source, "it takes " + std::to_string(shape.counts) + " whole number(s) after the name");
    counts[i] = *value;
    text.remove_prefix(cross == std::string_view::npos ? text.size() : cross + 1);
  }
  return counts;
}

TriangleMesh makeShape(const std::string& source) {
  const std::string_view spec = std::string_view(source).substr(kPrefix.size());
  const std::size_t colon = spec.find(':');
  for (const Shape& shape : kShapes) {
    if (shape.name != spec.substr(0, colon)) continue;
    if (colon == std::string_view::npos) return shape.make(shape.defaults);
    return shape.make(parseCounts(source, spec.substr(colon + 1), shape));
  }
  refuseShape(source, "there is no such shape");
}

void checkScale(double scale) {
  if (!(scale >= 1e-6 && scale <= 1e6))
    throw InputError("scale is " + std::to_string(scale) + "; give a number from 1e-6 to 1e6");
}

}  // namespace

std::string_view shapeHelp() {
  return "shapes are shape:box[:CUTS], shape:sphere[:MERIDIANSxPARALLELS], shape:icosphere[:SUBDIVISIONS], "
         "shape:cylinder[:SEGMENTS], shape:cone[:SEGMENTS], shape:capsule[:SEGMENTSxRINGS] and "
         "shape:torus[:SEGMENTSxSIDES]";
}

LoadedMesh loadMeshSource(const std::string& source, const LoadOptions& options) {
  if (!source.starts_with(kPrefix)) return loadMesh(source, options);
  checkScale(options.scale);
  LoadedMesh out{makeShape(source), {}};
  for (Vec3& v : out.mesh.vertices) v *= options.scale;
  out.mesh.name = source;
  return out;
}

}  // namespace odemesh::sim
