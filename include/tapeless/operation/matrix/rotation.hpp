#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/operation/matrix/factorization.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/trigonometric.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

/// Rotations in space: an angle-axis vector, whose length is the angle in radians, a quaternion (w, x, y, z), or a
/// matrix. The names and the order of a quaternion's components are those of Ceres. The functions are accurate near the
/// angle 0, with derivatives of every order.
namespace tapeless {

namespace operation {

/// Below this square of an angle Stumpff's functions are four terms of their series: what is left out is less than a
/// unit of rounding.
struct SmallAngle {
  static constexpr std::string_view name = "small_angle";
  template <class T>
  static constexpr T constant() {
    return T(8) * math::sqrt(math::sqrt(T(std::numeric_limits<T>::epsilon())));
  }
};

}  // namespace operation

namespace detail::inline TAPELESS_TARGET {

constexpr std::intmax_t factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Stumpff's functions c_k(s) = 1/k! - s/(k + 2)! + s^2/(k + 4)! - ... of the square of an angle: c_0 is its cosine,
/// c_1 its sine divided by it, c_2 one minus its cosine, divided by s. By half the angle, where none of these cancels,
/// and one division, 1 / s.
template <int K, class T>
constexpr T stumpff_closed(const T& root, const T& inverse, const T& half_sine, const T& half_cosine) {
  if constexpr (K == 0)
    return T(1) - T(2) * (half_sine * half_sine);
  else if constexpr (K == 1)
    return T(2) * (half_sine * half_cosine) * (root * inverse);
  else if constexpr (K == 2)
    return T(2) * (half_sine * half_sine) * inverse;
  else
    return (T(1) / T(factorial(K - 2)) - stumpff_closed<K - 2>(root, inverse, half_sine, half_cosine)) * inverse;
}
template <int K, class T>
constexpr T stumpff_series(const T& s) {
  const auto term = [](int power) { return T(1) / T(factorial(K + 2 * power)); };
  return term(0) - s * (term(1) - s * (term(2) - s * term(3)));
}
template <int K, class T>
constexpr T stumpff(const T& s) {
  if constexpr (Symbolic<T>) {
    const T root = sqrt(s), half_angle = constant<1, 2> * root;
    return where(s < mathematical_constant<operation::SmallAngle>, stumpff_series<K>(s),
                 stumpff_closed<K, T>(root, T(1) / s, sin(half_angle), cos(half_angle)));
  } else {
    if (s < operation::SmallAngle::constant<T>()) return stumpff_series<K>(s);
    const T root = math::sqrt(s), half_angle = root / T(2);
    return stumpff_closed<K, T>(root, T(1) / s, math::sin(half_angle), math::cos(half_angle));
  }
}

}  // namespace detail::inline TAPELESS_TARGET

namespace operation {

/// c_K(s), whose derivative is (K c_{K+2} - c_{K+1}) / 2.
template <int K>
struct Stumpff {
  static constexpr std::string_view name = "stumpff";
  static constexpr auto expand = [](auto s) { return detail::stumpff<K>(s); };
  static constexpr rules partials{[](auto s, auto) {
    return constant<1, 2> * (constant<K> * apply<Stumpff<K + 2>>(s) - apply<Stumpff<K + 1>>(s));
  }};
  static constexpr double samples[][1] = {{1.5}, {0.25}, {1e-5}};
};

}  // namespace operation

namespace detail::inline TAPELESS_TARGET {

/// c_K of what is no value yet as an operation, of a number at once.
template <int K, class T>
constexpr T stumpff_of(const T& s) {
  if constexpr (Symbolic<T>)
    return apply<operation::Stumpff<K>>(s);
  else
    return stumpff<K>(s);
}

/// The rotation's angle over the length of a quaternion's vector, which is sqrt(s).
template <class T>
constexpr T full_angle(const T& s, const T& w) {
  const T length = sqrt(s);
  return T(2) * atan2(length, w) / length;
}

/// x + b y + c z
template <class T>
constexpr std::array<T, 3> combination(const T& b, const std::array<T, 3>& y, const T& c, const std::array<T, 3>& z,
                                       const std::array<T, 3>& x) {
  return {x[0] + b * y[0] + c * z[0], x[1] + b * y[1] + c * z[1], x[2] + b * y[2] + c * z[2]};
}

}  // namespace detail::inline TAPELESS_TARGET

inline namespace TAPELESS_TARGET {

/// The point rotated about the direction of `rotation` by its length in radians: Rodrigues' formula x + (sin a / a) r *
/// x + ((1 - cos a) / a^2) r * (r * x), where * is the cross product.
template <Operand R, Operand P>
constexpr auto angle_axis_rotate_point(const std::array<R, 3>& rotation, const std::array<P, 3>& point) {
  using T = detail::real_entry_t<detail::common_entry_t<R, P>>;
  const auto r = detail::vector_as<T>(rotation);
  const auto x = detail::vector_as<T>(point);
  const auto turned = cross(r, x);
  const T s = dot(r, r);
  return detail::combination<T>(detail::stumpff_of<1>(s), turned, detail::stumpff_of<2>(s), cross(r, turned), x);
}

/// The rotation about the direction of `rotation` by its length in radians, as a matrix.
template <Operand R>
constexpr auto angle_axis_to_rotation_matrix(const std::array<R, 3>& rotation) {
  using T = detail::real_entry_t<R>;
  const auto r = detail::vector_as<T>(rotation);
  const T s = dot(r, r), a = detail::stumpff_of<1>(s), b = detail::stumpff_of<2>(s);
  const T x = a * r[0], y = a * r[1], z = a * r[2];
  const T xx = b * r[0] * r[0], yy = b * r[1] * r[1], zz = b * r[2] * r[2];
  const T xy = b * r[0] * r[1], yz = b * r[1] * r[2], zx = b * r[2] * r[0];
  return detail::matrix<T, 3, 3>{std::array<T, 3>{T(1) - (yy + zz), xy - z, zx + y},
                                 std::array<T, 3>{xy + z, T(1) - (zz + xx), yz - x},
                                 std::array<T, 3>{zx - y, yz + x, T(1) - (xx + yy)}};
}

/// The rotation about the direction of `rotation` by its length in radians, as a unit quaternion.
template <Operand R>
constexpr auto angle_axis_to_quaternion(const std::array<R, 3>& rotation) {
  using T = detail::real_entry_t<R>;
  const auto r = detail::vector_as<T>(rotation);
  const T quarter = dot(r, r) / T(4), half = detail::stumpff_of<1>(quarter) / T(2);
  return std::array<T, 4>{detail::stumpff_of<0>(quarter), half * r[0], half * r[1], half * r[2]};
}

/// The angle-axis vector of a quaternion, of length up to pi; the length of the quaternion does not matter. It is
/// accurate near the angle 0. At pi, where the sign of the vector is arbitrary, derivatives are those on one side.
template <Operand Q>
constexpr auto quaternion_to_angle_axis(const std::array<Q, 4>& quaternion) {
  using T = detail::real_entry_t<Q>;
  const auto q = detail::vector_as<T>(quaternion);
  const auto is_negative = q[0] < T(0);
  const T w = detail::choose<T>(is_negative, -q[0], q[0]);
  const T s = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  // 2 atan(t) / t of the ratio t of the vector's length to w: where that is small, by its series.
  const auto is_small = s < detail::constant_among<operation::SmallAngle, T>() * (w * w);
  constexpr int terms = 8;
  const T square = detail::where_of<T>(is_small, [&] { return s / (w * w); }, [] { return T(0); });
  T series = T(1) / T(2 * terms - 1);
  for (int k = terms - 1; k > 0; --k) series = T(1) / T(2 * k - 1) - square * series;
  const T factor =
      detail::where_of<T>(is_small, [&] { return T(2) * series / w; }, [&] { return detail::full_angle<T>(s, w); });
  const T signed_factor = detail::choose<T>(is_negative, -factor, factor);
  return std::array<T, 3>{signed_factor * q[1], signed_factor * q[2], signed_factor * q[3]};
}

/// The product of two quaternions: the rotation by `b`, then by `a`.
template <Operand A, Operand B>
constexpr auto quaternion_product(const std::array<A, 4>& a, const std::array<B, 4>& b) {
  using T = detail::common_entry_t<A, B>;
  const auto p = detail::vector_as<T>(a), q = detail::vector_as<T>(b);
  return std::array<T, 4>{
      p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
      p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// The quaternion moved by a tangent, as in Ceres's QuaternionManifold: rotated about the tangent, by twice the
/// tangent's length. With it, `gradient` and `jacobian` with respect to the tangent at 0 differentiate in the
/// manifold's own parameters: `residual(quaternion_plus(q, tangent))`.
template <Operand Q, Operand D>
constexpr auto quaternion_plus(const std::array<Q, 4>& quaternion, const std::array<D, 3>& tangent) {
  using T = detail::real_entry_t<detail::common_entry_t<Q, D>>;
  const auto d = detail::vector_as<T>(tangent);
  const T s = dot(d, d), factor = detail::stumpff_of<1>(s);
  return quaternion_product(std::array<T, 4>{detail::stumpff_of<0>(s), factor * d[0], factor * d[1], factor * d[2]},
                            quaternion);
}

/// The point rotated by a quaternion of length 1.
template <Operand Q, Operand P>
constexpr auto unit_quaternion_rotate_point(const std::array<Q, 4>& quaternion, const std::array<P, 3>& point) {
  using T = detail::common_entry_t<Q, P>;
  const auto x = detail::vector_as<T>(point);
  const std::array<T, 3> v{T(quaternion[1]), T(quaternion[2]), T(quaternion[3])};
  const auto half = cross(v, x);
  const std::array<T, 3> turned{half[0] + half[0], half[1] + half[1], half[2] + half[2]};
  const auto again = cross(v, turned);
  const T w(quaternion[0]);
  return std::array<T, 3>{x[0] + (w * turned[0] + again[0]), x[1] + (w * turned[1] + again[1]),
                          x[2] + (w * turned[2] + again[2])};
}

/// The point rotated by a quaternion of any length except 0, where the result is not finite.
template <Operand Q, Operand P>
constexpr auto quaternion_rotate_point(const std::array<Q, 4>& quaternion, const std::array<P, 3>& point) {
  using T = detail::real_entry_t<detail::common_entry_t<Q, P>>;
  auto q = detail::vector_as<T>(quaternion);
  const T scale = T(1) / sqrt(dot(q, q));
  for (T& part : q) part = part * scale;
  return unit_quaternion_rotate_point(q, point);
}

/// The rotation matrix of a quaternion of any length except 0, where the result is not finite.
template <Operand Q>
constexpr auto quaternion_to_rotation_matrix(const std::array<Q, 4>& quaternion) {
  using T = detail::real_entry_t<Q>;
  const auto [w, x, y, z] = detail::vector_as<T>(quaternion);
  const T xx = x * x, yy = y * y, zz = z * z, xy = x * y, yz = y * z, zx = z * x, wx = w * x, wy = w * y, wz = w * z;
  const T s = T(2) / (w * w + xx + yy + zz);
  return detail::matrix<T, 3, 3>{std::array<T, 3>{T(1) - s * (yy + zz), s * (xy - wz), s * (zx + wy)},
                                 std::array<T, 3>{s * (xy + wz), T(1) - s * (zz + xx), s * (yz - wx)},
                                 std::array<T, 3>{s * (zx - wy), s * (yz + wx), T(1) - s * (xx + yy)}};
}

}  // namespace TAPELESS_TARGET

// Rotations and poses that are moved by tangents, which have as many numbers as there are degrees of freedom.

/// A rotation as a quaternion (w, x, y, z) of length 1. `plus` is that of Ceres's QuaternionManifold: it rotates about
/// the tangent, by twice the tangent's length.
struct so3 {
  static constexpr std::size_t size = 4;
  static constexpr std::array<double, 3> zero{};
  template <Operand Q, Operand D>
  static constexpr auto plus(const std::array<Q, 4>& quaternion, const std::array<D, 3>& tangent) {
    return quaternion_plus(quaternion, tangent);
  }
};

/// A rotation as a quaternion of length 1 in Eigen's memory order, (x, y, z, w), moved as `so3` is: Ceres's
/// EigenQuaternionManifold.
struct eigen_so3 {
  static constexpr std::size_t size = 4;
  static constexpr std::array<double, 3> zero{};
  template <Operand Q, Operand D>
  static constexpr auto plus(const std::array<Q, 4>& q, const std::array<D, 3>& tangent) {
    const auto [w, x, y, z] = quaternion_plus(std::array<Q, 4>{q[3], q[0], q[1], q[2]}, tangent);
    return std::array{x, y, z, w};
  }
};

/// A pose: a quaternion followed by a translation, each moved by itself, as in Ceres's
/// ProductManifold<QuaternionManifold, EuclideanManifold<3>>.
struct se3 {
  static constexpr std::size_t size = 7;
  static constexpr std::array<double, 6> zero{};
  template <Operand P, Operand D>
  static constexpr auto plus(const std::array<P, 7>& pose, const std::array<D, 6>& tangent) {
    using T = detail::real_entry_t<detail::common_entry_t<P, D>>;
    const auto q = quaternion_plus(std::array<P, 4>{pose[0], pose[1], pose[2], pose[3]},
                                   std::array<D, 3>{tangent[0], tangent[1], tangent[2]});
    return std::array<T, 7>{
        q[0], q[1], q[2], q[3], T(pose[4]) + T(tangent[3]), T(pose[5]) + T(tangent[4]), T(pose[6]) + T(tangent[5])};
  }
};

namespace detail {

template <class Manifold, std::size_t I, class F>
struct local_function {
  template <class Tangent, class... Args>
  constexpr auto operator()(const Tangent& tangent, const Args&... args) const {
    const auto argument = [&]<std::size_t J>(std::integral_constant<std::size_t, J>, const auto& given) {
      if constexpr (J == I)
        return Manifold::plus(given, tangent);
      else
        return given;
    };
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      return F{}(argument(std::integral_constant<std::size_t, J>{}, args)...);
    }(std::index_sequence_for<Args...>{});
  }
};

}  // namespace detail

/// The function of a tangent and the arguments of `f` that moves argument number `I`, a point of the manifold, by the
/// tangent, and calls `f`. `jacobian(local<so3>(f), wrt<0>)(so3::zero, q, x)` is the Jacobian with respect to the
/// tangent, with three columns. `local<so3, 1>(local<se3>(f))` moves two arguments; its first tangent belongs to the
/// second argument.
template <class Manifold, std::size_t I = 0, class F>
  requires std::is_empty_v<F>
constexpr auto local(const F&) {
  return detail::local_function<Manifold, I, F>{};
}

}  // namespace tapeless
