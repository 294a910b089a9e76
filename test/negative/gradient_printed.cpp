// expect: print numbers: call the verb
// expect-at-most-lines: 20
#include <ostream>
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

void print(std::ostream& out) {
  out << gradient(x * y)(x = 1.0, y = 2.0);
  out << gradient([](auto a) { return a * a; });
}
