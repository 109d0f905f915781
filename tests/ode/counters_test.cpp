// What did not go as a program would wish is done as documented and counted.
#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

class CountersTest : public OdeTest {
 protected:
  CountersTest() { EXPECT_EQ(odemeshInstall(), ODEMESH_OK); }

  const Triangles box_triangles_ = boxTriangles(1, 1, 1);
  const MeshData box_data_ = dataOf(box_triangles_);
  const Geom box_ = geomOf(box_data_);
};

TEST_F(CountersTest, ContactsBeyondTheCallersLimit) {
  const Geom other = geomOf(box_data_);
  dGeomSetPosition(other.get(), 0.25, 0.125, 1.875);
  const std::size_t all = contactsOf(box_.get(), other.get()).size();
  ASSERT_GT(all, 2U);
  EXPECT_EQ(counters().contacts_dropped, 0U);
  EXPECT_EQ(contactsOf(box_.get(), other.get(), 2).size(), 2U);
  EXPECT_EQ(counters().contacts_dropped, all - 2);
  EXPECT_EQ(counters().contacts, all + 2);
}

TEST_F(CountersTest, MeshesWithoutAnInside) {
  Triangles open = boxTriangles(1, 1, 1);
  open.indices.resize(open.indices.size() - 3);
  Triangles inside_out = boxTriangles(1, 1, 1);
  for (std::size_t i = 0; i < inside_out.indices.size(); i += 3)
    std::swap(inside_out.indices[i], inside_out.indices[i + 1]);
  const MeshData open_data = dataOf(open), inside_out_data = dataOf(inside_out);
  ASSERT_EQ(odemeshPrepare(box_data_.get()), ODEMESH_OK);
  EXPECT_EQ(counters().meshes_without_inside, 0U);
  ASSERT_EQ(odemeshPrepare(open_data.get()), ODEMESH_OK);
  EXPECT_EQ(counters().meshes_without_inside, 1U);
  ASSERT_EQ(odemeshPrepare(inside_out_data.get()), ODEMESH_OK);
  EXPECT_EQ(counters().meshes_without_inside, 2U);
  EXPECT_EQ(counters().meshes_built, 3U);
}

TEST_F(CountersTest, BodiesWhollyInsideOthersAreSentOut) {
  const Triangles small = boxTriangles(0.125F, 0.125F, 0.125F);
  const MeshData data = dataOf(small);
  const Geom inner = geomOf(data);
  dGeomSetPosition(inner.get(), 0, 0, 0.5);
  const std::vector<dContactGeom> contacts = contactsOf(box_.get(), inner.get());
  ASSERT_FALSE(contacts.empty());
  EXPECT_NEAR(contacts[0].depth, 0.625, 1e-6);
  EXPECT_NEAR(contacts[0].normal[2], -1, 1e-6) << "the box goes down, what is in it goes up";
  EXPECT_EQ(counters().contained_pairs, 1U);
  dGeomSetPosition(inner.get(), 0, 0, 1);
  ASSERT_FALSE(contactsOf(box_.get(), inner.get()).empty());
  EXPECT_EQ(counters().contained_pairs, 1U) << "through the surface";
}

TEST_F(CountersTest, TrianglesLeftOutByTheirKind) {
  Triangles t = boxTriangles(1, 1, 1);
  t.indices.insert(t.indices.end(), {0, 0, 1, 0, 1, 8});
  t.xyz.insert(t.xyz.end(), {std::numeric_limits<float>::quiet_NaN(), 0, 0});
  const MeshData data = dataOf(t);
  ASSERT_EQ(odemeshPrepare(data.get()), ODEMESH_OK);
  EXPECT_EQ(counters().bad_triangles, 2U);
  EXPECT_EQ(counters().zero_area_triangles, 1U);
}

class ChangesTest : public CountersTest, public testing::WithParamInterface<int> {};

TEST_P(ChangesTest, OfMeshDataAreNoticed) {
  setFreshness(GetParam());
  Triangles t = boxTriangles(1, 1, 1);
  const MeshData data = dataOf(t);
  const Geom geom = geomOf(data);
  dGeomSetPosition(geom.get(), 0, 0, 1.5);
  const auto collide = [&] { return contactsOf(box_.get(), geom.get()).size(); };
  ASSERT_GT(collide(), 0U);
  EXPECT_EQ(counters().data_changes, 0U) << "built for the first time";
  for (std::size_t i = 2; i < t.xyz.size(); i += 3) t.xyz[i] *= 0.25F;
  dGeomTriMeshDataUpdate(data.get());
  EXPECT_EQ(collide(), 0U);
  EXPECT_EQ(counters().data_changes, 1U) << "updated";
  for (std::size_t i = 2; i < t.xyz.size(); i += 3) t.xyz[i] *= 4;
  ASSERT_EQ(odemeshMeshChanged(data.get()), ODEMESH_OK);
  ASSERT_GT(collide(), 0U);
  EXPECT_EQ(counters().data_changes, 2U) << "edited in place";
  ASSERT_GT(collide(), 0U);
  EXPECT_EQ(counters().data_changes, 2U) << "not changed";
}

INSTANTIATE_TEST_SUITE_P(Freshness, ChangesTest,
                         testing::Values(int(ODEMESH_FRESHNESS_AUTO), int(ODEMESH_FRESHNESS_COMPARE)));

TEST_F(CountersTest, ProgramsOfAnOlderVersionGetTheCountersTheyKnow) {
  odemeshCounters c;
  std::memset(&c, 0x5a, sizeof c);
  c.size = offsetof(odemeshCounters, zero_area_triangles);
  ASSERT_EQ(odemeshGetCounters(&c), ODEMESH_OK);
  EXPECT_EQ(c.errors, 0U);
  EXPECT_EQ(c.zero_area_triangles, 0x5a5a5a5a5a5a5a5aULL) << "beyond the size it gave";
}

TEST_F(CountersTest, AreAllResetTogether) {
  Triangles open = boxTriangles(1, 1, 1);
  open.indices.resize(open.indices.size() - 3);
  const MeshData data = dataOf(open);
  const Geom geom = geomOf(data);
  dGeomSetPosition(geom.get(), 0.25, 0.125, 1.875);
  contactsOf(box_.get(), geom.get(), 1);
  odemeshMeshChanged(data.get());
  odemeshResetCounters();
  const odemeshCounters c = counters();
  const odemeshCounters zero{sizeof zero, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(std::memcmp(&c, &zero, sizeof c), 0);
}

}  // namespace
}  // namespace odemesh::test
