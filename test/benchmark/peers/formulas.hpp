#ifndef TAPELESS_TEST_BENCHMARK_PEERS_FORMULAS_HPP
#define TAPELESS_TEST_BENCHMARK_PEERS_FORMULAS_HPP
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

/// The problems of numbers, for any number type: what each library that overloads operators differentiates. Named
/// types, because some libraries' operators give expressions that must not outlive their statement.
namespace peers {

template <class Vector>
using number_of = std::decay_t<decltype(std::declval<const Vector&>()[0])>;

struct sum_exp_product {
  template <class Vector>
  constexpr auto operator()(const Vector& v) const {
    using std::exp;
    using T = number_of<Vector>;
    return T((v[0] + v[1] + v[2]) * exp(v[0] * v[1] * v[2]));
  }
};

/// A call by Black and Scholes: spot, strike, rate, volatility, time.
struct black_scholes {
  template <class Vector>
  constexpr auto operator()(const Vector& v) const {
    using std::erf, std::exp, std::log, std::sqrt;
    using T = number_of<Vector>;
    const T deviation = v[3] * sqrt(v[4]);
    const T d1 = (log(v[0] / v[1]) + (v[2] + 0.5 * v[3] * v[3]) * v[4]) / deviation;
    const T d2 = d1 - deviation;
    const double root_half = 0.70710678118654752440;
    const T cdf1 = 0.5 * (1.0 + erf(T(d1 * root_half)));
    const T cdf2 = 0.5 * (1.0 + erf(T(d2 * root_half)));
    return T(v[0] * cdf1 - v[1] * exp(-v[2] * v[4]) * cdf2);
  }
};

/// The residual of bundle adjustment: a camera (rotation vector 0 to 2, centre 3 to 5, focal length 6, principal point
/// 7 and 8, distortion 9 and 10), a point 11 to 13, a weight 14; the feature is where the point was seen.
struct reprojection {
  template <class Vector, class Feature>
  constexpr auto operator()(const Vector& v, const Feature& feature) const {
    using std::cos, std::sin, std::sqrt;
    using T = number_of<Vector>;
    const T x = v[11] - v[3], y = v[12] - v[4], z = v[13] - v[5];
    const T angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const T c = cos(angle), s = sin(angle), inverse = 1.0 / angle;
    const T w0 = v[0] * inverse, w1 = v[1] * inverse, w2 = v[2] * inverse;
    const T along = (w0 * x + w1 * y + w2 * z) * (1.0 - c);
    const T rx = x * c + (w1 * z - w2 * y) * s + w0 * along;
    const T ry = y * c + (w2 * x - w0 * z) * s + w1 * along;
    const T rz = z * c + (w0 * y - w1 * x) * s + w2 * along;
    const T depth = 1.0 / rz;
    const T a = rx * depth, b = ry * depth;
    const T radius = a * a + b * b;
    const T distortion = 1.0 + radius * (v[9] + v[10] * radius);
    return std::array<T, 2>{T(v[14] * (a * distortion * v[6] + v[7] - feature[0])),
                            T(v[14] * (b * distortion * v[6] + v[8] - feature[1]))};
  }
};

struct rosenbrock {
  template <class Vector>
  constexpr auto operator()(const Vector& v) const {
    using T = number_of<Vector>;
    const auto term = [&](std::size_t i) {
      const T valley = v[i + 1] - v[i] * v[i];
      const T slope = 1.0 - v[i];
      return T(100.0 * valley * valley + slope * slope);
    };
    T sum = term(0);
    for (std::size_t i = 1; i < 7; ++i) sum = sum + term(i);
    return sum;
  }
};

/// Poses a and b, each a rotation vector and a translation, composed and seen from a sensor at a unit quaternion and
/// translation.
struct pose_composition {
  template <class T>
  using quaternion = std::array<T, 4>;

  template <class T>
  static constexpr quaternion<T> from_rotation_vector(const T& a, const T& b, const T& c) {
    using std::cos, std::sin, std::sqrt;
    const T angle = sqrt(a * a + b * b + c * c);
    const T half = 0.5 * angle;
    const T s = sin(half) / angle;
    return {T(cos(half)), T(a * s), T(b * s), T(c * s)};
  }
  template <class T, class P, class Q>
  static constexpr quaternion<T> product(const P& p, const Q& q) {
    return {T(p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]),
            T(p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2]),
            T(p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1]),
            T(p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0])};
  }
  template <class T, class Q>
  static constexpr std::array<T, 3> rotate(const Q& q, const T& x, const T& y, const T& z) {
    const T t0 = 2.0 * (q[2] * z - q[3] * y), t1 = 2.0 * (q[3] * x - q[1] * z), t2 = 2.0 * (q[1] * y - q[2] * x);
    return {T(x + q[0] * t0 + (q[2] * t2 - q[3] * t1)), T(y + q[0] * t1 + (q[3] * t0 - q[1] * t2)),
            T(z + q[0] * t2 + (q[1] * t1 - q[2] * t0))};
  }

  template <class Vector, class Sensor>
  constexpr auto operator()(const Vector& v, const Sensor& sensor) const {
    using T = number_of<Vector>;
    using S = number_of<Sensor>;
    const auto qa = from_rotation_vector<T>(v[0], v[1], v[2]);
    const auto qb = from_rotation_vector<T>(v[6], v[7], v[8]);
    const auto moved = rotate<T>(qa, v[9], v[10], v[11]);
    const std::array<S, 4> inverse{sensor[0], S(-sensor[1]), S(-sensor[2]), S(-sensor[3])};
    const auto q = product<T>(inverse, product<T>(qa, qb));
    const auto t = rotate<T>(inverse, T(v[3] + moved[0] - sensor[4]), T(v[4] + moved[1] - sensor[5]),
                             T(v[5] + moved[2] - sensor[6]));
    return std::array<T, 6>{T(2.0 * q[1]), T(2.0 * q[2]), T(2.0 * q[3]), t[0], t[1], t[2]};
  }
};

/// The problem's own constants, as the second argument of those that have one.
template <class F, class Vector>
constexpr auto evaluate_with(const F& f, const Vector& v, const double* data) {
  if constexpr (requires { f(v); })
    return std::array{f(v)};
  else
    return f(v, data);
}

}  // namespace peers

#endif
