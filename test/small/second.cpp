// A second translation unit with the formulas and functions of surface.hpp, after others of its own.
#include <tapeless/tapeless.hpp>

namespace {

constexpr auto before = [](auto p) { return tapeless::gradient([](auto q) { return exp(q); })(p); };
static_assert(tapeless::gradient(before)(0.0) == 1);

}  // namespace

#include "surface.hpp"

// surface.cpp gives these names to something else.
constexpr auto own_formula = small::x * small::x * small::x;
constexpr auto own_function = [](auto p) { return p * p * p; };

small::results results_of_second(double a, double b) { return small::results_at(own_formula, own_function, a, b); }
