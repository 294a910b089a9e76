#include "../common/options.hpp"
#include "checkpoint.hpp"
#include "models.hpp"
#include "rows.hpp"

#ifdef DISTRIBUTED_WITH_MPI
#include <tapeless/mpi.hpp>
#endif

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>

namespace {

using namespace distributed;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  std::string model;
  int iterations;
  std::string checkpoint;
  int every;
  int kill_after;
  bool reproducible = false;
  example::ShowProgress progress;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  example::ProgressOption progress;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("model,m", po::value(&arguments.model)->value_name("logistic|mixture")->default_value("logistic"),
      "the last column, 0 or 1, from those before it; or two normal distributions of the first column");
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(100), "of the fit");
  add("checkpoint,c", po::value(&arguments.checkpoint)->value_name("FILE"),
      "go on from FILE if it is there, and keep the state of the fit in it");
  add("every", po::value(&arguments.every)->value_name("N")->default_value(10), "iterations between checkpoints");
  add("reproducible", po::bool_switch(&arguments.reproducible), "the same bits for any number of processes");
  add("kill-after", po::value(&arguments.kill_after)->value_name("N")->default_value(0),
      "kill the last process in iteration N, to see what a lost machine does");
  progress.add_to(options);
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: [mpirun -np P] distributed DATA.csv [options]\n\n"
          "Fits a model to a CSV file of numbers with a header, of which each process reads its "
          "part.",
          &arguments.file)) {
    return std::nullopt;
  }
  example::require_file("distributed", arguments.file);
  example::check_range("iterations", arguments.iterations, 1, 1000000);
  example::check_range("every", arguments.every, 1, 1000000);
  example::choice<bool>("model", arguments.model, {{"logistic", true}, {"mixture", true}});
  arguments.progress = progress.choice();
  return arguments;
}

/// Iterates a model from where its checkpoint stands, with Nesterov's momentum where the model wants that.
template <class Model, class Processes>
int fit(const Arguments& arguments, const Rows& rows, const Processes& on) {
  auto& processes = on.communicator();
  const bool first = processes.rank() == 0;
  const Model model(rows, on);
  const Checkpoint checkpoint(arguments.checkpoint, "distributed " + arguments.model + " " +
                                                        std::to_string(rows.whole) + " rows " +
                                                        std::to_string(model.size()) + " parameters");
  State state{0, model.start(), model.start()};
  if (!arguments.checkpoint.empty()) {
    state = checkpoint.load(processes, state);
  }
  if (first) {
    std::printf("%td rows, %zu parameters: one all-reduce of %zu bytes an iteration\n", rows.whole, model.size(),
                8 * (1 + model.size()));
    if (state.iteration > 0) {
      std::printf("Going on after iteration %d\n", state.iteration);
    }
    std::fflush(stdout);
  }
  example::Progress progress(first ? arguments.progress : example::ShowProgress::never, rows.whole > 1000000, "fit");
  for (; state.iteration < arguments.iterations; ++state.iteration) {
    const double momentum = Model::momentum * state.iteration / (state.iteration + 3);
    Parameters ahead = state.parameters;
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      ahead[i] += momentum * (state.parameters[i] - state.before[i]);
    }
    const Evaluation now = model(on, ahead);
    state.before = std::exchange(state.parameters, model.moved(ahead, now.gradient));
    const int done = state.iteration + 1;
    progress.update(static_cast<double>(done) / arguments.iterations, example::formatted("value %.10g", now.value));
    if (!arguments.checkpoint.empty() && (done % arguments.every == 0 || done == arguments.iterations)) {
      checkpoint.save(processes, {done, state.parameters, state.before});
    }
    if (done == arguments.kill_after && processes.rank() + 1 == processes.size()) {
      std::raise(SIGKILL);
    }
  }
  const Evaluation last = model(on, state.parameters);
  if (first) {
    std::printf("After %d iterations: %s %.15g\n", state.iteration, Model::value_name, last.value);
    for (const double parameter : state.parameters) {
      std::printf("  %.15g\n", parameter);
    }
  }
  return 0;
}

template <class Communicator>
int run(int argc, char** argv, Communicator& processes) {
  return example::exit_status("distributed", [&] {
    const auto arguments = parse(argc, argv);
    if (!arguments) {
      return 0;
    }
    const Rows rows = read_rows(arguments->file, processes);
    const auto with = [&](const auto& on) {
      return arguments->model == "logistic" ? fit<Logistic>(*arguments, rows, on) : fit<Mixture>(*arguments, rows, on);
    };
    return arguments->reproducible ? with(tapeless::mpi::on(processes, tapeless::mpi::reproducible))
                                   : with(tapeless::mpi::on(processes));
  });
}

}  // namespace

int main(int argc, char** argv) {
#ifdef DISTRIBUTED_WITH_MPI
  return tapeless::mpi::run(argc, argv, [&](tapeless::mpi::communicator& world) { return run(argc, argv, world); });
#else
  tapeless::mpi::one_process alone;
  return run(argc, argv, alone);
#endif
}
