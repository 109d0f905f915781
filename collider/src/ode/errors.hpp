// The thread's last error, behind odemeshLastError().
#pragma once

namespace odemesh::ode {

/// Records the text of `code` with an optional detail and returns `code`.
int fail(int code, const char* detail = nullptr) noexcept;

/// Records a message that is not an error of the call in hand.
void warn(const char* message) noexcept;

}  // namespace odemesh::ode
