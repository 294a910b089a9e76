// expect: give the most steps of a while_loop: while_loop.condition, body, init, most
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto doubled = [](auto x) {
  return while_loop([](auto c) { return c < 1; }, [](auto c) { return 2 * c; }, x);
};
double slope(double x) { return gradient(doubled)(x); }
