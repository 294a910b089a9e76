// Runs the kernels in CUDA on a processor, thread after thread, and compares with the library's calls bit by bit.
#include "cuda_names.h"
#include "kernels.hpp"
// Written by kernels.cpp.
#include "kernels.cu"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xtensor/xtensor.hpp>

using namespace tapeless;

namespace {

constexpr std::size_t count = 5, spare = 2;
int failures = 0;

template <class Kernel>
void launch(Kernel kernel) {
  blockDim.x = 4;
  for (blockIdx.x = 0; blockIdx.x * blockDim.x < count + spare; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) kernel();
}
template <class T>
void expect(const char* what, T found, T expected) {
  using bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  if (std::bit_cast<bits>(found) == std::bit_cast<bits>(expected)) return;
  std::printf("%s: %a, and not %a\n", what, static_cast<double>(found), static_cast<double>(expected));
  failures = 1;
}

}  // namespace

int main() {
  std::vector<double> a, b, p, value(count), gradient(2 * count), memory(count * (recurrence_scratch) + 1);
  for (std::size_t i = 0; i < count; ++i)
    a.push_back(0.5 + 0.3 * static_cast<double>(i)), b.push_back(1.3 - 0.2 * static_cast<double>(i));
  for (const auto& column : {a, b}) p.insert(p.end(), column.begin(), column.end());
  memory.back() = 7;

  launch([&] { ::recurrence(count, a.data(), b.data(), value.data(), gradient.data(), memory.data()); });
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_gradient(kernels::recurrence)(a[i], b[i]);
    expect("recurrence", value[i], r.value), expect("recurrence, by a", gradient[i], std::get<0>(r.gradient));
    expect("recurrence, by b", gradient[count + i], std::get<1>(r.gradient));
  }
  expect("the end of the memory", memory.back(), 7.0);
  launch([&] { ::branches(count, a.data(), b.data(), value.data(), gradient.data()); });
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_gradient(kernels::branches)(a[i], b[i]);
    expect("branches", value[i], r.value), expect("branches, by a", gradient[i], std::get<0>(r.gradient));
    expect("branches, by b", gradient[count + i], std::get<1>(r.gradient));
  }
  std::vector<double> slopes(3 * count), hessian(9 * count);
  launch([&] { ::smooth(count, a.data(), p.data(), value.data(), slopes.data(), hessian.data()); });
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_hessian(kernels::smooth)(a[i], std::array{a[i], b[i]});
    expect("smooth", value[i], r.value);
    for (std::size_t k = 0; k < 9; ++k)
      expect("smooth, second derivative", hessian[k * count + i], r.hessian[k / 3][k % 3]);
  }
  std::vector<float> af(a.begin(), a.end()), pf(p.begin(), p.end()), value_f(count), slopes_f(3 * count);
  launch([&] { ::smooth_f(count, af.data(), pf.data(), value_f.data(), slopes_f.data()); });
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = value_and_gradient(kernels::smooth)(af[i], std::array{pf[i], pf[count + i]});
    expect("smooth_f", value_f[i], r.value), expect("smooth_f, by a", slopes_f[i], std::get<0>(r.gradient));
    expect("smooth_f, by p[1]", slopes_f[2 * count + i], std::get<1>(r.gradient)[1]);
  }

  // Over tensors: a thread has all of the loops, for the tensors of its element.
  constexpr std::size_t n0 = 3, n1 = 2, n2 = 4;
  std::vector<double> w(n0 * n1 * count), x(n2 * n0 * count), by_w(w.size()), by_scale(count);
  std::vector<double> of_layers(count * (layers_scratch(n0, n1)) + 1);
  for (std::size_t k = 0; k < w.size(); ++k) w[k] = std::sin(static_cast<double>(k));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::cos(static_cast<double>(k));
  of_layers.back() = 7;
  launch([&] {
    ::layers(count, w.data(), x.data(), a.data(), n0, n1, n2, value.data(), by_w.data(), by_scale.data(),
             of_layers.data());
  });
  const auto expect_near = [](const char* what, double found, double expected) {
    if (std::abs(found - expected) <= 1e-13 * (1 + std::abs(expected))) return;
    std::printf("%s: %a, and not %a\n", what, found, expected);
    failures = 1;
  };
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

  // A loop over tensors, against the call for each element.
  std::vector<double> q(n0 * n0 * count), e(n2 * count), by_q(q.size()), by_e(e.size());
  std::vector<double> of_chained(count * (chained_scratch(n0, n2)) + 1, NAN);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = 0.7 * std::sin(1.0 + static_cast<double>(k));
  for (std::size_t k = 0; k < e.size(); ++k) e[k] = std::cos(0.5 * static_cast<double>(k));
  of_chained.back() = 7;
  launch(
      [&] { ::chained(count, q.data(), e.data(), n0, n2, value.data(), by_q.data(), by_e.data(), of_chained.data()); });
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
  const std::array<std::ptrdiff_t, 2> ends{1, -1};
  std::vector<std::int32_t> at(n2 * count);
  for (std::size_t k = 0; k < at.size(); ++k) at[k] = static_cast<std::int32_t>(k % 5) - 2;
  std::vector<double> t(n0 * count), by_t(t.size()), of_chosen(count * (chosen_scratch(ends, n2)) + 1, NAN);
  for (std::size_t k = 0; k < t.size(); ++k) t[k] = std::cos(static_cast<double>(k));
  of_chosen.back() = 7;
  launch([&] {
    ::chosen(count, t.data(), at.data(), three, ends.data(), n0, n2, value.data(), by_t.data(), of_chosen.data());
  });
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
    launch([&] { ::layer_j(count, u.data(), data.data(), columns, rows, found.data(), of_layer.data()); });
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
