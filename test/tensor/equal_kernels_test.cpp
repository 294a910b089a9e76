// Loops of one program that are the same but for their memory, axes and numbers run in one function: values and
// derivatives of programs with such loops, and with loops that differ a little, as by hand.
#include "check_against.hpp"

using namespace tapeless;
using namespace tapeless_test;

namespace {

const matrix w = random<matrix>({4, 4}, 1), square_one = random<matrix>({4, 4}, 2);
const row h = random<row>({4}, 3), x = random<row>({4}, 4);

matrix transposed(const matrix& a) { return xt::transpose(a); }

}  // namespace

BOOST_AUTO_TEST_CASE(steps_with_other_numbers) {
  check_against(
      "factors",
      [](const auto& a, const auto& start, const auto& input) {
        auto c = start;
        // Constants of the program and a number of the call.
        for (const double factor : {-0.3, 0.1, -0.3, 0.2}) c = tanh(max(dot(a, c), factor)) + input;
        for (int i = 0; i < 2; ++i) c = tanh(dot(a, c) + input[i] * c);
        return sum(square(c));
      },
      [](const matrix& a, const row& start, const row& input) {
        row c = start;
        for (const double factor : {-0.3, 0.1, -0.3, 0.2}) c = row(xt::tanh(xt::maximum(times(a, c), factor)) + input);
        for (std::size_t i = 0; i < 2; ++i) c = row(xt::tanh(times(a, c) + input(i) * c));
        return xt::sum(xt::square(c))();
      },
      w, h, x);
}

BOOST_AUTO_TEST_CASE(steps_whose_operands_are_in_another_order) {
  check_against(
      "orders",
      [](const auto& a, const auto& start, const auto& input) {
        const auto b = exp(dot(a, start)), c = exp(dot(a, b * input)), d = exp(dot(a, input * c)),
                   e = exp(dot(a, atan2(d, input))), f = exp(dot(a, atan2(input, e))), g = exp(dot(a, atan2(f, input))),
                   k = dot(a, input - g), l = dot(a, max(k, input)), m = dot(a, max(input, l));
        return sum(tanh(m)) + sum(where(m > l, m * l, l));
      },
      [](const matrix& a, const row& start, const row& input) {
        const auto in = [&](const row& of) { return times(a, of); };
        const row b = xt::exp(in(start)), c = xt::exp(in(b * input)), d = xt::exp(in(input * c)),
                  e = xt::exp(in(xt::atan2(d, input))), f = xt::exp(in(xt::atan2(input, e))),
                  g = xt::exp(in(xt::atan2(f, input))), k = in(input - g), l = in(xt::maximum(k, input)),
                  m = in(xt::maximum(input, l));
        return xt::sum(xt::tanh(m))() + xt::sum(xt::where(m > l, m * l, l))();
      },
      matrix(0.3 * w), h, x);
}

BOOST_AUTO_TEST_CASE(steps_with_other_functions) {
  check_against(
      "functions",
      [](const auto& a, const auto& start) {
        const auto b = sin(dot(a, start)), c = atan(dot(a, b)), d = erf(dot(a, c)), e = sin(dot(a, d));
        return sum(e) + sum(prod<0>(atan2(a, b))) + sum(amax<0>(atan2(a, c)));
      },
      [](const matrix& a, const row& start) {
        const row b = xt::sin(times(a, start)), c = xt::atan(times(a, b)), d = xt::erf(times(a, c)),
                  e = xt::sin(times(a, d));
        return xt::sum(e)() + xt::sum(xt::prod(xt::atan2(a, b), {0}))() + xt::sum(xt::amax(xt::atan2(a, c), {0}))();
      },
      w, h);
}

BOOST_AUTO_TEST_CASE(reductions_along_other_axes) {
  check_against<2>(
      "axes",
      [](const auto& a, const auto& b) {
        const auto c = matmul(a, tanh(b)), d = matmul(tanh(c), b), e = matmul(transpose(tanh(d)), c);
        return sum(logsumexp<0>(c) * logsumexp<1>(d)) + sum(mean<1>(exp(e)) * mean<0>(exp(c))) + sum(amax<0>(d)) +
               sum(amax<1>(e)) + sum(prod<0>(0.5 + square(c))) + sum(prod<1>(0.5 + square(d)));
      },
      [](const matrix& a, const matrix& b) {
        const matrix c = product(a, xt::tanh(b)), d = product(xt::tanh(c), b), e = product(transposed(xt::tanh(d)), c);
        const row by_columns = xt::log(xt::sum(xt::exp(c), {0})), by_rows = xt::log(xt::sum(xt::exp(d), {1})),
                  means_of_rows = xt::mean(xt::exp(e), {1}), means_of_columns = xt::mean(xt::exp(c), {0});
        return xt::sum(by_columns * by_rows)() + xt::sum(means_of_rows * means_of_columns)() +
               xt::sum(xt::amax(d, {0}))() + xt::sum(xt::amax(e, {1}))() +
               xt::sum(xt::prod(0.5 + xt::square(c), {0}))() + xt::sum(xt::prod(0.5 + xt::square(d), {1}))();
      },
      w, square_one);
}

// What is read lies once in memory of the program, once in a slice of an argument whose columns are apart.
BOOST_AUTO_TEST_CASE(strided_and_contiguous_memory) {
  constexpr auto f = [](const auto& a, const auto& b) {
    const auto left = slice<1>(a, 0, 4), right = slice<1>(a, 4, 8);
    const auto c = dot(left, exp(0.5 * left)), d = dot(right, exp(0.5 * right)), e = dot(b, exp(0.5 * c)),
               g = dot(d, exp(0.5 * slice<1>(tanh(a), 2, 6)));
    return sum(tanh(c) * d) + sum(square(e) * g) + sum(exp(0.5 * g));
  };
  const matrix a = random<matrix>({4, 8}, 5);
  const xt::xtensor<double, 2, xt::layout_type::column_major> by_columns = a;
  check_against<2>(
      "slices", f,
      [](const matrix& of, const matrix& b) {
        const auto columns = [](const matrix& m, std::size_t begin) {
          return matrix(xt::view(m, xt::all(), xt::range(begin, begin + 4)));
        };
        const matrix left = columns(of, 0), right = columns(of, 4), c = product(left, xt::exp(0.5 * left)),
                     d = product(right, xt::exp(0.5 * right)), e = product(b, xt::exp(0.5 * c)),
                     g = product(d, xt::exp(0.5 * columns(xt::tanh(of), 2)));
        return xt::sum(xt::tanh(c) * d)() + xt::sum(xt::square(e) * g)() + xt::sum(xt::exp(0.5 * g))();
      },
      a, w);
  const auto rows_first = value_and_gradient(f)(a, w);
  const auto columns_first = value_and_gradient(f)(by_columns, w);
  nearly(columns_first.value, rows_first.value, "by columns", 1e-14);
  const matrix difference = std::get<0>(columns_first.gradient) - std::get<0>(rows_first.gradient);
  nearly(xt::amax(xt::abs(difference))(), 0, "its gradient", 1e-13);
}
