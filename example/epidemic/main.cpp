#include "../common/options.hpp"
#include "check.hpp"
#include "fit.hpp"
#include "plot.hpp"

#include <boost/program_options.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace epidemic;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  example::ColumnRequest column;
  Options fit;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  Options& fit = arguments.fit;
  example::CsvOptions csv;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("column,c", po::value(&arguments.column.column)->value_name("NAME|N")->default_value("cases"),
      "the column with the cases of each day: its name in the header row or its number, from 1");
  add("population,p", po::value(&fit.population)->value_name("N")->default_value(fit.population),
      "how many people live there");
  add("steps", po::value(&fit.steps)->value_name("N")->default_value(fit.steps), "Runge-Kutta steps a day");
  add("iterations,n", po::value(&fit.iterations)->value_name("N")->default_value(fit.iterations), "most iterations");
  arguments.picture.add_to(options, "epidemic");
  csv.add_to(options);
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: epidemic DATA.csv [options]\n\n"
          "Fits the equations of Kermack and McKendrick to the cases of each day of an epidemic.",
          &arguments.file)) {
    return std::nullopt;
  }
  example::require_file("epidemic", arguments.file);
  example::check_range("population", fit.population, 10.0, 1e10);
  example::check_range("steps", fit.steps, 1, 1000);
  example::check_range("iterations", fit.iterations, 1, 1000000);
  csv.apply_to(arguments.column);
  arguments.picture.check();
  return arguments;
}

void print(const char* name, const Estimate& estimate) {
  std::printf("  %-34s %10.6f +- %.6f\n", name, estimate.value, estimate.deviation);
}

int run(const Arguments& arguments) {
  const example::Column column =
      example::read_column(arguments.file, arguments.column, example::ShowProgress::automatic);
  const std::vector<double>& cases = column.values;
  const Options& options = arguments.fit;
  try {
    check_cases(cases, options);
  } catch (const Error& error) {
    throw Error(arguments.file + ": " + error.what());
  }
  std::printf("%s, column '%s': %zu days, %.0f people\n", arguments.file.c_str(), column.name.c_str(), cases.size(),
              options.population);

  const double gradient_error = difference_error(guess(cases, options.population), cases, options);
  const bool gradient_right = gradient_error <= 1e-7;
  std::printf("The gradient at the start %s: largest relative difference from difference quotients %.1e\n",
              gradient_right ? "is right" : "is WRONG", gradient_error);

  const Fit result = fit(cases, options);
  for (std::size_t i = 0; i < result.surprise.size(); ++i) {
    std::printf("  iteration %-3zu log-likelihood %18.8f\n", i, -result.surprise[i]);
  }
  if (!result.converged) {
    std::printf("Not converged after %zu iterations\n", result.surprise.size() - 1);
    return 1;
  }
  std::printf("Converged, largest gradient %.1e\n\n", result.gradient);

  using tapeless::value_and_gradient;
  print("infection rate, a day", estimate(value_and_gradient([](auto p) { return exp(p[0]); }), result));
  print("recovery rate, a day", estimate(value_and_gradient([](auto p) { return exp(p[1]); }), result));
  print("infectious at the start", estimate(value_and_gradient([](auto p) { return exp(p[2]); }), result));
  const Estimate r0 = estimate(value_and_gradient(reproduction_number), result);
  print("R0", r0);
  if (r0.value > 1) {
    print("share infected before it is over", estimate(value_and_gradient(final_size), result));
  }
  const double drift = invariant_drift(result.parameters, options, cases.size());
  const bool solved = drift <= 1e-4;
  std::printf("\ns + i - log(s) / R0, a constant, changes by %.1e over these days%s\n", drift,
              solved ? "" : ": --steps is TOO SMALL");
  if (!arguments.picture.output.empty()) {
    example::write_picture(
        "epidemic", arguments.picture.output, arguments.picture.format,
        plot_script(cases, course(result, options, cases.size()), result, arguments.picture.terminal()));
  }
  return gradient_right && solved ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("epidemic", argc, argv, parse, run); }
