// Parameters from which one step of descent learns a sine curve from ten points: maml TASKS START
#include "../common/command_line.hpp"
#include "../common/tensors.hpp"
#include "../common/training.hpp"

#include <tapeless/xtensor.hpp>

#include <utility>

namespace {

using namespace tapeless;
using Vector = xt::xtensor<double, 1>;
using Matrix = xt::xtensor<double, 2>;

// Each row is a task: points of a curve to adapt to, and others of the same curve to be judged by.
struct Tasks {
  BOOST_HANA_DEFINE_STRUCT(Tasks, (Matrix, x), (Matrix, y), (Matrix, new_x), (Matrix, new_y));
};

struct Network {
  BOOST_HANA_DEFINE_STRUCT(Network, (Vector, input), (Vector, input_bias), (Matrix, hidden), (Vector, hidden_bias),
                           (Vector, output));
};

constexpr double inner_rate = 0.1;

constexpr auto error = [](const auto& network, const auto& x, const auto& y) {
  const auto& [input, input_bias, hidden, hidden_bias, output] = network;
  const auto first = tanh(outer(x, input) + input_bias);
  return mean(square(dot(tanh(dot(first, hidden) + hidden_bias), output) - y));
};

// The error on new points after a step of descent. The gradient of this goes through the gradient in it.
constexpr auto adapted_error = [](const auto& network, const auto& x, const auto& y, const auto& new_x,
                                  const auto& new_y) {
  const auto slope = gradient(error, wrt<0>)(network, x, y);
  const auto descend = [](const auto& w, const auto& dw) { return w - inner_rate * dw; };
  return error(transform_leaves(descend, network, slope), new_x, new_y);
};

constexpr auto loss = [](const auto& network, const auto& tasks) {
  const auto& [x, y, new_x, new_y] = tasks;
  const auto task = [&](const auto& none, const auto&... points) {
    return std::pair(none, adapted_error(network, points...));
  };
  return mean(scan(task, 0.0, x, y, new_x, new_y).second);
};

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("maml", [&] {
    if (argc != 3) {
      throw example::Error("usage: maml TASKS START");
    }
    const auto tasks = example::read_tensors<Tasks>(argv[1]);
    auto network = example::read_tensors<Network>(argv[2]);

    const auto derivatives = value_and_gradient(loss, wrt<0>);
    auto r = derivatives(network, tasks);
    example::Adam adam(0.01, network);
    example::print_head<Network>();
    for (int step = 0; step <= 200; ++step) {
      derivatives(into(r), network, tasks);
      if (step < 2 || step % 50 == 0) {
        example::print_step(step, r.value, r.gradient);
      }
      adam.step(network, r.gradient);
    }
    return 0;
  });
}
