#pragma once

#include "../common/gnuplot.hpp"
#include "sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

namespace mixed_model {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws how the draws of each parameter are
/// distributed, beside the normal density of the maximum and its standard error. `terminal` is gnuplot's for the wanted
/// format.
inline std::string plot_script(const Data& data, const Eigen::VectorXd& maximum, const Eigen::VectorXd& errors,
                               const Posterior& posterior, const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c mixed_model.gnuplot FILE\n";
  std::string plots;
  for (std::size_t i = 0; i < data.fitted.size(); ++i) {
    const auto& draws = posterior.draws[i];
    constexpr std::size_t bins = 30;
    const auto [low, high] = std::ranges::minmax(draws);
    const double width = (high - low) / bins;
    std::array<double, bins> counts{};
    for (const double x : draws) {
      counts[std::min(static_cast<std::size_t>((x - low) / width), bins - 1)] += 1;
    }
    script += formatted("$draws%zu << END\n", i);
    for (std::size_t b = 0; b < bins; ++b) {
      script += formatted("%.5g %.5g\n", low + width * (static_cast<double>(b) + 0.5),
                          counts[b] / (static_cast<double>(draws.size()) * width));
    }
    script += "END\n";
    const auto k = static_cast<Eigen::Index>(i);
    if (i == 1) plots += "unset key\n";
    plots += "set title " + example::gnuplot_string(data.names[i]) + " noenhanced\n";
    plots += formatted("plot $draws%zu with boxes linecolor '#9ecae1' title 'draws', ", i);
    plots += formatted(
        "%.5g * exp(-0.5 * ((x - %.5g) / %.5g)**2) with lines linewidth 2 linecolor '#d55e00' title 'Laplace "
        "approximation'\n",
        1 / (errors[k] * std::sqrt(2 * std::numbers::pi)), maximum[k], errors[k]);
  }
  const std::size_t rows = (data.fitted.size() + 1) / 2;
  const double height = 85 + 200 * static_cast<double>(rows);
  script += example::begin_picture(terminal, static_cast<int>(height));
  script += "unset ytics\nset style fill solid\nset samples 300\nset xtics rotate by -45\n";
  script += formatted("set key at screen 0.5,%.4f center center vertical reverse Left samplen 2\n", 28 / height);
  script += formatted("set multiplot layout %zu,2 margins 0.05,0.95,%.4f,%.4f spacing 0.1,%.4f\n", rows, 115 / height,
                      1 - 30 / height, 80 / height);
  return script + plots + "unset multiplot\n";
}

}  // namespace mixed_model
