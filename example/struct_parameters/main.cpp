// A model's parameters as a struct: the gradient is the same struct, and a step of gradient descent takes three lines.
#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

// A damped oscillation. A class template over the number type: a traced function sees the same members.
template <class T>
struct oscillation {
  BOOST_HANA_DEFINE_STRUCT(oscillation, (T, amplitude), (T, rate), (T, frequency));
};

inline constexpr std::size_t samples = 40;

// The mean squared error of the model. A captureless function object: the compiler runs it once to see its operations.
inline constexpr auto loss = [](auto p, auto times, auto positions) {
  auto sum = 0 * p.amplitude;
  for (std::size_t i = 0; i < times.size(); ++i)
    sum += square(p.amplitude * exp(-p.rate * times[i]) * cos(p.frequency * times[i]) - positions[i]);
  return sum / static_cast<int>(samples);
};

int main() {
  std::array<double, samples> times{}, positions{};
  for (std::size_t i = 0; i < samples; ++i) {
    times[i] = 0.1 * static_cast<double>(i);
    positions[i] = 2 * std::exp(-0.3 * times[i]) * std::cos(1.5 * times[i]);
  }

  oscillation<double> p{1, 0.1, 1.2};
  const auto descent = tapeless::value_and_gradient(loss, tapeless::wrt<0>);
  for (int step = 0; step <= 2000; ++step) {
    const auto [error, g] = descent(p, times, positions);
    p = tapeless::transform_leaves([](double a, double da) { return a - 0.2 * da; }, p, g);
    if (step % 400 == 0)
      std::printf("step %4d: error %.2e, amplitude %.3f, rate %.3f, frequency %.3f\n", step, error, p.amplitude, p.rate,
                  p.frequency);
  }
}
