// expect: both functions of cond must return results of the same rank
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](auto h) { return sum(cond(sum(h) > 0, [&] { return h; }, [&] { return outer(h, h); })); };
auto call(const xt::xtensor<double, 1>& h) { return gradient(f)(h); }
