// Runs every verb while no memory can be had, and compares the results of two translation units.
#include "units.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

bool forbidden = false;

void* allocate(std::size_t size) {
  if (forbidden) {
    std::fputs("memory is allocated\n", stderr);
    std::abort();
  }
  return std::malloc(size);
}

/// Counts what is wrong with the results of two units.
int differences(const small::results& first, const small::results& second, double a) {
  small::comparisons check;
  for (std::size_t i = 0; i < 2; ++i) {
    check(first.formula[i], second.formula[i]);
    check(first.function[i], second.function[i]);
  }
  check(first.own_formula, 2 * a);
  check(second.own_formula, 3 * a * a);
  check(first.own_function, 2 * a);
  check(second.own_function, 3 * a * a);
  return check.failures() + (first.addresses != second.addresses);
}

}  // namespace

int small::comparisons::failures() const {
  int count = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const auto [found, expected, tolerance] = list_[i];
    if (std::fabs(found - expected) <= tolerance * (1 + std::fabs(expected))) continue;
    std::printf("result %zu: %.17g, not %.17g\n", i, found, expected);
    ++count;
  }
  return count;
}

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  // Known at run time only.
  volatile double a = 1.25, b = 0.75, c = -0.5, d = 1.5, zero = 0;
  forbidden = true;
  const auto first = all_verbs(a, b), second = all_verbs(c, d), third = kinks(zero), fourth = loops(a, b);
  const auto of_surface = results_of_surface(a, b), of_second = results_of_second(a, b);
  forbidden = false;
  const int failures = first.failures() + second.failures() + third.failures() + fourth.failures() +
                       differences(of_surface, of_second, a);
  std::printf("%d results are wrong\n", failures);
  return failures == 0 ? 0 : 1;
}
