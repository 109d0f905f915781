# odemesh_target(<target>): the compile settings that every target of this project shares.
#
# Contraction into fused multiply-adds is off and fast-math is never on: the geometric predicates rely on the
# rounding that they are written for, and the same input has to give the same contacts in every build. That
# roots do not set errno changes no result.
function(odemesh_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                         $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual> -ffp-contract=off
                         -fno-math-errno)
  if(ODEMESH_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
