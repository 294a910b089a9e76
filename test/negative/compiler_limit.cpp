// expect: raise its limit, clang -fconstexpr-steps=100000000, g\+\+ -fconstexpr-ops-limit=1000000000
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>

#ifndef STEPS
#define STEPS 240
#endif

using namespace tapeless;
constexpr auto f = [](const auto& x) {
  auto s = x[0];
  for (std::size_t i = 0; i < STEPS; ++i) s = s * x[i % 3] + sin(s);
  return s;
};
const auto h = hessian(f)(std::array{1.0, 2.0, 3.0});
