// expect: an operation without a derivative rule is differentiated
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
struct Plain {
  static constexpr std::string_view name = "plain";
  static constexpr auto value = [](auto v) { return v; };
};
template <Symbolic E>
constexpr auto plain(const E& e) {
  return apply<Plain>(e);
}
const auto g = gradient([](auto a) { return a * plain(sin(a)); })(1.0);
