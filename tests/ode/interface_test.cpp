// The rest of the C interface: options, counters, mesh information, error texts; and the header in C.
#include <array>
#include <cstddef>
#include <limits>
#include <set>
#include <string>

#include "ode_scene.hpp"

extern "C" const char* problemSeenFromC(void);

namespace odemesh::test {
namespace {

class InterfaceTest : public OdeTest {
 protected:
  static odemeshOptions optionsInForce() {
    odemeshOptions o;
    o.size = sizeof o;
    EXPECT_EQ(odemeshGetOptions(&o), ODEMESH_OK);
    return o;
  }
  /// Sets the defaults after `change` and returns what odemeshSetOptions says.
  template <typename Change>
  static int setOptions(Change&& change) {
    odemeshOptions o;
    odemeshDefaultOptions(&o);
    change(o);
    return odemeshSetOptions(&o);
  }
};

TEST_F(InterfaceTest, TheHeaderWorksInC) {
  EXPECT_STREQ(problemSeenFromC(), "");
}

TEST_F(InterfaceTest, DefaultsAreInForce) {
  const odemeshOptions o = optionsInForce();
  EXPECT_EQ(o.size, sizeof o);
  EXPECT_EQ(o.contact_limit, 0);
  EXPECT_EQ(o.contact_margin, 0);
  EXPECT_EQ(o.freshness, ODEMESH_FRESHNESS_AUTO);
  EXPECT_EQ(o.triangle_callbacks, 0);
}

TEST_F(InterfaceTest, ValuesOutOfRangeAreRefusedAndNamed) {
  const odemeshOptions before = optionsInForce();
  const auto refused = [](const char* name, auto change) {
    EXPECT_EQ(setOptions(change), ODEMESH_ERROR_ARGUMENT) << name;
    EXPECT_NE(std::string(odemeshLastError()).find(name), std::string::npos) << odemeshLastError();
  };
  for (const int limit : {-1, 65536, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    refused("contact_limit", [&](odemeshOptions& o) { o.contact_limit = limit; });
  for (const double margin :
       {-1e-9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    refused("contact_margin", [&](odemeshOptions& o) { o.contact_margin = margin; });
  for (const int freshness : {-1, 3, 99})
    refused("freshness", [&](odemeshOptions& o) { o.freshness = freshness; });
  EXPECT_EQ(odemeshSetOptions(nullptr), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(odemeshGetOptions(nullptr), ODEMESH_ERROR_ARGUMENT);
  const odemeshOptions after = optionsInForce();
  EXPECT_EQ(std::memcmp(&before, &after, sizeof before), 0) << "a refused call changes nothing";
}

TEST_F(InterfaceTest, ValuesAtTheEndsOfTheRangeAreTaken) {
  EXPECT_EQ(setOptions([](odemeshOptions& o) { o.contact_limit = 65535; }), ODEMESH_OK);
  EXPECT_EQ(optionsInForce().contact_limit, 65535);
  EXPECT_EQ(setOptions([](odemeshOptions& o) { o.freshness = ODEMESH_FRESHNESS_EXPLICIT; }), ODEMESH_OK);
  EXPECT_EQ(optionsInForce().freshness, ODEMESH_FRESHNESS_EXPLICIT);
  EXPECT_EQ(optionsInForce().contact_limit, 0) << "each call sets all options";
}

TEST_F(InterfaceTest, SizesThatAreNoSizesAreRefused) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, ~std::size_t{0}}) {
    EXPECT_EQ(setOptions([&](odemeshOptions& o) { o.size = size; }), ODEMESH_ERROR_ARGUMENT) << size;
    odemeshCounters c;
    c.size = size;
    EXPECT_EQ(odemeshGetCounters(&c), ODEMESH_ERROR_ARGUMENT) << size;
  }
  EXPECT_EQ(odemeshGetCounters(nullptr), ODEMESH_ERROR_ARGUMENT);
}

/// A program that was compiled with an older header: its struct ends before `freshness`.
TEST_F(InterfaceTest, AnOlderProgramsShorterStructIsTaken) {
  constexpr std::size_t kOlder = offsetof(odemeshOptions, freshness);
  alignas(odemeshOptions) std::array<unsigned char, sizeof(odemeshOptions)> bytes;
  bytes.fill(0xa5);
  auto& options = *reinterpret_cast<odemeshOptions*>(bytes.data());
  odemeshDefaultOptionsOfSize(&options, kOlder);
  EXPECT_EQ(options.size, kOlder);
  options.contact_limit = 7;
  EXPECT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  EXPECT_EQ(optionsInForce().contact_limit, 7);
  EXPECT_EQ(optionsInForce().freshness, ODEMESH_FRESHNESS_AUTO);
  EXPECT_EQ(odemeshGetOptions(&options), ODEMESH_OK);
  for (std::size_t i = kOlder; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], 0xa5) << "beyond its struct";
}

/// One that was compiled with a newer header: what this library does not know has to be off.
TEST_F(InterfaceTest, ANewerProgramsLongerStructIsTakenIfItAsksForNothingUnknown) {
  constexpr std::size_t kNewer = sizeof(odemeshOptions) + 16;
  alignas(odemeshOptions) std::array<unsigned char, kNewer> bytes;
  bytes.fill(0xa5);
  auto& options = *reinterpret_cast<odemeshOptions*>(bytes.data());
  odemeshDefaultOptionsOfSize(&options, kNewer);
  EXPECT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  bytes[kNewer - 1] = 1;
  EXPECT_EQ(odemeshSetOptions(&options), ODEMESH_ERROR_ARGUMENT);
  EXPECT_NE(std::string(odemeshLastError()).find("older"), std::string::npos) << odemeshLastError();
}

TEST_F(InterfaceTest, EveryErrorHasASentence) {
  std::set<std::string> sentences;
  for (int code = ODEMESH_OK; code <= ODEMESH_ERROR_CALLBACK; ++code)
    sentences.insert(odemeshErrorText(code));
  EXPECT_EQ(sentences.size(), 9U);
  EXPECT_STREQ(odemeshErrorText(99), odemeshErrorText(-1));
}

TEST_F(InterfaceTest, VersionNumberAndTextAgree) {
  const int v = odemeshVersionNumber();
  EXPECT_EQ(std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." + std::to_string(v % 100),
            odemeshVersion());
}

TEST_F(InterfaceTest, MeshInfoOfAClosedAndOfAnOpenBox) {
  Triangles box = boxTriangles(1, 2, 3);
  const MeshData data = dataOf(box);
  odemeshMeshInfo info;
  info.size = sizeof info;
  ASSERT_EQ(odemeshGetMeshInfo(data.get(), &info), ODEMESH_OK);
  EXPECT_EQ(info.triangles, 12U);
  EXPECT_EQ(info.vertices, 8U);
  EXPECT_EQ(info.bad_triangles, 0U);
  EXPECT_EQ(info.components, 1U);
  EXPECT_EQ(info.watertight, 1);
  EXPECT_DOUBLE_EQ(info.volume, 48);
  EXPECT_GT(info.memory_bytes, 12 * 3 * sizeof(double));

  box.indices.resize(33);  // without its last triangle
  const MeshData open_data = dataOf(box);
  ASSERT_EQ(odemeshGetMeshInfo(open_data.get(), &info), ODEMESH_OK);
  EXPECT_EQ(info.triangles, 11U);
  EXPECT_EQ(info.border_edges, 3U);
  EXPECT_EQ(info.watertight, 0);
}

TEST_F(InterfaceTest, MeshInfoOfBadArguments) {
  const Triangles box = boxTriangles(1, 2, 3);
  const MeshData data = dataOf(box);
  odemeshMeshInfo info;
  info.size = 0;
  EXPECT_EQ(odemeshGetMeshInfo(data.get(), &info), ODEMESH_ERROR_ARGUMENT);
  info.size = sizeof info;
  EXPECT_EQ(odemeshGetMeshInfo(nullptr, &info), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(odemeshGetMeshInfo(data.get(), nullptr), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(odemeshPrepare(nullptr), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(odemeshMeshChanged(nullptr), ODEMESH_ERROR_ARGUMENT);
  const MeshData empty(dGeomTriMeshDataCreate());
  EXPECT_EQ(odemeshGetMeshInfo(empty.get(), &info), ODEMESH_ERROR_MESH);
}

TEST_F(InterfaceTest, PrepareBuildsAheadOfTheFirstCollision) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  const Triangles box = boxTriangles(1, 1, 1);
  const MeshData data = dataOf(box);
  ASSERT_EQ(odemeshPrepare(data.get()), ODEMESH_OK);
  EXPECT_EQ(counters().meshes_built, 1U);
  const Geom a = geomOf(data);
  const Geom b = geomOf(data);
  dGeomSetPosition(b.get(), 0.25, 0.125, 1.5);
  EXPECT_FALSE(contactsOf(a.get(), b.get()).empty());
  EXPECT_EQ(counters().meshes_built, 1U);
}

TEST_F(InterfaceTest, CountersCountAndReset) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  const Triangles box = boxTriangles(1, 1, 1);
  const MeshData data = dataOf(box);
  const Geom a = geomOf(data);
  const Geom b = geomOf(data);
  dGeomSetPosition(b.get(), 0.25, 0.125, 1.5);
  const std::size_t all = contactsOf(a.get(), b.get()).size();
  ASSERT_GT(all, 1U);
  contactsOf(a.get(), b.get(), 1);
  dGeomSetPosition(b.get(), 10, 0, 0);
  contactsOf(a.get(), b.get());
  const odemeshCounters c = counters();
  EXPECT_EQ(c.pairs, 3U);
  EXPECT_EQ(c.colliding_pairs, 2U);
  EXPECT_EQ(c.contacts, all + 1);
  EXPECT_EQ(c.contacts_dropped, all - 1);
  EXPECT_EQ(c.meshes_built, 1U);
  EXPECT_EQ(c.bad_triangles, 0U);
  EXPECT_EQ(c.errors, 0U);
  odemeshResetCounters();
  odemeshCounters zero{};
  zero.size = sizeof zero;
  const odemeshCounters now = counters();
  EXPECT_EQ(std::memcmp(&now, &zero, sizeof zero), 0);
}

}  // namespace
}  // namespace odemesh::test
