#include "../common/options.hpp"
#include "check.hpp"
#include "plot.hpp"
#include "train.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace recurrent;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  int length = 500;
  int delay = 3;
  int seed = 2;
  Options train;
  example::TableRequest table;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  Options& train = arguments.train;
  example::CsvOptions csv;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("length,n", po::value(&arguments.length)->value_name("N")->default_value(arguments.length),
      "without a file: steps of the generated sequences");
  add("delay,d", po::value(&arguments.delay)->value_name("N")->default_value(arguments.delay),
      "without a file: by how many steps the targets are late");
  add("seed", po::value(&arguments.seed)->value_name("N")->default_value(arguments.seed),
      "other weights at the start and another generated sequence");
  add("epochs,e", po::value(&train.epochs)->value_name("N")->default_value(train.epochs), "steps of Adam");
  add("rate,r", po::value(&train.rate)->value_name("R")->default_value(train.rate, "0.02"), "length of Adam's steps");
  add("period,p", po::value(&train.period)->value_name("N")->default_value(train.period),
      "steps between restarts of the truncated gradient");
  arguments.picture.add_to(options, "recurrent");
  csv.add_to(options);
  if (!example::read_command_line(argc, argv, options,
                                  "Usage: recurrent [DATA.csv] [options]\n\n"
                                  "Trains a gated recurrent unit, by gradients through all steps and by truncated "
                                  "ones, on a CSV file with the\n"
                                  "columns input and target, the first half to learn from, or on a generated sequence.",
                                  &arguments.file)) {
    return std::nullopt;
  }
  example::check_range("length", arguments.length, 10, 1000000);
  example::check_range("delay", arguments.delay, 0, 1000);
  example::check_range("seed", arguments.seed, 0, 1000000000);
  example::check_range("epochs", train.epochs, 1, 1000000);
  example::check_range("rate", train.rate, 1e-8, 1.0);
  example::check_range("period", train.period, 1, 1000000);
  train.seed = static_cast<std::uint64_t>(arguments.seed);
  csv.apply_to(arguments.table);
  arguments.picture.check();
  return arguments;
}

/// What to learn from and what to test with.
std::pair<Sequence, Sequence> sequences(const Arguments& arguments) {
  if (arguments.file.empty()) {
    const auto length = static_cast<std::size_t>(arguments.length), delay = static_cast<std::size_t>(arguments.delay);
    return {echo(length, delay, arguments.train.seed + 1), echo(length, delay, arguments.train.seed + 2)};
  }
  const example::Table table = example::read_table(arguments.file, arguments.table, example::ShowProgress::automatic);
  if (table.names.size() != 2) {
    throw Error(arguments.file + ": two columns are needed, inputs and targets");
  }
  if (table.rows < 10) {
    throw Error(arguments.file + ": too few rows: " + std::to_string(table.rows) + ", but 10 are needed");
  }
  std::pair<Sequence, Sequence> result;
  for (std::size_t t = 0; t < table.rows; ++t) {
    Sequence& half = t < table.rows / 2 ? result.first : result.second;
    half.inputs.push_back(table.numbers[2 * t]);
    half.targets.push_back(table.numbers[2 * t + 1]);
  }
  return result;
}

int run(const Arguments& arguments) {
  const auto [learnt, held_out] = sequences(arguments);
  std::printf("%zu steps to learn from, %zu held out; %zu units\n", learnt.size(), held_out.size(), units);

  const Network<double> network = start(arguments.train.seed);
  const std::array errors{difference_error<Truncation::none>(network, learnt, arguments.train),
                          difference_error<Truncation::at_restarts>(network, learnt, arguments.train),
                          difference_error<Truncation::every_step>(network, learnt, arguments.train)};
  const bool right = std::ranges::max(errors) <= 1e-7;
  std::printf(
      "The gradients %s: largest relative differences from quotients with stopped states held %.0e %.0e %.0e\n\n",
      right ? "are right" : "are WRONG", errors[0], errors[1], errors[2]);

  const std::array trainings{train<Truncation::none>(learnt, arguments.train),
                             train<Truncation::at_restarts>(learnt, arguments.train),
                             train<Truncation::every_step>(learnt, arguments.train)};
  constexpr std::array bytes{bytes_per_step<Truncation::none>, bytes_per_step<Truncation::at_restarts>,
                             bytes_per_step<Truncation::every_step>};
  const std::array names{std::string("no stop"), "a stop every " + std::to_string(arguments.train.period) + " steps",
                         std::string("a stop at every step")};
  std::printf("mean squared error       %10s %10s %10s %14s\n", "start", "end", "held out", "bytes a step");
  for (std::size_t k = 0; k < trainings.size(); ++k) {
    std::printf("  %-22s %10.5f %10.5f %10.5f %14zu\n", names[k].c_str(), trainings[k].errors.front(),
                trainings[k].errors.back(), mean_squared_error(trainings[k].network, held_out), bytes[k]);
  }
  if (!arguments.picture.output.empty()) {
    example::write_picture("recurrent", arguments.picture.output, arguments.picture.format,
                           plot_script(trainings, held_out, arguments.train.period, arguments.picture.terminal()));
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("recurrent", argc, argv, parse, run); }
