#include "ode/other_copy.hpp"

#include <memory>

namespace odemesh::ode {

namespace {

/// A distance between contacts that no program asks for. All copies, of any version, have to agree on these
/// two.
constexpr int kQuestion = 0x6f64656d;
constexpr dReal kAnswer = dReal(1835365487);

/// Its address tells the copies apart.
const char own_mark = 0;

template <auto kDestroy>
struct Destroy {
  template <typename T>
  void operator()(T* object) const noexcept {
    kDestroy(object);
  }
};
using Geom = std::unique_ptr<dxGeom, Destroy<&dGeomDestroy>>;
using Data = std::unique_ptr<dxTriMeshData, Destroy<&dGeomTriMeshDataDestroy>>;

}  // namespace

// Asked about two meshes that are apart, so that other colliders write nothing. Two triangles each: ODE's own
// collider crashes on a pair of single ones.
bool isOtherCopyInstalled() {
  const float vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  const dTriIndex indices[6] = {0, 1, 2, 2, 1, 3};
  const Data data(dGeomTriMeshDataCreate());
  dGeomTriMeshDataBuildSingle(data.get(), vertices, 3 * sizeof(float), 4, indices, 6, 3 * sizeof(dTriIndex));
  const Geom a(dCreateTriMesh(nullptr, data.get(), nullptr, nullptr, nullptr));
  const Geom b(dCreateTriMesh(nullptr, data.get(), nullptr, nullptr, nullptr));
  dGeomSetPosition(b.get(), 0, 0, 10);
  dContactGeom answer{};
  dCollide(a.get(), b.get(), 1, &answer, kQuestion);
  return answer.depth == kAnswer && answer.g1 != reinterpret_cast<dGeomID>(const_cast<char*>(&own_mark));
}

bool answerOtherCopy(dContactGeom* contacts, int skip) noexcept {
  if (skip != kQuestion || odemeshIsInstalled() == 0) return false;
  contacts->depth = kAnswer;
  contacts->g1 = reinterpret_cast<dGeomID>(const_cast<char*>(&own_mark));
  return true;
}

}  // namespace odemesh::ode
