// The files that the options name for results.
#pragma once

#include "options.hpp"

namespace odemesh::sandbox {

/// Throws InputError if one of them can't be written, or is a file that the run reads or another option
/// writes, so that this shows before a run and not after it. Creates none, and no folders.
void requireWritableFiles(const Options& options);

}  // namespace odemesh::sandbox
