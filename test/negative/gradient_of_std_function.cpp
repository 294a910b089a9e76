// expect: it cannot have captures or be a std::bind_front
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <functional>

using namespace tapeless;

const std::function<double(double)> h = [](double u) { return u * u; };
const auto r = gradient(h)(1.0);
