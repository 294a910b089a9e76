#include "../common/command_line.hpp"
#include "../common/picture.hpp"
#include "adjust.hpp"
#include "plot.hpp"
#include "scene.hpp"

#include <boost/program_options.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

namespace {

using namespace bundle_adjustment;
using example::Error;
namespace po = boost::program_options;

struct Arguments {
  SceneOptions scene;
  int iterations;
  std::string output;  ///< empty: write no files
  std::string format;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  SceneOptions& scene = arguments.scene;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("help,h", "show this text");
  add("cameras,c", po::value(&scene.cameras)->value_name("N")->default_value(scene.cameras), "cameras, from 4 to 50");
  add("points,p", po::value(&scene.points)->value_name("N")->default_value(scene.points), "points, from 20 to 2000");
  add("noise", po::value(&scene.noise)->value_name("SD")->default_value(scene.noise, "0.5"),
      "standard deviation of where points are seen, in pixels; three times that for every other point");
  add("seed", po::value(&scene.seed)->value_name("N")->default_value(scene.seed), "another scene");
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(50), "most iterations");
  add("output,o", po::value(&arguments.output)->value_name("DIR"),
      "write bundle_adjustment.svg (or .png) and bundle_adjustment.gnuplot there");
  add("format", po::value(&arguments.format)->value_name("svg|png")->default_value("svg"), "kind of picture");
  po::variables_map values;
  try {
    po::store(po::command_line_parser(argc, argv).options(options).positional({}).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    throw Error(error.what());
  }
  if (values.count("help") != 0) {
    std::cout << "Usage: bundle_adjustment [options]\n\n"
                 "Generates cameras, points and noisy pictures of the points, and finds cameras and points from the\n"
                 "pictures and a bad guess, by Levenberg and Marquardt's method.\n\n"
              << options;
    return std::nullopt;
  }
  if (scene.cameras < 4 || scene.cameras > 50) {
    throw Error("--cameras must lie between 4 and 50");
  }
  if (scene.points < 20 || scene.points > 2000) {
    throw Error("--points must lie between 20 and 2000");
  }
  if (!(scene.noise >= 0.01 && scene.noise <= 10)) {
    throw Error("--noise must lie between 0.01 and 10 pixels");
  }
  if (scene.seed < 0) {
    throw Error("--seed must not be negative");
  }
  if (arguments.iterations < 1) {
    throw Error("--iterations must be at least 1");
  }
  example::choice("format", arguments.format, example::picture_formats);
  return arguments;
}

int run(const Arguments& arguments) {
  if (!arguments.output.empty()) {
    example::prepare_directory(arguments.output);
  }
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
  if (!arguments.output.empty()) {
    example::write_picture(
        "bundle_adjustment", arguments.output, arguments.format,
        plot_script(linearise(start), adjustment, degrees_of_freedom, example::picture_formats.at(arguments.format)));
  }
  return gradient_right && (noise_left || !adjustment.converged) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("bundle_adjustment", [&] {
    const auto arguments = parse(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}
