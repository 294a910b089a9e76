// Large matrices by LAPACK against textbook algorithms in 50 digits, differentiated by differences there.
#include "../allocations.hpp"
#include "../message_of.hpp"

#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tapeless;

namespace {

using wide = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<50>, boost::multiprecision::et_off>;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
using matrices = xt::xtensor<double, 3>;

constexpr auto A = variable<"A">;
constexpr auto b = variable<"b">;

/// A matrix in 50 digits.
struct wide_matrix {
  std::size_t rows, columns;
  std::vector<wide> elements;

  wide_matrix(std::size_t r, std::size_t c) : rows(r), columns(c), elements(r * c) {}
  wide& operator()(std::size_t i, std::size_t j) { return elements[i * columns + j]; }
  const wide& operator()(std::size_t i, std::size_t j) const { return elements[i * columns + j]; }
};
wide_matrix identity_of(std::size_t n) {
  wide_matrix result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  return result;
}
/// Gauss's elimination: the solution of a x = b, and the determinant.
std::pair<wide_matrix, wide> eliminated(wide_matrix a, wide_matrix x) {
  wide det = 1;
  for (std::size_t k = 0; k < a.rows; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < a.rows; ++i)
      if (abs(a(i, k)) > abs(a(pivot, k))) pivot = i;
    for (std::size_t j = 0; j < a.columns; ++j) std::swap(a(k, j), a(pivot, j));
    for (std::size_t j = 0; j < x.columns; ++j) std::swap(x(k, j), x(pivot, j));
    det *= pivot == k ? a(k, k) : -a(k, k);
    for (std::size_t i = 0; i < a.rows; ++i) {
      if (i == k) continue;
      const wide factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < a.columns; ++j) a(i, j) -= factor * a(k, j);
      for (std::size_t j = 0; j < x.columns; ++j) x(i, j) -= factor * x(k, j);
    }
  }
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < x.columns; ++j) x(i, j) /= a(i, i);
  return {x, det};
}
wide_matrix from_lower(const wide_matrix& a) {
  wide_matrix result = a;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = i + 1; j < a.rows; ++j) result(i, j) = a(j, i);
  return result;
}
wide_matrix factor_of(const wide_matrix& a) {
  wide_matrix l(a.rows, a.rows);
  for (std::size_t j = 0; j < a.rows; ++j)
    for (std::size_t i = j; i < a.rows; ++i) {
      wide left = a(i, j);
      for (std::size_t k = 0; k < j; ++k) left -= l(i, k) * l(j, k);
      l(i, j) = i == j ? wide(sqrt(left)) : wide(left / l(j, j));
    }
  return l;
}
wide_matrix half_of(wide_matrix a, bool is_lower) {
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.rows; ++j)
      if (is_lower ? j > i : j < i) a(i, j) = 0;
  return a;
}
/// Some number of the elements in which each has another weight.
wide weighted(const wide_matrix& m) {
  wide sum = 0;
  for (std::size_t i = 0; i < m.elements.size(); ++i) sum += sin(m.elements[i]) * (1 + wide(int(i)) / 4);
  return sum;
}
/// The same over tensors: weights are the second argument.
constexpr auto weighted_sum = [](auto m, auto weights) { return sum(sin(m) * weights); };

matrix weights_of(std::size_t rows, std::size_t columns) {
  matrix result = matrix::from_shape({rows, columns});
  for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = 1 + static_cast<double>(i) / 4;
  return result;
}
/// Not symmetric, with a positive definite lower triangle, and with columns to exchange if `general`.
matrix some_matrix(std::size_t n, bool is_general = false) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  matrix result = matrix::from_shape({n, n});
  for (double& element : result) element = uniform(generator);
  for (std::size_t i = 0; i < n; ++i) result(i, is_general ? n - 1 - i : i) += 2;
  return result;
}

/// Value, gradient and Hessian times a direction of `f(a, weights)` against `expected(a)` in 50 digits.
template <class F>
void check(const char* name, F f, const matrix& a, const matrix& weights,
           const std::function<wide(const wide_matrix&)>& expected, double tolerance = 1e-13) {
  BOOST_TEST_CONTEXT(name) {
    wide_matrix at(a.shape()[0], a.shape()[1]), direction = at;
    matrix along = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
      at.elements[i] = a.data()[i];
      along.data()[i] = std::cos(static_cast<double>(i));
      direction.elements[i] = along.data()[i];
    }
    const auto moved = [&](wide by_element, std::size_t element, wide by_direction) {
      wide_matrix there = at;
      for (std::size_t i = 0; i < a.size(); ++i) there.elements[i] += by_direction * direction.elements[i];
      there.elements[element] += by_element;
      return expected(there);
    };
    const auto close = [&](double computed, const wide& right, const char* what) {
      const double difference = static_cast<double>(abs(computed - right) / (1 + abs(right)));
      BOOST_CHECK_MESSAGE(difference <= tolerance, what << ": " << computed << " instead of " << right);
    };
    const auto r = value_and_gradient(f, wrt<0>)(a, weights);
    const auto product = hvp(f, wrt<0>, tangent(along))(a, weights);
    close(r.value, expected(at), "value");
    const wide h("1e-12");
    for (std::size_t i = 0; i < a.size(); ++i) {
      close(r.gradient.data()[i], (moved(h, i, 0) - moved(-h, i, 0)) / (2 * h), "gradient");
      close(product.data()[i], (moved(h, i, h) - moved(-h, i, h) - moved(h, i, -h) + moved(-h, i, -h)) / (4 * h * h),
            "Hessian times direction");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(factors) {
  const auto f = [](auto a, auto w) { return weighted_sum(cholesky(a), w); };
  for (const std::size_t n : {1u, 2u, 5u})
    check("cholesky", f, some_matrix(n), weights_of(n, n), [](const wide_matrix& a) { return weighted(factor_of(a)); });
  check(
      "solve_triangular",
      [](auto a, auto w) {
        return weighted_sum(solve_triangular<lower>(a, w), w) + weighted_sum(solve_triangular<upper>(a, w), w);
      },
      some_matrix(4), weights_of(4, 3),
      [](const wide_matrix& a) {
        wide_matrix right(4, 3);
        for (std::size_t i = 0; i < 12; ++i) right.elements[i] = 1 + wide(int(i)) / 4;
        return wide(weighted(eliminated(half_of(a, true), right).first) +
                    weighted(eliminated(half_of(a, false), right).first));
      });
}

BOOST_AUTO_TEST_CASE(systems) {
  // The right side depends on the matrix too.
  const auto general_f = [](auto a, auto w) { return weighted_sum(solve(a, a * a), w) + weighted_sum(inverse(a), w); };
  const auto expected = [](const wide_matrix& read, const wide_matrix& a) {
    wide_matrix right = read;
    for (wide& element : right.elements) element *= element;
    return wide(weighted(eliminated(a, right).first) + weighted(eliminated(a, identity_of(a.rows)).first));
  };
  for (const std::size_t n : {1u, 2u, 5u})
    check("general", general_f, some_matrix(n, true), weights_of(n, n),
          [&](const wide_matrix& a) { return expected(a, a); });
  const auto definite_f = [](auto a, auto w) {
    return weighted_sum(solve<positive_definite>(a, a * a), w) + weighted_sum(inverse<positive_definite>(a), w);
  };
  check("positive definite", definite_f, some_matrix(5), weights_of(5, 5),
        [&](const wide_matrix& a) { return expected(a, from_lower(a)); });
}

BOOST_AUTO_TEST_CASE(determinants) {
  check(
      "general", [](auto a, auto) { return det(a) * log_det(square(a)) + square(det(a)); }, some_matrix(4, true),
      weights_of(1, 1),
      [](const wide_matrix& a) {
        wide_matrix squares = a;
        for (wide& element : squares.elements) element *= element;
        const wide d = eliminated(a, a).second;
        return wide(d * log(eliminated(squares, a).second) + d * d);
      });
  check(
      "positive definite", [](auto a, auto w) { return log_det<positive_definite>(a) * sum(w * a); }, some_matrix(5),
      weights_of(5, 5),
      [](const wide_matrix& a) {
        wide sum = 0;
        for (std::size_t i = 0; i < 25; ++i) sum += a.elements[i] * (1 + wide(int(i)) / 4);
        return wide(log(eliminated(from_lower(a), a).second) * sum);
      });
  // Of a singular matrix: the cofactors.
  const matrix singular{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const double cofactors[3][3] = {{-3, 6, -3}, {6, -12, 6}, {-3, 6, -3}};
  const auto of_det = value_and_gradient([](auto a) { return det(a); });
  const auto r = of_det(singular);
  BOOST_TEST(std::abs(r.value) < 1e-14);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) BOOST_TEST(std::abs(r.gradient(i, j) - cofactors[i][j]) < 1e-13);
  // The product of the pivots leaves the range of numbers before the determinant is there, or the cofactors do not.
  const auto of_diagonal = [&](const vector& diagonal) {
    matrix m = xt::zeros<double>({diagonal.size(), diagonal.size()});
    for (std::size_t i = 0; i < diagonal.size(); ++i) m(i, i) = diagonal(i);
    return of_det(m);
  };
  const auto mixed = of_diagonal({0x1p700, 0x1p700, 0x1p-700, 0x1p-699});
  BOOST_TEST(mixed.value == 2);
  BOOST_TEST(mixed.gradient(0, 0) == 0x1p-699);
  BOOST_TEST(mixed.gradient(2, 2) == 0x1p701);
  BOOST_TEST(of_diagonal({0x1p700, 0x1p700}).gradient(0, 0) == 0x1p700);
  BOOST_TEST(of_diagonal({0x1p-700, 0x1p-700}).gradient(1, 1) == 0x1p-700);
  BOOST_TEST(std::abs(of_diagonal({0, 0}).gradient(0, 0)) < 1e-300);
  BOOST_TEST(of_diagonal({0}).gradient(0, 0) == 1);
}

// Each matrix along a leading axis by itself, and one for all.
BOOST_AUTO_TEST_CASE(batches) {
  const matrix first = some_matrix(3), second = some_matrix(3, true);
  matrices both = matrices::from_shape({2, 3, 3});
  for (std::size_t i = 0; i < 9; ++i) both.data()[i] = first.data()[i], both.data()[9 + i] = second.data()[i];
  const vector right{1, -2, 0.5};
  const auto f = sum(sin(solve(A, b))) + sum(square(det(A)));
  const auto together = gradient(f)(A = both, b = right);
  const auto one = gradient(f)(A = first, b = right), other = gradient(f)(A = second, b = right);
  for (std::size_t i = 0; i < 9; ++i) {
    BOOST_TEST(together[A].data()[i] == one[A].data()[i]);
    BOOST_TEST(together[A].data()[9 + i] == other[A].data()[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(std::abs(together[b](i) - one[b](i) - other[b](i)) < 1e-15);
  // One matrix, several right sides; a leading extent of 1 that is known at the call alone.
  const auto g = value_and_gradient(sum(sin(solve(A, b))));
  const auto of_many = g(A = first, b = both);
  double sum = 0;
  for (std::size_t k = 0; k < 2; ++k) sum += g(A = first, b = k ? second : first).value;
  BOOST_TEST(std::abs(of_many.value - sum) < 1e-13);
  matrices single = matrices::from_shape({1, 3, 3});
  for (std::size_t i = 0; i < 9; ++i) single.data()[i] = first.data()[i];
  const auto of_single = g(A = single, b = both);
  BOOST_TEST(std::abs(of_single.value - sum) < 1e-13);
  for (std::size_t i = 0; i < 9; ++i) {
    BOOST_TEST(std::abs(of_single.gradient[A].data()[i] - of_many.gradient[A].data()[i]) < 1e-14);
    BOOST_TEST(of_single.gradient[b].data()[9 + i] == of_many.gradient[b].data()[9 + i]);
  }
}

BOOST_AUTO_TEST_CASE(singular_and_other_shapes) {
  const matrix singular{{1, 2}, {2, 4}}, indefinite{{1, 2}, {2, 1}}, wide_one{{1, 2, 3}, {4, 5, 6}};
  const vector right{1, 2}, three{1, 2, 3};
  const auto is_nan = [](const auto& all) {
    for (const double element : all)
      if (!std::isnan(element)) return false;
    return true;
  };
  BOOST_TEST(is_nan(solve(A, b)(A = singular, b = right)));
  BOOST_TEST(is_nan(inverse(A)(A = singular)));
  BOOST_TEST(det(A)(A = singular) == 0);
  BOOST_TEST(log_det(A)(A = singular) == -std::numeric_limits<double>::infinity());
  BOOST_TEST(std::isnan(log_det(A)(A = indefinite)));
  BOOST_TEST(is_nan(cholesky(A)(A = indefinite)));
  BOOST_TEST(is_nan(solve<positive_definite>(A, b)(A = indefinite, b = right)));
  BOOST_TEST(is_nan(gradient(log_det<positive_definite>(A))(A = indefinite)[A]));
  const auto says = [](const std::string& message, const std::string& text) {
    BOOST_TEST_INFO(message);
    BOOST_TEST((message.find(text) != std::string::npos));
  };
  says(tapeless_test::message_of<std::invalid_argument>([&] { cholesky(A)(A = wide_one); }),
       "cholesky needs square matrices; their extents are 2 and 3, A");
  says(tapeless_test::message_of<std::invalid_argument>([&] { gradient(det(A))(A = wide_one); }),
       "det needs square matrices");
  says(tapeless_test::message_of<std::invalid_argument>([&] { solve(A, b)(A = singular, b = three); }),
       "solve needs a right-hand side with as many rows as the matrix; their extents are 3 and 2");
  // Nothing and one number.
  const matrix none = matrix::from_shape({0, 0}), one{{4}};
  BOOST_TEST(det(A)(A = none) == 1);
  BOOST_TEST(gradient(log_det(A))(A = none)[A].size() == 0u);
  BOOST_TEST(cholesky(A)(A = none).size() == 0u);
  BOOST_TEST(cholesky(A)(A = one)(0, 0) == 2);
  BOOST_TEST(gradient(log_det(A))(A = one)[A](0, 0) == 0.25);
}

// Rows, columns or strides: the library gets what it can read.
BOOST_AUTO_TEST_CASE(layouts) {
  const matrix a = some_matrix(3, true), right{{1, 2, 3, 4}, {-1, 0.5, 2, 1}, {2, 2, -3, 1}};
  const xt::xtensor<double, 2, xt::layout_type::column_major> a_by_columns = a, right_by_columns = right;
  matrix spread = xt::zeros<double>({6, 6});
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) spread(2 * i, 2 * j) = a(i, j);
  const auto view = xt::view(spread, xt::range(0, 6, 2), xt::range(0, 6, 2));
  const auto g = gradient(sum(sin(solve(A, b))), wrt(A));
  const auto by_rows = g(A = a, b = right);
  const auto by_columns = g(A = a_by_columns, b = right_by_columns);
  const auto strided = g(A = view, b = right);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      BOOST_TEST(std::abs(by_columns[A](i, j) - by_rows[A](i, j)) < 1e-14);
      BOOST_TEST(std::abs(strided[A](i, j) - by_rows[A](i, j)) < 1e-14);
    }
}

BOOST_AUTO_TEST_CASE(ill_conditioned) {
  // Hilbert's matrix of 8 rows has the condition 1.5e10; the inverse of its determinant is known.
  matrix hilbert = matrix::from_shape({8, 8});
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) hilbert(i, j) = 1 / static_cast<double>(i + j + 1);
  const double inverse_of_det = 365356847125734485878112256000000.0;
  BOOST_TEST(std::abs(det(A)(A = hilbert) * inverse_of_det - 1) < 1e-6);
  BOOST_TEST(std::abs(log_det<positive_definite>(A)(A = hilbert) + std::log(inverse_of_det)) < 1e-6);
}

// The leading axis of the right-hand sides was taken for the columns of the matrix.
BOOST_AUTO_TEST_CASE(solutions_transposed_beside_their_matrix) {
  constexpr auto C = variable<"C">;
  const matrix twice{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
  matrices right = matrices::from_shape({3, 3, 3});
  for (std::size_t i = 0; i < right.size(); ++i) right.data()[i] = static_cast<double>(i);
  // Row i of matrix i, the numbers from 12 i on, counts.
  BOOST_TEST(sum(transpose<2, 1, 0>(solve(A, C)) * A)(A = twice, C = right) == 117.0);
}

// The same of each element of a batch, and where a gradient is part of the function.
BOOST_AUTO_TEST_CASE(each_element_of_a_batch) {
  constexpr auto f = [](const auto& v, const auto& m, const auto& e) {
    const auto positive = dot(m, transpose(m)) + dot(v, transpose(v));
    const auto solution = solve(positive, e);
    return log_det(positive) + dot(e, solution) + trace(inverse(positive));
  };
  const matrix v = some_matrix(3, true);
  matrices all = matrices::from_shape({2, 3, 3});
  matrix e = matrix::from_shape({2, 3});
  for (std::size_t i = 0; i < all.size(); ++i) all.data()[i] = std::sin(static_cast<double>(i));
  for (std::size_t i = 0; i < e.size(); ++i) e.data()[i] = std::cos(static_cast<double>(i));
  const auto r = batched(value_and_gradient(f))(v, each(all), each(e));
  for (std::size_t k = 0; k < 2; ++k) {
    const matrix m = xt::view(all, k, xt::all(), xt::all());
    const vector of_e = xt::view(e, k, xt::all());
    const auto one = value_and_gradient(f)(v, m, of_e);
    BOOST_TEST(std::abs(r.value(k) - one.value) < 1e-12);
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_TEST(std::abs(std::get<2>(r.gradient)(k, i) - std::get<2>(one.gradient)(i)) < 1e-12);
      for (std::size_t j = 0; j < 3; ++j) {
        BOOST_TEST(std::abs(std::get<0>(r.gradient)(k, i, j) - std::get<0>(one.gradient)(i, j)) < 1e-12);
        BOOST_TEST(std::abs(std::get<1>(r.gradient)(k, i, j) - std::get<1>(one.gradient)(i, j)) < 1e-12);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(gradients_inside) {
  // The gradient of log det is the inverse, transposed.
  constexpr auto of_gradient = [](const auto& m) {
    return sum(square(gradient([](const auto& n) { return log_det(n); })(m)));
  };
  constexpr auto of_inverse = [](const auto& m) { return sum(square(inverse(m))); };
  const matrix m = some_matrix(3, true);
  const auto r = value_and_gradient(of_gradient)(m);
  const auto expected = value_and_gradient(of_inverse)(m);
  BOOST_TEST(std::abs(r.value - expected.value) < 1e-12);
  for (std::size_t i = 0; i < 9; ++i) BOOST_TEST(std::abs(r.gradient.data()[i] - expected.gradient.data()[i]) < 1e-12);
}
// x + w tanh(x) = b, where a solver found x: values and both orders against solutions of moved equations.
BOOST_AUTO_TEST_CASE(the_root_of_a_system) {
  static constexpr auto residual = [](const auto& x, const auto& w, const auto& right) {
    return x + dot(w, tanh(x)) - right;
  };
  static constexpr auto f = [](const auto& w, const auto& right, const auto& found) {
    return sum(square(implicit_root<2>(residual, found, w, right)));
  };
  const auto solution = [](const matrix& w, const vector& right) {
    vector x = 0 * right;
    for (int k = 0; k < 300; ++k) {
      vector next = right;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) next(i) -= w(i, j) * std::tanh(x(j));
      x = next;
    }
    return x;
  };
  const matrix w = {{0.1, 0.3, 0.2}, {-0.2, 0.3, 0.1}, {0.25, 0.26, -0.1}};
  const vector right = {1., 0.4, -0.3};
  const matrix dw = {{0.5, 0., 0.}, {0., 0., 1.}, {-1., 0., 0.}};
  const vector db = {0., 1., -2.};
  const auto norm_at = [&](double step) {
    const vector x = solution(w + step * dw, right + step * db);
    return xt::sum(x * x)();
  };
  const auto gradient_at = [&](double step) {
    const matrix moved = w + step * dw;
    const vector other = right + step * db;
    return gradient(f, wrt<0, 1>)(moved, other, solution(moved, other));
  };
  const auto r = value_and_gradient(f, wrt<0, 1>)(w, right, solution(w, right));
  BOOST_TEST(std::abs(r.value - norm_at(0)) < 1e-12);
  const auto& [by_w, by_b] = r.gradient;
  const double slope = xt::sum(by_w * dw)() + xt::sum(by_b * db)();
  BOOST_TEST(std::abs(slope - (norm_at(1e-5) - norm_at(-1e-5)) / 2e-5) < 1e-8);
  const auto curved = hvp(f, wrt<0, 1>, tangent(dw, db))(w, right, solution(w, right));
  const auto up = gradient_at(1e-5), down = gradient_at(-1e-5);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(std::abs(std::get<1>(curved)(i) - (std::get<1>(up)(i) - std::get<1>(down)(i)) / 2e-5) < 1e-7);
    for (std::size_t j = 0; j < 3; ++j)
      BOOST_TEST(std::abs(std::get<0>(curved)(i, j) - (std::get<0>(up)(i, j) - std::get<0>(down)(i, j)) / 2e-5) < 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(a_solution_that_no_step_chooses) {
  // The solution is infinite, and computed before the loop. By hand: c2 = p / 4 + x1 / 2 + x2.
  constexpr auto f = [](auto w, auto p, auto xs) {
    const auto found = solve(w, p);
    return sum(scan([&](auto c, auto x) { return 0.5 * c + where(x > 0, found * x, x); }, p, xs));
  };
  const matrix singular = {{0., 0.}, {0., 0.}}, xs = {{-1., -2.}, {-3., -1.}};
  const auto [by_w, by_p] = gradient(f, wrt<0, 1>)(singular, vector{1., 2.}, xs);
  BOOST_TEST(by_w == singular);
  BOOST_TEST((by_p == vector{0.25, 0.25}));
}
