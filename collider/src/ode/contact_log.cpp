#include "ode/contact_log.hpp"

#include <utility>

namespace odemesh::ode {

namespace {

[[nodiscard]] std::vector<dContact>*& current() {
  static thread_local std::vector<dContact>* kept = nullptr;
  return kept;
}

}  // namespace

ContactLog::ContactLog(std::vector<dContact>* kept) : outer_(std::exchange(current(), kept)) {}

ContactLog::~ContactLog() {
  current() = outer_;
}

void ContactLog::tell(const ContactArray& contacts, int count) {
  if (count == 0) return;
  std::vector<dContact>* const kept = current();
  if (kept == nullptr) return;
  for (int i = 0; i < count; ++i) kept->push_back(contacts[i]);
}

}  // namespace odemesh::ode
