#include "../common/options.hpp"
#include "../common/random.hpp"
#include "model.hpp"
#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace gaussian_process;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  example::TableRequest table;
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
  arguments.csv.add_to(options);
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(100), "most iterations");
  arguments.generated.add_to(options, "write so many made-up rows to the file of --save, and fit them",
                             "other made-up rows", "where --generate writes");
  arguments.picture.add_to(options, "gaussian_process");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: gaussian_process DATA.csv [options]\n\n"
          "Gaussian-process regression of the second column on the first; amplitude, length and\n"
          "noise by the marginal likelihood.",
          &arguments.file)) {
    return std::nullopt;
  }
  arguments.generated.check("gaussian_process", arguments.file, 5, 5000);
  if (arguments.generated.count != 0 && arguments.generated.save.empty()) {
    throw example::Error("--generate needs --save: where to write the rows");
  }
  example::check_range("iterations", arguments.iterations, 1, 100000);
  arguments.csv.apply_to(arguments.table);
  arguments.picture.check();
  return arguments;
}

std::string generated_text(int count, std::uint64_t seed) {
  example::Random random(seed);
  std::string text = "x,y\n";
  for (int i = 0; i < count; ++i) {
    const double x = 10 * random.uniform();
    const double f = 3 + std::sin(x) + 0.4 * std::sin(3.1 * x) * std::exp(-0.2 * x);
    text += example::formatted("%.3f,%.4f\n", x, f + random.normal(0, 0.15));
  }
  return text;
}

Data read(const std::string& path, const example::TableRequest& request) {
  const auto table = example::read_table(path, request, example::ShowProgress::never);
  if (table.names.size() != 2) {
    throw example::Error(path + ": " + std::to_string(table.names.size()) + " columns where x and y belong");
  }
  if (table.rows < 5 || table.rows > 5000) {
    throw example::Error(path + ": " + std::to_string(table.rows) + " rows, from 5 to 5000 are understood");
  }
  Data data;
  for (std::size_t i = 0; i < table.rows; ++i) {
    data.x.push_back(table.numbers[2 * i]);
    data.y.push_back(table.numbers[2 * i + 1]);
    data.mean += data.y.back() / static_cast<double>(table.rows);
  }
  for (double& value : data.y) {
    value -= data.mean;
  }
  const auto equal = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [&](double v) { return v == values.front(); });
  };
  if (equal(data.x) || equal(data.y)) {
    throw example::Error(path + ": all " + (equal(data.x) ? "x" : "y") + " are equal");
  }
  return data;
}

int run(const Arguments& arguments) {
  std::string path = arguments.file;
  if (path.empty()) {
    path = arguments.generated.save;
    example::write_file(
        path, generated_text(arguments.generated.count, static_cast<std::uint64_t>(arguments.generated.seed)));
  }
  const Data data = read(path, arguments.table);
  const example::Minimum fitted = fit(data, arguments.iterations);
  std::printf("%zu rows, log marginal likelihood %.8f at the start, %.8f after %zu iterations%s\n\n", data.x.size(),
              -fitted.values.front(), -fitted.at.value, fitted.values.size() - 1,
              fitted.converged ? "" : ": NOT CONVERGED");
  const Eigen::MatrixXd covariance_of_fit = fitted.at.hessian.llt().solve(Eigen::MatrixXd::Identity(3, 3));
  const std::array names{"amplitude", "length", "noise"};
  Parameters p;
  std::printf("                          standard error\n");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    p[i] = fitted.x[k];
    std::printf("  %-10s %12.6f %12.4f\n", names[i], std::exp(p[i]),
                std::exp(p[i]) * std::sqrt(covariance_of_fit(k, k)));
  }
  const auto [low, high] = std::ranges::minmax(data.x);
  std::vector<double> places;
  for (int i = 0; i <= 200; ++i) {
    places.push_back(low + (high - low) * i / 200);
  }
  const auto predictions = predict(data, p, places);
  std::printf("\nIn the middle of the x, %.6g: %.6f, standard deviation %.6f\n", places[100], predictions[100].mean,
              predictions[100].sd);
  if (!arguments.picture.output.empty()) {
    example::write_picture("gaussian_process", arguments.picture.output, arguments.picture.format,
                           plot_script(data, places, predictions, arguments.picture.terminal()));
  }
  return fitted.converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("gaussian_process", argc, argv, parse, run); }
