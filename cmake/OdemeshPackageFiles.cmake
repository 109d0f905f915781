# What Debian wants in each package besides what `cmake --install` puts there: licence, list of changes, and manual pages that
# are compressed. Run by CPack on the files of all packages, before it makes them.
find_program(gzip NAMES gzip REQUIRED)

function(compress file)
  execute_process(COMMAND "${gzip}" -9nf "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER "${component}" upper)
  set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}")
  set(documents "${root}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  configure_file("${CPACK_ODEMESH_SOURCE_DIR}/LICENSE" "${documents}/copyright" COPYONLY)
  configure_file("${CPACK_ODEMESH_SOURCE_DIR}/CHANGELOG.md" "${documents}/changelog" COPYONLY)
  compress("${documents}/changelog")
  file(GLOB manuals "${root}/usr/share/man/man*/*.[1-9]")
  foreach(manual ${manuals})
    compress("${manual}")
  endforeach()
endforeach()
