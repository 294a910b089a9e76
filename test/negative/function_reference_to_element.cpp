// expect: decltype.x.0.. is a reference; write std::remove_cvref_t<decltype.x.0..> s
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>

const auto g = tapeless::gradient([](const auto& q) {
  decltype(q[0]) sum = 0.0;
  for (const auto& each : q) sum = sum + each * each;
  return sum;
})(std::array{1.0, 2.0});
