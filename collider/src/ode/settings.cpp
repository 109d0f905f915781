#include "ode/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ode/errors.hpp"

namespace odemesh::ode {

namespace {

[[nodiscard]] odemeshOptions defaults() {
  odemeshOptions o{};
  o.size = sizeof(odemeshOptions);
  o.freshness = ODEMESH_FRESHNESS_AUTO;
  return o;
}

odemeshOptions current_options = defaults();
Counters all_counters;

/// Copies between structs of which one side may be older, hence shorter: both start with their size.
template <typename T>
void copySized(const T& from, T& to, std::size_t size) {
  std::memcpy(&to, &from, std::min(size, sizeof(T)));
  to.size = size;
}

template <typename T>
[[nodiscard]] bool isSized(const T* s) {
  return s != nullptr && s->size >= sizeof(s->size) && s->size <= 4096;
}

[[nodiscard]] const char* problemOf(const odemeshOptions& o) {
  if (o.contact_limit < 0 || o.contact_limit > 0xffff) return "contact_limit has to be from 0 to 65535";
  if (!std::isfinite(o.contact_margin) || o.contact_margin < 0)
    return "contact_margin has to be finite and at least 0";
  if (o.freshness < ODEMESH_FRESHNESS_AUTO || o.freshness > ODEMESH_FRESHNESS_EXPLICIT)
    return "freshness has to be one of ODEMESH_FRESHNESS_...";
  return nullptr;
}

}  // namespace

const odemeshOptions& options() {
  return current_options;
}
Counters& counters() {
  return all_counters;
}

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" {

void odemeshDefaultOptions(odemeshOptions* options) {
  if (options != nullptr) *options = defaults();
}

int odemeshGetOptions(odemeshOptions* options) {
  if (!isSized(options)) return fail(ODEMESH_ERROR_ARGUMENT, "odemeshGetOptions: set options->size first");
  copySized(current_options, *options, options->size);
  return ODEMESH_OK;
}

int odemeshSetOptions(const odemeshOptions* options) {
  if (!isSized(options))
    return fail(ODEMESH_ERROR_ARGUMENT, "odemeshSetOptions: use odemeshDefaultOptions first");
  odemeshOptions wanted = defaults();
  copySized(*options, wanted, options->size);
  wanted.size = sizeof wanted;
  if (const char* problem = problemOf(wanted)) return fail(ODEMESH_ERROR_ARGUMENT, problem);
  current_options = wanted;
  return ODEMESH_OK;
}

int odemeshGetCounters(odemeshCounters* out) {
  if (!isSized(out)) return fail(ODEMESH_ERROR_ARGUMENT, "odemeshGetCounters: set counters->size first");
  const odemeshCounters now{sizeof now,
                            all_counters.pairs,
                            all_counters.colliding_pairs,
                            all_counters.contacts,
                            all_counters.contacts_dropped,
                            all_counters.meshes_built,
                            all_counters.bad_triangles,
                            all_counters.errors};
  copySized(now, *out, out->size);
  return ODEMESH_OK;
}

void odemeshResetCounters(void) {
  for (auto* counter : {&all_counters.pairs, &all_counters.colliding_pairs, &all_counters.contacts,
                        &all_counters.contacts_dropped, &all_counters.meshes_built,
                        &all_counters.bad_triangles, &all_counters.errors})
    *counter = 0;
}

}  // extern "C"
