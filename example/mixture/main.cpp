#include "../common/options.hpp"
#include "fisher.hpp"
#include "fit.hpp"
#include "plot.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace mixture;
using namespace example;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  ColumnRequest column;
  Options fit;
  PictureOptions picture;
  ShowProgress progress;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  CsvOptions csv;
  ProgressOption progress;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("column,c", po::value(&arguments.column.column)->value_name("NAME|N")->default_value("1"),
      "the column to fit: its name in the header row or its number, from 1");
  arguments.picture.add_to(options, "mixture", "history.csv");
  add("iterations,n", po::value(&arguments.fit.iterations)->value_name("N")->default_value(500),
      "most iterations of either fit");
  add("tolerance,t", po::value(&arguments.fit.tolerance)->value_name("T")->default_value(1e-8, "1e-8"),
      "a step this short ends a fit; about T standard deviations of the data");
  csv.add_to(options);
  progress.add_to(options);
  if (!read_command_line(
          argc, argv, options,
          "Usage: mixture DATA.csv [options]\n\n"
          "Fits a mixture of two normal distributions to one column of a CSV file: by gradient steps on the\n"
          "expected log-likelihood with stopped responsibilities, and by EM from the same start.",
          &arguments.file)) {
    return std::nullopt;
  }
  example::require_file("mixture", arguments.file);
  check_range("iterations", arguments.fit.iterations, 1, 1000000);
  check_range("tolerance", arguments.fit.tolerance, 1e-15, 1.0);
  csv.apply_to(arguments.column);
  arguments.progress = progress.choice();
  arguments.picture.check();
  return arguments;
}

/// Prints both gradients at the starting point; true if they agree there and at the fit.
bool print_fisher_identity(const FisherIdentity& start, const FisherIdentity& end) {
  std::printf(
      "Fisher's identity: the gradient of the log-likelihood, at the starting point\n"
      "  %-10s %24s %26s %12s\n",
      "", "through log(sum)", "responsibilities stopped", "difference");
  for (std::size_t i = 0; i < parameter_names.size(); ++i) {
    std::printf("  %-10s %24.15e %26.15e %12.1e\n", parameter_names[i], start.direct.gradient[i],
                start.stopped.gradient[i], start.difference(i));
  }
  const bool agree = std::max(start.relative_to_terms(), end.relative_to_terms()) <= 1e-12;
  std::printf("The gradients %s: relative difference %.1e; at the fit, relative to the terms summed, %.1e\n\n",
              agree ? "agree" : "DIFFER", start.relative(), end.relative_to_terms());
  return agree;
}

void print_histories(const Fit& gradient, const Fit& em) {
  std::printf("Log-likelihood  %18s %18s\n", "gradient steps", "EM");
  const auto cell = [](const Fit& fit, std::size_t i) {
    return i < fit.log_likelihood.size() ? formatted("%18.8f", fit.log_likelihood[i]) : std::string(18, ' ');
  };
  const std::size_t last = std::max(gradient.log_likelihood.size(), em.log_likelihood.size()) - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    // The first ten, then every tenth, and the last.
    if (i <= 10 || i % 10 == 0 || i == last) {
      std::printf("  iteration %-4zu %s %s\n", i, cell(gradient, i).c_str(), cell(em, i).c_str());
    }
  }
}

/// True unless both fits have converged to different places.
bool print_fits(const Fit& gradient, const Fit& em, double tolerance) {
  const Parameters& g = gradient.parameters;
  const Parameters& e = em.parameters;
  std::printf("\nFit             %18s %18s\n", "gradient steps", "EM");
  const auto line = [](const char* name, double left, double right) {
    std::printf("  %-13s %18.8g %18.8g\n", name, left, right);
  };
  line("weight 1", g.weight1(), e.weight1());
  line("mean 1", g.mean1, e.mean1);
  line("sd 1", g.sd1(), e.sd1());
  line("weight 2", g.weight2(), e.weight2());
  line("mean 2", g.mean2, e.mean2);
  line("sd 2", g.sd2(), e.sd2());
  std::printf("  %-13s %18d %18d\n", "iterations", gradient.iterations(), em.iterations());
  const double apart = step_length(g, difference(g, e));
  const int most = std::max(gradient.iterations(), em.iterations());
  if (!gradient.converged || !em.converged) {
    std::printf(
        "Not converged after %d iterations (--iterations allows more): the fits are %.1e standard deviations apart\n",
        most, apart);
    return true;
  }
  // Each fit stops a multiple of the tolerance short of the maximum; the multiple grows as convergence slows.
  const bool agree = apart <= 1000 * tolerance;
  std::printf("The fits %s: largest difference %.1e standard deviations\n", agree ? "agree" : "DIFFER", apart);
  return agree;
}

std::string history_text(const Fit& gradient, const Fit& em) {
  std::string text = "iteration,gradient_steps,em\n";
  const auto cell = [](const Fit& fit, std::size_t i) {
    return i < fit.log_likelihood.size() ? formatted("%.17g", fit.log_likelihood[i]) : std::string();
  };
  for (std::size_t i = 0; i < std::max(gradient.log_likelihood.size(), em.log_likelihood.size()); ++i) {
    text += std::to_string(i) + "," + cell(gradient, i) + "," + cell(em, i) + "\n";
  }
  return text;
}

int run(const Arguments& arguments) {
  const Column column = read_column(arguments.file, arguments.column, arguments.progress);
  const std::span<const double> rows = column.values;
  const std::string source = arguments.file + ": column '" + column.name + "'";
  try {
    check_data(rows);
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
  const Summary summary = summarise(rows);
  std::printf("%s: %zu values", source.c_str(), rows.size());
  if (column.empty_cells != 0) {
    std::printf(" (%zu empty cells skipped)", column.empty_cells);
  }
  std::printf(", mean %.6g, standard deviation %.6g\n\n", summary.mean, summary.sd);

  // About their mean the values keep their digits even if they are time stamps.
  std::vector<double> centred(rows.begin(), rows.end());
  for (double& x : centred) {
    x -= summary.mean;
  }
  const Parameters start = starting_point(centred);
  Fit gradient = fit_by_gradient(centred, start, arguments.fit, arguments.progress);
  Fit em = fit_by_em(centred, start, arguments.fit, arguments.progress);
  const bool gradients_agree =
      print_fisher_identity(fisher_identity(centred, start), fisher_identity(centred, gradient.parameters));
  for (Fit* fit : {&gradient, &em}) {
    fit->parameters.mean1 += summary.mean;
    fit->parameters.mean2 += summary.mean;
  }

  print_histories(gradient, em);
  const bool fits_agree = print_fits(gradient, em, arguments.fit.tolerance);
  if (!arguments.picture.output.empty()) {
    StagedFile history(std::filesystem::path(arguments.picture.output) / "history.csv");
    history.write(history_text(gradient, em));
    write_picture("mixture", arguments.picture.output, arguments.picture.format,
                  plot_script(column.name, column.values, gradient, em, arguments.picture.terminal()), &history);
  }
  return gradients_agree && fits_agree ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("mixture", argc, argv, parse, run); }
