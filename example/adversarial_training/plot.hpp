#pragma once

#include "../common/gnuplot.hpp"
#include "attack.hpp"
#include "data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace adversarial_training {

inline constexpr std::array<const char*, 3> names{"plain", "stopped", "not stopped"};

/// The three networks, and the accuracy of each at each strength.
struct Comparands {
  std::array<Parameters, 3> networks;
  std::vector<double> strengths;
  std::array<std::vector<double>, 3> accuracies;
};

/// Images side by side, as the points that gnuplot's `with image` draws; the gaps, a pixel wide, are not numbers.
inline std::string tiles(const Data& data, const matrix& images) {
  const std::size_t count = std::min<std::size_t>(images.shape(0), 9);
  std::string points;
  for (std::size_t y = 0; y < 3 * (data.rows + 1) - 1; ++y) {
    for (std::size_t x = 0; x < 3 * (data.columns + 1) - 1; ++x) {
      const std::size_t n = y / (data.rows + 1) * 3 + x / (data.columns + 1);
      const std::size_t row = y % (data.rows + 1);
      const std::size_t column = x % (data.columns + 1);
      const bool gap = row == data.rows || column == data.columns || n >= count;
      points += gap ? example::formatted("%zu %zu NaN\n", x, y)
                    : example::formatted("%zu %zu %.3g\n", x, y, images(n, row * data.columns + column));
    }
  }
  return points;
}

/// The blocks of data and the commands that draw the classes in the plane as the networks see them, and the points:
/// black crosses are those that an attack of that length moves to the other class.
inline std::string planes(const Comparands& all, const Data& data, double length) {
  using example::formatted;
  constexpr std::size_t side = 81;
  constexpr double left = -1.5;
  constexpr double bottom = -1.4;
  constexpr double width = 4;
  constexpr double height = 3.3;
  const auto& [points, classes] = data.train;
  std::string blocks;
  std::string commands =
      formatted("set xrange [%g:%g]\nset yrange [%g:%g]\n", left, left + width, bottom, bottom + height);
  commands +=
      "set palette defined (-1 '#f4a582', 0 '#ffffff', 1 '#92c5de')\n"
      "set cbrange [-1:1]\n";
  matrix grid = matrix::from_shape({side * side, 2});
  for (std::size_t i = 0; i < side * side; ++i) {
    grid(i, 0) = left + width * static_cast<double>(i % side) / (side - 1);
    grid(i, 1) = bottom + height * static_cast<double>(i / side) / (side - 1);
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const vector f = logits(all.networks[k], grid);
    blocks += formatted("$plane%zu << END\n", k);
    for (std::size_t i = 0; i < side * side; ++i) {
      blocks += formatted("%.4g %.4g %.2f\n", grid(i, 0), grid(i, 1), std::tanh(f[i]));
    }
    const std::vector<bool> withstood = withstood_on_discs(all.networks[k], points, classes, length);
    blocks += formatted("END\n$points%zu << END\n", k);
    for (std::size_t n = 0; n < classes.size(); ++n) {
      blocks += formatted("%.4g %.4g %g %d\n", points(n, 0), points(n, 1), classes[n], withstood[n] ? 1 : 0);
    }
    blocks += "END\n";
    commands += formatted("set title '%s: %.0f %%'\n", names[k], 100 * share(withstood));
    commands += formatted("set lmargin at screen %.3f\nset rmargin at screen %.3f\n",
                          0.03 + 0.32 * static_cast<double>(k), 0.33 + 0.32 * static_cast<double>(k));
    commands += formatted("plot $plane%zu using 1:2:3 with image, ", k) +
                formatted("$points%zu using 1:2:($3 > 0 ? 0x0072b2 : 0xb2480a) ", k) +
                "with points pointtype 7 pointsize 0.25 linecolor rgb variable, " +
                formatted("$points%zu using 1:($4 > 0 ? NaN : $2) ", k) +
                "with points pointtype 2 pointsize 0.5 linewidth 1 linecolor '#000000'\n";
  }
  return blocks + "\n@panel\n" + commands;
}

/// Those that draw images of the test, and the attacks on them, of the length of the largest strength.
inline std::string images(const Comparands& all, const Data& data) {
  using example::formatted;
  std::string blocks = "$tiles0 << END\n" + tiles(data, data.test.points) + "END\n";
  std::string commands =
      "set size ratio -1\nset xrange [*:*]\nset yrange [*:*] reverse\nset autoscale xfix\nset autoscale yfix\n";
  double largest = 1e-3;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const matrix by = attacks(all.networks[k], data.test.points, data.test.classes, all.strengths.back());
    for (const double number : by) {
      largest = std::max(largest, std::abs(number));
    }
    blocks += formatted("$tiles%zu << END\n", k + 1) + tiles(data, by) + "END\n";
  }
  constexpr std::array<const char*, 3> titles{"images", "attacks on plain", "on stopped"};
  for (std::size_t k = 0; k < titles.size(); ++k) {
    commands += k == 0 ? "set palette defined (0 '#f2f2f2', 1 '#202020')\nset cbrange [0:1]\n"
                       : formatted(
                             "set palette defined (-1 '#2166ac', 0 '#f7f7f7', 1 '#b2182b')\n"
                             "set cbrange [%g:%g]\n",
                             -largest, largest);
    commands += formatted("set title '%s'\n", titles[k]);
    commands += formatted("set lmargin at screen %.3f\nset rmargin at screen %.3f\n",
                          0.03 + 0.32 * static_cast<double>(k), 0.33 + 0.32 * static_cast<double>(k));
    commands +=
        formatted("plot $tiles%zu using 1:2:3 with image%s\n", k, data.rows * data.columns < 200 ? " pixels" : "");
  }
  return blocks + "\n@panel\n" + commands;
}

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws accuracy against the strength of the attack,
/// and the plane as the networks see it, or images and the attacks on them.
inline std::string plot_script(const Comparands& all, const Data& data, double length, const std::string& terminal) {
  using example::formatted;
  std::string script = "# draw with: gnuplot -c adversarial_training.gnuplot FILE\n$accuracy << END\n";
  for (std::size_t i = 0; i < all.strengths.size(); ++i) {
    script += formatted("%.6g", all.strengths[i]);
    for (const std::vector<double>& accuracy : all.accuracies) {
      script += formatted(" %.6g", 100 * accuracy[i]);
    }
    script += "\n";
  }
  script += "END\n";
  script += formatted("radius = %.6g\nstrongest = %.6g\n", length, all.strengths.back());
  script += example::begin_picture(terminal, 520);
  script += R"(
set multiplot
set xlabel offset 0,0.3
set tmargin at screen 0.93
set bmargin at screen 0.5
set lmargin at screen 0.09
set rmargin at screen 0.97
set title 'accuracy in per cent, under attack'
set xlabel 'strength of the attack'
set xrange [0:strongest]
set yrange [0:101]
set key bottom left reverse Left samplen 1
set arrow from radius, 0 to radius, 101 nohead dashtype 2 linewidth 1.5 linecolor '#808080'
plot $accuracy using 1:2 with linespoints linewidth 2.5 pointtype 7 pointsize 0.5 linecolor '#606060' title 'plain', \
     $accuracy using 1:3 with linespoints linewidth 2.5 pointtype 7 pointsize 0.5 linecolor '#0072b2' title 'stopped', \
     $accuracy using 1:4 with linespoints linewidth 2.5 pointtype 7 pointsize 0.5 linecolor '#d55e00' title 'not stopped'
set tmargin at screen 0.32
set bmargin at screen 0.03
panel = 'unset arrow; unset key; unset xlabel; unset tics; unset border; unset colorbox'
)";
  script += data.rows == 0 ? planes(all, data, length) : images(all, data);
  return script + "unset multiplot\n";
}

}  // namespace adversarial_training
