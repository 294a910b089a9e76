// expect: eigh has no derivatives where values repeat
// expect-at-most-lines: 11
#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto values = eigh(a);
