# Finds Assimp by its header and library. The CMake files that Debian and Ubuntu package with it are passed over:
# they name targets (draco::draco, minizip) that exist only where further -dev packages happen to be installed, and
# a shared libassimp needs none of them.
#
# Defines the imported target Assimp::Assimp. To use an Assimp of your own, set Assimp_INCLUDE_DIR and
# Assimp_LIBRARY, or add its prefix to CMAKE_PREFIX_PATH.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_ASSIMP QUIET assimp)
endif()

find_path(Assimp_INCLUDE_DIR assimp/Importer.hpp HINTS ${PC_ASSIMP_INCLUDE_DIRS})
find_library(Assimp_LIBRARY assimp HINTS ${PC_ASSIMP_LIBRARY_DIRS})

set(remedy "Install it with: apt-get install libassimp-dev")
if(DEFINED ODEMESH_BUILD_SIM)  # not for those who use the installed package
  string(APPEND remedy ", or set -DODEMESH_BUILD_SIM=OFF")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Assimp REQUIRED_VARS Assimp_LIBRARY Assimp_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "${remedy}")

if(Assimp_FOUND AND NOT TARGET Assimp::Assimp)
  add_library(Assimp::Assimp UNKNOWN IMPORTED)
  set_target_properties(Assimp::Assimp PROPERTIES
    IMPORTED_LOCATION "${Assimp_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Assimp_INCLUDE_DIR}")
endif()
mark_as_advanced(Assimp_INCLUDE_DIR Assimp_LIBRARY)
