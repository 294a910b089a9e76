# cmake -DCOMPILER=CC -DFOLDER=DIRECTORY -DNAME=NAME "-DOPTIONS=OPTION;..." ["-DRUN=EMULATOR;..."] -P compile_and_run.cmake
# Compiles DIRECTORY/functions.c with the options and DIRECTORY/main.c without, both with -DEVERYWHERE=OPTION, and runs
# them; those for an emulator need no library of its machine.
if(RUN)
  set(static -static)
endif()
execute_process(COMMAND ${COMPILER} ${OPTIONS} ${EVERYWHERE} -c functions.c -o functions.${NAME}.o
                WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${COMPILER} -std=c99 -w ${EVERYWHERE} main.c functions.${NAME}.o -lm ${static} -o main.${NAME}
                WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${RUN} ${FOLDER}/main.${NAME} COMMAND_ERROR_IS_FATAL ANY)
