// Rows of a Jacobian that are computed alike share their instructions: counted in the program that is evaluated.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>

using namespace tapeless;

namespace {

/// Operations on numbers, on two lanes at once, and how often two numbers are put side by side for these.
struct counts {
  int single = 0, paired = 0, side_by_side = 0;
  constexpr bool operator==(const counts&) const = default;
};

template <class Program>
constexpr counts count(const Program& p) {
  counts result;
  for (const program::node& n : p.nodes) {
    if (n.kind != program::node_kind::apply) continue;
    if (n.operation->cost.total() > 0)
      ++(n.operation->two_lanes ? result.paired : result.single);
    else
      result.side_by_side += n.operation->two_lanes;
  }
  return result;
}

/// What is left of a program of x0, x1, y0, y1 and c, of which `body` makes the two outputs, that are suggested.
template <class Body>
constexpr counts paired(Body body) {
  program::builder graph(program::rewrites::evaluation);
  std::array<int, 5> variables{};
  for (int i = 0; i < 5; ++i) variables[static_cast<std::size_t>(i)] = graph.variable(i);
  const auto make = [&](const program::operation_info& operation, int a, int b) {
    const int operands[] = {a, b};
    return graph.append_as_is(operation, operands, 2);
  };
  const std::array<int, 2> outputs = body(make, variables);
  program::detail::node_pairing pairing(graph);
  pairing.suggest(outputs[0], outputs[1]);
  pairing.find_pairs();
  return count(pairing.write(program::builder(program::rewrites::evaluation), outputs));
}

constexpr auto& add = program::info<operation::Add>;
constexpr auto& product = program::info<operation::Multiply>;
constexpr auto& difference = program::info<operation::Subtract>;

// One operand in common, in any place of a product; what only one lane has is put beside the other.
static_assert(paired([](auto make, auto v) {
                return std::array{make(product, v[0], v[4]), make(product, v[4], v[1])};
              }) == counts{0, 1, 1});
static_assert(paired([](auto make, auto v) {
                return std::array{make(difference, v[4], make(product, v[0], v[4])),
                                  make(difference, v[4], make(product, v[1], v[4]))};
              }) == counts{0, 2, 1});
// A difference has its operands in order, and other operations are none for both lanes.
static_assert(paired([](auto make, auto v) {
                return std::array{make(difference, v[0], v[4]), make(difference, v[4], v[1])};
              }) == counts{2, 0, 0});
static_assert(paired([](auto make, auto v) { return std::array{make(add, v[0], v[4]), make(product, v[1], v[4])}; }) ==
              counts{2, 0, 0});
// It does not pay to put both operands of one operation side by side. Where they are there already, it does.
static_assert(paired([](auto make, auto v) {
                return std::array{make(product, v[0], v[2]), make(product, v[1], v[3])};
              }) == counts{2, 0, 0});
static_assert(paired([](auto make, auto v) {
                return std::array{make(add, make(product, v[0], v[4]), v[0]),
                                  make(add, make(product, v[1], v[4]), v[1])};
              }) == counts{0, 2, 1});
// A pair that would wait for itself: none is made.
static_assert(paired([](auto make, auto v) {
                const int first = make(product, v[0], v[4]);
                return std::array{first, make(product, first, v[4])};
              }) == counts{});

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
static_assert(evaluated<float, Point, Point>(value_and_jacobian(seen)) == counts{96, 0, 0});
static_assert(evaluated<double, Point, Point>(value_and_jacobian(seen)) ==
              (lanes ? counts{30, 33, 3} : counts{96, 0, 0}));

// Neighbouring entries of a gradient, where the compiler does not find them itself.
constexpr auto rosenbrock = [](const auto& v) {
  auto sum = 0 * v[0];
  for (std::size_t i = 0; i + 1 < v.size(); ++i) sum = sum + 100 * square(v[i + 1] - v[i] * v[i]) + square(1 - v[i]);
  return sum;
};
using Eight = std::array<double, 8>;
#ifdef __clang__
static_assert(evaluated<double, Eight>(value_and_gradient(rosenbrock)) == counts{71, 0, 0});
#else
static_assert(evaluated<double, Eight>(value_and_gradient(rosenbrock)) ==
              (lanes ? counts{35, 18, 9} : counts{71, 0, 0}));
#endif

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
