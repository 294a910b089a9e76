#include "of_tensors.hpp"

namespace tapeless_test {

BOOST_AUTO_TEST_CASE(tensors_in_a_call) {
  static constexpr auto one = [](const auto& u, const auto& v) { return call(f, u, v) * call(f, v, u * v); };
  static constexpr auto two = [](const auto& u, const auto& v) {
    const auto [w, s] = call(fs, u, v);
    return call(fs, w, v * s);
  };
  constexpr auto plain_one = []<class T>(const std::array<T, 4>& p) {
    return plain_f(p) * plain_f(std::array<T, 4>{p[2], p[3], p[0] * p[2], p[1] * p[3]});
  };
  constexpr auto plain_two = [](auto p) {
    const auto first = plain_fs(p);
    p[0] = first[0], p[1] = first[1], p[2] = p[2] * first[2], p[3] = p[3] * first[2];
    return plain_fs(p);
  };
  const cells cell{"function over tensors", "in a call"};
  verbs_of_number(cell, one, plain_one);
  verbs_of_several(cell, two, plain_two);
}

BOOST_AUTO_TEST_CASE(tensors_in_a_branch) {
  // The logarithm of a negative number is not taken.
  [[maybe_unused]] static constexpr auto other = [](const auto& u, const auto& v) {
    return log(sum(u) - sum(v)) * v[0];
  };
  [[maybe_unused]] static constexpr auto others = [](const auto& u, const auto& v) {
    return std::tuple(u * u * v, sum(v));
  };
  static constexpr auto one = [](const auto& u, const auto& v) { return cond(sum(u) < sum(v), f, other, u, v); };
  static constexpr auto two = [](const auto& u, const auto& v) { return cond(sum(v) < sum(u), fs, others, u, v); };
  constexpr auto plain_two = []<class T>(const std::array<T, 4>& p) {
    return std::array<T, 3>{p[0] * p[0] * p[2], p[1] * p[1] * p[3], p[2] + p[3]};
  };
  const cells cell{"function over tensors", "in a branch"};
  verbs_of_number(cell, one, plain_f);
  verbs_of_several(cell, two, plain_two);
}

}  // namespace tapeless_test
