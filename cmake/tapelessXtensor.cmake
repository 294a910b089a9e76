# Defines tapeless::xtensor, xtensor with xsimd, whose lanes the loops use, if the system or the surrounding project has
# it. Included by the project and by its installed configuration.
if(NOT TARGET tapeless::xtensor)
  if(NOT TARGET xtensor)
    find_package(xtensor CONFIG QUIET)
  endif()
  if(NOT TARGET xsimd)
    find_package(xsimd CONFIG QUIET)
  endif()
  if(TARGET xtensor)
    add_library(tapeless::xtensor INTERFACE IMPORTED)
    set_target_properties(tapeless::xtensor PROPERTIES
      INTERFACE_LINK_LIBRARIES "xtensor;$<TARGET_NAME_IF_EXISTS:xsimd>")
  endif()
endif()

# Says so if loops will compute one number at a time with CMAKE_CXX_FLAGS: the headers themselves decide it.
function(tapeless_note_on_lanes include)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_REQUIRED_INCLUDES ${include})
  if(TARGET xsimd)
    get_target_property(xsimd_include xsimd INTERFACE_INCLUDE_DIRECTORIES)
    list(APPEND CMAKE_REQUIRED_INCLUDES ${xsimd_include})
  endif()
  # The check is done once: what it depends on stands in its name.
  string(MD5 asked "${CMAKE_REQUIRED_INCLUDES} ${CMAKE_CXX_FLAGS}")
  check_cxx_source_compiles("#include <tapeless/core/target.hpp>
#ifndef TAPELESS_HAS_XSIMD
#error one lane
#endif
int main() {}" TAPELESS_LANES_${asked})
  if(NOT TAPELESS_LANES_${asked})
    message(STATUS "tapeless: loops over tensors compute one number at a time, several times slower than with SIMD \
lanes: these need xsimd (Debian: libxsimd-dev), and flags without -ffast-math and -DTAPELESS_NO_XSIMD")
  endif()
endfunction()
