// A classifier whose hidden layer is an equilibrium, as deep as it takes to get there: deep_equilibrium POINTS START
#include "../common/command_line.hpp"
#include "../common/tensors.hpp"
#include "../common/training.hpp"

#include <tapeless/xtensor.hpp>

namespace {

using namespace tapeless;
using Vector = xt::xtensor<double, 1>;
using Matrix = xt::xtensor<double, 2>;

struct Points {
  BOOST_HANA_DEFINE_STRUCT(Points, (Matrix, x), (Vector, label));
};

struct Network {
  BOOST_HANA_DEFINE_STRUCT(Network, (Matrix, input), (Vector, bias), (Matrix, state), (Vector, output));
};

constexpr auto layer = [](const auto& z, const auto& state, const auto& from_input) {
  return tanh(dot(z, state) + from_input);
};

// The mean of -log p(label), and a penalty that keeps the iteration convergent. The derivative of the equilibrium is
// its own, whatever iteration led to it.
constexpr auto loss = [](const auto& network, const auto& points) {
  const auto& [x, label] = points;
  const auto& [input, bias, state, output] = network;
  const auto from_input = dot(x, input) + bias;
  const auto z = fixed_point(layer, 0 * from_input, state, from_input);
  const auto logit = dot(z, output);
  return mean(softplus(logit) - label * logit) + 0.1 * sum(square(state));
};

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("deep_equilibrium", [&] {
    if (argc != 3) {
      throw example::Error("usage: deep_equilibrium POINTS START");
    }
    const auto points = example::read_tensors<Points>(argv[1]);
    auto network = example::read_tensors<Network>(argv[2]);

    const auto derivatives = value_and_gradient(loss, wrt<0>);
    auto r = derivatives(network, points);
    example::Adam adam(0.02, network);
    example::print_head<Network>();
    for (int step = 0; step <= 100; ++step) {
      derivatives(into(r), network, points);
      if (step < 2 || step % 25 == 0) {
        example::print_step(step, r.value, r.gradient);
      }
      adam.step(network, r.gradient);
    }
    return 0;
  });
}
