#pragma once

#include "../common/gnuplot.hpp"
#include "model.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace predictive_control {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws angle, position and force, as planned at first
/// and as they came. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(std::span<const Point<double>> plan, std::span<const Point<double>> path, double time,
                               const std::string& terminal) {
  std::string script = "# draw with: gnuplot -c predictive_control.gnuplot FILE\n";
  for (const auto& [name, points] : {std::pair{"plan", plan}, {"path", path}}) {
    script += std::string("# time, position, angle, force\n$") + name + " << END\n";
    for (std::size_t k = 0; k < points.size(); ++k) {
      script += example::formatted("%.4g %.4g %.4g %.4g\n", static_cast<double>(k) * time, points[k][0], points[k][1],
                                   points[k][4]);
    }
    script += "END\n";
  }
  script += example::begin_picture(terminal, 620);
  script += R"(
set key bottom right samplen 2
set lmargin 7
set multiplot layout 3,1
set title 'angle of the pole (rad)'
set ytics 1
plot pi with lines dashtype 2 linecolor '#909090' notitle, \
     $plan using 1:3 with lines linewidth 2 linecolor '#9fc5e0' title 'planned', \
     $path using 1:3 with lines linewidth 2 linecolor '#0072b2' title 'with a heavier pole'
unset key
set title 'position of the cart (m)'
set ytics 0.5
plot $plan using 1:2 with lines linewidth 2 linecolor '#9fc5e0', \
     $path using 1:2 with lines linewidth 2 linecolor '#0072b2'
set title 'force (N)'
set ytics 10
set xlabel 'time (s)'
plot $plan using 1:4 with steps linewidth 2 linecolor '#f0b896', \
     $path using 1:4 with steps linewidth 2 linecolor '#d55e00'
unset multiplot
)";
  return script;
}

}  // namespace predictive_control
