#pragma once

#include "../common/gnuplot.hpp"
#include "simulate.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace path_greeks {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws how the price settles, and how far price and
/// Greeks are from the exact ones in standard errors. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const std::string& title, const std::vector<std::string>& names,
                               const std::vector<Estimate>& estimates, const std::vector<double>& exact,
                               std::uint64_t paths, const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c path_greeks.gnuplot FILE\n# paths, price, its standard error\n";
  script += "$price << END\n";
  const std::size_t stride = 1 + estimates.size() / 200;
  for (std::size_t i = 0; i < estimates.size(); i += stride) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(estimates.size());
    script +=
        formatted("%.0f %.6g %.4g\n", share * static_cast<double>(paths), estimates[i].mean[0], estimates[i].error[0]);
  }
  script += "END\n# number, name, distance from the exact value in standard errors\n$greeks << END\n";
  const Estimate& last = estimates.back();
  for (std::size_t k = 0; k < names.size(); ++k) {
    script += formatted("%zu \"%s\" %.4f\n", k, names[k].c_str(), (last.mean[k] - exact[k]) / last.error[k]);
  }
  script += "END\n" + formatted("exact = %.10g\nlast = %zu\n", exact[0], names.size()) +
            "title = " + example::gnuplot_string(title) + "\n";
  script += example::begin_picture(terminal, 740);
  script += R"(
set key reverse Left samplen 2 top right
set multiplot

set xlabel offset 0,0.5
set lmargin at screen 0.11
set rmargin at screen 0.96
set tmargin at screen 0.95
set bmargin at screen 0.55
set title title
set xlabel 'paths'
set logscale x
set xrange [*:*] noextend
set format x '10^{%L}'
plot $price using 1:($2 - 2 * $3):($2 + 2 * $3) with filledcurves linecolor '#f4d6c2' title 'two standard errors', \
     $price using 1:2 with lines linewidth 2 linecolor '#d55e00' title 'mean of the payoffs', \
     exact with lines linewidth 1.5 dashtype 2 linecolor '#303030' title 'exact'

set lmargin at screen 0.27
set tmargin at screen 0.43
set bmargin at screen 0.06
set title 'standard errors away from exact'
unset xlabel
unset logscale
set format x '%g'
set xrange [-4:4]
set yrange [last - 0.5:-0.5]
set style fill solid 1.0 noborder
unset key
set object 1 rectangle from first -2, graph 0 to first 2, graph 1 behind fillcolor rgb '#eef3f7' fillstyle solid noborder
plot $greeks using (0):1:(0):3:($1 - 0.3):($1 + 0.3):ytic(2) with boxxyerror linecolor '#0072b2', \
     '+' using (0):(last * ($0 / 99.0) - 0.5) with lines linecolor '#606060'
unset multiplot
)";
  return script;
}

}  // namespace path_greeks
