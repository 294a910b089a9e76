#include "../common/options.hpp"
#include "adjust.hpp"
#include "plot.hpp"
#include "scene.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace {

using namespace bundle_adjustment;
namespace po = boost::program_options;

struct Arguments {
  SceneOptions scene;
  int iterations;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  SceneOptions& scene = arguments.scene;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("cameras,c", po::value(&scene.cameras)->value_name("N")->default_value(scene.cameras), "cameras, from 4 to 50");
  add("points,p", po::value(&scene.points)->value_name("N")->default_value(scene.points), "points, from 20 to 2000");
  add("noise", po::value(&scene.noise)->value_name("SD")->default_value(scene.noise, "0.5"),
      "standard deviation of where points are seen, in pixels; three times that for every other point");
  add("seed", po::value(&scene.seed)->value_name("N")->default_value(scene.seed), "another scene");
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(50), "most iterations");
  arguments.picture.add_to(options, "bundle_adjustment");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: bundle_adjustment [options]\n\n"
          "Generates cameras, points and noisy pictures of the points, and finds cameras and points from the\n"
          "pictures and a bad guess, by Levenberg and Marquardt's method.")) {
    return std::nullopt;
  }
  example::check_range("cameras", scene.cameras, 4, 50);
  example::check_range("points", scene.points, 20, 2000);
  example::check_range("noise", scene.noise, 0.01, 10.0);
  example::check_range("seed", scene.seed, 0, 1000000000);
  example::check_range("iterations", arguments.iterations, 1, 1000000);
  arguments.picture.check();
  return arguments;
}

int run(const Arguments& arguments) {
  const Scene start = generate_scene(arguments.scene);
  const std::size_t residuals = 2 * start.observations.size();
  const std::size_t parameters = camera_size * start.cameras.size() + point_size * start.points.size();
  // Moving, turning and scaling everything changes no picture.
  const double degrees_of_freedom = static_cast<double>(residuals) - static_cast<double>(parameters - 7);
  std::printf("%zu cameras, %zu points, %zu observations: %zu residuals, %zu parameters\n", start.cameras.size(),
              start.points.size(), start.observations.size(), residuals, parameters);

  const double error = gradient_error(start);
  const bool gradient_right = error <= 1e-6;
  std::printf("The gradient at the start %s: largest difference from central differences %.1e\n\n",
              gradient_right ? "is right" : "is WRONG", error);

  const Adjustment adjustment = adjust(start, arguments.iterations, 1e-6, [&](int i, double cost) {
    std::printf("  iteration %-3d  squared residuals per degree of freedom %14.6f\n", i, 2 * cost / degrees_of_freedom);
    std::fflush(stdout);
  });
  const double at_end = 2 * adjustment.costs.back() / degrees_of_freedom;
  // The standard deviation of a chi-squared variable per degree of freedom.
  const double deviation = std::sqrt(2 / degrees_of_freedom);
  const bool noise_left = std::abs(at_end - 1) <= 5 * deviation;
  if (adjustment.converged) {
    std::printf("\nConverged: %s: %.4f squared residuals per degree of freedom, expected 1 +- %.4f\n",
                noise_left ? "nothing but noise is left" : "MORE THAN NOISE IS LEFT", at_end, deviation);
  } else {
    std::printf("\nNot converged after %d iterations (--iterations allows more)\n", arguments.iterations);
  }
  if (!arguments.picture.output.empty()) {
    example::write_picture("bundle_adjustment", arguments.picture.output, arguments.picture.format,
                           plot_script(linearise(start), adjustment, degrees_of_freedom, arguments.picture.terminal()));
  }
  return gradient_right && (noise_left || !adjustment.converged) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("bundle_adjustment", argc, argv, parse, run); }
