// Sums over elements, against derivatives by hand.
#include <tapeless/assemble.hpp>
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// Runs parts on threads, the last part first.
struct on_threads {
  int threads;
};
template <>
struct tapeless::detail::engine_of<on_threads> {
  static constexpr bool is_policy = true;
  const on_threads& policy;

  template <class Body>
  void operator()(std::ptrdiff_t count, Body body) const {
    std::vector<std::thread> all;
    for (int t = 0; t < policy.threads; ++t)
      all.emplace_back([&, t] {
        for (std::ptrdiff_t part = count - 1 - t; part >= 0; part -= policy.threads) body(part);
      });
    for (std::thread& each : all) each.join();
  }
};

using namespace tapeless;

namespace {

using Point = std::array<double, 2>;
using Quadrilateral = std::array<int, 4>;
using Slopes = std::array<Point, 4>;

// The energy of a neo-Hookean material in a four-node element with one point of integration.
constexpr auto energy = [](auto a, auto b, auto c, auto d, auto slopes, auto area) {
  std::array<std::array<decltype(area), 2>, 2> f;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      f[i][j] = a[i] * slopes[0][j] + b[i] * slopes[1][j] + c[i] * slopes[2][j] + d[i] * slopes[3][j];
  const auto volume = log(det(f));
  return area * (dot(f[0], f[0]) + dot(f[1], f[1]) - 2 - 2 * volume + 1.5 * volume * volume) / 2;
};

/// A deformed sheet of n x n elements.
struct sheet {
  std::vector<Point> points;
  std::vector<Quadrilateral> elements;
  std::vector<Slopes> slopes;
  std::vector<double> areas;

  explicit sheet(int n) {
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) points.push_back({j + 0.1 * std::sin(i + 2.0 * j), i + 0.1 * std::cos(3.0 * i - j)});
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int first = i * (n + 1) + j;
        elements.push_back({first, first + 1, first + n + 2, first + n + 1});
        slopes.push_back({Point{-0.5, -0.5}, Point{0.5, -0.5}, Point{0.5, 0.5}, Point{-0.5, 0.5}});
        areas.push_back(1 + 0.25 * j);
      }
  }
};

/// Value, gradient and dense Hessian by the textbook's formulas.
struct by_hand {
  double value = 0;
  std::vector<double> gradient;
  std::vector<std::vector<double>> hessian;

  explicit by_hand(const sheet& s)
      : gradient(2 * s.points.size()), hessian(2 * s.points.size(), std::vector<double>(2 * s.points.size())) {
    for (std::size_t e = 0; e < s.elements.size(); ++e) {
      double f[2][2] = {};
      const auto node = [&](std::size_t k) { return static_cast<std::size_t>(s.elements[e][k]); };
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 2; ++i)
          for (std::size_t j = 0; j < 2; ++j) f[i][j] += s.points[node(k)][i] * s.slopes[e][k][j];
      const double volume = f[0][0] * f[1][1] - f[0][1] * f[1][0], l = std::log(volume), area = s.areas[e];
      value +=
          area / 2 *
          (f[0][0] * f[0][0] + f[0][1] * f[0][1] + f[1][0] * f[1][0] + f[1][1] * f[1][1] - 2 - 2 * l + 1.5 * l * l);
      const double inverse[2][2] = {{f[1][1] / volume, -f[0][1] / volume}, {-f[1][0] / volume, f[0][0] / volume}};
      double q[4][2];  // inverse' slopes
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 2; ++i)
          q[k][i] = inverse[0][i] * s.slopes[e][k][0] + inverse[1][i] * s.slopes[e][k][1];
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 2; ++i) {
          gradient[2 * node(k) + i] +=
              area * (f[i][0] * s.slopes[e][k][0] + f[i][1] * s.slopes[e][k][1] + (1.5 * l - 1) * q[k][i]);
          for (std::size_t m = 0; m < 4; ++m)
            for (std::size_t j = 0; j < 2; ++j)
              hessian[2 * node(k) + i][2 * node(m) + j] +=
                  area * ((i == j ? dot(s.slopes[e][k], s.slopes[e][m]) : 0) + (1 - 1.5 * l) * q[k][j] * q[m][i] +
                          1.5 * q[k][i] * q[m][j]);
        }
    }
  }
};

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_of_a_sheet) {
  // 7 x 7 elements leave one for the last block.
  const sheet s(7);
  const by_hand expected(s);
  const auto r = assemble(hessian(energy))(s.points, s.elements, s.slopes, s.areas);
  const auto g = assemble(value_and_gradient(energy))(s.points, s.elements, s.slopes, s.areas);
  BOOST_TEST(std::abs(r.value - expected.value) <= 1e-12);
  BOOST_TEST(std::abs(g.value - expected.value) <= 1e-12);
  BOOST_REQUIRE(r.hessian.row_begin.size() == 129u);
  for (std::size_t i = 0; i < 128; ++i) {
    BOOST_TEST(std::abs(r.gradient[i / 2][i % 2] - expected.gradient[i]) <= 1e-13);
    BOOST_TEST(std::abs(g.gradient[i / 2][i % 2] - expected.gradient[i]) <= 1e-13);
    for (std::size_t j = 0; j < 128; ++j) BOOST_TEST(std::abs(r.hessian(i, j) - expected.hessian[i][j]) <= 1e-13);
  }
  // Corners, edges and what lies inside meet 4, 6 and 9 nodes.
  BOOST_TEST(r.hessian.values.size() == 4u * (4 * 4 + 24 * 6 + 36 * 9));
  BOOST_TEST(r.hessian.columns.size() == r.hessian.values.size());
  for (std::size_t i = 0; i < 128; ++i)
    for (int k = r.hessian.row_begin[i] + 1; k < r.hessian.row_begin[i + 1]; ++k)
      BOOST_TEST(r.hessian.columns[static_cast<std::size_t>(k) - 1] < r.hessian.columns[static_cast<std::size_t>(k)]);
}

BOOST_AUTO_TEST_CASE(any_number_of_threads) {
  const sheet s(100);  // more elements than are computed at a time
  const auto verb = assemble(hessian(energy));
  const auto alone = verb(s.points, s.elements, s.slopes, s.areas);
  for (const int threads : {1, 3}) {
    const on_threads policy{threads};
    const auto r = verb(policy, s.points, s.elements, s.slopes, s.areas);
    BOOST_TEST(r.value == alone.value);
    BOOST_TEST((r.gradient == alone.gradient));
    BOOST_TEST((r.hessian.values == alone.hessian.values));
  }
}

BOOST_AUTO_TEST_CASE(results_are_kept) {
  sheet s(3);
  const auto verb = assemble(hessian(energy));
  auto r = verb(s.points, s.elements, s.slopes, s.areas);
  const double* const values = r.hessian.values.data();
  const int* const columns = r.hessian.columns.data();
  s.points[5][0] += 0.125;
  verb(into(r), s.points, s.elements, s.slopes, s.areas);
  BOOST_TEST(r.hessian.values.data() == values);
  BOOST_TEST(r.hessian.columns.data() == columns);
  BOOST_TEST((r.hessian.values == verb(s.points, s.elements, s.slopes, s.areas).hessian.values));
  // Other elements have another pattern, and a result may be written over what it is computed from.
  s.elements.pop_back();
  s.slopes.pop_back();
  s.areas.pop_back();
  verb(into(r), s.points, s.elements, s.slopes, s.areas);
  const auto fewer = verb(s.points, s.elements, s.slopes, s.areas);
  BOOST_TEST((r.hessian.values == fewer.hessian.values));
  BOOST_TEST((r.hessian.columns == fewer.hessian.columns));
  r.gradient = s.points;
  verb(into(r), r.gradient, s.elements, s.slopes, s.areas);
  BOOST_TEST((r.gradient == fewer.gradient));
}

BOOST_AUTO_TEST_CASE(numbers_and_repeated_entries) {
  // Rosenbrock's function as elements of two numbers; the last element names one entry twice.
  constexpr auto valley = [](auto a, auto b, auto weight) { return weight * square(b - a * a) + square(1 - a); };
  const std::vector<float> x{0.5f, 1.5f, -1.0f};
  const std::vector<std::array<std::int64_t, 2>> pairs{{0, 1}, {1, 2}, {2, 2}};
  const auto r = assemble(hessian(valley))(x, pairs, 10.0f);
  static_assert(std::is_same_v<decltype(r.gradient), std::vector<float>>);
  // 10 (1.25^2 + 3.25^2 + 2^2) + 0.5^2 + 0.5^2 + 2^2
  BOOST_TEST(r.value == 165.75f);
  BOOST_TEST(r.gradient[0] == -26.0f);                  // -40 a (b - a^2) - 2 (1 - a)
  BOOST_TEST(r.gradient[1] == 25.0f + 195.0f + 1.0f);   // 20 (b - a^2) of the first, as a of the second
  BOOST_TEST(r.gradient[2] == -65.0f - 4.0f - 120.0f);  // the last is 10 (a - a^2)^2 + (1 - a)^2
  // By a twice 2 + 120 a^2 - 40 b, by both -40 a, by b twice 20.
  BOOST_TEST(r.hessian(0, 0) == -28.0f);
  BOOST_TEST(r.hessian(0, 1) == -20.0f);
  BOOST_TEST(r.hessian(0, 2) == 0.0f);
  BOOST_TEST(r.hessian(1, 1) == 20.0f + 312.0f);
  BOOST_TEST(r.hessian(2, 1) == -60.0f);
  BOOST_TEST(r.hessian(2, 2) == 20.0f + 262.0f);
}

BOOST_AUTO_TEST_CASE(jacobians) {
  constexpr auto residuals = [](auto a, auto b, auto seen) { return std::array{a * b - seen, b * b}; };
  const std::vector<double> x{2, 3, 5}, seen{1, 2};
  const std::vector<std::array<int, 2>> pairs{{2, 0}, {1, 1}};
  const auto r = assemble(jacobian(residuals))(x, pairs, seen);
  BOOST_TEST((r.value == std::vector<double>{9, 4, 7, 9}));
  BOOST_TEST((r.jacobian.row_begin == std::vector<int>{0, 2, 4, 5, 6}));
  BOOST_TEST((r.jacobian.columns == std::vector<int>{0, 2, 0, 2, 1, 1}));
  BOOST_TEST((r.jacobian.values == std::vector<double>{5, 2, 4, 0, 6, 6}));
}

// Of x0 x1 w: what was moved out of a result is made again, and arguments that lie in the result are read first.
BOOST_AUTO_TEST_CASE(results_moved_from_and_written_over) {
  constexpr auto product = [](auto a, auto b, auto w) { return a * b * w; };
  const auto verb = assemble(hessian(product));
  const std::vector<double> x{2, 3, 5}, weights{1, 2};
  const std::vector<std::array<int, 2>> pairs{{0, 1}, {1, 2}}, none;
  auto r = verb(x, pairs, weights);
  const auto moved = std::move(r.hessian);
  verb(into(r), x, pairs, weights);
  BOOST_TEST((r.hessian(0, 1) == 1 && r.hessian(2, 1) == 2 && moved(2, 1) == 2));
  verb(into(r), x, pairs, r.gradient[1]);  // 12, of which the gradient is made anew
  BOOST_TEST((r.gradient == std::vector<double>{36, 84, 36}));
  auto j = assemble(jacobian(product))(x, pairs, weights);
  assemble(jacobian(product))(into(j), x, pairs, j.value);  // 6, 30
  BOOST_TEST((j.value == std::vector<double>{36, 450}));
  BOOST_TEST(verb(x, none, std::vector<double>{}).hessian.row_begin.size() == 4U);
  BOOST_TEST(assemble(jacobian(product))(x, none, std::vector<double>{}).jacobian.row_begin.size() == 1U);
}

BOOST_AUTO_TEST_CASE(wrong_arguments) {
  constexpr auto product = [](auto a, auto b, auto w) { return a * b * w; };
  const auto verb = assemble(value_and_gradient(product));
  const std::vector<double> x{2, 3, 5}, weights{1, 2};
  auto r = verb(x, std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}, weights);
  const std::vector<std::array<int, 2>> beyond{{0, 1}, {1, 3}}, before{{0, -1}, {1, 2}}, three{{0, 1}, {1, 2}, {0, 2}};
  BOOST_TEST(message_of([&] { verb(into(r), x, beyond, weights); }) ==
             "tapeless: assemble: element 1 names entry 3 of a vector of 3");
  BOOST_TEST(message_of([&] { verb(into(r), x, before, weights); }) ==
             "tapeless: assemble: element 0 names entry -1 of a vector of 3");
  BOOST_TEST(message_of([&] { verb(into(r), x, three, weights); }) ==
             "tapeless: assemble: data 0 has 2 entries for 3 elements");
  BOOST_TEST((r.gradient == std::vector<double>{3, 12, 6}));  // untouched
  const auto none = verb(x, std::vector<std::array<int, 2>>{}, std::vector<double>{});
  BOOST_TEST(none.value == 0.0);
  BOOST_TEST((none.gradient == std::vector<double>{0, 0, 0}));
}
