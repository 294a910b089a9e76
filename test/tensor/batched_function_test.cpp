// Traced functions over arrays: of numbers, of structures, and structures of arrays.
#include "check.hpp"

#include <boost/hana/adapt_struct.hpp>

#include <array>
#include <span>
#include <tuple>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

/// A discounted payment.
struct payment {
  double amount, years;
};
/// The same for many, each member an array.
struct payment_table {
  std::vector<double> amount, years;
};

constexpr auto present_value = [](const auto& p, auto rate) {
  const auto& [amount, years] = p;
  return amount * exp(-rate * years);
};

std::vector<payment> payments(std::size_t n) {
  std::vector<payment> result;
  for (std::size_t i = 0; i < n; ++i) result.push_back({10.0 + static_cast<double>(i), 0.25 * static_cast<double>(i)});
  return result;
}

void check_payment(const payment& p, double rate, double value, double by_amount, double by_years, double by_rate) {
  const double discount = std::exp(-rate * p.years);
  close(value, p.amount * discount, "value");
  close(by_amount, discount, "by amount");
  close(by_years, -rate * p.amount * discount, "by years");
  close(by_rate, -p.years * p.amount * discount, "by rate");
}

}  // namespace

BOOST_HANA_ADAPT_STRUCT(payment, amount, years);
BOOST_HANA_ADAPT_STRUCT(payment_table, amount, years);

BOOST_AUTO_TEST_CASE(arrays_of_numbers) {
  const auto step = batched(value_and_gradient([](auto a, auto b) { return a * exp(-b) + a * a; }));
  std::vector<double> as(11);
  vector bs = vector::from_shape({11});
  for (std::size_t i = 0; i < 11; ++i) as[i] = 1.0 + 0.5 * static_cast<double>(i), bs(i) = 0.1 * static_cast<double>(i);
  const auto r = step(as, bs);
  static_assert(std::is_same_v<decltype(r.value), std::vector<double>>);
  for (std::size_t i = 0; i < 11; ++i) {
    close(r.value[i], as[i] * std::exp(-bs(i)) + as[i] * as[i], "value");
    close(std::get<0>(r.gradient)[i], std::exp(-bs(i)) + 2 * as[i], "by a");
    close(std::get<1>(r.gradient)[i], -as[i] * std::exp(-bs(i)), "by b");
  }
  // A number is the same for all elements; its gradient is that of each.
  const auto same = step(2.0, bs);
  close(std::get<0>(same.gradient)(3), std::exp(-bs(3)) + 4, "by a number");
  close(batched([](auto a, auto b) { return a - b; })(as, 1.0)[4], 2.0, "the function itself");
  static_assert(std::is_same_v<decltype(step(2.0, 3.0).value), double>);
  close(std::get<1>(step(2.0, 3.0).gradient), -2 * std::exp(-3.0), "of numbers alone");
}

BOOST_AUTO_TEST_CASE(arrays_of_structures) {
  for (const std::size_t n : {0u, 1u, 3u, 8u, 21u}) {
    const std::vector<payment> all = payments(n);
    const auto step = batched(value_and_gradient(present_value));
    auto r = step(all, 0.05);
    static_assert(std::is_same_v<decltype(r.gradient), std::tuple<std::vector<payment>, std::vector<double>>>);
    const auto check = [&](double rate) {
      const auto& [by_payment, by_rate] = r.gradient;
      BOOST_TEST_REQUIRE((r.value.size() == n && by_payment.size() == n && by_rate.size() == n));
      for (std::size_t i = 0; i < n; ++i)
        check_payment(all[i], rate, r.value[i], by_payment[i].amount, by_payment[i].years, by_rate[i]);
    };
    check(0.05);
    step(into(r), all, 0.07);
    check(0.07);

    const auto by_payment = batched(gradient(present_value, wrt<0>))(std::span(all), 0.05);
    static_assert(std::is_same_v<decltype(by_payment), const std::vector<payment>>);
    for (std::size_t i = 0; i < n; ++i) close(by_payment[i].amount, std::exp(-0.05 * all[i].years), "by amount");
  }
}

// The payments of an element are an array, over which a scan runs.
BOOST_AUTO_TEST_CASE(arrays_of_arrays) {
  constexpr auto f = [](const auto& all, auto rate) {
    const auto [sum, values] = scan(
        [&](auto before, const auto& each) {
          const auto now = present_value(each, rate);
          return std::pair(before + now, now * now);
        },
        0.0, all);
    return sum + values[1];
  };
  std::vector<std::array<payment, 2>> all;
  for (std::size_t i = 0; i < 11; ++i) all.push_back({payments(i + 1)[i], payments(12 - i)[11 - i]});
  const auto r = batched(value_and_gradient(f))(all, 0.05);
  const auto second = batched(hvp(f, wrt<1>, tangent(1.0)))(all, 0.05);
  for (std::size_t i = 0; i < 11; ++i) {
    const auto& [p, q] = all[i];
    const double u = p.amount * std::exp(-0.05 * p.years), v = q.amount * std::exp(-0.05 * q.years);
    close(r.value[i], u + v + v * v, "value");
    close(std::get<0>(r.gradient)[i][0].amount, u / p.amount, "by the first amount");
    close(std::get<0>(r.gradient)[i][1].years, -0.05 * v * (1 + 2 * v), "by the second time");
    close(std::get<1>(r.gradient)[i], -p.years * u - q.years * v * (1 + 2 * v), "by the rate");
    close(second[i], p.years * p.years * u + q.years * q.years * v * (1 + 4 * v), "by the rate twice");
  }
}

// Gradients by complex numbers are df/dx - i df/dy: of t |z|^2, 2 t conj(z).
BOOST_AUTO_TEST_CASE(complex_numbers) {
  constexpr auto f = [](const auto& z, auto factor) { return norm(z) * factor; };
  const std::vector<complex<double>> zs{{3, 4}, {1, 2}};
  const std::vector<double> ts{1, 2};
  const auto of_structures = batched(value_and_gradient(f, wrt<0>));
  auto r = of_structures(zs, ts);
  BOOST_TEST((r.gradient[0] == complex{6.0, -8.0} && r.gradient[1] == complex{4.0, -8.0}));
  of_structures(into(r), zs, ts);
  BOOST_TEST((r.gradient[1] == complex{4.0, -8.0}));
  of_structures(into(r), r.gradient, ts);  // where the argument lies
  BOOST_TEST((r.gradient[1] == complex{16.0, 32.0}));
  const auto by_parts = batched(gradient(f, wrt<0>))(complex<std::vector<double>>{{3, 1}, {4, 2}}, ts);
  BOOST_TEST((by_parts.re[1] == 4 && by_parts.im[1] == -8));
  // Among the arguments of a function over tensors.
  const auto product =
      gradient([](const auto& z, const auto& factors) { return sum(factors * z.re) * sum(factors * z.im); }, wrt<0>);
  const auto g = product(zs[0], ts);
  BOOST_TEST((g.re == 36 && g.im == -27));
}

BOOST_AUTO_TEST_CASE(one_structure_for_all) {
  const vector rates{0.01, 0.02, 0.05};
  const payment p{100, 2};
  const auto r = batched(value_and_gradient(present_value))(p, rates);
  for (std::size_t i = 0; i < 3; ++i) {
    const payment& g = std::get<0>(r.gradient)[i];
    check_payment(p, rates(i), r.value(i), g.amount, g.years, std::get<1>(r.gradient)(i));
  }
}

BOOST_AUTO_TEST_CASE(structures_of_arrays) {
  const std::vector<payment> all = payments(13);
  payment_table table;
  for (const payment& p : all) table.amount.push_back(p.amount), table.years.push_back(p.years);
  const auto step = batched(value_and_gradient(present_value));
  const auto r = step(table, 0.03);
  const auto& [by_table, by_rate] = r.gradient;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_table)>, payment_table>);
  for (std::size_t i = 0; i < all.size(); ++i)
    check_payment(all[i], 0.03, r.value[i], by_table.amount[i], by_table.years[i], by_rate[i]);

  const std::tuple arrays{table.amount, 2.0};
  const auto [by_amount, by_years] = std::get<0>(step(arrays, 0.03).gradient);
  for (std::size_t i = 0; i < all.size(); ++i) {
    close(by_amount[i], std::exp(-0.06), "by amount");
    close(by_years[i], -0.03 * all[i].amount * std::exp(-0.06), "by the years of all");
  }
}

BOOST_AUTO_TEST_CASE(jacobians_of_points) {
  // Polar coordinates.
  constexpr auto to_plane = [](const auto& polar) {
    const auto& [r, angle] = polar;
    return std::array{r * cos(angle), r * sin(angle)};
  };
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < 9; ++i) points.push_back({1.0 + i, 0.3 * i});
  const auto r = batched(value_and_jacobian(to_plane))(points);
  const auto values = batched(to_plane)(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [radius, angle] = points[i];
    close(r.value[i][1], radius * std::sin(angle), "y");
    close(values[i][0], radius * std::cos(angle), "x");
    close(r.jacobian[0][0][i], std::cos(angle), "x by r");
    close(r.jacobian[0][1][i], -radius * std::sin(angle), "x by the angle");
    close(r.jacobian[1][0][i], std::sin(angle), "y by r");
    close(r.jacobian[1][1][i], radius * std::cos(angle), "y by the angle");
  }
}

BOOST_AUTO_TEST_CASE(stops_and_integers) {
  constexpr auto f = [](auto a, auto n) { return stop_gradient(a) * a * n; };
  const std::vector<double> as{1, 2, 3};
  const std::vector<int> ns{1, 5, 7};
  const auto g = batched(gradient(f, wrt<0>))(as, ns);
  BOOST_TEST(g[1] == 10.0);
  BOOST_TEST(g[2] == 21.0);
  // In a structure of arrays the derivatives by integers are zeros.
  constexpr auto product = [](const auto& p) { return std::get<0>(p) * std::get<1>(p); };
  const auto [by_as, by_ns] = batched(gradient(product))(std::tuple{as, ns});
  BOOST_TEST((by_as == std::vector<double>{1, 5, 7} && by_ns == std::vector<double>{0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(lengths_differ) {
  const std::vector<payment> all = payments(3);
  const std::vector<double> rates(4);
  const auto names_arguments = [](const std::invalid_argument& e) {
    const std::string text = e.what();
    return text.find("argument 0 (3)") != text.npos && text.find("argument 1 (4)") != text.npos;
  };
  BOOST_CHECK_EXCEPTION(batched(gradient(present_value))(all, rates), std::invalid_argument, names_arguments);
}
