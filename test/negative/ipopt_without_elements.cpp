// Constraints of a sum over elements that do not say which entries they read.
// expect: for the objective and for each kind of constraints
// expect-at-most-lines: 15
#include <tapeless/ipopt.hpp>

#include <vector>

const auto problem =
    tapeless::ipopt_problem(std::vector<double>(2), tapeless::elements_of([](auto x) { return x; }, std::vector{0, 1}),
                            [](auto x) { return x[0] - x[1]; });
