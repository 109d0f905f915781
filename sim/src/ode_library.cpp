#include <odemesh/odemesh.h>

#include <mutex>
#include <odemesh/sim/ode_handles.hpp>
#include <stdexcept>

namespace odemesh::sim {
namespace {

std::mutex g_mutex;
int g_users = 0;

}  // namespace

OdeLibrary::OdeLibrary() {
  const std::scoped_lock lock(g_mutex);
  if (g_users == 0 && dInitODE2(0) == 0)
    throw std::runtime_error("ODE could not be initialised: dInitODE2 failed; is the machine out of memory?");
  ++g_users;
}

OdeLibrary::~OdeLibrary() {
  const std::scoped_lock lock(g_mutex);
  if (--g_users > 0) return;
  odemeshUninstall();
  dCloseODE();
}

}  // namespace odemesh::sim
