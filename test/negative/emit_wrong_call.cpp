// expect: tapeless: emit cannot write a call that does not compile; call the verb to see why
// expect-at-most-lines: 20
#include <tapeless/tapeless.hpp>

#include <tapeless/emit.hpp>

using namespace tapeless;
const auto g = emit<c99, "slope">(gradient([](auto x) { return std::array{x, x}; }), 1.0);
