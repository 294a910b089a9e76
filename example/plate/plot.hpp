#pragma once

#include "../common/gnuplot.hpp"
#include "deform.hpp"

#include <cstddef>
#include <string>

namespace plate {

/// A gnuplot script with the data inside; `gnuplot -c SCRIPT FILE` draws the mesh before and after, coloured by how
/// much the area of each triangle has grown. `terminal` is gnuplot's for the wanted format.
inline std::string plot_script(const Mesh& mesh, const Deformation& deformation, const std::string& terminal) {
  std::string script = "# draw with: gnuplot -c plate.gnuplot FILE\n";
  const auto triangles = [&](const char* name, const std::vector<Point>& points) {
    script += example::formatted("$%s << END\n", name);
    for (const Triangle& corners : mesh.triangles) {
      const auto area = [&](const std::vector<Point>& at) {
        return twice_area(at[static_cast<std::size_t>(corners[0])], at[static_cast<std::size_t>(corners[1])],
                          at[static_cast<std::size_t>(corners[2])]);
      };
      const double grown = area(points) / area(mesh.points);
      for (const std::size_t i : {0u, 1u, 2u, 0u}) {
        const auto& [x, y] = points[static_cast<std::size_t>(corners[i])];
        script += example::formatted("%.5g %.5g %.4g\n", x, y, grown);
      }
      script += "\n";
    }
    script += "END\n";
  };
  triangles("before", mesh.points);
  triangles("after", deformation.points);
  script += "set terminal " + terminal + " size 560,280 background '#ffffff'\n";
  script += R"(
set output ARG1
unset border
unset tics
unset key
set size ratio -1
set style fill solid
set palette defined (0 '#f7fbff', 1 '#6baed6', 2 '#08306b')
set cbtics out
set multiplot
set title offset 0,-0.6
set lmargin at screen 0.02
set rmargin at screen 0.43
set title 'before'
unset colorbox
plot $before using 1:2 with lines linewidth 0.6 linecolor '#303030'
set lmargin at screen 0.47
set rmargin at screen 0.88
set title 'after: area relative to before'
set colorbox
plot $after using 1:2:3 with polygons fillcolor palette, $after using 1:2 with lines linewidth 0.6 linecolor '#303030'
unset multiplot
)";
  return script;
}

}  // namespace plate
