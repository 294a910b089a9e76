#pragma once

#include "../common/gnuplot.hpp"
#include "model.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

namespace trend {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the series with its level, how far the
/// observations are from it, and the slope. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(std::span<const double> series, std::span<const State<double>> states,
                               const std::string& terminal) {
  std::string script = "# draw with: gnuplot -c trend.gnuplot FILE\n";
  script += "# time, observation; level, slope and their standard deviations\n$series << END\n";
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto& state = states[i];
    script += example::formatted("%zu %.6g %.6g %.4g %.5g %.4g\n", i + 1, series[i + 1], state.level,
                                 std::sqrt(state.variance), state.slope, std::sqrt(state.slope_variance));
  }
  script += "END\n" + example::begin_picture(terminal, 660);
  script += R"(
set key bottom left reverse Left samplen 2
set lmargin 7
set multiplot layout 3,1
set title 'observations and level'
plot $series using 1:3 with lines linewidth 2 linecolor '#0072b2' title 'level', \
     $series using 1:2 with points pointtype 7 pointsize 0.35 linecolor '#d55e00' title 'observed'
set title 'observed minus level, and two standard deviations of the level'
unset key
plot $series using 1:(-2 * $4):(2 * $4) with filledcurves linecolor '#cfe3f2', \
     0 with lines linewidth 2 linecolor '#0072b2', \
     $series using 1:($2 - $3) with points pointtype 7 pointsize 0.35 linecolor '#d55e00'
set title 'slope, with two standard deviations'
set xlabel 'time'
plot $series using 1:($5 - 2 * $6):($5 + 2 * $6) with filledcurves linecolor '#cfe3f2', \
     $series using 1:5 with lines linewidth 2 linecolor '#0072b2', 0 with lines dashtype 2 linecolor '#303030'
unset multiplot
)";
  return script;
}

}  // namespace trend
