/* The public header as a C99 program uses it. */
#include <odemesh/odemesh.h>

/* "" if all is well, else what was wrong. */
const char* problemSeenFromC(void) {
  odemeshOptions options;
  odemeshCounters counters = {.size = sizeof counters};
  odemeshDefaultOptions(&options);
  if (options.size != sizeof options) return "odemeshDefaultOptions does not set the size";
  if (odemeshSetOptions(&options) != ODEMESH_OK) return odemeshLastError();
  if (odemeshGetCounters(&counters) != ODEMESH_OK) return odemeshLastError();
  if (odemeshInstall() != ODEMESH_OK) return odemeshLastError();
  if (!odemeshIsInstalled()) return "not installed";
  odemeshUninstall();
  return "";
}
