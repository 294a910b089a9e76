#include "../common/options.hpp"
#include "model.hpp"
#include "plot.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace trend;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  example::ColumnRequest column;
  example::CsvOptions csv;
  int iterations;
  example::GeneratedOptions generated;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("column,c", po::value(&arguments.column.column)->value_name("NAME|N")->default_value("1"),
      "the series: its column's name in the header row or number, from 1");
  arguments.csv.add_to(options);
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(200), "most iterations");
  arguments.generated.add_to(options, "instead of a file: a generated series of so many rows",
                             "another generated series", "write the generated series to this file");
  arguments.picture.add_to(options, "trend");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: trend DATA.csv [options]\n\n"
          "Fits the noises of a Kalman filter that follows level and slope of a series, by the\n"
          "likelihood of its innovations.",
          &arguments.file)) {
    return std::nullopt;
  }
  arguments.generated.check("trend", arguments.file, 10, 1000000);
  example::check_range("iterations", arguments.iterations, 1, 100000);
  arguments.csv.apply_to(arguments.column);
  arguments.picture.check();
  return arguments;
}

std::vector<double> series_of(const Arguments& arguments) {
  if (arguments.file.empty()) {
    const auto series = generate(static_cast<std::size_t>(arguments.generated.count), {1.5, 0.5, 0.1},
                                 static_cast<std::uint64_t>(arguments.generated.seed));
    if (!arguments.generated.save.empty()) {
      std::string text = "y\n";
      for (const double y : series) {
        text += example::formatted("%.6f\n", y);
      }
      example::write_file(arguments.generated.save, text);
    }
    return series;
  }
  auto column = example::read_column(arguments.file, arguments.column, example::ShowProgress::never);
  const std::string place = arguments.file + ": column '" + column.name + "': ";
  if (column.empty_cells != 0) {
    throw example::Error(place + std::to_string(column.empty_cells) + " empty cells: the series has gaps");
  }
  if (column.values.size() < 10) {
    throw example::Error(place + "too few rows: " + std::to_string(column.values.size()) + ", at least 10 are needed");
  }
  return column.values;
}

int run(const Arguments& arguments) {
  const std::vector<double> series = series_of(arguments);
  const example::Minimum fitted = fit(series, arguments.iterations);
  std::printf("%zu observations, log-likelihood at the start %.8f\n", series.size(), -fitted.values.front());
  std::printf(fitted.converged ? "Maximum after %zu iterations: log-likelihood %.8f\n"
                               : "NOT CONVERGED after %zu iterations: log-likelihood %.8f\n",
              fitted.values.size() - 1, -fitted.at.value);
  const Eigen::MatrixXd covariance = fitted.at.hessian.llt().solve(Eigen::MatrixXd::Identity(3, 3));
  const std::array names{"observations", "level", "slope"};
  Parameters log_sd;
  std::printf("\nNoise of      standard deviation  standard error\n");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    log_sd[i] = fitted.x[k];
    const double sd = std::exp(log_sd[i]);
    std::printf("  %-12s %17.6g %15.3g\n", names[i], sd, sd * std::sqrt(covariance(k, k)));
  }
  const auto states = filter(series, log_sd);
  double squares = 0, products = 0, before = 0;
  for (const auto& state : std::span(states).subspan(1)) {
    const double standardised = state.innovation / std::sqrt(state.innovation_variance);
    squares += standardised * standardised;
    products += standardised * before;
    before = standardised;
  }
  std::printf("\nInnovations, standardised: mean square %.4f, 1 expected; correlation of neighbours %.3f, 0 +- %.3f\n",
              squares / static_cast<double>(states.size() - 1), products / squares,
              1 / std::sqrt(static_cast<double>(states.size() - 1)));
  if (!arguments.picture.output.empty()) {
    example::write_picture("trend", arguments.picture.output, arguments.picture.format,
                           plot_script(series, states, arguments.picture.terminal()));
  }
  return fitted.converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("trend", argc, argv, parse, run); }
