// The array problems by hand with SIMD lanes and several sums: what an expert writes when speed matters.
#include "../heston.hpp"
#include "problem.hpp"

#include <xsimd/xsimd.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peers {
namespace {

using std::size_t;
using lanes = xsimd::batch<double>;
constexpr size_t W = lanes::size;

/// W numbers that are a stride apart.
template <size_t Stride>
lanes strided(const double* from) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    return lanes{+from[Stride * i]...};
  }(std::make_index_sequence<W>{});
}
double sum_of(const lanes& x) {
#if XSIMD_VERSION_MAJOR >= 9
  return xsimd::reduce_add(x);
#else
  return xsimd::hadd(x);
#endif
}
double largest_of(const lanes& x) {
  double numbers[W];
  x.store_unaligned(numbers);
  return *std::max_element(numbers, numbers + W);
}

void logistic(const problem& p, const double* __restrict w, double* __restrict out) {
  const double* __restrict X = p.data.data(), * __restrict y = p.labels.data();
  lanes weights[10], gradients[10], losses(0.0);
  for (size_t j = 0; j < 10; ++j) {
    weights[j] = lanes(w[j]);
    gradients[j] = lanes(0.0);
  }
  size_t i = 0;
  for (; i + W <= p.size; i += W) {
    lanes x[10];
    for (size_t j = 0; j < 10; ++j) x[j] = strided<10>(X + 10 * i + j);
    lanes even = x[0] * weights[0], odd = x[1] * weights[1];
    for (size_t j = 2; j < 10; j += 2) {
      even = xsimd::fma(x[j], weights[j], even);
      odd = xsimd::fma(x[j + 1], weights[j + 1], odd);
    }
    const lanes minus = -lanes::load_unaligned(y + i), e = xsimd::exp(minus * (even + odd)), d = 1.0 + e;
    losses += xsimd::log(d);
    const lanes c = minus * e / d;
    for (size_t j = 0; j < 10; ++j) gradients[j] = xsimd::fma(c, x[j], gradients[j]);
  }
  double loss = sum_of(losses);
  for (size_t j = 0; j < 10; ++j) out[1 + j] = sum_of(gradients[j]);
  for (; i < p.size; ++i) {
    double margin = 0;
    for (size_t j = 0; j < 10; ++j) margin += X[10 * i + j] * w[j];
    const double e = std::exp(-y[i] * margin), d = 1 + e, c = -y[i] * e / d;
    loss += std::log(d);
    for (size_t j = 0; j < 10; ++j) out[1 + j] += c * X[10 * i + j];
  }
  out[0] = loss;
}

void normal_density(const problem& p, const double* __restrict x, double* __restrict out) {
  const double mu = x[0], inverse = 1 / x[1], inverse2 = inverse * inverse, count = static_cast<double>(p.size);
  const double* data = x + 2;
  double* g = out + 3;
  lanes squares[4], sums[4];
  for (int k = 0; k < 4; ++k) squares[k] = sums[k] = lanes(0.0);
  const lanes centre(mu), factor(-inverse2);
  size_t i = 0;
  const auto part = [&](size_t at, int k) {
    const lanes u = lanes::load_unaligned(data + at) - centre;
    sums[k] += u;
    squares[k] = xsimd::fma(u, u, squares[k]);
    (u * factor).store_unaligned(g + at);
  };
  for (; i + 4 * W <= p.size; i += 4 * W)
    for (int k = 0; k < 4; ++k) part(i + static_cast<size_t>(k) * W, k);
  for (; i + W <= p.size; i += W) part(i, 0);
  double square = sum_of(squares[0] + squares[1] + squares[2] + squares[3]);
  double sum = sum_of(sums[0] + sums[1] + sums[2] + sums[3]);
  for (; i < p.size; ++i) {
    const double u = data[i] - mu;
    sum += u;
    square += u * u;
    g[i] = -u * inverse2;
  }
  out[0] = -0.5 * square * inverse2 - count * (std::log(x[1]) + 0.91893853320467274178);
  out[1] = sum * inverse2;
  out[2] = square * inverse2 * inverse - count * inverse;
}

void cross_entropy(const problem& p, const double* __restrict x, double* __restrict out) {
  const size_t n = p.size, paired = n / (2 * W) * (2 * W);
  double* g = out + 1;
  lanes most0(x[0]), most1(x[0]), sum0(0.0), sum1(0.0);
  for (size_t i = 0; i < paired; i += 2 * W) {
    most0 = xsimd::max(most0, lanes::load_unaligned(x + i));
    most1 = xsimd::max(most1, lanes::load_unaligned(x + i + W));
  }
  double largest = largest_of(xsimd::max(most0, most1));
  for (size_t i = paired; i < n; ++i) largest = std::max(largest, x[i]);
  for (size_t i = 0; i < paired; i += 2 * W) {
    const lanes e0 = xsimd::exp(lanes::load_unaligned(x + i) - lanes(largest));
    const lanes e1 = xsimd::exp(lanes::load_unaligned(x + i + W) - lanes(largest));
    e0.store_unaligned(g + i);
    e1.store_unaligned(g + i + W);
    sum0 += e0;
    sum1 += e1;
  }
  double sum = sum_of(sum0 + sum1);
  for (size_t i = paired; i < n; ++i) sum += g[i] = std::exp(x[i] - largest);
  const double inverse = 1 / sum;
  for (size_t i = 0; i < paired; i += W) (lanes::load_unaligned(g + i) * lanes(inverse)).store_unaligned(g + i);
  for (size_t i = paired; i < n; ++i) g[i] *= inverse;
  g[p.label] -= 1;
  out[0] = std::log(sum) - (x[p.label] - largest);
}

void tanh_exp(const problem& p, const double* __restrict x, double* __restrict out) {
  const size_t n = p.size;
  const double *a = x, *b = x + n, *c = x + 2 * n;
  double *ga = out + 1, *gb = ga + n, *gc = gb + n;
  lanes sums(0.0);
  size_t i = 0;
  for (; i + W <= n; i += W) {
    const lanes A = lanes::load_unaligned(a + i), B = lanes::load_unaligned(b + i), C = lanes::load_unaligned(c + i);
    const lanes u = xsimd::tanh(xsimd::fma(A, B, C)), e = xsimd::exp(-(B * B)), f = u * e, d = e * (1.0 - u * u);
    sums += f;
    (d * B).store_unaligned(ga + i);
    (d * A - 2.0 * B * f).store_unaligned(gb + i);
    d.store_unaligned(gc + i);
  }
  double sum = sum_of(sums);
  for (; i < n; ++i) {
    const double u = std::tanh(a[i] * b[i] + c[i]), e = std::exp(-b[i] * b[i]), f = u * e, d = e * (1 - u * u);
    sum += f;
    ga[i] = d * b[i];
    gb[i] = d * a[i] - 2 * b[i] * f;
    gc[i] = d;
  }
  out[0] = sum;
}

/// The mixture of hand.cpp, a lane a point; points beyond the last full lanes weigh nothing.
constexpr size_t K = 5;
void gaussian_mixture(const problem& p, const double* __restrict x, double* __restrict out) {
  double q0[K], q1[K], weight[K];
  for (size_t k = 0; k < K; ++k) {
    q0[k] = std::exp(x[15 + 3 * k]);
    q1[k] = std::exp(x[16 + 3 * k]);
    weight[k] = x[k] + x[15 + 3 * k] + x[16 + 3 * k];
  }
  lanes ga[K], g0[K], g1[K], h0[K], h1[K], hl[K], totals(0.0);
  for (size_t k = 0; k < K; ++k) ga[k] = g0[k] = g1[k] = h0[k] = h1[k] = hl[k] = lanes(0.0);
  const auto add_points = [&](const double* points, const lanes& counts) {
    const lanes a = strided<2>(points), b = strided<2>(points + 1);
    lanes t[K], largest;
    const auto scaled = [&](size_t k, lanes& c0, lanes& c1, lanes& y0, lanes& y1) {
      c0 = a - lanes(x[5 + 2 * k]);
      c1 = b - lanes(x[6 + 2 * k]);
      y0 = lanes(q0[k]) * c0;
      y1 = xsimd::fma(lanes(q1[k]), c1, lanes(x[17 + 3 * k]) * c0);
    };
    lanes c0, c1, y0, y1;
    for (size_t k = 0; k < K; ++k) {
      scaled(k, c0, c1, y0, y1);
      t[k] = lanes(weight[k]) - 0.5 * xsimd::fma(y0, y0, y1 * y1);
      largest = k ? xsimd::max(largest, t[k]) : t[k];
    }
    lanes sum(0.0);
    for (lanes& e : t) sum += e = xsimd::exp(e - largest);
    totals += (xsimd::log(sum) + largest) * counts;
    const lanes inverse = counts / sum;
    for (size_t k = 0; k < K; ++k) {
      scaled(k, c0, c1, y0, y1);
      const lanes r = t[k] * inverse, r0 = r * y0, r1 = r * y1;
      ga[k] += r;
      g0[k] += r0;
      g1[k] += r1;
      h0[k] = xsimd::fma(r0, c0, h0[k]);
      h1[k] = xsimd::fma(r1, c1, h1[k]);
      hl[k] = xsimd::fma(r1, c0, hl[k]);
    }
  };
  size_t i = 0;
  for (; i + W <= p.size; i += W) add_points(p.data.data() + 2 * i, lanes(1.0));
  if (i < p.size) {
    double rest[2 * W] = {}, counts[W] = {};
    std::copy(p.data.begin() + static_cast<std::ptrdiff_t>(2 * i), p.data.end(), rest);
    std::fill_n(counts, p.size - i, 1.0);
    add_points(rest, lanes::load_unaligned(counts));
  }
  const double n = static_cast<double>(p.size), most = *std::max_element(x, x + K);
  double sum = 0, e[K], prior = 0;
  for (size_t k = 0; k < K; ++k) sum += e[k] = std::exp(x[k] - most);
  for (size_t k = 0; k < K; ++k) {
    const double l = x[17 + 3 * k], a = sum_of(ga[k]);
    prior += 0.5 * (q0[k] * q0[k] + q1[k] * q1[k] + l * l);
    out[1 + k] = a - n * e[k] / sum;
    out[6 + 2 * k] = sum_of(g0[k]) * q0[k] + sum_of(g1[k]) * l;
    out[7 + 2 * k] = sum_of(g1[k]) * q1[k];
    out[16 + 3 * k] = a - sum_of(h0[k]) * q0[k] + q0[k] * q0[k];
    out[17 + 3 * k] = a - sum_of(h1[k]) * q1[k] + q1[k] * q1[k];
    out[18 + 3 * k] = -sum_of(hl[k]) + l;
  }
  out[0] = sum_of(totals) - n * (std::log(sum) + most) + prior;
}

void heston_call(const problem& p, const double* x, double* out) {
  heston::model m;
  std::copy_n(x, 6, m.begin());
  const auto means = heston::by_hand(m, p.size, p.data.data(), p.data.data() + heston::times * p.size);
  std::copy_n(means.begin(), 7, out);
}

const add v1("V1", "hand SIMD", logistic), v2("V2", "hand SIMD", normal_density), v3("V3", "hand SIMD", cross_entropy),
    v4("V4", "hand SIMD", tanh_exp), v5("V5", "hand SIMD", gaussian_mixture), he("HE", "hand SIMD", heston_call);

}  // namespace
}  // namespace peers
