#pragma once

#include "../common/gnuplot.hpp"
#include "train.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace recurrent {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the errors while learning and, of a sequence
/// that was not learnt from, targets and what each network says. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const std::array<Training, 3>& trainings, const Sequence& held_out, int period,
                               const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c recurrent.gnuplot FILE\n";
  script += "# epoch; mean squared errors: not truncated, at restarts, at every step\n$errors << END\n";
  for (std::size_t e = 0; e < trainings[0].errors.size(); ++e) {
    script += formatted("%zu", e + 1);
    for (const Training& training : trainings) {
      script += formatted(" %.5g", training.errors[e]);
    }
    script += "\n";
  }
  script += "END\n# step, target, said by the networks: not truncated, at restarts, at every step\n$said << END\n";
  std::array<std::vector<double>, 3> said;
  for (std::size_t k = 0; k < trainings.size(); ++k) {
    said[k] = outputs(trainings[k].network, held_out.inputs);
  }
  for (std::size_t t = 0; t < std::min<std::size_t>(held_out.size(), 60); ++t) {
    script += formatted("%zu %.4f %.4f %.4f %.4f\n", t + 1, held_out.targets[t], said[0][t], said[1][t], said[2][t]);
  }
  script += "END\n";
  script += formatted("period = %d\n", period);
  script += example::begin_picture(terminal, 800);
  script += R"(
set xlabel offset 0,0.7
set key bottom left reverse Left samplen 2
set lmargin at screen 0.12
set rmargin at screen 0.97
every = sprintf('a stop every %d steps', period)
set multiplot

set tmargin at screen 0.95
set bmargin at screen 0.65
set title 'mean squared error while learning'
set xlabel 'epoch'
set logscale y
set format y '10^{%L}'
plot $errors using 1:4 with lines linewidth 2 linecolor '#606060' title 'a stop at every step', \
     $errors using 1:3 with lines linewidth 2 linecolor '#0072b2' title every, \
     $errors using 1:2 with lines linewidth 2 linecolor '#d55e00' title 'no stop'

unset key
unset xlabel
unset logscale
set xtics scale 0
set format x ''
set format y '%g'
set yrange [-1.2:1.2]
set ytics 1
set tmargin at screen 0.54
set bmargin at screen 0.42
set title 'no stop: targets (dots) and predictions'
targets = "$said using 1:2 with points pointtype 7 pointsize 0.4 linecolor '#303030'"
plot $said using 1:3 with lines linewidth 1.5 linecolor '#d55e00', @targets

set tmargin at screen 0.37
set bmargin at screen 0.25
set title every
plot $said using 1:4 with lines linewidth 1.5 linecolor '#0072b2', @targets

set tmargin at screen 0.2
set bmargin at screen 0.08
set title 'a stop at every step'
set xlabel 'step of a new sequence'
set xtics scale 1
set format x '%g'
plot $said using 1:5 with lines linewidth 1.5 linecolor '#606060', @targets
unset multiplot
)";
  return script;
}

}  // namespace recurrent
