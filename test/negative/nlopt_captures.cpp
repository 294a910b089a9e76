// A function with captures for a solver: what it needs is data.
// expect: a traced function, so it cannot have captures
// expect-at-most-lines: 27
#include <tapeless/nlopt.hpp>
#include <tapeless/tapeless.hpp>

void fit(nlopt::opt& optimiser, double k) {
  tapeless::set_min_objective<1>(optimiser, [k](auto p) { return k * p[0] * p[0]; });
}
