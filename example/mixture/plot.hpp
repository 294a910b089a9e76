#pragma once

#include "../common/gnuplot.hpp"
#include "fit.hpp"
#include "parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace mixture {

using example::formatted;
using example::gnuplot_string;

struct Histogram {
  double lowest;
  double width;
  std::vector<std::size_t> counts;
};

/// Bins by Scott's rule for the narrower component, 10 to 120 of them.
inline Histogram histogram(std::span<const double> rows, const Parameters& fit) {
  const auto [lowest, highest] = std::ranges::minmax(rows);
  const double rule = 3.49 * std::min(fit.sd1(), fit.sd2()) / std::cbrt(static_cast<double>(rows.size()));
  const double bins = std::clamp(std::ceil((highest - lowest) / rule), 10.0, 120.0);
  Histogram result{lowest, (highest - lowest) / bins, std::vector<std::size_t>(static_cast<std::size_t>(bins))};
  for (const double x : rows) {
    const auto bin = static_cast<std::size_t>((x - lowest) / result.width);
    ++result.counts[std::min(bin, result.counts.size() - 1)];
  }
  return result;
}

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the histogram with the fitted density and
/// the log-likelihood over the iterations. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const std::string& column, std::span<const double> rows, const Fit& gradient,
                               const Fit& em, const std::string& terminal) {
  const auto n = static_cast<double>(rows.size());
  const Parameters& p = gradient.parameters;
  const Histogram bins = histogram(rows, p);
  const double best = std::max(gradient.log_likelihood.back(), em.log_likelihood.back());

  std::string script = "# draw with: gnuplot -c mixture.gnuplot FILE\n$histogram << END\n";
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    script += formatted("%.17g %.6g\n", bins.lowest + bins.width * (static_cast<double>(i) + 0.5),
                        static_cast<double>(bins.counts[i]) / (n * bins.width));
  }
  script += "END\n";
  const auto history = [&](const char* name, const Fit& fit) {
    script += formatted("# iteration, log-likelihood per row, its distance from the best\n$%s << END\n", name);
    for (std::size_t i = 0; i < fit.log_likelihood.size(); ++i) {
      const double value = fit.log_likelihood[i];
      // Distances of rounding errors are not drawn; the first point always is: gnuplot refuses to draw nothing.
      const double rounding = 1e-14 * std::abs(best);
      const double distance = i == 0 ? std::max(best - value, rounding) : best - value;
      script += formatted("%zu %.17g ", i, value / n);
      script += distance >= rounding ? formatted("%.6e\n", distance / n) : "NaN\n";
    }
    script += "END\n";
  };
  history("gradient", gradient);
  history("em", em);

  script += "set terminal " + terminal + " size 1100,520 background '#ffffff'\n";
  script += formatted("w1 = %.17g\nm1 = %.17g\ns1 = %.17g\n", p.weight1(), p.mean1, p.sd1());
  script += formatted("w2 = %.17g\nm2 = %.17g\ns2 = %.17g\n", p.weight2(), p.mean2, p.sd2());
  script += formatted("lowest = %.17g\nwidth = %.17g\nbins = %zu\n", bins.lowest, bins.width, bins.counts.size());
  script += formatted("count = %zu\niterations = %d\n", rows.size(), std::max(gradient.iterations(), em.iterations()));
  script += "column = " + gnuplot_string(column) + "\n";
  script += R"(normal(x, m, s) = exp(-((x - m) / s)**2 / 2) / (s * sqrt(2 * pi))
component1(x) = w1 * normal(x, m1, s1)
component2(x) = w2 * normal(x, m2, s2)
mixture(x) = component1(x) + component2(x)
max(a, b) = a > b ? a : b

set output ARG1
set border 3 linecolor '#606060'
set tics nomirror out textcolor '#404040'
set key reverse Left samplen 2
set style fill solid 1.0 noborder
set samples 600
stats $histogram using 2 nooutput
set multiplot

set lmargin at screen 0.075
set rmargin at screen 0.56
set tmargin at screen 0.90
set bmargin at screen 0.13
set title sprintf('density of %s, %d values', column, count) noenhanced
set xlabel column noenhanced
set xrange [lowest - 2 * width:lowest + (bins + 2) * width]
set yrange [0:1.35 * max(STATS_max, max(mixture(m1), mixture(m2)))]
set key top left
plot $histogram using 1:2:(0.92 * width) with boxes linecolor '#d5dbe3' title 'data', \
     mixture(x) with lines linewidth 3 linecolor '#d55e00' title 'fitted mixture', \
     component1(x) with lines linewidth 2 dashtype 2 linecolor '#0072b2' title 'component 1', \
     component2(x) with lines linewidth 2 dashtype 2 linecolor '#009e73' title 'component 2'

set lmargin at screen 0.68
set rmargin at screen 0.98
set bmargin at screen 0.60
set title 'log-likelihood per value'
unset xlabel
set xrange [-0.5:iterations + 0.5]
set yrange [*:*]
set key bottom right
plot $gradient using 1:2 with lines linewidth 3 linecolor '#d55e00' title 'gradient steps', \
     $em using 1:2 with points pointtype 6 pointsize 0.8 linecolor '#303030' title 'EM'

set tmargin at screen 0.41
set bmargin at screen 0.13
set title 'its distance from the maximum'
set xlabel 'iteration'
set logscale y
set format y '10^{%L}'
unset mytics
set key top right
plot $gradient using 1:3 with lines linewidth 3 linecolor '#d55e00' title 'gradient steps', \
     $em using 1:3 with points pointtype 6 pointsize 0.8 linecolor '#303030' title 'EM'
unset multiplot
)";
  return script;
}

}  // namespace mixture
