#include "../common/options.hpp"
#include "data.hpp"
#include "exact.hpp"
#include "plot.hpp"
#include "train.hpp"

#include <boost/optional.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace boltzmann_machine;
using example::Error;
namespace po = boost::program_options;

struct Arguments {
  Options training;
  int size;
  std::string images;  ///< empty: bars and stripes
  int count = 1000;
  std::string write_idx;
  example::PictureOptions picture;
  example::ShowProgress progress;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  Options& training = arguments.training;
  boost::optional<int> size;
  std::string method;
  example::ProgressOption progress;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("size", po::value(&size)->value_name("N"), "of the bars and stripes: N x N pixels, 2 to 5 (default: 4)");
  add("images", po::value(&arguments.images)->value_name("FILE"),
      "learn the images of an IDX file instead, such as MNIST's train-images-idx3-ubyte");
  add("count", po::value(&arguments.count)->value_name("N")->default_value(arguments.count),
      "of its images, the first N");
  add("hidden", po::value(&training.hidden)->value_name("N")->default_value(training.hidden), "hidden units");
  add("updates,n", po::value(&training.updates)->value_name("N")->default_value(training.updates), "updates");
  add("method", po::value(&method)->value_name("pcd|cd")->default_value("pcd"),
      "chains that go on where they were, or that start at the data before each update");
  add("chains", po::value(&training.chains)->value_name("N")->default_value(training.chains), "chains that go on");
  add("steps,k", po::value(&training.steps)->value_name("K")->default_value(training.steps),
      "steps of the chains before each update");
  add("rate", po::value(&training.rate)->value_name("R")->default_value(training.rate, "0.1"), "learning rate");
  add("decay", po::value(&training.decay)->value_name("D")->default_value(training.decay, "0.0005"),
      "weight decay: the weights lose R D of themselves at each update");
  add("seed", po::value(&training.seed)->value_name("N")->default_value(training.seed),
      "other first weights and chains");
  add("write-idx", po::value(&arguments.write_idx)->value_name("FILE"),
      "write the bars and stripes as an IDX file, and no more");
  arguments.picture.add_to(options, "boltzmann_machine");
  progress.add_to(options);
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: boltzmann_machine [options]\n\n"
          "Trains a restricted Boltzmann machine by contrastive divergence, with the chains' samples stopped and,\n"
          "for comparison, differentiated through.")) {
    return std::nullopt;
  }
  arguments.size = size.value_or(4);
  example::check_range("size", arguments.size, 2, 5);
  example::check_range("count", arguments.count, 1, 1000000);
  example::check_range("hidden", training.hidden, 1, 1000);
  example::check_range("updates", training.updates, 1, 10000000);
  example::check_range("chains", training.chains, 1, 10000);
  example::check_range("steps", training.steps, 1, 1000);
  example::check_range("rate", training.rate, 1e-6, 10.0);
  example::check_range("decay", training.decay, 0.0, 0.1);
  example::check_range("seed", training.seed, 0, 1000000000);
  if (!arguments.images.empty() && size) {
    throw Error("--size is of the bars and stripes, --images takes others: give one of them");
  }
  if (!arguments.images.empty() && !arguments.write_idx.empty()) {
    throw Error("--write-idx writes the bars and stripes: --images is not for it");
  }
  training.persistent = example::choice<bool>("method", method, {{"pcd", true}, {"cd", false}});
  arguments.progress = progress.choice();
  arguments.picture.check();
  return arguments;
}

/// Prints how the gradients compare at the starting point and whether those that should agree do.
bool check_gradients(const Parameters& p, const matrix& data, const Options& options) {
  // Larger weights than those of the start, at which much would be zero.
  example::Random random(static_cast<std::uint64_t>(options.seed) + 2);
  Parameters at = p;
  for (double& weight : at.weights) {
    weight = random.normal();
  }
  for (double& bias : at.hidden_bias) {
    bias = random.normal();
  }
  matrix some = matrix::from_shape({std::min<std::size_t>(data.shape(0), Batches::largest), data.shape(1)});
  std::copy_n(data.data(), some.size(), some.data());
  matrix hidden = matrix::from_shape({20, at.hidden_bias.size()});
  for (double& unit : hidden) {
    unit = random.uniform() < 0.5 ? 1 : 0;
  }
  const Parameters stopped = stopped_gradient(at, some, hidden);
  const double frozen = largest_difference(stopped, divergence_by_hand(at, some, hidden));
  std::printf("Largest differences between gradients\n");
  std::printf("  stopped, closed form for samples held fixed           %.1e\n", frozen);
  std::printf("  stopped, differentiated through                       %.1e\n",
              largest_difference(stopped, not_stopped_gradient(at, some, hidden)));
  double exact = 0;
  if (data.shape(1) <= 16) {
    const matrix states = all_states(data.shape(1));
    exact = largest_difference(exact_gradient(at, some, states), likelihood_by_hand(at, some, states));
    std::printf("  stopped, over all %5zu states; of the log-likelihood %.1e\n", states.shape(0), exact);
  }
  const bool right = std::max(frozen, exact) <= 1e-10;
  std::printf("The gradients %s\n\n", right ? "are right" : "are WRONG");
  return right;
}

void print_records(const Training& stopped, const Training& not_stopped, bool exact) {
  if (exact) {
    std::printf("Mean log-likelihood     stopped  (averages)   not stopped  (averages)\n");
  } else {
    std::printf("Mean squared error of pictures made again     stopped   not stopped\n");
  }
  for (std::size_t i = 0; i < stopped.records.size(); ++i) {
    const Record& with = stopped.records[i];
    const Record& without = not_stopped.records[i];
    if (exact) {
      std::printf("  update %-8d  %12.4f %11.4f  %12.4f %11.4f\n", with.update, with.last, with.averaged, without.last,
                  without.averaged);
    } else {
      std::printf("  update %-8d %36.6f  %12.6f\n", with.update, with.missed, without.missed);
    }
  }
}

/// Lets the chains go on with the averaged parameters; how many of their pictures are among the data, and how many
/// should be.
void print_samples(const Parameters& p, const matrix& data, matrix& hidden, example::Random& random) {
  Sampler sampler(hidden.shape(0), p);
  std::set<std::vector<bool>> patterns;
  double expected = 0;
  const double log_z = log_partition(p);
  const vector energies = free_energies(p, data);
  const auto row = [](const matrix& of, std::size_t n) {
    std::vector<bool> result;
    for (std::size_t i = 0; i < of.shape(1); ++i) {
      result.push_back(of(n, i) != 0);
    }
    return result;
  };
  for (std::size_t n = 0; n < data.shape(0); ++n) {
    if (patterns.insert(row(data, n)).second) {
      expected += std::exp(-energies[n] - log_z);
    }
  }
  std::size_t count = 0;
  std::size_t among = 0;
  std::set<std::vector<bool>> seen;
  for (int step = 1; step <= 500; ++step) {
    const matrix visible = sampler.visible(p, hidden, random);
    hidden = sampler.hidden(p, visible, random);
    if (step % 25 == 0) {
      for (std::size_t n = 0; n < visible.shape(0); ++n) {
        const std::vector<bool> sample = row(visible, n);
        ++count;
        if (patterns.contains(sample)) {
          ++among;
          seen.insert(sample);
        }
      }
    }
  }
  std::printf(
      "Of %zu samples of the averages %.1f %% are patterns of the data (exactly: %.1f %%), %zu of %zu patterns\n",
      count, 100.0 * static_cast<double>(among) / static_cast<double>(count), 100 * expected, seen.size(),
      patterns.size());
}

int run(const Arguments& arguments) {
  if (!arguments.write_idx.empty()) {
    const std::filesystem::path path(arguments.write_idx);
    example::write_file(path, idx_file(bars_and_stripes(static_cast<std::size_t>(arguments.size))));
    std::printf("Wrote %s\n", path.c_str());
    return 0;
  }
  const Options& options = arguments.training;
  const Pictures pictures = arguments.images.empty()
                                ? bars_and_stripes(static_cast<std::size_t>(arguments.size))
                                : read_pictures(arguments.images, static_cast<std::size_t>(arguments.count));
  const matrix& data = pictures.pixels;
  std::printf("%s, %zu x %zu: %zu patterns; %zu visible and %d hidden units\n",
              arguments.images.empty() ? "Bars and stripes" : arguments.images.c_str(), pictures.rows, pictures.columns,
              data.shape(0), data.shape(1), options.hidden);
  const bool few_units = can_enumerate(data.shape(1), static_cast<std::size_t>(options.hidden));
  const bool exact = few_units && is_binary(data);
  const double best = exact ? best_log_likelihood(data) : std::numeric_limits<double>::quiet_NaN();
  if (exact) {
    std::printf("The best mean log-likelihood is %.4f\n\n", best);
  } else {
    std::puts(few_units ? "No log-likelihood: not all pixels are 0 or 255\n"
                        : "Too many units for the exact log-likelihood\n");
  }

  example::Random random(static_cast<std::uint64_t>(options.seed));
  const Parameters start = starting_point(data, options.hidden, random);
  const bool right = check_gradients(start, data, options);
  const auto train_with = [&](const char* label, GradientFunction gradient) {
    example::Progress bar(arguments.progress, true, label);
    return train(data, start, options, exact, gradient,
                 [&](int update) { bar.update(static_cast<double>(update) / options.updates); });
  };
  Training stopped = train_with("stopped", stopped_gradient);
  const Training not_stopped = train_with("not stopped", not_stopped_gradient);
  print_records(stopped, not_stopped, exact);
  const Parameters& p = stopped.parameters;
  for (const double weight : p.weights) {
    if (!std::isfinite(weight)) {
      throw Error("the weights are no longer finite: try a lower --rate");
    }
  }
  if (exact) {
    const auto short_of = [&](const Training& training) { return best - training.records.back().averaged; };
    std::printf("\nShort of the best, averages: %.3f nats stopped, %.3f not stopped\n", short_of(stopped),
                short_of(not_stopped));
    print_samples(p, data, stopped.hidden, random);
  }
  if (!arguments.picture.output.empty()) {
    const matrix samples = visible_mean(H = stopped.hidden, W = p.weights, b = p.visible_bias);
    example::write_picture("boltzmann_machine", arguments.picture.output, arguments.picture.format,
                           plot_script(pictures, stopped, not_stopped, samples,
                                       exact ? std::optional(best) : std::nullopt, arguments.picture.terminal()));
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("boltzmann_machine", argc, argv, parse, run); }
