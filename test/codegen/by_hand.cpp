// Values and gradients as an expert writes them by hand: the measure of the code that tapeless generates.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "kernels.hpp"

namespace by_hand {

ValueAndGradient<3> sum_exp_product(double x, double y, double z) {
  const double xy = x * y;
  const double e = std::exp(xy * z);
  const double value = (x + y + z) * e;
  const double value_z = value * z;
  return {value, {e + value_z * y, e + value_z * x, e + value * xy}};
}

// The reverse sweep over the pricing formula, worked out on paper. It does not use the identity
// S * density(d1) = K * exp(-r * T) * density(d2) behind the closed forms of the Greeks, which no rule can know.
ValueAndGradient<5> black_scholes(double S, double K, double r, double sigma, double T) {
  constexpr double inv_sqrt2 = 1 / std::numbers::sqrt2;
  constexpr double inv_sqrt_2pi = inv_sqrt2 * std::numbers::inv_sqrtpi;

  const double root_T = std::sqrt(T);
  const double deviation = sigma * root_T;
  const double drift = r + 0.5 * sigma * sigma;
  const double d1 = (std::log(S / K) + drift * T) / deviation;
  const double u1 = d1 * inv_sqrt2;
  const double u2 = (d1 - deviation) * inv_sqrt2;
  const double cdf1 = 0.5 * (1 + std::erf(u1));
  const double cdf2 = 0.5 * (1 + std::erf(u2));
  const double discount = std::exp(-r * T);
  const double discounted_strike = K * discount;
  const double exercise = discounted_strike * cdf2;

  // Each _bar is the derivative of the price with respect to the quantity it is named after.
  const double d2_bar = -discounted_strike * inv_sqrt_2pi * std::exp(-u2 * u2);
  const double d1_bar = S * inv_sqrt_2pi * std::exp(-u1 * u1) + d2_bar;
  const double numerator_bar = d1_bar / deviation;
  const double deviation_bar = -d2_bar - numerator_bar * d1;
  const double drift_bar = numerator_bar * T;
  return {S * cdf1 - exercise,
          {cdf1 + numerator_bar / S, -discount * cdf2 - numerator_bar / K, drift_bar + exercise * T,
           drift_bar * sigma + deviation_bar * root_T,
           numerator_bar * drift + exercise * r + 0.5 * deviation_bar * sigma / root_T}};
}

ValueAndGradient<8> rosenbrock(const std::array<double, 8>& x) {
  double value = 0;
  double from_previous = 0;  // what the term before contributes to the derivative with respect to x[i]
  ValueAndGradient<8> result;
  for (std::size_t i = 0; i < 7; ++i) {
    const double bend = x[i + 1] - x[i] * x[i];
    const double rest = 1 - x[i];
    value += 100 * bend * bend + rest * rest;
    const double bend_bar = 200 * bend;
    result.gradient[i] = from_previous - 2 * (bend_bar * x[i] + rest);
    from_previous = bend_bar;
  }
  result.gradient[7] = from_previous;
  result.value = value;
  return result;
}

// The maximum only keeps exp in range: it drops out of the quotient and may count as a constant.
ValueAndGradient<5> softmax_first(const std::array<double, 5>& x) {
  const double maximum = *std::max_element(x.begin(), x.end());
  std::array<double, 5> e;
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    e[i] = std::exp(x[i] - maximum);
    sum += e[i];
  }
  const double inverse = 1 / sum;
  ValueAndGradient<5> result;
  result.value = e[0] * inverse;
  const double sum_bar = -result.value * inverse;
  result.gradient[0] = (inverse + sum_bar) * e[0];
  for (std::size_t i = 1; i < 5; ++i) result.gradient[i] = sum_bar * e[i];
  return result;
}

// Both rows of the Jacobian in one sweep: what they have in common is computed once, sine and cosine together, and the
// derivatives of the two factors of Rodrigues' formula by the squared angle in closed form.
Reprojection reprojection(const std::array<double, 11>& camera, const std::array<double, 3>& point, double weight,
                          const std::array<double, 2>& seen) {
  const double rx = camera[0], ry = camera[1], rz = camera[2];
  const double angle2 = rx * rx + ry * ry + rz * rz;
  double a, b, slope_a, slope_b;  // the slopes: twice the derivatives by angle2
  if (angle2 >= 1.0 / 4096) {
    const double angle = std::sqrt(angle2), inverse = 1 / angle, inverse2 = inverse * inverse;
    const double sine = std::sin(angle), cosine = std::cos(angle);
    a = sine * inverse;
    b = (1 - cosine) * inverse2;
    slope_a = (cosine - a) * inverse2;
    slope_b = (a - 2 * b) * inverse2;
  } else {
    a = 1 - angle2 * (1.0 / 6 - angle2 * (1.0 / 120));
    b = 0.5 - angle2 * (1.0 / 24 - angle2 * (1.0 / 720));
    slope_a = angle2 * (1.0 / 30) - 1.0 / 3;
    slope_b = angle2 * (1.0 / 180) - 1.0 / 12;
  }
  const double px = point[0] - camera[3], py = point[1] - camera[4], pz = point[2] - camera[5];
  const double sx = ry * pz - rz * py, sy = rz * px - rx * pz, sz = rx * py - ry * px;  // r * p, the cross product
  const double tx = ry * sz - rz * sy, ty = rz * sx - rx * sz, tz = rx * sy - ry * sx;  // r * (r * p)
  const double qx = px + a * sx + b * tx, qy = py + a * sy + b * ty, qz = pz + a * sz + b * tz;

  const double inverse_depth = 1 / qz;
  const double u = qx * inverse_depth, v = qy * inverse_depth;
  const double uu = u * u, vv = v * v, rho = uu + vv;
  const double k2_rho = camera[10] * rho, bend = camera[9] + k2_rho, distortion = 1 + rho * bend;
  const double ud = u * distortion, vd = v * distortion;
  const double focal = camera[6];
  const double ex = focal * ud + camera[7] - seen[0], ey = focal * vd + camera[8] - seen[1];

  // The rows' derivatives by q: (xx, xy, xz) and (xy, yy, yz).
  const double focal_bar = weight * focal, scale = focal_bar * inverse_depth;
  const double straight = scale * distortion, bent = scale * (2 * (bend + k2_rho));
  const double xx = straight + bent * uu, xy = bent * (u * v), yy = straight + bent * vv;
  const double xz = -(xx * u + xy * v), yz = -(xy * u + yy * v);

  Reprojection result;
  result.value = {weight * ex, weight * ey};
  const double hx = slope_a * sx + slope_b * tx, hy = slope_a * sy + slope_b * ty, hz = slope_a * sz + slope_b * tz;
  const auto sweep = [&](double gx, double gy, double gz, std::array<double, 15>& row) __attribute__((always_inline)) {
    const double along = gx * hx + gy * hy + gz * hz;
    const double tx_bar = b * gx, ty_bar = b * gy, tz_bar = b * gz;
    const double sx_bar = a * gx + (ty_bar * rz - tz_bar * ry), sy_bar = a * gy + (tz_bar * rx - tx_bar * rz),
                 sz_bar = a * gz + (tx_bar * ry - ty_bar * rx);
    const double px_bar = gx + (sy_bar * rz - sz_bar * ry), py_bar = gy + (sz_bar * rx - sx_bar * rz),
                 pz_bar = gz + (sx_bar * ry - sy_bar * rx);
    row[0] = sy * tz_bar - sz * ty_bar + (py * sz_bar - pz * sy_bar) + rx * along;
    row[1] = sz * tx_bar - sx * tz_bar + (pz * sx_bar - px * sz_bar) + ry * along;
    row[2] = sx * ty_bar - sy * tx_bar + (px * sy_bar - py * sx_bar) + rz * along;
    row[3] = -px_bar;
    row[4] = -py_bar;
    row[5] = -pz_bar;
    row[11] = px_bar;
    row[12] = py_bar;
    row[13] = pz_bar;
  };
  auto& [row0, row1] = result.jacobian;
  sweep(xx, xy, xz, row0);
  sweep(xy, yy, yz, row1);
  row0[6] = weight * ud;
  row1[6] = weight * vd;
  row0[7] = row1[8] = weight;
  row0[8] = row1[7] = 0;
  const double u_bar = focal_bar * u * rho, v_bar = focal_bar * v * rho;
  row0[9] = u_bar;
  row1[9] = v_bar;
  row0[10] = u_bar * rho;
  row1[10] = v_bar * rho;
  row0[14] = ex;
  row1[14] = ey;
  return result;
}

}  // namespace by_hand
