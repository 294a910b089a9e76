#include "../problems.hpp"

#include <array>

using namespace cortex;

extern "C" void layer_both_by_tapeless(const layer::Weights<float>& weights, const layer::Biases<float>& biases,
                                       const layer::First<float>& first, const layer::Inputs<float>& x,
                                       const layer::Biases<float>& target, layer::Slopes& result) {
  const auto [loss, slopes] = value_and_gradient(layer::Loss<false>{}, wrt<0, 1, 2>)(weights, biases, first, x, target);
  const auto& [by_weights, by_biases, by_first] = slopes;
  result = {loss, by_weights, by_biases, by_first};
}
