#pragma once

#include "../common/error.hpp"
#include "graph.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/eigen.hpp>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pose_graph {

/// What an edge says against its two poses, in standard deviations: the difference from what was measured, times the
/// transposed Cholesky factor of the information. Derivatives are by the poses' moves at 0.
template <class Model>
struct Residual {
  template <class M, class P, class R>
  constexpr auto operator()(const M& move_a, const M& move_b, const P& a, const P& b, const P& measured,
                            const R& root) const {
    auto result = Model::difference(Model::moved(a, move_a), Model::moved(b, move_b), measured);
    for (std::size_t i = 0; i < Model::dimension; ++i) {
      auto sum = root[i][i] * result[i];
      for (std::size_t j = i + 1; j < Model::dimension; ++j) {
        sum = sum + root[j][i] * result[j];
      }
      result[i] = sum;
    }
    return result;
  }
};

template <class Model>
struct Adjustment {
  std::vector<typename Model::Pose> poses;
  std::vector<double> costs;  ///< the sum of the squared residuals, at the start and after each iteration
  bool converged = false;
};

/// Minimises the sum of the squared residuals by Gauss and Newton's method until no entry of a step is larger than
/// `tolerance`, or the sum changes by less than 1e-10 of it: far from the origin poses are not as exact as that.
/// `report(i, cost)` is called at the start and after each iteration.
template <class Model, class Report>
Adjustment<Model> adjust(const Graph<Model>& graph, int iterations, double tolerance, Report report) {
  constexpr auto linearise = tapeless::assemble(tapeless::jacobian(Residual<Model>{}));
  using Pose = typename Model::Pose;
  const std::size_t edges = graph.edges.size();
  std::vector<std::array<int, 2>> ends(edges);
  std::vector<Pose> measured(edges), from(edges), to(edges);
  std::vector<Matrix<Model::dimension>> roots(edges);
  for (std::size_t e = 0; e < edges; ++e) {
    ends[e] = graph.edges[e].ends;
    measured[e] = graph.edges[e].measured;
    roots[e] = tapeless::cholesky(graph.edges[e].information);
  }
  const std::vector<typename Model::Move> at_rest(graph.poses.size());
  const auto moves_of_ends = tapeless::nodes_of(at_rest, ends, graph.fixed);

  Adjustment<Model> result{graph.poses, {}, false};
  decltype(linearise(moves_of_ends, from, to, measured, roots)) residuals;
  const auto evaluate = [&] {
    for (std::size_t e = 0; e < edges; ++e) {
      from[e] = result.poses[static_cast<std::size_t>(ends[e][0])];
      to[e] = result.poses[static_cast<std::size_t>(ends[e][1])];
    }
    linearise(tapeless::into(residuals), moves_of_ends, from, to, measured, roots);
    const Eigen::Map<const Eigen::VectorXd> values(residuals.value.data(),
                                                   static_cast<Eigen::Index>(residuals.value.size()));
    result.costs.push_back(values.squaredNorm());
    if (!std::isfinite(result.costs.back())) {
      throw example::Error("the method diverges: start from better poses");
    }
    report(static_cast<int>(result.costs.size()) - 1, result.costs.back());
    return values;
  };

  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
  for (int i = 1; i <= iterations + 1; ++i) {
    const auto values = evaluate();
    const auto& costs = result.costs;
    if (i > 1 && std::abs(costs[costs.size() - 2] - costs.back()) <= 1e-10 * costs.back()) {
      result.converged = true;
    }
    if (result.converged || i > iterations) {
      break;
    }
    const auto& unknowns = residuals.unknowns();
    const auto jacobian = tapeless::as_eigen(residuals.jacobian, unknowns.size());
    const Eigen::SparseMatrix<double> normal = jacobian.transpose() * jacobian;
    const Eigen::VectorXd right = -(jacobian.transpose() * values);
    if (i == 1) {
      solver.analyzePattern(normal);
    }
    solver.factorize(normal);
    if (solver.info() != Eigen::Success) {
      throw example::Error("the normal equations are singular");
    }
    const Eigen::VectorXd step = solver.solve(right);
    std::vector<typename Model::Move> moves(graph.poses.size());
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      const auto number = static_cast<std::size_t>(unknowns[k]);
      moves[number / Model::dimension][number % Model::dimension] = step[static_cast<Eigen::Index>(k)];
    }
    for (std::size_t p = 0; p < moves.size(); ++p) {
      result.poses[p] = Model::moved(result.poses[p], moves[p]);
    }
    result.converged = step.template lpNorm<Eigen::Infinity>() <= tolerance;
  }
  return result;
}

}  // namespace pose_graph
