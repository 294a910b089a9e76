#include "../common/options.hpp"
#include "compare.hpp"
#include "data.hpp"
#include "fit.hpp"
#include "plot.hpp"
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace softmax_classifier;
using example::ShowProgress;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  example::TableRequest table{.labelled = true};
  FitOptions fit;
  double held_out;
  int seed;
  example::PictureOptions picture;
  ShowProgress progress;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  FitOptions& fit = arguments.fit;
  example::CsvOptions csv;
  example::ProgressOption progress;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("held-out", po::value(&arguments.held_out)->value_name("SHARE")->default_value(0.3, "0.3"),
      "share of each class's rows to test with");
  add("seed", po::value(&arguments.seed)->value_name("N")->default_value(1), "another choice of these rows");
  add("penalty", po::value(&fit.penalty)->value_name("P")->default_value(fit.penalty, "0.001"),
      "the loss gets P / 2 times the sum of the squared weights");
  add("iterations,n", po::value(&fit.iterations)->value_name("N")->default_value(fit.iterations), "most iterations");
  add("tolerance,t", po::value(&fit.tolerance)->value_name("T")->default_value(fit.tolerance, "1e-6"),
      "a gradient with no entry larger than this ends the fit");
  arguments.picture.add_to(options, "softmax_classifier");
  csv.add_to(options);
  progress.add_to(options);
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: softmax_classifier DATA.csv [options]\n\n"
          "Fits multinomial logistic regression to a CSV file, numbers and in the last column labels, and\n"
          "compares the stable softmax with what other treatments of its maximum give.",
          &arguments.file)) {
    return std::nullopt;
  }
  example::require_file("softmax_classifier", arguments.file);
  example::check_range("held-out", arguments.held_out, 0.01, 0.99);
  example::check_range("seed", arguments.seed, 0, 1000000000);
  example::check_range("penalty", fit.penalty, 0.0, 1e6);
  example::check_range("iterations", fit.iterations, 1, 1000000);
  example::check_range("tolerance", fit.tolerance, 1e-15, 1.0);
  csv.apply_to(arguments.table);
  arguments.progress = progress.choice();
  arguments.picture.check();
  return arguments;
}

void print_history(const Fit& fit) {
  std::printf("  %-14s %12s %12s %18s\n", "cross-entropy", "training", "held out", "largest gradient");
  for (std::size_t i = 0; i <= fit.iterations(); ++i) {
    // 0, 1, 2, 5, 10, 20, 50, ..., and the last.
    std::size_t leading = i;
    while (leading >= 10 && leading % 10 == 0) {
      leading /= 10;
    }
    if (leading <= 2 || leading == 5 || i == fit.iterations()) {
      std::printf("  iteration %-4zu %12.6f %12.6f %18.2e\n", i, fit.training_loss[i], fit.held_out_loss[i],
                  fit.gradient[i]);
    }
  }
}

std::vector<std::size_t> predicted(const Matrix& logits) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < logits.shape(0); ++i) {
    const double* row = &logits(i, 0);
    result.push_back(static_cast<std::size_t>(std::max_element(row, row + logits.shape(1)) - row));
  }
  return result;
}

void print_accuracy(const char* name, const Examples& examples, const Fit& fit) {
  const std::vector<std::size_t> classes = predicted(logits(examples.features, fit.weights, fit.biases));
  std::size_t right = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    right += classes[i] == examples.classes[i] ? 1 : 0;
  }
  std::printf("  %-10s %zu of %zu right, %.1f %%\n", name, right, classes.size(),
              100 * static_cast<double>(right) / static_cast<double>(classes.size()));
}

/// The largest difference between the gradients of rows; NaN where one is.
double gradient_error(const Matrix& gradient, const Matrix& expected) {
  double worst = 0;
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    const double error = std::abs(gradient.data()[e] - expected.data()[e]) * static_cast<double>(gradient.shape(0));
    worst = error > worst || std::isnan(error) ? error : worst;
    if (std::isnan(worst)) {
      return worst;
    }
  }
  return worst;
}

struct Logits {
  Matrix z;
  Matrix one_hot;
};

/// Rows whose largest logit is one of two or three.
Logits tied_logits() {
  return {{{1, 1, 0}, {3, 3, 3}, {-20, 5, 5}, {0.1, -0.7, 0.1}}, {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}}};
}

Logits fitted_logits(const Data& data, const Fit& fit) {
  return {logits(data.held_out.features, fit.weights, fit.biases), data.held_out.one_hot};
}

/// Those of the fit, times what makes the largest 1e4 or -1e4, and a row with two of 1e4.
Logits large_logits(const Logits& fitted) {
  double largest = 0;
  for (const double e : fitted.z) {
    largest = std::max(largest, std::abs(e));
  }
  const std::size_t rows = fitted.z.shape(0);
  const std::size_t classes = fitted.z.shape(1);
  Logits result{Matrix({rows + 1, classes}, -1e4), Matrix({rows + 1, classes}, 0)};
  for (std::size_t e = 0; e < fitted.z.size(); ++e) {
    result.z.data()[e] = largest > 0 ? fitted.z.data()[e] * (1e4 / largest) : 0;
    result.one_hot.data()[e] = fitted.one_hot.data()[e];
  }
  result.z(rows, 0) = result.z(rows, 1) = 1e4;
  result.one_hot(rows, 0) = 1;
  return result;
}

/// Prints what the treatments of the maximum give; true if that is what the mathematics says.
bool print_comparison(const Logits& fitted) {
  const Logits tied = tied_logits();
  const Logits large = large_logits(fitted);
  const Reference tied_reference = reference(tied.z, tied.one_hot);
  const Reference fitted_reference = reference(fitted.z, fitted.one_hot);
  const Reference large_reference = reference(large.z, large.one_hot);
  std::printf(
      "What is done to the maximum that is subtracted from the logits: the largest differences of the gradient in the\n"
      "logits from softmax - Y, and what an evaluation takes\n"
      "  %-20s %9s %14s   %24s   %5s %5s %10s\n"
      "  %-20s %9s %14s   %13s %10s\n",
      "", "at ties", "fitted logits", "logits up to 1e4", "loops", "reads", "operations", "", "gradient", "gradient",
      "loss", "gradient");
  bool right = true;
  for (const Shift shift : all_shifts) {
    const LossAndGradient at_ties = cross_entropy(shift, tied.z, tied.one_hot);
    const LossAndGradient at_fit = cross_entropy(shift, fitted.z, fitted.one_hot);
    const LossAndGradient at_large = cross_entropy(shift, large.z, large.one_hot);
    const double tied_error = gradient_error(at_ties.gradient, tied_reference.gradient);
    const double fitted_error = gradient_error(at_fit.gradient, fitted_reference.gradient);
    const double large_error = gradient_error(at_large.gradient, large_reference.gradient);
    const auto same = [](double loss, double expected) { return std::abs(loss - expected) <= 1e-14 * expected; };
    bool expected = same(at_ties.loss, tied_reference.loss) && same(at_large.loss, large_reference.loss);
    const char* name = "";
    switch (shift) {
      case Shift::stopped:
        name = "stopped";
        expected = expected && std::max({tied_error, fitted_error, large_error}) <= 1e-15;
        break;
      case Shift::open:
        name = "not stopped";
        expected = expected && std::max({tied_error, fitted_error, large_error}) <= 1e-14;
        break;
      case Shift::stopped_in_sum:
      case Shift::stopped_at_class:
        name = shift == Shift::stopped_in_sum ? "stopped in the sum" : "stopped at the class";
        // Off by the derivative of the maximum: 1, at a tie of two 1/2.
        expected = expected && std::abs(tied_error - 0.5) <= 1e-14 && std::abs(large_error - 1) <= 1e-14;
        break;
      case Shift::none:
        name = "not subtracted";
        expected = same(at_ties.loss, tied_reference.loss) && tied_error <= 1e-14 && !std::isfinite(at_large.loss) &&
                   std::isnan(large_error);
        break;
    }
    const auto counts = at_ties.counts;
    std::printf("  %-20s %9.1e %14.1e   %13.6f %10.1e   %5d %5d %10d\n", name, tied_error, fitted_error, at_large.loss,
                large_error, counts.loops, counts.reads, counts.operations);
    right = right && expected;
  }
  std::printf("  %-20s %9s %14s   %13.6f\n", "long double", "", "", large_reference.loss);
  std::printf("The stop is %s\n", right ? "right" : "WRONG");
  return right;
}

int run(const Arguments& arguments) {
  const example::Table table = example::read_table(arguments.file, arguments.table, arguments.progress);
  Data data;
  try {
    data = split(table, arguments.held_out, static_cast<std::uint64_t>(arguments.seed));
  } catch (const Error& error) {
    throw Error(arguments.file + ": " + error.what());
  }
  std::printf("%s: %zu rows, %zu features, %zu classes of '%s'; %zu rows to learn from, %zu held out\n",
              arguments.file.c_str(), table.rows, table.names.size(), data.classes.size(), table.label_name.c_str(),
              data.training.classes.size(), data.held_out.classes.size());

  const Fit result = fit(data, arguments.fit, arguments.progress);
  const bool gradient_right = result.gradient_error <= 1e-14;
  std::printf("The gradient at the start %s: largest difference from X'(softmax - Y) / rows by hand %.1e\n\n",
              gradient_right ? "is right" : "is WRONG", result.gradient_error);
  print_history(result);
  if (result.converged) {
    std::printf("Converged after %zu iterations\n\n", result.iterations());
  } else {
    std::printf("Not converged after %d iterations (--iterations allows more)\n\n", arguments.fit.iterations);
  }
  print_accuracy("training", data.training, result);
  print_accuracy("held out", data.held_out, result);
  std::puts("");
  const bool stop_right = print_comparison(fitted_logits(data, result));
  if (!arguments.picture.output.empty()) {
    example::write_picture("softmax_classifier", arguments.picture.output, arguments.picture.format,
                           plot_script(data, result, arguments.picture.terminal()));
  }
  return gradient_right && stop_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("softmax_classifier", argc, argv, parse, run); }
