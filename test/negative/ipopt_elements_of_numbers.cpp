// Elements that are no indices.
// expect: assemble takes .x, elements, data
// expect-at-most-lines: 30
#include <tapeless/ipopt.hpp>

#include <vector>

const auto problem =
    tapeless::ipopt_problem(std::vector<double>(2), tapeless::elements_of([](auto x) { return x; }, std::vector{0.5}));
