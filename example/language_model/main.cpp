// A recurrent network that learns to say the next character of a text: language_model TEXT START
#include "../common/command_line.hpp"
#include "../common/csv.hpp"
#include "../common/tensors.hpp"
#include "../common/training.hpp"

#include <tapeless/xtensor.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <utility>

namespace {

using namespace tapeless;
using Vector = xt::xtensor<double, 1>;
using Matrix = xt::xtensor<double, 2>;
using Characters = xt::xtensor<int, 3>;  // windows x time x streams

// The rows of `input` belong to characters; its columns to the update gates, the reset gates and the candidates.
struct Network {
  BOOST_HANA_DEFINE_STRUCT(Network, (Matrix, input), (Matrix, gates), (Matrix, candidate), (Vector, bias),
                           (Matrix, output), (Vector, output_bias));
};

constexpr int units = 12;
constexpr std::size_t streams = 4, window_length = 16;

constexpr auto next_state = [](const auto& network, const auto& h, const auto& x) {
  const auto gates = sigmoid(slice<1>(x, 0, 2 * units) + dot(h, network[&Network::gates]));
  const auto z = slice<1>(gates, 0, units), r = slice<1>(gates, units, 2 * units);
  return z * h + (1 - z) * tanh(slice<1>(x, 2 * units, 3 * units) + dot(r * h, network[&Network::candidate]));
};

// The mean of -log p(next character) over all windows. The gradient ends where a window begins.
constexpr auto loss = [](const auto& network, const auto& start, const auto& text, const auto& continuation,
                         auto characters) {
  const auto step = [&](const auto& h, const auto& x) {
    const auto next = next_state(network, h, x);
    return std::pair(next, next);
  };
  const auto window = [&](const auto& h, const auto& xs) { return scan(step, stop_gradient(h), xs); };
  const auto x = take(network[&Network::input], text) + network[&Network::bias];
  const auto states = scan(window, start, x).second;
  const auto logits = dot(states, network[&Network::output]) + network[&Network::output_bias];
  return mean(logsumexp<3>(logits) - sum<3>(one_hot(continuation, characters) * logits));
};

// The characters from `begin` on as numbers: each stream is a part of the text, window after window.
Characters arranged(const std::string& text, std::size_t begin) {
  const std::set<char> known(text.begin(), text.end());
  const std::string alphabet(known.begin(), known.end());
  const std::size_t windows = (text.size() - 1) / (streams * window_length);
  auto result = Characters::from_shape({windows, window_length, streams});
  for (std::size_t b = 0; b < streams; ++b) {
    for (std::size_t t = 0; t < windows * window_length; ++t) {
      const char c = text[begin + b * windows * window_length + t];
      result(t / window_length, t % window_length, b) = static_cast<int>(alphabet.find(c));
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("language_model", [&] {
    if (argc != 3) {
      throw example::Error("usage: language_model TEXT START");
    }
    const std::string text = example::read_file(argv[1]);
    if (text.size() <= streams * window_length) {
      throw example::Error(std::string(argv[1]) + ": too short: more than " + std::to_string(streams * window_length) +
                           " characters are needed");
    }
    const Characters now = arranged(text, 0), next = arranged(text, 1);
    const Matrix start = xt::zeros<double>({streams, std::size_t{units}});
    auto network = example::read_tensors<Network>(argv[2]);
    const int characters = static_cast<int>(network.output_bias.size());

    const auto derivatives = value_and_gradient(loss, wrt<0>);
    auto r = derivatives(network, start, now, next, characters);
    example::Adam adam(0.02, network);
    example::print_head<Network>();
    for (int step = 0; step <= 100; ++step) {
      derivatives(into(r), network, start, now, next, characters);
      if (step < 2 || step % 25 == 0) {
        example::print_step(step, r.value, r.gradient);
      }
      adam.step(network, r.gradient);
    }
    return 0;
  });
}
