#pragma once

#include "../common/gnuplot.hpp"
#include "model.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gaussian_process {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the data and the process with two standard
/// deviations. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const Data& data, const std::vector<double>& places,
                               const std::vector<Prediction>& predictions, const std::string& terminal) {
  std::string script = "# draw with: gnuplot -c gaussian_process.gnuplot FILE\n$data << END\n";
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    script += example::formatted("%.6g %.6g\n", data.x[i], data.mean + data.y[i]);
  }
  script += "END\n$process << END\n";
  for (std::size_t i = 0; i < places.size(); ++i) {
    script += example::formatted("%.6g %.6g %.4g\n", places[i], predictions[i].mean, predictions[i].sd);
  }
  script += "END\n" + example::begin_picture(terminal, 340);
  script += R"(
unset key
set title 'data, and the process with two standard deviations'
set xlabel 'x'
set ylabel 'y'
plot $process using 1:($2 - 2 * $3):($2 + 2 * $3) with filledcurves linecolor '#cfe3f2', \
     $process using 1:2 with lines linewidth 2 linecolor '#0072b2', \
     $data using 1:2 with points pointtype 7 pointsize 0.5 linecolor '#d55e00'
)";
  return script;
}

}  // namespace gaussian_process
