#include <tapeless/tensorflow.hpp>
#include <tapeless/xtensor.hpp>

#include <vector>

#include "pages.hpp"

namespace {

using tapeless::gradient, tapeless::variable;

constexpr auto x = variable<"x">;
constexpr auto reward = variable<"reward">;
constexpr auto value = variable<"value">;

void python() {
#include "tensorflow.1.hpp"
  const std::vector<double> logits{1, 3};
  expect(z(x = logits)(0) == -2);
  expect(nearly(target(reward = 1.0, value = 2.0), 2.8));
  expect(gradient(value * same)(value = 3.0)[value] == 3);
}

void cpp() {
#include "tensorflow.2.hpp"
  // Twice what is squared; the target is held.
  expect(nearly(gradient(loss)(reward = 1.0, value = 2.0)[value], -2 * (1 + 0.9 * 2 - 2)));
}

}  // namespace

void tensorflow_page() {
  python();
  cpp();
}
