// Learns a differential equation from paths of its solutions: neural_ode PATHS START
#include "../common/command_line.hpp"
#include "../common/tensors.hpp"
#include "../common/training.hpp"

#include <tapeless/xtensor.hpp>

#include <utility>

namespace {

using namespace tapeless;
using Vector = xt::xtensor<double, 1>;
using Matrix = xt::xtensor<double, 2>;
using Cube = xt::xtensor<double, 3>;

// Where paths begin, paths x 2, and where they are seen later, times x paths x 2.
struct Paths {
  BOOST_HANA_DEFINE_STRUCT(Paths, (Matrix, start), (Cube, seen));
};

struct Network {
  BOOST_HANA_DEFINE_STRUCT(Network, (Matrix, input), (Vector, bias), (Matrix, output));
};

constexpr double interval = 0.25;  // between the times
constexpr int steps_between = 4;

// dy/dt of all paths.
constexpr auto field = [](const auto&, const auto& y, const auto& network) {
  const auto& [input, bias, output] = network;
  return dot(tanh(dot(y, input) + bias), output);
};

// The mean squared distance of the network's paths from those seen.
constexpr auto loss = [](const auto& network, const auto& paths) {
  const auto& [start, seen] = paths;
  const auto flow = [&](const auto& y, const auto& where_seen) {
    const auto next = odeint(field, y, 0.0, interval, steps_between, network);
    return std::pair(next, mean(square(next - where_seen)));
  };
  return mean(scan(flow, start, seen).second);
};

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("neural_ode", [&] {
    if (argc != 3) {
      throw example::Error("usage: neural_ode PATHS START");
    }
    const auto paths = example::read_tensors<Paths>(argv[1]);
    auto network = example::read_tensors<Network>(argv[2]);

    const auto derivatives = value_and_gradient(loss, wrt<0>);
    auto r = derivatives(network, paths);
    example::Adam adam(0.02, network);
    example::print_head<Network>();
    for (int step = 0; step <= 200; ++step) {
      derivatives(into(r), network, paths);
      if (step < 2 || step % 50 == 0) {
        example::print_step(step, r.value, r.gradient);
      }
      adam.step(network, r.gradient);
    }
    return 0;
  });
}
