// TensorFlow's "Unknown value for unconnected_gradients: nonsense", which here is no value of any type.
// expect: after wrt\(...\) only unconnected::structural, materialise or strict
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient(x * x, wrt(x), "nonsense")(x = 1.0);
