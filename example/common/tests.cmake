find_program(GNUPLOT gnuplot)

# example_test(PROGRAM NAME ARGS ARGUMENT... [EXIT CODE] [OUT REGEX...] [ERR REGEX] [MESSAGE REGEX] [LEAVES FILE...]
#              [ENV NAME=VALUE...] [AGREES FILE]): the test PROGRAM.NAME, see run.cmake. The run has the directory NAME to
#              itself. AGREES: its output is FILE, but for rounding errors of numbers.
function(example_test program name)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "EXIT;ERR;MESSAGE;AGREES" "OUT;LEAVES;ARGS;ENV")
  set(expected "-DEXIT=0")
  if(DEFINED test_EXIT)
    set(expected "-DEXIT=${test_EXIT}")
  endif()
  foreach(stream IN ITEMS ERR MESSAGE)
    if(DEFINED test_${stream})
      list(APPEND expected "-D${stream}=${test_${stream}}")
    endif()
  endforeach()
  set(agree "")
  if(DEFINED test_AGREES)
    if(NOT TARGET example_agree)
      add_executable(example_agree ${PROJECT_SOURCE_DIR}/example/common/agree.cpp)
      target_compile_features(example_agree PRIVATE cxx_std_20)
    endif()
    set(agree "$<TARGET_FILE:example_agree>;${test_AGREES}")
  endif()
  add_test(NAME ${program}.${name}
           COMMAND ${CMAKE_COMMAND} "-DPROGRAM=${CMAKE_COMMAND};-E;env;${test_ENV};$<TARGET_FILE:${program}>"
                   -DDIRECTORY=${CMAKE_CURRENT_BINARY_DIR}/${name} ${expected} "-DOUT=${test_OUT}"
                   "-DLEAVES=${test_LEAVES}" "-DAGREE=${agree}" -P ${PROJECT_SOURCE_DIR}/example/common/run.cmake -- ${test_ARGS})
endfunction()

# example_rejects(PROGRAM NAME PATTERN ARGUMENT...): exit status 2, one line that matches, no file left behind.
function(example_rejects program name pattern)
  example_test(${program} ${name} EXIT 2 MESSAGE "${pattern}" ARGS ${ARGN})
endfunction()

# example_picture(PROGRAM [FILE...]): sets `picture` to what example_test expects of a run that draws PROGRAM.svg and writes
# FILEs beside it.
macro(example_picture program)
  set(picture LEAVES ${ARGN} ${program}.gnuplot ${program}.svg)
  if(NOT GNUPLOT)
    set(picture LEAVES ${ARGN} ${program}.gnuplot MESSAGE "gnuplot is not installed")
  endif()
endmacro()

# example_agrees(PROGRAM FILE): the test PROGRAM.FILE: with data/FILE.txt the program prints what JAX found, which
# test/FILE.expected says.
function(example_agrees program file)
  example_test(${program} ${file} ARGS ${CMAKE_CURRENT_SOURCE_DIR}/../data/${file}.txt
               AGREES ${CMAKE_CURRENT_SOURCE_DIR}/${file}.expected)
endfunction()
