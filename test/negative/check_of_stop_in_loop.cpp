// expect: check_gradient cannot hold what a stop inside a loop or a call has in each step
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto in_call = [](auto p) { return call([](auto a) { return a * stop_gradient(a); }, p); };
const auto report = check_gradient(in_call)(2.0);
