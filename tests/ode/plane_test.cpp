// Trimesh geoms on ODE's plane: contacts after the installation, and ODE's own again after it is undone.
#include <gtest/gtest.h>
#include <odemesh/odemesh.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

/// A cube of edge length 1, its faces cut into n x n squares.
struct CutCube {
  explicit CutCube(int n) {
    for (int axis = 0; axis < 3; ++axis)
      for (const int sign : {-1, 1}) addFace(axis, sign, n);
    data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertices.data(), 3 * sizeof(double),
                                static_cast<int>(vertices.size() / 3), indices.data(),
                                static_cast<int>(indices.size()), 3 * sizeof(dTriIndex));
    geom = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  }
  ~CutCube() {
    dGeomDestroy(geom);
    dGeomTriMeshDataDestroy(data);
  }
  CutCube(const CutCube&) = delete;
  CutCube& operator=(const CutCube&) = delete;

  void addFace(int axis, int sign, int n) {
    const auto first = static_cast<dTriIndex>(vertices.size() / 3);
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        double p[3];
        p[axis] = 0.5 * sign;
        p[(axis + 1) % 3] = double(i) / n - 0.5;
        p[(axis + 2) % 3] = double(j) / n - 0.5;
        vertices.insert(vertices.end(), p, p + 3);
      }
    const auto at = [&](int i, int j) { return first + static_cast<dTriIndex>(i * (n + 1) + j); };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        dTriIndex quad[6] = {at(i, j), at(i + 1, j),     at(i + 1, j + 1),
                             at(i, j), at(i + 1, j + 1), at(i, j + 1)};
        if (sign < 0) {
          std::swap(quad[1], quad[2]);
          std::swap(quad[4], quad[5]);
        }
        indices.insert(indices.end(), quad, quad + 6);
      }
  }

  std::vector<double> vertices;
  std::vector<dTriIndex> indices;
  dTriMeshDataID data;
  dGeomID geom;
};

std::vector<dContactGeom> contactsOf(dGeomID a, dGeomID b, int most) {
  std::vector<dContactGeom> out(static_cast<std::size_t>(most));
  out.resize(static_cast<std::size_t>(dCollide(a, b, most, out.data(), sizeof(dContactGeom))));
  return out;
}

class PlaneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    dInitODE2(0);
    plane_ = dCreatePlane(nullptr, 0, 0, 1, 2);
  }
  void TearDown() override {
    odemeshUninstall();
    dGeomDestroy(plane_);
    dCloseODE();
  }
  dGeomID plane_ = nullptr;
};

TEST_F(PlaneTest, TheFourCornersCarryAFinelyCutCubeWhateverTheLimit) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK) << odemeshLastError();
  const CutCube cube(16);
  dGeomSetPosition(cube.geom, 10, 20, 2.5 - 0.01);
  for (const int most : {4, 8, 64})
    for (const bool swapped : {false, true}) {
      const auto contacts =
          swapped ? contactsOf(plane_, cube.geom, most) : contactsOf(cube.geom, plane_, most);
      ASSERT_EQ(contacts.size(), 4U);
      for (const dContactGeom& c : contacts) {
        EXPECT_EQ(c.g1, swapped ? plane_ : cube.geom);
        EXPECT_NEAR(c.normal[2], swapped ? -1 : 1, 1e-12);
        EXPECT_NEAR(c.depth, 0.01, 1e-6);
        EXPECT_NEAR(std::abs(c.pos[0] - 10), 0.5, 1e-9);
        EXPECT_NEAR(std::abs(c.pos[1] - 20), 0.5, 1e-9);
        EXPECT_NEAR(c.pos[2], 2 - 0.005, 1e-6);
        EXPECT_EQ(swapped ? c.side1 : c.side2, -1);
        EXPECT_GE(swapped ? c.side2 : c.side1, 0);
      }
    }
}

TEST_F(PlaneTest, NothingAboveThePlane) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK) << odemeshLastError();
  const CutCube cube(2);
  dGeomSetPosition(cube.geom, 0, 0, 2.5 + 1e-5);
  EXPECT_TRUE(contactsOf(cube.geom, plane_, 8).empty());
}

TEST_F(PlaneTest, ACornerDownGivesOneContactAtTheCorner) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK) << odemeshLastError();
  const CutCube cube(4);
  dMatrix3 r;
  dRFromZAxis(r, 1, 1, 1);
  dMatrix3 back;  // takes the diagonal to z
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) back[i * 4 + j] = r[j * 4 + i];
  dGeomSetRotation(cube.geom, back);
  dGeomSetPosition(cube.geom, 0, 0, 2 + std::sqrt(0.75) - 0.02);
  const auto contacts = contactsOf(cube.geom, plane_, 8);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].depth, 0.02, 1e-6);
  EXPECT_NEAR(contacts[0].pos[0], 0, 1e-6);
}

TEST_F(PlaneTest, UninstallingPutsOdesOwnBack) {
  const CutCube cube(3);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(0, 6);
  std::uniform_real_distribution<double> height(1.2, 3);
  struct Turned {
    dMatrix3 r;
    double z;
  };
  std::vector<Turned> poses(200);
  for (auto& [r, z] : poses) {
    dRFromEulerAngles(r, angle(random), angle(random), angle(random));
    z = height(random);
  }
  const auto record = [&] {
    std::vector<std::vector<dContactGeom>> all;
    for (const auto& [r, z] : poses) {
      dGeomSetRotation(cube.geom, r);
      dGeomSetPosition(cube.geom, 0, 0, z);
      all.push_back(contactsOf(cube.geom, plane_, 8));
      all.push_back(contactsOf(plane_, cube.geom, 8));
    }
    return all;
  };
  const auto before = record();
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK) << odemeshLastError();
  odemeshUninstall();
  const auto after = record();
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before[i].size(), after[i].size());
    for (std::size_t k = 0; k < before[i].size(); ++k) {
      EXPECT_EQ(before[i][k].depth, after[i][k].depth);
      EXPECT_EQ(before[i][k].side1, after[i][k].side1);
      EXPECT_EQ(before[i][k].side2, after[i][k].side2);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(before[i][k].pos[axis], after[i][k].pos[axis]);
        EXPECT_EQ(before[i][k].normal[axis], after[i][k].normal[axis]);
      }
    }
  }
}

}  // namespace
