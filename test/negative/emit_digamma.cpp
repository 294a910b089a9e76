// expect: tapeless: emit has no text for an operation of the function; operation_without_text<...> names it
// expect: operation_without_text<tapeless::operation::Polygamma<0>
// expect-at-most-lines: 20
#include <tapeless/tapeless.hpp>

#include <tapeless/emit.hpp>

using namespace tapeless;
const auto g = emit<c99, "slope">(gradient([](auto x) { return lgamma(x); }), 1.0);
