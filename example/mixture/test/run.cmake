# cmake -DPROGRAM=FILE -DDIRECTORY=DIR -DEXIT=CODE [-DOUT=REGEX;...] [-DERR=REGEX] [-DMESSAGE=REGEX]
#       [-DLEAVES=FILE;...] -P run.cmake -- ARGUMENT...
# Runs PROGRAM with the arguments in the new directory DIR. Checks its exit status; that standard output matches each
# OUT; that standard error matches ERR, or is one line with a part that matches MESSAGE, or is empty; and that just
# the files LEAVES are in DIR afterwards.
set(arguments "")
set(after_dashes FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(after_dashes)
    list(APPEND arguments "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(after_dashes TRUE)
  endif()
endforeach()

file(REMOVE_RECURSE ${DIRECTORY})
file(MAKE_DIRECTORY ${DIRECTORY})
execute_process(COMMAND ${PROGRAM} ${arguments} WORKING_DIRECTORY ${DIRECTORY}
                RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
message("${out}${err}")
file(GLOB_RECURSE left RELATIVE ${DIRECTORY} ${DIRECTORY}/*)
list(SORT left)
list(SORT LEAVES)

if(DEFINED MESSAGE)
  set(ERR "^mixture: [^\n]*${MESSAGE}[^\n]*\n$")
elseif(NOT DEFINED ERR)
  set(ERR "^$")
endif()
if(NOT "${status}" STREQUAL "${EXIT}")
  message(SEND_ERROR "exit status ${status}, not ${EXIT}")
endif()
foreach(pattern IN LISTS OUT)
  if(NOT "${out}" MATCHES "${pattern}")
    message(SEND_ERROR "standard output does not match: ${pattern}")
  endif()
endforeach()
if(NOT "${err}" MATCHES "${ERR}")
  message(SEND_ERROR "standard error does not match: ${ERR}")
endif()
if(NOT "${left}" STREQUAL "${LEAVES}")
  message(SEND_ERROR "the files left are '${left}', not '${LEAVES}'")
endif()
