# A project in WORK that takes the library from packaging/meson by MESON. An archive of the headers in SOURCE stands in
# for the download.
set(name tapeless-${VERSION})
file(REMOVE_RECURSE ${WORK})
file(COPY ${SOURCE}/test/package/meson/meson.build ${SOURCE}/test_package/main.cpp DESTINATION ${WORK})
file(COPY ${SOURCE}/packaging/meson/ DESTINATION ${WORK}/subprojects)
file(COPY ${SOURCE}/include DESTINATION ${WORK}/archive/${name})

set(archive ${WORK}/subprojects/packagecache/${name}.tar.gz)
file(MAKE_DIRECTORY ${WORK}/subprojects/packagecache)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${archive} ${name} WORKING_DIRECTORY ${WORK}/archive
                COMMAND_ERROR_IS_FATAL ANY)
file(SHA256 ${archive} hash)
file(READ ${WORK}/subprojects/tapeless.wrap wrap)
string(REGEX REPLACE "0000+" ${hash} wrap "${wrap}")
file(WRITE ${WORK}/subprojects/tapeless.wrap "${wrap}")

foreach(command IN ITEMS "${MESON};setup;--wrap-mode=forcefallback;build" "${MESON};compile;-C;build" build/consumer)
  execute_process(COMMAND ${command} WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
