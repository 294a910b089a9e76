#pragma once

#include "../common/gnuplot.hpp"
#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace expectation_maximization {

/// A column of the file, and what makes its standard deviation 1.
struct Column {
  std::string name;
  double mean;
  double sd;
};

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the rows' first two columns with the ellipses
/// of the components at 1 and 2 standard deviations, and how far the log-likelihoods are from the maximum.
inline std::string plot_script(const Data& data, const std::vector<Column>& columns, const Fit& em, const Fit& gradient,
                               const Fit& single, const std::string& terminal) {
  using example::formatted;
  using example::gnuplot_string;
  const Parameters& p = gradient.parameters;
  const std::size_t components = p.components();
  const std::size_t up = columns.size() > 1 ? 1 : 0;  // a single column is drawn against itself
  const auto line = [&](double x, double y) {
    return formatted("%.5g %.5g\n", columns[0].mean + columns[0].sd * x, columns[up].mean + columns[up].sd * y);
  };
  std::string script = "# draw with: gnuplot -c expectation_maximization.gnuplot FILE\n";
  // Each row in the colour of its likeliest component; of many rows a sample.
  const Matrix R = responsibilities(joint(data, p));
  const std::size_t every = 1 + data.rows() / 400;
  for (std::size_t k = 0; k < components; ++k) {
    script += formatted("$rows%zu << END\n", k);
    bool any = false;
    for (std::size_t row = 0; row < data.rows(); row += every) {
      std::size_t likeliest = 0;
      for (std::size_t other = 1; other < components; ++other) {
        likeliest = R(other, row) > R(likeliest, row) ? other : likeliest;
      }
      if (likeliest == k) {
        script += line(data.X(0, row), data.X(up, row));
        any = true;
      }
    }
    // gnuplot refuses an empty block.
    script += (any ? "" : "NaN NaN\n") + std::string("END\n");

    // The covariance is Q Q', Q the inverse of P: of the first two columns, that of Q's first two rows.
    const Factor Q = inverse(factor(p, k));
    for (const int size : {1, 2}) {
      script += formatted("$ellipse%zu_%d << END\n", k, size);
      for (int i = 0; i <= 48; ++i) {
        const double angle = 2 * std::numbers::pi * i / 48;
        const double c = size * std::cos(angle);
        const double s = size * std::sin(angle);
        script += line(p.m(k, 0) + Q(0, 0) * c, p.m(k, up) + Q(up, 0) * c + (up == 1 ? Q(1, 1) * s : 0));
      }
      script += "END\n";
    }
  }
  double best = em.log_likelihood.back();
  for (const Fit* fit : {&gradient, &single}) {
    best = std::max(best, fit->log_likelihood.back());
  }
  const auto history = [&](const char* name, const Fit& fit) {
    script += formatted("$%s << END\n", name);
    for (std::size_t i = 0; i < fit.log_likelihood.size(); i += 1 + fit.log_likelihood.size() / 200) {
      // Rounding errors are not drawn; the first point always is: gnuplot refuses to draw nothing.
      const double distance = std::max(best - fit.log_likelihood[i], i == 0 ? 1e-300 : 0.0);
      script += formatted("%zu ", i);
      script += i == 0 || distance >= 1e-13 * std::abs(best) ? formatted("%.6e\n", distance) : "NaN\n";
    }
    script += "END\n";
  };
  history("em", em);
  history("gradient", gradient);
  history("single", single);

  script += example::begin_picture(terminal, 760);
  script += "across = " + gnuplot_string(columns[0].name) + "\nup = " + gnuplot_string(columns[up].name) + "\n";
  script += formatted("iterations = %d\n", std::max({em.iterations(), gradient.iterations(), single.iterations()}));
  script += R"(
set multiplot
set xlabel offset 0,0.5
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.95
set bmargin at screen 0.53
set title 'rows, and the components at 1 and 2 standard deviations'
set xlabel across noenhanced
set ylabel up noenhanced offset 1
unset key
set linetype 1 linecolor '#0072b2'
set linetype 2 linecolor '#d55e00'
set linetype 3 linecolor '#009e73'
set linetype 4 linecolor '#cc79a7'
set linetype 5 linecolor '#e69f00'
set linetype 6 linecolor '#56b4e9'
set linetype cycle 6
)";
  std::string plots;
  const auto plot = [&](const std::string& what) { plots += (plots.empty() ? "plot " : ", \\\n     ") + what; };
  for (std::size_t k = 0; k < components; ++k) {
    plot(formatted("$rows%zu with points pointtype 7 pointsize 0.3 linetype %zu", k, k + 1));
  }
  for (std::size_t k = 0; k < components; ++k) {
    plot(formatted("$ellipse%zu_1 with lines linewidth 2.5 linetype %zu", k, k + 1));
    plot(formatted("$ellipse%zu_2 with lines linewidth 1.5 linetype %zu", k, k + 1));
  }
  script += plots + R"(
set tmargin at screen 0.4
set bmargin at screen 0.08
set title 'log-likelihood below its maximum'
set xlabel 'iteration'
unset ylabel
set xrange [-0.5:iterations + 0.5]
set logscale y
set format y '10^{%L}'
unset mytics
set key top right samplen 2
plot $single using 1:2 with lines linewidth 2.5 linecolor '#009e73' title 'one gradient step each', \
     $gradient using 1:2 with lines linewidth 2.5 linecolor '#d55e00' title 'M-steps by gradient', \
     $em using 1:2 with points pointtype 6 pointsize 0.7 linecolor '#303030' title 'EM in closed form'
unset multiplot
)";
  return script;
}

}  // namespace expectation_maximization
