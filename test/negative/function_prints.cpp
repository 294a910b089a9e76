// expect: it calls or reads what is not constexpr
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <iostream>

using namespace tapeless;

constexpr auto h = [](auto u) {
  std::cout << u;
  return u * u;
};
const auto r = gradient(h)(1.0);
