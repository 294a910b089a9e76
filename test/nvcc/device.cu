// Formulas and traced functions in kernels: a price and its five Greeks in registers, next to the same by hand; a
// stopped branch of which nothing is left. Compares what the GPU computes with the host; given a number of options,
// also times the kernels.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <tuple>
#include <vector>

// What doc/libraries.md shows: x, y and a kernel.
#include "page.cuh"

using namespace tapeless;

/// A call's price by Black and Scholes.
struct black_scholes {
  template <class A>
  constexpr auto operator()(A spot, A strike, A time, A rate, A volatility) const {
    const auto normal_cdf = [](const auto& z) { return erfc(-0.70710678118654752440 * z) / 2; };
    const auto deviation = volatility * sqrt(time);
    const auto d1 = (log(spot / strike) + (rate + square(volatility) / 2) * time) / deviation;
    return spot * normal_cdf(d1) - strike * exp(-rate * time) * normal_cdf(d1 - deviation);
  }
};

inline constexpr std::size_t inputs = 5, outputs_of = 6;
/// Spot, strike, time, rate and volatility of each option; its price and the derivatives by them.
struct arrays {
  std::array<const double*, inputs> in;
  std::array<double*, outputs_of> out;
};

__device__ std::size_t thread_number() { return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

__global__ void by_tapeless(arrays a, std::size_t n) {
  const std::size_t i = thread_number();
  if (i >= n) return;
  const auto [price, g] =
      value_and_gradient(black_scholes{})(a.in[0][i], a.in[1][i], a.in[2][i], a.in[3][i], a.in[4][i]);
  a.out[0][i] = price;
  a.out[1][i] = get<0>(g);
  a.out[2][i] = get<1>(g);
  a.out[3][i] = get<2>(g);
  a.out[4][i] = get<3>(g);
  a.out[5][i] = get<4>(g);
}

__global__ void by_hand(arrays a, std::size_t n) {
  const std::size_t i = thread_number();
  if (i >= n) return;
  const double spot = a.in[0][i], strike = a.in[1][i], time = a.in[2][i], rate = a.in[3][i], volatility = a.in[4][i];
  const double root = std::sqrt(time), deviation = volatility * root;
  const double d1 = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / deviation;
  const double n1 = 0.5 * std::erfc(-0.70710678118654752440 * d1);
  const double n2 = 0.5 * std::erfc(-0.70710678118654752440 * (d1 - deviation));
  const double discount = std::exp(-rate * time), discounted = strike * discount * n2;
  const double density = 0.39894228040143267794 * std::exp(-0.5 * d1 * d1) * spot;
  a.out[0][i] = spot * n1 - discounted;
  a.out[1][i] = n1;
  a.out[2][i] = -discount * n2;
  a.out[3][i] = 0.5 * density * volatility / root + rate * discounted;
  a.out[4][i] = time * discounted;
  a.out[5][i] = density * root;
}

__global__ void stopped(const double* a, const double* b, double* to) {
  constexpr auto u = x;
  constexpr auto v = y;
  const std::size_t i = thread_number();
  to[i] = gradient(u * u + stop_gradient(pow(u, v) * lgamma(v)), wrt(u))(u = a[i], v = b[i])[u];
}
__global__ void without_stopped(const double* a, const double*, double* to) {
  const std::size_t i = thread_number();
  to[i] = a[i] + a[i];
}

/// A loop whose way forward keeps nothing: its value and its derivative along a tangent.
struct logistic_map {
  template <class A, class N>
  constexpr auto operator()(A state, N count) const {
    return scan([](auto s, auto) { return 3 * s * (1 - s); }, state, steps(count));
  }
};
__global__ void loop(const double* from, int count, double* to) {
  const std::size_t i = thread_number();
  to[i] = value_and_jvp(logistic_map{}, tangent(1.0, 0))(0.01 * from[i] - 0.5, count).tangent;
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

double* on_device(std::size_t n) {
  double* result = nullptr;
  check(cudaMalloc(&result, n * sizeof(double)));
  return result;
}
std::vector<double> from_device(const double* from, std::size_t n) {
  std::vector<double> result(n);
  check(cudaMemcpy(result.data(), from, n * sizeof(double), cudaMemcpyDeviceToHost));
  return result;
}

constexpr unsigned threads = 256;
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::size_t n, const Arguments&... arguments) {
  kernel<<<static_cast<unsigned>((n + threads - 1) / threads), threads>>>(arguments...);
  check(cudaGetLastError());
}

/// Milliseconds of a kernel.
double time_of(void (*kernel)(arrays, std::size_t), const arrays& a, std::size_t n) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin)), check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  launch(kernel, n, a, n);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float result = 0;
  check(cudaEventElapsedTime(&result, begin, end));
  check(cudaEventDestroy(begin)), check(cudaEventDestroy(end));
  return result;
}

int main(int count, char** arguments) {
  constexpr int skipped = 77;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return skipped;

  const std::size_t n = std::max<std::size_t>(threads, count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 4096);
  std::mt19937_64 generator(1);
  constexpr std::array<std::array<double, 2>, inputs> ranges{{{80, 120}, {80, 120}, {0.1, 2}, {0, 0.05}, {0.1, 0.6}}};
  std::array<std::vector<double>, inputs> options;
  arrays ours{}, theirs{};
  for (std::size_t k = 0; k < inputs; ++k) {
    std::uniform_real_distribution<double> uniform(ranges[k][0], ranges[k][1]);
    for (std::size_t i = 0; i < n; ++i) options[k].push_back(uniform(generator));
    double* const to = on_device(n);
    check(cudaMemcpy(to, options[k].data(), n * sizeof(double), cudaMemcpyHostToDevice));
    ours.in[k] = theirs.in[k] = to;
  }
  for (double*& to : ours.out) to = on_device(n);
  for (double*& to : theirs.out) to = on_device(n);
  launch(by_tapeless, n, ours, n);
  launch(by_hand, n, theirs, n);

  // The host's mathematical functions differ from the GPU's in the last digits.
  double by_host = 0, between = 0;
  const auto distance = [](double a, double b) { return std::abs(a - b) / (1 + std::abs(b)); };
  for (std::size_t k = 0; k < outputs_of; ++k) {
    const auto found = from_device(ours.out[k], n), by_hand_found = from_device(theirs.out[k], n);
    for (std::size_t i = 0; i < n; ++i) between = std::max(between, distance(found[i], by_hand_found[i]));
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 4096); ++i) {
      const auto [price, g] = value_and_gradient(black_scholes{})(options[0][i], options[1][i], options[2][i],
                                                                  options[3][i], options[4][i]);
      const std::array expected{price, get<0>(g), get<1>(g), get<2>(g), get<3>(g), get<4>(g)};
      by_host = std::max(by_host, distance(found[i], expected[k]));
    }
  }
  double *const by_x = on_device(threads), *const by_y = on_device(threads);
  launch(slopes, threads, ours.in[0], ours.in[1], by_x, by_y);
  const auto found_x = from_device(by_x, threads), found_y = from_device(by_y, threads);
  double* const twice = on_device(threads);
  launch(stopped, threads, ours.in[0], ours.in[1], twice);
  const auto doubled = from_device(twice, threads);
  double* const slopes = on_device(threads);
  constexpr int count_steps = 12;
  launch(loop, threads, ours.in[0], count_steps, slopes);
  const auto slope = from_device(slopes, threads);
  bool right = by_host < 1e-12 && between < 1e-12;
  for (std::size_t i = 0; i < threads; ++i) {
    right = right && distance(found_x[i], std::sqrt(options[1][i])) < 1e-14 &&
            distance(found_y[i], options[0][i] / (2 * std::sqrt(options[1][i]))) < 1e-14;
    const double start = 0.01 * options[0][i] - 0.5;
    right = right && doubled[i] == 2 * options[0][i] &&
            distance(slope[i], gradient(logistic_map{}, wrt<0>)(start, count_steps)) < 1e-12;
  }
  std::printf("largest difference from the host %.1e, from the kernel by hand %.1e\n", by_host, between);

  if (count > 1) {
    std::vector<double> times, by_hand_times;
    for (int i = 0; i < 50; ++i) {
      times.push_back(time_of(by_tapeless, ours, n));
      by_hand_times.push_back(time_of(by_hand, theirs, n));
    }
    std::sort(times.begin(), times.end()), std::sort(by_hand_times.begin(), by_hand_times.end());
    const double gigabytes = static_cast<double>((inputs + outputs_of) * sizeof(double) * n) / 1e9;
    const double ms = times[times.size() / 2], by_hand_ms = by_hand_times[times.size() / 2];
    std::printf("%zu options: %.3f ms, %.0f GB/s; by hand %.3f ms, %.0f GB/s; ratio %.3f\n", n, ms,
                gigabytes / ms * 1e3, by_hand_ms, gigabytes / by_hand_ms * 1e3, ms / by_hand_ms);
  }
  return !right;
}
