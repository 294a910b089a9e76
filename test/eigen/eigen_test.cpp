// Eigen's vectors and matrices as arguments, bindings and results, against closed forms that Eigen computes.
#include <tapeless/assemble.hpp>
#include <tapeless/eigen.hpp>
#include <tapeless/xtensor.hpp>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace tapeless;

namespace {

using Matrix23 = Eigen::Matrix<double, 2, 3>;

template <class T, class U>
bool is_near(const Eigen::MatrixBase<T>& a, const Eigen::MatrixBase<U>& b, double tolerance = 1e-14) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a - b).cwiseAbs().maxCoeff() <= tolerance;
}
template <class Expected, class T>
constexpr bool is_exactly = std::is_same_v<Expected, std::remove_cvref_t<T>>;

constexpr auto quadratic = [](auto x, auto m) { return dot(x, matmul(m, x)); };
constexpr auto residual = [](auto x, auto m) {
  return std::array{m(0, 0) * x[0] + m(0, 1) * x[1] + m(0, 2) * x[2], sin(x[2]) * m(1, 0)};
};

}  // namespace

BOOST_AUTO_TEST_CASE(gradients) {
  const Eigen::Vector3d x(1, -2, 0.5);
  Eigen::Matrix3d m;
  m << 4, 1, 2, 0, 3, -1, 5, 2, 1;
  const auto by_both = gradient(quadratic)(x, m);
  static_assert(is_exactly<std::tuple<Eigen::Vector3d, Eigen::Matrix3d>, decltype(by_both)>);
  BOOST_TEST(is_near(std::get<0>(by_both), (m + m.transpose()) * x));
  BOOST_TEST(is_near(std::get<1>(by_both), x * x.transpose()));

  // Row-major storage and arrays of Eigen keep their kind; a function sees the same rows and columns.
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> by_rows = m;
  const auto [value, by_matrix] = value_and_gradient(quadratic, wrt<1>)(x, by_rows);
  static_assert(is_exactly<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>, decltype(by_matrix)>);
  BOOST_TEST(std::abs(value - x.dot(m * x)) <= 1e-14);
  BOOST_TEST(is_near(by_matrix, x * x.transpose()));
  const Eigen::Array3f numbers(1, 2, 3);
  static_assert(is_exactly<Eigen::Array3f, decltype(gradient([](auto a) { return a[0] * a[2]; })(numbers))>);
  const Eigen::RowVector3d row = gradient([](auto a) { return a[0] * a[2]; })(Eigen::RowVector3d(1, 2, 3));
  BOOST_TEST(row == Eigen::RowVector3d(3, 0, 1));
}

BOOST_AUTO_TEST_CASE(maps_refs_and_blocks) {
  const std::array<double, 6> buffer{1, 2, 3, 4, 5, 6};
  constexpr auto product = [](auto a) { return a[0] * a[1] * a[2]; };
  const Eigen::Map<const Eigen::Vector3d, 0, Eigen::InnerStride<2>> every_other(buffer.data());
  BOOST_TEST(is_near(gradient(product)(every_other), Eigen::Vector3d(15, 5, 3), 0));
  Eigen::Matrix3d m;
  m << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  BOOST_TEST(is_near(gradient(product)(m.row(1)), Eigen::RowVector3d(30, 24, 20), 0));
  const Eigen::Ref<const Eigen::Vector3d> column = m.col(2);
  BOOST_TEST(is_near(gradient(product)(column), Eigen::Vector3d(54, 27, 18), 0));
  constexpr auto corner = [](auto a) { return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0); };
  Eigen::Matrix2d expected;
  expected << 9, -8, -6, 5;
  BOOST_TEST(is_near(gradient(corner)(m.bottomRightCorner<2, 2>()), expected, 0));
}

BOOST_AUTO_TEST_CASE(jacobians_and_hessians) {
  const Eigen::Vector3d x(1, -2, 0.5);
  Matrix23 m;
  m << 1, 2, 3, 4, 5, 6;
  const auto [value, j] = value_and_jacobian(residual, wrt<0>)(x, m);
  static_assert(is_exactly<Eigen::Vector2d, decltype(value)> && is_exactly<Matrix23, decltype(j)>);
  Matrix23 expected;
  expected << 1, 2, 3, 0, 0, 4 * std::cos(0.5);
  BOOST_TEST(is_near(value, Eigen::Vector2d(-1.5, 4 * std::sin(0.5))));
  BOOST_TEST(is_near(j, expected));
  // Columns are the matrix's numbers as they lie in memory: by columns.
  const auto by_matrix = jacobian(residual, wrt<1>)(x, m);
  static_assert(is_exactly<Eigen::Matrix<double, 2, 6>, decltype(by_matrix)>);
  Eigen::Matrix<double, 2, 6> expected_by_matrix;
  expected_by_matrix << 1, 0, -2, 0, 0.5, 0, 0, std::sin(0.5), 0, 0, 0, 0;
  BOOST_TEST(is_near(by_matrix, expected_by_matrix));

  Eigen::Matrix3d square;
  square << 4, 1, 2, 0, 3, -1, 5, 2, 1;
  const auto h = hessian(quadratic, wrt<0>)(x, square);
  static_assert(is_exactly<Eigen::Matrix3d, decltype(h)>);
  BOOST_TEST(is_near(h, square + square.transpose()));

  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = to_eigen(sparse_jacobian(residual, wrt<0>)(x, m));
  BOOST_TEST(sparse.nonZeros() == 4);
  BOOST_TEST(is_near(Eigen::MatrixXd(sparse), expected));
  constexpr auto chain = [](auto a) { return a[0] * a[1] + a[1] * a[2] * a[2]; };
  const Eigen::SparseMatrix<double> upper = to_eigen(sparse_hessian(chain)(x));
  const Eigen::SparseMatrix<double> whole = upper.selfadjointView<Eigen::Upper>();
  BOOST_TEST(is_near(Eigen::MatrixXd(whole), hessian(chain)(x)));
}

BOOST_AUTO_TEST_CASE(assembled) {
  // Newton's step for a chain of springs of lengths 1 between points on a line is exact: the energy is quadratic.
  constexpr auto spring = [](auto a, auto b) { return square(b[0] - a[0] - 1) / 2; };
  constexpr auto anchor = [](auto a, auto at) { return square(a[0] - at) / 2; };
  const std::vector<Eigen::Matrix<double, 1, 1>> x(4, Eigen::Matrix<double, 1, 1>(0.5));
  const std::vector<std::array<int, 2>> springs{{0, 1}, {1, 2}, {2, 3}};
  const auto chain = assemble(hessian(spring))(x, springs);
  const auto fixed = assemble(hessian(anchor))(x, std::vector<std::array<int, 1>>{{0}}, 3.0);
  const Eigen::SparseMatrix<double> h = as_eigen(chain.hessian, 4) + as_eigen(fixed.hessian, 4);
  Eigen::Vector4d gradient_of_sum;
  for (int i = 0; i < 4; ++i) {
    const auto k = static_cast<std::size_t>(i);
    gradient_of_sum[i] = chain.gradient[k][0] + fixed.gradient[k][0];
  }
  const Eigen::Vector4d step = Eigen::MatrixXd(h).ldlt().solve(-gradient_of_sum);
  BOOST_TEST(is_near(step, Eigen::Vector4d(2.5, 3.5, 4.5, 5.5)));
}

BOOST_AUTO_TEST_CASE(assembled_vectors) {
  const Eigen::VectorXd x = Eigen::Vector3d(2, 3, 5), weights = Eigen::Vector2d(10, 100);
  const std::vector<std::array<int, 2>> pairs{{0, 1}, {2, 1}};
  const auto r = assemble(value_and_gradient([](auto a, auto b, auto w) { return a * b * w; }))(x, pairs, weights);
  BOOST_TEST(r.value == 1560.0);
  BOOST_TEST((r.gradient == std::vector<double>{30, 520, 300}));
}

BOOST_AUTO_TEST_CASE(dynamic_sizes) {
  Eigen::MatrixXd a(3, 2);
  a << 1, 2, 3, 4, 5, 6;
  Eigen::VectorXd x(2), b(3);
  x << 0.5, -1;
  b << 1, 0, 2;
  constexpr auto squares = [](auto matrix, auto vector, auto right) {
    const auto r = dot(matrix, vector) - right;
    return sum(r * r);
  };
  const auto r = value_and_gradient(squares, wrt<0, 1>)(a, x, b);
  const Eigen::VectorXd misfit = a * x - b;
  BOOST_TEST(std::abs(r.value - misfit.squaredNorm()) <= 1e-13);
  static_assert(is_exactly<std::tuple<Eigen::MatrixXd, Eigen::VectorXd>, decltype(r.gradient)>);
  BOOST_TEST(is_near(std::get<0>(r.gradient), 2 * misfit * x.transpose(), 1e-13));
  BOOST_TEST(is_near(std::get<1>(r.gradient), 2 * a.transpose() * misfit, 1e-13));

  // Bindings of formulas; a block lies in memory with strides.
  constexpr auto A = variable<"A">;
  constexpr auto v = variable<"v">;
  const auto form = sum(square(dot(A, v)));
  const auto block = a.bottomRows(2);
  const auto g = gradient(form, wrt(A, v))(A = block, v = x);
  BOOST_TEST(is_near(g[A], 2 * (block * x) * x.transpose(), 1e-13));
  BOOST_TEST(is_near(g[v], 2 * block.transpose() * (block * x), 1e-13));
  static_assert(is_exactly<Eigen::VectorXd, decltype(g[v])>);
  const Eigen::VectorXd longer = Eigen::VectorXd::Ones(3);
  BOOST_CHECK_THROW(gradient(form, wrt(v))(A = a, v = longer), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(quaternions) {
  constexpr auto turned = [](auto q, auto x) { return unit_quaternion_rotate_point(q, x); };
  const Eigen::Quaterniond q = Eigen::Quaterniond(0.5, -0.5, 0.1, 0.7);  // (w, x, y, z) of length 1
  const Eigen::Vector3d x(1, -2, 0.5), u = q.vec();
  const auto [value, j] = tapeless::value_and_jacobian(turned, tapeless::wrt<0>)(q, x);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(j)>, Eigen::Matrix<double, 3, 4>>);
  BOOST_TEST((value - q * x).norm() < 1e-15);
  // x + 2 w (u x x) + 2 u x (u x x), by w and by u.
  BOOST_TEST((j.col(0) - 2 * u.cross(x)).norm() < 1e-15);
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d e = Eigen::Vector3d::Unit(k);
    const Eigen::Vector3d expected = 2 * q.w() * e.cross(x) + 2 * (e.cross(u.cross(x)) + u.cross(e.cross(x)));
    BOOST_TEST((j.col(k + 1) - expected).norm() < 1e-14);
  }
  // A Map of four numbers (x, y, z, w), as a solver's state holds them.
  const std::array<double, 4> buffer{-0.5, 0.1, 0.7, 0.5};
  const Eigen::Map<const Eigen::Quaterniond> in_buffer(buffer.data());
  BOOST_TEST((tapeless::jacobian(turned, tapeless::wrt<0>)(in_buffer, x) - j).norm() == 0);
  // A gradient is a quaternion of the derivatives by w, x, y, z.
  const auto g = tapeless::gradient([](auto p) { return 1.0 * p[0] + 2.0 * p[1] + 3.0 * p[2] + p[3] * p[3]; })(q);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(g)>, Eigen::Quaterniond>);
  BOOST_TEST(g.w() == 1);
  BOOST_TEST(g.x() == 2);
  BOOST_TEST(g.y() == 3);
  BOOST_TEST(g.z() == 1.4);
  std::array<double, 4> state = buffer;
  const auto by_map =
      tapeless::gradient([](auto p) { return 2.0 * p[1] + p[0] * p[3]; })(Eigen::Map<Eigen::Quaterniond>(state.data()));
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_map)>, Eigen::Quaterniond>);
  BOOST_TEST((by_map.coeffs() == Eigen::Vector4d(2, 0, 0.5, 0.7)));
}
