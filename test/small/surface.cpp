// The object file of this translation unit, compiled with -fno-exceptions -fno-rtti, may know no heap, no exception and
// no type information: allocates_nothing.cmake looks at its symbols.
#include "surface.hpp"

int failures_at(double a, double b) { return small::failures_at(a, b); }
