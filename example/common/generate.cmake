# cmake "-DGENERATE=PROGRAM[;ARGUMENT...]" [-DROWS=N] [-DOPTION=NAME] -DOUTPUT=FILE [-DSHIPPED=FILE] -P generate.cmake
# Generates OUTPUT, named after the option or taken from standard output, and checks that it has the same bytes as
# SHIPPED.
if(DEFINED OPTION)
  execute_process(COMMAND ${GENERATE} ${OPTION} ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
else()
  execute_process(COMMAND ${GENERATE} ${ROWS} OUTPUT_FILE ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
endif()
if(DEFINED SHIPPED)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${OUTPUT} ${SHIPPED} COMMAND_ERROR_IS_FATAL ANY)
endif()
