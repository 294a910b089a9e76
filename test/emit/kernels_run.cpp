// Runs the kernels and compares with the library's calls: those in CUDA on a processor, thread after thread, bit by
// bit; those in OpenCL, where a file with them is given, on a device, whose functions have other last bits.
#include "cuda_names.h"
#include "kernels.hpp"
// Written by kernels.cpp.
#include "kernels.cu"
#ifdef TAPELESS_OPENCL
#include "../../example/emitted/opencl_device.hpp"
#endif

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <vector>
#include <xtensor/xtensor.hpp>

using namespace tapeless;

namespace {

constexpr std::size_t count = 5, spare = 2;
int failures = 0;

#ifdef TAPELESS_OPENCL
std::unique_ptr<opencl_device> device;
#else
constexpr bool device = false;
#endif

template <class T>
auto pointer_or_number(T& argument) {
  if constexpr (requires { argument.data(); })
    return argument.data();
  else
    return argument;
}
/// Runs a kernel, which is a function on a processor, for `count` elements in more threads.
template <class Kernel, class... Arguments>
void launch([[maybe_unused]] const char* name, Kernel* kernel, Arguments&&... arguments) {
  if (device) {
#ifdef TAPELESS_OPENCL
    std::size_t elements = count;
    device->run(name, count + spare, elements, arguments...);
#endif
    return;
  }
  blockDim.x = 4;
  for (blockIdx.x = 0; blockIdx.x * blockDim.x < count + spare; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) kernel(count, pointer_or_number(arguments)...);
}
#define KERNEL(name) #name, ::name

template <class T>
void expect_near(const char* what, T found, T expected, T tolerance = 450 * std::numeric_limits<T>::epsilon()) {
  if (std::abs(found - expected) <= tolerance * (1 + std::abs(expected))) return;
  std::printf("%s: %a, and not %a\n", what, static_cast<double>(found), static_cast<double>(expected));
  failures = 1;
}
/// Bit by bit on a processor.
template <class T>
void expect(const char* what, T found, T expected) {
  using bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  if (std::bit_cast<bits>(found) == std::bit_cast<bits>(expected)) return;
  expect_near(what, found, expected, device ? 450 * std::numeric_limits<T>::epsilon() : T(-1));
}

}  // namespace

int main([[maybe_unused]] int arguments, [[maybe_unused]] char** argument) {
#ifdef TAPELESS_OPENCL
  if (arguments == 2) device = std::make_unique<opencl_device>(argument[1]);
#endif
  std::vector<double> a, b, p, value(count), gradient(2 * count), memory(count * (recurrence_scratch) + 1);
  for (std::size_t i = 0; i < count; ++i)
    a.push_back(0.5 + 0.3 * static_cast<double>(i)), b.push_back(1.3 - 0.2 * static_cast<double>(i));
  for (const auto& column : {a, b}) p.insert(p.end(), column.begin(), column.end());
  memory.back() = 7;

  launch(KERNEL(recurrence), a, b, value, gradient, memory);
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_gradient(kernels::recurrence)(a[i], b[i]);
    expect("recurrence", value[i], r.value), expect("recurrence, by a", gradient[i], std::get<0>(r.gradient));
    expect("recurrence, by b", gradient[count + i], std::get<1>(r.gradient));
  }
  expect("the end of the memory", memory.back(), 7.0);
  launch(KERNEL(branches), a, b, value, gradient);
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_gradient(kernels::branches)(a[i], b[i]);
    expect("branches", value[i], r.value), expect("branches, by a", gradient[i], std::get<0>(r.gradient));
    expect("branches, by b", gradient[count + i], std::get<1>(r.gradient));
  }
  std::vector<double> slopes(3 * count), hessian(9 * count);
  launch(KERNEL(smooth), a, p, value, slopes, hessian);
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_hessian(kernels::smooth)(a[i], std::array{a[i], b[i]});
    expect("smooth", value[i], r.value);
    for (std::size_t k = 0; k < 9; ++k)
      expect("smooth, second derivative", hessian[k * count + i], r.hessian[k / 3][k % 3]);
  }
  std::vector<float> af(a.begin(), a.end()), pf(p.begin(), p.end()), value_f(count), slopes_f(3 * count);
  launch(KERNEL(smooth_f), af, pf, value_f, slopes_f);
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_gradient(kernels::smooth)(af[i], std::array{pf[i], pf[count + i]});
    expect("smooth_f", value_f[i], r.value), expect("smooth_f, by a", slopes_f[i], std::get<0>(r.gradient));
    expect("smooth_f, by p[1]", slopes_f[2 * count + i], std::get<1>(r.gradient)[1]);
  }
  std::vector<float> bf(b.begin(), b.end()), by_both(2 * count), second(4 * count);
  std::vector<float> of_recurrence(count * (recurrence_f_scratch) + 1);
  of_recurrence.back() = 7;
  launch(KERNEL(recurrence_f), af, bf, value_f, by_both, second, of_recurrence);
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_hessian(kernels::recurrence)(af[i], bf[i]);
    expect("recurrence_f", value_f[i], r.value);
    for (std::size_t k = 0; k < 4; ++k)
      expect("recurrence_f, second derivative", second[k * count + i], r.hessian[k / 2][k % 2]);
  }
  expect("the end of the memory for recurrence_f", of_recurrence.back(), 7.0F);

  // Over tensors: a thread has all of the loops, for the tensors of its element.
  constexpr std::size_t n0 = 3, n1 = 2, n2 = 4;
  std::vector<double> w(n0 * n1 * count), x(n2 * n0 * count), by_w(w.size()), by_scale(count);
  std::vector<double> of_layers(count * (layers_scratch(n0, n1)) + 1);
  for (std::size_t k = 0; k < w.size(); ++k) w[k] = std::sin(static_cast<double>(k));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::cos(static_cast<double>(k));
  of_layers.back() = 7;
  launch(KERNEL(layers), w, x, a, n0, n1, n2, value, by_w, by_scale, of_layers);
  for (std::size_t i = 0; i < count; ++i) {
    double expected = 0, slope = 0;
    std::vector<double> slopes_w(n0 * n1);
    for (std::size_t r = 0; r < n2; ++r)
      for (std::size_t c = 0; c < n1; ++c) {
        double z = 0;
        for (std::size_t k = 0; k < n0; ++k) z += x[(r * n0 + k) * count + i] * w[(k * n1 + c) * count + i];
        const double y = std::tanh(z);
        expected += a[i] * a[i] * y * y, slope += 2 * a[i] * y * y;
        for (std::size_t k = 0; k < n0; ++k)
          slopes_w[k * n1 + c] += 2 * a[i] * a[i] * y * (1 - y * y) * x[(r * n0 + k) * count + i];
      }
    for (std::size_t k = n1; k < n0 * n1; ++k) expected += w[k * count + i], slopes_w[k] += 1;
    expect_near("layers", value[i], expected), expect_near("layers, by the scale", by_scale[i], slope);
    for (std::size_t k = 0; k < n0 * n1; ++k) expect_near("layers, by w", by_w[k * count + i], slopes_w[k]);
  }
  expect("the end of the memory for layers", of_layers.back(), 7.0);

  std::vector<float> wf(w.begin(), w.end()), xf(x.begin(), x.end()), by_wf(wf.size());
  std::vector<float> of_layers_f(count * (layers_f_scratch(n0, n1)) + 1);
  of_layers_f.back() = 7;
  launch(KERNEL(layers_f), wf, xf, af, n0, n1, n2, value_f, by_wf, of_layers_f);
  // Of the doubles above.
  for (std::size_t i = 0; i < count; ++i) expect_near("layers_f", value_f[i], static_cast<float>(value[i]));
  for (std::size_t k = 0; k < wf.size(); ++k) expect_near("layers_f, by w", by_wf[k], static_cast<float>(by_w[k]));
  expect("the end of the memory for layers_f", of_layers_f.back(), 7.0F);

  // A loop over tensors, against the call for each element.
  std::vector<double> q(n0 * n0 * count), e(n2 * count), by_q(q.size()), by_e(e.size());
  std::vector<double> of_chained(count * (chained_scratch(n0, n2)) + 1, NAN);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = 0.7 * std::sin(1.0 + static_cast<double>(k));
  for (std::size_t k = 0; k < e.size(); ++k) e[k] = std::cos(0.5 * static_cast<double>(k));
  of_chained.back() = 7;
  launch(KERNEL(chained), q, e, n0, n2, value, by_q, by_e, of_chained);
  for (std::size_t i = 0; i < count; ++i) {
    xt::xtensor<double, 2> qi(std::array<std::size_t, 2>{n0, n0});
    xt::xtensor<double, 1> ei(std::array<std::size_t, 1>{n2});
    for (std::size_t k = 0; k < n0 * n0; ++k) qi.flat(k) = q[k * count + i];
    for (std::size_t k = 0; k < n2; ++k) ei(k) = e[k * count + i];
    const auto r = value_and_gradient(kernels::chained)(qi, ei);
    expect_near("chained", value[i], r.value);
    for (std::size_t k = 0; k < n0 * n0; ++k)
      expect_near("chained, by w", by_q[k * count + i], std::get<0>(r.gradient).flat(k));
    for (std::size_t k = 0; k < n2; ++k) expect_near("chained, by x", by_e[k * count + i], std::get<1>(r.gradient)(k));
  }
  expect("the end of the memory for chained", of_chained.back(), 7.0);

  // Integers: elements 1 to the last but one of those at the indices.
  const std::ptrdiff_t three = 3;
  std::vector<std::ptrdiff_t> ends{1, -1};
  std::vector<std::int32_t> at(n2 * count);
  for (std::size_t k = 0; k < at.size(); ++k) at[k] = static_cast<std::int32_t>(k % 5) - 2;
  std::vector<double> t(n0 * count), by_t(t.size()), of_chosen(count * (chosen_scratch(ends, n2)) + 1, NAN);
  for (std::size_t k = 0; k < t.size(); ++k) t[k] = std::cos(static_cast<double>(k));
  of_chosen.back() = 7;
  launch(KERNEL(chosen), t, at, three, ends, n0, n2, value, by_t, of_chosen);
  for (std::size_t i = 0; i < count; ++i) {
    double expected = 0;
    std::array<double, n0> slopes_t{};
    for (std::size_t k = 1; k + 1 < n2; ++k) {
      const std::int32_t own = at[k * count + i];
      const auto place = static_cast<std::size_t>(own < 0 ? own + 3 : own);
      expected += 3 * std::sin(t[place * count + i]), slopes_t[place] += 3 * std::cos(t[place * count + i]);
    }
    expect_near("chosen", value[i], expected);
    for (std::size_t k = 0; k < n0; ++k) expect_near("chosen, by w", by_t[k * count + i], slopes_t[k]);
  }
  expect("the end of the memory for chosen", of_chosen.back(), 7.0);

  // A Jacobian, of y = tanh(x w): (1 - y^2) x; with fewer columns than rows and the other way round.
  for (const auto& [rows, columns] : {std::array<std::size_t, 2>{n2, n0}, {n0, n2}}) {
    std::vector<double> u(columns * count), data(rows * columns * count), found(rows * columns * count);
    std::vector<double> of_layer(count * (layer_j_scratch(columns, rows)), NAN);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = std::sin(static_cast<double>(k));
    for (std::size_t k = 0; k < data.size(); ++k) data[k] = std::cos(static_cast<double>(k));
    launch(KERNEL(layer_j), u, data, columns, rows, found, of_layer);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t r = 0; r < rows; ++r) {
        double z = 0;
        for (std::size_t c = 0; c < columns; ++c) z += data[(r * columns + c) * count + i] * u[c * count + i];
        for (std::size_t c = 0; c < columns; ++c)
          expect_near("Jacobian", found[(r * columns + c) * count + i],
                      (1 - std::tanh(z) * std::tanh(z)) * data[(r * columns + c) * count + i]);
      }
  }
  return failures;
}
