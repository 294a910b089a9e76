#pragma once

#include "../common/gnuplot.hpp"
#include "data.hpp"
#include "fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace softmax_classifier {

using PointInPlane = std::array<double, 2>;

/// The convex polygon's part where at(point) >= 0, for a linear `at`.
template <class Linear>
std::vector<PointInPlane> clipped(const std::vector<PointInPlane>& polygon, Linear at) {
  std::vector<PointInPlane> result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PointInPlane& from = polygon[i];
    const PointInPlane& to = polygon[(i + 1) % polygon.size()];
    const double here = at(from);
    const double there = at(to);
    if (here >= 0) {
      result.push_back(from);
    }
    if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
      const double share = here / (here - there);
      result.push_back({from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])});
    }
  }
  return result;
}

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the regions of the classes in the plane of the
/// two features with the largest weights, all others at their means, with the examples, and the losses over the
/// iterations. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const Data& data, const Fit& fit, const std::string& terminal) {
  using example::formatted;
  using example::gnuplot_string;
  const std::size_t d = data.features.size();
  const std::size_t classes = data.classes.size();
  std::vector<double> size(d);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < classes; ++k) {
      size[j] += fit.weights(j, k) * fit.weights(j, k);
    }
  }
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order,
                    [&](std::size_t a, std::size_t b) { return size[a] != size[b] ? size[a] > size[b] : a < b; });
  const std::size_t across = order[0];
  const std::size_t up = order[d > 1 ? 1 : 0];  // a single feature is drawn against itself

  PointInPlane low{0, 0};
  PointInPlane high{0, 0};
  for (const Examples* some : {&data.training, &data.held_out}) {
    for (std::size_t i = 0; i < some->classes.size(); ++i) {
      const PointInPlane point{some->features(i, across), some->features(i, up)};
      for (std::size_t axis = 0; axis < 2; ++axis) {
        low[axis] = std::min(low[axis], point[axis]);
        high[axis] = std::max(high[axis], point[axis]);
      }
    }
  }
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double margin = 0.05 * (high[axis] - low[axis]) + 1e-3;
    low[axis] -= margin;
    high[axis] += margin;
  }
  const auto line = [&](const PointInPlane& p) {
    return formatted("%.6g %.6g\n", data.mean[across] + data.sd[across] * p[0], data.mean[up] + data.sd[up] * p[1]);
  };
  const auto logit = [&](std::size_t k, const PointInPlane& p) {
    return fit.biases(k) + fit.weights(across, k) * p[0] + (d > 1 ? fit.weights(up, k) * p[1] : 0);
  };

  std::string script = "# draw with: gnuplot -c softmax_classifier.gnuplot FILE\n";
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<PointInPlane> region{low, {high[0], low[1]}, high, {low[0], high[1]}};
    for (std::size_t other = 0; other < classes && !region.empty(); ++other) {
      region = clipped(region, [&](const PointInPlane& p) { return logit(k, p) - logit(other, p); });
    }
    script += formatted("$region%zu << END\n", k);
    for (const PointInPlane& p : region) {
      script += line(p);
    }
    // gnuplot refuses an empty block: a region outside of the picture is a point in its corner.
    script += (region.empty() ? line(low) : line(region.front())) + "END\n";
  }
  // Of many examples a sample is drawn.
  const std::size_t every = 1 + (data.training.classes.size() + data.held_out.classes.size()) / 1500;
  for (const bool learnt_from : {true, false}) {
    const Examples& some = learnt_from ? data.training : data.held_out;
    for (std::size_t k = 0; k < classes; ++k) {
      script += formatted("$%s%zu << END\n", learnt_from ? "training" : "held", k);
      bool any = false;
      for (std::size_t i = 0; i < some.classes.size(); ++i) {
        if (some.classes[i] == k && (i % every == 0 || !any)) {
          script += line({some.features(i, across), some.features(i, up)});
          any = true;
        }
      }
      script += "END\n";
    }
  }
  script += "$loss << END\n";
  const std::size_t last = fit.iterations();
  for (std::size_t i = 0; i <= last; ++i) {
    if (i < 200 || i % (1 + last / 200) == 0 || i == last) {
      script += formatted("%zu %.8g %.8g\n", i, fit.training_loss[i], fit.held_out_loss[i]);
    }
  }
  script += "END\n" + example::begin_picture(terminal, 760);
  script += "across = " + gnuplot_string(data.features[across]) + "\nup = " + gnuplot_string(data.features[up]) + "\n";
  script += formatted("iterations = %zu\n", last);
  script += formatted("set xrange [%.6g:%.6g]\n", data.mean[across] + data.sd[across] * low[0],
                      data.mean[across] + data.sd[across] * high[0]);
  script += formatted("set yrange [%.6g:%.6g]\n", data.mean[up] + data.sd[up] * low[1],
                      data.mean[up] + data.sd[up] * high[1]);
  script += R"(
set multiplot
set xlabel offset 0,0.5
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.95
set bmargin at screen 0.52
set title 'regions of the classes; filled: learnt from, rings: held out'
set xlabel across noenhanced
set ylabel up noenhanced offset 1
set key top left reverse Left samplen 1 noenhanced
set style fill transparent solid 0.15 noborder
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
  for (std::size_t k = 0; k < classes; ++k) {
    plot(formatted("$region%zu using 1:2 with filledcurves closed linetype %zu notitle", k, k + 1));
  }
  for (std::size_t k = 0; k < classes; ++k) {
    plot(formatted("$training%zu using 1:2 with points pointtype 7 pointsize 0.35 linetype %zu title ", k, k + 1) +
         (k < 12 ? gnuplot_string(example::printable(data.classes[k])) : std::string("''")));
    plot(formatted("$held%zu using 1:2 with points pointtype 6 pointsize 0.7 linewidth 1.3 linetype %zu notitle", k,
                   k + 1));
  }
  script += plots + R"(
set tmargin at screen 0.39
set bmargin at screen 0.08
set title 'mean cross-entropy'
set xlabel 'iteration + 1'
unset ylabel
set xrange [1:iterations + 1]
set yrange [0:*]
set logscale x
set key top right noreverse Right samplen 2
plot $loss using ($1 + 1):2 with lines linewidth 2.5 linecolor '#0072b2' title 'training', \
     $loss using ($1 + 1):3 with lines linewidth 2.5 dashtype 2 linecolor '#d55e00' title 'held out'
unset multiplot
)";
  return script;
}

}  // namespace softmax_classifier
