#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gradbench {
namespace {

using Tensor = xt::xtensor<double, 3>;

// What a layer shows for each row of x. Of w the first four rows are the weights of the forget, input and output gates
// and of the change, the others the biases.
constexpr auto layer = [](auto x, auto w, auto state) {
  using namespace tapeless;
  const auto forgets = sigmoid(x * w[0] + w[4]), outs = sigmoid(x * w[2] + w[6]);
  const auto cell = [&](auto carry, auto forget, auto out) {
    const auto in = sigmoid(carry[0] * w[1] + w[5]), change = tanh(carry[0] * w[3] + w[7]);
    const auto next = carry[1] * forget + in * change;
    const auto shown = out * tanh(next);
    return std::pair(stack<0>(shown, next), shown);
  };
  return scan(cell, state, forgets, outs).second;
};

constexpr auto loss = [](const auto& main, const auto& ends, const auto& start, const auto& text) {
  using namespace tapeless;
  const auto top = scan(layer, slice<0>(text, 0, -1) * ends[0], main, start);
  const auto guesses = top * ends[1] + ends[2];
  return -mean(slice<0>(text, 1) * (guesses - log(2.0 + expand_dims<1>(sum<1>(exp(guesses))))));
};

struct Problem {
  Tensor main, state;
  Matrix ends, text;

  explicit Problem(const json& input) : ends(matrix(input.at("extra_params"))), text(matrix(input.at("sequence"))) {
    const Matrix flat = matrix(input.at("main_params")), flat_state = matrix(input.at("state"));
    const std::size_t layers = flat.shape(0) / 2, bits = text.shape(1);
    main = xt::reshape_view(flat, {layers, std::size_t{8}, bits});
    state = xt::reshape_view(flat_state, {layers, std::size_t{2}, bits});
  }
};

json objective(const json& input, Runs& runs) {
  const Problem p(input);
  const auto verb = tapeless::value(loss);
  return runs([&] { return verb(p.main, p.ends, p.state, p.text); });
}

json jacobian(const json& input, Runs& runs) {
  const Problem p(input);
  const auto verb = tapeless::value_and_gradient(loss, tapeless::wrt<0, 1>);
  auto r = verb(p.main, p.ends, p.state, p.text);
  runs([&] { verb(into(r), p.main, p.ends, p.state, p.text); });
  const auto& [by_main, by_ends] = r.gradient;
  Vector all(by_main.begin(), by_main.end());
  all.insert(all.end(), by_ends.begin(), by_ends.end());
  return all;
}

}  // namespace

const Module lstm{{"objective", objective}, {"jacobian", jacobian}};

}  // namespace gradbench
