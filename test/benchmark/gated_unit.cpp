// The gradient of a gated recurrent unit by its parameters, next to calls of BLAS and loops of xsimd by hand.
#include "gated_unit.hpp"

#include "compare_tensors.hpp"

#include <tapeless/cblas.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/hana/define_struct.hpp>

#include <xsimd/xsimd.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace tapeless;
using matrix = xt::xtensor<float, 2>;
using vector = xt::xtensor<float, 1>;
using cube = xt::xtensor<float, 3>;

constexpr int length = 100, batch = 32, inputs = 128, units = 128, rows = length * batch;

struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (matrix, input), (matrix, gates), (matrix, candidate), (vector, bias));
};

constexpr auto loss = [](const auto& p, const auto& start, const auto& xs, const auto& target) {
  const auto step = [&](const auto& h, const auto& x) {
    const auto gates = sigmoid(slice<1>(x, 0, 2 * units) + dot(h, p[&network::gates]));
    const auto z = slice<1>(gates, 0, units), r = slice<1>(gates, units, 2 * units);
    const auto next = z * h + (1 - z) * tanh(slice<1>(x, 2 * units, 3 * units) + dot(r * h, p[&network::candidate]));
    return std::pair(next, next);
  };
  const auto states = scan(step, start, dot(xs, p[&network::input]) + p[&network::bias]).second;
  return mean(square(states - target));
};

/// c = a b + scale c, where a or b may stand transposed, of rows of `a_row`, `b_row` and `c_row` numbers.
void product(CBLAS_TRANSPOSE flip_a, CBLAS_TRANSPOSE flip_b, int m, int n, int k, const float* a, int a_row,
             const float* b, int b_row, float scale, float* c, int c_row) {
  cblas_sgemm(CblasRowMajor, flip_a, flip_b, m, n, k, 1, a, a_row, b, b_row, scale, c, c_row);
}

using lanes = xsimd::batch<float>;
constexpr int width = static_cast<int>(lanes::size);
lanes load(const float* from) { return lanes::load_unaligned(from); }
void store(const lanes& x, float* to) { x.store_unaligned(to); }
lanes logistic(const lanes& x) { return lanes(1) / (lanes(1) + xsimd::exp(-x)); }

/// The loss, and its gradient by hand. All inputs are multiplied before the loop, and the gradients by the weights are
/// one product each after it.
float by_hand(const network& p, const matrix& start, const cube& xs, const cube& target, network& g) {
  constexpr int row = 3 * units, block = batch * units;
  static std::vector<float> all(rows * row), reset(rows * units), hs((rows + batch) * units), d(rows * row),
      by_h(block), by_reset(block);
  for (int i = 0; i < rows; ++i) std::copy_n(p.bias.data(), row, &all[static_cast<std::size_t>(i * row)]);
  product(CblasNoTrans, CblasNoTrans, rows, row, inputs, xs.data(), inputs, p.input.data(), row, 1, all.data(), row);
  std::copy_n(start.data(), block, hs.data());
  for (int t = 0; t < length; ++t) {
    float *const now = all.data() + t * batch * row, *const h = hs.data() + t * block,
                 *const rh = reset.data() + t * block;
    product(CblasNoTrans, CblasNoTrans, batch, 2 * units, units, h, units, p.gates.data(), 2 * units, 1, now, row);
    for (int i = 0; i < batch; ++i)
      for (int j = 0; j < units; j += width) {
        float *const z = now + i * row + j, *const r = z + units;
        const lanes r_now = logistic(load(r));
        store(logistic(load(z)), z), store(r_now, r), store(r_now * load(h + i * units + j), rh + i * units + j);
      }
    product(CblasNoTrans, CblasNoTrans, batch, units, units, rh, units, p.candidate.data(), units, 1, now + 2 * units,
            row);
    for (int i = 0; i < batch; ++i)
      for (int j = 0; j < units; j += width) {
        float* const z = now + i * row + j;
        const lanes c = xsimd::tanh(load(z + 2 * units)), before = load(h + i * units + j);
        store(c, z + 2 * units), store(c + load(z) * (before - c), h + block + i * units + j);
      }
  }

  lanes total(0);
  const float scale = 1.0f / static_cast<float>(rows * units);
  std::fill(by_h.begin(), by_h.end(), 0.0f);
  for (int t = length; t-- > 0;) {
    const float *const now = all.data() + t * batch * row, *const h = hs.data() + t * block;
    float* const d_now = d.data() + t * batch * row;
    for (int i = 0; i < batch; ++i)
      for (int j = 0; j < units; j += width) {
        const int at = i * units + j;
        const lanes error = load(h + block + at) - load(target.data() + t * block + at);
        const lanes z = load(now + i * row + j), c = load(now + i * row + 2 * units + j);
        const lanes adjoint = load(&by_h[static_cast<std::size_t>(at)]) + lanes(2 * scale) * error;
        total += error * error;
        store(adjoint * (load(h + at) - c) * z * (lanes(1) - z), d_now + i * row + j);
        store(adjoint * (lanes(1) - z) * (lanes(1) - c * c), d_now + i * row + 2 * units + j);
        store(adjoint * z, &by_h[static_cast<std::size_t>(at)]);
      }
    product(CblasNoTrans, CblasTrans, batch, units, units, d_now + 2 * units, row, p.candidate.data(), units, 0,
            by_reset.data(), units);
    for (int i = 0; i < batch; ++i)
      for (int j = 0; j < units; j += width) {
        const auto at = static_cast<std::size_t>(i * units + j);
        const lanes adjoint = load(&by_reset[at]), r = load(now + i * row + units + j);
        store(adjoint * load(h + at) * r * (lanes(1) - r), d_now + i * row + units + j);
        store(load(&by_h[at]) + adjoint * r, &by_h[at]);
      }
    product(CblasNoTrans, CblasTrans, batch, units, 2 * units, d_now, row, p.gates.data(), 2 * units, 1, by_h.data(),
            units);
  }
  product(CblasTrans, CblasNoTrans, inputs, row, rows, xs.data(), inputs, d.data(), row, 0, g.input.data(), row);
  product(CblasTrans, CblasNoTrans, units, 2 * units, rows, hs.data(), units, d.data(), row, 0, g.gates.data(),
          2 * units);
  product(CblasTrans, CblasNoTrans, units, units, rows, reset.data(), units, d.data() + 2 * units, row, 0,
          g.candidate.data(), units);
  std::fill_n(g.bias.data(), row, 0.0f);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < row; j += width)
      store(load(g.bias.data() + j) + load(d.data() + i * row + j), g.bias.data() + j);
  return xsimd::hadd(total) * scale;
}

}  // namespace

void gated_unit_step() {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-0.1f, 0.1f);
  network p{matrix::from_shape({inputs, 3 * units}), matrix::from_shape({units, 2 * units}),
            matrix::from_shape({units, units}), vector::from_shape({3 * units})};
  const matrix start = xt::zeros<float>({batch, units});
  cube xs = cube::from_shape({length, batch, inputs}), target = cube::from_shape({length, batch, units});
  const auto randomise = [&](auto& tensor) {
    for (float& e : tensor) e = uniform(generator);
  };
  randomise(p.input), randomise(p.gates), randomise(p.candidate), randomise(p.bias), randomise(xs), randomise(target);
  for (float& e : xs) e = 10 * e;

  const auto step = value_and_gradient(loss, wrt<0>);
  auto r = step(p, start, xs, target);
  network g = p;
  float total = 0;
  const auto ours = [&] { step(into(r), p, start, xs, target); };
  const auto hand = [&] { total = by_hand(p, start, xs, target, g); };
  ours(), hand();
  compare("gated unit 128, BLAS", batch, ours, hand,
          largest_difference(r.gradient.input, g.input) + largest_difference(r.gradient.gates, g.gates) +
              largest_difference(r.gradient.candidate, g.candidate) + largest_difference(r.gradient.bias, g.bias) +
              relative_difference(r.value, total));
}
