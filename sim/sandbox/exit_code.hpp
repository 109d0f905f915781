// What the program returns.
#pragma once

namespace odemesh::sandbox {

enum ExitCode { kGood = 0, kFailedRun = 1, kBadInput = 2 };

}  // namespace odemesh::sandbox
