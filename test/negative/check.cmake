# Compiles SOURCE with COMPILER, which must fail with an output that matches the regular expression in each of the
# file's lines
#   // expect: REGEX
# and has no more lines than
#   // expect-at-most-lines: N     (40 where the file does not say)
# compiled with the options in
#   // options: OPTION...
# PRECOMPILED holds precompiled headers: tapeless/tapeless.hpp.gch, tapeless/xtensor.hpp.gch.
file(STRINGS ${SOURCE} expectations REGEX "^// expect: ")
if(NOT expectations)
  message(FATAL_ERROR "${SOURCE} has no line '// expect: REGEX'")
endif()
list(TRANSFORM expectations REPLACE "^// expect: " "")

set(most_lines 40)
file(STRINGS ${SOURCE} limit REGEX "^// expect-at-most-lines: [0-9]+$" LIMIT_COUNT 1)
if(limit)
  string(REPLACE "// expect-at-most-lines: " "" most_lines ${limit})
endif()

file(STRINGS ${SOURCE} options REGEX "^// options: " LIMIT_COUNT 1)
string(REPLACE "// options: " "" options "${options}")
separate_arguments(options)

list(TRANSFORM INCLUDES PREPEND -I)
# g++ takes a precompiled header for the one of that name where options allow it; clang is told to, where there are none,
# and may read that of tensors before any other.
file(STRINGS ${SOURCE} first_include REGEX "^#include " LIMIT_COUNT 1)
string(REGEX REPLACE "^#include <(.*)>$" "\\1" header "${first_include}")
if(COMPILER MATCHES "clang" AND NOT options AND EXISTS ${PRECOMPILED})
  if(NOT EXISTS ${PRECOMPILED}/${header}.gch)
    set(header tapeless/xtensor.hpp)
  endif()
  list(APPEND options -include-pch ${PRECOMPILED}/${header}.gch)
endif()
set(ENV{LC_ALL} C)
execute_process(COMMAND $ENV{CMAKE_CXX_COMPILER_LAUNCHER} ${COMPILER} -std=c++20 -fsyntax-only ${options} -I${PRECOMPILED}
                        ${INCLUDES} ${SOURCE}
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)

string(REGEX MATCHALL "\n" newlines "${output}")
list(LENGTH newlines lines)
message("${output}")
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles")
elseif(lines GREATER most_lines)
  message(FATAL_ERROR "${lines} lines of output, more than ${most_lines}")
endif()
foreach(expectation IN LISTS expectations)
  if(NOT output MATCHES "${expectation}")
    message(FATAL_ERROR "no match for: ${expectation}")
  endif()
endforeach()
