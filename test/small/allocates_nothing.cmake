# cmake -DNM=PROGRAM -DOBJECTS=FILE;... -P allocates_nothing.cmake
# Object files of a small target: they refer to nothing but the C library's mathematical functions, copies of memory and
# what one of them defines; so to no operator new, malloc or __cxa_throw. They have no type information, virtual table
# or variable that is initialised at run time.
cmake_minimum_required(VERSION 3.25)

set(mathematics "a?(sin|cos|tan)h?|atan2|sincos|exp2?|expm1|log(10|2|1p)?|pow|sqrt|cbrt|hypot|remainder|erfc?|round")
set(allowed "^(((${mathematics})[fl]?)|mem(cpy|move|set)|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$")

set(defined "")
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND ${NM} --format=posix ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" symbols "${symbols}")
  set(undefined "")
  foreach(symbol IN LISTS symbols)
    if(symbol MATCHES "^([^ ]+) [Uw]")
      list(APPEND undefined ${CMAKE_MATCH_1})
    elseif(symbol MATCHES "^([^ ]+) ")
      list(APPEND defined ${CMAKE_MATCH_1})
    endif()
    if(symbol MATCHES "^(_ZT[ISV]|_ZGV|_GLOBAL__sub_I)")
      message(SEND_ERROR "${object} has ${symbol}")
    endif()
  endforeach()
  list(FILTER undefined EXCLUDE REGEX "${allowed}")
  set(undefined_in_${object} ${undefined})
endforeach()

foreach(object IN LISTS OBJECTS)
  set(undefined ${undefined_in_${object}})
  list(REMOVE_ITEM undefined ${defined} "")
  if(undefined)
    message(SEND_ERROR "${object} refers to ${undefined}")
  else()
    message("${object} refers to no heap, exception or type information")
  endif()
endforeach()
