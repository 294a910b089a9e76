// expect: the structures of transform_leaves must have the same shape
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto sum = transform_leaves([](auto a, auto b) { return a + b; }, std::tuple(1.0, 2.0), std::tuple(1.0));
