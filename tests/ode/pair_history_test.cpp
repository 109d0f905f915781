// Whatever a program has done to a pair before, its contacts are those of what the pair is now: nothing that
// is kept from call to call (meshes, answers for pairs that have not moved) shows.
#include <array>
#include <cstddef>
#include <functional>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

constexpr std::array kHeights{0.5F, 0.75F, 1.0F};

/// Three meshes and three geoms, of which one is on a body with an offset, and what a program may do to them.
/// The poses are few, so that they recur.
class History {
 public:
  History(unsigned seed, int freshness) : freshness_(freshness), random_(seed) {
    for (std::size_t i = 0; i < kCount; ++i) {
      shapes_[i] = boxTriangles(1, 1, kHeights[i]);
      data_[i] = dataOf(shapes_[i]);
      geoms_[i] = geomOf(data_[i]);
      data_of_[i] = i;
    }
    setOptions();
    const std::function<void()> quiet = [] {};
    actions_ = {quiet,
                quiet,
                [&] { move(); },
                [&] { turn(); },
                [&] { recreateGeom(); },
                [&] { swapData(); },
                [&] { editInPlace(); },
                [&] { recreateData(); },
                [&] { reinstall(); },
                [&] { changeOptions(); },
                [&] { moveOffset(); }};
  }

  void act() { actions_[below(actions_.size())](); }

  /// One call about a pair, and what it has to give.
  void ask() {
    const std::size_t i = below(kCount), j = (i + 1 + below(kCount - 1)) % kCount;
    const std::size_t room = std::array<std::size_t, 3>{1, 4, 16}[below(3)];
    const std::size_t limit = contact_limit_ > 0 ? std::min(room, std::size_t(contact_limit_)) : room;
    const dGeomID g1 = geoms_[i].get(), g2 = geoms_[j].get();
    const std::vector<dContactGeom> expected =
        expectedContacts(g1, *shapes_[data_of_[i]].mesh(), poseOf(g1), g2, *shapes_[data_of_[j]].mesh(),
                         poseOf(g2), limit, margin_);
    for (std::size_t repeats = below(4); repeats > 0; --repeats) call(g1, g2, room);
    ASSERT_TRUE(areSame(call(g1, g2, room), expected));
  }

 private:
  static constexpr std::size_t kCount = 3;

  [[nodiscard]] std::size_t below(std::size_t n) { return std::size_t(random_.in(0, double(n))); }
  [[nodiscard]] dReal coordinate() { return dReal(0.375) * dReal(below(4)) - dReal(0.5); }

  /// With any stride, and with and without the flag that any contacts will do, which tells where there is
  /// room for one.
  std::vector<dContactGeom> call(dGeomID g1, dGeomID g2, std::size_t room) {
    std::array<dContact, 16> contacts;
    const int flags = int(room) | (below(2) == 0 || room == 1 ? 0 : int(CONTACTS_UNIMPORTANT));
    const int count = dCollide(g1, g2, flags, &contacts[0].geom, sizeof(dContact));
    std::vector<dContactGeom> out;
    for (std::size_t k = 0; k < std::size_t(count); ++k) out.push_back(contacts[k].geom);
    return out;
  }

  void move() { dGeomSetPosition(geoms_[below(kCount)].get(), coordinate(), coordinate(), coordinate()); }

  void turn() {
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 1, 2, 3, dReal(below(3)));
    dGeomSetRotation(geoms_[below(kCount)].get(), rotation);
  }

  void recreateGeom() {
    const std::size_t i = below(kCount);
    geoms_[i].reset();  // the next is most often at the same address
    data_of_[i] = below(kCount);
    geoms_[i] = geomOf(data_[data_of_[i]]);
  }

  void swapData() {
    const std::size_t i = below(kCount);
    data_of_[i] = below(kCount);
    dGeomTriMeshSetData(geoms_[i].get(), data_[data_of_[i]].get());
  }

  void editInPlace() {
    const std::size_t k = below(kCount);
    const float height = kHeights[below(kHeights.size())];
    for (std::size_t z = 2; z < shapes_[k].xyz.size(); z += 3)
      shapes_[k].xyz[z] = std::copysign(height, shapes_[k].xyz[z]);
    if (freshness_ == ODEMESH_FRESHNESS_EXPLICIT || (freshness_ == ODEMESH_FRESHNESS_AUTO && below(2) == 0))
      ASSERT_EQ(odemeshMeshChanged(data_[k].get()), ODEMESH_OK);
    else if (freshness_ == ODEMESH_FRESHNESS_AUTO)
      dGeomTriMeshDataUpdate(data_[k].get());
  }

  void recreateData() {
    const std::size_t k = below(kCount);
    data_[k].reset();
    shapes_[k] = boxTriangles(1, 1, kHeights[below(kHeights.size())]);
    data_[k] = dataOf(shapes_[k]);
    for (std::size_t i = 0; i < kCount; ++i)
      if (data_of_[i] == k) dGeomTriMeshSetData(geoms_[i].get(), data_[k].get());
  }

  void reinstall() {
    if (below(2) == 0)
      odemeshSuspend();
    else
      odemeshUninstall();
    if (below(2) == 0) editInPlace();
    ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  }

  void changeOptions() {
    contact_limit_ = std::array{0, 2, 5}[below(3)];
    margin_ = below(3) == 0 ? 0.25 : 0;
    setOptions();
  }

  void setOptions() {
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    options.freshness = freshness_;
    options.contact_limit = contact_limit_;
    options.contact_margin = margin_;
    ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  }

  void moveOffset() {
    dGeomSetBody(geoms_[0].get(), body_.get());
    dBodySetPosition(body_.get(), coordinate(), 0, coordinate());
    dGeomSetOffsetPosition(geoms_[0].get(), 0, coordinate(), 0);
  }

  int freshness_;
  Random random_;
  int contact_limit_ = 0;
  double margin_ = 0;
  const World world_{dWorldCreate()};
  const Body body_{dBodyCreate(world_.get())};
  std::array<Triangles, kCount> shapes_;
  std::array<MeshData, kCount> data_;
  std::array<Geom, kCount> geoms_;
  std::array<std::size_t, kCount> data_of_{};
  std::vector<std::function<void()>> actions_;
};

class PairHistoryTest : public OdeTest, public testing::WithParamInterface<int> {
 protected:
  PairHistoryTest() { EXPECT_EQ(odemeshInstall(), ODEMESH_OK); }
};

TEST_P(PairHistoryTest, LeavesNoTraceInTheContacts) {
  unsigned long long repeated = 0;
  for (unsigned seed = 0; seed < 20 && !HasFatalFailure(); ++seed) {
    History history(seed, GetParam());
    for (int step = 0; step < 300 && !HasFatalFailure(); ++step) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", step " << step);
      history.act();
      history.ask();
    }
    repeated += counters().repeated_pairs;
  }
  EXPECT_GT(repeated, 1000U) << "else nothing was tried";
}

INSTANTIATE_TEST_SUITE_P(Freshness, PairHistoryTest,
                         testing::Values(int(ODEMESH_FRESHNESS_AUTO), int(ODEMESH_FRESHNESS_COMPARE),
                                         int(ODEMESH_FRESHNESS_EXPLICIT)));

}  // namespace
}  // namespace odemesh::test
