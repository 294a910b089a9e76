#pragma once

#include <tapeless/tapeless.hpp>

#include <ceres/rotation.h>

#include <array>

namespace bal {

using Camera = std::array<double, 9>;
using Point = std::array<double, 3>;
using Pixel = std::array<double, 2>;

/// How far a camera's picture of a point is from where the point was seen, in pixels. A camera, nine numbers: its
/// rotation (axis times angle), its translation, the focal length and two coefficients of radial distortion; it looks
/// along the negative z axis.
struct Reprojection {
  template <class C, class P, class S>
  constexpr auto operator()(const C& camera, const P& point, const S& seen) const {
    using T = typename C::value_type;
    const auto turned = tapeless::angle_axis_rotate_point(std::array<T, 3>{camera[0], camera[1], camera[2]}, point);
    const T depth = turned[2] + camera[5];
    const T u = -(turned[0] + camera[3]) / depth;
    const T v = -(turned[1] + camera[4]) / depth;
    const T radius2 = u * u + v * v;
    const T scale = camera[6] * (1.0 + radius2 * (camera[7] + camera[8] * radius2));
    return std::array<T, 2>{scale * u - seen[0], scale * v - seen[1]};
  }
};

/// The same residual as Ceres's own derivatives take it.
struct JetReprojection {
  Pixel seen;
  template <class T>
  bool operator()(const T* camera, const T* point, T* residuals) const {
    T turned[3];
    ceres::AngleAxisRotatePoint(camera, point, turned);
    const T depth = turned[2] + camera[5];
    const T u = -(turned[0] + camera[3]) / depth, v = -(turned[1] + camera[4]) / depth;
    const T radius2 = u * u + v * v;
    const T scale = camera[6] * (1.0 + radius2 * (camera[7] + camera[8] * radius2));
    residuals[0] = scale * u - seen[0];
    residuals[1] = scale * v - seen[1];
    return true;
  }
};

}  // namespace bal
