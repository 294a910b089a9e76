// Loops over complex tensors, and batches of loops over complex sequences, against differences in std::complex.
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace tapeless;

namespace {

using wide = long double;
using number = std::complex<double>;
using wide_number = std::complex<wide>;

/// df/dx - i df/dy of `f`, by central differences of the fourth order.
template <class F>
wide_number slope(F f, const number& z) {
  constexpr wide h = 1e-4L;
  const auto along = [&](const wide_number& d) {
    const wide_number at(z);
    return (8 * (f(at + d) - f(at - d)) - (f(at + d + d) - f(at - d - d))) / (12 * h);
  };
  return {along(h), -along(wide_number(0, h))};
}
void close(const wide_number& computed, const wide_number& expected) {
  BOOST_TEST(static_cast<double>(std::abs(computed - expected) / (1 + std::abs(expected))) < 1e-10,
             computed << " instead of " << expected);
}

constexpr auto energy = [](auto w, auto zs) {
  return scan([&](auto h, auto z) { return h / 8 + norm(z * w + h * conj(z)); }, 0.0, zs);
};
template <class W, class Zs>
wide energy_of(const W& w, const Zs& zs) {
  wide h = 0;
  for (const auto& z : zs) h = h / 8 + std::norm(wide_number(z) * wide_number(w) + h * std::conj(wide_number(z)));
  return h;
}
template <class Zs>
wide_number by_element(const number& w, const Zs& zs, std::size_t i) {
  std::vector<wide_number> all(zs.begin(), zs.end());
  return slope([&](const wide_number& z) { return all[i] = z, energy_of(w, all); }, zs[i]);
}

const std::vector<number> zs{{1, 2}, {0.75, -1}, {-0.5, 0.25}}, shorter{{0.5, 0.5}};
const number w(0.5, 1);

}  // namespace

BOOST_AUTO_TEST_CASE(vectors_and_tensors_of_rank_1) {
  const xt::xtensor<number, 1> tensor{zs[0], zs[1], zs[2]};
  const auto [value, by] = value_and_gradient(energy)(w, tensor);
  BOOST_TEST(value == static_cast<double>(energy_of(w, zs)), boost::test_tools::tolerance(1e-14));
  close(std::get<0>(by), slope([](const wide_number& at) { return energy_of(at, zs); }, w));
  for (std::size_t i = 0; i < zs.size(); ++i) close(std::get<1>(by)(i), by_element(w, zs, i));
  const auto of_vector = gradient(energy, wrt<1>)(w, zs);
  static_assert(std::is_same_v<decltype(of_vector), const std::vector<number>>);
  for (std::size_t i = 0; i < zs.size(); ++i) BOOST_TEST((of_vector[i] == std::get<1>(by)(i)));
  // Every other element of a tensor, and none.
  const xt::xtensor<number, 1> doubled{zs[0], 9, zs[1], 9, zs[2]};
  BOOST_TEST(tapeless::value(energy)(w, xt::view(doubled, xt::range(0, 5, 2))) == value);
  BOOST_TEST(tapeless::value(energy)(w, xt::xtensor<number, 1>(std::array{std::size_t{}})) == 0);
}

BOOST_AUTO_TEST_CASE(rows_of_a_tensor) {
  // A carry of complex vectors; each step gets a row.
  constexpr auto f = [](auto start, auto rows) {
    const auto [last, all] = scan(
        [](auto carry, auto row) {
          const auto next = carry * row + conj(carry);
          return std::pair(next, next * 2.0);
        },
        start, rows);
    return sum(norm(last)) + sum(abs(all));
  };
  const auto exact = [](auto start, const std::array<std::array<wide_number, 2>, 3>& rows) {
    wide all = 0;
    for (const auto& row : rows)
      for (std::size_t k = 0; k < 2; ++k)
        start[k] = start[k] * row[k] + std::conj(start[k]), all += std::abs(start[k] + start[k]);
    return all + std::norm(start[0]) + std::norm(start[1]);
  };
  const xt::xtensor<number, 1> start{w, zs[1]};
  const xt::xtensor<number, 2> rows{{zs[0], zs[1]}, {zs[2], shorter[0]}, {w, zs[0]}};
  const std::array<wide_number, 2> start_of{w, zs[1]};
  const std::array<std::array<wide_number, 2>, 3> rows_of{{{zs[0], zs[1]}, {zs[2], shorter[0]}, {w, zs[0]}}};
  const auto [value, by] = value_and_gradient(f)(start, rows);
  BOOST_TEST(value == static_cast<double>(exact(start_of, rows_of)), boost::test_tools::tolerance(1e-14));
  for (std::size_t k = 0; k < 2; ++k) {
    close(std::get<0>(by)(k),
          slope([&, at = start_of](const wide_number& z) mutable { return at[k] = z, exact(at, rows_of); }, start(k)));
    for (std::size_t i = 0; i < 3; ++i)
      close(std::get<1>(by)(i, k),
            slope([&, at = rows_of](const wide_number& z) mutable { return at[i][k] = z, exact(start_of, at); },
                  rows(i, k)));
  }
}

BOOST_AUTO_TEST_CASE(batches) {
  const std::vector<std::vector<number>> all{zs, shorter};
  const std::vector<number> ws{w, 2.0 * w};
  const auto by = batched(gradient(energy))(ws, all);
  const auto shared = batched(gradient(energy))(ws, for_all(zs));
  for (std::size_t e = 0; e < 2; ++e) {
    close({std::get<0>(by).re[e], std::get<0>(by).im[e]},
          slope([&](const wide_number& at) { return energy_of(at, all[e]); }, ws[e]));
    for (std::size_t i = 0; i < all[e].size(); ++i) close(std::get<1>(by)[e][i], by_element(ws[e], all[e], i));
    for (std::size_t i = 0; i < zs.size(); ++i) close(std::get<1>(shared)[e][i], by_element(ws[e], zs, i));
  }
  // The library's own complex numbers.
  std::vector<std::vector<complex<double>>> own;
  for (const auto& each : all) {
    own.emplace_back();
    for (const number& z : each) own.back().push_back({z.real(), z.imag()});
  }
  const auto by_own = batched(gradient(energy, wrt<1>))(ws, own);
  for (std::size_t e = 0; e < 2; ++e)
    for (std::size_t i = 0; i < all[e].size(); ++i)
      close({by_own[e][i].re, by_own[e][i].im}, by_element(ws[e], all[e], i));
}
