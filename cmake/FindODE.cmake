# Finds the Open Dynamics Engine and its precision. ODE ships `ode.pc`; its `precision` variable, or the macro in
# its compile flags, says whether dReal is float or double, and everything compiled against it has to agree.
#
# Defines the imported target ODE::ODE. To use an ODE of your own, put its `lib/pkgconfig` first in
# PKG_CONFIG_PATH, or set ODE_INCLUDE_DIR, ODE_LIBRARY and ODE_PRECISION (dDOUBLE or dSINGLE).
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_ODE QUIET ode)
  if(PC_ODE_FOUND)
    pkg_get_variable(PC_ODE_PRECISION ode precision)
  endif()
endif()

find_path(ODE_INCLUDE_DIR ode/ode.h HINTS ${PC_ODE_INCLUDE_DIRS})
find_library(ODE_LIBRARY ode HINTS ${PC_ODE_LIBRARY_DIRS})
if(NOT ODE_PRECISION)
  if(PC_ODE_PRECISION MATCHES "^d(SINGLE|DOUBLE)$")
    set(ODE_PRECISION ${PC_ODE_PRECISION})
  elseif("${PC_ODE_CFLAGS}" MATCHES "dIDESINGLE|dSINGLE")
    set(ODE_PRECISION dSINGLE)
  else()
    set(ODE_PRECISION dDOUBLE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ODE REQUIRED_VARS ODE_LIBRARY ODE_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install it with: apt-get install libode-dev")

string(REPLACE "d" "dIDE" ODE_PRECISION_MACRO "${ODE_PRECISION}")
if(ODE_FOUND AND NOT TARGET ODE::ODE)
  add_library(ODE::ODE UNKNOWN IMPORTED)
  set_target_properties(ODE::ODE PROPERTIES
    IMPORTED_LOCATION "${ODE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${ODE_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS "${ODE_PRECISION_MACRO}")
endif()
mark_as_advanced(ODE_INCLUDE_DIR ODE_LIBRARY)
