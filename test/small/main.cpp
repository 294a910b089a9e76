// Runs every verb while no memory can be had.
#include <cstdio>
#include <cstdlib>
#include <new>

int failures_at(double a, double b);

namespace {

bool forbidden = false;

void* allocate(std::size_t size) {
  if (forbidden) {
    std::fputs("memory is allocated\n", stderr);
    std::abort();
  }
  return std::malloc(size);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  volatile double a = 1.25, b = 0.75;
  forbidden = true;
  const int failures = failures_at(a, b) + failures_at(-0.5, 1.5);
  forbidden = false;
  std::printf("%d results are wrong\n", failures);
  return failures;
}
