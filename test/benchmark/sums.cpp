// Sums over data as a new user writes them, by scan, next to loops by hand over numbers.
#include "compare.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace tapeless;
using three = std::array<double, 3>;

// A logistic regression with three features.
constexpr auto regression = [](auto w, auto bias, auto features, auto labels) {
  return scan(
      [&](auto loss, auto x, auto label) {
        const auto z = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + bias;
        return loss + softplus(z) - label * z;
      },
      0.0, features, labels);
};
// Minus the log likelihood of three normal components.
constexpr auto mixture = [](auto weight, auto mean, auto deviation, auto data) {
  return scan(
      [&](auto loss, auto x) {
        auto density = 0.0 * x;
        for (std::size_t k = 0; k < 3; ++k)
          density = density + weight[k] / deviation[k] * exp(-0.5 * square((x - mean[k]) / deviation[k]));
        return loss - log(density);
      },
      0.0, data);
};
// The pixels of a soft disc against those of a picture.
constexpr auto raster = [](auto center, auto radius, auto softness, auto xs, auto ys, auto picture) {
  return scan(
      [&](auto loss, auto x, auto y, auto pixel) {
        const auto distance = sqrt(square(x - center[0]) + square(y - center[1]) + 1e-6);
        return loss + square(sigmoid((radius - distance) / softness) - pixel);
      },
      0.0, xs, ys, picture);
};
// Points that a light shines on, diffuse and with a highlight, against what was seen.
constexpr auto light = [](auto source, auto diffuse, auto highlight, auto points, auto seen) {
  return scan(
      [&](auto loss, auto at, auto brightness) {
        const auto x = source[0] - at[0], y = source[1] - at[1], z = source[2];
        const auto square_distance = x * x + y * y + z * z;
        const auto cosine = max(z / sqrt(square_distance), 0.0);
        const auto shine = (diffuse * cosine + highlight * square(square(square(cosine)))) / square_distance;
        return loss + square(shine - brightness);
      },
      0.0, points, seen);
};

struct data {
  std::vector<double> a, b, c, zero_one;
  std::vector<three> triples;
  explicit data(std::size_t n) : a(n), b(n), c(n), zero_one(n), triples(n) {
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t i = 0; i < n; ++i) {
      for (double* each : {&a[i], &b[i], &c[i], &triples[i][0], &triples[i][1], &triples[i][2]})
        *each = uniform(generator);
      zero_one[i] = uniform(generator) > 0;
    }
  }
};

volatile double used;

void measure(int n) {
  const data d(static_cast<std::size_t>(n));
  const std::size_t size = d.a.size();
  const int calls = 2000000 / n;
  const auto against = [&](const char* what, auto&& ours, auto&& by_hand) {
    std::vector<double> found = ours(), expected = by_hand();
    check_equal(found, expected);
    compare_calls(what, n, calls, 31, [&] { used = ours()[0]; }, [&] { used = by_hand()[0]; });
  };
  const auto together = [](const auto&... parts) {
    std::vector<double> all;
    const auto add = [&](const auto& part) {
      if constexpr (requires { part.size(); })
        all.insert(all.end(), part.begin(), part.end());
      else
        all.push_back(part);
    };
    (add(parts), ...);
    return all;
  };

  const three w{0.5, -1.0, 0.3};
  against(
      "regression",
      [&] {
        const auto r = value_and_gradient(regression, wrt<0, 1>)(w, 0.1, d.triples, d.zero_one);
        return together(r.value, get<0>(r.gradient), get<1>(r.gradient));
      },
      [&] {
        double loss = 0, bias = 0;
        three g{};
        for (std::size_t i = 0; i < size; ++i) {
          const three& x = d.triples[i];
          const double z = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + 0.1, e = std::exp(-std::abs(z));
          loss += std::max(z, 0.0) + std::log1p(e) - d.zero_one[i] * z;
          const double r = (z < 0 ? e : 1) / (1 + e) - d.zero_one[i];
          for (std::size_t k = 0; k < 3; ++k) g[k] += r * x[k];
          bias += r;
        }
        return std::vector{loss, g[0], g[1], g[2], bias};
      });

  const three weight{0.3, 0.5, 0.2}, mean{-0.5, 0.1, 0.6}, deviation{0.2, 0.4, 0.3};
  against(
      "mixture",
      [&] {
        const auto r = value_and_gradient(mixture, wrt<0, 1, 2>)(weight, mean, deviation, d.a);
        return together(r.value, get<0>(r.gradient), get<1>(r.gradient), get<2>(r.gradient));
      },
      [&] {
        double loss = 0;
        three gw{}, gm{}, gs{}, inverse{};
        for (std::size_t k = 0; k < 3; ++k) inverse[k] = 1 / deviation[k];
        for (const double x : d.a) {
          three u, e, p;
          double density = 0;
          for (std::size_t k = 0; k < 3; ++k) {
            u[k] = (x - mean[k]) * inverse[k], e[k] = std::exp(-0.5 * u[k] * u[k]) * inverse[k];
            density += p[k] = weight[k] * e[k];
          }
          loss -= std::log(density);
          const double r = 1 / density;
          for (std::size_t k = 0; k < 3; ++k)
            gw[k] -= r * e[k], gm[k] -= r * p[k] * u[k] * inverse[k],
                gs[k] -= r * p[k] * (u[k] * u[k] - 1) * inverse[k];
        }
        return together(loss, gw, gm, gs);
      });

  const std::array<double, 2> center{0.1, -0.2};
  against(
      "raster",
      [&] {
        const auto r = value_and_gradient(raster, wrt<0, 1, 2>)(center, 0.6, 0.2, d.a, d.b, d.c);
        return together(r.value, get<0>(r.gradient), get<1>(r.gradient), get<2>(r.gradient));
      },
      [&] {
        double loss = 0, radius = 0, softness = 0;
        std::array<double, 2> g{};
        const double inverse = 1 / 0.2;
        for (std::size_t i = 0; i < size; ++i) {
          const double x = d.a[i] - center[0], y = d.b[i] - center[1], distance = std::sqrt(x * x + y * y + 1e-6);
          const double z = (0.6 - distance) * inverse, s = 1 / (1 + std::exp(-z)), r = s - d.c[i];
          loss += r * r;
          const double by_z = 2 * r * s * (1 - s) * inverse, by_distance = by_z / distance;
          radius += by_z, softness -= by_z * z, g[0] += by_distance * x, g[1] += by_distance * y;
        }
        return together(loss, g, radius, softness);
      });

  const three source{0.2, -0.1, 1.5};
  against(
      "light",
      [&] {
        const auto r = value_and_gradient(light, wrt<0, 1, 2>)(source, 1.2, 0.4, d.triples, d.c);
        return together(r.value, get<0>(r.gradient), get<1>(r.gradient), get<2>(r.gradient));
      },
      [&] {
        double loss = 0, diffuse = 0, highlight = 0;
        three g{};
        for (std::size_t i = 0; i < size; ++i) {
          const double x = source[0] - d.triples[i][0], y = source[1] - d.triples[i][1], z = source[2];
          const double square = x * x + y * y + z * z, inverse = 1 / square, root = std::sqrt(inverse);
          const double ratio = z * root, c = ratio > 0 ? ratio : 0, c2 = c * c, c4 = c2 * c2;
          const double shine = (1.2 * c + 0.4 * c4 * c4) * inverse, r = shine - d.c[i];
          loss += r * r;
          const double by_shine = 2 * r * inverse;
          diffuse += by_shine * c, highlight += by_shine * c4 * c4;
          const double by_ratio = ratio > 0 ? by_shine * (1.2 + 0.4 * 8 * c4 * c2 * c) : 0;
          const double by_square = -2 * r * shine * inverse - by_ratio * ratio * 0.5 * inverse;
          g[0] += 2 * by_square * x, g[1] += 2 * by_square * y, g[2] += 2 * by_square * z + by_ratio * root;
        }
        return together(loss, g, diffuse, highlight);
      });
}

}  // namespace

int main() { measure(1000); }
