#include "../common/options.hpp"
#include "check.hpp"
#include "fit.hpp"
#include "plot.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>

namespace {

using namespace hidden_markov;
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
  add("column,c", po::value(&arguments.column.column)->value_name("NAME|N")->default_value("return"),
      "the column to fit: its name in the header row or its number, from 1");
  add("iterations,n", po::value(&fit.iterations)->value_name("N")->default_value(fit.iterations),
      "most iterations of either fit");
  add("tolerance,t", po::value(&fit.tolerance)->value_name("T")->default_value(fit.tolerance, "1e-6"),
      "a gradient with no entry larger than this ends a fit");
  arguments.picture.add_to(options, "hidden_markov");
  csv.add_to(options);
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: hidden_markov DATA.csv [options]\n\n"
          "Fits a hidden Markov model with three normal states to one column of a CSV file: by the algorithm of Baum\n"
          "and Welch, whose E-step is a gradient, and by gradient steps from the same start.",
          &arguments.file)) {
    return std::nullopt;
  }
  example::require_file("hidden_markov", arguments.file);
  example::check_range("iterations", fit.iterations, 1, 1000000);
  example::check_range("tolerance", fit.tolerance, 1e-12, 1.0);
  csv.apply_to(arguments.column);
  arguments.picture.check();
  return arguments;
}

void print_history(const Fit& by_em, const Fit& by_gradient) {
  std::printf("Log-likelihood  %18s %18s\n", "Baum and Welch", "gradient steps");
  const std::size_t last = std::max(by_em.log_likelihood.size(), by_gradient.log_likelihood.size()) - 1;
  const auto cell = [](const Fit& fit, std::size_t i) {
    return i < fit.log_likelihood.size() ? example::formatted("%18.8f", fit.log_likelihood[i]) : std::string(18, ' ');
  };
  for (std::size_t i = 0; i <= last; ++i) {
    // The first five, then the powers of two, and the last of each.
    if (i <= 4 || (i & (i - 1)) == 0 || i + 1 == by_em.log_likelihood.size() || i == last) {
      std::printf("  iteration %-4zu %s %s\n", i, cell(by_em, i).c_str(), cell(by_gradient, i).c_str());
    }
  }
}

/// States by their standard deviation, the least first.
std::array<std::size_t, states> ordered(const Parameters& p) {
  std::array<std::size_t, states> order;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t j) { return p[states * (states + 1) + j]; });
  return order;
}

void print_states(const Parameters& p) {
  const auto order = ordered(p);
  const auto [steps, densities] = natural(p);
  std::printf("\n  state %10s %20s   %s\n", "mean", "standard deviation", "probability of a step to 1, 2, 3");
  for (std::size_t i = 0; i < states; ++i) {
    std::printf("  %-5zu %10.5f %20.5f  ", i + 1, p[states * states + order[i]],
                std::exp(p[states * (states + 1) + order[i]]));
    for (const std::size_t j : order) {
      std::printf(" %8.5f", std::exp(steps[order[i]][j]));
    }
    std::puts("");
  }
}

int run(const Arguments& arguments) {
  const example::Column column =
      example::read_column(arguments.file, arguments.column, example::ShowProgress::automatic);
  if (column.values.empty()) {
    throw Error(arguments.file + ": no values");
  }
  const Observations observations{column.values.front(), {column.values.begin() + 1, column.values.end()}};
  try {
    check(observations);
  } catch (const Error& error) {
    throw Error(arguments.file + ": " + error.what());
  }
  std::printf("%s, column '%s': %zu values\n", arguments.file.c_str(), column.name.c_str(), column.values.size());

  const Fit by_em = baum_welch(observations, arguments.fit);
  const Fit by_gradient = ascend(observations, arguments.fit);
  print_history(by_em, by_gradient);
  if (!by_em.converged || !by_gradient.converged) {
    std::printf("Not converged: %s\n", !by_em.converged ? "Baum and Welch" : "gradient steps");
    return 1;
  }
  const double apart = std::abs(by_em.log_likelihood.back() - by_gradient.log_likelihood.back());
  const bool agree = apart <= 1e-6;
  std::printf("Converged after %zu and %zu iterations: the fits %s\n", by_em.log_likelihood.size() - 1,
              by_gradient.log_likelihood.size() - 1, agree ? "agree" : "are two maxima");

  print_states(by_em.parameters);
  double recursion = 0, fisher = 0;
  for (const Parameters& p : {start(observations), by_em.parameters, by_gradient.parameters}) {
    recursion =
        std::max(recursion, difference(expectations(p, observations), forward_backward(p, observations).expectations));
    fisher = std::max(fisher, fisher_difference(p, observations));
  }
  const bool right = recursion <= 1e-11 && fisher <= 1e-13;
  std::printf("\nThe E-step %s: largest relative difference from the forward and backward recursions %.1e\n",
              recursion <= 1e-11 ? "is right" : "is WRONG", recursion);
  std::printf("Fisher's identity %s: the gradients with and without the stop differ by %.1e a value\n",
              fisher <= 1e-13 ? "holds" : "is VIOLATED", fisher);
  if (!arguments.picture.output.empty()) {
    const auto order = ordered(by_em.parameters);
    example::write_picture("hidden_markov", arguments.picture.output, arguments.picture.format,
                           plot_script(column, forward_backward(by_em.parameters, observations).states_given_all, order,
                                       by_em, by_gradient, arguments.picture.terminal()));
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("hidden_markov", argc, argv, parse, run); }
