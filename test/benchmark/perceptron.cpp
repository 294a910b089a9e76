// The gradient of a perceptron with respect to its struct of parameters, next to calls of BLAS and loops by hand.
#include "perceptron.hpp"

#include "compare_tensors.hpp"

#include <tapeless/cblas.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/hana/define_struct.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace tapeless;
using matrix = xt::xtensor<float, 2>;
using vector = xt::xtensor<float, 1>;

constexpr int batch = 64, inputs = 784, hidden = 128, classes = 10;

struct perceptron {
  BOOST_HANA_DEFINE_STRUCT(perceptron, (matrix, w1), (vector, b1), (matrix, w2), (vector, b2));
};

constexpr auto loss = [](const auto& p, const auto& images, const auto& labels) {
  const auto& [w1, b1, w2, b2] = p;
  const auto z = dot(relu(dot(images, w1) + b1), w2) + b2;
  return mean(logsumexp<1>(z) - sum<1>(one_hot(labels, classes) * z));
};

/// c = a b + scale c, where a or b may stand transposed.
void product(CBLAS_TRANSPOSE flip_a, CBLAS_TRANSPOSE flip_b, int rows, int columns, int inner, const float* a,
             const float* b, float scale, float* c) {
  cblas_sgemm(CblasRowMajor, flip_a, flip_b, rows, columns, inner, 1, a, flip_a == CblasTrans ? rows : inner, b,
              flip_b == CblasTrans ? inner : columns, scale, c, columns);
}

/// The loss, and its gradient by hand.
float by_hand(const perceptron& p, const matrix& images, const std::vector<int>& labels, perceptron& g) {
  static std::vector<float> h(batch * hidden), dh(batch * hidden), z(batch * classes);
  for (int i = 0; i < batch; ++i) std::copy_n(p.b1.data(), hidden, &h[static_cast<std::size_t>(i * hidden)]);
  product(CblasNoTrans, CblasNoTrans, batch, hidden, inputs, images.data(), p.w1.data(), 1, h.data());
  for (float& e : h) e = std::max(e, 0.0f);
  for (int i = 0; i < batch; ++i) std::copy_n(p.b2.data(), classes, &z[static_cast<std::size_t>(i * classes)]);
  product(CblasNoTrans, CblasNoTrans, batch, classes, hidden, h.data(), p.w2.data(), 1, z.data());

  float total = 0;
  std::fill_n(g.b2.data(), classes, 0.0f);
  for (int i = 0; i < batch; ++i) {
    float* const row = &z[static_cast<std::size_t>(i * classes)];
    const int label = labels[static_cast<std::size_t>(i)];
    const float largest = *std::max_element(row, row + classes), right = row[label];
    float sum = 0;
    for (int j = 0; j < classes; ++j) sum += row[j] = std::exp(row[j] - largest);
    total += std::log(sum) + largest - right;
    const float scale = 1 / (sum * batch);
    for (int j = 0; j < classes; ++j) row[j] *= scale;
    row[label] -= 1.0f / batch;
    for (int j = 0; j < classes; ++j) g.b2.data()[j] += row[j];
  }

  product(CblasTrans, CblasNoTrans, hidden, classes, batch, h.data(), z.data(), 0, g.w2.data());
  product(CblasNoTrans, CblasTrans, batch, hidden, classes, z.data(), p.w2.data(), 0, dh.data());
  std::fill_n(g.b1.data(), hidden, 0.0f);
  for (int i = 0; i < batch; ++i)
    for (int j = 0; j < hidden; ++j) {
      const auto at = static_cast<std::size_t>(i * hidden + j);
      dh[at] = h[at] > 0 ? dh[at] : 0;
      g.b1.data()[j] += dh[at];
    }
  product(CblasTrans, CblasNoTrans, inputs, hidden, batch, images.data(), dh.data(), 0, g.w1.data());
  return total / batch;
}

}  // namespace

void perceptron_step() {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-0.05f, 0.05f);
  perceptron p{matrix::from_shape({inputs, hidden}), vector::from_shape({hidden}),
               matrix::from_shape({hidden, classes}), vector::from_shape({classes})};
  matrix images = matrix::from_shape({batch, inputs});
  for (matrix* m : {&p.w1, &p.w2, &images})
    for (float& e : *m) e = uniform(generator);
  for (vector* v : {&p.b1, &p.b2})
    for (float& e : *v) e = uniform(generator);
  for (float& e : images) e = 20 * e;
  std::vector<int> labels(batch);
  for (int& label : labels) label = static_cast<int>(generator() % classes);

  const auto step = value_and_gradient(loss, wrt<0>);
  auto r = step(p, images, labels);
  perceptron g = p;
  float total = 0;
  const auto ours = [&] { step(into(r), p, images, labels); };
  const auto hand = [&] { total = by_hand(p, images, labels, g); };
  ours(), hand();
  compare("perceptron 784-128-10, BLAS", batch, ours, hand,
          largest_difference(r.gradient.w1, g.w1) + largest_difference(r.gradient.b1, g.b1) +
              largest_difference(r.gradient.w2, g.w2) + largest_difference(r.gradient.b2, g.b2) +
              relative_difference(r.value, total));
}
