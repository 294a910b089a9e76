#pragma once

#include <tapeless/operation/matrix/rotation.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// Rotations and poses that are moved by tangents, which have as many numbers as there are degrees of freedom.
namespace tapeless {

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
