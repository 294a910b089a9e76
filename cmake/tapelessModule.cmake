# tapeless::module, for `import tapeless;`: a library that CMake builds with the options of the project that uses it. Needs
# CMake 3.28, Ninja and clang.
function(tapeless_add_module include)
  if(CMAKE_VERSION VERSION_LESS 3.28 OR NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang OR TARGET tapeless_module)
    return()
  endif()
  add_library(tapeless_module STATIC EXCLUDE_FROM_ALL)
  add_library(tapeless::module ALIAS tapeless_module)
  target_sources(tapeless_module PUBLIC FILE_SET CXX_MODULES BASE_DIRS ${include} FILES ${include}/tapeless/tapeless.cppm)
  target_link_libraries(tapeless_module PUBLIC tapeless::tapeless)
endfunction()
