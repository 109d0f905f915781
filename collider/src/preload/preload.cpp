// libodemesh-preload.so: gives an unmodified program that uses a shared libode odemesh's colliders, by
//
//     LD_PRELOAD=libodemesh-preload.so program        (odemesh-run does that)
//
// It defines ODE's own two colliders under their linker's names, and passes on that of heightfields, to know
// its planes from those of the program. ODE fills its table of colliders with them whenever it is
// initialised, so it does not matter when, how often and by whom that happens, nor whether libode is opened
// only later. Calling odemeshInstall from a constructor would be too early for all of that.
//
// An ODE that is linked with -Bsymbolic-functions, as Ubuntu's is, fills in its own whatever comes before it.
// So the two are put into the table, too, by whoever initialises ODE by name.
//
// Environment, read once:
//   ODEMESH_PRELOAD=off   leaves all pairs to ODE's own colliders
//   ODEMESH_LOG=1         one line on stderr when the program ends
#include <odemesh/odemesh.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "ode/data_watch.hpp"
#include "ode/ode_symbol.hpp"
#include "ode/settings.hpp"
#include "ode/stock_colliders.hpp"
#include "ode/trimesh_collider.hpp"
#include "preload/ode_forward.hpp"

ODEMESH_API dColliderFn dCollideTTL, dCollideTrimeshPlane, dCollideHeightfield;

namespace odemesh::ode {

namespace {

constinit OdeFunction<dColliderFn> stock_trimesh(kTrimeshColliderSymbol);
constinit OdeFunction<dColliderFn> stock_plane(kPlaneColliderSymbol);
constinit OdeFunction<dColliderFn> stock_heightfield(kHeightfieldColliderSymbol);

constinit OdeFunction<decltype(dInitODE)> ode_init("dInitODE");
constinit OdeFunction<decltype(dInitODE2)> ode_init2("dInitODE2");
constinit OdeFunction<decltype(dCloseODE)> ode_close("dCloseODE");
constinit OdeFunction<decltype(dSetColliderOverride)> ode_set_collider_override("dSetColliderOverride");

[[nodiscard]] std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

[[nodiscard]] bool isLogged() {
  static const bool logged = !environment("ODEMESH_LOG").empty() && environment("ODEMESH_LOG") != "0";
  return logged;
}

/// Why pairs are left to ODE's own colliders, or "" if they are not.
struct Verdict {
  char reason[96] = "";

  [[nodiscard]] bool collides() const { return *reason == '\0'; }
};

[[nodiscard]] Verdict leave(const char* format, const char* detail) {
  Verdict verdict;
  std::snprintf(verdict.reason, sizeof verdict.reason, format, detail);
  return verdict;
}

[[nodiscard]] Verdict judge() {
  const std::string_view wanted = environment("ODEMESH_PRELOAD");
  const char* missing = "";
  if (wanted == "off" || wanted == "0") return leave("ODEMESH_PRELOAD is %s", wanted.data());
  if (!canForward(missing)) return leave("this ODE has no %s", missing);
  if (dCheckConfiguration(kPrecision) == 0) return leave("this ODE is not of %s", kPrecision);
  chainFreeHandler();
  return {};
}

/// Of the ODE that makes the first call: a process with several is not served.
[[nodiscard]] const Verdict& verdict() {
  static const Verdict once = judge();
  return once;
}

std::atomic<unsigned long long> pairs_left_to_ode{0};
std::atomic<long long> nanoseconds{0};

/// Adds the time until the end of the scope to what is logged.
class Stopwatch {
 public:
  Stopwatch() : start_(isLogged() ? Clock::now() : Clock::time_point{}) {}
  ~Stopwatch() {
    if (isLogged()) nanoseconds += std::chrono::nanoseconds(Clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
};

int collideByStock(OdeFunction<dColliderFn>& stock, dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts,
                   int skip) {
  dColliderFn* const original = stock.get();
  return original != nullptr ? original(o1, o2, flags, contacts, skip) : 0;
}

/// One call of ODE's, for `ours` or, if that can't be, for ODE's own collider.
int collideBy(dColliderFn* ours, OdeFunction<dColliderFn>& stock, dGeomID o1, dGeomID o2, int flags,
              dContactGeom* contacts, int skip) noexcept {
  const Stopwatch stopwatch;
  if (verdict().collides()) return ours(o1, o2, flags, contacts, skip);
  pairs_left_to_ode.fetch_add(1, std::memory_order_relaxed);
  return collideByStock(stock, o1, o2, flags, contacts, skip);
}

/// Whether this thread is in ODE's collider of heightfields. That hands a trimesh to the plane of each of its
/// triangles and keeps the contacts that lie on the triangle: of all vertices behind the plane, as ODE's own
/// gives them, and not of the few that hold a mesh up on a whole plane.
thread_local bool is_in_heightfield = false;

/// Sets that until the end of the scope, also where the heights' callback of a program throws.
class InHeightfield {
 public:
  InHeightfield() : was_(std::exchange(is_in_heightfield, true)) {}
  ~InHeightfield() { is_in_heightfield = was_; }
  InHeightfield(const InHeightfield&) = delete;
  InHeightfield& operator=(const InHeightfield&) = delete;

 private:
  bool was_;
};

/// How many times ODE has been initialised by name, and not closed since.
std::atomic<int> times_initialised{0};

/// The first time alone: later, what the program has put into the table itself stays there.
void noteInitialised() {
  if (times_initialised.fetch_add(1) > 0 || !verdict().collides()) return;
  const auto set_override = ode_set_collider_override.get();
  if (set_override == nullptr) return;
  set_override(dTriMeshClass, dTriMeshClass, dCollideTTL);
  set_override(dTriMeshClass, dPlaneClass, dCollideTrimeshPlane);
}

void logOdemesh(double seconds) {
  const Counters& c = counters();
  std::fprintf(stderr, "odemesh %s: %llu pairs, %llu colliding, %llu contacts, %llu errors, %.3f s\n",
               odemeshVersion(), c.pairs.load(), c.colliding_pairs.load(), c.contacts.load(), c.errors.load(),
               seconds);
}

bool is_forked = false;

/// What was counted before a fork is logged by the process that did it.
void forgetParent() {
  is_forked = true;
  odemeshResetCounters();
  pairs_left_to_ode = 0;
  nanoseconds = 0;
}

/// Says nothing in processes without an ODE, such as the shell that starts a program, nor in forks that
/// collide nothing.
void logAtExit() {
  const double seconds = static_cast<double>(nanoseconds.load()) * 1e-9;
  const unsigned long long left = pairs_left_to_ode.load();
  if (counters().pairs.load() > 0)
    logOdemesh(seconds);
  else if (left > 0)
    std::fprintf(stderr, "odemesh %s: %llu pairs left to ODE's own collider, because %s, %.3f s\n",
                 odemeshVersion(), left, verdict().reason, seconds);
  else if (!is_forked && hasLibode())
    std::fprintf(stderr, "odemesh %s: no pair of meshes came up\n", odemeshVersion());
}

/// Its destructor runs when the program ends by returning from main or by exit().
struct ExitLog {
  ExitLog() { pthread_atfork(nullptr, nullptr, forgetParent); }
  ExitLog(const ExitLog&) = delete;
  ExitLog& operator=(const ExitLog&) = delete;
  ~ExitLog() {
    if (isLogged()) logAtExit();
  }
} exit_log;

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

/// In place of ODE's function of that name, which ODE exports without declaring it.
ODEMESH_API int dCollideTTL(dxGeom* g1, dxGeom* g2, int flags, dContactGeom* contacts, int stride) {
  return collideBy(collideTrimeshes, stock_trimesh, g1, g2, flags, contacts, stride);
}

/// The same for a trimesh and a plane.
ODEMESH_API int dCollideTrimeshPlane(dxGeom* g1, dxGeom* g2, int flags, dContactGeom* contacts, int stride) {
  if (is_in_heightfield) return collideByStock(stock_plane, g1, g2, flags, contacts, stride);
  return collideBy(collideTrimeshAndPlane, stock_plane, g1, g2, flags, contacts, stride);
}

/// ODE's, of a heightfield and any other geom.
ODEMESH_API int dCollideHeightfield(dxGeom* g1, dxGeom* g2, int flags, dContactGeom* contacts, int stride) {
  const InHeightfield here;
  return collideByStock(stock_heightfield, g1, g2, flags, contacts, stride);
}

extern "C" {

ODEMESH_API void dInitODE(void) {
  const auto init = ode_init.get();
  if (init == nullptr) return;
  init();
  noteInitialised();
}

ODEMESH_API int dInitODE2(unsigned int flags) {
  const auto init = ode_init2.get();
  if (init == nullptr || init(flags) == 0) return 0;
  noteInitialised();
  return 1;
}

ODEMESH_API void dCloseODE(void) {
  const auto close = ode_close.get();
  if (close == nullptr) return;
  close();
  if (times_initialised > 0) --times_initialised;
}

}  // extern "C"
