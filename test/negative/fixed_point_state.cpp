// expect: fixed_point.f, x0, args.... starts from a number or a std::array of numbers
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return fixed_point([](auto x, auto) { return x; }, std::tuple(a, a), a); })(0.5);
