// Small matrices and rotations in traced functions, against the same mathematics in 50 digits.
#include <tapeless/tapeless.hpp>

#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>

using namespace tapeless;

namespace {

using Wide = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<50>, boost::multiprecision::et_off>;

template <class T, std::size_t R, std::size_t C = R>
using Matrix = std::array<std::array<T, C>, R>;

constexpr auto determinant = [](auto a) { return det(a); };
constexpr auto log_determinant = [](auto a) { return log_det(a); };
constexpr auto solution = [](auto a, auto b) { return solve(a, b); };
constexpr auto definite_solution = [](auto a, auto b) { return solve<positive_definite>(a, b); };
constexpr auto definite_solution_norm = [](auto a, auto b) {
  const auto x = solve<positive_definite>(a, b);
  return dot(x, x);
};

template <std::size_t N>
Matrix<Wide, N> widen(const Matrix<double, N>& a) {
  Matrix<Wide, N> result;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) result[i][j] = a[i][j];
  return result;
}

/// Determinant and inverse by Leibniz's formula: no pivots, no divisions but one.
template <std::size_t N>
Wide leibniz(const Matrix<Wide, N>& a, std::size_t without_row = N, std::size_t without_column = N) {
  std::array<std::size_t, N> columns;
  std::size_t count = 0;
  for (std::size_t j = 0; j < N; ++j)
    if (j != without_column) columns[count++] = j;
  Wide sum = 0;
  do {
    Wide product = 1;
    std::size_t row = 0;
    for (std::size_t i = 0; i < count; ++i, ++row) {
      if (row == without_row) ++row;
      product *= a[row][columns[i]];
      for (std::size_t j = i + 1; j < count; ++j)
        if (columns[j] < columns[i]) product = -product;
    }
    sum += product;
  } while (std::next_permutation(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(count)));
  return sum;
}
template <std::size_t N>
Matrix<Wide, N> wide_inverse(const Matrix<double, N>& matrix) {
  const Matrix<Wide, N> a = widen(matrix);
  const Wide d = leibniz(a);
  Matrix<Wide, N> result;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) result[i][j] = ((i + j) % 2 ? -1 : 1) * leibniz(a, j, i) / d;
  return result;
}
template <std::size_t N>
Wide largest(const Matrix<Wide, N>& a) {
  Wide result = 0;
  for (const auto& row : a)
    for (const Wide& entry : row) result = std::max<Wide>(result, abs(entry));
  return result;
}
template <std::size_t N>
double difference(const Matrix<double, N>& a, const Matrix<Wide, N>& expected) {
  Wide result = 0;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) result = std::max<Wide>(result, abs(a[i][j] - expected[i][j]));
  return static_cast<double>(result / largest(expected));
}

/// Random entries; the last row nears a multiple of the first as `gap` nears 0, and rows differ in size.
template <std::size_t N>
Matrix<double, N> random_matrix(std::mt19937& random, double gap) {
  std::uniform_real_distribution<double> entry(-1, 1);
  Matrix<double, N> a;
  for (auto& row : a)
    for (double& e : row) e = entry(random);
  if constexpr (N > 1)
    for (std::size_t j = 0; j < N; ++j) a[N - 1][j] = 3 * a[0][j] + gap * a[N - 1][j];
  return a;
}

template <std::size_t N>
void check_general() {
  std::mt19937 random(N);
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (const double gap : {1.0, 1e-3, 1e-6}) {
    for (int repetition = 0; repetition < (N > 5 ? 1 : 4); ++repetition) {
      const Matrix<double, N> a = random_matrix<N>(random, gap);
      const Matrix<Wide, N> expected = wide_inverse(a);
      const Wide d = leibniz(widen(a));
      const double condition = static_cast<double>(largest(expected) * largest(widen(a)));
      BOOST_TEST_CONTEXT("size " << N << ", condition " << condition) {
        std::array<double, N> b;
        for (double& e : b) e = std::uniform_real_distribution<double>(-1, 1)(random);
        const auto [x, by_right] = value_and_jacobian(solution, wrt<1>)(a, b);
        BOOST_TEST(difference(by_right, expected) <= 16 * epsilon * condition);
        Wide norm = 0, error = 0;
        for (std::size_t i = 0; i < N; ++i) {
          Wide sum = 0;
          for (std::size_t j = 0; j < N; ++j) sum += expected[i][j] * b[j];
          norm = std::max<Wide>(norm, abs(sum));
          error = std::max<Wide>(error, abs(sum - x[i]));
        }
        BOOST_TEST(static_cast<double>(error / norm) <= 16 * epsilon * condition);

        if constexpr (N < 5) {
          // Derivatives of x by a are -inverse(a) d(a) x.
          const auto by_matrix = jacobian(solution, wrt<0>)(a, b);
          Wide scale = 0, worst = 0;
          for (std::size_t i = 0; i < N; ++i)
            for (std::size_t k = 0; k < N * N; ++k) {
              const Wide derivative = -expected[i][k / N] * x[k % N];
              scale = std::max<Wide>(scale, abs(derivative));
              worst = std::max<Wide>(worst, abs(derivative - by_matrix[i][k]));
            }
          BOOST_TEST(static_cast<double>(worst / scale) <= 64 * epsilon * condition);
        }

        const auto [value, cofactors] = value_and_gradient(determinant)(a);
        BOOST_TEST(static_cast<double>(abs(value - d) / abs(d)) <= 16 * epsilon * condition);
        Matrix<Wide, N> expected_cofactors;
        for (std::size_t i = 0; i < N; ++i)
          for (std::size_t j = 0; j < N; ++j) expected_cofactors[i][j] = d * expected[j][i];
        BOOST_TEST(difference(cofactors, expected_cofactors) <= 64 * epsilon * condition);

        if (d > 0) {
          const auto [logarithm, slopes] = value_and_gradient(log_determinant)(a);
          BOOST_TEST(static_cast<double>(abs(logarithm - log(d))) <= 16 * epsilon * condition);
          BOOST_TEST(difference(transpose(slopes), expected) <= 64 * epsilon * condition);
        } else {
          BOOST_TEST(std::isnan(value_and_gradient(log_determinant)(a).value));
        }
        const double cofactors_lose = N == 3 ? condition : 1;
        BOOST_TEST(difference(inverse(a), expected) <= 16 * epsilon * condition * cofactors_lose);
      }
    }
  }
}

/// a = m m' + gap, its inverse and the logarithm of its determinant.
template <std::size_t N>
void check_definite() {
  std::mt19937 random(10 + N);
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (const double gap : {1.0, 1e-6}) {
    auto m = random_matrix<N>(random, 0.5);
    for (std::size_t j = 0; j < N; ++j) m[0][j] *= std::sqrt(gap);
    const Matrix<double, N> a = matmul(m, transpose(m));
    const Matrix<Wide, N> expected = wide_inverse(a);
    const double condition = static_cast<double>(largest(expected) * largest(widen(a)));
    BOOST_TEST_CONTEXT("size " << N << ", condition " << condition) {
      const auto l = cholesky(a);
      const auto product = matmul(l, transpose(l));
      for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) {
          BOOST_TEST(std::abs(product[i][j] - a[i][j]) <= 8 * epsilon * static_cast<double>(largest(widen(a))));
          if (j > i) BOOST_TEST(l[i][j] == 0.0);
        }
      std::array<double, N> b;
      for (double& e : b) e = std::uniform_real_distribution<double>(-1, 1)(random);
      const auto [x, by_right] = value_and_jacobian(definite_solution, wrt<1>)(a, b);
      BOOST_TEST(difference(by_right, expected) <= 64 * epsilon * condition);
      const auto forward = solve_triangular<lower>(l, b);
      const auto back = solve_triangular<upper>(transpose(l), forward);
      for (std::size_t i = 0; i < N; ++i)
        BOOST_TEST(std::abs(back[i] - x[i]) <= 64 * epsilon * condition * static_cast<double>(largest(expected)));

      constexpr auto of_definite = [](auto s) { return log_det<positive_definite>(s); };
      const auto [logarithm, slopes] = value_and_gradient(of_definite)(a);
      BOOST_TEST(static_cast<double>(abs(logarithm - log(leibniz(widen(a))))) <= 16 * epsilon * condition);
      // The lower triangle alone is read: entries there stand for two.
      for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) {
          const Wide slope = j > i ? Wide(0) : (i == j ? 1 : 2) * expected[i][j];
          BOOST_TEST(static_cast<double>(abs(slopes[i][j] - slope) / largest(expected)) <= 64 * epsilon * condition);
        }
    }
  }
}

template <class A>
bool has_finite(const A& a) {
  if constexpr (Numeric<A>)
    return std::isfinite(a);
  else
    return std::any_of(a.begin(), a.end(), [](const auto& e) { return has_finite(e); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(general_matrices) {
  check_general<2>();
  check_general<3>();
  check_general<4>();
  check_general<5>();
}

BOOST_AUTO_TEST_CASE(positive_definite_matrices) {
  check_definite<3>();
  check_definite<5>();
}

BOOST_AUTO_TEST_CASE(normal_density) {
  constexpr auto log_density = [](auto x, auto covariance) {
    const auto l = cholesky(covariance);
    const auto z = solve_triangular<lower>(l, x);
    return -0.5 * (dot(z, z) + log_det<positive_definite>(covariance));
  };
  // By x it is -w, w = inverse(covariance) x; by the covariance (w w' - inverse) / 2, doubled below the diagonal.
  static constexpr Matrix<double, 3> covariance{{{4, 1, 0.5}, {1, 3, 0.25}, {0.5, 0.25, 2}}};
  const std::array<double, 3> x{1, -2, 0.5};
  const auto [by_x, by_covariance] = gradient(log_density)(x, covariance);
  const auto expected = wide_inverse(covariance);
  std::array<Wide, 3> w;
  for (std::size_t i = 0; i < 3; ++i) w[i] = expected[i][0] * x[0] + expected[i][1] * x[1] + expected[i][2] * x[2];
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(abs(by_x[i] + w[i]) <= 1e-15);
    for (std::size_t j = 0; j < 3; ++j) {
      const Wide slope = (w[i] * w[j] - expected[i][j]) / (i == j ? 2 : 1);
      BOOST_TEST(abs(by_covariance[i][j] - (j > i ? Wide(0) : slope)) <= 1e-15);
    }
  }
}

BOOST_AUTO_TEST_CASE(products) {
  static constexpr Matrix<double, 2, 3> a{{{1, 2, 3}, {4, 5, 6}}};
  static constexpr Matrix<int, 3, 2> b{{{1, 0}, {2, -1}, {0, 3}}};
  static_assert(matmul(a, b) == Matrix<double, 2>{{{5, 7}, {14, 13}}});
  static_assert(matmul(a, std::array{1, 0, -1}) == std::array{-2.0, -2.0});
  static_assert(matmul(std::array{1.0, -1.0}, a) == std::array{-3.0, -3.0, -3.0});
  static_assert(transpose(a) == Matrix<double, 3, 2>{{{1, 4}, {2, 5}, {3, 6}}});
  static_assert(trace(matmul(a, b)) == 18.0);
  static_assert(matmul(identity<double, 2>(), a) == a);
  static_assert(outer(std::array{1, 2}, std::array{3.0, 4.0}) == Matrix<double, 2>{{{3, 4}, {6, 8}}});
  static_assert(cross(std::array{1.0, 0.0, 0.0}, std::array{0.0, 1.0, 0.0}) == std::array{0.0, 0.0, 1.0});
  static_assert(dot(std::array{1.0, 2.0}, std::array{3.0, 4.0}) == 11.0);
  // In functions: d (x' a y) is a y by x, and x y' by a.
  constexpr auto form = [](auto x, auto m, auto y) { return dot(x, matmul(m, y)); };
  static constexpr auto g = gradient(form)(std::array{1.0, 2.0}, a, std::array{1.0, 0.0, -1.0});
  static_assert(std::get<0>(g) == std::array{-2.0, -2.0});
  static_assert(std::get<1>(g) == Matrix<double, 2, 3>{{{1, 0, -1}, {2, 0, -2}}});
  static_assert(std::get<2>(g) == std::array{9.0, 12.0, 15.0});
}

BOOST_AUTO_TEST_CASE(no_silent_nonsense) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr auto is_nan = [](double number) { return number != number; };
  const Matrix<double, 2> singular{{{1, 2}, {2, 4}}};
  const Matrix<double, 3> all_ones{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, indefinite{{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}};
  const std::array<double, 3> b{1, 2, 4};
  BOOST_TEST(!has_finite(solve(singular, std::array{1.0, 3.0})));
  BOOST_TEST(!has_finite(solve(all_ones, b)));
  BOOST_TEST(!has_finite(inverse(all_ones)));
  BOOST_TEST(!has_finite(value_and_jacobian(solution, wrt<1>)(all_ones, b).value));
  BOOST_TEST(!has_finite(solve<positive_definite>(indefinite, b)));
  BOOST_TEST(!has_finite(log_det<positive_definite>(indefinite)));
  BOOST_TEST(!has_finite(value_and_gradient(definite_solution_norm, wrt<0>)(indefinite, b).value));
  BOOST_TEST(log_det(indefinite) != log_det(indefinite));
  BOOST_TEST(!has_finite(log_det(singular)));
  // In constant expressions too, which know neither a quotient by 0 nor sums and products that are NaN.
  static_assert(solve(Matrix<double, 2>{{{1, 1}, {1, 1}}}, std::array{1.0, 2.0})[0] == -inf);
  static_assert(log_det(Matrix<double, 2>{{{1, 1}, {1, 1}}}) == -inf);
  static_assert(is_nan(cholesky(Matrix<double, 3>{{{-1, 0, 0}, {0.5, 1, 0}, {0, 1, 2}}})[2][2]));
  static_assert(is_nan(log_det<positive_definite>(Matrix<double, 2>{{{1, 2}, {2, 1}}})));
  static_assert(is_nan(solve<positive_definite>(Matrix<double, 2>{{{1, 2}, {2, 1}}}, std::array{1.0, 2.0})[0]));
  static_assert(!(solve(Matrix<double, 3>{}, std::array{1.0, 2.0, 3.0})[0] < inf));
  static_assert(is_nan(det(Matrix<double, 5>{})));
  const auto l = cholesky(indefinite);
  BOOST_TEST(l[0][0] == 1.0);
  BOOST_TEST(!has_finite(l[1][1]));
  // The determinant is a polynomial, right where there is no inverse: the cofactors of a matrix of rank 1 are 0 from
  // 3 x 3 on.
  static_assert(det(Matrix<double, 2>{{{1, 2}, {2, 4}}}) == 0.0);
  static_assert(gradient(determinant)(Matrix<double, 2>{{{1, 2}, {2, 4}}}) == Matrix<double, 2>{{{4, -2}, {-2, 1}}});
  BOOST_TEST((gradient(determinant)(all_ones) == Matrix<double, 3>{}));
}

namespace {

using Square = Matrix<double, 4>;
using Column = std::array<double, 4>;

// What is above the diagonal of a triangular factor is neither computed nor computed with.
constexpr auto product_with_factor = [](auto a, auto x) { return matmul(cholesky(a), x)[3]; };
constexpr auto product_by_hand = [](auto a, auto x) {
  const auto l = cholesky(a);
  auto sum = l[3][0] * x[0];
  for (std::size_t j = 1; j < 4; ++j) sum += l[3][j] * x[j];
  return sum;
};
constexpr auto full_product = [](auto a, auto x) {
  const auto l = cholesky(a);
  return dot(matmul(l, x), matmul(transpose(l), x));
};
constexpr auto triangular_product = [](auto a, auto x) {
  const auto l = cholesky(a);
  decltype(x) down{}, up{};
  for (std::size_t i = 0; i < 4; ++i) {
    down[i] = l[i][0] * x[0];
    for (std::size_t j = 1; j <= i; ++j) down[i] += l[i][j] * x[j];
    up[i] = l[i][i] * x[i];
    for (std::size_t j = i + 1; j < 4; ++j) up[i] += l[j][i] * x[j];
  }
  return dot(down, up);
};
static_assert(cost<Square, Column>(value_and_gradient(product_with_factor)) ==
              cost<Square, Column>(value_and_gradient(product_by_hand)));
static_assert(cost<Square, Column>(value_and_gradient(full_product)) ==
              cost<Square, Column>(value_and_gradient(triangular_product)));
// n (n + 1) / 2 products and n inverses; the derivatives by b are those of n columns below each.
constexpr auto forward = [](auto l, auto b) { return solve_triangular<lower>(l, b)[3]; };
static_assert(cost<Square, Column>(gradient(forward, wrt<1>)).multiplications <= 10);
static_assert(cost<Square, Column>(gradient(forward, wrt<1>)).divisions == 4);
constexpr auto diagonal = [](auto d) {
  const auto unit = identity<std::remove_cvref_t<decltype(d)>, 3>();
  return trace(matmul(unit, matmul(unit, unit))) * d;
};
static_assert(cost<double>(value_and_gradient(diagonal)).total() == 1);

}  // namespace

namespace {

using Vector = std::array<double, 3>;
using WideVector = std::array<Wide, 3>;

constexpr auto rotate = [](auto r, auto x) { return angle_axis_rotate_point(r, x); };
constexpr auto rotate_by_matrix = [](auto r, auto x) { return matmul(angle_axis_to_rotation_matrix(r), x); };
constexpr auto rotate_by_quaternion = [](auto r, auto x) {
  return unit_quaternion_rotate_point(angle_axis_to_quaternion(r), x);
};
constexpr auto rotate_by_long_quaternion = [](auto r, auto x) {
  auto q = angle_axis_to_quaternion(r);
  for (auto& part : q) part = part * 3.0;
  return quaternion_rotate_point(q, x);
};
constexpr auto rotate_by_quaternions_matrix = [](auto r, auto x) {
  return matmul(quaternion_to_rotation_matrix(angle_axis_to_quaternion(r)), x);
};
constexpr auto rotate_by_long_quaternions_matrix = [](auto r, auto x) {
  auto q = angle_axis_to_quaternion(r);
  for (auto& part : q) part = part * 3.0;
  return matmul(quaternion_to_rotation_matrix(q), x);
};
constexpr auto there_and_back = [](auto r) { return quaternion_to_angle_axis(angle_axis_to_quaternion(r)); };

// By the matrix of a rotation about a unit axis.
WideVector wide_rotate(const WideVector& r, const WideVector& x) {
  const Wide angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (angle == 0) return x;
  const WideVector k{r[0] / angle, r[1] / angle, r[2] / angle};
  const Wide c = cos(angle), s = sin(angle), along = k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
  WideVector result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
    result[i] = c * x[i] + (1 - c) * along * k[i] + s * (k[j] * x[l] - k[l] * x[j]);
  }
  return result;
}

template <class F>
void check_rotation(const F& f) {
  const Vector x{0.4, 0.7, -0.6};
  for (const double size : {0.0, 1e-300, 1e-150, 1e-20, 1e-9, 1e-4, 0.02, 0.031, 0.032, 0.05, 0.3, 1.0, 2.5}) {
    const Vector r{size, -0.5 * size, 0.75 * size};
    BOOST_TEST_CONTEXT("size " << size) {
      const auto [value, by_rotation] = value_and_jacobian(f, wrt<0>)(r, x);
      const WideVector wide{r[0], r[1], r[2]}, point{x[0], x[1], x[2]};
      const WideVector expected = wide_rotate(wide, point);
      const Wide h("1e-13");
      for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(abs(value[i] - expected[i]) <= 8e-16);
      for (std::size_t j = 0; j < 3; ++j) {
        WideVector above = wide, below = wide;
        above[j] += h;
        below[j] -= h;
        const WideVector up = wide_rotate(above, point), down = wide_rotate(below, point);
        for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(abs(by_rotation[i][j] - (up[i] - down[i]) / (2 * h)) <= 1e-15);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(rotations) {
  check_rotation(rotate);
  check_rotation(rotate_by_matrix);
  check_rotation(rotate_by_quaternion);
  check_rotation(rotate_by_long_quaternion);
  check_rotation(rotate_by_quaternions_matrix);
  check_rotation(rotate_by_long_quaternions_matrix);
}

BOOST_AUTO_TEST_CASE(rotation_of_second_order) {
  // At angle 0 the second derivatives are those of r * (r * x) / 2 = (r (r.x) - x r.r) / 2.
  constexpr auto height = [](auto r, auto x) { return angle_axis_rotate_point(r, x)[2]; };
  static constexpr auto h = hessian(height, wrt<0>)(Vector{}, Vector{2, 3, 5});
  static_assert(h == Matrix<double, 3>{{{-5, 0, 1}, {0, -5, 1.5}, {1, 1.5, 0}}});
}

BOOST_AUTO_TEST_CASE(logarithm_of_rotation) {
  for (const double size : {0.0, 1e-150, 1e-9, 1e-3, 0.03, 0.05, 0.06, 0.07, 1.0, 2.2}) {
    const Vector r{size, -0.5 * size, 0.75 * size};
    const auto [value, j] = value_and_jacobian(there_and_back)(r);
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_TEST(std::abs(value[i] - r[i]) <= 1e-15 * size);
      for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(std::abs(j[i][k] - (i == k ? 1 : 0)) <= 2e-15);
    }
  }
  // The same rotation by the opposite quaternion, and a rotation by pi.
  const auto opposite = quaternion_to_angle_axis(std::array{-std::cos(0.5), -std::sin(0.5), 0.0, 0.0});
  BOOST_TEST(opposite[0] == 1.0, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(quaternion_to_angle_axis(std::array{0.0, 0.0, 2.0, 0.0})[1] == std::acos(-1.0),
             boost::test_tools::tolerance(1e-15));
  // In constant expressions, which cannot divide by the sine or the cosine 0, too.
  static_assert(quaternion_to_angle_axis(std::array{1.0, 0.0, 0.0, 0.0}) == Vector{});
  static_assert(quaternion_to_angle_axis(std::array{0.0, 0.0, 2.0, 0.0})[1] > 3.14159);
  // Two turns in a row are the product.
  const Vector r{0.3, -0.2, 0.9}, s{-1.0, 0.4, 0.1}, x{1, 2, 3};
  const auto product = quaternion_product(angle_axis_to_quaternion(r), angle_axis_to_quaternion(s));
  const auto at_once = unit_quaternion_rotate_point(product, x);
  const auto in_turn = angle_axis_rotate_point(r, angle_axis_rotate_point(s, x));
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(std::abs(at_once[i] - in_turn[i]) <= 2e-15);
}

// Derivatives of a matrix that is large or small throughout are those of one of ordinary size, scaled.
BOOST_AUTO_TEST_CASE(scales) {
  const auto check = [](auto f, const auto& at, auto a, const char* what) {
    const auto g = gradient(f)(at);
    for (const double scale : {0x1p-300, 0x1p-250, 0x1p250, 0x1p300}) {
      for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t j = 0; j < at.size(); ++j) a[i][j] = at[i][j] * scale;
      const auto scaled = gradient(f)(a);
      for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t j = 0; j < at.size(); ++j) {
          const double found = scaled[i][j] * scale * scale;
          BOOST_CHECK_MESSAGE(std::abs(found - g[i][j]) <= 1e-14 * std::abs(g[i][j]),
                              what << " times " << scale << ": " << found << " instead of " << g[i][j]);
        }
    }
  };
  const Matrix<double, 2> two{{{3, -0.2}, {0.3, 2}}};
  const Matrix<double, 3> three{{{3, -0.2, 1}, {0.3, 2, 0.5}, {-1, 0.7, 4}}};
  check([](auto m) { return solve(m, std::array{1.0, 2.0})[0]; }, two, two, "solve");
  check([](auto m) { return solve(m, std::array{1.0, 2.0, -1.0})[0]; }, three, three, "solve");
  check([](auto m) { return inverse(m)[0][1]; }, three, three, "inverse");
}
