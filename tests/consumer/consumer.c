/* A C program that uses the library as a stranger would. */
#include <odemesh/odemesh.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const char* version = odemeshVersion();
  if (strcmp(version, EXPECTED_VERSION) != 0) {
    fprintf(stderr, "odemeshVersion() says %s, the package %s\n", version, EXPECTED_VERSION);
    return 1;
  }
  printf("C: odemesh %s, %s\n", version, odemeshErrorText(ODEMESH_ERROR_NOT_INITIALISED));
  return 0;
}
