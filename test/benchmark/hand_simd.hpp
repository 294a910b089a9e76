#ifndef TAPELESS_TEST_BENCHMARK_HAND_SIMD_HPP
#define TAPELESS_TEST_BENCHMARK_HAND_SIMD_HPP

#include <xsimd/xsimd.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

/// The losses of the benchmark as one writes them by hand with xsimd: value and gradients in one pass where that is
/// possible, four accumulators in the sums, scalar tails; and the scalar loop that batches of a formula are next to.
namespace by_hand {

using lanes = xsimd::batch<double>;
inline constexpr std::size_t W = lanes::size;

inline lanes load(const double* p) { return lanes::load_unaligned(p); }

/// mean(softplus(z) - t z), z = X w: X is n x d; gradient in w. Returns the loss.
[[gnu::noinline]] inline double logistic(const double* X, const double* t, const double* w, double* gw, std::size_t n,
                                         std::size_t d, std::vector<double>& scratch) {
  constexpr std::size_t rows = 64;
  scratch.resize(rows);
  double* const z = scratch.data();
  for (std::size_t j = 0; j < d; ++j) gw[j] = 0;
  double loss = 0;
  const double scale = 1.0 / static_cast<double>(n);
  for (std::size_t begin = 0; begin < n; begin += rows) {
    const std::size_t count = begin + rows < n ? rows : n - begin;
    for (std::size_t i = 0; i < count; ++i) {
      const double* x = X + (begin + i) * d;
      lanes sum(0.0);
      std::size_t j = 0;
      for (; j + W <= d; j += W) sum = xsimd::fma(load(x + j), load(w + j), sum);
      double dot = xsimd::hadd(sum);
      for (; j < d; ++j) dot += x[j] * w[j];
      z[i] = dot;
    }
    std::size_t i = 0;
    lanes losses(0.0);
    for (; i + W <= count; i += W) {
      const lanes zi = load(z + i), ti = load(t + begin + i);
      const lanes e = xsimd::exp(-xsimd::abs(zi));
      losses += xsimd::max(zi, lanes(0.0)) + xsimd::log1p(e) - ti * zi;
      const lanes p = xsimd::select(zi < lanes(0.0), e, lanes(1.0)) / (lanes(1.0) + e);
      ((p - ti) * lanes(scale)).store_unaligned(z + i);
    }
    loss += xsimd::hadd(losses);
    for (; i < count; ++i) {
      const double e = std::exp(-std::abs(z[i]));
      loss += (z[i] > 0 ? z[i] : 0) + std::log1p(e) - t[begin + i] * z[i];
      z[i] = ((z[i] < 0 ? e : 1.0) / (1.0 + e) - t[begin + i]) * scale;
    }
    std::size_t j = 0;
    for (; j + W <= d; j += W) {
      lanes sum = load(gw + j);
      for (i = 0; i < count; ++i) sum = xsimd::fma(load(X + (begin + i) * d + j), lanes(z[i]), sum);
      sum.store_unaligned(gw + j);
    }
    for (i = 0; i < count; ++i)
      for (std::size_t k = j; k < d; ++k) gw[k] += X[(begin + i) * d + k] * z[i];
  }
  return loss * scale;
}

/// sum of the log densities of x under N(mu, sigma); gradients in mu, sigma and x.
[[gnu::noinline]] inline double normal(const double* x, double mu, double sigma, double& gmu, double& gsigma,
                                       double* gx, std::size_t n) {
  const double r = 1.0 / sigma;
  lanes sum0(0.0), sum1(0.0), squares0(0.0), squares1(0.0);
  std::size_t i = 0;
  const lanes m(mu), rl(r);
  for (; i + 2 * W <= n; i += 2 * W) {
    const lanes z0 = (load(x + i) - m) * rl, z1 = (load(x + i + W) - m) * rl;
    (-(z0 * rl)).store_unaligned(gx + i);
    (-(z1 * rl)).store_unaligned(gx + i + W);
    sum0 += z0, sum1 += z1;
    squares0 = xsimd::fma(z0, z0, squares0), squares1 = xsimd::fma(z1, z1, squares1);
  }
  double sum = xsimd::hadd(sum0 + sum1), squares = xsimd::hadd(squares0 + squares1);
  for (; i < n; ++i) {
    const double z = (x[i] - mu) * r;
    gx[i] = -z * r;
    sum += z, squares += z * z;
  }
  const double count = static_cast<double>(n);
  gmu = sum * r;
  gsigma = squares * r - count * r;
  return -0.5 * squares - count * (std::log(sigma) + 0.91893853320467274178);
}

/// Softmax cross-entropy of one row: -sum(t (x - m - log(sum(exp(x - m))))), gradient in x.
[[gnu::noinline]] inline double cross_entropy(const double* x, const double* t, double* g, std::size_t n) {
  lanes largest0(-std::numeric_limits<double>::infinity()), largest1 = largest0;
  std::size_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W)
    largest0 = xsimd::max(largest0, load(x + i)), largest1 = xsimd::max(largest1, load(x + i + W));
  double row[W];
  xsimd::max(largest0, largest1).store_unaligned(row);
  double m = row[0];
  for (const double r : row) m = r > m ? r : m;
  for (; i < n; ++i) m = x[i] > m ? x[i] : m;

  lanes sum0(0.0), dot0(0.0), total0(0.0);
  const lanes ml(m);
  for (i = 0; i + W <= n; i += W) {
    const lanes shifted = load(x + i) - ml, ti = load(t + i), e = xsimd::exp(shifted);
    e.store_unaligned(g + i);
    sum0 += e;
    dot0 = xsimd::fma(ti, shifted, dot0);
    total0 += ti;
  }
  double sum = xsimd::hadd(sum0), dot = xsimd::hadd(dot0), total = xsimd::hadd(total0);
  for (; i < n; ++i) {
    const double shifted = x[i] - m;
    g[i] = std::exp(shifted);
    sum += g[i], dot += t[i] * shifted, total += t[i];
  }
  const double scale = total / sum;
  for (i = 0; i + W <= n; i += W) (load(g + i) * lanes(scale) - load(t + i)).store_unaligned(g + i);
  for (; i < n; ++i) g[i] = g[i] * scale - t[i];
  return total * std::log(sum) - dot;
}

/// sum(tanh(a b + c) exp(-b b)); gradients in a, b and c.
[[gnu::noinline]] inline double tanh_exp(const double* a, const double* b, const double* c, double* ga, double* gb,
                                         double* gc, std::size_t n) {
  lanes sum0(0.0);
  std::size_t i = 0;
  for (; i + W <= n; i += W) {
    const lanes ai = load(a + i), bi = load(b + i);
    const lanes h = xsimd::tanh(xsimd::fma(ai, bi, load(c + i))), e = xsimd::exp(-(bi * bi)), f = h * e;
    sum0 += f;
    const lanes d = e - f * h;
    d.store_unaligned(gc + i);
    (d * bi).store_unaligned(ga + i);
    (d * ai - lanes(2.0) * bi * f).store_unaligned(gb + i);
  }
  double sum = xsimd::hadd(sum0);
  for (; i < n; ++i) {
    const double h = std::tanh(a[i] * b[i] + c[i]), e = std::exp(-b[i] * b[i]), f = h * e, d = e - f * h;
    sum += f;
    gc[i] = d, ga[i] = d * b[i], gb[i] = d * a[i] - 2 * b[i] * f;
  }
  return sum;
}

/// A component of a mixture of Gaussians in the plane: the logarithm of its weight before all are normalised, its mean,
/// and the triangular factor of its precision: u = p (x - m), v = q (x - m) + r (y - n).
struct component {
  double logit, m, n, p, q, r;
};

/// sum over the points of log(sum over k of weight k times density k), up to a constant; or what the M-step of EM
/// maximises: the sum over points and components of responsibility times log(weight k times density k). Both have the
/// same gradients, in all parameters, where the responsibilities are stopped.
enum class objective { likelihood, expected_likelihood };
template <std::size_t K, objective Objective>
[[gnu::noinline]] double mixture(const double* x, const double* y, const component* theta, component* g,
                                 std::size_t points) {
  double highest = theta[0].logit, total = 0;
  for (std::size_t k = 1; k < K; ++k) highest = theta[k].logit > highest ? theta[k].logit : highest;
  for (std::size_t k = 0; k < K; ++k) total += std::exp(theta[k].logit - highest);
  double constant[K];
  for (std::size_t k = 0; k < K; ++k)
    constant[k] = theta[k].logit - highest - std::log(total) + std::log(theta[k].p * theta[k].r);

  lanes losses(0.0), sums[K][6];
  for (std::size_t k = 0; k < K; ++k)
    for (lanes& sum : sums[k]) sum = lanes(0.0);
  const auto visit = [&](const lanes& xi, const lanes& yi, const auto& only) {
    lanes dx[K], dy[K], u[K], v[K], l[K], e[K];
    lanes largest(-std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < K; ++k) {
      const component& c = theta[k];
      dx[k] = xi - lanes(c.m), dy[k] = yi - lanes(c.n);
      u[k] = dx[k] * lanes(c.p), v[k] = xsimd::fma(dy[k], lanes(c.r), dx[k] * lanes(c.q));
      l[k] = xsimd::fma(lanes(-0.5), xsimd::fma(u[k], u[k], v[k] * v[k]), lanes(constant[k]));
      largest = xsimd::max(largest, l[k]);
    }
    lanes sum(0.0);
    for (std::size_t k = 0; k < K; ++k) e[k] = xsimd::exp(l[k] - largest), sum += e[k];
    if (Objective == objective::likelihood) losses += only(largest + xsimd::log(sum));
    const lanes inverse = only(lanes(1.0) / sum);
    for (std::size_t k = 0; k < K; ++k) {
      const lanes share = e[k] * inverse, gu = share * u[k], gv = share * v[k];
      if (Objective == objective::expected_likelihood) losses = xsimd::fma(share, l[k], losses);
      sums[k][0] += share, sums[k][1] += gu, sums[k][2] += gv;
      sums[k][3] = xsimd::fma(gu, dx[k], sums[k][3]);
      sums[k][4] = xsimd::fma(gv, dx[k], sums[k][4]);
      sums[k][5] = xsimd::fma(gv, dy[k], sums[k][5]);
    }
  };
  std::size_t i = 0;
  for (; i + W <= points; i += W) visit(load(x + i), load(y + i), [](const lanes& all) { return all; });
  if (i < points) {
    double xs[W] = {}, ys[W] = {}, on[W] = {};
    for (std::size_t j = 0; i + j < points; ++j) xs[j] = x[i + j], ys[j] = y[i + j], on[j] = 1;
    visit(load(xs), load(ys), [&](const lanes& all) { return all * load(on); });
  }
  for (std::size_t k = 0; k < K; ++k) {
    const component& c = theta[k];
    double s[6];
    for (std::size_t j = 0; j < 6; ++j) s[j] = xsimd::hadd(sums[k][j]);
    g[k].logit = s[0] - static_cast<double>(points) * std::exp(c.logit - highest) / total;
    g[k].m = s[1] * c.p + s[2] * c.q;
    g[k].n = s[2] * c.r;
    g[k].p = s[0] / c.p - s[3];
    g[k].q = -s[4];
    g[k].r = s[0] / c.r - s[5];
  }
  return xsimd::hadd(losses);
}

/// A European call and its derivatives by spot price, strike, time, rate and volatility.
struct greeks {
  double price, delta, strike, theta, rho, vega;
};

/// Black and Scholes, option by option: the scalar loop, which shares everything that the closed forms share.
[[gnu::noinline]] inline void black_scholes(const double* spot, const double* strike, const double* time,
                                            const double* rate, const double* volatility, greeks* g, std::size_t n) {
  constexpr double sqrt_half = 0.70710678118654752440, inverse_sqrt_two_pi = 0.39894228040143267794;
  for (std::size_t i = 0; i < n; ++i) {
    const double root = std::sqrt(time[i]), deviation = volatility[i] * root;
    const double d1 =
        (std::log(spot[i] / strike[i]) + (rate[i] + 0.5 * volatility[i] * volatility[i]) * time[i]) / deviation;
    const double d2 = d1 - deviation;
    const double n1 = 0.5 * std::erfc(-sqrt_half * d1), n2 = 0.5 * std::erfc(-sqrt_half * d2);
    const double discount = std::exp(-rate[i] * time[i]), paid = strike[i] * discount * n2;
    const double vega = spot[i] * root * inverse_sqrt_two_pi * std::exp(-0.5 * d1 * d1);
    g[i] = {spot[i] * n1 - paid, n1,  -discount * n2, 0.5 * vega * volatility[i] / time[i] + rate[i] * paid,
            time[i] * paid,      vega};
  }
}

}  // namespace by_hand

#endif
