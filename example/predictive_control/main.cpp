#include "../common/options.hpp"
#include "model.hpp"
#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace predictive_control;
namespace po = boost::program_options;

struct Arguments {
  int steps;
  double horizon;
  double time;
  double mass;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("steps,n", po::value(&arguments.steps)->value_name("N")->default_value(30), "steps of the horizon");
  add("horizon", po::value(&arguments.horizon)->value_name("S")->default_value(3), "its length in seconds");
  add("time,t", po::value(&arguments.time)->value_name("S")->default_value(4), "seconds to control the cart");
  add("mass,m", po::value(&arguments.mass)->value_name("KG")->default_value(1.2 * pole_mass, "0.36"),
      "what the pole weighs in truth; the controller believes 0.3");
  arguments.picture.add_to(options, "predictive_control");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: predictive_control [options]\n\n"
          "Swings up a pole on a cart, which does not move as the model says, by model-predictive\n"
          "control: at each step the best forces for a horizon are found, and the first is applied.")) {
    return std::nullopt;
  }
  example::check_range("steps", arguments.steps, 2, 10000);
  example::check_range("horizon", arguments.horizon, 0.1, 100.0);
  example::check_range("time", arguments.time, 0.0, 100.0);
  example::check_range("mass", arguments.mass, 0.0, 10.0);
  arguments.picture.check();
  return arguments;
}

int run(const Arguments& arguments) {
  const double time = arguments.horizon / arguments.steps;
  Controller controller(arguments.steps, time);
  const auto [unknowns, constraints, of_jacobian, of_hessian] = controller.sizes();
  std::printf("%d steps of %.3g s: %d unknowns, %d constraints; Jacobian %d numbers, Hessian %d\n", arguments.steps,
              time, unknowns, constraints, of_jacobian, of_hessian);
  State<double> state{};
  if (!controller.solve(state)) {
    throw example::Error("Ipopt found no way to swing the pole up; is the horizon long enough?");
  }
  std::printf("Plan: cost %.8f after %d iterations, angle at the end %.6f\n", controller.value(),
              controller.iterations(), controller.points().back()[1]);
  const std::vector<Point<double>> plan = controller.points();

  const int controls = static_cast<int>(std::lround(arguments.time / time));
  std::vector<Point<double>> path;
  int iterations = 0;
  for (int k = 0; k < controls; ++k) {
    if (k > 0 && !controller.solve(state)) {
      throw example::Error("Ipopt found no forces at " + std::to_string(k * time) + " s");
    }
    iterations += controller.iterations();
    const double force = controller.points()[0][4];
    path.push_back({state[0], state[1], state[2], state[3], force});
    for (int i = 0; i < 20; ++i) {
      state = advance(state, force, time / 20, arguments.mass);
    }
    // The cart's rails end.
    state[0] = std::clamp(state[0], -farthest, farthest);
  }
  if (controls > 0) {
    std::printf("Controlled %d times, %.1f iterations each: position %.4f, angle %.4f\n", controls,
                static_cast<double>(iterations) / controls, state[0], state[1]);
  }
  if (!arguments.picture.output.empty()) {
    example::write_picture("predictive_control", arguments.picture.output, arguments.picture.format,
                           plot_script(plan, path, time, arguments.picture.terminal()));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("predictive_control", argc, argv, parse, run); }
