#include "../common/options.hpp"
#include "model.hpp"
#include "plot.hpp"
#include "sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace mixed_model;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  example::TableRequest table;
  example::CsvOptions csv;
  int draws;
  example::GeneratedOptions generated;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  arguments.table.labelled = true;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  arguments.csv.add_to(options);
  add("draws,d", po::value(&arguments.draws)->value_name("N")->default_value(4000), "of Hamiltonian Monte Carlo");
  arguments.generated.add_to(options, "instead of a file: so many made-up groups", "other draws and made-up groups",
                             "write the made-up groups to this file");
  arguments.picture.add_to(options, "mixed_model");
  if (!example::read_command_line(argc, argv, options,
                                  "Usage: mixed_model DATA.csv [options]\n\n"
                                  "Logistic regression with a random intercept for each group, by Laplace's\n"
                                  "approximation and by Hamiltonian Monte Carlo. The columns of the file: up to three\n"
                                  "predictors, the outcome, 0 or 1, and the group.",
                                  &arguments.file)) {
    return std::nullopt;
  }
  arguments.generated.check("mixed_model", arguments.file, 3, 100000);
  example::check_range("draws", arguments.draws, 100, 10000000);
  arguments.csv.apply_to(arguments.table);
  arguments.picture.check();
  return arguments;
}

/// Eight rows a group: a dose and a treatment, half of the groups have it.
std::string generated_text(int groups, std::uint64_t seed) {
  example::Random random(seed);
  std::string text = "dose,treated,better,clinic\n";
  for (int g = 0; g < groups; ++g) {
    const double u = random.normal();
    for (int i = 0; i < 8; ++i) {
      const double dose = std::round(100 * random.normal()) / 100;
      const int treated = (g + i) % 2;
      const double linear = -0.5 + 0.8 * dose + 1.0 * treated + 1.2 * u;
      text += example::formatted("%.2f,%d,%d,c%d\n", dose, treated, random.uniform() < 1 / (1 + std::exp(-linear)), g);
    }
  }
  return text;
}

Data read(const std::string& path, const example::TableRequest& request) {
  const auto table = example::read_table(path, request, example::ShowProgress::never);
  const std::size_t predictors = table.names.size() - 1;
  if (predictors < 1 || predictors > most_predictors) {
    throw example::Error(path + ": " + std::to_string(predictors) + " predictors, from 1 to 3 are understood");
  }
  Data data;
  data.names.push_back("intercept");
  data.fitted.push_back(0);
  for (std::size_t i = 0; i < predictors; ++i) {
    data.names.push_back(table.names[i]);
    data.fitted.push_back(i + 1);
  }
  data.names.push_back("log sigma");
  data.fitted.push_back(most_predictors + 1);
  data.rows = table.rows;
  std::map<std::string, std::size_t> index;
  double ones = 0;
  for (std::size_t r = 0; r < table.rows; ++r) {
    const double* const numbers = &table.numbers[r * table.names.size()];
    Row row{};
    std::copy_n(numbers, predictors, row.begin());
    const double y = row[most_predictors] = numbers[predictors];
    if (y != 0 && y != 1) {
      throw example::Error(path + ": row " + std::to_string(r + 1) + ": the outcome is neither 0 nor 1");
    }
    ones += y;
    const auto [at, is_new] = index.emplace(table.labels[r], data.groups.size());
    if (is_new) {
      data.groups.emplace_back();
    }
    data.groups[at->second].push_back(row);
  }
  if (data.groups.size() < 3) {
    throw example::Error(path + ": " + std::to_string(data.groups.size()) + " groups, at least 3 are needed");
  }
  if (ones == 0 || ones == static_cast<double>(table.rows)) {
    throw example::Error(path + ": all outcomes are equal");
  }
  return data;
}

int run(const Arguments& arguments) {
  std::string path = arguments.file;
  const std::string text =
      path.empty() ? generated_text(arguments.generated.count, static_cast<std::uint64_t>(arguments.generated.seed))
                   : "";
  if (path.empty()) {
    if (arguments.generated.save.empty()) {
      throw example::Error("--generate needs --save: where to write the groups");
    }
    path = arguments.generated.save;
    example::write_file(path, text);
  }
  const Data data = read(path, arguments.table);
  const example::Minimum fitted = fit(data, 200);
  std::printf("%zu rows in %zu groups\n", data.rows, data.groups.size());
  std::printf("Laplace's approximation: log-likelihood %.8f, at the start %.8f%s\n", -fitted.at.value,
              -fitted.values.front(), fitted.converged ? "" : ": NOT CONVERGED");
  if (!fitted.converged) {
    return 1;
  }
  const auto size = static_cast<Eigen::Index>(data.fitted.size());
  const Eigen::MatrixXd covariance = fitted.at.hessian.llt().solve(Eigen::MatrixXd::Identity(size, size));
  const Eigen::VectorXd errors = covariance.diagonal().cwiseSqrt();
  const Posterior posterior =
      sample(data, fitted.x, errors, arguments.draws, static_cast<std::uint64_t>(arguments.generated.seed));
  std::printf("Hamiltonian Monte Carlo: %d draws, %.0f %% of the proposals accepted\n\n", arguments.draws,
              100 * posterior.accepted);
  std::printf("                  maximum  standard error   posterior mean +- error  standard deviation\n");
  for (std::size_t i = 0; i < data.fitted.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const Summary summary = summary_of(posterior.draws[i]);
    std::printf("  %-12s %10.6f %14.4f %16.3f +- %.3f %15.3f\n", data.names[i].c_str(), fitted.x[k], errors[k],
                summary.mean, summary.error, summary.sd);
  }
  if (!arguments.picture.output.empty()) {
    example::write_picture("mixed_model", arguments.picture.output, arguments.picture.format,
                           plot_script(data, fitted.x, errors, posterior, arguments.picture.terminal()));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("mixed_model", argc, argv, parse, run); }
