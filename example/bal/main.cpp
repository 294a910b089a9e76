#include "../common/options.hpp"
#include "problem.hpp"

#include <tapeless/ceres.hpp>

#include <ceres/autodiff_cost_function.h>
#include <ceres/problem.h>
#include <ceres/solver.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace bal;
using example::Error;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  std::string save;
  int cameras = 0;
  int points = 0;
  int views = 0;
  int seed = 1;
  int iterations = 100;
  bool jets = false;
};

std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("cameras,c", po::value(&arguments.cameras)->value_name("N")->default_value(6), "without a file: cameras");
  add("points,p", po::value(&arguments.points)->value_name("N")->default_value(50), "without a file: points");
  add("views", po::value(&arguments.views)->value_name("N")->default_value(100),
      "without a file: most cameras that see a point");
  add("seed", po::value(&arguments.seed)->value_name("N")->default_value(1), "another generated problem");
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(100), "most iterations");
  add("save", po::value(&arguments.save)->value_name("FILE"), "write the problem, before it is solved, to this file");
  add("jets", po::bool_switch(&arguments.jets), "solve it again with Ceres's automatic derivatives, and compare");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: bal [FILE] [options]\n\n"
          "Bundle adjustment with Ceres Solver, of a file in the format of 'bundle adjustment in the large',\n"
          "unpacked, or of a generated problem.",
          &arguments.file)) {
    return std::nullopt;
  }
  example::check_range("cameras", arguments.cameras, 2, 100);
  example::check_range("points", arguments.points, 10, 10000);
  example::check_range("views", arguments.views, 2, 100);
  example::check_range("seed", arguments.seed, 0, 1000000000);
  example::check_range("iterations", arguments.iterations, 1, 1000000);
  return arguments;
}

template <class Make>
ceres::Solver::Summary solve(Problem problem, int iterations, const Make& make) {
  ceres::Problem to_solve;
  for (const auto& [camera, point, seen] : problem.observations) {
    to_solve.AddResidualBlock(make(seen), nullptr, problem.cameras[camera].data(), problem.points[point].data());
  }
  ceres::Solver::Options options;
  options.linear_solver_type = problem.cameras.size() > 100 ? ceres::SPARSE_SCHUR : ceres::DENSE_SCHUR;
  options.max_num_iterations = iterations;
  options.function_tolerance = 1e-12;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &to_solve, &summary);
  if (!summary.IsSolutionUsable() || !std::isfinite(summary.final_cost)) {
    throw Error("Ceres fails: " + summary.message);
  }
  return summary;
}

void report(const char* name, const ceres::Solver::Summary& summary) {
  std::printf("%-10s cost %.10g, after %zu iterations %.10g; derivatives %.4f s of %.4f s%s\n", name,
              summary.initial_cost, summary.iterations.size() - 1, summary.final_cost,
              summary.jacobian_evaluation_time_in_seconds, summary.total_time_in_seconds,
              summary.termination_type == ceres::CONVERGENCE ? "" : "; NOT CONVERGED");
}

int run(const Arguments& arguments) {
  const Problem problem =
      arguments.file.empty()
          ? generate(static_cast<std::size_t>(arguments.cameras), static_cast<std::size_t>(arguments.points),
                     static_cast<std::size_t>(arguments.views), static_cast<std::uint32_t>(arguments.seed))
          : read(arguments.file);
  if (problem.observations.empty()) {
    throw Error("the problem has no observations");
  }
  for (const auto& [camera, point, seen] : problem.observations) {
    const Pixel residual = Reprojection{}(problem.cameras[camera], problem.points[point], seen);
    if (!std::isfinite(residual[0]) || !std::isfinite(residual[1])) {
      throw Error("camera " + std::to_string(camera) + " cannot see point " + std::to_string(point) +
                  ": it lies in the plane of its centre");
    }
  }
  if (!arguments.save.empty()) {
    write(problem, arguments.save);
  }
  std::printf("%zu cameras, %zu points, %zu observations\n", problem.cameras.size(), problem.points.size(),
              problem.observations.size());
  const auto ours = solve(problem, arguments.iterations,
                          [](const Pixel& seen) { return tapeless::cost_function<2, 9, 3>(Reprojection{}, seen); });
  report("tapeless", ours);
  std::printf("root mean square error %.4f pixels\n",
              std::sqrt(ours.final_cost / static_cast<double>(problem.observations.size())));
  if (!arguments.jets) {
    return 0;
  }
  const auto jets = solve(problem, arguments.iterations, [](const Pixel& seen) {
    return new ceres::AutoDiffCostFunction<JetReprojection, 2, 9, 3>(new JetReprojection{seen});
  });
  report("Jets", jets);
  // Of costs that matter: below a hundredth of a pixel they are what rounding and the last step leave.
  const double least = 1e-4 * static_cast<double>(problem.observations.size());
  const double difference = std::abs(ours.final_cost - jets.final_cost) / std::max(jets.final_cost, least);
  const bool same = difference <= 1e-10;
  std::printf("%s cost: relative difference %.1e; derivatives take %.2f, all %.2f of the time\n",
              same ? "the same" : "ANOTHER", difference,
              ours.jacobian_evaluation_time_in_seconds / jets.jacobian_evaluation_time_in_seconds,
              ours.total_time_in_seconds / jets.total_time_in_seconds);
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("bal", argc, argv, parse, run); }
