#pragma once

#include "../common/gnuplot.hpp"
#include "adjust.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace pose_graph {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the poses and edges before and after the
/// adjustment. `terminal` is gnuplot's for the wanted format.
template <class Model>
std::string plot_script(const Graph<Model>& graph, const Adjustment<Model>& adjustment, const std::string& terminal) {
  using example::formatted;
  constexpr bool space = Model::dimension == 6;
  std::string script = "# draw with: gnuplot -c pose_graph.gnuplot FILE\n";
  const auto lines = [&](const char* name, const auto& poses) {
    script += formatted("$%s << END\n", name);
    for (const auto& edge : graph.edges) {
      for (const int end : edge.ends) {
        const auto& pose = poses[static_cast<std::size_t>(end)];
        script += formatted("%.5g %.5g %.5g\n", pose[0], pose[1], space ? pose[2] : 0.0);
      }
      script += "\n\n";
    }
    script += "END\n";
  };
  lines("before", graph.poses);
  lines("after", adjustment.poses);
  script += "set terminal " + terminal + " size 560,290 background '#ffffff'\n";
  script += R"(
set output ARG1
set border 2 linecolor '#606060'
set tics nomirror out textcolor '#404040'
unset xtics
unset key
set multiplot layout 1,2
)";
  const std::string style = " with linespoints linewidth 1.5 pointtype 7 pointsize 0.3 linecolor ";
  const std::string plot = space ? "splot $%s using 1:2:3" : "plot $%s using 1:2";
  script += space ? "set view equal xyz\nset view 65, 30, 1.6\nset xyplane relative 0\nset title offset 0,0.5\n"
                    "unset border\nunset tics\n"
                  : "set size ratio -1\n";
  script += "set title 'as read'\n" + formatted(plot.c_str(), "before") + style + "'#d55e00'\n";
  script += "set title 'adjusted'\n" + formatted(plot.c_str(), "after") + style + "'#0072b2'\nunset multiplot\n";
  return script;
}

}  // namespace pose_graph
