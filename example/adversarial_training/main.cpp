#include "../common/options.hpp"
#include "attack.hpp"
#include "check.hpp"
#include "data.hpp"
#include "plot.hpp"
#include "train.hpp"

#include <boost/optional.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace adversarial_training;
using example::Error;
namespace po = boost::program_options;

struct Arguments {
  Options training;
  int points = 200;
  int test_points = 500;
  double noise = 0.05;
  std::string images;  ///< empty: two moons
  std::string labels;
  std::pair<unsigned, unsigned> classes;
  int count = 10000;
  std::string write_idx;
  example::PictureOptions picture;
  example::ShowProgress progress;
};

/// Two labels with a comma between.
std::pair<unsigned, unsigned> parse_classes(const std::string& text) {
  std::pair<unsigned, unsigned> result{};
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, result.first);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == ',') {
    const auto second = std::from_chars(first.ptr + 1, end, result.second);
    if (second.ec == std::errc() && second.ptr == end && result.first < 256 && result.second < 256 &&
        result.first != result.second) {
      return result;
    }
  }
  throw Error("--classes " + example::printable(text) + ": must be two different labels from 0 to 255, such as 3,7");
}

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  Options& training = arguments.training;
  std::string classes;
  boost::optional<double> radius;
  example::ProgressOption progress;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("points,p", po::value(&arguments.points)->value_name("N")->default_value(arguments.points),
      "points of the two moons to train on");
  add("noise", po::value(&arguments.noise)->value_name("SD")->default_value(arguments.noise, "0.05"), "their noise");
  add("images", po::value(&arguments.images)->value_name("FILE"),
      "tell images of an IDX file apart instead, such as MNIST's train-images-idx3-ubyte");
  add("labels", po::value(&arguments.labels)->value_name("FILE"), "their labels, such as train-labels-idx1-ubyte");
  add("classes", po::value(&classes)->value_name("A,B")->default_value("3,7"), "the two labels to tell apart");
  add("count", po::value(&arguments.count)->value_name("N")->default_value(arguments.count),
      "of the images, the first N");
  add("radius,r", po::value(&radius)->value_name("R"),
      "length of the attacks in training (default: 0.3 for moons, 0.5 for images)");
  add("steps,k", po::value(&training.steps)->value_name("K")->default_value(training.steps),
      "steps of these attacks; the last is differentiated or stopped");
  add("hidden", po::value(&training.hidden)->value_name("N")->default_value(training.hidden), "hidden units");
  add("updates,n", po::value(&training.updates)->value_name("N")->default_value(training.updates), "updates");
  add("rate", po::value(&training.rate)->value_name("R")->default_value(training.rate, "0.01"), "learning rate");
  add("seed", po::value(&training.seed)->value_name("N")->default_value(training.seed), "other points and weights");
  add("write-idx", po::value(&arguments.write_idx)->value_name("DIR"),
      "write images of lines, and their labels 0 to 2, as IDX files there, and no more");
  arguments.picture.add_to(options, "adversarial_training");
  progress.add_to(options);
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: adversarial_training [options]\n\n"
          "Trains a network plainly, on points moved by an attack that is stopped, and on points moved by one\n"
          "that is differentiated through; compares how they withstand attacks.")) {
    return std::nullopt;
  }
  if (arguments.images.empty() != arguments.labels.empty()) {
    throw Error("--images and --labels go together");
  }
  training.radius = radius.value_or(arguments.images.empty() ? 0.3 : 0.5);
  example::check_range("points", arguments.points, 10, 100000);
  example::check_range("noise", arguments.noise, 0.0, 1.0);
  example::check_range("count", arguments.count, 10, 1000000);
  example::check_range("radius", training.radius, 1e-6, 1000.0);
  example::check_range("steps", training.steps, 1, 100);
  example::check_range("hidden", training.hidden, 1, 1000);
  example::check_range("updates", training.updates, 1, 10000000);
  example::check_range("rate", training.rate, 1e-6, 1.0);
  example::check_range("seed", training.seed, 0, 1000000000);
  arguments.classes = parse_classes(classes);
  arguments.progress = progress.choice();
  arguments.picture.check();
  return arguments;
}

/// Prints how the gradients compare at a network; whether those that should agree do.
bool check_gradients(const Parameters& p, const Points& data, double length) {
  // No more than a batch: differences take the loss many times.
  const std::size_t count = std::min(Batches::largest, data.classes.size());
  Points some{matrix::from_shape({count, data.points.shape(1)}), vector::from_shape({count})};
  std::copy_n(data.points.data(), some.points.size(), some.points.data());
  std::copy_n(data.classes.data(), count, some.classes.data());
  const Comparison found = compare(p, some, length);
  std::printf("Gradients at the plain network, largest differences (largest entry %.3g)\n", found.largest);
  std::printf("  stopped, plain with the attacked points as data            %.1e\n", found.constant);
  std::printf("  stopped, central differences with the attack held          %.1e\n", found.held);
  std::printf("  not stopped, central differences with the attack moving    %.1e\n", found.moving);
  std::printf("  stopped, not stopped                                       %.1e\n", found.stopped_or_not);
  const bool right = found.constant <= 1e-12 * std::max(1.0, found.largest) &&
                     std::max(found.held, found.moving) <= 1e-6 * std::max(1.0, found.largest);
  std::printf("The gradients %s\n\n", right ? "are right" : "are WRONG");
  return right;
}

void print_effect_of_steps(const Parameters& p, const Points& data, double length) {
  std::printf("What the stop changes of the stopped network's gradient, relative to its largest entry\n ");
  for (const int steps : {1, 2, 3, 5, 10, 20}) {
    std::printf("  %d step%s %.1e", steps, steps == 1 ? "" : "s", change_by_stop(p, data, length, steps));
  }
  std::printf("\n\n");
}

void write_lines(const Arguments& arguments) {
  const std::filesystem::path directory(arguments.write_idx);
  example::prepare_directory(directory);
  example::Random random(static_cast<std::uint64_t>(arguments.training.seed));
  const LineFiles lines = generated_lines(600, 8, random);
  example::StagedFile images(directory / "images.idx");
  example::StagedFile labels(directory / "labels.idx");
  images.write(example::idx_file(lines.images));
  labels.write(example::idx_file(lines.labels));
  images.publish();
  labels.publish();
  std::printf("Wrote %s, %s\n", images.path().c_str(), labels.path().c_str());
}

int run(const Arguments& arguments) {
  if (!arguments.write_idx.empty()) {
    write_lines(arguments);
    return 0;
  }
  const Options& options = arguments.training;
  example::Random random(static_cast<std::uint64_t>(options.seed));
  const Data data = arguments.images.empty()
                        ? generated_moons(static_cast<std::size_t>(arguments.points),
                                          static_cast<std::size_t>(arguments.test_points), arguments.noise, random)
                        : read_images(arguments.images, arguments.labels, static_cast<std::size_t>(arguments.count),
                                      arguments.classes.first, arguments.classes.second, random);
  if (data.rows == 0) {
    std::printf("Two moons: ");
  } else {
    std::printf("%s, %zu x %zu, classes %u and %u: ", arguments.images.c_str(), data.rows, data.columns,
                arguments.classes.first, arguments.classes.second);
  }
  std::printf("%zu to train, %zu to test; %d hidden units, attacks of length %g in %d step%s\n\n",
              data.train.classes.size(), data.test.classes.size(), options.hidden, options.radius, options.steps,
              options.steps == 1 ? "" : "s");

  Comparands all;
  for (int i = 0; i <= 8; ++i) {
    all.strengths.push_back(options.radius * i / 4);
  }
  const Parameters start = starting_point(data.train.points.shape(1), options.hidden, random);
  constexpr std::array<GradientFunction, 3> gradients{plain_gradient, stopped_gradient, not_stopped_gradient};
  for (std::size_t k = 0; k < names.size(); ++k) {
    example::Progress bar(arguments.progress, true, names[k]);
    // The plain one needs no attacks.
    Options with_steps = options;
    with_steps.steps = k == 0 ? 1 : options.steps;
    all.networks[k] = train(data.train, start, with_steps, gradients[k],
                            [&](int update) { bar.update(static_cast<double>(update) / options.updates); });
    for_each_number(
        [](double number) {
          if (!std::isfinite(number)) {
            throw Error("the weights are no longer finite: try a lower --rate");
          }
        },
        all.networks[k]);
    all.accuracies[k] =
        robust_accuracy(all.networks[k], data.test.points, data.test.classes, all.strengths, PgdOptions{});
  }
  const bool right = check_gradients(all.networks[0], data.train, options.radius);
  print_effect_of_steps(all.networks[1], data.train, options.radius);

  std::printf("Accuracy in per cent, attacked\n  by as much as  %12s %12s %12s\n", names[0], names[1], names[2]);
  for (std::size_t i = 0; i < all.strengths.size(); ++i) {
    std::printf("  %-13.4g  %12.1f %12.1f %12.1f\n", all.strengths[i], 100 * all.accuracies[0][i],
                100 * all.accuracies[1][i], 100 * all.accuracies[2][i]);
  }
  constexpr std::size_t at_radius = 4;
  if (data.rows == 0) {
    std::printf("  %.4g, by grid ", options.radius);
    for (std::size_t k = 0; k < names.size(); ++k) {
      std::printf(" %12.1f", 100 * share(withstood_on_discs(all.networks[k], data.test.points, data.test.classes,
                                                            options.radius)));
    }
    std::printf("\n");
  }
  std::printf("At the length of training: stopped %+.1f points over plain, not stopped %+.1f\n",
              100 * (all.accuracies[1][at_radius] - all.accuracies[0][at_radius]),
              100 * (all.accuracies[2][at_radius] - all.accuracies[0][at_radius]));
  if (!arguments.picture.output.empty()) {
    example::write_picture("adversarial_training", arguments.picture.output, arguments.picture.format,
                           plot_script(all, data, options.radius, arguments.picture.terminal()));
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("adversarial_training", argc, argv, parse, run); }
