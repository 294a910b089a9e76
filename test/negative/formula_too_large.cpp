// expect: the formula repeats shared parts until its type.s name has more than 100000 parts
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

template <int N, class E>
constexpr auto squares(const E& e) {
  if constexpr (N == 0)
    return e;
  else
    return squares<N - 1>(e * e);
}
const auto v = squares<20>(x + y)(x = 1.0, y = 1.0);
