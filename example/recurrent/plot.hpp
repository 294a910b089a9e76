#pragma once

#include "../common/gnuplot.hpp"
#include "train.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace recurrent {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the errors while learning and, of sequences
/// that were not learnt from, targets and what two networks say. `terminal` is gnuplot's for the wanted format.
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
  script += "END\n# step, target, said by the network: not truncated, truncated at every step\n$said << END\n";
  const auto whole = outputs(trainings[0].network, held_out.inputs);
  const auto none = outputs(trainings[2].network, held_out.inputs);
  for (std::size_t t = 0; t < std::min<std::size_t>(held_out.size(), 60); ++t) {
    script += formatted("%zu %.4f %.4f %.4f\n", t + 1, held_out.targets[t], whole[t], none[t]);
  }
  script += "END\n";
  script += formatted("period = %d\n", period);
  script += "set terminal " + terminal + " size 1100,480 background '#ffffff'\n";
  script += R"(
set output ARG1
set border 3 linecolor '#606060'
set tics nomirror out textcolor '#404040'
set key reverse Left samplen 2
set multiplot

set lmargin at screen 0.07
set rmargin at screen 0.42
set tmargin at screen 0.91
set bmargin at screen 0.17
set title 'mean squared error while learning'
set xlabel 'epoch'
set logscale y
set format y '10^{%L}'
set key bottom left
plot $errors using 1:4 with lines linewidth 2 linecolor '#909090' title 'a stop at every step', \
     $errors using 1:3 with lines linewidth 2 linecolor '#0072b2' title sprintf('a stop every %d steps', period), \
     $errors using 1:2 with lines linewidth 2 linecolor '#d55e00' title 'no stop'

set lmargin at screen 0.50
set rmargin at screen 0.98
set title 'predictions for a new sequence'
set xlabel 'step'
unset logscale
set format y '%g'
set yrange [-1.2:1.6]
set key top right horizontal
plot $said using 1:2 with points pointtype 7 pointsize 0.6 linecolor '#303030' title 'target', \
     $said using 1:4 with lines linewidth 1.5 linecolor '#909090' title 'stop at every step', \
     $said using 1:3 with lines linewidth 2 linecolor '#d55e00' title 'no stop'
unset multiplot
)";
  return script;
}

}  // namespace recurrent
