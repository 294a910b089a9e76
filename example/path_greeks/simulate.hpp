#pragma once

#include "model.hpp"

#include <tapeless/xtensor.hpp>

#include <Random123/philox.h>
#include <Random123/boxmuller.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace path_greeks {

/// Standard normal numbers of paths, a column a step, so that neighbours in memory are paths.
using Normals = xt::xtensor<double, 2, xt::layout_type::column_major>;

struct Options {
  std::uint64_t paths = 200000;
  int steps = 50;
  std::uint64_t seed = 1;
};

/// The normal numbers of `count` paths from number `first` on, two of each path and step. They come from the
/// counter-based generator Philox (Salmon and others, 2011) by Box and Muller's method: those of a path depend on the
/// seed and its number only, not on the paths that are drawn with it.
inline void draw(std::uint64_t first, const Options& options, Normals& normals, Normals& others) {
  const r123::Philox4x64 philox;
  const r123::Philox4x64::key_type key{{options.seed, 0}};
  for (std::size_t step = 0; step < normals.shape(1); ++step) {
    for (std::size_t path = 0; path < normals.shape(0); ++path) {
      const auto bits = philox({{first + path, step, 0, 0}}, key);
      const auto pair = r123::boxmuller(bits[0], bits[1]);
      normals(path, step) = pair.x;
      others(path, step) = pair.y;
    }
  }
}

/// The mean of the payoff and of its derivatives by each member of the option, and their standard errors.
struct Estimate {
  std::vector<double> mean;
  std::vector<double> error;
};

/// The estimate after each block of paths. `derivatives(normals, others)` gives value and gradient of each path of a
/// block.
template <class Derivatives>
std::vector<Estimate> simulate(const Options& options, const Derivatives& derivatives) {
  constexpr std::uint64_t block = 1024;
  const auto steps = static_cast<std::size_t>(options.steps);
  std::vector<Estimate> result;
  std::vector<double> sums, squares;
  for (std::uint64_t first = 0; first < options.paths; first += block) {
    const auto count = static_cast<std::size_t>(std::min(block, options.paths - first));
    Normals normals({count, steps}), others({count, steps});
    draw(first, options, normals, others);
    const auto r = derivatives(normals, others);
    for (std::size_t path = 0; path < count; ++path) {
      std::size_t k = 0;
      const auto add = [&](double number) {
        if (k == sums.size()) {
          sums.push_back(0);
          squares.push_back(0);
        }
        sums[k] += number;
        squares[k] += number * number;
        ++k;
        return number;
      };
      add(r.value[path]);
      tapeless::transform_leaves(add, r.gradient[path]);
    }
    const auto n = static_cast<double>(first + count);
    Estimate& estimate = result.emplace_back();
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const double mean = sums[k] / n;
      estimate.mean.push_back(mean);
      estimate.error.push_back(std::sqrt(std::max(squares[k] / n - mean * mean, 0.0) / n));
    }
  }
  return result;
}

inline std::vector<Estimate> simulate(const Asian<double>& option, const Options& options, bool geometric) {
  const auto steps = static_cast<double>(options.steps);
  return simulate(options, [&](const Normals& normals, const Normals&) {
    return geometric ? tapeless::batched(tapeless::value_and_gradient(geometric_path, tapeless::wrt<0>))(option, steps,
                                                                                                         normals)
                     : tapeless::batched(tapeless::value_and_gradient(arithmetic_path, tapeless::wrt<0>))(option, steps,
                                                                                                          normals);
  });
}
inline std::vector<Estimate> simulate(const Heston<double>& option, const Options& options) {
  return simulate(options, [&](const Normals& normals, const Normals& others) {
    return tapeless::batched(tapeless::value_and_gradient(heston_path, tapeless::wrt<0>))(
        option, static_cast<double>(options.steps), normals, others);
  });
}

}  // namespace path_greeks
