#pragma once

#include "../common/gnuplot.hpp"
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <string>

namespace kalman {

/// All that happened, a line a sighting from the third on.
inline std::string history_text(const Flight& flight, double dt, std::span<const Step> steps) {
  using example::formatted;
  std::string text =
      "time,true_x,true_y,true_heading,true_speed,true_turn,range,bearing,x,y,heading,speed,turn,"
      "sd_x,sd_y,sd_heading,sd_speed,sd_turn,surprise\n";
  for (std::size_t i = 0; i < flight.truth.size(); ++i) {
    text += formatted("%.17g", dt * static_cast<double>(i));
    const auto append = [&](double number) { text += formatted(",%.17g", number); };
    std::ranges::for_each(flight.truth[i], append);
    std::ranges::for_each(flight.sightings[i], append);
    if (i < 2) {
      text += ",,,,,,,,,,,\n";
      continue;
    }
    const auto& [estimate, surprise] = steps[i - 2];
    std::ranges::for_each(estimate.mean, append);
    for (std::size_t j = 0; j < estimate.mean.size(); ++j) {
      append(std::sqrt(estimate.covariance[j][j]));
    }
    append(surprise);
    text += "\n";
  }
  return text;
}

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the flight, the rate of turn and the
/// surprises. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const Flight& flight, double dt, std::span<const Step> steps,
                               const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c kalman.gnuplot FILE\n";
  script += "# x and y in km: true, seen, estimated\n$flight << END\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto [range, bearing] = flight.sightings[i + 2];
    const State& truth = flight.truth[i + 2];
    const State& mean = steps[i].estimate.mean;
    script +=
        formatted("%.5g %.5g %.5g %.5g %.5g %.5g\n", truth[0] / 1000, truth[1] / 1000, range * std::cos(bearing) / 1000,
                  range * std::sin(bearing) / 1000, mean[0] / 1000, mean[1] / 1000);
  }
  script += "END\n# time; rate of turn in degrees per second: true, estimated, its standard deviation; surprise\n";
  script += "$steps << END\n";
  const double degree = std::numbers::pi / 180;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& [estimate, surprise] = steps[i];
    script += formatted("%.6g %.5g %.5g %.5g %.5g\n", dt * static_cast<double>(i + 2), flight.truth[i + 2][4] / degree,
                        estimate.mean[4] / degree, std::sqrt(estimate.covariance[4][4]) / degree, surprise);
  }
  script += "END\n";
  script += example::begin_picture(terminal, 860);
  script += formatted("rare = %.6g\nlast = %.6g\n", rare_surprise, dt * static_cast<double>(steps.size() + 1));
  script += R"(
set key reverse Left samplen 2
set multiplot

set xlabel offset 0,0.5
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.96
set bmargin at screen 0.54
set title 'the flight'
set xlabel 'x, km'
set ylabel 'y, km' offset 1.5
set size ratio -1
set offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04
set key bottom left
plot $flight using 3:4 with points pointtype 7 pointsize 0.45 linecolor '#909090' title 'measured', \
     $flight using 1:2 with lines linewidth 3 linecolor '#56b4e9' title 'true', \
     $flight using 5:6 with lines linewidth 1.5 linecolor '#d55e00' title 'estimated', \
     '+' using (0):(0) every ::::0 with points pointtype 9 pointsize 1.2 linecolor '#303030' title 'radar'

set size noratio
set offsets
set tmargin at screen 0.43
set bmargin at screen 0.29
set title 'rate of turn, degrees per second, and two standard deviations'
unset xlabel
unset ylabel
set xrange [0:last]
set ytics 1
set key bottom left horizontal
plot $steps using 1:($3 - 2 * $4):($3 + 2 * $4) with filledcurves linecolor '#f4d6c2' notitle, \
     $steps using 1:2 with lines linewidth 3 linecolor '#56b4e9' title 'true', \
     $steps using 1:3 with lines linewidth 1.5 linecolor '#d55e00' title 'estimated'

set tmargin at screen 0.21
set bmargin at screen 0.08
set title 'surprise of the measurements'
set xlabel 'time, s'
set yrange [0:*]
set ytics autofreq
unset key
set label sprintf('5 %% are above %.2f', rare) at last, rare right offset -1, 0.6 textcolor '#404040'
plot $steps using 1:5 with impulses linewidth 2 linecolor '#0072b2', \
     rare with lines linewidth 1.5 dashtype 2 linecolor '#303030'
unset multiplot
)";
  return script;
}

}  // namespace kalman
