#pragma once

#include "../common/gnuplot.hpp"
#include "fit.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace epidemic {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the cases with the fitted course, and what is
/// left in standard deviations. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const std::vector<double>& cases, const std::vector<Estimate>& course, const Fit& fit,
                               const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c epidemic.gnuplot FILE\n";
  script +=
      "# day, cases, expected, its standard deviation, the difference in standard deviations of a Poisson number\n";
  script += "$days << END\n";
  for (std::size_t d = 0; d < cases.size(); ++d) {
    const auto [expected, deviation] = course[d];
    script += formatted("%zu %.6g %.6g %.4g %.4g\n", d + 1, cases[d], expected, deviation,
                        (cases[d] - expected) / std::sqrt(expected));
  }
  script += "END\n";
  script += formatted("r0 = %.4f\nlast = %zu\n", std::exp(fit.parameters[0] - fit.parameters[1]), cases.size());
  script += example::begin_picture(terminal, 460);
  script += R"(
set key reverse Left samplen 2 top right
set multiplot
set xrange [0:last + 1]

set lmargin at screen 0.08
set rmargin at screen 0.98
set tmargin at screen 0.92
set bmargin at screen 0.44
set title sprintf('cases per day, R0 = %.2f', r0)
set format x ''
set yrange [0:*]
plot $days using 1:($3 - 2 * sqrt($4**2 + $3)):($3 + 2 * sqrt($4**2 + $3)) with filledcurves linecolor '#f4d6c2' \
       title 'two standard deviations', \
     $days using 1:2 with points pointtype 7 pointsize 0.5 linecolor '#303030' title 'reported', \
     $days using 1:3 with lines linewidth 2.5 linecolor '#d55e00' title 'expected'

set tmargin at screen 0.34
set bmargin at screen 0.16
set title 'reported minus expected, in standard deviations'
set format x '%g'
set xlabel 'day'
set yrange [-4:4]
set ytics 2
unset key
plot $days using 1:5 with impulses linewidth 2 linecolor '#0072b2', 0 with lines linecolor '#606060'
unset multiplot
)";
  return script;
}

}  // namespace epidemic
