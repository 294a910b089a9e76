# cmake -DCOMPILER=CC -DFOLDER=DIRECTORY -DNAME=NAME "-DOPTIONS=OPTION;..." -P compile_and_run.cmake
# Compiles DIRECTORY/functions.c with the options and DIRECTORY/main.c without, and runs both.
execute_process(COMMAND ${COMPILER} ${OPTIONS} -c functions.c -o functions.${NAME}.o
                WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${COMPILER} -std=c99 -w main.c functions.${NAME}.o -lm -o main.${NAME}
                WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${FOLDER}/main.${NAME} COMMAND_ERROR_IS_FATAL ANY)
