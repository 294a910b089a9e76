#pragma once

#include "../common/gnuplot.hpp"
#include "model.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace yield_curve {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the zero rates, and around them what the bonds
/// are off by and the standard errors.
/// `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const std::vector<Bond>& bonds, const Parameters& p, const Eigen::MatrixXd& covariance,
                               const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c yield_curve.gnuplot FILE\n$rates << END\n";
  const double last = std::ranges::max_element(bonds, {}, &Bond::maturity)->maturity;
  for (int i = 1; i <= 200; ++i) {
    const double time = last * i / 200;
    const auto [value, error] = zero_rate_with_error(p, covariance, time);
    script += formatted("%.5g %.6g %.4g\n", time, value, error);
  }
  script += "END\n# maturity; what the curve's price is off by, over the maturity\n$bonds << END\n";
  for (const Bond& bond : bonds) {
    script += formatted("%.5g %.4g\n", bond.maturity, misfit(p, bond).value / bond.maturity);
  }
  script += "END\n" + example::begin_picture(terminal, 540);
  script += R"(
set lmargin 7
unset key
set multiplot layout 2,1
set title 'zero rates in percent'
plot $rates using 1:2 with lines linewidth 2 linecolor '#0072b2'
set title 'errors in percent of yield, and two standard errors'
set xlabel 'years'
plot $rates using 1:(-2 * $3):(2 * $3) with filledcurves linecolor '#cfe3f2', \
     0 with lines linecolor '#606060', $bonds using 1:2 with points pointtype 7 pointsize 0.5 linecolor '#d55e00'
unset multiplot
)";
  return script;
}

}  // namespace yield_curve
