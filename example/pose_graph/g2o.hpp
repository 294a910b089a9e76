#pragma once

#include "../common/gnuplot.hpp"
#include "../common/lines.hpp"
#include "graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

/// The file format of g2o, https://github.com/RainerKuemmerle/g2o: a vertex or an edge a line.
namespace pose_graph {

template <class Model>
inline constexpr bool in_space = std::is_same_v<Model, Space>;

/// Whether the file's first vertex or edge is in space.
inline bool is_in_space(const std::string& path) {
  example::Lines lines(path);
  while (lines.next()) {
    if (lines.word(0).ends_with("_SE2") || lines.word(0).ends_with("_SE3:QUAT")) {
      return lines.word(0).ends_with("_SE3:QUAT");
    }
  }
  throw example::Error(path + ": no line with VERTEX_SE2 or VERTEX_SE3:QUAT");
}

/// The pose from word `first` on. Quaternions have their scalar part last in the file, and need not have length 1.
template <class Model>
typename Model::Pose read_pose(const example::Lines& lines, std::size_t first) {
  typename Model::Pose pose;
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

/// Reads VERTEX_SE2 and EDGE_SE2, or VERTEX_SE3:QUAT and EDGE_SE3:QUAT, and FIX; any other line is an error. The first
/// vertex is fixed where none is. Every vertex must be joined to a fixed one.
template <class Model>
Graph<Model> read(const std::string& path) {
  const std::string kind = in_space<Model> ? "SE3:QUAT" : "SE2";
  constexpr std::size_t numbers = std::tuple_size_v<typename Model::Pose>;
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
  while (lines.next()) {
    const std::string tag(lines.word(0));
    if (tag == "VERTEX_" + kind) {
      lines.require_size(2 + numbers);
      const int name = lines.integer(1);
      if (!index.emplace(name, static_cast<int>(graph.poses.size())).second) {
        lines.fail("vertex " + std::to_string(name) + " again");
      }
      graph.names.push_back(name);
      graph.poses.push_back(read_pose<Model>(lines, 2));
      graph.fixed.push_back(false);
    } else if (tag == "EDGE_" + kind) {
      lines.require_size(3 + numbers + triangle);
      Edge<Model> edge{{find(lines.integer(1)), find(lines.integer(2))}, read_pose<Model>(lines, 3), {}};
      if (edge.ends[0] == edge.ends[1]) {
        lines.fail("an edge from a vertex to itself");
      }
      std::size_t next = 3 + numbers;
      for (std::size_t i = 0; i < Model::dimension; ++i) {
        for (std::size_t j = i; j < Model::dimension; ++j) {
          edge.information[i][j] = edge.information[j][i] = lines.number(next++);
        }
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
      lines.fail("'" + example::printable(tag) + "' is none of VERTEX_" + kind + ", EDGE_" + kind + ", FIX");
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
