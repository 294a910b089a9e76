// Products of matrices by BLAS, in all layouts, against plain loops.
#include <tapeless/cblas.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <dlfcn.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

using namespace tapeless;

namespace {
int products = 0;
}
/// Stands in front of the library's, and counts.
extern "C" void cblas_dgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE flip_a, CBLAS_TRANSPOSE flip_b, int rows, int columns,
                            int inner, double alpha, const double* a, int leading_a, const double* b, int leading_b,
                            double beta, double* c, int leading_c) {
  ++products;
  static const auto library = reinterpret_cast<decltype(&cblas_dgemm)>(dlsym(RTLD_NEXT, "cblas_dgemm"));
  library(order, flip_a, flip_b, rows, columns, inner, alpha, a, leading_a, b, leading_b, beta, c, leading_c);
}

namespace {

constexpr auto A = variable<"A">;
constexpr auto B = variable<"B">;

template <class Matrix>
Matrix wave(std::size_t rows, std::size_t columns, double frequency) {
  Matrix result = Matrix::from_shape({rows, columns});
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      result(i, j) =
          static_cast<typename Matrix::value_type>(std::sin(frequency * static_cast<double>(i * columns + j)));
  return result;
}

/// sum((A B)^2), its gradient by A, 2 A B B^T, and by B, 2 A^T A B, at every tenth element.
template <class Left, class Right>
void check(std::size_t rows, std::size_t inner, std::size_t columns, double tolerance) {
  const Left a = wave<Left>(rows, inner, 0.3);
  const Right b = wave<Right>(inner, columns, 0.7);
  xt::xtensor<double, 2> product = xt::zeros<double>({rows, columns});
  double square_sum = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = 0; k < inner; ++k)
        product(i, j) += static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
      square_sum += product(i, j) * product(i, j);
    }
  const auto close = [&](double found, double expected) {
    BOOST_TEST(std::abs(found - expected) <= tolerance * (static_cast<double>(rows + columns) + std::abs(expected)));
  };
  const auto step = value_and_gradient(sum(square(dot(A, B))), wrt(A, B));
  auto r = step(A = a, B = b);
  // Again into the same result: nothing may be left of the first call.
  step(into(r), A = a, B = b);
  close(r.value, square_sum);
  for (std::size_t i = 0; i < rows; i += 10)
    for (std::size_t k = 0; k < inner; k += 10) {
      double expected = 0;
      for (std::size_t j = 0; j < columns; ++j) expected += 2 * product(i, j) * static_cast<double>(b(k, j));
      close(r.gradient[A](i, k), expected);
    }
  for (std::size_t k = 0; k < inner; k += 10)
    for (std::size_t j = 0; j < columns; j += 10) {
      double expected = 0;
      for (std::size_t i = 0; i < rows; ++i) expected += 2 * product(i, j) * static_cast<double>(a(i, k));
      close(r.gradient[B](k, j), expected);
    }
}

template <class T>
using by_rows = xt::xtensor<T, 2>;
template <class T>
using by_columns = xt::xtensor<T, 2, xt::layout_type::column_major>;

}  // namespace

BOOST_AUTO_TEST_CASE(layouts) {
  check<by_rows<double>, by_rows<double>>(81, 53, 67, 1e-12);
  check<by_rows<double>, by_columns<double>>(81, 53, 67, 1e-12);
  check<by_columns<double>, by_rows<double>>(81, 53, 67, 1e-12);
  check<by_columns<double>, by_columns<double>>(81, 53, 67, 1e-12);
  check<by_rows<float>, by_rows<float>>(81, 53, 67, 1e-4);
}

// Blocks of rows, and matrices that stay with the loops.
BOOST_AUTO_TEST_CASE(sizes) {
  check<by_rows<double>, by_rows<double>>(900, 64, 70, 1e-12);
  check<by_rows<double>, by_rows<double>>(5, 3, 4, 1e-12);
  check<by_rows<double>, by_rows<double>>(1, 300, 500, 1e-12);
}

// Neither rows nor columns are contiguous: the loops take it.
BOOST_AUTO_TEST_CASE(strided_views) {
  const auto a = wave<by_rows<double>>(100, 200, 0.3), b = wave<by_rows<double>>(100, 80, 0.7);
  const auto every_other = xt::view(a, xt::all(), xt::range(0, 200, 2));
  const by_rows<double> copied = every_other;
  const auto left = dot(A, B)(A = every_other, B = b), right = dot(A, B)(A = copied, B = b);
  for (std::size_t i = 0; i < 100; i += 9)
    for (std::size_t j = 0; j < 80; j += 7) BOOST_TEST(left(i, j) == right(i, j), boost::test_tools::tolerance(1e-11));
}

// Where a derivative is masked, a product of a masked matrix is BLAS's too: the hidden layer of a perceptron.
BOOST_AUTO_TEST_CASE(masked) {
  const auto a = wave<by_rows<double>>(64, 70, 0.3), b = wave<by_rows<double>>(70, 48, 0.7);
  const auto check_masked = [&](const auto& left, const auto& right) {
    const auto step = value_and_gradient(sum(square(relu(dot(A, B)))), wrt(A, B));
    products = 0;
    const auto r = step(A = left, B = right);
    BOOST_TEST(products == 3);
    xt::xtensor<double, 2> z = xt::zeros<double>({std::size_t(64), std::size_t(48)});
    for (std::size_t i = 0; i < 64; ++i)
      for (std::size_t j = 0; j < 48; ++j) {
        for (std::size_t k = 0; k < 70; ++k) z(i, j) += a(i, k) * b(k, j);
        z(i, j) = z(i, j) > 0 ? 2 * z(i, j) : 0;
      }
    for (std::size_t k = 0; k < 70; k += 3) {
      double by_a = 0, by_b = 0;
      for (std::size_t j = 0; j < 48; ++j) by_a += z(7, j) * b(k, j);
      for (std::size_t i = 0; i < 64; ++i) by_b += a(i, k) * z(i, 11);
      BOOST_TEST(std::abs(r.gradient[A](7, k) - by_a) <= 1e-11);
      BOOST_TEST(std::abs(r.gradient[B](k, 11) - by_b) <= 1e-11);
    }
  };
  check_masked(a, b);
  check_masked(by_columns<double>(a), b);
}

// A branch that is not taken adds nothing, infinity times zero not either.
BOOST_AUTO_TEST_CASE(masked_infinity) {
  constexpr auto M = variable<"M">;
  auto a = wave<by_rows<double>>(64, 70, 0.3);
  const auto b = wave<by_rows<double>>(70, 48, 0.7);
  auto mask = wave<by_rows<double>>(64, 48, 0.9);
  for (std::size_t j = 0; j < 48; ++j) mask(5, j) = -1;
  const auto step = gradient(sum(square(where(M > 0, dot(A, B), 0.0))), wrt(B));
  const auto finite = step(A = a, B = b, M = mask);
  a(5, 9) = std::numeric_limits<double>::infinity();
  const auto infinite = step(A = a, B = b, M = mask);
  for (std::size_t k = 0; k < 70; k += 3)
    for (std::size_t j = 0; j < 48; j += 5)
      BOOST_TEST(std::abs(infinite[B](k, j) - finite[B](k, j)) <= 1e-12 * (1 + std::abs(finite[B](k, j))));
}

// A vector as a matrix of one column or row: an extent of 1 has no stride of its own.
BOOST_AUTO_TEST_CASE(one_column) {
  products = 0;
  check<by_rows<double>, by_rows<double>>(90, 70, 1, 1e-12);
  check<by_rows<double>, by_columns<double>>(90, 70, 1, 1e-12);
  check<by_rows<double>, by_rows<double>>(1, 70, 90, 1e-12);
  check<by_rows<double>, by_rows<double>>(90, 1, 70, 1e-12);
  // Three each, twice.
  BOOST_TEST(products == 24);
}

namespace {

/// sum((X W)^2) of a table of matrices, and its gradients 2 X W W^T and 2 X^T X W.
template <class X, class W>
void check_table(const X& x, const W& w, int expected_products) {
  const auto step = value_and_gradient(sum(square(dot(A, B))), wrt(A, B));
  auto r = step(A = x, B = w);
  products = 0;
  step(into(r), A = x, B = w);
  BOOST_TEST(products == expected_products);
  xt::xtensor<double, 3> by_x = xt::zeros<double>({x.shape(0), x.shape(1), x.shape(2)});
  xt::xtensor<double, 2> by_w = xt::zeros<double>({w.shape(0), w.shape(1)});
  double value = 0;
  for (std::size_t t = 0; t < x.shape(0); ++t)
    for (std::size_t i = 0; i < x.shape(1); ++i)
      for (std::size_t j = 0; j < w.shape(1); ++j) {
        double product = 0;
        for (std::size_t k = 0; k < w.shape(0); ++k) product += x(t, i, k) * w(k, j);
        value += product * product;
        for (std::size_t k = 0; k < w.shape(0); ++k)
          by_x(t, i, k) += 2 * product * w(k, j), by_w(k, j) += 2 * product * x(t, i, k);
      }
  BOOST_TEST(r.value == value, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::abs(xt::amax(xt::abs(r.gradient[A] - by_x))()) <= 1e-10);
  BOOST_TEST(std::abs(xt::amax(xt::abs(r.gradient[B] - by_w))()) <= 1e-10);
}

xt::xtensor<double, 3> table(std::size_t steps, std::size_t rows, std::size_t columns) {
  xt::xtensor<double, 3> result = xt::zeros<double>({steps, rows, columns});
  for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = std::sin(0.3 * static_cast<double>(i));
  return result;
}

}  // namespace

// The rows of all matrices are those of one, if they lie like it; otherwise loops take them.
BOOST_AUTO_TEST_CASE(tables) {
  const auto w = wave<by_rows<double>>(40, 30, 0.7);
  check_table(table(5, 12, 40), w, 3);
  check_table(table(1, 12, 40), w, 3);
  check_table(table(12, 1, 40), w, 3);
  check_table(table(5, 12, 40), by_columns<double>(w), 3);
  const auto wide = table(5, 24, 40);
  check_table(xt::view(wide, xt::all(), xt::range(0, 12), xt::all()), w, 0);
  check_table(xt::view(wide, xt::all(), xt::range(0, 24, 2), xt::all()), w, 3);
  check_table(xt::view(wide, xt::range(0, 5, 2), xt::all(), xt::all()), w, 0);
  check_table(xt::transpose(table(12, 5, 40), {1, 0, 2}), w, 0);
  // Seven blocks of steps; too few products.
  check_table(table(90, 64, 40), w, 21);
  check_table(table(1, 2, 40), w, 0);
}

// A batch of products is no product, nor is a matrix times a vector.
BOOST_AUTO_TEST_CASE(no_products) {
  products = 0;
  for (const std::size_t rows : {1u, 20u}) {
    const auto x = table(12, rows, 40), y = table(12, 40, 30);
    const auto all = dot(A, B)(A = x, B = y);
    for (const std::size_t t : {0u, 7u, 11u})
      for (std::size_t j = 0; j < 30; ++j) {
        double expected = 0;
        for (std::size_t k = 0; k < 40; ++k) expected += x(t, rows - 1, k) * y(t, k, j);
        BOOST_TEST(std::abs(all(t, rows - 1, j) - expected) <= 1e-12);
      }
  }
  const auto a = wave<by_rows<double>>(90, 70, 0.3);
  const xt::xtensor<double, 1> v = xt::ones<double>({70});
  const auto sums = dot(A, B)(A = a, B = v);
  BOOST_TEST(std::abs(sums(89) - xt::sum(xt::row(a, 89))()) <= 1e-12);
  BOOST_TEST(products == 0);
}

// A step multiplies by each matrix once: what meets its own axes is not computed once more, and the way back takes the
// products of the way there.
BOOST_AUTO_TEST_CASE(gated_unit) {
  constexpr auto loss = [](const auto& gates, const auto& candidate, const auto& h0, const auto& xs) {
    const auto step = [&](const auto& h, const auto& x) {
      const auto both = sigmoid(dot(h, gates));
      const auto z = slice<1>(both, 0, 24), r = slice<1>(both, 24, 48);
      const auto next = z * h + (1 - z) * tanh(x + dot(r * h, candidate));
      return std::pair(next, next);
    };
    return sum(square(scan(step, h0, xs).second));
  };
  const auto gates = wave<by_rows<double>>(24, 48, 0.7), candidate = wave<by_rows<double>>(24, 24, 0.9);
  const auto h0 = wave<by_rows<double>>(16, 24, 0.3);
  const auto xs = table(3, 16, 24);
  const auto run = value_and_gradient(loss, wrt<0, 1>);
  products = 0;
  const auto r = run(gates, candidate, h0, xs);
  BOOST_TEST(products == 3 * (2 + 4));
  for (const std::size_t i : {5u, 17u})
    for (const std::size_t j : {2u, 23u}) {
      const auto difference = [&](auto w, auto call) {
        w(i, j) += 1e-5;
        const double above = call(w);
        w(i, j) -= 2e-5;
        return (above - call(w)) / 2e-5;
      };
      const double by_gate = difference(gates, [&](const auto& w) { return value(loss)(w, candidate, h0, xs); }),
                   by_candidate = difference(candidate, [&](const auto& w) { return value(loss)(gates, w, h0, xs); });
      BOOST_TEST(std::get<0>(r.gradient)(i, j) == by_gate, boost::test_tools::tolerance(1e-6));
      BOOST_TEST(std::get<1>(r.gradient)(i, j) == by_candidate, boost::test_tools::tolerance(1e-6));
    }
}
