// Gradients on several threads: the same for any number of threads, and those of one.
#include "../message_of.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/parallel.hpp>
#include <tapeless/xtensor.hpp>

#include <tbb/global_control.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <execution>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <vector>

using namespace tapeless;

namespace {

constexpr auto X = variable<"X">;
constexpr auto w = variable<"w">;
constexpr auto t = variable<"t">;

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

vector wave(std::size_t size, double frequency) {
  vector result = vector::from_shape({size});
  for (std::size_t i = 0; i < size; ++i) result(i) = std::sin(frequency * static_cast<double>(i));
  return result;
}
// Large enough to be split, of odd sizes.
const std::size_t rows = 20011, columns = 7;
const vector targets = wave(rows, 0.3), weights = wave(columns, 1.7);
const matrix data = [] {
  matrix result = matrix::from_shape({rows, columns});
  std::ranges::copy(wave(rows * columns, 0.01), result.begin());
  return result;
}();

template <class Step>
auto on_threads(std::size_t count, Step step) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
  return step();
}

/// The greatest difference in units of the greatest element.
template <class A, class B>
double difference(const A& a, const B& b) {
  double result = 0, largest = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    result = std::max(result, std::abs(*i - *j));
    largest = std::max(largest, std::abs(*j));
  }
  return result / largest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_and_rows) {
  const auto z = dot(X, w);
  const auto step = value_and_gradient(mean(softplus(z) - t * z) + mean(logsumexp<1>(X)), wrt(X, w, t));
  const auto alone = step(X = data, w = weights, t = targets);
  const auto run = [&] { return step(std::execution::par, X = data, w = weights, t = targets); };
  const auto one = on_threads(1, run);
  for (const std::size_t threads : {2u, 3u, 8u}) {
    auto several = on_threads(threads, run);
    BOOST_TEST(several.value == one.value);
    BOOST_TEST((several.gradient[w] == one.gradient[w]));
    BOOST_TEST((several.gradient[X] == one.gradient[X]));
    BOOST_TEST((several.gradient[t] == one.gradient[t]));
    on_threads(threads, [&] { step(std::execution::par, into(several), X = data, w = weights, t = targets); });
    BOOST_TEST((several.gradient[w] == one.gradient[w]));
  }
  BOOST_TEST(one.value == alone.value, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(difference(one.gradient[w], alone.gradient[w]) < 1e-13);
  BOOST_TEST(difference(one.gradient[X], alone.gradient[X]) < 1e-13);
  BOOST_TEST(difference(one.gradient[t], alone.gradient[t]) < 1e-13);
}

// What a sum begins with is in it once, not once for each part.
BOOST_AUTO_TEST_CASE(sums_added_to_a_variable) {
  const auto step = value(w + sum<0>(exp(X)));
  vector expected = weights;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) expected(j) += std::exp(data(i, j));
  BOOST_TEST(difference(step(X = data, w = weights), expected) < 1e-13);
  for (const std::size_t threads : {1u, 3u}) {
    const auto run = [&] { return step(std::execution::par, X = data, w = weights); };
    BOOST_TEST(difference(on_threads(threads, run), expected) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(other_reductions) {
  const auto step =
      value_and_gradient(logsumexp(t) + 2_c * amax(t) - amin(t) + norm(t - stop_gradient(mean(t))), wrt(t));
  const vector many = wave(50021, 0.7);
  const auto alone = step(t = many);
  const auto run = [&] { return step(std::execution::par_unseq, t = many); };
  const auto one = on_threads(1, run), several = on_threads(4, run);
  BOOST_TEST(several.value == one.value);
  BOOST_TEST((several.gradient[t] == one.gradient[t]));
  BOOST_TEST(one.value == alone.value, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(difference(one.gradient[t], alone.gradient[t]) < 1e-13);
}

// Each part has sums of its own, in whose memory nothing else lies: a mixture of normal distributions by its weights,
// means and scales keeps exponentials of the scales.
BOOST_AUTO_TEST_CASE(kept_values) {
  constexpr auto m = variable<"m">;
  constexpr auto s = variable<"s">;
  const vector means = wave(columns, 0.9), scales = wave(columns, 2.3);
  const auto z = (expand_dims<1>(t) - m) * exp(-s);
  const auto step = value_and_gradient(sum(logsumexp<1>(w - s - constant<1, 2> * square(z))), wrt(w, m, s));
  double value = 0;
  vector by_weights = xt::zeros<double>({columns}), by_scales = by_weights;
  for (const double ti : targets) {
    const auto deviation = [&](std::size_t j) { return (ti - means(j)) / std::exp(scales(j)); };
    const auto term = [&](std::size_t j) { return std::exp(weights(j) - scales(j) - deviation(j) * deviation(j) / 2); };
    double total = 0;
    for (std::size_t j = 0; j < columns; ++j) total += term(j);
    value += std::log(total);
    for (std::size_t j = 0; j < columns; ++j) {
      by_weights(j) += term(j) / total;
      by_scales(j) += term(j) / total * (deviation(j) * deviation(j) - 1);
    }
  }
  for (const std::size_t threads : {1u, 3u}) {
    const auto r =
        on_threads(threads, [&] { return step(std::execution::par, t = targets, w = weights, m = means, s = scales); });
    BOOST_TEST(r.value == value, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(difference(r.gradient[w], by_weights) < 1e-12);
    BOOST_TEST(difference(r.gradient[s], by_scales) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(functions) {
  constexpr auto f = [](const auto& rows_of, const auto& v, const auto& labels) {
    const auto z = dot(rows_of, v);
    return mean(softplus(z) - labels * z);
  };
  const auto step = value_and_gradient(f, wrt<1>);
  const auto alone = step(data, weights, targets);
  const auto run = [&] { return step(std::execution::par, data, weights, targets); };
  const auto one = on_threads(1, run);
  auto several = on_threads(4, run);
  BOOST_TEST(several.value == one.value);
  BOOST_TEST((several.gradient == one.gradient));
  on_threads(3, [&] { step(std::execution::par, into(several), data, weights, targets); });
  BOOST_TEST((several.gradient == one.gradient));
  BOOST_TEST(one.value == alone.value, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(difference(one.gradient, alone.gradient) < 1e-13);
}

// Loops over the rows of a matrix: each element's numbers are those of one thread, and what a loop throws is heard.
BOOST_AUTO_TEST_CASE(batches_of_loops) {
  constexpr auto path = [](auto a, auto xs) { return scan([&](auto c, auto x) { return sin(c * a) + x; }, a, xs); };
  const auto step = batched(value_and_gradient(path));
  const auto alone = step(targets, data);
  for (const std::size_t threads : {1u, 3u}) {
    auto r = on_threads(threads, [&] { return step(std::execution::par, targets, data); });
    BOOST_TEST((r.value == alone.value));
    BOOST_TEST((std::get<1>(r.gradient) == std::get<1>(alone.gradient)));
    on_threads(threads, [&] { return step(std::execution::par, into(r), r.value, data), 0; });
    BOOST_TEST((r.value == step(alone.value, data).value));
  }
  constexpr auto two = [](auto xs, auto ys) {
    return scan([&](auto c, auto x, auto y) { return c + x * y; }, 0.0, xs, ys);
  };
  const matrix shorter = matrix::from_shape({rows, columns - 1});
  BOOST_CHECK_THROW(batched(two)(std::execution::par, data, shorter), std::invalid_argument);
}

// An exception of a part reaches the caller.
BOOST_AUTO_TEST_CASE(parts_that_throw) {
  constexpr auto repeated = [](auto a, auto n) { return scan([&](auto s, auto) { return s * a; }, 1.0, steps(n)); };
  for (const std::size_t size : {1U, 10U, 5000U}) {
    const std::vector<double> x(size, 0.5);
    std::vector<int> elements(size), n(size, 3);
    std::iota(elements.begin(), elements.end(), 0);
    const auto check = [&](const auto& verb) {
      auto r = verb(std::execution::par, x, elements, n);
      const auto before = r.value;
      n[size / 2] = -2;
      BOOST_TEST(tapeless_test::message_of<std::invalid_argument>([&] {
                   verb(std::execution::par, into(r), x, elements, n);
                 }) == "tapeless: the number of steps of a loop must be a nonnegative integer, not -2");
      n[size / 2] = 3;
      BOOST_TEST((r.value == before));
      BOOST_TEST((verb(std::execution::par, x, elements, n).value == before));
    };
    check(assemble(value_and_gradient(repeated)));
    check(assemble(hessian(repeated)));
    check(assemble(jacobian(repeated)));
  }
}
