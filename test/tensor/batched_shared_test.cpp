// Batches of loops whose elements share a sequence or data, or count their steps by numbers: against closed forms.
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

using namespace tapeless;

namespace {

using vector = std::vector<double>;

void check(double got, double wanted) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= 1e-14 * (1 + std::abs(wanted)));
}

// (1 + r / 2) (1 + r / 4), once for each element.
constexpr auto grow = [](auto rate, auto dts) {
  return scan([&](auto c, auto dt) { return c * (1 + rate * dt); }, 1.0 + 0 * rate, dts);
};
const vector rates{0.1, 0.2, 0.3, -0.4, 0.5, 1, 2, 3, 4, 5, 6}, dts{0.5, 0.25};
double value(double r) { return (1 + r / 2) * (1 + r / 4); }
double slope(double r) { return 0.75 + r / 4; }

BOOST_AUTO_TEST_CASE(one_sequence_for_all_elements) {
  const auto values = batched(grow)(rates, for_all(dts));
  const auto all = batched(value_and_gradient(grow))(rates, for_all(dts));
  const auto& [by_rates, by_dts] = all.gradient;
  const auto h = batched(value_and_hessian(grow, wrt<0>))(rates, for_all(dts));
  const auto along = batched(value_and_jvp(grow, wrt<0>, tangent(2.0)))(rates, for_all(dts));
  const auto product = batched(hvp(grow, wrt<0>, tangent(2.0)))(rates, for_all(dts));
  const auto pulled = batched(vjp(grow, wrt<0>, cotangent(3.0)))(rates, for_all(dts));
  BOOST_TEST_REQUIRE(by_dts.size() == rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double r = rates[i];
    check(values[i], value(r)), check(all.value[i], value(r)), check(by_rates[i], slope(r));
    // A gradient of its own for each element.
    BOOST_TEST_REQUIRE(by_dts[i].size() == 2U);
    check(by_dts[i][0], r * (1 + r / 4)), check(by_dts[i][1], r * (1 + r / 2));
    check(h.hessian[0][0][i], 0.25), check(h.gradient[i], slope(r));
    check(along.tangent[i], 2 * slope(r)), check(product[i], 0.5), check(pulled[i], 3 * slope(r));
  }
  constexpr auto both = [](auto rate, auto grid) {
    const auto [last, ys] =
        scan([&](auto c, auto dt) { return std::pair{c * (1 + rate * dt), c}; }, 1.0 + 0 * rate, grid);
    return std::array{last, scan([](auto c, auto y) { return c + y; }, 0.0, ys)};
  };
  const auto j = batched(jacobian(both, wrt<0>))(rates, for_all(dts));
  for (std::size_t i = 0; i < rates.size(); ++i) check(j[0][0][i], slope(rates[i])), check(j[1][0][i], 0.5);
  // Of elements that are numbers there is one.
  const auto one = batched(gradient(grow, wrt<0>))(0.5, for_all(dts));
  check(one[0], slope(0.5));
}

BOOST_AUTO_TEST_CASE(all_kinds_of_sequences) {
  const xt::xtensor<double, 1> tensor{0.5, 0.25};
  const std::vector<float> floats{0.5F, 0.25F};
  const auto by_tensor = batched(gradient(grow, wrt<0>))(rates, for_all(tensor));
  const auto by_span = batched(gradient(grow, wrt<0>))(rates, for_all(std::span<const double>(dts)));
  const auto by_floats = batched(gradient(grow, wrt<0>))(rates, for_all(floats));
  constexpr auto of_records = [](auto rate, auto all) {
    return scan([&](auto c, auto r) { return c * (1 + rate * r[0]) + 0 * r[1]; }, 1.0 + 0 * rate, all);
  };
  const std::vector<std::array<double, 2>> records{{0.5, 1}, {0.25, 2}};
  const auto by_records = batched(gradient(of_records))(rates, for_all(records));
  const xt::xtensor<double, 2> matrix{{0.5, 1}, {0.25, 2}};
  const auto by_rows = batched(gradient(of_records, wrt<0>))(rates, for_all(rows_of<2>(matrix)));
  // Beside a sequence of each element.
  constexpr auto with_own = [](auto rate, auto all, auto own) {
    return scan([&](auto c, auto dt, auto x) { return c + rate * dt * x; }, 0.0, all, own);
  };
  const std::vector<vector> own(rates.size(), vector{3, 4});
  const auto by_both = batched(gradient(with_own, wrt<0>))(rates, for_all(dts), own);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double r = rates[i];
    check(by_tensor[i], slope(r)), check(by_span[i], slope(r)), check(by_floats[i], slope(r));
    check(std::get<0>(by_records)[i], slope(r)), check(std::get<1>(by_records)[i][1][0], r * (1 + r / 2));
    check(by_rows[i], slope(r)), check(by_both[i], 2.5);
  }
  // Numbers and structures of numbers are for all elements anyway.
  constexpr auto scaled = [](auto a, auto b) { return a * b[0] + b[1]; };
  const auto plain = batched(gradient(scaled, wrt<0>))(rates, for_all(std::array{2.0, 3.0}));
  check(plain[4], 2);
}

BOOST_AUTO_TEST_CASE(steps_are_counted_by_integers_and_by_numbers) {
  constexpr auto power = [](auto a, auto n) {
    return scan([&](auto c, auto) { return c * a; }, 1.0 + 0 * a, steps(n));
  };
  // n a^(n - 1)
  const vector as{2, 3, 1.5, 0.5, 1, 2, 3, 1.25, 1.5}, counts{3, 2, 5, 0, 1, 3, 3, 3, 3};
  const std::vector<int> integers(counts.begin(), counts.end());
  const auto by_counts = batched(gradient(power, wrt<0>))(as, counts);
  const auto by_integers = batched(gradient(power, wrt<0>))(as, integers);
  const auto same = batched(gradient(power, wrt<0>))(as, 3.0);
  // The loop whose steps are counted stands in another, and the count comes from two arguments.
  constexpr auto nested = [](auto a, auto n, auto m) {
    return scan([&](auto s, auto) { return scan([&](auto c, auto) { return c * a; }, s, steps(n - m)); }, 1.0 + 0 * a,
                steps(2));
  };
  const auto by_nested = batched(gradient(nested, wrt<0>))(as, counts, 0.0);
  for (std::size_t i = 0; i < as.size(); ++i) {
    const double n = counts[i], wanted = n == 0 ? 0 : n * std::pow(as[i], n - 1);
    check(by_counts[i], wanted), check(by_integers[i], wanted), check(same[i], 3 * as[i] * as[i]);
    check(by_nested[i], n == 0 ? 0 : 2 * n * std::pow(as[i], 2 * n - 1));
  }
  BOOST_CHECK_THROW(batched(gradient(power, wrt<0>))(as, 2.5), std::invalid_argument);
}

template <class T>
struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (T, level), (T, scale));
};
BOOST_AUTO_TEST_CASE(data_bound_last_are_for_all_elements) {
  constexpr auto f = [](auto x, auto a) { return a * x * x; };
  const auto by_number = batched(value_and_gradient(bind_back(f, 3.0)))(rates);
  constexpr auto of_struct = [](auto x, const auto& p) { return p.level + p.scale * x * x; };
  const auto by_struct = batched(gradient(bind_back(of_struct, line<double>{1, 2})))(rates);
  const auto by_vector = batched(value_and_gradient(bind_back(grow, dts)))(rates);
  const auto by_reference = batched(gradient(bind_back(grow, std::ref(dts))))(rates);
  const auto values = batched(bind_back(grow, dts))(rates);
  const auto h = batched(hessian(bind_back(grow, dts)))(rates);
  const auto along = batched(jvp(bind_back(grow, dts), tangent(2.0)))(rates);
  const auto all = batched(gradient(bind_back(f, 3.0), wrt<0, 1>))(rates);
  auto existing = by_vector;
  batched(value_and_gradient(bind_back(grow, dts)))(into(existing), vector{7, 8});
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double r = rates[i];
    check(by_number.value[i], 3 * r * r), check(by_number.gradient[i], 6 * r), check(by_struct[i], 4 * r);
    check(by_vector.value[i], value(r)), check(by_vector.gradient[i], slope(r)), check(by_reference[i], slope(r));
    check(values[i], value(r)), check(h[0][0][i], 0.25), check(along[i], 2 * slope(r));
    check(std::get<0>(all)[i], 6 * r), check(std::get<1>(all)[i], r * r);
  }
  BOOST_TEST_REQUIRE(existing.value.size() == 2U);
  check(existing.gradient[1], slope(8));
}

}  // namespace
