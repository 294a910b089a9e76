// Sums over elements, against derivatives by hand.
#include "../neo_hookean.hpp"
#include "on_threads.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tapeless;

namespace {

using tapeless_test::energy, tapeless_test::message_of, tapeless_test::Point, tapeless_test::Quadrilateral,
    tapeless_test::sheet, tapeless_test::Slopes;

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

// Bundle adjustment: how far a camera (rotation, translation, focal length, two coefficients of distortion) sees a
// point from where it was seen.
using Camera = std::array<double, 9>;
using Place = std::array<double, 3>;
using Pixel = std::array<double, 2>;

constexpr auto reprojection = [](const auto& camera, const auto& place, const auto& seen) {
  using T = std::remove_cvref_t<decltype(camera[0])>;
  const auto turned = angle_axis_rotate_point(std::array<T, 3>{camera[0], camera[1], camera[2]}, place);
  const T depth = turned[2] + camera[5], u = -(turned[0] + camera[3]) / depth, v = -(turned[1] + camera[4]) / depth;
  const T radius2 = u * u + v * v, scale = camera[6] * (1.0 + radius2 * (camera[7] + camera[8] * radius2));
  return std::array<T, 2>{scale * u - seen[0], scale * v - seen[1]};
};
constexpr auto misfit = [](const auto& camera, const auto& place, const auto& seen) {
  const auto r = reprojection(camera, place, seen);
  return (r[0] * r[0] + r[1] * r[1]) / 2;
};

/// Four cameras, five places and ten of their twenty pictures. Camera 3 sees nothing.
struct scene {
  std::vector<Camera> cameras;
  std::vector<Place> places;
  std::vector<int> camera{2, 0, 1, 1, 2, 0, 0, 2, 1, 0}, place{0, 0, 1, 2, 2, 3, 4, 4, 0, 1};
  std::vector<Pixel> seen;

  scene() {
    for (int i = 0; i < 4; ++i)
      cameras.push_back(
          {0.1 * i + 0.05, -0.2, 0.15 * i, 0.3, -0.1 * i, -6.0 - i, 1.5 + 0.25 * i, -0.1, 0.02 * i + 0.01});
    for (int i = 0; i < 5; ++i) places.push_back({0.4 * i - 0.8, std::sin(2.0 * i), std::cos(3.0 * i)});
    for (std::size_t i = 0; i < camera.size(); ++i) seen.push_back({0.1 * std::sin(5.0 * double(i)), 0.02 * double(i)});
  }
  /// All unknowns in a row: the cameras', then the places'.
  std::vector<long double> unknowns() const {
    std::vector<long double> all;
    for (const Camera& each : cameras) all.insert(all.end(), each.begin(), each.end());
    for (const Place& each : places) all.insert(all.end(), each.begin(), each.end());
    return all;
  }
  /// The residuals of all pictures, by Rodrigues' formula.
  std::vector<long double> residuals(const std::vector<long double>& at) const {
    std::vector<long double> all;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const long double* const c = &at[9 * std::size_t(camera[i])];
      const long double* const x = &at[9 * cameras.size() + 3 * std::size_t(place[i])];
      const long double angle = std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
      const long double k[3] = {c[0] / angle, c[1] / angle, c[2] / angle},
                        along = k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
      long double turned[3];
      for (std::size_t d = 0; d < 3; ++d) {
        const std::size_t e = (d + 1) % 3, f = (d + 2) % 3;
        turned[d] = x[d] * std::cos(angle) + (k[e] * x[f] - k[f] * x[e]) * std::sin(angle) +
                    k[d] * along * (1 - std::cos(angle)) + c[3 + d];
      }
      const long double u = -turned[0] / turned[2], v = -turned[1] / turned[2], r = u * u + v * v;
      const long double scale = c[6] * (1 + c[7] * r + c[8] * r * r);
      all.push_back(scale * u - seen[i][0]);
      all.push_back(scale * v - seen[i][1]);
    }
    return all;
  }
  long double misfit(const std::vector<long double>& at) const {
    long double sum = 0;
    for (const long double r : residuals(at)) sum += r * r / 2;
    return sum;
  }
};

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
  const auto rows = assemble(jacobian([](auto a, auto b, auto c, auto d, auto slopes, auto area) {
    return std::array{area * a[0] * b[1] + slopes[1][0], sin(c[0]) * d[1]};
  }));
  const auto in_order = rows(s.points, s.elements, s.slopes, s.areas);
  const auto threaded = rows(on_threads{3}, s.points, s.elements, s.slopes, s.areas);
  BOOST_TEST((threaded.value == in_order.value && threaded.jacobian.values == in_order.jacobian.values));
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
             "tapeless: assemble: element 1 refers to entry 3 of a vector of length 3");
  BOOST_TEST(message_of([&] { verb(into(r), x, before, weights); }) ==
             "tapeless: assemble: element 0 refers to entry -1 of a vector of length 3");
  BOOST_TEST(message_of([&] { verb(into(r), x, three, weights); }) ==
             "tapeless: assemble: data 0 has 2 entries for 3 elements");
  BOOST_TEST((r.gradient == std::vector<double>{3, 12, 6}));  // untouched
  const auto none = verb(x, std::vector<std::array<int, 2>>{}, std::vector<double>{});
  BOOST_TEST(none.value == 0.0);
  BOOST_TEST((none.gradient == std::vector<double>{0, 0, 0}));
}

// Bundle adjustment against central differences of the whole, dense.
BOOST_AUTO_TEST_CASE(cameras_and_places) {
  const scene s;
  const std::size_t unknowns = 9 * 4 + 3 * 5;
  const auto j = assemble(jacobian(reprojection))(nodes_of(s.cameras, s.camera), nodes_of(s.places, s.place), s.seen);
  const auto h = assemble(hessian(misfit))(nodes_of(s.cameras, s.camera), nodes_of(s.places, s.place), s.seen);
  const auto g =
      assemble(value_and_gradient(misfit))(nodes_of(s.cameras, s.camera), nodes_of(s.places, s.place), s.seen);
  static_assert(std::is_same_v<decltype(h.gradient), std::tuple<std::vector<Camera>, std::vector<Place>>>);

  const auto moved = [&](std::initializer_list<std::pair<std::size_t, long double>> moves) {
    auto at = s.unknowns();
    for (const auto& [i, by] : moves) at[i] += by;
    return at;
  };
  const auto values = s.residuals(s.unknowns());
  BOOST_REQUIRE(j.value.size() == values.size());
  for (std::size_t row = 0; row < values.size(); ++row)
    BOOST_TEST(std::abs(j.value[row] - double(values[row])) <= 1e-14);
  BOOST_TEST(std::abs(h.value - double(s.misfit(s.unknowns()))) <= 1e-14);
  BOOST_TEST(g.value == h.value);
  BOOST_TEST((g.gradient == h.gradient));

  const long double step = 1e-4L;
  for (std::size_t i = 0; i < unknowns; ++i) {
    const auto up = s.residuals(moved({{i, step}})), down = s.residuals(moved({{i, -step}}));
    for (std::size_t row = 0; row < values.size(); ++row)
      BOOST_TEST(std::abs(j.jacobian(row, i) - double((up[row] - down[row]) / (2 * step))) <= 1e-8);
    const double slope = double((s.misfit(moved({{i, step}})) - s.misfit(moved({{i, -step}}))) / (2 * step));
    BOOST_TEST(std::abs((i < 36 ? std::get<0>(h.gradient)[i / 9][i % 9]
                                : std::get<1>(h.gradient)[(i - 36) / 3][(i - 36) % 3]) -
                        slope) <= 1e-8);
    for (std::size_t k = 0; k <= i; ++k) {
      const long double bent = s.misfit(moved({{i, step}, {k, step}})) - s.misfit(moved({{i, step}, {k, -step}})) -
                               s.misfit(moved({{i, -step}, {k, step}})) + s.misfit(moved({{i, -step}, {k, -step}}));
      BOOST_TEST(std::abs(h.hessian(i, k) - double(bent / (4 * step * step))) <= 1e-7);
      BOOST_TEST(h.hessian(i, k) == h.hessian(k, i));
    }
  }
  // Twelve numbers a row of the Jacobian. Of the Hessian a block for each camera that sees something, for each place,
  // and two for each picture.
  BOOST_TEST(j.jacobian.values.size() == 20u * 12);
  BOOST_TEST(h.hessian.values.size() == 3u * 81 + 5 * 9 + 2 * 10 * 27);
  for (std::size_t i = 0; i < unknowns; ++i)
    BOOST_TEST(std::is_sorted(h.hessian.columns.begin() + h.hessian.row_begin[i],
                              h.hessian.columns.begin() + h.hessian.row_begin[i + 1]));
}

// Springs of stiffness w between points: w |b - a|^2 / 2, several of one stiffness and one from a point to itself.
BOOST_AUTO_TEST_CASE(several_nodes_of_a_kind) {
  constexpr auto spring = [](auto a, auto b, auto w) { return w * (square(b[0] - a[0]) + square(b[1] - a[1])) / 2; };
  const std::vector<Point> x{{1, 2}, {4, 0}, {-3, 5}};
  const std::vector<double> w{10, 100};
  const std::vector<std::array<long, 2>> ends{{2, 0}, {0, 1}, {1, 1}};
  const std::vector<std::array<long, 1>> stiffness{{1}, {0}, {1}};
  const auto verb = assemble(hessian(spring));
  auto r = verb(nodes_of(x, ends), nodes_of(w, stiffness));
  BOOST_TEST(r.value == 100 * 25 / 2.0 + 10 * 13 / 2.0);
  const auto& [by_points, by_stiffness] = r.gradient;
  BOOST_TEST((by_points == std::vector<Point>{{370, -280}, {30, -20}, {-400, 300}}));
  BOOST_TEST((by_stiffness == std::vector<double>{6.5, 12.5}));
  const double expected[8][8] = {{110, 0, -10, 0, -100, 0, -3, 4}, {0, 110, 0, -10, 0, -100, 2, -3},
                                 {-10, 0, 10, 0, 0, 0, 3, 0},      {0, -10, 0, 10, 0, 0, -2, 0},
                                 {-100, 0, 0, 0, 100, 0, 0, -4},   {0, -100, 0, 0, 0, 100, 0, 3},
                                 {-3, 2, 3, -2, 0, 0, 0, 0},       {4, -3, 0, 0, -4, 3, 0, 0}};
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 8; ++k) BOOST_TEST(r.hessian(i, k) == expected[i][k]);

  // The same whichever kind comes first, but for where it stands; and with the elements on threads.
  const auto turned =
      assemble(hessian([](auto k, auto a, auto b) { return k * (square(b[0] - a[0]) + square(b[1] - a[1])) / 2; }))(
          nodes_of(w, stiffness), nodes_of(x, ends));
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 8; ++k) BOOST_TEST(turned.hessian((i + 2) % 8, (k + 2) % 8) == expected[i][k]);
  const auto threaded = verb(on_threads{2}, nodes_of(x, ends), nodes_of(w, stiffness));
  BOOST_TEST((threaded.gradient == r.gradient && threaded.hessian.values == r.hessian.values));

  // Other indices of one kind have another pattern; what is read may lie in the result.
  const std::vector<long> other{0, 0, 0};
  const double* const values = r.hessian.values.data();
  verb(into(r), nodes_of(x, ends), nodes_of(w, stiffness));
  BOOST_TEST(r.hessian.values.data() == values);
  verb(into(r), nodes_of(x, ends), nodes_of(w, other));
  BOOST_TEST((r.hessian.columns == verb(nodes_of(x, ends), nodes_of(w, other)).hessian.columns));
  BOOST_TEST((by_stiffness == std::vector<double>{19, 0}));
  verb(into(r), nodes_of(x, ends), nodes_of(by_stiffness, other));
  BOOST_TEST(r.value == 19 * 19.0);
}

// One side of a sheet is held, the other may slide: what is left of the derivatives by hand.
BOOST_AUTO_TEST_CASE(held_numbers) {
  const sheet s(7);
  const by_hand expected(s);
  std::vector<std::array<bool, 2>> held(64);
  for (std::size_t i = 0; i < 8; ++i) held[8 * i] = {true, true}, held[8 * i + 7] = {true, false};
  std::vector<int> unknowns;
  for (std::size_t i = 0; i < 128; ++i)
    if (!held[i / 2][i % 2]) unknowns.push_back(static_cast<int>(i));

  const auto verb = assemble(hessian(energy));
  auto r = verb(nodes_of(s.points, s.elements, held), s.slopes, s.areas);
  BOOST_TEST((r.unknowns() == unknowns));
  BOOST_TEST(std::abs(r.value - expected.value) <= 1e-12);
  BOOST_REQUIRE(r.hessian.row_begin.size() == unknowns.size() + 1);
  std::size_t entries = 0;
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    for (std::size_t j = 0; j < unknowns.size(); ++j) {
      const auto row = static_cast<std::size_t>(unknowns[i]), column = static_cast<std::size_t>(unknowns[j]);
      BOOST_TEST(std::abs(r.hessian(i, j) - expected.hessian[row][column]) <= 1e-13);
      const std::size_t across = row / 16 > column / 16 ? row / 16 - column / 16 : column / 16 - row / 16;
      const std::size_t a = row / 2 % 8, b = column / 2 % 8;
      entries += across <= 1 && (a > b ? a - b : b - a) <= 1;
    }
  BOOST_TEST(r.hessian.values.size() == entries);
  // The gradient is whole: at what is held, minus the force that holds it.
  for (std::size_t i = 0; i < 128; ++i) BOOST_TEST(std::abs(r.gradient[i / 2][i % 2] - expected.gradient[i]) <= 1e-13);
  for (const int threads : {1, 3}) {
    const auto threaded = verb(on_threads{threads}, nodes_of(s.points, s.elements, held), s.slopes, s.areas);
    BOOST_TEST((threaded.gradient == r.gradient && threaded.hessian.values == r.hessian.values));
  }

  // What is held belongs to the pattern.
  held[63] = {true, true};
  verb(into(r), nodes_of(s.points, s.elements, held), s.slopes, s.areas);
  BOOST_TEST(r.hessian.row_begin.size() == unknowns.size());
  BOOST_TEST(r.hessian(0, 0) == verb(s.points, s.elements, s.slopes, s.areas).hessian(2, 2));
  verb(into(r), nodes_of(s.points, s.elements, std::vector<std::array<bool, 2>>(64, {true, true})), s.slopes, s.areas);
  BOOST_TEST(r.unknowns().empty());
  BOOST_TEST(r.hessian.values.empty());
  BOOST_TEST((message_of([&] { verb(nodes_of(s.points, s.elements, std::vector<bool>(63)), s.slopes, s.areas); }) ==
              "tapeless: assemble: held has 63 flags for a vector of 64"));
}

// The first camera is held, as the others are measured from it: columns of the Jacobian and rows of the Hessian go.
BOOST_AUTO_TEST_CASE(held_nodes_of_one_kind) {
  const scene s;
  const std::vector<bool> held{true, false, false, false};
  const auto of = [&](const auto& verb, const auto&... flags) {
    return verb(nodes_of(s.cameras, s.camera, flags...), nodes_of(s.places, s.place), s.seen);
  };
  const auto rows = assemble(jacobian(reprojection));
  const auto j = of(rows, held), whole = of(rows);
  BOOST_TEST(j.jacobian.values.size() == 20u * 12 - 2u * 4 * 9);  // it takes four of the ten pictures
  BOOST_TEST((j.value == whole.value));
  BOOST_TEST(j.unknowns().size() == 42u);
  for (std::size_t row = 0; row < 20; ++row)
    for (std::size_t i = 0; i < 42; ++i) BOOST_TEST(j.jacobian(row, i) == whole.jacobian(row, i + 9));
  const auto h = of(assemble(hessian(misfit)), held), all = of(assemble(hessian(misfit)));
  BOOST_TEST(h.hessian.values.size() == 2u * 81 + 5 * 9 + 2 * 6 * 27);
  for (std::size_t i = 0; i < 42; ++i)
    for (std::size_t k = 0; k < 42; ++k) BOOST_TEST(h.hessian(i, k) == all.hessian(i + 9, k + 9));
}

BOOST_AUTO_TEST_CASE(wrong_nodes) {
  constexpr auto product = [](auto a, auto b, auto w) { return a * b * w; };
  const auto verb = assemble(value_and_gradient(product));
  const std::vector<double> x{2, 3, 5}, y{7, 11}, weights{1, 2};
  const std::vector<int> first{0, 2}, second{1, 0}, beyond{0, 2}, before{1, -1}, three{0, 0, 0};
  auto r = verb(nodes_of(x, first), nodes_of(y, second), weights);
  const auto message = [&](const auto& a, const auto& b) {
    return message_of([&] { verb(into(r), nodes_of(x, a), nodes_of(y, b), weights); });
  };
  BOOST_TEST(message(first, beyond) ==
             "tapeless: assemble: nodes 1: element 1 refers to entry 2 of a vector of length 2");
  BOOST_TEST(message(before, second) ==
             "tapeless: assemble: nodes 0: element 1 refers to entry -1 of a vector of length 3");
  BOOST_TEST(message(first, three) == "tapeless: assemble: nodes 1: 3 elements, and nodes 0 has 2");
  BOOST_TEST((std::get<0>(r.gradient) == std::vector<double>{11, 0, 14}));  // untouched
  BOOST_TEST((std::get<1>(r.gradient) == std::vector<double>{10, 2}));
}

// A result's pattern is that of as many nodes an element as the call's, though indices are the same in a row.
BOOST_AUTO_TEST_CASE(other_elements_of_the_same_indices) {
  const std::vector<double> x{2, 3, 5};
  const std::vector<std::array<int, 2>> pairs{{0, 1}, {2, 0}};
  const std::vector<std::array<int, 4>> four{{0, 1, 2, 0}};
  auto r = assemble(jacobian([](auto a, auto b) { return a * b; }))(x, pairs);
  BOOST_TEST((r.jacobian.columns == std::vector<int>{0, 1, 0, 2}));
  assemble(jacobian([](auto a, auto b, auto c, auto d) { return std::array{a * b, c * d}; }))(into(r), x, four);
  BOOST_TEST((r.jacobian.columns == std::vector<int>{0, 1, 2, 0, 1, 2}));
  BOOST_TEST((r.jacobian.values == std::vector<double>{3, 2, 0, 5, 0, 2}));
}
