# cmake -P run.cmake with MODE install | find_package | c_alone | pkg_config | examples | examples_without_sim |
# mesh_test | subdirectory: installs odemesh into a prefix inside the build tree, or builds and runs the consumer programs against it.
# Needs SOURCE_DIR, BUILD_DIR (of odemesh), VERSION, LIBDIR, GENERATOR, BUILD_TYPE, the compilers and their flags.
set(work "${BUILD_DIR}/consumer")
set(prefix "${work}/prefix")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the command above failed: ${result}")
  endif()
endfunction()

function(build_project folder)
  build_folder("${SOURCE_DIR}/tests/consumer/${folder}" ${folder} ${ARGN})
endfunction()

function(build_folder source folder)
  file(REMOVE_RECURSE "${work}/${folder}")
  run("${CMAKE_COMMAND}" -S "${source}" -B "${work}/${folder}" -G "${GENERATOR}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
    "-DCMAKE_C_FLAGS=${C_FLAGS}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" "-DEXPECTED_VERSION=${VERSION}" ${ARGN})
  run("${CMAKE_COMMAND}" --build "${work}/${folder}")
endfunction()

# What pkg-config says of a package, as a list.
function(pkg_config_flags out package)
  find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${prefix}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH}"
    "${pkg_config}" ${ARGN} ${package} OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(${out} "${flags}" PARENT_SCOPE)
endfunction()

# The flags for a program that uses odemesh. ODE's headers, of which compilers warn, are system headers wherever they are.
function(consumer_flags out)
  pkg_config_flags(flags odemesh --cflags --libs)
  pkg_config_flags(ode ode --cflags-only-I)
  list(TRANSFORM ode REPLACE "^-I" "-isystem")
  set(${out} ${ode} ${flags} PARENT_SCOPE)
endfunction()

function(build_with_pkg_config compiler standard source)
  pkg_config_flags(version odemesh --modversion)
  if(NOT version STREQUAL VERSION)
    message(FATAL_ERROR "odemesh.pc says version ${version}, the project ${VERSION}")
  endif()
  consumer_flags(flags)
  separate_arguments(extra UNIX_COMMAND "${ARGN}")
  file(MAKE_DIRECTORY "${work}/pkg_config")
  set(program "${work}/pkg_config/${source}.out")
  run("${compiler}" ${extra} ${standard} -pedantic-errors -Wall -Werror "-DEXPECTED_VERSION=\"${VERSION}\""
    "${SOURCE_DIR}/tests/consumer/${source}" -o "${program}" ${flags} "-Wl,-rpath,${prefix}/${LIBDIR}")
  run("${program}")
endfunction()

if(MODE STREQUAL install)
  file(REMOVE_RECURSE "${prefix}")
  run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
  if(EXISTS "${prefix}/bin/odemesh-sandbox")
    run("${prefix}/bin/odemesh-sandbox" shape:box --steps 2 --headless)
  endif()
elseif(MODE STREQUAL find_package)
  build_project(find_package "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}")
elseif(MODE STREQUAL c_alone)
  build_project(c_alone "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}")
elseif(MODE STREQUAL pkg_config)
  build_with_pkg_config("${C_COMPILER}" -std=c99 consumer.c "${C_FLAGS}")
  build_with_pkg_config("${CXX_COMPILER}" -std=c++20 consumer.cpp "${CXX_FLAGS}")
elseif(MODE STREQUAL examples)
  # Against the prefix alone, which is all that somebody has who copies the folder.
  build_folder("${SOURCE_DIR}/examples" examples "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_BUILD_TYPE=Debug")
  run("${work}/examples/hello")
  run("${work}/examples/query")
  file(SIZE "${work}/examples/falling_meshes" size)  # fails where odemesh::sim was not found
elseif(MODE STREQUAL examples_without_sim)
  # Where the libraries that mesh files need are missing.
  build_folder("${SOURCE_DIR}/examples" examples_without_sim "-DCMAKE_PREFIX_PATH=${prefix}"
    -DCMAKE_DISABLE_FIND_PACKAGE_Assimp=ON -DCMAKE_BUILD_TYPE=Debug)
  run("${work}/examples_without_sim/hello")
elseif(MODE STREQUAL mesh_test)
  build_folder("${SOURCE_DIR}/examples/mesh_test" mesh_test "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_BUILD_TYPE=Debug")
  run("${CMAKE_CTEST_COMMAND}" --test-dir "${work}/mesh_test" --output-on-failure)
elseif(MODE STREQUAL subdirectory)
  # Compiles the library once more; without optimisation, which takes a fraction of the time.
  build_project(subdirectory "-DODEMESH_SOURCE_DIR=${SOURCE_DIR}" -DCMAKE_BUILD_TYPE=Debug)
else()
  message(FATAL_ERROR "MODE is install, find_package, c_alone, pkg_config, examples, examples_without_sim, mesh_test or subdirectory, not '${MODE}'")
endif()
