// Contacts of meshes with shapes that are not odemesh's are ODE's own to the last bit: this program prints
// them, and compares what it prints with what it prints when nothing is preloaded.
#include <cstdio>
#include <random>
#include <string>
#include <utility>

#include "scene.hpp"

namespace {

constexpr int kPoses = 100;

dReal heightAt(void*, int x, int z) {
  return dReal(0.25) * dReal((3 * x + 5 * z) % 7) - dReal(0.5);
}

[[nodiscard]] dGeomID heightfieldOf(dHeightfieldDataID data) {
  dGeomHeightfieldDataBuildCallback(data, nullptr, heightAt, 4, 4, 9, 9, 1, 0, dReal(0.25), 0);
  dGeomHeightfieldDataSetBounds(data, -1, 2);
  return dCreateHeightfield(nullptr, data, 1);
}

void print(const char* format, double x, std::string& out) {
  char text[40];
  out.append(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, format, x)));
}

/// Without the triangles, which ODE leaves unset for some shapes.
void printContacts(const char* shape, dGeomID g1, dGeomID g2, std::string& out) {
  dContactGeom contacts[32];
  const int count = dCollide(g1, g2, 32, contacts, sizeof *contacts);
  out += shape;
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      print(" %a", double(contacts[i].pos[axis]), out);
      print(" %a", double(contacts[i].normal[axis]), out);
    }
    print(" %a", double(contacts[i].depth), out);
  }
  out += '\n';
}

[[nodiscard]] std::string printedContacts() {
  const odemesh::test::Box box(0.75F, 0.5F, 0.375F);
  const dTriMeshDataID data = dGeomTriMeshDataCreate();
  box.build(data);
  const dGeomID mesh = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  const dHeightfieldDataID heights = dGeomHeightfieldDataCreate();
  const std::pair<const char*, dGeomID> shapes[] = {{"heightfield", heightfieldOf(heights)},
                                                    {"sphere", dCreateSphere(nullptr, dReal(0.5))},
                                                    {"box", dCreateBox(nullptr, 1, 1, 1)},
                                                    {"capsule", dCreateCapsule(nullptr, dReal(0.375), 1)},
                                                    {"cylinder", dCreateCylinder(nullptr, dReal(0.5), 1)},
                                                    {"ray", dCreateRay(nullptr, 3)}};
  std::mt19937 random(11);
  const auto draw = [&] { return static_cast<dReal>(double(random()) / 2147483648.0 - 1); };
  std::string out;
  for (const auto& [name, shape] : shapes)
    for (int pose = 0; pose < kPoses; ++pose) {
      dQuaternion q{draw(), draw(), draw(), draw()};
      dNormalize4(q);
      dGeomSetQuaternion(mesh, q);
      dGeomSetPosition(mesh, draw(), draw(), draw());
      printContacts(name, mesh, shape, out);
      printContacts(name, shape, mesh, out);
    }
  for (const auto& [name, shape] : shapes) dGeomDestroy(shape);
  dGeomHeightfieldDataDestroy(heights);
  dGeomDestroy(mesh);
  dGeomTriMeshDataDestroy(data);
  return out;
}

[[nodiscard]] std::string outputOf(const std::string& command) {
  std::string out;
  char block[4096];
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, pipe)) > 0;) out.append(block, n);
  pclose(pipe);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  dInitODE2(0);
  const std::string contacts = printedContacts();
  dCloseODE();
  if (argc > 1) {
    std::fputs(contacts.c_str(), stdout);
    return 0;
  }
  const std::string own = outputOf("env -u LD_PRELOAD '" + std::string(argv[0]) + "' print");
  const bool passed = odemesh::test::expectsOdemesh() && own.size() > 100000 && contacts == own;
  std::printf("%zu and %zu bytes of contacts: %s\n", contacts.size(), own.size(),
              passed ? "passed" : "failed");
  return passed ? 0 : 1;
}
