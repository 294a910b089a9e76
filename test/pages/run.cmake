# cmake -DPROGRAM=FILE -DTEXT=FILE -P run.cmake
# Runs PROGRAM; it succeeds, and prints what is in TEXT where that file exists.
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE status OUTPUT_VARIABLE printed)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "exit status ${status}")
endif()
if(EXISTS ${TEXT})
  file(READ ${TEXT} expected)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "printed:\n${printed}\non the page:\n${expected}")
  endif()
endif()
