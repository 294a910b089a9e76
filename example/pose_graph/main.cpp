#include "../common/options.hpp"
#include "adjust.hpp"
#include "g2o.hpp"
#include "plot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace {

using namespace pose_graph;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  std::string generated;
  int poses;
  int seed;
  int iterations;
  std::string save;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("generate,g", po::value(&arguments.generated)->value_name("plane|space"), "instead of a file: a generated graph");
  add("poses,p", po::value(&arguments.poses)->value_name("N")->default_value(72), "of a generated graph");
  add("seed", po::value(&arguments.seed)->value_name("N")->default_value(1), "another generated graph");
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(50), "most iterations");
  add("save", po::value(&arguments.save)->value_name("FILE"), "write the adjusted graph, or with --generate the graph");
  arguments.picture.add_to(options, "pose_graph");
  if (!example::read_command_line(argc, argv, options,
                                  "Usage: pose_graph FILE.g2o [options]\n\n"
                                  "Adjusts the poses of a graph in g2o's format, in the plane or in space, by Gauss\n"
                                  "and Newton's method.",
                                  &arguments.file)) {
    return std::nullopt;
  }
  if (arguments.file.empty() == arguments.generated.empty()) {
    throw example::Error("give a file or --generate; see pose_graph --help");
  }
  if (!arguments.generated.empty()) {
    example::choice<bool>("generate", arguments.generated, {{"plane", false}, {"space", true}});
  }
  example::check_range("poses", arguments.poses, 10, 2000);
  example::check_range("seed", arguments.seed, 0, 1000000000);
  example::check_range("iterations", arguments.iterations, 1, 100000);
  arguments.picture.check();
  return arguments;
}

template <class Model>
int run(const Arguments& arguments, const typename Model::Move& sd) {
  Graph<Model> graph;
  if (arguments.file.empty()) {
    graph = generate<Model>(static_cast<std::size_t>(arguments.poses), sd, static_cast<std::uint64_t>(arguments.seed));
    if (!arguments.save.empty()) {
      example::write_file(arguments.save, g2o_text(graph));
    }
  } else {
    graph = read<Model>(arguments.file);
  }
  std::printf("%zu poses in %s, %zu edges\n", graph.poses.size(), in_space<Model> ? "space" : "the plane",
              graph.edges.size());
  const auto adjustment = adjust(graph, arguments.iterations, 1e-8, [](int i, double cost) {
    std::printf("  iteration %-3d  squared error %.10g\n", i, cost);
    std::fflush(stdout);
  });
  const auto fixed = static_cast<std::size_t>(std::count(graph.fixed.begin(), graph.fixed.end(), true));
  const std::size_t residuals = Model::dimension * graph.edges.size();
  const std::size_t unknowns = Model::dimension * (graph.poses.size() - fixed);
  if (adjustment.converged) {
    std::printf("Converged; %zu residuals, %zu unknowns\n", residuals, unknowns);
  } else {
    std::printf("NOT CONVERGED after %d iterations\n", arguments.iterations);
  }
  if (residuals > unknowns) {
    std::printf("Squared error per degree of freedom %.4f, 1 where the information is right\n",
                adjustment.costs.back() / static_cast<double>(residuals - unknowns));
  }
  if (!arguments.save.empty() && !arguments.file.empty()) {
    Graph<Model> adjusted = graph;
    adjusted.poses = adjustment.poses;
    example::write_file(arguments.save, g2o_text(adjusted));
  }
  if (!arguments.picture.output.empty()) {
    example::write_picture("pose_graph", arguments.picture.output, arguments.picture.format,
                           plot_script(graph, adjustment, arguments.picture.terminal()));
  }
  return adjustment.converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("pose_graph", [&] {
    const auto arguments = parse(argc, argv);
    if (!arguments) {
      return 0;
    }
    const bool space = arguments->file.empty() ? arguments->generated == "space" : is_in_space(arguments->file);
    return space ? run<Space>(*arguments, {0.05, 0.05, 0.05, 0.02, 0.02, 0.02})
                 : run<Plane>(*arguments, {0.05, 0.05, 0.03});
  });
}
