#include "../common/options.hpp"
#include "plot.hpp"
#include "simulate.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace path_greeks;
using example::Error;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  std::string option;
  Heston<double> contract{};  ///< an Asian option has some of its members
  std::int64_t paths = 200000;
  std::int64_t seed = 1;
  Options simulation;
  example::PictureOptions picture;
};

/// The contract, from a file of lines "name = value".
void read_contract(const std::string& path, Arguments& arguments) {
  std::ifstream file(path);
  if (!file) {
    throw Error("cannot open " + path);
  }
  Heston<double>& c = arguments.contract;
  po::options_description options;
  auto add = options.add_options();
  const auto number = [](double& where) { return po::value(&where)->required(); };
  add("option", po::value(&arguments.option)->required());
  add("spot", number(c.spot))("strike", number(c.strike))("maturity", number(c.maturity))("rate", number(c.rate))(
      "volatility", number(c.volatility));
  add("variance", po::value(&c.variance))("reversion", po::value(&c.reversion))(
      "mean_variance", po::value(&c.mean_variance))("correlation", po::value(&c.correlation));
  po::variables_map values;
  try {
    po::store(po::parse_config_file(file, options), values);
    po::notify(values);
  } catch (const po::error& error) {
    throw Error(path + ": " + error.what());
  }
  const auto check = [&](const char* name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw Error(path + example::formatted(": %s must lie between %g and %g", name, least, most));
    }
  };
  if (arguments.option != "asian" && arguments.option != "heston") {
    throw Error(path + ": option must be asian or heston");
  }
  check("spot", c.spot, 1e-6, 1e9);
  check("strike", c.strike, 1e-6, 1e9);
  check("maturity", c.maturity, 1e-3, 100);
  check("rate", c.rate, -1, 1);
  check("volatility", c.volatility, 1e-3, 10);
  if (arguments.option == "heston") {
    check("variance", c.variance, 1e-4, 10);
    check("reversion", c.reversion, 1e-3, 100);
    check("mean_variance", c.mean_variance, 1e-4, 10);
    check("correlation", c.correlation, -0.99, 0.99);
  }
}

/// The command line and the contract, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  Options& simulation = arguments.simulation;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("paths,n", po::value(&arguments.paths)->value_name("N")->default_value(arguments.paths), "how many paths");
  add("steps,s", po::value(&simulation.steps)->value_name("N")->default_value(simulation.steps), "steps of each path");
  add("seed", po::value(&arguments.seed)->value_name("N")->default_value(arguments.seed), "other paths");
  arguments.picture.add_to(options, "path_greeks");
  if (!example::read_command_line(argc, argv, options,
                                  "Usage: path_greeks CONTRACT [options]\n\n"
                                  "Prices an Asian option, or a European one in Heston's model, by the Monte Carlo\n"
                                  "method, with its derivatives by all parameters from the same paths.",
                                  &arguments.file)) {
    return std::nullopt;
  }
  if (arguments.file.empty()) {
    throw Error("no contract given; see path_greeks --help");
  }
  example::check_range<std::int64_t>("paths", arguments.paths, 1000, 1000000000);
  example::check_range("steps", simulation.steps, 1, 100000);
  example::check_range<std::int64_t>("seed", arguments.seed, 0, 1000000000000);
  read_contract(arguments.file, arguments);
  simulation.paths = static_cast<std::uint64_t>(arguments.paths);
  simulation.seed = static_cast<std::uint64_t>(arguments.seed);
  arguments.picture.check();
  return arguments;
}

/// A value and a gradient as one list.
template <class Exact>
std::vector<double> listed(const Exact& exact) {
  std::vector<double> result{exact.value};
  tapeless::transform_leaves([&](double g) { return result.emplace_back(g); }, exact.gradient);
  return result;
}

/// Prints estimates beside exact values; true if none is further away than five standard errors and the share `bias` of
/// its value.
bool print(const std::vector<std::string>& names, const Estimate& estimate, const std::vector<double>& exact,
           double bias) {
  std::printf("  %-22s %12s %12s %12s\n", "", "estimate", "error", "exact");
  bool agree = true;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::printf("  %-22s %12.6f %12.6f %12.6f\n", names[k].c_str(), estimate.mean[k], estimate.error[k], exact[k]);
    agree = agree && std::abs(estimate.mean[k] - exact[k]) <= 5 * estimate.error[k] + bias * std::abs(exact[k]);
  }
  return agree;
}

int run(const Arguments& arguments) {
  const Heston<double>& c = arguments.contract;
  const Options& simulation = arguments.simulation;
  std::printf("%s: %s call, %lld paths of %d steps\n", arguments.file.c_str(), arguments.option.c_str(),
              static_cast<long long>(arguments.paths), simulation.steps);
  std::vector<std::string> names;
  std::vector<Estimate> estimates;
  std::vector<double> exact;
  double bias = 0;
  if (arguments.option == "asian") {
    const Asian<double> option{c.spot, c.volatility, c.rate, c.strike, c.maturity};
    names = {"price", "by spot", "by volatility", "by rate", "by strike", "by maturity"};
    const Estimate arithmetic = simulate(option, simulation, false).back();
    std::puts("arithmetic mean");
    for (std::size_t k = 0; k < names.size(); ++k) {
      std::printf("  %-22s %12.6f %12.6f\n", names[k].c_str(), arithmetic.mean[k], arithmetic.error[k]);
    }
    std::puts("geometric mean");
    estimates = simulate(option, simulation, true);
    exact = listed(
        tapeless::value_and_gradient(geometric_price, tapeless::wrt<0>)(option, static_cast<double>(simulation.steps)));
  } else {
    names = {"price",         "by spot",        "by variance", "by reversion", "by mean variance",
             "by volatility", "by correlation", "by rate",     "by strike",    "by maturity"};
    estimates = simulate(c, simulation);
    // The characteristic function falls as fast as that of a normal number with this deviation at least.
    const double deviation = std::sqrt(c.maturity * std::min(c.variance, c.mean_variance));
    exact = listed(tapeless::value_and_gradient(heston_price, tapeless::wrt<0>)(
        c, static_cast<int>(std::clamp(600 / deviation, 1000.0, 100000.0))));
    bias = 1.5 / simulation.steps;  // Euler's method
  }
  const bool agree = print(names, estimates.back(), exact, bias);
  std::printf("The estimates %s the exact price and its derivatives\n", agree ? "agree with" : "CONTRADICT");
  if (!arguments.picture.output.empty()) {
    const std::string title =
        arguments.option == "asian" ? "price of the geometric Asian call" : "price of the call in Heston's model";
    example::write_picture("path_greeks", arguments.picture.output, arguments.picture.format,
                           plot_script(title, names, estimates, exact, simulation.paths, arguments.picture.terminal()));
  }
  return agree ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("path_greeks", argc, argv, parse, run); }
