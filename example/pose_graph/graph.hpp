#pragma once

#include "../common/error.hpp"
#include "../common/random.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

/// Pose graphs: where a robot has been, from what it saw of its own motion and of places that it came back to.
namespace pose_graph {

template <std::size_t N>
using Matrix = std::array<std::array<double, N>, N>;

/// Poses in the plane: x, y and the heading in radians.
class Plane {
  template <class T>
  static constexpr auto turned_back(const T& angle, const T& x, const T& y) {
    using std::cos, std::sin;
    const T c = cos(angle), s = sin(angle);
    return std::array{c * x + s * y, c * y - s * x};
  }

 public:
  static constexpr std::size_t dimension = 3;
  using Pose = std::array<double, 3>;
  using Move = std::array<double, 3>;
  static constexpr Pose origin{};

  /// The pose after a move, which Gauss and Newton's method finds.
  template <class P, class M>
  static constexpr auto moved(const P& pose, const M& move) {
    return std::array{pose[0] + move[0], pose[1] + move[1], pose[2] + move[2]};
  }

  /// How the pose b, as seen from a, differs from what was measured: translation and angle of measured⁻¹ a⁻¹ b.
  template <class A, class B, class M>
  static constexpr auto difference(const A& a, const B& b, const M& measured) {
    const auto seen = turned_back(a[2], b[0] - a[0], b[1] - a[1]);
    const auto apart = turned_back(measured[2], seen[0] - measured[0], seen[1] - measured[1]);
    const auto angle = b[2] - a[2] - measured[2];
    const double turn = 2 * std::numbers::pi;
    using std::round;
    return std::array{apart[0], apart[1], angle - turn * round(angle / turn)};
  }

  /// The pose b that is seen so from a.
  static Pose composed(const Pose& a, const Pose& seen) {
    const double c = std::cos(a[2]), s = std::sin(a[2]);
    return {a[0] + c * seen[0] - s * seen[1], a[1] + s * seen[0] + c * seen[1], a[2] + seen[2]};
  }
};

/// Poses in space: x, y, z and the rotation, a quaternion of length 1 whose scalar part is the first.
class Space {
  template <class P>
  static constexpr auto rotation(const P& pose) {
    return std::array{pose[3], pose[4], pose[5], pose[6]};
  }
  template <class Q>
  static constexpr auto inverse(const Q& q) {
    return std::array{q[0], -q[1], -q[2], -q[3]};
  }

 public:
  static constexpr std::size_t dimension = 6;
  using Pose = std::array<double, 7>;
  using Move = std::array<double, 6>;
  static constexpr Pose origin{0, 0, 0, 1};

  template <class P, class M>
  static constexpr auto moved(const P& pose, const M& move) {
    const auto q = tapeless::quaternion_plus(rotation(pose), std::array{move[3], move[4], move[5]});
    return std::array{pose[0] + move[0], pose[1] + move[1], pose[2] + move[2], q[0], q[1], q[2], q[3]};
  }

  /// Translation and vector part of the quaternion of measured⁻¹ a⁻¹ b: the error that g2o minimises.
  template <class A, class B, class M>
  static constexpr auto difference(const A& a, const B& b, const M& measured) {
    const auto back = inverse(rotation(a)), back_again = inverse(rotation(measured));
    const auto seen = tapeless::unit_quaternion_rotate_point(back, std::array{b[0] - a[0], b[1] - a[1], b[2] - a[2]});
    const auto apart = tapeless::unit_quaternion_rotate_point(
        back_again, std::array{seen[0] - measured[0], seen[1] - measured[1], seen[2] - measured[2]});
    const auto q = tapeless::quaternion_product(back_again, tapeless::quaternion_product(back, rotation(b)));
    // q and -q are the same rotation.
    using std::copysign;
    const auto sign = copysign(decltype(q[0] + q[0])(1.0), q[0]);
    return std::array{apart[0], apart[1], apart[2], sign * q[1], sign * q[2], sign * q[3]};
  }

  static Pose composed(const Pose& a, const Pose& seen) {
    const auto to = tapeless::unit_quaternion_rotate_point(rotation(a), std::array{seen[0], seen[1], seen[2]});
    const auto q = tapeless::quaternion_product(rotation(a), rotation(seen));
    return {a[0] + to[0], a[1] + to[1], a[2] + to[2], q[0], q[1], q[2], q[3]};
  }
};

/// The pose of its second end as seen from the first, and how well that is known.
template <class Model>
struct Edge {
  std::array<int, 2> ends;
  typename Model::Pose measured;
  Matrix<Model::dimension> information;  ///< symmetric, positive definite
};

template <class Model>
struct Graph {
  std::vector<int> names;  ///< of the poses, in the file
  std::vector<typename Model::Pose> poses;
  std::vector<bool> fixed;
  std::vector<Edge<Model>> edges;
};

/// The pose seen with noise, standard deviations `sd`, of the pose seen from another.
template <class Model>
typename Model::Pose noisy(const typename Model::Pose& seen, const typename Model::Move& sd, example::Random& random) {
  typename Model::Move move;
  for (std::size_t i = 0; i < move.size(); ++i) {
    move[i] = random.normal(0, sd[i]);
  }
  return Model::composed(seen, Model::moved(Model::origin, move));
}

constexpr std::size_t ring = 12;  ///< poses in one turn around the sphere

/// A walk of unit steps with right angles in the plane, or rings on a sphere.
inline std::vector<Plane::Pose> true_poses(Plane, std::size_t count, example::Random& random) {
  std::vector<Plane::Pose> poses{{0, 0, 0}};
  while (poses.size() < count) {
    const double choice = random.uniform();
    // Back to the middle where the walk leaves it.
    const auto& at = poses.back();
    const bool away = at[0] * std::cos(at[2]) + at[1] * std::sin(at[2]) > 4;
    const double turn = away || choice < 0.25 ? std::numbers::pi / 2 : choice < 0.5 ? -std::numbers::pi / 2 : 0;
    poses.push_back(Plane::composed(at, {1, 0, turn}));
  }
  return poses;
}
inline std::vector<Space::Pose> true_poses(Space, std::size_t count, example::Random&) {
  std::vector<Space::Pose> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const double around = 2 * std::numbers::pi * static_cast<double>(i) / ring;
    const double up = std::numbers::pi * ((static_cast<double>(i) + 0.5) / static_cast<double>(count) - 0.5) * 0.8;
    const auto q = tapeless::quaternion_product(tapeless::angle_axis_to_quaternion(std::array{0.0, 0.0, around}),
                                                tapeless::angle_axis_to_quaternion(std::array{0.0, -up, 0.0}));
    const auto at = tapeless::unit_quaternion_rotate_point(q, std::array{3.0, 0.0, 0.0});
    poses.push_back({at[0], at[1], at[2], q[0], q[1], q[2], q[3]});
  }
  return poses;
}
/// Whether the later pose b is where a was, or next to it on the ring below.
inline bool meet(const std::vector<Plane::Pose>& poses, std::size_t a, std::size_t b) {
  return a + 5 < b && std::hypot(poses[a][0] - poses[b][0], poses[a][1] - poses[b][1]) < 0.5;
}
inline bool meet(const std::vector<Space::Pose>&, std::size_t a, std::size_t b) { return a + ring == b; }

/// Edges from each pose to the next and to earlier places, with noise; the poses are those of the noisy steps alone.
template <class Model>
Graph<Model> generate(std::size_t count, const typename Model::Move& sd, std::uint64_t seed) {
  example::Random random(seed);
  const auto truth = true_poses(Model{}, count, random);
  Graph<Model> graph;
  Matrix<Model::dimension> information{};
  for (std::size_t i = 0; i < Model::dimension; ++i) {
    information[i][i] = 1 / (sd[i] * sd[i]);
  }
  const auto seen_from = [&](std::size_t a, std::size_t b) {
    const auto difference = Model::difference(truth[a], truth[b], Model::origin);
    if constexpr (Model::dimension == 3) {
      return difference;
    } else {
      const auto& [x, y, z, i, j, k] = difference;
      return typename Model::Pose{x, y, z, std::sqrt(1 - i * i - j * j - k * k), i, j, k};
    }
  };
  for (std::size_t b = 0; b < count; ++b) {
    graph.names.push_back(static_cast<int>(b));
    graph.fixed.push_back(b == 0);
    if (b == 0) {
      graph.poses.push_back(truth[0]);
      continue;
    }
    for (std::size_t a = 0; a < b; ++a) {
      const bool next = a + 1 == b;
      if (next || meet(truth, a, b)) {
        const auto measured = noisy<Model>(seen_from(a, b), sd, random);
        graph.edges.push_back({{static_cast<int>(a), static_cast<int>(b)}, measured, information});
      }
    }
    graph.poses.push_back(Model::composed(graph.poses.back(), graph.edges.back().measured));
  }
  return graph;
}

}  // namespace pose_graph
