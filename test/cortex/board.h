/* What the programs need of a board: text, a count of instructions, and the depth of the stack. */
#ifndef TAPELESS_TEST_CORTEX_BOARD_H
#define TAPELESS_TEST_CORTEX_BOARD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void print(const char *text);
void print_number(uint32_t number);
/* Ends the emulator; not 0 for a failure. */
void leave(int status);

struct spent {
  uint32_t instructions;
  uint32_t stack; /* in bytes */
};
/* Of a call of the function. */
struct spent measure(void (*function)(void));

#ifdef __cplusplus
}
#endif

#endif
