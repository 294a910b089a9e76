// emitted_monte_carlo [PATHS]: prices an option on an average, with delta, vega and rho, by Monte Carlo: on the
// processor by batched, and on an OpenCL device by the kernel in payoffs.cl.
#include "../common/command_line.hpp"
#include "../common/random.hpp"
#include "option.hpp"
#ifdef EMITTED_OPENCL
#include "opencl_device.hpp"
#endif

#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using namespace emitted;

constexpr std::size_t columns = 4;
constexpr std::array<const char*, columns> names{"price", "delta", "vega", "rho"};
/// A column of numbers, one a path, for each name.
using Columns = std::array<std::vector<float>, columns>;
constexpr float price = 100, volatility = 0.3F, rate = 0.05F;

Columns on_processor(const std::vector<Moves<float>>& moves) {
  using namespace tapeless;
  auto [value, gradient] = batched(value_and_gradient(Payoff{}, wrt<0, 1, 2>))(price, volatility, rate, moves);
  return {value, std::get<0>(gradient), std::get<1>(gradient), std::get<2>(gradient)};
}

#ifdef EMITTED_OPENCL
Columns on_device(const std::vector<Moves<float>>& moves) {
  const std::size_t paths = moves.size();
  std::vector<float> prices(paths, price), volatilities(paths, volatility), rates(paths, rate),
      by_month(months * paths);
  for (std::size_t path = 0; path < paths; ++path)
    for (std::size_t month = 0; month < months; ++month) by_month[month * paths + path] = moves[path][month];
  std::vector<float> value(paths), gradient(3 * paths);
  const opencl_device device(EMITTED_OPENCL);
  device.run("payoffs", paths, paths, prices, volatilities, rates, by_month, value, gradient);
  Columns result{value};
  for (std::size_t k = 0; k < 3; ++k) result[1 + k].assign(&gradient[k * paths], &gradient[k * paths] + paths);
  return result;
}
#endif

struct Estimate {
  double mean = 0, error = 0;
};
Estimate estimate(const std::vector<float>& samples) {
  double sum = 0, squares = 0;
  for (const double sample : samples) sum += sample, squares += sample * sample;
  const auto count = static_cast<double>(samples.size());
  const double mean = sum / count;
  return {mean, std::sqrt((squares / count - mean * mean) / count)};
}

int run(std::size_t paths) {
  example::Random random(1);
  std::vector<Moves<float>> moves(paths);
  for (auto& path : moves)
    for (float& move : path) move = static_cast<float>(random.normal());

  const Columns here = on_processor(moves);
  std::printf("%zu paths\n", paths);
  for (std::size_t k = 0; k < columns; ++k) {
    const auto [mean, error] = estimate(here[k]);
    std::printf("%-5s  %8.4f +- %.4f\n", names[k], mean, error);
  }
#ifdef EMITTED_OPENCL
  const Columns there = on_device(moves);
  double farthest = 0;
  for (std::size_t k = 0; k < columns; ++k)
    for (std::size_t path = 0; path < paths; ++path)
      farthest = std::max(farthest, std::abs(1.0 * there[k][path] - here[k][path]) / (1 + std::abs(here[k][path])));
  std::printf("on the OpenCL device each path is the same up to %.0e\n", farthest);
  return farthest < 1e-3 ? 0 : 1;
#else
  std::puts("compiled without OpenCL: the kernel was not run");
  return 0;
#endif
}

}  // namespace

int main(int count, char** arguments) {
  return example::exit_status("emitted_monte_carlo", [&] {
    std::size_t paths = 0;
    const std::string_view given = count > 1 ? arguments[1] : "100000";
    const auto [end, status] = std::from_chars(given.data(), given.data() + given.size(), paths);
    if (count > 2 || status != std::errc{} || end != given.data() + given.size() || paths == 0)
      throw example::Error("its argument is the number of paths, at least 1");
    return run(paths);
  });
}
