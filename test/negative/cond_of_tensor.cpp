// expect: the condition of cond and while_loop is one number, such as amax
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](auto h) { return sum(cond(h > 0, [&] { return h; }, [&] { return 2 * h; })) + sum(outer(h, h)); };
auto call(const xt::xtensor<double, 1>& h) { return gradient(f)(h); }
