include(CMakeFindDependencyMacro)
find_dependency(Boost 1.74 CONFIG)
find_package(xtensor CONFIG QUIET)  # needed for tensors only
include(${CMAKE_CURRENT_LIST_DIR}/tapelessTargets.cmake)
