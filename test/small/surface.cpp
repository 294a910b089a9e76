// Compiled with -fno-exceptions -fno-rtti. The object file may know no heap, no exception and no type information:
// allocates_nothing.cmake looks at its symbols.
#define TAPELESS_NO_HEAP
#include "surface.hpp"

// The other unit gives these names to something else.
constexpr auto own_formula = small::x * small::x;
constexpr auto own_function = [](auto p) { return p * p; };

small::comparisons all_verbs(double a, double b) { return small::all_verbs(a, b); }
small::comparisons loops(double a, double b) { return small::loops(a, b); }
small::comparisons kinks(double zero) { return small::kinks(zero); }

small::results results_of_surface(double a, double b) { return small::results_at(own_formula, own_function, a, b); }
