#pragma once

#include "../common/gnuplot.hpp"
#include "adjust.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace bundle_adjustment {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the residuals before and after the adjustment
/// and the cost over the iterations. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const std::vector<Linearised>& before, const Adjustment& adjustment,
                               double degrees_of_freedom, const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c bundle_adjustment.gnuplot FILE\n";
  double largest = 0;
  const auto residuals = [&](const char* name, const std::vector<Linearised>& list) {
    script += formatted("$%s << END\n", name);
    for (const auto& [value, jacobian] : list) {
      script += formatted("%.6g %.6g\n", value[0], value[1]);
      largest = std::max({largest, std::abs(value[0]), std::abs(value[1])});
    }
    script += "END\n";
  };
  residuals("after", adjustment.residuals);
  const double range_after = std::max(4.0, 1.05 * largest);
  residuals("before", before);
  script += "$costs << END\n";
  for (std::size_t i = 0; i < adjustment.costs.size(); ++i) {
    script += formatted("%zu %.17g\n", i, 2 * adjustment.costs[i] / degrees_of_freedom);
  }
  script += "END\n";
  script += example::begin_picture(terminal, 600);
  script += formatted("before_range = %.6g\nafter_range = %.6g\nobservations = %zu\niterations = %zu\n", 1.05 * largest,
                      range_after, before.size(), adjustment.costs.size() - 1);
  script += R"(
set multiplot
set size square
unset key
set parametric
set trange [0:2 * pi]
set samples 90
set tmargin at screen 0.94
set bmargin at screen 0.54
set xlabel 'standard deviations' offset 0,0.5

set lmargin at screen 0.09
set rmargin at screen 0.49
set title sprintf('%d residuals before', observations)
set xrange [-before_range:before_range]
set yrange [-before_range:before_range]
plot $before using 1:2 with points pointtype 7 pointsize 0.3 linecolor '#d55e00'

set lmargin at screen 0.57
set rmargin at screen 0.97
set title 'and after; circles at 1, 2 and 3'
set xrange [-after_range:after_range]
set yrange [-after_range:after_range]
plot $after using 1:2 with points pointtype 7 pointsize 0.3 linecolor '#0072b2', \
     cos(t), sin(t) with lines linewidth 1.5 linecolor '#303030', \
     2 * cos(t), 2 * sin(t) with lines linewidth 1.5 dashtype 2 linecolor '#303030', \
     3 * cos(t), 3 * sin(t) with lines linewidth 1.5 dashtype 3 linecolor '#303030'

unset parametric
set lmargin at screen 0.1
set rmargin at screen 0.97
set tmargin at screen 0.39
set bmargin at screen 0.1
set size nosquare
set title 'squared residuals per degree of freedom'
set xlabel 'iteration'
set xrange [-0.3:iterations + 0.3]
set yrange [0.5:*]
set logscale y
set format y '10^{%L}'
unset mytics
set key top right samplen 2
plot 1 with lines linewidth 1.5 dashtype 2 linecolor '#303030' title 'expected of noise', \
     $costs using 1:2 with linespoints linewidth 2.5 pointtype 7 pointsize 0.6 linecolor '#0072b2' notitle
unset multiplot
)";
  return script;
}

}  // namespace bundle_adjustment
