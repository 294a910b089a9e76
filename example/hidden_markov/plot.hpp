#pragma once

#include "../common/csv.hpp"
#include "../common/gnuplot.hpp"
#include "fit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace hidden_markov {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the values, the probability of each state, and
/// how both fits approach the maximum. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const example::Column& column, const std::vector<PerState<double>>& given_all,
                               const std::array<std::size_t, states>& order, const Fit& by_em, const Fit& by_gradient,
                               const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c hidden_markov.gnuplot FILE\n";
  script += "# value; probability of the third state, of the third or second\n$values << END\n";
  for (std::size_t t = 0; t < column.values.size(); ++t) {
    const double third = given_all[t][order[2]];
    script += formatted("%zu %.5g %.4f %.4f\n", t + 1, column.values[t], third, third + given_all[t][order[1]]);
  }
  script += "END\n";
  const double best = std::max(by_em.log_likelihood.back(), by_gradient.log_likelihood.back());
  const auto history = [&](const char* name, const Fit& fit) {
    script += formatted("# iteration, distance of the log-likelihood from the maximum\n$%s << END\n", name);
    for (std::size_t i = 0; i < fit.log_likelihood.size(); ++i) {
      if (i == 0 || best - fit.log_likelihood[i] > 1e-10) {
        script += formatted("%zu %.6e\n", i + 1, std::max(best - fit.log_likelihood[i], 1e-10));
      }
    }
    script += "END\n";
  };
  history("em", by_em);
  history("gradient", by_gradient);
  script += "column = " + example::gnuplot_string(column.name) + "\n";
  script += formatted("last = %zu\n", column.values.size());
  script += example::begin_picture(terminal, 780);
  script += R"(
set key reverse Left samplen 2
set style fill solid 1.0 noborder
set multiplot

set xrange [1:last]
set xlabel offset 0,0.5
set lmargin at screen 0.11
set rmargin at screen 0.97
set tmargin at screen 0.95
set bmargin at screen 0.76
set title column noenhanced
set format x ''
unset key
plot $values using 1:2 with lines linewidth 0.8 linecolor '#404040'

set tmargin at screen 0.70
set bmargin at screen 0.52
set title 'probability of the states, given all values'
set format x '%g'
set yrange [0:1]
set key at screen 0.54,0.46 center center horizontal samplen 1
plot $values using 1:(1) with filledcurves y1=0 linecolor '#56b4e9' title 'state 1', \
     $values using 1:4 with filledcurves y1=0 linecolor '#e69f00' title '2', \
     $values using 1:3 with filledcurves y1=0 linecolor '#d55e00' title '3'
unset key

set tmargin at screen 0.40
set bmargin at screen 0.09
set title 'log-likelihood, below the maximum'
set xlabel 'iteration'
set xrange [1:*]
set yrange [*:*]
set logscale xy
set format y '10^{%L}'
set key default top right reverse Left samplen 2
plot $em using 1:2 with lines linewidth 2.5 linecolor '#0072b2' title 'Baum and Welch', \
     $gradient using 1:2 with lines linewidth 1.5 linecolor '#d55e00' title 'gradient steps'
unset multiplot
)";
  return script;
}

}  // namespace hidden_markov
