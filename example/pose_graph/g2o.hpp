#pragma once

#include "../common/gnuplot.hpp"
#include "../common/lines.hpp"
#include "graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// The file formats of g2o, https://github.com/RainerKuemmerle/g2o, and of TORO,
/// https://openslam-org.github.io/toro.html: a vertex or an edge a line.
namespace pose_graph {

template <class Model>
inline constexpr bool in_space = std::is_same_v<Model, Space>;

/// Whether the file's first vertex or edge is in space.
inline bool is_in_space(const std::string& path) {
  example::Lines lines(path);
  while (lines.next()) {
    const std::string_view tag = lines.word(0);
    if (tag.starts_with("VERTEX") || tag.starts_with("EDGE")) {
      return tag.ends_with("_SE3:QUAT") || tag.ends_with("X3") || tag.ends_with("E3");
    }
  }
  throw example::Error(path + ": no line with VERTEX_SE2 or VERTEX_SE3:QUAT, or TORO's VERTEX2 or VERTEX3");
}

/// The pose from word `first` on. Quaternions have their scalar part last in g2o's files, and need not have length 1;
/// TORO has the angles of roll, pitch and yaw.
template <class Model>
typename Model::Pose read_pose(const example::Lines& lines, std::size_t first, bool toro) {
  typename Model::Pose pose;
  if constexpr (in_space<Model>) {
    if (toro) {
      const auto turn = [&](std::size_t axis) {
        std::array<double, 3> angle{};
        angle[axis] = lines.number(first + 3 + axis);
        return tapeless::angle_axis_to_quaternion(angle);
      };
      const auto q = tapeless::quaternion_product(turn(2), tapeless::quaternion_product(turn(1), turn(0)));
      return {lines.number(first), lines.number(first + 1), lines.number(first + 2), q[0], q[1], q[2], q[3]};
    }
  }
  for (std::size_t i = 0; i < pose.size(); ++i) {
    pose[i] = lines.number(first + i);
  }
  if constexpr (in_space<Model>) {
    const auto [x, y, z, i, j, k, w] = pose;
    const double length = std::sqrt(w * w + i * i + j * j + k * k);
    if (!(length > 0)) {
      lines.fail("a quaternion of length 0");
    }
    pose = {x, y, z, w / length, i / length, j / length, k / length};
  }
  return pose;
}

/// The information matrix from word `first` on: its upper triangle, row by row. In the plane TORO has the corner of the
/// heading before what couples it; in space it has angles where the difference has half of them.
template <class Model>
Matrix<Model::dimension> read_information(const example::Lines& lines, std::size_t first, bool toro) {
  constexpr std::size_t n = Model::dimension;
  Matrix<n> result;
  const auto set = [&](std::size_t i, std::size_t j) { result[i][j] = result[j][i] = lines.number(first++); };
  if (toro && !in_space<Model>) {
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 1}, {2, 2}, {0, 2}, {1, 2}}) {
      set(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    }
    return result;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      set(i, j);
    }
  }
  for (std::size_t i = 0; toro && i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      result[i][j] *= (i < 3 ? 1 : 2) * (j < 3 ? 1 : 2);
    }
  }
  return result;
}

/// Throws where a vertex is joined to no fixed one: nothing says where it is.
template <class Model>
void check_connected(const Graph<Model>& graph, const std::string& path) {
  std::vector<int> joined_to(graph.poses.size());
  for (std::size_t i = 0; i < joined_to.size(); ++i) {
    joined_to[i] = static_cast<int>(i);
  }
  const auto root = [&](int i) {
    while (joined_to[static_cast<std::size_t>(i)] != i) {
      int& next = joined_to[static_cast<std::size_t>(i)];
      i = next = joined_to[static_cast<std::size_t>(next)];
    }
    return i;
  };
  for (const auto& edge : graph.edges) {
    joined_to[static_cast<std::size_t>(root(edge.ends[0]))] = root(edge.ends[1]);
  }
  std::vector<bool> held(graph.poses.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (graph.fixed[i]) {
      held[static_cast<std::size_t>(root(static_cast<int>(i)))] = true;
    }
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!held[static_cast<std::size_t>(root(static_cast<int>(i)))]) {
      throw example::Error(path + ": vertex " + std::to_string(graph.names[i]) + " is joined to no fixed vertex");
    }
  }
}

/// Reads VERTEX_SE2 and EDGE_SE2, or VERTEX_SE3:QUAT and EDGE_SE3:QUAT, and FIX, or TORO's VERTEX2 and EDGE2, or
/// VERTEX3 and EDGE3; any other line is an error. TORO's files may leave out vertices: the first edge to one says where
/// it is. The first vertex is fixed where none is. Every vertex must be joined to a fixed one.
template <class Model>
Graph<Model> read(const std::string& path) {
  const std::string kind = in_space<Model> ? "SE3:QUAT" : "SE2", toro_kind = in_space<Model> ? "3" : "2";
  constexpr std::size_t triangle = Model::dimension * (Model::dimension + 1) / 2;
  Graph<Model> graph;
  std::map<int, int> index;
  example::Lines lines(path);
  const auto find = [&](int name) {
    const auto found = index.find(name);
    if (found == index.end()) {
      lines.fail("no vertex " + std::to_string(name) + " above this line");
    }
    return found->second;
  };
  const auto add = [&](int name, const typename Model::Pose& pose) {
    if (!index.emplace(name, static_cast<int>(graph.poses.size())).second) {
      lines.fail("vertex " + std::to_string(name) + " again");
    }
    graph.names.push_back(name);
    graph.poses.push_back(pose);
    graph.fixed.push_back(false);
  };
  while (lines.next()) {
    const std::string tag(lines.word(0));
    const bool toro = tag == "VERTEX" + toro_kind || tag == "EDGE" + toro_kind;
    const std::size_t numbers = toro ? Model::dimension : std::tuple_size_v<typename Model::Pose>;
    if (tag == "VERTEX_" + kind || tag == "VERTEX" + toro_kind) {
      lines.require_size(2 + numbers);
      add(lines.integer(1), read_pose<Model>(lines, 2, toro));
    } else if (tag == "EDGE_" + kind || tag == "EDGE" + toro_kind) {
      lines.require_size(3 + numbers + triangle);
      const auto measured = read_pose<Model>(lines, 3, toro);
      if (toro && graph.poses.empty()) {
        add(lines.integer(1), Model::origin);
      }
      const int from = find(lines.integer(1));
      if (toro && !index.contains(lines.integer(2))) {
        add(lines.integer(2), Model::composed(graph.poses[static_cast<std::size_t>(from)], measured));
      }
      Edge<Model> edge{{from, find(lines.integer(2))}, measured, read_information<Model>(lines, 3 + numbers, toro)};
      if (edge.ends[0] == edge.ends[1]) {
        lines.fail("an edge from a vertex to itself");
      }
      if (std::isnan(tapeless::log_det<tapeless::positive_definite>(edge.information))) {
        lines.fail("the information matrix is not positive definite");
      }
      graph.edges.push_back(edge);
    } else if (tag == "FIX") {
      for (std::size_t i = 1; i < lines.size(); ++i) {
        graph.fixed[static_cast<std::size_t>(find(lines.integer(i)))] = true;
      }
    } else {
      lines.fail("'" + example::printable(tag) + "' is none of VERTEX_" + kind + ", EDGE_" + kind +
                 ", FIX, or TORO's VERTEX" + toro_kind + ", EDGE" + toro_kind);
    }
  }
  if (graph.edges.empty()) {
    throw example::Error(path + ": no edges");
  }
  if (std::find(graph.fixed.begin(), graph.fixed.end(), true) == graph.fixed.end()) {
    graph.fixed[0] = true;
  }
  check_connected(graph, path);
  return graph;
}

/// The file that `read` reads.
template <class Model>
std::string g2o_text(const Graph<Model>& graph) {
  using example::formatted;
  const std::string kind = in_space<Model> ? "SE3:QUAT" : "SE2";
  std::string text;
  const auto write_pose = [&](typename Model::Pose pose) {
    if constexpr (in_space<Model>) {
      const auto [x, y, z, w, i, j, k] = pose;
      pose = {x, y, z, i, j, k, w};
    }
    for (const double number : pose) {
      text += formatted(" %.9g", number);
    }
  };
  for (std::size_t i = 0; i < graph.poses.size(); ++i) {
    text += formatted("VERTEX_%s %d", kind.c_str(), graph.names[i]);
    write_pose(graph.poses[i]);
    text += '\n';
  }
  for (std::size_t i = 0; i < graph.poses.size(); ++i) {
    if (graph.fixed[i]) {
      text += formatted("FIX %d\n", graph.names[i]);
    }
  }
  for (const auto& edge : graph.edges) {
    const auto name = [&](std::size_t end) { return graph.names[static_cast<std::size_t>(edge.ends[end])]; };
    text += formatted("EDGE_%s %d %d", kind.c_str(), name(0), name(1));
    write_pose(edge.measured);
    for (std::size_t i = 0; i < Model::dimension; ++i) {
      for (std::size_t j = i; j < Model::dimension; ++j) {
        text += formatted(" %.9g", edge.information[i][j]);
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace pose_graph
