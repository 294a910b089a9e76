#include "../common/options.hpp"
#include "check.hpp"
#include "heap.hpp"
#include "plot.hpp"
#include "simulate.hpp"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace kalman;
namespace po = boost::program_options;

constexpr double seconds = 4;
constexpr double degree = std::numbers::pi / 180;

struct Arguments {
  int sightings;
  int seed;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("sightings,n", po::value(&arguments.sightings)->value_name("N")->default_value(100),
      "how often the radar sees the target, from 10 to 1000");
  add("seed", po::value(&arguments.seed)->value_name("N")->default_value(209), "another flight");
  arguments.picture.add_to(options, "kalman", "history.csv");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: kalman [options]\n\n"
          "Generates the flight of a turning target and what a radar sees of it, and follows the target by an\n"
          "extended Kalman filter that uses no heap, no exceptions and no run-time type information.")) {
    return std::nullopt;
  }
  example::check_range("sightings", arguments.sightings, 10, 1000);
  arguments.picture.check();
  return arguments;
}

int run(const Arguments& arguments) {
  const Noise noise{.acceleration = 0.5, .turn_acceleration = 7e-4, .turn = 0.02, .range = 60, .bearing = 0.5 * degree};
  const Flight flight = simulate(static_cast<std::size_t>(arguments.sightings), seconds, noise,
                                 static_cast<std::uint64_t>(arguments.seed));
  std::vector<Step> steps(flight.sightings.size() - 2);
  {
    const HeapForbidden forbidden;
    track(flight.sightings, seconds, noise, steps);
  }
  std::printf("%zu steps of the filter, and no memory was allocated\n", steps.size());

  const double error = jacobian_error(steps, seconds);
  const bool jacobians_right = error <= 1e-8;
  std::printf("The Jacobians %s: largest relative difference from difference quotients %.1e\n\n",
              jacobians_right ? "are right" : "are WRONG", error);

  const Errors errors = errors_of(flight, steps);
  std::printf("Errors, root mean square                 sighting   estimate\n");
  std::printf("  position, m                          %10.2f %10.2f\n", errors.sighted_position, errors.position);
  std::printf("  heading, degrees                                %10.3f\n", errors.heading / degree);
  std::printf("  speed, m/s                                      %10.3f\n", errors.speed);
  std::printf("  rate of turn, degrees/s                         %10.4f\n\n", errors.turn / degree);

  const Consistency consistency = consistency_of(steps);
  const bool consistent = consistency.lowest <= consistency.mean && consistency.mean <= consistency.highest;
  std::printf("The filter %s: normalised innovations squared, mean %.4f, 2 expected,\n",
              consistent ? "is consistent" : "is NOT CONSISTENT", consistency.mean);
  std::printf("  99.9 %% of flights within %.4f and %.4f; %.1f %% of them above %.2f, 5 %% expected\n",
              consistency.lowest, consistency.highest, 100 * consistency.above, rare_surprise);
  std::printf("  squared distance of the truth in standard deviations, mean %.3f, 5 expected\n", errors.distance);

  if (!arguments.picture.output.empty()) {
    example::StagedFile history(std::filesystem::path(arguments.picture.output) / "history.csv");
    history.write(history_text(flight, seconds, steps));
    example::write_picture("kalman", arguments.picture.output, arguments.picture.format,
                           plot_script(flight, seconds, steps, arguments.picture.terminal()), &history);
  }
  return jacobians_right && consistent ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("kalman", argc, argv, parse, run); }
