# cmake -DGENERATE=PROGRAM -DROWS=N -DOUTPUT=FILE [-DSHIPPED=FILE] -P generate.cmake
# Generates OUTPUT and checks that it has the same bytes as SHIPPED.
execute_process(COMMAND ${GENERATE} ${ROWS} OUTPUT_FILE ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
if(DEFINED SHIPPED)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${OUTPUT} ${SHIPPED} COMMAND_ERROR_IS_FATAL ANY)
endif()
