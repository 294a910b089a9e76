# tapeless::module, for `import tapeless;`: a library that CMake builds with the options of the project that uses it, where
# CMake, generator and compiler know modules.
function(tapeless_add_module include)
  if(TARGET tapeless_module OR CMAKE_VERSION VERSION_LESS 3.28 OR NOT CMAKE_GENERATOR MATCHES Ninja
      OR NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang OR NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
    return()
  endif()
  add_library(tapeless_module STATIC EXCLUDE_FROM_ALL)
  add_library(tapeless::module ALIAS tapeless_module)
  target_sources(tapeless_module PUBLIC FILE_SET CXX_MODULES BASE_DIRS ${include} FILES ${include}/tapeless/tapeless.cppm)
  target_link_libraries(tapeless_module PUBLIC tapeless::tapeless)
endfunction()
