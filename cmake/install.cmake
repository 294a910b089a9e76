# Headers, targets and version for find_package(tapeless), in the install tree and in the build tree, and for pkg-config;
# and Debian's package of them, by `cpack -G DEB`.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/tapeless)

install(TARGETS tapeless EXPORT tapelessTargets FILE_SET HEADERS)
install(FILES include/tapeless/tapeless.cppm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tapeless)
install(TARGETS tapeless_tensor EXPORT tapelessTensorTargets)
foreach(export IN ITEMS tapelessTargets tapelessTensorTargets)
  install(EXPORT ${export} NAMESPACE tapeless:: DESTINATION ${package_dir})
  export(EXPORT ${export} NAMESPACE tapeless::)
endforeach()

write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tapelessConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
set(configuration ${PROJECT_BINARY_DIR}/tapelessConfigVersion.cmake)
foreach(file IN ITEMS tapelessConfig.cmake tapelessHana.cmake tapelessModule.cmake tapelessMpi.cmake tapelessXtensor.cmake)
  configure_file(cmake/${file} ${PROJECT_BINARY_DIR}/${file} COPYONLY)
  list(APPEND configuration ${PROJECT_BINARY_DIR}/${file})
endforeach()
install(FILES ${configuration} DESTINATION ${package_dir})

# Hana that is not the system's goes with the headers.
get_target_property(hana tapeless::hana INTERFACE_INCLUDE_DIRECTORIES)
if(hana AND NOT hana STREQUAL TAPELESS_SYSTEM_HANA)
  install(DIRECTORY ${hana}/boost TYPE INCLUDE FILES_MATCHING PATTERN hana.hpp PATTERN hana/*)
endif()

foreach(file IN ITEMS tapeless.pc tapeless-tensor.pc)
  configure_file(cmake/${file}.in ${PROJECT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
endforeach()

# A surrounding project makes its own package.
if(PROJECT_IS_TOP_LEVEL)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtapeless-dev RENAME copyright
          COMPONENT Debian EXCLUDE_FROM_ALL)
  set(CPACK_INSTALL_CMAKE_PROJECTS ${PROJECT_BINARY_DIR} tapeless ALL / ${PROJECT_BINARY_DIR} tapeless Debian /)
  set(CPACK_PACKAGE_NAME libtapeless-dev)
  set(CPACK_PACKAGE_CONTACT "OWNER <https://github.com/OWNER/tapeless>")
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libboost-dev (>= 1.74)")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libxtensor-dev (>= 0.24), libxsimd-dev")
  include(CPack)
endif()
