// Runs what functions.h declares, compares the results with those by hand, and prints of each function how many
// instructions it took and how many bytes of the stack, and what `memory` says of that, 0 where it says nothing.
#include "board.h"
#include "functions.h"
#include "problems.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace cortex;

constexpr std::size_t most = sizeof(layer::Slopes) / sizeof(float);
float result[most], by_hand[most], scratch[100];
int failures = 0;

const float x[] = {1, 2}, p[] = {1, 0.2F, 0.5F}, noise[] = {0.3F, 0.4F}, gains[] = {1.5F, 0.7F}, start[] = {0.4F, 0.3F};
const float torques[] = {1.5F, 0.7F, 0.3F, 0.2F, 0.1F, -0.4F, 0.6F, -0.7F, 1.95F, -1.9F};
const float seen[] = {0.3F, -0.4F, 1.2F, 0.9F, -1.5F, 0.2F, 0.7F, -0.1F}, biases[] = {0.1F, 0.2F, -0.1F, 0},
            target[] = {0, 1, 0, 0};
float weights[layer::outputs * layer::hidden], first[layer::hidden * layer::inputs];
std::int8_t first_in_int8[layer::hidden * layer::inputs];

float distance(float a, float b) { return a < b ? b - a : a - b; }
float size(float a) { return distance(a, 0); }

/// `compared` results are those by hand, which the first function of a problem gives.
template <class F>
void row(const char* name, F, std::size_t compared, std::size_t memory = 0, bool is_first = false) {
  static constexpr F function{};
  for (float& each : result) each = -1;
  const spent found = measure([] { function(); });
  for (std::size_t i = 0; i < compared; ++i) {
    if (is_first) by_hand[i] = result[i];
    if (!(distance(result[i], by_hand[i]) <= 2e-6F * (1 + size(by_hand[i])))) {
      print(name), print(" has another result, number "), print_number(static_cast<std::uint32_t>(i)), print("\n");
      ++failures;
    }
  }
  print(name);
  for (const std::uint32_t number : {found.instructions, found.stack, static_cast<std::uint32_t>(memory)})
    print(" "), print_number(number);
  print("\n");
}
#define ROW(NAME, ARGUMENTS, ...) row(#NAME, [] { NAME ARGUMENTS; }, __VA_ARGS__)

using two = std::array<float, 2>;

}  // namespace

int main() {
  for (std::size_t i = 0; i < layer::outputs * layer::hidden; ++i)
    weights[i] = 0.037F * static_cast<float>(i * 7 % 23) - 0.4F;
  for (std::size_t i = 0; i < layer::hidden * layer::inputs; ++i)
    first_in_int8[i] = static_cast<std::int8_t>(static_cast<int>(i * 37 % 101) - 50), first[i] = first_in_int8[i];

  ROW(kalman_by_hand, (x, p, noise, 1.7F, 0.1F, result), 13, 0, true);
  ROW(kalman_by_tapeless, (x, p, noise, 1.7F, 0.1F, result), 13,
      memory<two, std::array<float, 3>, two, float, float>(value(kalman::Step{})).frame);
  ROW(kalman_emitted, (x, p, noise, 1.7F, 0.1F, result), 13);

  ROW(pi_by_hand, (gains, result), 3, 0, true);
  ROW(pi_unrolled_by_hand, (gains, result), 3);
  ROW(pi_unrolled_by_tapeless, (gains, result), 3, memory<two>(value_and_gradient(pi::unrolled)).frame);
  ROW(pi_unrolled_emitted, (gains, result, result + 1), 3);
  ROW(pi_scan_by_tapeless, (gains, result), 3, memory<two>(value_and_gradient(pi::loop<store_all>)).frame);
  ROW(pi_scan_emitted, (gains, result, result + 1, scratch), 3);
  ROW(pi_checkpoints_by_hand, (gains, result), 3);
  ROW(pi_checkpoints_by_tapeless, (gains, result), 3, memory<two>(value_and_gradient(pi::loop<checkpoints<14>>)).frame);

  ROW(mpc_by_hand, (torques, start, result), mpc::horizon, 0, true);
  ROW(mpc_unrolled_by_hand, (torques, start, result), mpc::horizon);
  ROW(mpc_by_tapeless, (torques, start, result), mpc::horizon,
      memory<std::array<float, mpc::horizon>, two>(value(mpc::Step{})).frame);
  ROW(mpc_emitted, (torques, start, result), mpc::horizon);

  constexpr std::size_t numbers = layer::Result<float>{}.size();
  ROW(layer_by_hand, (weights, biases, first_in_int8, seen, target, result), numbers, 0, true);
  ROW(layer_unrolled_by_hand, (weights, biases, first_in_int8, seen, target, result), numbers);
  ROW(layer_by_tapeless, (weights, biases, first_in_int8, seen, target, result), numbers,
      memory<layer::Weights<float>, layer::Biases<float>, layer::First<std::int8_t>, layer::Inputs<float>,
             layer::Biases<float>>(value(layer::Step{}))
          .frame);
  ROW(layer_emitted, (weights, biases, first, seen, target, result), numbers);
  // Their losses are the same.
  ROW(layer_both_by_tapeless, (weights, biases, first, seen, target, result), 1);
  ROW(layer_stopped_by_tapeless, (weights, biases, first, seen, target, result), 1);
  return failures == 0 ? 0 : 1;
}
