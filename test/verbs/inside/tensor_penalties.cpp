// Verbs over tensors in functions of which a gradient is taken: the squares of all that the verb gives.
#include "of_tensors.hpp"

namespace tapeless_test {
namespace {

template <class R>
constexpr auto squares(const R& r) {
  return sum_of(r, [](const auto& leaf) { return sum(square(leaf)); });
}
template <class T>
T squares(const std::vector<T>& all) {
  return sum_of_squares(all);
}
/// The products of rows of four numbers with another.
template <class T>
std::vector<T> times(const std::vector<T>& rows, const std::array<T, 4>& by_row) {
  std::vector<T> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % 4 == 0) all.push_back(T{});
    all.back() = all.back() + rows[i] * by_row[i % 4];
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(penalties_over_tensors) {
  const cells cell{"function over tensors", "in a verb"};
  const auto check = [&](const char* verb, auto penalty, auto of) {
    cell(verb, gradient(penalty)(xs, ys), slopes([=](const auto& p) { return squares(of(p)); }, point));
  };
  const auto with_value = [](auto all, const auto& p) {
    all.push_back(plain_f(p));
    return all;
  };
  check(
      "value", [](auto u, auto v) { return squares(value(fs)(u, v)); },
      [](const auto& p) {
        const auto all = plain_fs(p);
        return std::vector(all.begin(), all.end());
      });
  check(
      "gradient", [](auto u, auto v) { return squares(gradient(f)(u, v)); },
      [](const auto& p) { return slopes(plain_f, p); });
  check(
      "value_and_gradient", [](auto u, auto v) { return squares(value_and_gradient(f)(u, v)); },
      [=](const auto& p) { return with_value(slopes(plain_f, p), p); });
  // Jacobians of numbers alone.
  check(
      "jacobian", [](auto u, auto v) { return squares(jacobian(f)(u, v)); },
      [](const auto& p) { return slopes(plain_f, p); });
  check(
      "value_and_jacobian", [](auto u, auto v) { return squares(value_and_jacobian(f)(u, v)); },
      [=](const auto& p) { return with_value(slopes(plain_f, p), p); });
  check(
      "jvp", [](auto u, auto v) { return squares(jvp(fs, tangent(v, u))(u, v)); },
      []<class T>(const std::array<T, 4>& p) {
        return times(rows_of_slopes(plain_fs, p), std::array<T, 4>{p[2], p[3], p[0], p[1]});
      });
  check(
      "value_and_jvp", [](auto u, auto v) { return squares(value_and_jvp(f, tangent(v, u))(u, v)); },
      [=]<class T>(const std::array<T, 4>& p) {
        return with_value(times(slopes(plain_f, p), std::array<T, 4>{p[2], p[3], p[0], p[1]}), p);
      });
  check(
      "vjp", [](auto u, auto v) { return squares(vjp(fs, cotangent(v, 2.0))(u, v)); },
      []<class T>(const std::array<T, 4>& p) {
        const auto j = rows_of_slopes(plain_fs, p);
        std::vector<T> all;
        for (std::size_t k = 0; k < 4; ++k) all.push_back(p[2] * j[k] + p[3] * j[4 + k] + 2.0 * j[8 + k]);
        return all;
      });
  check(
      "hvp", [](auto u, auto v) { return squares(hvp(f, tangent(v, u))(u, v)); },
      []<class T>(const std::array<T, 4>& p) {
        return times(curvatures(plain_f, p), std::array<T, 4>{p[2], p[3], p[0], p[1]});
      });
}

}  // namespace tapeless_test
