#include "ode_messages.hpp"

#include <ode/ode.h>

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

namespace odemesh::sandbox {
namespace {

std::mutex g_mutex;  // several threads may collide

void sayOnce(int number, const char* format, va_list values) {
  static std::set<std::string> said;
  const std::scoped_lock lock(g_mutex);
  if (!said.insert(format).second) return;
  char text[512];
  std::vsnprintf(text, sizeof text, format, values);
  std::fprintf(stderr, "note: ODE says (message %d, shown once): %s\n", number, text);
}

}  // namespace

void sayMessagesOfOdeOnce() {
  dSetMessageHandler(sayOnce);
}

}  // namespace odemesh::sandbox
