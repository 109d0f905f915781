# The target `docs`: the reference of the public headers, as HTML in docs/html. A declaration without a docstring fails it.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
  add_custom_target(docs COMMAND "${DOXYGEN_EXECUTABLE}" "${PROJECT_BINARY_DIR}/Doxyfile" VERBATIM
    COMMENT "Reference in ${PROJECT_BINARY_DIR}/docs/html")
  if(ODEMESH_BUILD_TESTS)
    add_test(NAME docs COMMAND "${DOXYGEN_EXECUTABLE}" "${PROJECT_BINARY_DIR}/Doxyfile")
  endif()
endif()
