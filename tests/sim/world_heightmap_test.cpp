// Heightmaps of SDF, held against ODE's own heightfield turned as Gazebo classic turns it.
#include <ode/ode.h>

#include <cmath>
#include <odemesh/sim/mass_properties.hpp>
#include <odemesh/sim/testing.hpp>

#include "sim/world_files.hpp"

namespace odemesh::sim {
namespace {

// 3 x 2 samples of 8 bits: 0 128 255 over 0 0 51.
constexpr unsigned char kGreyPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0xb8,
    0x1f, 0x39, 0xc6, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60,
    0x68, 0xf8, 0xcf, 0xc0, 0xc0, 0x60, 0x0c, 0x00, 0x08, 0x36, 0x01, 0xb3, 0x13, 0xc5, 0xd3,
    0x20, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST_F(WorldFile, HeightmapsBecomeTerrain) {
  const std::string png(reinterpret_cast<const char*>(kGreyPng), sizeof kGreyPng);
  static_cast<void>(write(png, "shelf/hills/grey.png"));
  WorldFileOptions shelf;
  shelf.model_path = {folder_.path() / "shelf"};
  const auto hills = [&](const std::string& uri, const std::string& more = "") {
    return model("hills", "<static>1</static>" +
                              linkOf(collision("<heightmap><uri>" + uri + "</uri><size>8 4 2</size>" + more +
                                               "</heightmap>")));
  };
  const WorldDescription world = load(hills("model://hills/grey.png", "<pos>10 0 1</pos>"), shelf);
  if (warnsOf(world, "libpng")) GTEST_SKIP() << "built without libpng";
  EXPECT_TRUE(world.warnings.empty()) << world.warnings[0];
  const std::unique_ptr<World> made = makeWorld(world);
  const Body& terrain = made->body(0);
  EXPECT_NEAR(terrain.support({1, 0, 0}), 14, 1e-6);
  EXPECT_NEAR(terrain.support({0, -1, 0}), 2, 1e-6);
  EXPECT_NEAR(terrain.support({0, 0, 1}), 3, 1e-6);
  EXPECT_NEAR(-terrain.support({0, 0, -1}), 1 - 0.4, 1e-6);  // a twentieth of its width
  // The brightest sample is at the end of the first row: the corner at the greatest x and y.
  EXPECT_NEAR(terrain.support({1, 1, 1}), 14 + 2 + 3, 1e-6);
  EXPECT_NEAR(terrain.support({1, -1, 1}), 14 + 2 + 1 + 2 * 51.0 / 255, 1e-6);
  const auto& mesh = std::get<MeshGeometry>(terrain.parts()[0].geometry).mesh->mesh();
  EXPECT_TRUE(countEdges(mesh).isWatertight());
  EXPECT_GT(massProperties(mesh).volume, 8 * 4 * 0.4);

  expectRefused(hills("model://hills/none.png"), "none.png");
  static_cast<void>(write(png.substr(0, 40), "cut.png"));
  expectRefused(hills("cut.png"), "cut.png");
  static_cast<void>(write("no image", "text.png"));
  expectRefused(hills("text.png"), "text.png");
}

// The samples of kLopsidedPng.
constexpr int kLopsided[3][3] = {{0, 128, 255}, {10, 60, 200}, {90, 30, 51}};
constexpr unsigned char kLopsidedPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00, 0x00, 0x00, 0x00, 0x73, 0x43, 0xea,
    0x63, 0x00, 0x00, 0x00, 0x14, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x68, 0xf8, 0xcf,
    0xc0, 0x65, 0x73, 0x82, 0x21, 0x4a, 0xce, 0x18, 0x00, 0x15, 0x16, 0x03, 0x39, 0x12, 0x8a, 0x83,
    0x28, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/// ODE's own heightfield, filled, sized and turned as Gazebo classic does it (HeightmapShape, ImageHeightmap
/// and ODEHeightmapShape): twice as many samples as the image has, linearly in between and row by row from
/// the top; the brightest at the full height; y up, and turned by a quarter about x.
class GazeboTerrain {
 public:
  explicit GazeboTerrain(const Vec3& size) {
    const auto sample = [](int x, int y) { return kLopsided[std::min(y, 2)][std::min(x, 2)]; };
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const double sum = sample(x / 2, y / 2) + sample((x + 1) / 2, y / 2) + sample(x / 2, (y + 1) / 2) +
                           sample((x + 1) / 2, (y + 1) / 2);
        heights_.push_back(static_cast<float>(size.z / 255 * sum / 4));
      }
    data_ = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildSingle(data_, heights_.data(), 0, static_cast<dReal>(size.x),
                                    static_cast<dReal>(size.y), kSide, kSide, 1, 0, 1, 0);
    field_ = dCreateHeightfield(nullptr, data_, 1);
    dMatrix3 turned;
    dRFromAxisAndAngle(turned, 1, 0, 0, static_cast<dReal>(std::acos(0.0)));
    dGeomSetRotation(field_, turned);
  }
  ~GazeboTerrain() {
    dGeomDestroy(field_);
    dGeomHeightfieldDataDestroy(data_);
  }
  GazeboTerrain(const GazeboTerrain&) = delete;
  GazeboTerrain& operator=(const GazeboTerrain&) = delete;

  /// Of the surface over (x, y), by a ray from above.
  [[nodiscard]] double heightAt(double x, double y) const {
    const dGeomID ray = dCreateRay(nullptr, 100);
    dGeomRaySet(ray, static_cast<dReal>(x), static_cast<dReal>(y), 50, 0, 0, -1);
    dContactGeom contact;
    const int count = dCollide(ray, field_, 1, &contact, sizeof contact);
    dGeomDestroy(ray);
    return count > 0 ? static_cast<double>(contact.pos[2]) : std::nan("");
  }

 private:
  static constexpr int kSide = 5;
  std::vector<float> heights_;
  dHeightfieldDataID data_;
  dGeomID field_;
};

// Of the highest point of a mesh over (x, y).
double heightOf(const TriangleMesh& mesh, const Vec3& place, double x, double y) {
  double highest = -1e9;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] + place;
    const Vec3 normal = cross(mesh.vertices[t[1]] + place - a, mesh.vertices[t[2]] + place - a);
    const Vec3 p{x, y, a.z - (normal.x * (x - a.x) + normal.y * (y - a.y)) / normal.z};
    bool inside = normal.z > 0;
    for (int i = 0; i < 3; ++i) {
      const Vec3 from = mesh.vertices[t[i]] + place;
      inside = inside && cross(mesh.vertices[t[(i + 1) % 3]] + place - from, p - from).z >= 0;
    }
    if (inside) highest = std::max(highest, p.z);
  }
  return highest;
}

TEST_F(WorldFile, HeightmapsAreWhereGazeboClassicPutsThem) {
  static_cast<void>(
      write(std::string(reinterpret_cast<const char*>(kLopsidedPng), sizeof kLopsidedPng), "lopsided.png"));
  const WorldDescription world =
      load(model("hills", "<static>1</static>" + linkOf(collision("<heightmap><uri>lopsided.png</uri>"
                                                                  "<size>8 4 2</size></heightmap>"))));
  if (warnsOf(world, "libpng")) GTEST_SKIP() << "built without libpng";
  const std::unique_ptr<World> made = makeWorld(world);
  const auto& mesh = std::get<MeshGeometry>(made->body(0).parts()[0].geometry).mesh;
  const GazeboTerrain gazebo({8, 4, 2});
  int compared = 0;
  for (double x = -3.97; x < 4; x += 0.37)
    for (double y = -1.98; y < 2; y += 0.23) {
      ASSERT_NEAR(heightOf(mesh->mesh(), mesh->origin(), x, y), gazebo.heightAt(x, y), 1e-5) << x << " " << y;
      ++compared;
    }
  EXPECT_GT(compared, 300);
}

TEST_F(WorldFile, ABallRollsDownATerrainAndStaysOnIt) {
  const std::string png(reinterpret_cast<const char*>(kGreyPng), sizeof kGreyPng);
  static_cast<void>(write(png, "grey.png"));
  const WorldDescription world =
      load(model("hills",
                 "<static>1</static>" + linkOf(collision("<heightmap><uri>grey.png</uri><size>8 4 2</size>"
                                                         "</heightmap>"))) +
           model("ball", "<pose>0.5 0.5 2.2 0 0 0</pose>" +
                             linkOf(collision("<sphere><radius>0.2</radius></sphere>"))));
  if (warnsOf(world, "libpng")) GTEST_SKIP() << "built without libpng";
  Trial trial(makeWorld(world));
  trial.runSeconds(1.5);
  const Vec3 at = trial.world().body(1).centreOfMass();
  EXPECT_LT(at.x, 0.3);  // downhill
  EXPECT_GT(at.z, 0.1);
  EXPECT_LT(at.z, 1.5);
}

}  // namespace
}  // namespace odemesh::sim
