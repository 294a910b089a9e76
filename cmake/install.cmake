# Headers, target and version for find_package(tapeless), in the install tree and in the build tree.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/tapeless)

install(TARGETS tapeless EXPORT tapelessTargets FILE_SET HEADERS)
install(EXPORT tapelessTargets NAMESPACE tapeless:: DESTINATION ${package_dir})
export(EXPORT tapelessTargets NAMESPACE tapeless::)

configure_file(cmake/tapelessConfig.cmake ${PROJECT_BINARY_DIR}/tapelessConfig.cmake COPYONLY)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tapelessConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/tapelessConfig.cmake ${PROJECT_BINARY_DIR}/tapelessConfigVersion.cmake
        DESTINATION ${package_dir})
