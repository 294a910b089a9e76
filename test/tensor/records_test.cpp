#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

// Sequences of arrays and structs beside tensors: the loops that read them are loops over tensors.
namespace {

using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

template <class T>
struct reading {
  T rate;
  std::array<T, 2> offset;
  int row;
  float scale;
};
using readings = std::vector<reading<double>>;

constexpr auto loss = [](const auto& w, const auto& all, const auto& start) {
  const auto step = [&](auto carry, auto each) {
    const auto& [rate, offset, row, scale] = each;
    return tanh(carry * rate + offset[0]) * offset[1] + scale * w[row];
  };
  return sum(square(scan(step, start, all)));
};

/// The same by hand, of numbers of any kind.
template <class T>
struct by_hand {
  std::array<std::array<T, 3>, 2> w;
  std::vector<reading<T>> all;
  std::vector<T> scales;
  std::array<T, 3> start;

  T value() const {
    std::array<T, 3> carry = start;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t i = 0; i < 3; ++i)
        carry[i] = std::tanh(carry[i] * all[k].rate + all[k].offset[0]) * all[k].offset[1] +
                   scales[k] * w[static_cast<std::size_t>(all[k].row < 0 ? all[k].row + 2 : all[k].row)][i];
    T sum = 0;
    for (const T& each : carry) sum += each * each;
    return sum;
  }
};
using complex_number = std::complex<double>;

by_hand<complex_number> in_complex(const matrix& w, const readings& all, const vector& start) {
  by_hand<complex_number> result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.start[i] = start(i);
    for (std::size_t j = 0; j < 2; ++j) result.w[j][i] = w(j, i);
  }
  for (const auto& each : all) {
    result.all.push_back({each.rate, {each.offset[0], each.offset[1]}, each.row, 0.0F});
    result.scales.push_back(each.scale);
  }
  return result;
}
/// The derivative by a number of it: that of a step in the imaginary direction, without cancellation.
double slope(const by_hand<complex_number>& at, complex_number& by) {
  constexpr double step = 1e-100;
  by += complex_number(0, step);
  const double result = at.value().imag() / step;
  by = by.real();
  return result;
}

void nearly(double computed, double expected, const std::string& what, double tolerance = 1e-13) {
  BOOST_TEST(std::abs(computed - expected) <= tolerance * (1 + std::abs(expected)),
             what << ": " << computed << " instead of " << expected);
}
template <class Gradient>
void check_gradient_of(const Gradient& gradient, const matrix& w, const readings& all, const vector& start) {
  by_hand<complex_number> right = in_complex(w, all, start);
  const auto& [by_w, by_all, by_start] = gradient;
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t i = 0; i < 3; ++i) nearly(by_w(j, i), slope(right, right.w[j][i]), "by w");
  for (std::size_t i = 0; i < 3; ++i) nearly(by_start(i), slope(right, right.start[i]), "by start");
  BOOST_TEST_REQUIRE(by_all.size() == all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    nearly(by_all[k].rate, slope(right, right.all[k].rate), "by a rate");
    for (std::size_t i = 0; i < 2; ++i)
      nearly(by_all[k].offset[i], slope(right, right.all[k].offset[i]), "by an offset");
    // In the number type of the argument.
    nearly(by_all[k].scale, slope(right, right.scales[k]), "by a scale", 1e-6);
    BOOST_TEST(by_all[k].row == 0);
  }
}

const matrix weights{{0.3, -0.2, 0.5}, {0.1, 0.2, -0.4}};
const vector first{0.1, 0.2, 0.3};
const readings some{{0.5, {0.1, -0.3}, 1, 0.75F}, {-0.4, {0.2, 0.9}, 0, 1.5F}, {1.1, {0.6, 0.8}, -1, -0.25F}};

template <class T>
struct line {
  T a, b;
};
constexpr auto sums = [](const auto& w, const auto& lines) {
  const auto [as, bs] = lines;
  const auto step = [](auto carry, auto each) {
    const auto& [a, b] = each;
    return carry * a + b;
  };
  return sum(dot(w, as)) + scan(step, 0.5, lines) + sum(bs * bs);
};
const matrix factors{{1.0, 2.0}, {0.25, -1.0}};

template <class Records, class Number>
void check_sums(const Records& two_lines, const Number& of) {
  // (1.25, 1) . a + (0.5 a0 + b0) a1 + b1 + b0^2 + b1^2 with a = (3, -2), b = (0.5, 4)
  const auto [value, gradient] = value_and_gradient(sums)(factors, two_lines);
  nearly(value, 1.25 * 3 - 2 - 4 + 4 + 0.25 + 16, "value");
  const auto& [by_w, by_lines] = gradient;
  for (std::size_t i = 0; i < 2; ++i) nearly(by_w(i, 0), 3, "by w"), nearly(by_w(i, 1), -2, "by w");
  nearly(of(by_lines, 0, 0), 1.25 + 0.5 * -2, "by a0");
  nearly(of(by_lines, 1, 0), 1 + 2, "by a1");
  nearly(of(by_lines, 0, 1), -2 + 1, "by b0");
  nearly(of(by_lines, 1, 1), 1 + 8, "by b1");
}

}  // namespace

BOOST_AUTO_TEST_CASE(structs_beside_tensors) {
  static constexpr auto step = value_and_gradient(loss, wrt<0, 1, 2>);
  auto result = step(weights, some, first);
  // An existing result takes the lengths of each call.
  for (std::size_t count = 4; count-- > 0;) {
    const readings some_of_them(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    step(into(result), weights, some_of_them, first);
    nearly(result.value, in_complex(weights, some_of_them, first).value().real(), "value");
    check_gradient_of(result.gradient, weights, some_of_them, first);
  }
  nearly(value(loss)(weights, some, first), in_complex(weights, some, first).value().real(), "value alone");
}

BOOST_AUTO_TEST_CASE(second_derivatives_by_structs) {
  const matrix along_w{{1.0, -0.5, 0.25}, {0.0, 2.0, 1.0}};
  const vector along_first{0.5, 0.0, -1.0};
  const readings along{{1.0, {0.5, -1.0}, 0, 0.5F}, {0.0, {1.0, 2.0}, 0, 1.0F}, {-0.5, {0.25, 0.0}, 0, -2.0F}};
  const auto moved = [&](double by) {
    readings result = some;
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k].rate += by * along[k].rate;
      result[k].scale += static_cast<float>(by) * along[k].scale;
      for (std::size_t i = 0; i < 2; ++i) result[k].offset[i] += by * along[k].offset[i];
    }
    return result;
  };
  const auto [product_w, product, product_first] =
      hvp(loss, wrt<0, 1, 2>, tangent(along_w, along, along_first))(weights, some, first);
  constexpr double by = 0x1p-13;  // exact in float beside the scales
  const auto gradient_at = [&](double t) {
    return in_complex(weights + t * along_w, moved(t), first + t * along_first);
  };
  by_hand<complex_number> after = gradient_at(by), before = gradient_at(-by), here = gradient_at(0);
  const auto second = [&](auto which) {
    return (slope(after, which(after)) - slope(before, which(before))) / (2 * by);
  };
  constexpr double rough = 1e-6;
  nearly(product_w(1, 2), second([](auto& f) -> auto& { return f.w[1][2]; }), "by w", rough);
  nearly(product_first(0), second([](auto& f) -> auto& { return f.start[0]; }), "by start", rough);
  for (std::size_t k = 0; k < 3; ++k) {
    nearly(product[k].rate, second([&](auto& f) -> auto& { return f.all[k].rate; }), "by a rate", rough);
    nearly(product[k].offset[1], second([&](auto& f) -> auto& { return f.all[k].offset[1]; }), "by an offset", rough);
    nearly(product[k].scale, second([&](auto& f) -> auto& { return f.scales[k]; }), "by a scale", rough);
  }
  double expected = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    expected += along[k].rate * slope(here, here.all[k].rate) + along[k].scale * slope(here, here.scales[k]);
    for (std::size_t i = 0; i < 2; ++i) expected += along[k].offset[i] * slope(here, here.all[k].offset[i]);
  }
  nearly(jvp(loss, wrt<1>, tangent(along))(weights, some, first), expected, "jvp");
}

BOOST_AUTO_TEST_CASE(sequences_of_records_of_each_kind) {
  const auto member = [](const auto& all, std::size_t k, int which) { return which == 0 ? all[k].a : all[k].b; };
  check_sums(std::vector<line<double>>{{3, 0.5}, {-2, 4}}, member);
  check_sums(std::vector<line<float>>{{3, 0.5F}, {-2, 4}}, member);
  check_sums(std::vector<std::array<double, 2>>{{3, 0.5}, {-2, 4}},
             [](const auto& all, std::size_t k, int which) { return all[k][static_cast<std::size_t>(which)]; });
  const auto element = [](const auto& all, std::size_t k, int which) {
    BOOST_TEST(all.shape(0) == 2U);
    BOOST_TEST(all.shape(1) == 2U);
    return all(k, which);
  };
  const matrix by_rows{{3, 0.5}, {-2, 4}};
  const xt::xtensor<double, 2, xt::layout_type::column_major> by_columns = by_rows;
  check_sums(rows_of<2>(by_rows), element);
  check_sums(rows_of<2>(by_columns), element);
  const matrix wider{{3, 0.5, 7}, {-2, 4, 9}};
  check_sums(rows_of<2>(xt::view(wider, xt::all(), xt::range(0, 2))), element);
}

BOOST_AUTO_TEST_CASE(gradients_by_rows_in_loops_of_numbers) {
  static constexpr auto f = [](const auto& p, const auto& lines) {
    return scan([](auto carry, auto each) { return carry * each[0] + each[1]; }, p, lines);
  };
  // (0.5 a0 + b0) a1 + b1 with a = (3, -2), b = (0.5, 4)
  const auto check = [](const auto& lines) {
    const auto by_lines = gradient(f, wrt<1>)(0.5, rows_of<2>(lines));
    BOOST_TEST(by_lines.shape(0) == 2U);
    BOOST_TEST(by_lines.shape(1) == 2U);
    nearly(by_lines(0, 0), 0.5 * -2, "by a0"), nearly(by_lines(0, 1), -2, "by b0");
    nearly(by_lines(1, 0), 2, "by a1"), nearly(by_lines(1, 1), 1, "by b1");
  };
  const matrix by_rows{{3, 0.5}, {-2, 4}};
  check(by_rows);
  check(xt::xtensor<double, 2, xt::layout_type::column_major>(by_rows));
}

BOOST_AUTO_TEST_CASE(complex_records_beside_tensors) {
  static constexpr auto f = [](const auto& w, const auto& lines) {
    const auto step = [](auto carry, auto each) {
      const auto& [a, b] = each;
      return carry * a + b;
    };
    return real(scan(step, complex(0.5, 0.0), lines)) * sum(w);
  };
  // Re((0.5 a0 + b0) a1 + b1) with a = (1 + 2i, i), b = (3i, 2)
  const std::vector<line<std::complex<double>>> lines{{{1, 2}, {0, 3}}, {{0, 1}, {2, 0}}};
  const auto [value, gradient] = value_and_gradient(f)(factors, lines);
  nearly(value, (-4.0 + 2.0) * 2.25, "value");
  const auto& [by_w, by_lines] = gradient;
  nearly(by_w(1, 1), -2, "by w");
  // Re(c (x + i y)) has the derivatives re c by x and -im c by y, and the gradient is that by x minus i times that by
  // y.
  const auto check = [](std::complex<double> computed, std::complex<double> c) {
    nearly(std::abs(computed - 2.25 * c), 0, "by a number");
  };
  check(by_lines[0].a, {0, 0.5}), check(by_lines[0].b, {0, 1}), check(by_lines[1].a, {0.5, 4}), check(by_lines[1].b, 1);
}

BOOST_AUTO_TEST_CASE(a_captured_sequence_beside_records) {
  // By a sequence that the body captures, derivatives are those of loops over tensors.
  static constexpr auto f = [](auto p, auto lines, auto places, auto ws) {
    const auto step = [&](auto carry, auto each, auto place) { return carry * each[0] + each[1] * ws[place]; };
    return scan(step, p, lines, places);
  };
  // (p a0 + b0 w2) a1 + b1 w0
  const std::vector<std::array<double, 2>> lines{{0.5, 3.0}, {-2.0, 1.5}};
  const std::vector<int> places{2, 0};
  const auto [by_p, by_ws] = gradient(f, wrt<0, 3>)(0.75, lines, places, std::vector<double>{1.0, 2.0, -4.0});
  nearly(by_p, -1.0, "by p");
  nearly(by_ws[0], 1.5, "by w0"), nearly(by_ws[1], 0, "by w1"), nearly(by_ws[2], -6.0, "by w2");
}

BOOST_AUTO_TEST_CASE(sequences_of_other_lengths_are_refused) {
  static constexpr auto f = [](const auto& start, const auto& lines, const auto& xs) {
    return sum(scan([](auto carry, auto each, auto x) { return carry * each[0] + x * each[1]; }, start, lines, xs));
  };
  const std::vector<std::array<double, 2>> lines{{0.5, 3.0}, {-2.0, 1.5}, {1.0, 1.0}};
  BOOST_CHECK_EXCEPTION(
      gradient(f)(first, lines, std::vector<double>{1, 2}), std::invalid_argument, [](const std::invalid_argument& e) {
        return std::string(e.what()).find("must be equally long; their extents are") != std::string::npos;
      });
}
