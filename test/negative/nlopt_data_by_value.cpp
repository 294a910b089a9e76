// NLopt keeps an address; the message of C++ was that no function matches.
// expect: NLopt keeps one address: set_min_objective<n>\(opt, f, &data\)
// expect-at-most-lines: 15
#include <tapeless/nlopt.hpp>
#include <tapeless/tapeless.hpp>

#include <vector>

void fit(nlopt::opt& optimiser, const std::vector<double>& y) {
  using namespace tapeless;
  set_min_objective<1>(
      optimiser,
      [](auto p, const auto& data) { return scan([&](auto c, auto v) { return c + square(v - p[0]); }, 0.0, data); },
      y);
}
