// Rows of a Jacobian that are computed alike share their instructions: how few there are in the program evaluated.
#include "program_text.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>

using namespace tapeless;

namespace {

/// Operations, those of them on two lanes at once, and how often two numbers are put side by side for these.
struct counts {
  int operations = 0, in_lanes = 0, side_by_side = 0;
};
template <class Program>
constexpr counts count(const Program& p) {
  counts result;
  for (const program::node& n : p.nodes) {
    if (n.kind != program::node_kind::apply) continue;
    const bool executed = n.operation->cost.total() > 0;
    result.operations += executed, result.in_lanes += executed && n.operation->two_lanes;
    result.side_by_side += !executed && n.operation->two_lanes;
  }
  return result;
}
constexpr bool within(const counts& found, const counts& most) {
  return found.operations <= most.operations && found.in_lanes <= most.in_lanes &&
         found.side_by_side <= most.side_by_side;
}

/// What is left of a formula of two outputs where these are suggested as a pair.
constexpr counts paired(const char* formula) {
  program::builder graph;
  const program::growing_array<int> outputs = program_text::parser(formula, graph, true, {}).outputs();
  program::detail::node_pairing pairing(graph);
  pairing.suggest(outputs[0], outputs[1]);
  pairing.find_pairs();
  return count(pairing.write(program::builder(program::stage::evaluation), outputs));
}

// One operand in common, in any place of a product; what only one lane has is put beside the other.
static_assert(within(paired("x * z; z * y"), {.operations = 1, .in_lanes = 1, .side_by_side = 1}));
static_assert(within(paired("z - x * z; z - y * z"), {.operations = 2, .in_lanes = 2, .side_by_side = 1}));
// A difference has its operands in order, and other operations are none for both lanes.
static_assert(within(paired("x - z; z - y"), {.operations = 2}));
static_assert(within(paired("x + z; y * z"), {.operations = 2}));
// It does not pay to put both operands of one operation side by side. Where they are there already, it does.
static_assert(within(paired("x * u; y * v"), {.operations = 2}));
static_assert(within(paired("x * z + x; y * z + y"), {.operations = 2, .in_lanes = 2, .side_by_side = 1}));
// A pair that would wait for itself: none is made.
static_assert(within(paired("x * z; (x * z) * z"), {.operations = 2}));

// A turned point seen by a camera with distortion, p + r x p + r x (r x p): its two rows.
constexpr auto seen = [](const auto& r, const auto& p) {
  auto q = p, t = p;
  for (int turn = 0; turn < 2; ++turn) {
    t = {r[1] * t[2] - r[2] * t[1], r[2] * t[0] - r[0] * t[2], r[0] * t[1] - r[1] * t[0]};
    for (std::size_t i = 0; i < 3; ++i) q[i] = q[i] + t[i];
  }
  const auto u = q[0] / q[2], v = q[1] / q[2], distortion = 1 + (u * u + v * v);
  return std::array{u * distortion, v * distortion};
};
using Point = std::array<double, 3>;
template <class T, class... Args, class Verb>
constexpr counts evaluated(const Verb& verb) {
  using finished = typename decltype(detail::program_of_function<Args...>(verb))::type;
  return count(program::paired<finished, T>::type::value);
}
constexpr bool lanes = math::has_two_lanes<double>;
static_assert(within(evaluated<float, Point, Point>(value_and_jacobian(seen)), {.operations = 96}));
static_assert(within(evaluated<double, Point, Point>(value_and_jacobian(seen)),
                     lanes ? counts{.operations = 63, .in_lanes = 33, .side_by_side = 3} : counts{.operations = 96}));

// Neighbouring entries of a gradient, where the compiler does not find them itself.
constexpr auto rosenbrock = [](const auto& v) {
  auto sum = 0 * v[0];
  for (std::size_t i = 0; i + 1 < v.size(); ++i) sum = sum + 100 * square(v[i + 1] - v[i] * v[i]) + square(1 - v[i]);
  return sum;
};
using Eight = std::array<double, 8>;
#ifdef __clang__
constexpr counts most{.operations = 71};
#else
constexpr counts most = lanes ? counts{.operations = 53, .in_lanes = 18, .side_by_side = 9} : counts{.operations = 71};
#endif
static_assert(within(evaluated<double, Eight>(value_and_gradient(rosenbrock)), most));

// In constant evaluation too, where each lane is rounded as a number of its own is.
template <class T>
constexpr auto at = value_and_jacobian(seen)(std::array<T, 3>{1, -2, 3}, std::array<T, 3>{0.5, 4, -1});
static_assert([] {
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 6; ++column) {
      const auto error = at<double>.jacobian[row][column] - at<long double>.jacobian[row][column];
      if (!(-1e-13L < error && error < 1e-13L)) return false;
    }
  return true;
}());

}  // namespace
