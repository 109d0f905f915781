#include "ode/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ode/errors.hpp"

namespace odemesh::ode {

namespace {

[[nodiscard]] constexpr odemeshOptions defaults() {
  odemeshOptions o{};
  o.size = sizeof(odemeshOptions);
  o.freshness = ODEMESH_FRESHNESS_AUTO;
  return o;
}

/// Options of a newer header that this library does not know may be passed only if they are off.
[[nodiscard]] bool hasUnknownOptions(const odemeshOptions* o) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(o);
  return o->size > sizeof *o &&
         std::any_of(bytes + sizeof *o, bytes + o->size, [](unsigned char byte) { return byte != 0; });
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

// Not set at run time: a program may set options before this file's turn to be initialised comes.
constinit odemeshOptions current_options = defaults();
Counters all_counters;

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" {

void odemeshDefaultOptionsOfSize(odemeshOptions* options, size_t size) {
  if (options == nullptr) return;
  options->size = size;
  if (isSized(options)) copySized(defaults(), *options);
}

int odemeshGetOptions(odemeshOptions* options) {
  if (!isSized(options)) return fail(ODEMESH_ERROR_ARGUMENT, "odemeshGetOptions: set options->size first");
  copySized(current_options, *options);
  return ODEMESH_OK;
}

int odemeshSetOptions(const odemeshOptions* options) {
  if (!isSized(options))
    return fail(ODEMESH_ERROR_ARGUMENT, "odemeshSetOptions: use odemeshDefaultOptions first");
  if (hasUnknownOptions(options))
    return fail(ODEMESH_ERROR_ARGUMENT,
                "odemeshSetOptions: this library is older than the options that are set");
  odemeshOptions wanted = defaults();
  std::memcpy(&wanted, options, std::min(options->size, sizeof wanted));
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
                            all_counters.errors,
                            all_counters.zero_area_triangles,
                            all_counters.meshes_without_inside,
                            all_counters.contained_pairs,
                            all_counters.unsound_contacts,
                            all_counters.data_changes,
                            all_counters.repeated_pairs};
  copySized(now, *out);
  return ODEMESH_OK;
}

void odemeshResetCounters(void) {
  for (auto* counter :
       {&all_counters.pairs, &all_counters.colliding_pairs, &all_counters.contacts,
        &all_counters.contacts_dropped, &all_counters.meshes_built, &all_counters.bad_triangles,
        &all_counters.errors, &all_counters.zero_area_triangles, &all_counters.meshes_without_inside,
        &all_counters.contained_pairs, &all_counters.unsound_contacts, &all_counters.data_changes,
        &all_counters.repeated_pairs})
    *counter = 0;
}

}  // extern "C"
