// The thread's last error, behind odemeshLastError().
#pragma once

namespace odemesh::ode {

/// Records the text of `code` with an optional detail and returns `code`.
int fail(int code, const char* detail = nullptr) noexcept;

/// To be called in a handler around the program's near callback: tells a lack of memory from an exception of
/// the program's, records it with `function` and returns its code.
int failAfterCallback(const char* function) noexcept;

/// Records a message that is not an error of the call in hand.
void warn(const char* message) noexcept;

}  // namespace odemesh::ode
