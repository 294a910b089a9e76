#pragma once

#include "../common/gnuplot.hpp"
#include "data.hpp"
#include "machine.hpp"
#include "train.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

namespace boltzmann_machine {

/// Pictures side by side in a near square, as the points that gnuplot's `with image` draws; the gaps between them, a
/// pixel wide, are not numbers. `value(n, i)` is pixel i of picture n.
struct Tiles {
  std::size_t across;
  std::size_t down;
  std::string points;

  template <class Value>
  Tiles(const Pictures& size, std::size_t count, Value value)
      : across(static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))))),
        down((count + across - 1) / across) {
    for (std::size_t y = 0; y < down * (size.rows + 1) - 1; ++y) {
      for (std::size_t x = 0; x < across * (size.columns + 1) - 1; ++x) {
        const std::size_t n = y / (size.rows + 1) * across + x / (size.columns + 1);
        const std::size_t row = y % (size.rows + 1);
        const std::size_t column = x % (size.columns + 1);
        const bool gap = row == size.rows || column == size.columns || n >= count;
        points += gap ? example::formatted("%zu %zu NaN\n", x, y)
                      : example::formatted("%zu %zu %.3g\n", x, y, value(n, row * size.columns + column));
      }
    }
  }
};

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws how training went, the weights of the hidden
/// units, and samples. `best` is the best log-likelihood; without it, by how much pictures are missed is drawn instead.
inline std::string plot_script(const Pictures& data, const Training& stopped, const Training& not_stopped,
                               const matrix& samples, std::optional<double> best, const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c boltzmann_machine.gnuplot FILE\n";
  const auto history = [&](const char* name, const Training& training) {
    script += formatted("$%s << END\n", name);
    for (const Record& record : training.records) {
      script += formatted("%d %.8g %.8g %.8g\n", record.update, record.last, record.averaged, record.missed);
    }
    script += "END\n";
  };
  history("stopped", stopped);
  history("not_stopped", not_stopped);
  const matrix& weights = stopped.parameters.weights;
  double largest = 1e-3;
  for (const double weight : weights) {
    largest = std::max(largest, std::abs(weight));
  }
  const std::size_t units = std::min<std::size_t>(weights.shape(1), 36);
  const Tiles filters(data, units, [&](std::size_t n, std::size_t i) { return weights(i, n); });
  const Tiles drawn(data, std::min<std::size_t>(samples.shape(0), 25),
                    [&](std::size_t n, std::size_t i) { return samples(n, i); });
  script += "$weights << END\n" + filters.points + "END\n$samples << END\n" + drawn.points + "END\n";
  script += example::begin_picture(terminal, 620);
  script += formatted("units = %zu\nlargest = %.6g\n", units, largest);
  // Few pixels are drawn as squares, which no viewer smoothes.
  script +=
      formatted("image = 'with image%s'\n", drawn.across * drawn.down * data.pixels.shape(1) < 2000 ? " pixels" : "");
  script += R"(
set multiplot
set tmargin at screen 0.94
set bmargin at screen 0.55
set xlabel offset 0,0.5
set lmargin at screen 0.09
set rmargin at screen 0.96
set xlabel 'update'
)";
  if (best) {
    script += formatted("best = %.17g\n", *best);
    script += R"(set title 'mean log-likelihood of the data, exactly'
set key bottom right samplen 2
plot best with lines linewidth 1.5 dashtype 2 linecolor '#303030' title 'best', \
     $stopped using 1:3 with linespoints linewidth 2.5 pointtype 7 pointsize 0.5 linecolor '#0072b2' title 'stopped, averages', \
     $stopped using 1:2 with lines linewidth 1 linecolor '#0072b2' title 'stopped, last', \
     $not_stopped using 1:3 with linespoints linewidth 2.5 pointtype 7 pointsize 0.5 linecolor '#d55e00' title 'not stopped, averages', \
     $not_stopped using 1:2 with lines linewidth 1 linecolor '#d55e00' title 'not stopped, last'
)";
  } else {
    script += R"(set title 'mean squared error of pictures made again'
set key top right samplen 2
plot $stopped using 1:4 with linespoints linewidth 2.5 pointtype 7 pointsize 0.5 linecolor '#0072b2' title 'stopped', \
     $not_stopped using 1:4 with linespoints linewidth 2.5 pointtype 7 pointsize 0.5 linecolor '#d55e00' title 'not stopped'
)";
  }
  script += R"(
unset xlabel
unset tics
unset border
unset colorbox
unset key
set size ratio -1
set yrange [*:*] reverse
set autoscale xfix
set autoscale yfix
set tmargin at screen 0.41
set bmargin at screen 0.01
set lmargin at screen 0.04
set rmargin at screen 0.48
set title sprintf('weights of %d units', units)
set palette defined (-1 '#2166ac', -0.5 '#92c5de', 0 '#f7f7f7', 0.5 '#f4a582', 1 '#b2182b')
set cbrange [-largest:largest]
plot $weights using 1:2:3 @image
set lmargin at screen 0.52
set rmargin at screen 0.96
set title 'samples'
set palette defined (0 '#f2f2f2', 1 '#202020')
set cbrange [0:1]
plot $samples using 1:2:3 @image
unset multiplot
)";
  return script;
}

}  // namespace boltzmann_machine
