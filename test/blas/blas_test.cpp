// Products of matrices by BLAS, in all layouts, against plain loops.
#include <tapeless/cblas.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>

using namespace tapeless;

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
