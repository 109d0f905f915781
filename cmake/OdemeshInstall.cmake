# `cmake --install`: the libraries and headers, a CMake package (find_package(odemesh)) and odemesh.pc.
# The components are those of OdemeshPackage.cmake; what names none belongs to "development".
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/odemesh")

install(TARGETS odemesh odemesh_static EXPORT odemeshTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT library)
if(TARGET odemesh_preload)
  install(TARGETS odemesh_preload LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/tools/install/odemesh-run" DESTINATION "${CMAKE_INSTALL_BINDIR}"
    COMPONENT tools)
  install(FILES "${PROJECT_BINARY_DIR}/tools/odemesh-run.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools)
endif()
if(TARGET odemesh-sandbox)
  # It finds its library wherever the tree is installed; the system's own folders are searched anyway.
  if(UNIX AND NOT APPLE AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    file(RELATIVE_PATH to_library "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(odemesh-sandbox PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}")
  endif()
  install(TARGETS odemesh-sandbox RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
endif()
if(TARGET odemesh_sim)
  install(TARGETS odemesh_sim EXPORT odemeshSimTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/sim/include/odemesh" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    PATTERN render EXCLUDE PATTERN scenes EXCLUDE)
  install(EXPORT odemeshSimTargets NAMESPACE odemesh:: DESTINATION "${package_dir}")
  install(FILES "${PROJECT_SOURCE_DIR}/cmake/FindAssimp.cmake" DESTINATION "${package_dir}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/collider/include/odemesh" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/SECURITY.md"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT library)

install(EXPORT odemeshTargets NAMESPACE odemesh:: DESTINATION "${package_dir}")
set(ODEMESH_CXX_LIBRARIES ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM ODEMESH_CXX_LIBRARIES ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_DUPLICATES ODEMESH_CXX_LIBRARIES)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/odemeshConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/odemeshConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/odemeshConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/odemeshConfig.cmake" "${PROJECT_BINARY_DIR}/odemeshConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindODE.cmake" DESTINATION "${package_dir}")

# The prefix in odemesh.pc is relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH ODEMESH_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" ODEMESH_PC_PREFIX "${ODEMESH_PC_PREFIX}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/odemesh.pc.in" "${PROJECT_BINARY_DIR}/odemesh.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/odemesh.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
