// Pairs that have not moved are answered from memory, with the same contacts; whatever has changed is seen.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <thread>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

class PairMemoryTest : public OdeTest {
 protected:
  PairMemoryTest() {
    EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
    dGeomSetPosition(b_.get(), 0.25, 0.125, 0.9375);
  }

  /// Until the answer comes from memory.
  std::vector<dContactGeom> askThrice() {
    std::vector<dContactGeom> contacts;
    for (int i = 0; i < 3; ++i) contacts = contactsOf(a_.get(), b_.get(), 8);
    return contacts;
  }

  Triangles triangles_ = boxTriangles(1, 1, 1);
  const MeshData data_ = dataOf(triangles_);
  const Geom a_ = geomOf(data_), b_ = geomOf(data_);
};

[[nodiscard]] bool areSame(const std::vector<dContactGeom>& x, const std::vector<dContactGeom>& y) {
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (x[i].pos[axis] != y[i].pos[axis] || x[i].normal[axis] != y[i].normal[axis] ||
          x[i].depth != y[i].depth || x[i].side1 != y[i].side1 || x[i].side2 != y[i].side2 ||
          x[i].g1 != y[i].g1 || x[i].g2 != y[i].g2)
        return false;
  return true;
}

TEST_F(PairMemoryTest, TheThirdAnswerIsTheFirst) {
  const std::vector<dContactGeom> first = contactsOf(a_.get(), b_.get(), 8);
  ASSERT_FALSE(first.empty());
  for (unsigned long long i = 0; i < 4; ++i) {
    EXPECT_EQ(counters().repeated_pairs, i < 2 ? 0 : i - 1);
    EXPECT_TRUE(areSame(contactsOf(a_.get(), b_.get(), 8), first)) << i;
  }
  EXPECT_EQ(counters().pairs, 5U);
  EXPECT_EQ(counters().colliding_pairs, 5U);
  EXPECT_EQ(counters().contacts, 5 * first.size());
}

TEST_F(PairMemoryTest, PairsThatNearlyMeetAreRememberedToo) {
  const Triangles ellipsoid = ellipsoidTriangles(1, 0.5F, 0.5F, 24, 16);
  const MeshData data = dataOf(ellipsoid);
  const Geom a = geomOf(data), b = geomOf(data);
  dGeomSetPosition(b.get(), 1.5, 0.75, 0.75);  // boxes and spheres meet, surfaces do not
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(contactsOf(a.get(), b.get(), 8).empty());
  EXPECT_EQ(counters().repeated_pairs, 1U);
}

TEST_F(PairMemoryTest, PairsOneInsideTheOtherAreRememberedOnceTheyRest) {
  const Triangles small = boxTriangles(0.125F, 0.125F, 0.125F);
  const MeshData data = dataOf(small);
  const Geom inner = geomOf(data);
  for (int i = 0; i < 8; ++i) {
    dGeomSetPosition(inner.get(), 0, 0, dReal(0.5 + 1e-4 * std::min(i, 4)));
    EXPECT_FALSE(contactsOf(a_.get(), inner.get(), 8).empty());
  }
  EXPECT_EQ(counters().repeated_pairs, 2U) << "at the same place for the third time, and the fourth";
}

TEST_F(PairMemoryTest, WhateverChangesIsSeen) {
  const dReal up = std::nextafter(dReal(0.9375), dReal(1));
  const std::pair<const char*, std::function<void()>> changes[] = {
      {"position of the second", [&] { dGeomSetPosition(b_.get(), 0.25, 0.125, up); }},
      {"position of the first", [&] { dGeomSetPosition(a_.get(), 0, 0, 0.125); }},
      {"rotation",
       [&] {
         dMatrix3 turn;
         dRFromAxisAndAngle(turn, 0, 0, 1, 1e-3);
         dGeomSetRotation(b_.get(), turn);
       }},
      {"data",
       [&] {
         for (std::size_t i = 2; i < triangles_.xyz.size(); i += 3) triangles_.xyz[i] *= 0.9375F;
         dGeomTriMeshDataUpdate(data_.get());
       }},
  };
  for (const auto& [what, change] : changes) {
    askThrice();
    const unsigned long long repeated = counters().repeated_pairs;
    change();
    const std::vector<dContactGeom> now = contactsOf(a_.get(), b_.get(), 8);
    EXPECT_EQ(counters().repeated_pairs, repeated) << what;
    const Geom other = geomOf(data_);  // of which nothing is known
    const dReal* position = dGeomGetPosition(b_.get());
    dGeomSetPosition(other.get(), position[0], position[1], position[2]);
    dGeomSetRotation(other.get(), dGeomGetRotation(b_.get()));
    std::vector<dContactGeom> afresh = contactsOf(a_.get(), other.get(), 8);
    for (dContactGeom& c : afresh) c.g2 = b_.get();
    EXPECT_TRUE(areSame(now, afresh)) << what;
  }
}

TEST_F(PairMemoryTest, RoomOrderAndOptionsArePartOfTheQuestion) {
  askThrice();
  const unsigned long long repeated = counters().repeated_pairs;
  EXPECT_EQ(contactsOf(a_.get(), b_.get(), 2).size(), 2U);
  EXPECT_EQ(contactsOf(b_.get(), a_.get(), 8).front().g1, b_.get());
  odemeshOptions options{};
  options.size = sizeof options;
  odemeshGetOptions(&options);
  options.contact_margin = 0.5;
  ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  EXPECT_FALSE(contactsOf(a_.get(), b_.get(), 8).empty());
  options.contact_margin = 0;
  ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  EXPECT_EQ(counters().repeated_pairs, repeated);
}

TEST_F(PairMemoryTest, UninstallingForgets) {
  askThrice();
  odemeshUninstall();
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  odemeshResetCounters();
  static_cast<void>(contactsOf(a_.get(), b_.get(), 8));
  EXPECT_EQ(counters().repeated_pairs, 0U);
}

TEST_F(PairMemoryTest, ThreadsThatAskForOnePairGetTheSame) {
  const std::vector<dContactGeom> first = contactsOf(a_.get(), b_.get(), 8);
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (int& count : wrong)
    threads.emplace_back([&] {
      dAllocateODEDataForThread(dAllocateMaskAll);
      for (int i = 0; i < 2000; ++i) count += areSame(contactsOf(a_.get(), b_.get(), 8), first) ? 0 : 1;
    });
  for (std::thread& t : threads) t.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
  EXPECT_GT(counters().repeated_pairs, 0U);
}

/// All pairs of these geoms, thrice each.
[[nodiscard]] std::vector<std::vector<dContactGeom>> allContacts(const std::vector<Geom>& geoms) {
  std::vector<std::vector<dContactGeom>> out;
  for (const Geom& a : geoms)
    for (const Geom& b : geoms)
      for (int i = 0; i < 3; ++i) out.push_back(contactsOf(a.get(), b.get(), 8));
  return out;
}

// A thousand pairs in four thousand slots: many meet in one.
TEST_F(PairMemoryTest, ThreadsWithManyPairsGetTheContactsOfOne) {
  Random random(1);
  std::array<std::vector<Geom>, 4> geoms;
  std::array<std::vector<std::vector<dContactGeom>>, 4> expected;
  for (std::size_t t = 0; t < geoms.size(); ++t) {
    for (int i = 0; i < 16; ++i) placeAtRandom(geoms[t].emplace_back(geomOf(data_)).get(), random, 1.5);
    expected[t] = allContacts(geoms[t]);
  }
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < geoms.size(); ++t)
    threads.emplace_back([&, t] {
      dAllocateODEDataForThread(dAllocateMaskAll);
      for (int round = 0; round < 5; ++round) {
        const auto now = allContacts(geoms[t]);
        for (std::size_t i = 0; i < now.size(); ++i) wrong[t] += areSame(now[i], expected[t][i]) ? 0 : 1;
      }
    });
  for (std::thread& t : threads) t.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
  EXPECT_GT(counters().repeated_pairs, 4000U);
}

int rejectAll(dGeomID, dGeomID, int) {
  return 0;
}

TEST_F(PairMemoryTest, TriangleCallbacksAreAskedAboutWhatIsRemembered) {
  odemeshOptions options;
  odemeshDefaultOptions(&options);
  options.triangle_callbacks = 1;
  ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  const std::vector<dContactGeom> all = askThrice();
  ASSERT_FALSE(all.empty());
  for (int i = 0; i < 2; ++i) {
    dGeomTriMeshSetCallback(a_.get(), rejectAll);
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(contactsOf(a_.get(), b_.get(), 8).empty());
    dGeomTriMeshSetCallback(a_.get(), nullptr);
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(areSame(contactsOf(a_.get(), b_.get(), 8), all));
  }
  EXPECT_GT(counters().repeated_pairs, 4U);
}

}  // namespace
}  // namespace odemesh::test
