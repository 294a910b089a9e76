// Where enzyme.py leaves the addresses of the functions that Enzyme compiled in this process.
#include "problem.hpp"

#include <map>

namespace peers {
namespace {

using compiled = void (*)(const double* in, const double* data, double* out);
compiled functions[5];

template <std::size_t I>
void call(const problem& p, const double* in, double* out) {
  functions[I](in, p.data.data(), out);
}
constexpr evaluator calls[] = {call<0>, call<1>, call<2>, call<3>, call<4>};

}  // namespace
}  // namespace peers

/// Makes the function at an address the way of Enzyme for a problem of numbers, S1 to S5.
extern "C" void add_enzyme(const char* problem, void* address) {
  const auto i = static_cast<std::size_t>(problem[1] - '1');
  peers::functions[i] = reinterpret_cast<peers::compiled>(address);
  peers::candidates().push_back({problem, "Enzyme", peers::calls[i]});
}
