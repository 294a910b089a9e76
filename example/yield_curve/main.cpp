#include "../common/options.hpp"
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

using namespace yield_curve;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  example::TableRequest table;
  example::CsvOptions csv;
  int iterations;
  example::GeneratedOptions generated;
  double noise;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  arguments.csv.add_to(options);
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(500), "most iterations");
  arguments.generated.add_to(options, "instead of a file: so many made-up bonds", "other made-up bonds",
                             "write the made-up bonds to this file");
  add("noise", po::value(&arguments.noise)->value_name("SD")->default_value(0.03, "0.03"),
      "of made-up prices, in percent of yield");
  arguments.picture.add_to(options, "yield_curve");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: yield_curve BONDS.csv [options]\n\n"
          "Calibrates Svensson's yield curve to bonds by Levenberg and Marquardt's method. The\n"
          "columns of the file: maturity in years, coupon and price of 100, accrued interest\n"
          "included.",
          &arguments.file)) {
    return std::nullopt;
  }
  arguments.generated.check("yield_curve", arguments.file, 10, 100000);
  example::check_range("noise", arguments.noise, 0.0, 10.0);
  example::check_range("iterations", arguments.iterations, 1, 100000);
  arguments.csv.apply_to(arguments.table);
  arguments.picture.check();
  return arguments;
}

std::vector<Bond> read_bonds(const Arguments& arguments) {
  const auto table = example::read_table(arguments.file, arguments.table, example::ShowProgress::never);
  if (table.names.size() != 3) {
    throw example::Error(arguments.file + ": " + std::to_string(table.names.size()) +
                         " columns where maturity, coupon and price belong");
  }
  std::vector<Bond> bonds;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const Bond bond{table.numbers[3 * row], table.numbers[3 * row + 1], table.numbers[3 * row + 2]};
    const auto check = [&](bool fits, const char* what) {
      if (!fits) {
        throw example::Error(arguments.file + ": row " + std::to_string(row + 1) + ": " + what);
      }
    };
    check(bond.maturity > 0 && bond.maturity <= 200, "the maturity is not between 0 and 200 years");
    check(bond.coupon >= 0 && bond.coupon <= 100, "the coupon is not between 0 and 100");
    check(bond.price > 0 && bond.price <= 10000, "the price is not between 0 and 10000");
    bonds.push_back(bond);
  }
  if (bonds.size() < 7) {
    throw example::Error(arguments.file + ": too few bonds: " + std::to_string(bonds.size()) +
                         ", six parameters need at least 7");
  }
  return bonds;
}

void save(const std::vector<Bond>& bonds, const std::string& path) {
  std::string text = "maturity,coupon,price\n";
  for (const auto& [maturity, coupon, price] : bonds) {
    text += example::formatted("%g,%g,%.6f\n", maturity, coupon, price);
  }
  example::write_file(path, text);
}

int run(const Arguments& arguments) {
  const auto bonds = arguments.file.empty()
                         ? generate(static_cast<std::size_t>(arguments.generated.count), arguments.noise,
                                    static_cast<std::uint64_t>(arguments.generated.seed))
                         : read_bonds(arguments);
  if (!arguments.generated.save.empty()) {
    save(bonds, arguments.generated.save);
  }
  const example::Minimum fitted = calibrate(bonds, arguments.iterations);
  const double freedom = static_cast<double>(bonds.size() - 6);
  const double error = std::sqrt(2 * fitted.at.value / freedom);
  std::printf("%zu bonds, half the sum of squares %.10g at the start, %.10g after %zu iterations%s\n", bonds.size(),
              fitted.values.front(), fitted.at.value, fitted.values.size() - 1,
              fitted.converged ? "" : ": NOT CONVERGED");
  std::printf("Error of a yield, standard deviation: %.4f percent\n\n", error);

  const Eigen::MatrixXd covariance = error * error * fitted.at.hessian.ldlt().solve(Eigen::MatrixXd::Identity(6, 6));
  Parameters p;
  Eigen::VectorXd::Map(p.data(), 6) = fitted.x;
  const std::array names{"b0", "b1", "b2", "b3", "tau 1", "tau 2"};
  std::printf("Svensson's curve          standard error\n");
  for (std::size_t i = 0; i < 6; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const bool is_time = i >= 4;
    const double value = is_time ? std::exp(p[i]) : p[i];
    std::printf("  %-8s %12.6f %12.4f\n", names[i], value, std::sqrt(covariance(k, k)) * (is_time ? value : 1));
  }
  std::printf("\nZero rates, percent       standard error\n");
  for (const double time : {1.0, 2.0, 5.0, 10.0, 20.0, 30.0}) {
    const auto rate = zero_rate_with_error(p, covariance, time);
    std::printf("  %2g years %12.6f %12.4f\n", time, rate.value, rate.error);
  }
  if (!arguments.picture.output.empty()) {
    example::write_picture("yield_curve", arguments.picture.output, arguments.picture.format,
                           plot_script(bonds, p, covariance, arguments.picture.terminal()));
  }
  return fitted.converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("yield_curve", argc, argv, parse, run); }
