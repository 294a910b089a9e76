/* Start-up for Cortex-M4F and M7 on the boards mps2-an386 and mps2-an500 of qemu, without a C library. */
#include "board.h"

extern uint32_t data_begin[], data_end[], data_in_code[], bss_begin[], bss_end[], stack_top[];
int main(void);

static uint32_t semihosting(uint32_t operation, const void *argument)
{
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void print(const char *text) { semihosting(0x04, text); }

void print_number(uint32_t number)
{
  char text[11];
  int at = 10;
  text[at] = '\0';
  do {
    text[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  print(text + at);
}

void leave(int status)
{
  const uint32_t exited[2] = {0x20026, (uint32_t)status};
  semihosting(0x20, exited);
  for (;;) {
  }
}

static void fault(void)
{
  print("fault\n");
  leave(1);
}

void reset(void)
{
  uint32_t *to;
  const uint32_t *from = data_in_code;
  for (to = data_begin; to < data_end;) *to++ = *from++;
  for (to = bss_begin; to < bss_end;) *to++ = 0;
  *(volatile uint32_t *)0xE000ED88 |= 0xFU << 20; /* the floating-point unit */
  __asm__ volatile("dsb\n isb");
  *(volatile uint32_t *)0x40000008 = 0xFFFFFFFFU; /* timer 0 counts down from here */
  *(volatile uint32_t *)0x40000000 = 1;
  leave(main());
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault};

/* With `-icount shift=10` an instruction takes 1024 ns; the timer counts at 25 MHz. */
static uint32_t timer(void) { return *(volatile uint32_t *)0x40000004; }

static void nothing(void) {}

__attribute__((noinline, noclone)) static uint32_t ticks_of(void (*function)(void))
{
  const uint32_t before = timer();
  function();
  return before - timer();
}

struct spent measure(void (*function)(void))
{
  enum { words = 16384, paint = 0x5A5A5A5A };
  struct spent result;
  volatile uint32_t *stack;
  uint32_t ticks;
  int i, without;
  __asm__ volatile("mov %0, sp" : "=r"(stack));
  stack -= words;
  for (i = 0; i < words; ++i) stack[i] = paint;
  (void)ticks_of(nothing); /* the emulator counts otherwise while it translates */
  ticks = ticks_of(nothing);
  for (without = 0; stack[without] == paint;) ++without;
  (void)ticks_of(function);
  ticks = ticks_of(function) - ticks;
  for (i = 0; stack[i] == paint;) ++i;
  result.stack = 4U * (uint32_t)(without - i);
  result.instructions = (ticks * 5U + 64U) / 128U;
  return result;
}
