// Loops over many sequences at once: values and derivatives of each against the loop by hand with complex steps.
#include "../random_body.hpp"

#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

using namespace tapeless;

namespace {

using vector = std::vector<double>;
using matrix = xt::xtensor<double, 2>;
using tapeless_test::complex_number, tapeless_test::complex_step;

void check(double got, double wanted, double tolerance = 1e-12) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= tolerance * (1 + std::abs(wanted)));
}
vector wave(std::size_t size, double from = 0.1) {
  vector result(size);
  for (std::size_t i = 0; i < size; ++i) result[i] = std::sin(from + static_cast<double>(i));
  return result;
}
matrix waves(std::size_t rows, std::size_t columns) {
  matrix result = matrix::from_shape({rows, columns});
  for (std::size_t i = 0; i < rows * columns; ++i) result.data()[i] = std::cos(0.3 * static_cast<double>(i));
  return result;
}
vector row_of(const matrix& all, std::size_t row) {
  vector result(all.shape(1));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = all(row, i);
  return result;
}

template <unsigned Seed, class Memory = store_all>
constexpr auto random_loop = [](auto a, auto sequence) {
  const auto c = scan<Memory>(
      [&](const auto& carry, auto x) { return tapeless_test::random_body<Seed>{}(carry, decltype(a)(x), a); },
      std::array<decltype(a), 2>{a, 0.25}, sequence);
  return c[0] + c[1] * a;
};

struct by_hand {
  double value, by_parameter;
  vector by_sequence;
};
template <unsigned Seed>
by_hand of_element(double a, const vector& sequence) {
  const auto run = [](complex_number p, const auto& xs) {
    return tapeless_test::loop_by_hand(tapeless_test::random_body<Seed>{}, p, xs);
  };
  std::vector<complex_number> numbers(sequence.begin(), sequence.end());
  by_hand result{run(a, numbers).real(), run({a, complex_step}, numbers).imag() / complex_step, {}};
  for (auto& each : numbers) {
    const auto kept = each;
    each += complex_number(0, complex_step);
    result.by_sequence.push_back(run(a, numbers).imag() / complex_step);
    each = kept;
  }
  return result;
}

template <unsigned Seed, class Memory>
void check_batch(std::size_t count, std::size_t steps) {
  constexpr auto f = random_loop<Seed, Memory>;
  const vector as = wave(count);
  const matrix xs = waves(count, steps);
  const auto [value, gradient] = batched(value_and_gradient(f))(as, xs);
  BOOST_REQUIRE(value.size() == count);
  BOOST_REQUIRE(std::get<1>(gradient).shape() == xs.shape());
  for (std::size_t k = 0; k < count; ++k) {
    const by_hand wanted = of_element<Seed>(as[k], row_of(xs, k));
    check(value[k], wanted.value);
    check(std::get<0>(gradient)[k], wanted.by_parameter);
    for (std::size_t i = 0; i < steps; ++i) check(std::get<1>(gradient)(k, i), wanted.by_sequence[i]);
  }
}

BOOST_AUTO_TEST_CASE(random_loops_over_rows) {
  for (const std::size_t count : {0u, 1u, 8u, 37u})
    for (const std::size_t steps : {0u, 1u, 6u}) {
      check_batch<3, store_all>(count, steps);
      check_batch<4, checkpoints<2>>(count, steps);
    }
}

constexpr auto f = random_loop<5>;

BOOST_AUTO_TEST_CASE(sequences_of_different_lengths) {
  std::vector<vector> xs;
  // Equal in the lanes that run together, next to others; then different.
  for (std::size_t k = 0; k < 37; ++k)
    xs.push_back(wave(k < 16 ? 1 + k / 4 : k < 32 ? k / 8 : k % 4, static_cast<double>(k)));
  const vector as = wave(37);
  const auto r = batched(gradient(f))(as, xs);
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const by_hand wanted = of_element<5>(as[k], xs[k]);
    check(std::get<0>(r)[k], wanted.by_parameter);
    BOOST_REQUIRE(std::get<1>(r)[k].size() == xs[k].size());
    for (std::size_t i = 0; i < xs[k].size(); ++i) check(std::get<1>(r)[k][i], wanted.by_sequence[i]);
  }
  // So many steps as each element has.
  constexpr auto power = [](auto a, auto n) { return scan([&](auto c, auto) { return c * a; }, 1.0, steps(n)); };
  std::vector<int> lengths(37);
  for (std::size_t k = 0; k < 37; ++k) lengths[k] = k < 16 ? 3 : static_cast<int>(k % 3);
  const auto powers = batched(gradient(power, wrt<0>))(as, lengths);
  for (std::size_t k = 0; k < 37; ++k)
    check(powers[k], lengths[k] ? lengths[k] * std::pow(as[k], lengths[k] - 1) : 0.0);
}

BOOST_AUTO_TEST_CASE(every_verb) {
  const vector as = wave(11), da = wave(11, 2);
  const matrix xs = waves(11, 4), dx = 0.5 * waves(11, 4) + 0.1;
  const auto values = batched(f)(as, xs);
  const auto tangents = batched(value_and_jvp(f, tangent(da, dx)))(as, xs);
  const auto pulled = batched(vjp(f, wrt<1>, cotangent(da)))(as, xs);
  const auto products = batched(hvp(f, tangent(da, dx)))(as, xs);
  const auto second = batched(value_and_hessian(f, wrt<0>))(as, xs);
  const auto rows = batched(jacobian(f, wrt<0>))(as, xs);
  const double h = 1e-5;
  for (std::size_t k = 0; k < 11; ++k) {
    const vector x = row_of(xs, k), along = row_of(dx, k);
    const by_hand wanted = of_element<5>(as[k], x);
    check(values[k], wanted.value);
    double sum = da[k] * wanted.by_parameter;
    for (std::size_t i = 0; i < 4; ++i) sum += along[i] * wanted.by_sequence[i];
    check(tangents.tangent[k], sum);
    check(rows[0][0][k], wanted.by_parameter);
    const auto moved = [&](double by) {
      vector to = x;
      for (std::size_t i = 0; i < 4; ++i) to[i] += by * along[i];
      return of_element<5>(as[k] + by * da[k], to);
    };
    const by_hand up = moved(h), down = moved(-h);
    check(std::get<0>(products)[k], (up.by_parameter - down.by_parameter) / (2 * h), 1e-8);
    for (std::size_t i = 0; i < 4; ++i) {
      check(pulled(k, i), da[k] * wanted.by_sequence[i]);
      check(std::get<1>(products)(k, i), (up.by_sequence[i] - down.by_sequence[i]) / (2 * h), 1e-8);
    }
    check(second.gradient[k], wanted.by_parameter);
    check(second.hessian[0][0][k],
          (of_element<5>(as[k] + h, x).by_parameter - of_element<5>(as[k] - h, x).by_parameter) / (2 * h), 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(loops_that_end_by_themselves) {
  // Lanes end one after the other: y' = -k y^2 and Kepler's equation, x = m + e sin x.
  constexpr auto decay = [](auto k, auto t) {
    return odeint<adaptive>([](auto, auto y, auto rate) { return -rate * y * y; }, 1.0, 0.0, t, k, 1e-10);
  };
  constexpr auto kepler = [](auto m, auto e) {
    return fixed_point([](auto x, auto mean, auto c) { return mean + c * sin(x); }, m, m, e);
  };
  vector ks(21), ts(21);
  for (std::size_t k = 0; k < 21; ++k) ks[k] = 0.04 * static_cast<double>(k), ts[k] = 1 + static_cast<double>(k % 5);
  const auto [y, dy] = batched(value_and_gradient(decay))(ks, ts);
  const auto [x, dx] = batched(value_and_gradient(kepler))(ts, ks);
  for (std::size_t k = 0; k < 21; ++k) {
    const double grown = 1 + ks[k] * ts[k];
    check(y[k], 1 / grown, 1e-9);
    check(std::get<0>(dy)[k], -ts[k] / (grown * grown), 1e-7);
    check(std::get<1>(dy)[k], -ks[k] / (grown * grown), 1e-7);
    check(x[k] - ks[k] * std::sin(x[k]), ts[k], 1e-14);
    check(std::get<0>(dx)[k], 1 / (1 - ks[k] * std::cos(x[k])));
    check(std::get<1>(dx)[k], std::sin(x[k]) / (1 - ks[k] * std::cos(x[k])));
  }
}

BOOST_AUTO_TEST_CASE(other_ways_to_lie_in_memory) {
  const vector as = wave(9);
  const matrix xs = waves(9, 5);
  const auto wanted = batched(gradient(f))(as, xs);
  const auto same = [&](const auto& r) {
    for (std::size_t k = 0; k < 9; ++k) {
      BOOST_TEST(std::get<0>(r)[k] == std::get<0>(wanted)[k]);
      for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(std::get<1>(r)(k, i) == std::get<1>(wanted)(k, i));
    }
  };
  // Steps side by side, so that lanes are read as they lie; a part of a larger matrix; backwards.
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = xs;
  same(batched(gradient(f))(as, columns));
  matrix larger = waves(11, 12);
  xt::view(larger, xt::range(1, 10), xt::range(2, 12, 2)) = xs;
  same(batched(gradient(f))(as, xt::view(larger, xt::range(1, 10), xt::range(2, 12, 2))));
  // Another number type, one sequence for all, one parameter for all.
  const xt::xtensor<float, 2> floats = xs;
  check(std::get<0>(batched(gradient(f))(as, floats))[3], std::get<0>(wanted)[3], 1e-5);
  const matrix one = xt::view(xs, xt::range(2, 3), xt::all());
  const auto shared = batched(gradient(f))(as, one);
  const auto rows = batched(gradient(f))(as[1], xs);
  for (std::size_t k = 0; k < 9; ++k) {
    const by_hand element = of_element<5>(as[k], row_of(xs, 2)), other = of_element<5>(as[1], row_of(xs, k));
    check(std::get<0>(shared)[k], element.by_parameter);
    check(std::get<1>(shared)(k, 4), element.by_sequence[4]);
    check(std::get<0>(rows)[k], other.by_parameter);
  }
  // Records: vectors of vectors of arrays.
  constexpr auto over_records = [](auto a, auto all) {
    return scan([&](auto c, auto r) { return c * a + r[0] * r[1]; }, 0.0, all);
  };
  std::vector<std::vector<std::array<double, 2>>> records(9);
  for (std::size_t k = 0; k < 9; ++k) records[k] = {{1, as[k]}, {as[k], 2}};
  const auto by_records = batched(gradient(over_records))(as, records);
  for (std::size_t k = 0; k < 9; ++k) {
    check(std::get<0>(by_records)[k], as[k]);
    check(std::get<1>(by_records)[k][0][0], as[k] * as[k]);
    check(std::get<1>(by_records)[k][0][1], as[k]);
    check(std::get<1>(by_records)[k][1][0], 2);
    check(std::get<1>(by_records)[k][1][1], as[k]);
  }
}

BOOST_AUTO_TEST_CASE(rows_of_matrices_are_arrays) {
  constexpr auto g = [](auto a, auto all) {
    return scan([&](auto c, auto r) { return c * a + r[0] * r[1] * r[1] + sin(r[2]); }, 1.0, all);
  };
  const matrix xs = waves(5, 3);
  std::vector<std::array<double, 3>> records(5);
  for (std::size_t i = 0; i < 5; ++i) records[i] = {xs(i, 0), xs(i, 1), xs(i, 2)};
  const auto of_rows = [&](const auto& all) { return value_and_gradient(g)(0.7, rows_of<3>(all)); };
  // d/dr of the last carry: a^(steps after it) times the derivative of the step.
  double wanted = std::pow(0.7, 5);
  for (std::size_t i = 0; i < 5; ++i)
    wanted += std::pow(0.7, 4 - static_cast<double>(i)) * (xs(i, 0) * xs(i, 1) * xs(i, 1) + std::sin(xs(i, 2)));
  const auto check_rows = [&](const auto& r) {
    check(r.value, wanted);
    const auto& by = std::get<1>(r.gradient);
    BOOST_REQUIRE(by.shape() == xs.shape());
    for (std::size_t i = 0; i < 5; ++i) {
      const double after = std::pow(0.7, 4 - static_cast<double>(i));
      check(by(i, 0), after * xs(i, 1) * xs(i, 1));
      check(by(i, 1), after * 2 * xs(i, 0) * xs(i, 1));
      check(by(i, 2), after * std::cos(xs(i, 2)));
    }
  };
  check_rows(of_rows(xs));
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = xs;
  check_rows(of_rows(columns));
  const xt::xtensor_fixed<double, xt::xshape<5, 3>> fixed = xs;
  check(of_rows(fixed).value, wanted);
  matrix larger = waves(7, 8);
  auto part = xt::view(larger, xt::range(1, 6), xt::range(1, 7, 2));
  part = xs;
  check_rows(of_rows(part));
  check(value_and_gradient(g)(0.7, records).value, wanted);
  const matrix along = waves(5, 3) + 1.0;
  double sum = 0;
  const auto by = std::get<1>(of_rows(xs).gradient);
  for (std::size_t i = 0; i < 15; ++i) sum += by.data()[i] * along.data()[i];
  check(jvp(g, wrt<1>, tangent(rows_of<3>(along)))(0.7, rows_of<3>(xs)), sum);
  BOOST_CHECK_THROW(rows_of<4>(xs), std::invalid_argument);
  // A matrix for each element.
  xt::xtensor<double, 3> many = xt::xtensor<double, 3>::from_shape({9, 5, 3});
  for (std::size_t k = 0; k < 9; ++k) xt::view(many, k, xt::all(), xt::all()) = xs * static_cast<double>(k);
  const auto batch = batched(value_and_gradient(g))(0.7, rows_of<3>(many));
  for (std::size_t k = 0; k < 9; ++k) {
    const matrix own = xs * static_cast<double>(k);
    const auto one = of_rows(own);
    check(batch.value[k], one.value);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 3; ++j) check(std::get<1>(batch.gradient)(k, i, j), std::get<1>(one.gradient)(i, j));
  }
}

BOOST_AUTO_TEST_CASE(bad_input) {
  const vector as = wave(9);
  matrix xs = waves(9, 5);
  const auto step = batched(value_and_gradient(f));
  auto r = step(as, xs);
  const auto before = r;
  BOOST_CHECK_EXCEPTION(step(into(r), as, waves(8, 5)), std::invalid_argument, [](const auto& e) {
    return std::string(e.what()).find("argument 0 has 9 elements, argument 1 has 8") != std::string::npos;
  });
  constexpr auto two = [](auto a, auto one, auto other) {
    return scan([&](auto c, auto x, auto y) { return c + a * x * y; }, 0.0, one, other);
  };
  auto of_two = batched(value_and_gradient(two))(as, xs, xs);
  const auto value = of_two.value;
  BOOST_CHECK_THROW(batched(value_and_gradient(two))(into(of_two), as, xs, waves(9, 4)), std::invalid_argument);
  BOOST_TEST(of_two.value == value);
  BOOST_TEST(r.value == before.value);
  // NaN stays in its row, and what is written may be read.
  xs(4, 2) = std::numeric_limits<double>::quiet_NaN();
  const auto broken = step(as, xs);
  for (std::size_t k = 0; k < 9; ++k) {
    BOOST_TEST(std::isnan(broken.value[k]) == (k == 4));
    BOOST_TEST(std::isnan(std::get<1>(broken.gradient)(k, 1)) == (k == 4));
  }
  step(into(r), r.value, std::get<1>(r.gradient));
  const by_hand wanted = of_element<5>(before.value[3], row_of(std::get<1>(before.gradient), 3));
  check(r.value[3], wanted.value);
  check(std::get<1>(r.gradient)(3, 2), wanted.by_sequence[2]);
}

}  // namespace
