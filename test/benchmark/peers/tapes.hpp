#ifndef TAPELESS_TEST_BENCHMARK_PEERS_TAPES_HPP
#define TAPELESS_TEST_BENCHMARK_PEERS_TAPES_HPP
#include "formulas.hpp"
#include "problem.hpp"

#include <algorithm>

/// The problems over arrays, for any number type: loops over numbers. `plain(x)` is the double in a number, for what
/// needs no derivative: the largest of some.
namespace peers {

/// Their second argument is the problem.
struct over_arrays {};

/// The double in a number of whatever library.
template <class T>
double plain(const T& x) {
  if constexpr (requires { x.val(); })
    return x.val();
  else if constexpr (requires { x.value(); })
    return x.value();
  else if constexpr (requires { x.a; })
    return x.a;
  else
    return double(x);
}

template <class T>
T log_sum_exp(const T* x, std::size_t count) {
  using std::exp, std::log;
  double largest = plain(x[0]);
  for (std::size_t i = 1; i < count; ++i) largest = std::max(largest, plain(x[i]));
  T sum = exp(x[0] - largest);
  for (std::size_t i = 1; i < count; ++i) sum += exp(x[i] - largest);
  return T(log(sum) + largest);
}

struct logistic : over_arrays {
  template <class Vector>
  auto operator()(const Vector& w, const problem& p) const {
    using std::exp, std::log;
    using T = number_of<Vector>;
    T loss(0.0);
    for (std::size_t i = 0; i < p.size; ++i) {
      T margin = p.data[10 * i] * w[0];
      for (std::size_t j = 1; j < 10; ++j) margin += p.data[10 * i + j] * w[j];
      loss += log(1.0 + exp(-p.labels[i] * margin));
    }
    return loss;
  }
};

struct normal_density : over_arrays {
  template <class Vector>
  auto operator()(const Vector& x, const problem& p) const {
    using std::log;
    using T = number_of<Vector>;
    T density(0.0);
    for (std::size_t i = 0; i < p.size; ++i) {
      const T u = (x[2 + i] - x[0]) / x[1];
      density += -0.5 * u * u - log(x[1]) - 0.91893853320467274178;
    }
    return density;
  }
};

struct cross_entropy : over_arrays {
  template <class Vector>
  auto operator()(const Vector& x, const problem& p) const {
    using T = number_of<Vector>;
    return T(log_sum_exp(&x[0], p.size) - x[p.label]);
  }
};

struct tanh_exp : over_arrays {
  template <class Vector>
  auto operator()(const Vector& x, const problem& p) const {
    using std::exp, std::tanh;
    using T = number_of<Vector>;
    const std::size_t n = p.size;
    T sum(0.0);
    for (std::size_t i = 0; i < n; ++i) sum += tanh(x[i] * x[n + i] + x[2 * n + i]) * exp(-x[n + i] * x[n + i]);
    return sum;
  }
};

struct gaussian_mixture : over_arrays {
  template <class Vector>
  auto operator()(const Vector& x, const problem& p) const {
    using std::exp;
    using T = number_of<Vector>;
    T q0[5], q1[5], weight[5], prior(0.0), total(0.0);
    for (std::size_t k = 0; k < 5; ++k) {
      q0[k] = exp(x[15 + 3 * k]);
      q1[k] = exp(x[16 + 3 * k]);
      weight[k] = x[k] + x[15 + 3 * k] + x[16 + 3 * k];
      prior += 0.5 * (q0[k] * q0[k] + q1[k] * q1[k] + x[17 + 3 * k] * x[17 + 3 * k]);
    }
    for (std::size_t i = 0; i < p.size; ++i) {
      T terms[5];
      for (std::size_t k = 0; k < 5; ++k) {
        const T c0 = p.data[2 * i] - x[5 + 2 * k], c1 = p.data[2 * i + 1] - x[6 + 2 * k];
        const T y0 = q0[k] * c0, y1 = q1[k] * c1 + x[17 + 3 * k] * c0;
        terms[k] = weight[k] - 0.5 * (y0 * y0 + y1 * y1);
      }
      total += log_sum_exp(terms, 5);
    }
    return T(total - static_cast<double>(p.size) * log_sum_exp(&x[0], 5) + prior);
  }
};

/// The squared errors of temporal differences of a network of four units, over transitions from a state to the next.
/// With `stops` the targets are constants; they are computed in double, which is how such a library stops a derivative.
template <bool stops>
struct temporal_differences : over_arrays {
  template <class T, class Vector>
  static T network(const Vector& w, const double* state) {
    using std::tanh;
    T sum(0.0);
    for (std::size_t j = 0; j < 4; ++j) {
      T a = w[12 + j];
      for (std::size_t k = 0; k < 3; ++k) a += state[k] * w[3 * j + k];
      sum += w[16 + j] * tanh(a);
    }
    return sum;
  }
  template <class Vector>
  auto operator()(const Vector& w, const problem& p) const {
    using T = number_of<Vector>;
    using target_number = std::conditional_t<stops, double, T>;
    std::array<target_number, 20> of_targets;
    for (std::size_t i = 0; i < 20; ++i) {
      if constexpr (stops)
        of_targets[i] = plain(w[i]);
      else
        of_targets[i] = w[i];
    }
    T loss(0.0);
    for (std::size_t i = 0; i < p.size; ++i) {
      const target_number target = p.labels[i] + 0.9 * network<target_number>(of_targets, &p.data[3 * (p.size + i)]);
      const T e = network<T>(w, &p.data[3 * i]) - target;
      loss += e * e;
    }
    return loss;
  }
};

struct runge_kutta : over_arrays {
  template <class Vector>
  auto operator()(const Vector& x, const problem&) const {
    using T = number_of<Vector>;
    using state = std::array<T, 3>;
    const double h = 0.005;
    const auto slope = [&](const state& y) {
      return state{T(x[0] * (y[1] - y[0])), T(y[0] * (x[1] - y[2]) - y[1]), T(y[0] * y[1] - x[2] * y[2])};
    };
    const auto moved = [](const state& y, double step, const state& k) {
      return state{T(y[0] + step * k[0]), T(y[1] + step * k[1]), T(y[2] + step * k[2])};
    };
    state y{x[3], x[4], x[5]};
    for (int n = 0; n < 200; ++n) {
      const state k1 = slope(y), k2 = slope(moved(y, h / 2, k1)), k3 = slope(moved(y, h / 2, k2)),
                  k4 = slope(moved(y, h, k3));
      for (std::size_t i = 0; i < 3; ++i) y[i] += h / 6 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
    return T(y[0] * y[0] + y[1] + y[2]);
  }
};

struct perceptron : over_arrays {
  template <class Vector>
  auto operator()(const Vector& x, const problem& p) const {
    using std::tanh;
    using T = number_of<Vector>;
    T loss(0.0);
    for (std::size_t i = 0; i < p.size; ++i) {
      T h[16], z[10];
      for (std::size_t j = 0; j < 16; ++j) {
        T a = x[256 + j];
        for (std::size_t k = 0; k < 16; ++k) a += p.data[16 * i + k] * x[16 * k + j];
        h[j] = tanh(a);
      }
      for (std::size_t c = 0; c < 10; ++c) {
        z[c] = x[432 + c];
        for (std::size_t j = 0; j < 16; ++j) z[c] += h[j] * x[272 + 10 * j + c];
      }
      loss += log_sum_exp(z, 10) - z[static_cast<std::size_t>(p.labels[i])];
    }
    return T(loss / static_cast<double>(p.size));
  }
};

/// x where that is positive, and 0; its root there. Jets and their like follow the branch that is taken.
template <class T>
T positive_part(const T& x) {
  return plain(x) > 0 ? x : T(0.0);
}
template <class T>
T root_of_positive(const T& x) {
  using std::sqrt;
  return plain(x) > 0 ? T(sqrt(x)) : T(0.0);
}

/// A call in Heston's model: the mean over paths of 50 steps. The normal numbers of a step lie side by side.
struct heston_call : over_arrays {
  template <class Vector>
  auto operator()(const Vector& m, const problem& p) const {
    using std::exp, std::log, std::sqrt;
    using T = number_of<Vector>;
    const double dt = 0.02, rate = 0.02, root = std::sqrt(dt), strike = 100;
    const T other = sqrt(1.0 - m[5] * m[5]), log_spot = log(m[0]);
    T sum(0.0);
    for (std::size_t path = 0; path < p.size; ++path) {
      const double *a = p.data.data() + path, *b = a + 50 * p.size;
      T x = log_spot, variance = m[1];
      for (std::size_t t = 0; t < 50 * p.size; t += p.size) {
        const T v = positive_part(variance), s = root * root_of_positive(variance);
        x += (rate - 0.5 * v) * dt + s * a[t];
        variance += m[2] * (m[3] - v) * dt + m[4] * s * (m[5] * a[t] + other * b[t]);
      }
      sum += positive_part(T(exp(x) - strike));
    }
    return T(sum * (std::exp(-rate) / static_cast<double>(p.size)));
  }
};

/// Of a Gaussian process by length, amplitude and noise, with Cholesky's factor of the covariance, by rows.
struct marginal_likelihood : over_arrays {
  template <class Vector>
  auto operator()(const Vector& x, const problem& p) const {
    using std::exp, std::log, std::sqrt;
    using T = number_of<Vector>;
    const std::size_t n = p.size;
    const T scale = -0.5 / (x[0] * x[0]), height = x[1] * x[1], noise = x[2] * x[2];
    std::vector<T> factor(n * n, T(0.0)), z(n, T(0.0));
    T sum(0.0);
    for (std::size_t i = 0; i < n; ++i) {
      T* const row = &factor[i * n];
      z[i] = T(p.labels[i]);
      for (std::size_t j = 0; j <= i; ++j) {
        const T* const other = &factor[j * n];
        T k = height * exp(p.data[i * n + j] * scale);
        if (j == i) k += noise;
        for (std::size_t l = 0; l < j; ++l) k -= row[l] * other[l];
        row[j] = j == i ? T(sqrt(k)) : T(k / other[j]);
        if (j < i) z[i] -= row[j] * z[j];
      }
      z[i] /= row[i];
      sum += 0.5 * z[i] * z[i] + log(row[i]);
    }
    return T(-sum);
  }
};

}  // namespace peers

#endif
