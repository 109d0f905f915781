// The contacts that odemeshCollideSpeculative gives while a space is collided.
#pragma once

#include <vector>

#include "ode/contact_array.hpp"

namespace odemesh::ode {

/// As long as it lives, the contacts that are told on this thread are kept in `kept`.
class ContactLog {
 public:
  explicit ContactLog(std::vector<dContact>* kept);
  ~ContactLog();
  ContactLog(const ContactLog&) = delete;
  ContactLog& operator=(const ContactLog&) = delete;

  /// Tells `count` contacts of one pair to this thread's log, if there is one.
  static void tell(const ContactArray& contacts, int count);

 private:
  std::vector<dContact>* outer_;
};

}  // namespace odemesh::ode
