#include "../common/options.hpp"
#include "fit.hpp"
#include "hessian.hpp"
#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace expectation_maximization;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  example::TableRequest table;
  int components;
  int seed;
  FitOptions fit;
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
  add("components,k", po::value(&arguments.components)->value_name("K")->default_value(3), "components, 1 to 50");
  add("seed", po::value(&arguments.seed)->value_name("N")->default_value(1), "another choice of rows to start from");
  add("iterations,n", po::value(&fit.iterations)->value_name("N")->default_value(fit.iterations),
      "most iterations of each fit");
  add("tolerance,t", po::value(&fit.tolerance)->value_name("T")->default_value(fit.tolerance, "1e-7"),
      "an iteration that changes nothing by more than T standard deviations ends a fit");
  arguments.picture.add_to(options, "expectation_maximization");
  csv.add_to(options);
  progress.add_to(options);
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: expectation_maximization DATA.csv [options]\n\n"
          "Fits a mixture of normal distributions to all columns of a CSV file, by EM with M-steps in closed\n"
          "form and by gradient, and by single gradient steps with and without stopped responsibilities.",
          &arguments.file)) {
    return std::nullopt;
  }
  example::require_file("expectation_maximization", arguments.file);
  example::check_range("components", arguments.components, 1, 50);
  example::check_range("seed", arguments.seed, 0, 1000000000);
  example::check_range("iterations", fit.iterations, 1, 1000000);
  example::check_range("tolerance", fit.tolerance, 1e-15, 1.0);
  csv.apply_to(arguments.table);
  arguments.progress = progress.choice();
  arguments.picture.check();
  return arguments;
}

std::vector<Column> columns_of(const example::Table& table) {
  std::vector<Column> columns;
  const std::size_t d = table.names.size();
  const auto n = static_cast<double>(table.rows);
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t row = 0; row < table.rows; ++row) {
      mean += table.numbers[row * d + j] / n;
    }
    double variance = 0;
    for (std::size_t row = 0; row < table.rows; ++row) {
      const double deviation = table.numbers[row * d + j] - mean;
      variance += deviation * deviation / n;
    }
    const double sd = std::sqrt(variance);
    if (!std::isfinite(mean) || !std::isfinite(sd)) {
      throw Error("column '" + table.names[j] + "': the values are too large");
    }
    // Rounding makes a spread of equal values too.
    if (!(sd > 1e-12 * std::abs(mean))) {
      throw Error("column '" + table.names[j] + "': all values are equal");
    }
    columns.push_back({table.names[j], mean, sd});
  }
  return columns;
}

Data standardised(const example::Table& table, const std::vector<Column>& columns) {
  const std::size_t d = columns.size();
  Matrix X = Matrix::from_shape({d, table.rows});
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t j = 0; j < d; ++j) {
      X(j, row) = (table.numbers[row * d + j] - columns[j].mean) / columns[j].sd;
    }
  }
  return Data(std::move(X));
}

template <class Tensor>
double largest(const Tensor& tensor) {
  double result = 0;
  for (const double e : tensor) {
    result = std::max(result, std::abs(e));
  }
  return result;
}

double largest(const Parameters& p) { return std::max({largest(p.a), largest(p.m), largest(p.A)}); }

/// Compares the gradients of the log-likelihood and with responsibilities stopped, in the parameters.
bool print_fisher_identity(const char* where, const Data& data, const Parameters& at) {
  const ValueAndGradient open = open_log_likelihood(data, at);
  const ValueAndGradient stopped = stopped_free_energy(data, at);
  const Parameters& g = stopped.gradient;
  const Parameters& h = open.gradient;
  const double difference = std::max({largest(g.a - h.a), largest(g.m - h.m), largest(g.A - h.A)});
  // At a maximum the gradient is nothing but rounding: there relative to the number of terms, each about 1.
  const double relative = difference / std::max(largest(h), static_cast<double>(data.rows()));
  const double values = std::abs(stopped.value - open.value) / std::abs(open.value);
  std::printf("  %-8s largest entry %9.2e, relative difference %.1e; of the values %.1e\n", where, largest(h), relative,
              values);
  return relative <= 1e-12 && values <= 1e-12;
}

bool print_objectives(const Matrix& log_joint) {
  const Matrix R = responsibilities(log_joint);
  std::printf(
      "\nAs formulas of the joint log-densities l, with responsibilities r = softmax(l); the gradient should be r\n"
      "  %-28s %16s %14s   %5s %5s %10s\n",
      "", "value", "gradient off", "loops", "reads", "operations");
  bool right = true;
  for (const Objective objective : all_objectives) {
    const InJoint result = in_joint(objective, log_joint);
    const char* name = "";
    switch (objective) {
      case Objective::log_likelihood: name = "log sum exp l"; break;
      case Objective::free_energy_stopped: name = "r (l - log r), r stopped"; break;
      case Objective::free_energy_open: name = "r (l - log r)"; break;
      case Objective::expected_stopped: name = "r l, r stopped"; break;
      case Objective::expected_open: name = "r l: WITHOUT ITS STOP"; break;
    }
    const double error = largest(result.gradient - R);
    std::printf("  %-28s %16.6f %14.1e   %5d %5d %10d\n", name, result.value, error, result.counts.loops,
                result.counts.reads, result.counts.operations);
    // With one component r is 1, and there is nothing to forget.
    right = right && (objective == Objective::expected_open ? error > 0.01 || R.shape(0) == 1 : error <= 1e-12);
  }
  std::printf("The stop is %s\n", right ? "right" : "WRONG");
  return right;
}

/// One M-step by gradient, and as many gradient steps without the stop.
void print_one_m_step(const Data& data, const Parameters& start, double constant) {
  const Matrix log_joint = joint(data, start);
  const Matrix R = responsibilities(log_joint);
  const Parameters exact = closed_form(data, R);
  std::printf("\nThe first M-step\n  %-30s %16s %12s %22s\n  %-30s %16.6f %12s %22s\n", "", "log-likelihood", "E-steps",
              "from the closed form", "start", log_likelihood(log_joint) + constant, "", "");
  const auto line = [&](const std::string& name, const Parameters& p, int e_steps) {
    std::printf("  %-30s %16.6f %12d %22.1e\n", name.c_str(), log_likelihood(joint(data, p)) + constant, e_steps,
                distance(exact, p));
  };
  line("closed form", exact, 1);
  int kept = 0;
  const Parameters ascended = ascend_kept(data, start, R, kept);
  line(example::formatted("%d gradient steps, r kept", kept - 1), ascended, 1);
  Place place{start, open_log_likelihood(data, start)};
  int open = 1;
  for (int i = 1; i < kept; ++i) {
    ascend(place, data.rows(), [&](const Parameters& p) { return open_log_likelihood(data, p); }, open);
  }
  line(example::formatted("%d gradient steps, r not kept", kept - 1), place.at, open);
}

void print_components(const Parameters& p, const std::vector<Column>& columns) {
  std::printf("\n  %-12s %8s   mean of each column, standard deviation\n", "", "weight");
  const Vector weight = weights(p);
  for (std::size_t k = 0; k < p.components(); ++k) {
    std::printf("  component %-2zu %8.5f  ", k + 1, weight(k));
    const Factor Q = inverse(factor(p, k));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      double variance = 0;
      for (std::size_t l = 0; l <= j; ++l) {
        variance += Q(j, l) * Q(j, l);
      }
      std::printf(" %10.5g %-9.5g", columns[j].mean + columns[j].sd * p.m(k, j), columns[j].sd * std::sqrt(variance));
    }
    std::puts("");
  }
}

int run(const Arguments& arguments) {
  const example::Table table = example::read_table(arguments.file, arguments.table, arguments.progress);
  const auto components = static_cast<std::size_t>(arguments.components);
  const std::size_t d = table.names.size();
  std::vector<Column> columns;
  std::optional<Data> standard;
  std::optional<Parameters> first;
  try {
    if (d > 50) {
      throw Error(std::to_string(d) + " columns; at most 50");
    }
    if (const std::size_t least = components * (d + 2); table.rows < least) {
      throw Error("too few rows: " + std::to_string(table.rows) + "; " + std::to_string(components) +
                  " components in " + std::to_string(d) + " dimensions need at least " + std::to_string(least));
    }
    columns = columns_of(table);
    standard = standardised(table, columns);
    first = starting_point(*standard, components, static_cast<std::uint64_t>(arguments.seed));
  } catch (const Error& error) {
    throw Error(arguments.file + ": " + error.what());
  }
  const Data& data = *standard;
  const Parameters& start = *first;
  std::printf("%s: %zu rows in %zu dimensions, %zu components\n", arguments.file.c_str(), table.rows, d, components);
  // What the log-likelihoods of the standardised rows leave out.
  double constant = -0.5 * static_cast<double>(d) * std::log(2 * std::numbers::pi);
  for (const Column& column : columns) {
    constant -= std::log(column.sd);
  }
  constant *= static_cast<double>(data.rows());

  const Fit em = fit_by_em(MStep::closed_form, data, start, arguments.fit, arguments.progress);
  const Fit gradient = fit_by_em(MStep::gradient, data, start, arguments.fit, arguments.progress);
  const Fit single =
      fit_by_single_steps(stopped_free_energy, "single steps", data, start, arguments.fit, arguments.progress);
  const Fit open =
      fit_by_single_steps(open_log_likelihood, "without stop", data, start, arguments.fit, arguments.progress);

  std::puts("\nFisher's identity: the gradient with stopped responsibilities is that of the log-likelihood");
  bool right = print_fisher_identity("start", data, start);
  right = print_fisher_identity("fit", data, gradient.parameters) && right;
  right = print_objectives(joint(data, start)) && right;
  print_one_m_step(data, start, constant);

  std::printf("\n%-32s %10s %18s %8s %10s %14s\n", "Fits", "iterations", "log-likelihood", "E-steps", "gradients",
              "largest fall");
  bool converged = true;
  bool never_falls = true;
  for (const auto& [name, fit] : {std::pair<const char*, const Fit*>{"EM, M-steps in closed form", &em},
                                  {"EM, M-steps by gradient", &gradient},
                                  {"one gradient step, r stopped", &single},
                                  {"one gradient step, no stop", &open}}) {
    std::printf("  %-30s %10d %18.8f %8d %10d %14.1e\n", name, fit->iterations(), fit->log_likelihood.back() + constant,
                fit->e_steps, fit->gradients, fit->largest_fall());
    converged = converged && fit->converged;
    never_falls = never_falls && fit->largest_fall() <= rounding(data.rows());
  }
  std::printf("The log-likelihood %s\n", never_falls ? "never falls" : "FALLS");
  const bool m_steps_right = gradient.off_closed_form <= 1e-6;
  std::printf("All M-steps by gradient %s those in closed form: largest distance %.1e standard deviations\n",
              m_steps_right ? "are" : "ARE NOT", gradient.off_closed_form);
  bool agree = true;
  if (converged) {
    const double size = std::max(1.0, 1e-5 * std::abs(em.log_likelihood.back()));
    const double apart = std::abs(gradient.log_likelihood.back() - em.log_likelihood.back());
    agree = apart <= 1e-8 * size;
    std::printf("The fits by EM %s: their log-likelihoods differ by %.1e\n", agree ? "agree" : "DIFFER", apart);
  } else {
    std::printf("Not converged after %d iterations (--iterations allows more)\n", arguments.fit.iterations);
  }
  if (converged && components > 1 && gradient.iterations() > 1 && gradient.lengths.back() > 1e-11) {
    const Curvatures c = curvatures(data, gradient);
    const bool hessians_right = c.mismatch() <= 1e-5;
    std::printf(
        "\nSecond derivatives along the last step of EM\n"
        "  responsibilities stopped: all information %12.6g\n"
        "  what the stop left out: missing           %12.6g\n"
        "  log-likelihood: all less missing          %12.6g, by differences %.6g\n"
        "The Hessians %s, and EM's rate of convergence is missing / all: %.4f, observed %.4f\n",
        c.complete, c.missing, c.complete - c.missing, c.observed, hessians_right ? "are right" : "are WRONG",
        c.predicted_rate(), gradient.lengths.back() / gradient.lengths[gradient.lengths.size() - 2]);
    right = right && hessians_right;
  }
  print_components(gradient.parameters, columns);
  if (!arguments.picture.output.empty()) {
    example::write_picture("expectation_maximization", arguments.picture.output, arguments.picture.format,
                           plot_script(data, columns, em, gradient, single, arguments.picture.terminal()));
  }
  return right && never_falls && m_steps_right && agree ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("expectation_maximization", argc, argv, parse, run); }
