// Distillation: a student with logits s learns the softened predictions of a teacher with logits t.
//
//   p = softmax(t / T),    q = softmax(s / T),    L = T^2 sum_k stop(p_k) (log stop(p_k) - log q_k)
//
//   dL/ds = T (q - p),    dL/dt = 0
//
// The stop is what makes one the teacher; without it, the teacher would learn to be easy to follow.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

constexpr double temperature = 2.5;

constexpr auto log_softmax_of = [](const auto& logits) {
  auto result = logits;
  for (auto& entry : result) entry = entry / temperature;
  const auto log_sum = logsumexp(result[0], result[1], result[2]);
  for (auto& entry : result) entry = entry - log_sum;
  return result;
};
constexpr auto loss = [](auto t, auto s) {
  const auto teacher = stop_gradient(log_softmax_of(t)), student = log_softmax_of(s);
  decltype(s[0] * s[0]) sum = 0.0;
  for (std::size_t k = 0; k < s.size(); ++k) sum += exp(teacher[k]) * (teacher[k] - student[k]);
  return temperature * temperature * sum;
};

std::array<double, 3> softmax_of(const std::array<double, 3>& logits) {
  std::array<double, 3> result{};
  double sum = 0;
  for (const double entry : logits) sum += std::exp(entry / temperature);
  for (std::size_t k = 0; k < 3; ++k) result[k] = std::exp(logits[k] / temperature) / sum;
  return result;
}

}  // namespace

int main() {
  const std::array t{2.0, -1.0, 0.5}, s{0.1, 0.4, -0.3};
  const auto [by_teacher, by_student] = gradient(loss)(t, s);
  const auto p = softmax_of(t), q = softmax_of(s);
  bool right = true;
  for (std::size_t k = 0; k < 3; ++k)
    right = right && by_teacher[k] == 0 && agree(by_student[k], temperature * (q[k] - p[k]));
  std::printf("distillation: by the student (%.4f, %.4f, %.4f), by the teacher (%g, %g, %g)\n", by_student[0],
              by_student[1], by_student[2], by_teacher[0], by_teacher[1], by_teacher[2]);
  return right ? 0 : 1;
}
