// Values and derivatives as an expert writes them, without a library: what the ratios are to.
#include "problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace peers {
namespace {

using std::size_t;

void sum_exp_product(const problem&, const double* x, double* out) {
  const double a = x[0], b = x[1], c = x[2];
  const double bc = b * c, e = std::exp(a * bc), value = (a + b + c) * e;
  out[0] = value;
  out[1] = e + value * bc;
  out[2] = e + value * (a * c);
  out[3] = e + value * (a * b);
}

/// Uses spot * phi(d1) = strike * exp(-rate * time) * phi(d2), which no derivative of the formula knows.
void price(double spot, double strike, double rate, double volatility, double time, double* out, size_t stride) {
  const double root = std::sqrt(time), deviation = volatility * root;
  const double d1 = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / deviation;
  const double d2 = d1 - deviation;
  const double cdf1 = 0.5 * (1 + std::erf(d1 * 0.70710678118654752440));
  const double cdf2 = 0.5 * (1 + std::erf(d2 * 0.70710678118654752440));
  const double discount = std::exp(-rate * time), paid = strike * discount;
  const double vega = spot * 0.39894228040143267794 * std::exp(-0.5 * d1 * d1);
  out[0] = spot * cdf1 - paid * cdf2;
  out[stride] = cdf1;
  out[2 * stride] = -discount * cdf2;
  out[3 * stride] = time * paid * cdf2;
  out[4 * stride] = vega * root;
  out[5 * stride] = vega * volatility * 0.5 / root + rate * paid * cdf2;
}
void black_scholes(const problem&, const double* x, double* out) { price(x[0], x[1], x[2], x[3], x[4], out, 1); }
void black_scholes_batch(const problem& p, const double* x, double* out) {
  const size_t n = p.size;
  for (size_t i = 0; i < n; ++i) price(x[i], x[n + i], x[2 * n + i], x[3 * n + i], x[4 * n + i], out + i, n);
}

/// Rodrigues' rotation and its derivative in closed form; the projection's derivative is symmetric.
void reprojection(const problem& p, const double* __restrict x, double* __restrict out) {
  const double p0 = x[11] - x[3], p1 = x[12] - x[4], p2 = x[13] - x[5];
  const double focal = x[6], k1 = x[9], k2 = x[10], weight = x[14];
  const double angle = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double c = std::cos(angle), s = std::sin(angle), inverse = 1 / angle, C = 1 - c;
  const double w[3] = {x[0] * inverse, x[1] * inverse, x[2] * inverse};
  const double along = w[0] * p0 + w[1] * p1 + w[2] * p2, turned = along * C;
  const double cross[3] = {w[1] * p2 - w[2] * p1, w[2] * p0 - w[0] * p2, w[0] * p1 - w[1] * p0};
  const double y0 = p0 * c + cross[0] * s + w[0] * turned, y1 = p1 * c + cross[1] * s + w[1] * turned,
               y2 = p2 * c + cross[2] * s + w[2] * turned;
  const double R[3][3] = {{c + C * w[0] * w[0], C * w[0] * w[1] - s * w[2], C * w[0] * w[2] + s * w[1]},
                          {C * w[0] * w[1] + s * w[2], c + C * w[1] * w[1], C * w[1] * w[2] - s * w[0]},
                          {C * w[0] * w[2] - s * w[1], C * w[1] * w[2] + s * w[0], c + C * w[2] * w[2]}};
  const double by_angle[3] = {-s * p0 + c * cross[0] + w[0] * along * s, -s * p1 + c * cross[1] + w[1] * along * s,
                              -s * p2 + c * cross[2] + w[2] * along * s};
  const double M[3][3] = {{turned + C * w[0] * p0, s * p2 + C * w[0] * p1, -s * p1 + C * w[0] * p2},
                          {-s * p2 + C * w[1] * p0, turned + C * w[1] * p1, s * p0 + C * w[1] * p2},
                          {s * p1 + C * w[2] * p0, -s * p0 + C * w[2] * p1, turned + C * w[2] * p2}};
  double D[3][3];
  for (int i = 0; i < 3; ++i) {
    const double Mw = M[i][0] * w[0] + M[i][1] * w[1] + M[i][2] * w[2];
    for (int j = 0; j < 3; ++j) D[i][j] = by_angle[i] * w[j] + inverse * (M[i][j] - Mw * w[j]);
  }
  const double depth = 1 / y2, u = y0 * depth, v = y1 * depth, radius = u * u + v * v;
  const double L = 1 + radius * (k1 + k2 * radius), dL = 2 * k1 + 4 * k2 * radius;
  const double wf = weight * focal, scaled = wf * depth;
  const double a0 = (dL * u * u + L) * scaled, a1 = dL * u * v * scaled, a2 = -(a0 * u + a1 * v);
  const double b0 = a1, b1 = (dL * v * v + L) * scaled, b2 = -(b0 * u + b1 * v);
  double* J = out + 2;
  for (int j = 0; j < 3; ++j) {
    J[2 * j] = a0 * D[0][j] + a1 * D[1][j] + a2 * D[2][j];
    J[2 * j + 1] = b0 * D[0][j] + b1 * D[1][j] + b2 * D[2][j];
    const double e0 = a0 * R[0][j] + a1 * R[1][j] + a2 * R[2][j], e1 = b0 * R[0][j] + b1 * R[1][j] + b2 * R[2][j];
    J[6 + 2 * j] = -e0;
    J[7 + 2 * j] = -e1;
    J[22 + 2 * j] = e0;
    J[23 + 2 * j] = e1;
  }
  const double uL = u * L, vL = v * L;
  J[12] = weight * uL;
  J[13] = weight * vL;
  J[14] = J[17] = weight;
  J[15] = J[16] = 0;
  J[18] = wf * radius * u;
  J[19] = wf * radius * v;
  J[20] = J[18] * radius;
  J[21] = J[19] * radius;
  J[28] = uL * focal + x[7] - p.data[0];
  J[29] = vL * focal + x[8] - p.data[1];
  out[0] = weight * J[28];
  out[1] = weight * J[29];
}

void rosenbrock(const problem&, const double* __restrict x, double* __restrict out) {
  double valley[7], slope[7], valleys = 0, slopes = 0;
#pragma GCC unroll 7
  for (int i = 0; i < 7; ++i) {
    valley[i] = x[i + 1] - x[i] * x[i];
    slope[i] = 1 - x[i];
    valleys += valley[i] * valley[i];
    slopes += slope[i] * slope[i];
  }
  out[0] = 100 * valleys + slopes;
  out[1] = -400 * valley[0] * x[0] - 2 * slope[0];
#pragma GCC unroll 7
  for (int i = 1; i < 7; ++i) out[1 + i] = 200 * valley[i - 1] - 400 * valley[i] * x[i] - 2 * slope[i];
  out[8] = 200 * valley[6];
}

/// cos(angle / 2), sin(angle / 2) / angle and the factor of the rotation vector in the latter's derivative.
struct half_angle {
  double w, s, k;
  explicit half_angle(const double* r) {
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = std::sqrt(square), inverse = 1 / angle;
    s = std::sin(0.5 * angle) * inverse;
    w = std::cos(0.5 * angle);
    k = (0.5 * w - s) * (inverse * inverse);
  }
};
/// From the derivative m by a quaternion to that by its rotation vector r.
inline void by_rotation_vector(const double m[3][4], const half_angle& h, const double* r, double factor, double* out,
                               int stride) {
  for (int i = 0; i < 3; ++i) {
    const double c = factor * (h.k * (m[i][1] * r[0] + m[i][2] * r[1] + m[i][3] * r[2]) - 0.5 * h.s * m[i][0]);
    for (int j = 0; j < 3; ++j) out[i + stride * j] = factor * h.s * m[i][1 + j] + c * r[j];
  }
}
inline void rotation_matrix(double w, double a, double b, double c, double R[3][3]) {
  const double aa = a * a, bb = b * b, cc = c * c, ab = a * b, ac = a * c, bc = b * c, wa = w * a, wb = w * b,
               wc = w * c;
  R[0][0] = 1 - 2 * (bb + cc);
  R[0][1] = 2 * (ab - wc);
  R[0][2] = 2 * (ac + wb);
  R[1][0] = 2 * (ab + wc);
  R[1][1] = 1 - 2 * (aa + cc);
  R[1][2] = 2 * (bc - wa);
  R[2][0] = 2 * (ac - wb);
  R[2][1] = 2 * (bc + wa);
  R[2][2] = 1 - 2 * (aa + bb);
}
void pose_composition(const problem& p, const double* __restrict x, double* __restrict out) {
  const double *u = x, *v = x + 6, *t = x + 9;
  const half_angle ha(u), hb(v);
  const double a0 = ha.w, a1 = ha.s * u[0], a2 = ha.s * u[1], a3 = ha.s * u[2];
  const double b0 = hb.w, b1 = hb.s * v[0], b2 = hb.s * v[1], b3 = hb.s * v[2];
  const double z0 = p.data[0], z1 = -p.data[1], z2 = -p.data[2], z3 = -p.data[3];
  const double c0 = z0 * a0 - z1 * a1 - z2 * a2 - z3 * a3, c1 = z0 * a1 + z1 * a0 + z2 * a3 - z3 * a2,
               c2 = z0 * a2 - z1 * a3 + z2 * a0 + z3 * a1, c3 = z0 * a3 + z1 * a2 - z2 * a1 + z3 * a0;
  out[0] = 2 * (c0 * b1 + c1 * b0 + c2 * b3 - c3 * b2);
  out[1] = 2 * (c0 * b2 - c1 * b3 + c2 * b0 + c3 * b1);
  out[2] = 2 * (c0 * b3 + c1 * b2 - c2 * b1 + c3 * b0);
  double* J = out + 6;
  const double by_b[3][4] = {{c1, c0, -c3, c2}, {c2, c3, c0, -c1}, {c3, -c2, c1, c0}};
  by_rotation_vector(by_b, hb, v, 2, J + 6 * 6, 6);
  const double products[4][4] = {{b0, b1, b2, b3}, {-b1, b0, -b3, b2}, {-b2, b3, b0, -b1}, {-b3, -b2, b1, b0}};
  double by_a[3][4];
  for (int k = 0; k < 4; ++k) {
    const double* d = products[k];
    by_a[0][k] = z0 * d[1] + z1 * d[0] + z2 * d[3] - z3 * d[2];
    by_a[1][k] = z0 * d[2] - z1 * d[3] + z2 * d[0] + z3 * d[1];
    by_a[2][k] = z0 * d[3] + z1 * d[2] - z2 * d[1] + z3 * d[0];
  }
  by_rotation_vector(by_a, ha, u, 2, J, 6);

  double Z[3][3], A[3][3], s[3];
  rotation_matrix(z0, z1, z2, z3, Z);
  rotation_matrix(a0, a1, a2, a3, A);
  for (size_t i = 0; i < 3; ++i) s[i] = x[3 + i] + A[i][0] * t[0] + A[i][1] * t[1] + A[i][2] * t[2] - p.data[4 + i];
  const double q[3] = {a1, a2, a3}, qt = a1 * t[0] + a2 * t[1] + a3 * t[2];
  const double X[3][3] = {{qt, a0 * t[2], -a0 * t[1]}, {-a0 * t[2], qt, a0 * t[0]}, {a0 * t[1], -a0 * t[0], qt}};
  double D[3][4] = {{2 * (a2 * t[2] - a3 * t[1])}, {2 * (a3 * t[0] - a1 * t[2])}, {2 * (a1 * t[1] - a2 * t[0])}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) D[i][1 + j] = 2 * (X[i][j] + q[i] * t[j] - 2 * t[i] * q[j]);
  double E[9];
  by_rotation_vector(D, ha, u, 1, E, 3);
  for (int i = 0; i < 3; ++i) {
    out[3 + i] = Z[i][0] * s[0] + Z[i][1] * s[1] + Z[i][2] * s[2];
    for (int j = 0; j < 3; ++j) {
      J[3 + i + 6 * j] = Z[i][0] * E[3 * j] + Z[i][1] * E[1 + 3 * j] + Z[i][2] * E[2 + 3 * j];
      J[3 + i + 6 * (3 + j)] = Z[i][j];
      J[i + 6 * (3 + j)] = J[i + 6 * (9 + j)] = J[3 + i + 6 * (6 + j)] = 0;
      J[3 + i + 6 * (9 + j)] = Z[i][0] * A[0][j] + Z[i][1] * A[1][j] + Z[i][2] * A[2][j];
    }
  }
}

void logistic(const problem& p, const double* __restrict weights, double* __restrict out) {
  const double* __restrict X = p.data.data(), * __restrict y = p.labels.data();
  double loss = 0, gradient[10] = {}, w[10];
  std::copy_n(weights, 10, w);
  for (size_t i = 0; i < p.size; ++i) {
    const double* row = X + 10 * i;
    double margin = 0;
#pragma omp simd reduction(+ : margin)
    for (int j = 0; j < 10; ++j) margin += row[j] * w[j];
    const double e = std::exp(-y[i] * margin), d = 1 + e, c = -y[i] * e / d;
    loss += std::log(d);
#pragma omp simd
    for (int j = 0; j < 10; ++j) gradient[j] += c * row[j];
  }
  out[0] = loss;
  std::copy_n(gradient, 10, out + 1);
}

void normal_density(const problem& p, const double* __restrict x, double* __restrict out) {
  const double mu = x[0], inverse = 1 / x[1], inverse2 = inverse * inverse, n = static_cast<double>(p.size);
  const double* __restrict data = x + 2;
  double* __restrict g = out + 3, squares = 0, sum = 0;
#pragma omp simd reduction(+ : squares, sum)
  for (size_t i = 0; i < p.size; ++i) {
    const double u = data[i] - mu;
    sum += u;
    squares += u * u;
    g[i] = -u * inverse2;
  }
  out[0] = -0.5 * squares * inverse2 - n * (std::log(x[1]) + 0.91893853320467274178);
  out[1] = sum * inverse2;
  out[2] = squares * inverse2 * inverse - n * inverse;
}

void cross_entropy(const problem& p, const double* __restrict x, double* __restrict out) {
  double largest = x[0], sum = 0, *__restrict g = out + 1;
#pragma omp simd reduction(max : largest)
  for (size_t i = 1; i < p.size; ++i) largest = largest < x[i] ? x[i] : largest;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < p.size; ++i) {
    const double e = std::exp(x[i] - largest);
    g[i] = e;
    sum += e;
  }
  const double inverse = 1 / sum;
#pragma omp simd
  for (size_t i = 0; i < p.size; ++i) g[i] *= inverse;
  g[p.label] -= 1;
  out[0] = std::log(sum) - (x[p.label] - largest);
}

void tanh_exp(const problem& p, const double* __restrict x, double* __restrict out) {
  const size_t n = p.size;
  const double* __restrict a = x, * __restrict b = x + n, * __restrict c = x + 2 * n;
  double* __restrict ga = out + 1, * __restrict gb = ga + n, * __restrict gc = gb + n, sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < n; ++i) {
    const double u = std::tanh(a[i] * b[i] + c[i]), e = std::exp(-b[i] * b[i]), f = u * e, d = e * (1 - u * u);
    sum += f;
    ga[i] = d * b[i];
    gb[i] = d * a[i] - 2 * b[i] * f;
    gc[i] = d;
  }
  out[0] = sum;
}

/// ADBench's Gaussian mixture with two dimensions and five components: five logits, five means, five inverse square
/// roots of covariances, (log of the diagonal, lower triangle). Its constants and prior are in a function of their own.
constexpr size_t K = 5;
struct mixture {
  double q0[K], q1[K], l[K], m0[K], m1[K], A[K];
  explicit mixture(const double* x) {
    for (size_t k = 0; k < K; ++k) {
      m0[k] = x[5 + 2 * k];
      m1[k] = x[6 + 2 * k];
      q0[k] = std::exp(x[15 + 3 * k]);
      q1[k] = std::exp(x[16 + 3 * k]);
      l[k] = x[17 + 3 * k];
      A[k] = x[k] + x[15 + 3 * k] + x[16 + 3 * k];
    }
  }
};
void gaussian_mixture(const problem& p, const double* __restrict x, double* __restrict out) {
  const mixture m(x);
  double ga[K] = {}, g0[K] = {}, g1[K] = {}, h0[K] = {}, h1[K] = {}, hl[K] = {}, total = 0;
  for (size_t i = 0; i < p.size; ++i) {
    const double a = p.data[2 * i], b = p.data[2 * i + 1];
    double c0[K], c1[K], y0[K], y1[K], t[K];
    for (size_t k = 0; k < K; ++k) {
      c0[k] = a - m.m0[k];
      c1[k] = b - m.m1[k];
      y0[k] = m.q0[k] * c0[k];
      y1[k] = m.q1[k] * c1[k] + m.l[k] * c0[k];
      t[k] = m.A[k] - 0.5 * (y0[k] * y0[k] + y1[k] * y1[k]);
    }
    const double largest = *std::max_element(t, t + K);
    double sum = 0;
    for (double& e : t) {
      e = std::exp(e - largest);
      sum += e;
    }
    total += std::log(sum) + largest;
    const double inverse = 1 / sum;
    for (size_t k = 0; k < K; ++k) {
      const double r = t[k] * inverse, r0 = r * y0[k], r1 = r * y1[k];
      ga[k] += r;
      g0[k] += r0;
      g1[k] += r1;
      h0[k] += r0 * c0[k];
      h1[k] += r1 * c1[k];
      hl[k] += r1 * c0[k];
    }
  }
  const double n = static_cast<double>(p.size), largest = *std::max_element(x, x + K);
  double sum = 0, e[K], prior = 0;
  for (size_t k = 0; k < K; ++k) sum += e[k] = std::exp(x[k] - largest);
  for (size_t k = 0; k < K; ++k) {
    prior += 0.5 * (m.q0[k] * m.q0[k] + m.q1[k] * m.q1[k] + m.l[k] * m.l[k]);
    out[1 + k] = ga[k] - n * e[k] / sum;
    out[6 + 2 * k] = g0[k] * m.q0[k] + g1[k] * m.l[k];
    out[7 + 2 * k] = g1[k] * m.q1[k];
    out[16 + 3 * k] = ga[k] - h0[k] * m.q0[k] + m.q0[k] * m.q0[k];
    out[17 + 3 * k] = ga[k] - h1[k] * m.q1[k] + m.q1[k] * m.q1[k];
    out[18 + 3 * k] = -hl[k] + m.l[k];
  }
  out[0] = total - n * (std::log(sum) + largest) + prior;
}

/// Lorenz' system by 200 steps of Runge and Kutta, forwards with stored states, backwards by their adjoints.
constexpr size_t rk_steps = 200;
constexpr double rk_step = 0.005;
using state = std::array<double, 3>;
state slope(const state& y, const double* p) {
  return {p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]};
}
void pull_slope(const state& y, const double* p, const state& k, state& by_y, double* by_p) {
  by_y[0] += -p[0] * k[0] + (p[1] - y[2]) * k[1] + y[1] * k[2];
  by_y[1] += p[0] * k[0] - k[1] + y[0] * k[2];
  by_y[2] += -y[0] * k[1] - p[2] * k[2];
  by_p[0] += (y[1] - y[0]) * k[0];
  by_p[1] += y[0] * k[1];
  by_p[2] -= y[2] * k[2];
}
state moved(const state& y, double h, const state& k) { return {y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]}; }
// Without it g++ packs two of the three numbers of a state, and reading one of them waits.
[[gnu::optimize("no-tree-slp-vectorize")]] void runge_kutta(const problem&, const double* x, double* out) {
  static state stored[rk_steps];
  const double* p = x;
  state y{x[3], x[4], x[5]};
  for (size_t n = 0; n < rk_steps; ++n) {
    stored[n] = y;
    const state k1 = slope(y, p), k2 = slope(moved(y, rk_step / 2, k1), p), k3 = slope(moved(y, rk_step / 2, k2), p),
                k4 = slope(moved(y, rk_step, k3), p);
    for (size_t i = 0; i < 3; ++i) y[i] += rk_step / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
  }
  out[0] = y[0] * y[0] + y[1] + y[2];
  state a{2 * y[0], 1, 1};
  double by_p[3] = {};
  for (size_t n = rk_steps; n-- > 0;) {
    const state& y1 = stored[n];
    const state k1 = slope(y1, p), y2 = moved(y1, rk_step / 2, k1), k2 = slope(y2, p), y3 = moved(y1, rk_step / 2, k2),
                k3 = slope(y3, p), y4 = moved(y1, rk_step, k3);
    state total = a, at4{}, at3{}, at2{};
    state b{rk_step / 6 * a[0], rk_step / 6 * a[1], rk_step / 6 * a[2]};
    pull_slope(y4, p, b, at4, by_p);
    const state b3 = moved({2 * b[0], 2 * b[1], 2 * b[2]}, rk_step, at4);
    pull_slope(y3, p, b3, at3, by_p);
    const state b2 = moved({2 * b[0], 2 * b[1], 2 * b[2]}, rk_step / 2, at3);
    pull_slope(y2, p, b2, at2, by_p);
    const state b1 = moved(b, rk_step / 2, at2);
    for (size_t i = 0; i < 3; ++i) total[i] += at4[i] + at3[i] + at2[i];
    pull_slope(y1, p, b1, total, by_p);
    a = total;
  }
  std::copy_n(by_p, 3, out + 1);
  std::copy_n(a.begin(), 3, out + 4);
}

/// A call in Heston's model, by the log-Euler scheme with full truncation and its adjoint, path after path.
void heston_call(const problem& p, const double* m, double* out) {
  constexpr size_t times = 50;
  constexpr double dt = 0.02, rate = 0.02, strike = 100;
  const double root = std::sqrt(dt), discount = std::exp(-rate) / static_cast<double>(p.size);
  const double correlation = m[5], other = std::sqrt(1 - correlation * correlation), log_spot = std::log(m[0]);
  std::fill_n(out, 7, 0.0);
  for (size_t path = 0; path < p.size; ++path) {
    const double *a = p.data.data() + path, *b = a + times * p.size;
    double v[times], s[times], x = log_spot, variance = m[1];
    for (size_t t = 0; t < times; ++t) {
      v[t] = std::max(variance, 0.0);
      s[t] = std::sqrt(v[t]) * root;
      x += (rate - 0.5 * v[t]) * dt + s[t] * a[t * p.size];
      variance += m[2] * (m[3] - v[t]) * dt + m[4] * s[t] * (correlation * a[t * p.size] + other * b[t * p.size]);
    }
    const double spot = std::exp(x);
    if (spot <= strike) continue;
    const double by_x = discount * spot;
    double by_v = 0;
    for (size_t t = times; t-- > 0;) {
      const double za = a[t * p.size], zb = b[t * p.size], z = correlation * za + other * zb;
      out[3] += by_v * (m[3] - v[t]) * dt;
      out[4] += by_v * m[2] * dt;
      out[5] += by_v * s[t] * z;
      out[6] += by_v * m[4] * s[t] * (za - correlation / other * zb);
      if (v[t] > 0) by_v += (by_x * za + by_v * m[4] * z) * (0.5 * dt / s[t]) - by_x * (0.5 * dt) - by_v * (m[2] * dt);
    }
    out[0] += discount * (spot - strike);
    out[1] += by_x / m[0];
    out[2] += by_v;
  }
}

/// A perceptron, 16 features, 16 hidden units, 10 classes, row after row: the weights stay in the first cache.
void perceptron(const problem& p, const double* __restrict x, double* __restrict out) {
  const double *w1 = x, *b1 = x + 256, *w2 = b1 + 16, *b2 = w2 + 160;
  double *g1 = out + 1, *c1 = g1 + 256, *g2 = c1 + 16, *c2 = g2 + 160, loss = 0;
  std::fill_n(g1, p.inputs, 0.0);
  const double scale = 1 / static_cast<double>(p.size);
  for (size_t i = 0; i < p.size; ++i) {
    const double* row = p.data.data() + 16 * i;
    double h[16], z[10], d[16];
    std::copy_n(b1, 16, h);
    for (int k = 0; k < 16; ++k)
      for (int j = 0; j < 16; ++j) h[j] += row[k] * w1[16 * k + j];
    for (double& e : h) e = std::tanh(e);
    std::copy_n(b2, 10, z);
    for (int j = 0; j < 16; ++j)
      for (int c = 0; c < 10; ++c) z[c] += h[j] * w2[10 * j + c];
    const double largest = *std::max_element(z, z + 10);
    const auto label = static_cast<size_t>(p.labels[i]);
    const double chosen = z[label] - largest;
    double sum = 0;
    for (double& e : z) sum += e = std::exp(e - largest);
    loss += std::log(sum) - chosen;
    for (double& e : z) e *= scale / sum;
    z[label] -= scale;
    for (int c = 0; c < 10; ++c) c2[c] += z[c];
    for (int j = 0; j < 16; ++j) {
      double a = 0;
      for (int c = 0; c < 10; ++c) {
        a += w2[10 * j + c] * z[c];
        g2[10 * j + c] += h[j] * z[c];
      }
      d[j] = a * (1 - h[j] * h[j]);
      c1[j] += d[j];
    }
    for (int k = 0; k < 16; ++k)
      for (int j = 0; j < 16; ++j) g1[16 * k + j] += row[k] * d[j];
  }
  out[0] = loss * scale;
}

/// The squared errors of temporal differences, with their derivatives by the targets' weights too or, with `stops`,
/// without. tanh is computed for all units of a block of transitions, so that the compiler vectorises.
template <bool stops>
void temporal_differences(const problem& p, const double* __restrict w, double* __restrict out) {
  constexpr size_t block = 32;
  double gradient[20] = {}, loss = 0;
  const double* const of_targets = stops && p.stopped_at ? p.stopped_at : w;
  for (size_t begin = 0; begin < p.size; begin += block) {
    const size_t count = std::min(block, p.size - begin);
    double h[4][block], n[4][block], e[block];
    const double* const states = p.data.data() + 3 * begin;
    const double* const nexts = states + 3 * p.size;
    const auto units = [&](const double* v, const double* from, double(&to)[4][block], size_t j) {
#pragma omp simd
      for (size_t i = 0; i < count; ++i)
        to[j][i] = std::tanh(v[12 + j] + v[3 * j] * from[3 * i] + v[3 * j + 1] * from[3 * i + 1] +
                             v[3 * j + 2] * from[3 * i + 2]);
    };
    for (size_t j = 0; j < 4; ++j) units(w, states, h, j), units(of_targets, nexts, n, j);
#pragma omp simd reduction(+ : loss)
    for (size_t i = 0; i < count; ++i) {
      double target = 0, value = 0;
      for (size_t j = 0; j < 4; ++j) value += w[16 + j] * h[j][i], target += of_targets[16 + j] * n[j][i];
      e[i] = value - (p.labels[begin + i] + 0.9 * target);
      loss += e[i] * e[i];
    }
    const auto add_derivatives = [&](double factor, const double* from, const double(&unit)[4][block], size_t j) {
      double c = 0, b = 0, w0 = 0, w1 = 0, w2 = 0;
#pragma omp simd reduction(+ : c, b, w0, w1, w2)
      for (size_t i = 0; i < count; ++i) {
        const double d = 2 * factor * e[i], slope = d * w[16 + j] * (1 - unit[j][i] * unit[j][i]);
        c += d * unit[j][i];
        b += slope;
        w0 += slope * from[3 * i];
        w1 += slope * from[3 * i + 1];
        w2 += slope * from[3 * i + 2];
      }
      gradient[16 + j] += c;
      gradient[12 + j] += b;
      gradient[3 * j] += w0;
      gradient[3 * j + 1] += w1;
      gradient[3 * j + 2] += w2;
    };
    for (size_t j = 0; j < 4; ++j) {
      add_derivatives(1, states, h, j);
      if constexpr (!stops) add_derivatives(-0.9, nexts, n, j);
    }
  }
  out[0] = loss;
  std::copy_n(gradient, 20, out + 1);
}

const add s1("S1", "hand", sum_exp_product), s2("S2", "hand", black_scholes), s3("S3", "hand", reprojection),
    s4("S4", "hand", rosenbrock), s5("S5", "hand", pose_composition), v1("V1", "hand", logistic),
    v2("V2", "hand", normal_density), v3("V3", "hand", cross_entropy), v4("V4", "hand", tanh_exp),
    v5("V5", "hand", gaussian_mixture), bs("BS", "hand", black_scholes_batch), rk("RK", "hand", runge_kutta),
    nn("NN", "hand", perceptron), he("HE", "hand", heston_call), td("TD", "hand", temporal_differences<false>),
    ts("TS", "hand", temporal_differences<true>);

}  // namespace
}  // namespace peers
