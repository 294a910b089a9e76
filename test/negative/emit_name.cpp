// expect: tapeless: the name of an emitted function must be an identifier that C does not use itself
// expect-at-most-lines: 20
#include <tapeless/tapeless.hpp>

#include <tapeless/emit.hpp>

using namespace tapeless;
const auto g = emit<c99, "double">(gradient([](auto x) { return x * x; }), 1.0);
