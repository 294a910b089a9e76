// expect: transform_leaves returns tensors of the types it is given, so these cannot be views
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <span>

const double numbers[] = {1, 2, 3};
const auto twice = tapeless::transform_leaves([](double a) { return 2 * a; }, std::span(numbers));
