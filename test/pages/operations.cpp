#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;

namespace {

#include "operations.1.hpp"

inline constexpr auto x = variable<"x">;
static_assert(softsign(x)(x = 1.0) == 0.5 && gradient(softsign(x))(x = 1.0)[x] == 0.25);

}  // namespace
