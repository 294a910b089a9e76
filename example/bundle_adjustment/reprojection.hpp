#pragma once

#include <tapeless/tapeless.hpp>

#include <array>

namespace bundle_adjustment {

/// Numbers of any type: double, or what a traced function computes with.
template <class T>
using Vector3 = std::array<T, 3>;

template <class T>
constexpr Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// x rotated about the direction of r by the angle |r|, by Rodrigues' formula
///   x + (sin |r| / |r|) r * x + ((1 - cos |r|) / |r|^2) r * (r * x)    (* the cross product).
/// Below an angle of 1/64 both factors are taken from their Taylor series, which differ there from them and from their
/// derivatives by less than 2e-12, as 1 - cos |r| does just above it by cancellation; the other branch, 0 / 0 at r = 0,
/// reaches neither value nor derivative.
template <class T>
constexpr Vector3<T> rotate(const Vector3<T>& r, const Vector3<T>& x) {
  const T angle2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  const T angle = sqrt(angle2);
  const T inverse = 1 / angle;
  const auto small = angle2 < 1.0 / 4096;
  const T a = where(small, 1 - angle2 * (1.0 / 6 - angle2 * (1.0 / 120)), sin(angle) * inverse);
  const T b = where(small, 0.5 - angle2 * (1.0 / 24 - angle2 * (1.0 / 720)), (1 - cos(angle)) * inverse * inverse);
  const Vector3<T> turned = cross(r, x);
  const Vector3<T> twice = cross(r, turned);
  return {x[0] + a * turned[0] + b * twice[0], x[1] + a * turned[1] + b * twice[1],
          x[2] + a * turned[2] + b * twice[2]};
}

/// How far a camera's picture of a point is from where the point was seen, in pixels, times a weight. The camera,
/// eleven numbers: its rotation (axis times angle), its centre, the focal length, the principal point and two
/// coefficients of radial distortion.
struct Reprojection {
  template <class Camera, class Point, class Weight, class Pixel>
  constexpr auto operator()(const Camera& camera, const Point& point, const Weight& weight, const Pixel& seen) const {
    using T = Weight;
    const auto [r0, r1, r2, centre0, centre1, centre2, focal, principal0, principal1, k1, k2] = camera;
    const Vector3<T> in_camera = rotate<T>({r0, r1, r2}, {point[0] - centre0, point[1] - centre1, point[2] - centre2});
    const T u = in_camera[0] / in_camera[2];
    const T v = in_camera[1] / in_camera[2];
    const T radius2 = u * u + v * v;
    const T distortion = 1 + radius2 * (k1 + radius2 * k2);
    return std::array<T, 2>{weight * (focal * (u * distortion) + principal0 - seen[0]),
                            weight * (focal * (v * distortion) + principal1 - seen[1])};
  }
};

/// Residuals, and their derivatives by the camera (11), the point (3) and the weight, of one observation:
/// reprojection(camera, point, weight, seen).
inline constexpr auto reprojection = tapeless::value_and_jacobian(Reprojection{}, tapeless::wrt<0, 1, 2>);

}  // namespace bundle_adjustment
