// What ODE and its programs expect of a collider: the contract of dCollide, for random pairs of meshes.
#include <algorithm>
#include <array>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

constexpr int kAnyOne = static_cast<int>(CONTACTS_UNIMPORTANT | 1U);

class ContractTest : public OdeTest {
 protected:
  ContractTest() {
    EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
    for (const Triangles& t : shapes_) EXPECT_TRUE(t.mesh()->isSolid());
  }

  /// Calls `check(a, b)` for `count` poses of pairs of the shapes below.
  template <typename Check>
  void forRandomPairs(int count, Check&& check) {
    Random random(11);
    for (int i = 0; i < count; ++i) {
      i_ = static_cast<std::size_t>(i) % shapes_.size();
      j_ = static_cast<std::size_t>(i / 2) % shapes_.size();
      placeAtRandom(first_[i_].get(), random, 0.75);
      placeAtRandom(second_[j_].get(), random, 0.75);
      check(first_[i_].get(), second_[j_].get());
      if (HasFatalFailure()) return;
    }
  }

  const std::vector<Triangles> shapes_{boxTriangles(1, 1, 1), ellipsoidTriangles(1, 0.75F, 0.5F, 16, 8),
                                       boxTriangles(0.25F, 2, 0.5F)};
  const std::vector<MeshData> data_ = [this] {
    std::vector<MeshData> out;
    for (const Triangles& t : shapes_) out.push_back(dataOf(t));
    return out;
  }();
  const std::vector<Geom> first_ = geoms();
  const std::vector<Geom> second_ = geoms();
  std::size_t i_ = 0;  ///< the shapes of the pair in hand
  std::size_t j_ = 0;

 private:
  std::vector<Geom> geoms() {
    std::vector<Geom> out;
    for (const MeshData& data : data_) out.push_back(geomOf(data));
    return out;
  }
};

TEST_F(ContractTest, HoldsForRandomPosesAndAgreesWithTheCppInterface) {
  std::vector<std::shared_ptr<const Mesh>> meshes;
  for (const Triangles& t : shapes_) meshes.push_back(t.mesh());
  int colliding = 0;
  forRandomPairs(1000, [&](dGeomID a, dGeomID b) {
    const std::vector<dContactGeom> contacts = contactsOf(a, b);
    expectContract(contacts, a, b);
    colliding += contacts.empty() ? 0 : 1;
    ASSERT_TRUE(areSame(contacts, expectedContacts(a, *meshes[i_], poseOf(a), b, *meshes[j_], poseOf(b))));
  });
  EXPECT_GE(colliding, 600);
  const odemeshCounters c = counters();
  EXPECT_EQ(c.pairs, 1000U);
  EXPECT_EQ(c.colliding_pairs, static_cast<unsigned long long>(colliding));
  EXPECT_EQ(c.meshes_built, shapes_.size());
  EXPECT_EQ(c.errors, 0U);
}

TEST_F(ContractTest, MovingG1AlongTheNormalSeparatesTwoCubes) {
  dGeomSetPosition(first_[0].get(), 0, 0, 0);
  dGeomSetPosition(second_[0].get(), 0.25, 0.125, 1.75);  // 0.25 deep along z
  for (const bool swapped : {false, true}) {
    const dGeomID a = swapped ? second_[0].get() : first_[0].get();
    const dGeomID b = swapped ? first_[0].get() : second_[0].get();
    const std::vector<dContactGeom> contacts = contactsOf(a, b);
    ASSERT_FALSE(contacts.empty());
    expectContract(contacts, a, b);
    for (const dContactGeom& c : contacts) {
      EXPECT_NEAR(c.normal[2], swapped ? 1 : -1, odeTolerance(1e-12)) << "into g1";
      // Depths are reported less 1e-7 of the smaller mesh's radius, here the cube's sqrt(3).
      EXPECT_NEAR(c.depth, 0.25 - 1e-7 * std::sqrt(3.0), odeTolerance(1e-12));
    }
  }
}

TEST_F(ContractTest, NeverMoreContactsThanAskedFor) {
  forRandomPairs(300, [&](dGeomID a, dGeomID b) {
    const std::vector<dContactGeom> all = contactsOf(a, b, 0xffff);
    for (const int limit : {1, 2, 3, 8}) {
      const std::vector<dContactGeom> some = contactsOf(a, b, limit);
      ASSERT_EQ(some.size(), std::min(all.size(), std::size_t(limit)));
      if (all.empty()) continue;
      ASSERT_EQ(some[0].depth, all[0].depth) << "the deepest is kept whatever the limit";
    }
  });
}

TEST_F(ContractTest, TheOptionLimitsContactsToo) {
  setContactLimit(3);
  std::size_t most = 0;
  forRandomPairs(200, [&](dGeomID a, dGeomID b) { most = std::max(most, contactsOf(a, b).size()); });
  EXPECT_EQ(most, 3U);
  EXPECT_GT(counters().contacts_dropped, 0U);
}

TEST_F(ContractTest, AnyContactsWillDoStillGivesSoundOnes) {
  const int flags = static_cast<int>(CONTACTS_UNIMPORTANT | 4U);
  forRandomPairs(300, [&](dGeomID a, dGeomID b) {
    const std::vector<dContactGeom> any = contactsOf(a, b, flags);
    expectContract(any, a, b);
    ASSERT_EQ(any.empty(), contactsOf(a, b, 4).empty());
  });
}

// Fuzzing found that the option made such callers content with any one contact.
TEST_F(ContractTest, AnyOfSeveralContactsIsTheDeepestIfTheOptionAllowsOne) {
  setContactLimit(1);
  const int flags = static_cast<int>(CONTACTS_UNIMPORTANT | 4U);
  forRandomPairs(100, [&](dGeomID a, dGeomID b) {
    const std::vector<dContactGeom> any = contactsOf(a, b, flags), deepest = contactsOf(a, b, 4);
    ASSERT_EQ(any.size(), deepest.size());
    if (!any.empty()) {
      EXPECT_EQ(any[0].depth, deepest[0].depth);
    }
  });
}

TEST_F(ContractTest, AnyOneContactTellsWhetherTheyTouch) {
  int touching = 0;
  forRandomPairs(1000, [&](dGeomID a, dGeomID b) {
    const std::vector<dContactGeom> any = contactsOf(a, b, kAnyOne);
    expectContract(any, a, b);
    touching += any.empty() ? 0 : 1;
    ASSERT_EQ(any.empty(), contactsOf(a, b, 1).empty());
  });
  EXPECT_GE(touching, 600);
}

TEST_F(ContractTest, AnyOneContactIsGivenForWhatLiesInside) {
  const Triangles small = boxTriangles(0.125F, 0.125F, 0.125F);
  const MeshData data = dataOf(small);
  const Geom inner = geomOf(data);
  EXPECT_EQ(contactsOf(first_[0].get(), inner.get(), kAnyOne).size(), 1U);
}

TEST_F(ContractTest, ReturnsNothingForDistantGeomsAndLeavesTheArrayAlone) {
  dGeomSetPosition(second_[0].get(), 100, 0, 0);
  std::vector<unsigned char> before(4 * sizeof(dContactGeom), 0xa5);
  std::vector<unsigned char> after = before;
  EXPECT_EQ(dCollide(first_[0].get(), second_[0].get(), 4, reinterpret_cast<dContactGeom*>(after.data()),
                     sizeof(dContactGeom)),
            0);
  EXPECT_EQ(before, after);
}

// Programs pass &contact[0].geom of an array of dContact: the bytes between must stay as they are.
TEST_F(ContractTest, WritesAtTheStrideOfTheCallerAndNowhereElse) {
  constexpr int kLimit = 6;
  constexpr unsigned char kUntouched = 0xa5;
  for (const std::size_t skip : {sizeof(dContactGeom), sizeof(dContact), sizeof(dContact) + 64}) {
    forRandomPairs(200, [&](dGeomID a, dGeomID b) {
      std::vector<unsigned char> bytes((kLimit + 2) * skip, kUntouched);
      auto* const first = reinterpret_cast<dContactGeom*>(bytes.data() + skip);
      const int count = dCollide(a, b, kLimit, first, static_cast<int>(skip));
      const std::vector<dContactGeom> plain = contactsOf(a, b, kLimit);
      ASSERT_EQ(plain.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t slot = i / skip;
        const bool written = slot >= 1 && slot <= plain.size() && i % skip < sizeof(dContactGeom);
        ASSERT_TRUE(written || bytes[i] == kUntouched) << "byte " << i << " with skip " << skip;
      }
      for (std::size_t i = 0; i < plain.size(); ++i)
        ASSERT_TRUE(isSame(plain[i], *reinterpret_cast<dContactGeom*>(bytes.data() + (i + 1) * skip)));
    });
  }
}

// The closed form above shows that contacts turn round with their geoms; here, that both orders give what the
// C++ interface gives for them.
TEST_F(ContractTest, SwappedArgumentsMirror) {
  std::vector<std::shared_ptr<const Mesh>> meshes;
  for (const Triangles& t : shapes_) meshes.push_back(t.mesh());
  forRandomPairs(300, [&](dGeomID a, dGeomID b) {
    const std::vector<dContactGeom> swapped = contactsOf(b, a);
    expectContract(swapped, b, a);
    ASSERT_TRUE(areSame(swapped, expectedContacts(b, *meshes[j_], poseOf(b), a, *meshes[i_], poseOf(a))));
    ASSERT_EQ(swapped.empty(), contactsOf(a, b).empty());
  });
}

// Which points are picked may differ between the two orders, and a deep overlap may have several ways out. So
// the two solids, which are convex, are put where they overlap by about a fiftieth of their size. So many
// pairs, since one in a thousand or two has faces that look almost the same way, and best out along one of
// them.
TEST_F(ContractTest, BothOrdersAgreeOnAShallowOverlap) {
  forRandomPairs(5000, [&](dGeomID a, dGeomID b) {
    dGeomSetPosition(a, 0, 0, 0);
    double apart = 8;
    for (double together = 0; apart - together > 1e-3;) {
      const double middle = (apart + together) / 2;
      dGeomSetPosition(b, dReal(middle), 0, 0);
      (contactsOf(a, b, 1).empty() ? apart : together) = middle;
    }
    dGeomSetPosition(b, dReal(apart - 0.02), 0, 0);
    const std::vector<dContactGeom> ab = contactsOf(a, b);
    const std::vector<dContactGeom> ba = contactsOf(b, a);
    ASSERT_FALSE(ab.empty());
    ASSERT_FALSE(ba.empty());
    ASSERT_NEAR(ab[0].depth, ba[0].depth, odeTolerance(1e-6, 256)) << "at distances of up to 8";
    ASSERT_NEAR(dCalcVectorDot3(ab[0].normal, ba[0].normal), -1, odeTolerance(1e-6, 64));
  });
}

// As ODE in single precision gives them: the rows' lengths are off by some 1e-7, and the normals were by
// 1e-6.
TEST_F(ContractTest, RotationsOfSinglePrecisionLoseNoContact) {
  const auto box = shapes_[0].mesh(), ellipsoid = shapes_[1].mesh();
  const Pose box_pose{{{{0.15463665127754211, -0.90301567316055298, 0.40081214904785156},
                        {-0.1685376763343811, 0.37563434243202209, 0.91131448745727539},
                        {-0.97348999977111816, -0.20847466588020325, -0.094105362892150879}}},
                      {2.1938672065734863, 0, 0}};
  const Pose ellipsoid_pose{{{{-0.92167645692825317, -0.028478458523750305, 0.38691389560699463},
                              {0.33852362632751465, 0.42813211679458618, 0.83791697025299072},
                              {-0.18951286375522614, 0.903267502784729, -0.38495886325836182}}},
                            {}};
  std::array<Contact, 16> room;
  for (const bool swapped : {false, true}) {
    const std::size_t count = swapped ? collide(*ellipsoid, ellipsoid_pose, *box, box_pose, room)
                                      : collide(*box, box_pose, *ellipsoid, ellipsoid_pose, room);
    ASSERT_GE(count, 1U) << swapped;
    EXPECT_NEAR(room[0].depth, 0.01786, 1e-5);
    EXPECT_NEAR(length(room[0].normal), 1, 1e-6) << "the pose turns it to the world";
  }
}

TEST_F(ContractTest, TheSameCallGivesTheSameContacts) {
  forRandomPairs(100,
                 [&](dGeomID a, dGeomID b) { ASSERT_TRUE(areSame(contactsOf(a, b), contactsOf(a, b))); });
}

int rejectEven(dGeomID, dGeomID, int triangle) {
  return triangle % 2;
}

int rejectAll(dGeomID, dGeomID, int) {
  return 0;
}

TEST_F(ContractTest, TriangleCallbacksAreAskedOnlyIfTheOptionSaysSo) {
  dGeomSetPosition(first_[0].get(), 0, 0, 0);
  dGeomSetPosition(second_[0].get(), 0.25, 0.125, 1.75);
  const dGeomID a = first_[0].get();
  const dGeomID b = second_[0].get();
  dGeomTriMeshSetCallback(a, rejectAll);
  EXPECT_FALSE(contactsOf(a, b).empty()) << "ODE's own collider does not ask either";
  odemeshOptions options;
  odemeshDefaultOptions(&options);
  options.triangle_callbacks = 1;
  ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  EXPECT_TRUE(contactsOf(a, b).empty());
  dGeomTriMeshSetCallback(a, rejectEven);
  for (const int limit : {1, 4, 64, kAnyOne}) {
    EXPECT_EQ(contactsOf(a, b, limit).empty(), contactsOf(a, b).empty());
    for (const dContactGeom& c : contactsOf(a, b, limit)) EXPECT_EQ(c.side1 % 2, 1);
  }
}

std::vector<dContactGeom> contacts_within;
dGeomID callback_a, callback_b;

int collideOthers(dGeomID, dGeomID, int) {
  dGeomTriMeshSetCallback(callback_a, nullptr);
  contacts_within = contactsOf(callback_a, callback_b, 0xffff);
  return 1;
}

TEST_F(ContractTest, ATriangleCallbackMayCollide) {
  odemeshOptions options;
  odemeshDefaultOptions(&options);
  options.triangle_callbacks = 1;
  dGeomSetPosition(second_[0].get(), 0.25, 0.125, 1.75);
  dGeomSetPosition(second_[1].get(), 0.25, 0.125, 0.5);
  callback_a = first_[0].get();
  callback_b = second_[1].get();
  const std::vector<dContactGeom> outer = contactsOf(callback_a, second_[0].get());
  const std::vector<dContactGeom> inner = contactsOf(callback_a, callback_b, 0xffff);
  ASSERT_FALSE(inner.empty());
  ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  dGeomTriMeshSetCallback(callback_a, collideOthers);
  EXPECT_TRUE(areSame(contactsOf(callback_a, second_[0].get()), outer));
  EXPECT_TRUE(areSame(contacts_within, inner));
}

}  // namespace
}  // namespace odemesh::test
