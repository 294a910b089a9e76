# Makes Debian's package of SOURCE in WORK, as doc/how_to/install.md says, checks what it says of itself, and unpacks it.
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -DTAPELESS_BUILD_TESTING=OFF
                        -DTAPELESS_BUILD_EXAMPLES=OFF COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CPACK} -G DEB WORKING_DIRECTORY ${WORK}/build COMMAND_ERROR_IS_FATAL ANY)
set(deb ${WORK}/build/libtapeless-dev_${VERSION}_all.deb)
execute_process(COMMAND ${DPKG_DEB} --field ${deb} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
if(NOT depends MATCHES "^libboost-dev")
  message(FATAL_ERROR "The package depends on: ${depends}")
endif()
execute_process(COMMAND ${DPKG_DEB} --extract ${deb} ${WORK}/unpacked COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${WORK}/unpacked/usr/share/doc/libtapeless-dev/copyright)
  message(FATAL_ERROR "The package has no copyright")
endif()
