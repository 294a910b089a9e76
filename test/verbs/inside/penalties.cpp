// Verbs in functions of which a gradient is taken: a times the squares of all that the verb gives.
#include "inside.hpp"

namespace tapeless_test {
namespace {

template <class R>
constexpr auto squares(const R& r) {
  return sum_of(r, [](const auto& leaf) { return leaf * leaf; });
}
template <class T>
T squares(const std::vector<T>& all) {
  return sum_of_squares(all);
}
template <class T>
std::vector<T> times(const std::vector<T>& rows, const T& a, const T& b) {
  std::vector<T> all;
  for (std::size_t i = 0; i < rows.size(); i += 2) all.push_back(rows[i] * a + rows[i + 1] * b);
  return all;
}

constexpr std::array<double, 2> point{0.7, 0.4};
/// The slopes of a times the squares of what `of` gives.
template <class Of>
numbers slopes_of_penalty(Of of) {
  return slopes([=](const auto& p) { return squares(of(p)) * p[0]; }, point);
}

// What verbs give, of functions in plain C++.
template <class R>
constexpr auto values = []<class P>(const P& p) {
  const auto result = R{}(p);
  if constexpr (requires { result[0]; })
    return std::vector(result.begin(), result.end());
  else
    return std::vector{result};
};
template <class R>
constexpr auto both = [](const auto& p) {
  auto all = slopes(R{}, p);
  all.push_back(R{}(p));
  return all;
};

constexpr auto plain_f = [](const auto& p) {
  using std::sin;
  return sin(p[0] * p[1]) + 0.5 * p[0];
};
constexpr auto plain_fs = [](const auto& p) {
  using std::cos, std::sin;
  return std::array{sin(p[0] * p[1]) + 0.5 * p[0], p[0] * p[0] - cos(p[1])};
};

template <class F, class Fs, class R, class Rs, class... N>
void penalties(const cells& cell, F, Fs, R r, Rs rs, N... n) {
  const auto check = [&](const char* verb, auto penalty, const auto& of) {
    cell(verb, gradient(penalty, by)(0.7, 0.4, n...), slopes_of_penalty(of));
  };
  const auto rows = [=](const auto& p) { return rows_of_slopes(rs, p); };
  check("value", [](auto a, auto b, auto... m) { return squares(value(F{})(a, b, m...)) * a; }, values<R>);
  check(
      "gradient", [](auto a, auto b, auto... m) { return squares(gradient(F{}, by)(a, b, m...)) * a; },
      [=](const auto& p) { return slopes(r, p); });
  check(
      "value_and_gradient",
      [](auto a, auto b, auto... m) { return squares(value_and_gradient(F{}, by)(a, b, m...)) * a; }, both<R>);
  check(
      "hessian", [](auto a, auto b, auto... m) { return squares(hessian(F{}, by)(a, b, m...)) * a; },
      [=](const auto& p) { return curvatures(r, p); });
  check(
      "value_and_hessian",
      [](auto a, auto b, auto... m) { return squares(value_and_hessian(F{}, by)(a, b, m...)) * a; },
      [=](const auto& p) {
        auto all = both<R>(p);
        for (const auto& each : curvatures(r, p)) all.push_back(each);
        return all;
      });
  check(
      "hvp", [](auto a, auto b, auto... m) { return squares(hvp(F{}, by, tangent(2.0, -1.0))(a, b, m...)) * a; },
      []<class T>(const std::array<T, 2>& p) { return times<T>(curvatures(R{}, p), 2.0, -1.0); });
  check(
      "sparse_hessian",
      [](auto a, auto b, auto... m) { return squares(sparse_hessian(F{}, by)(a, b, m...)(0, 1)) * a; },
      [=](const auto& p) { return std::vector{curvatures(r, p)[1]}; });
  check("jacobian", [](auto a, auto b, auto... m) { return squares(jacobian(Fs{}, by)(a, b, m...)) * a; }, rows);
  check(
      "value_and_jacobian",
      [](auto a, auto b, auto... m) { return squares(value_and_jacobian(Fs{}, by)(a, b, m...)) * a; },
      [=](const auto& p) {
        auto all = rows(p);
        for (const auto& each : rs(p)) all.push_back(each);
        return all;
      });
  // Directions that are arguments too.
  check(
      "jvp", [](auto a, auto b, auto... m) { return squares(jvp(Fs{}, by, tangent(2.0, b))(a, b, m...)) * a; },
      []<class T>(const std::array<T, 2>& p) { return times<T>(rows_of_slopes(Rs{}, p), 2.0, p[1]); });
  check(
      "value_and_jvp",
      [](auto a, auto b, auto... m) { return squares(value_and_jvp(F{}, by, tangent(2.0, b))(a, b, m...)) * a; },
      []<class T>(const std::array<T, 2>& p) {
        auto all = times<T>(slopes(R{}, p), 2.0, p[1]);
        all.push_back(R{}(p));
        return all;
      });
  check(
      "vjp", [](auto a, auto b, auto... m) { return squares(vjp(Fs{}, by, cotangent(a, 2.0))(a, b, m...)) * a; },
      [](const auto& p) {
        const auto j = rows_of_slopes(Rs{}, p);
        return std::vector{p[0] * j[0] + 2.0 * j[2], p[0] * j[1] + 2.0 * j[3]};
      });
  check(
      "sparse_jacobian",
      [](auto a, auto b, auto... m) { return squares(sparse_jacobian(Fs{}, by)(a, b, m...)(1, 0)) * a; },
      [=](const auto& p) { return std::vector{rows(p)[2]}; });
}

constexpr auto f = [](auto a, auto b) { return sin(a * b) + 0.5 * a; };
constexpr auto fs = [](auto a, auto b) { return std::array{sin(a * b) + 0.5 * a, a * a - cos(b)}; };
constexpr auto loop = [](auto a, auto b, auto n) { return scan([&](auto c, auto) { return f(c, b); }, a, steps(n)); };
constexpr auto loops = [](auto a, auto b, auto n) {
  return scan([](auto c, auto) { return fs(c[0], c[1]); }, std::array{a, b}, steps(n));
};
constexpr auto plain_loop = []<class T>(const std::array<T, 2>& p) {
  return plain_f(std::array<T, 2>{plain_f(p), p[1]});
};
constexpr auto plain_loops = [](const auto& p) { return plain_fs(plain_fs(p)); };

}  // namespace

BOOST_AUTO_TEST_CASE(penalties_of_functions) {
  penalties(cells{"function", "in a verb"}, f, fs, plain_f, plain_fs);
  penalties(cells{"function with a scan", "in a verb"}, loop, loops, plain_loop, plain_loops, 2);
}

#define PENALTY(VERB, OF, ...)                                                                                         \
  cell(VERB, gradient([](auto a, auto b) { return squares(__VA_ARGS__) * a; })(0.7, 0.4),                              \
       slopes_of_penalty([](const auto& p) { return OF; }))

BOOST_AUTO_TEST_CASE(penalties_of_formulas) {
  static constexpr auto x = variable<"x">;
  static constexpr auto y = variable<"y">;
  static constexpr auto one = sin(x * y) + 0.5 * x;
  static constexpr auto two = outputs(sin(x * y) + 0.5 * x, x * x - cos(y));
  {
    const cells cell{"formula", "in a verb"};
    PENALTY("value", std::vector{plain_f(p)}, value(one)(x = a, y = b));
    PENALTY("gradient", std::vector{slopes(plain_f, p)[1]}, gradient(one)(x = a, y = b)[y]);
    PENALTY("value_and_gradient", std::vector{slopes(plain_f, p)[0]},
            value_and_gradient(one)(x = a, y = b).gradient[x]);
    PENALTY("jacobian", std::vector{slopes(plain_f, p)[0]}, jacobian(one)(x = a, y = b)(0, x));
    PENALTY("value_and_jacobian", std::vector{slopes(plain_f, p)[1]},
            value_and_jacobian(one)(x = a, y = b).jacobian(0, y));
    PENALTY("hessian", std::vector{curvatures(plain_f, p)[1]}, hessian(one)(x = a, y = b)(x, y));
    PENALTY("value_and_hessian", std::vector{curvatures(plain_f, p)[3]},
            value_and_hessian(one)(x = a, y = b).hessian(y, y));
    PENALTY("jvp", (std::vector{2.0 * slopes(plain_f, p)[0] + p[1] * slopes(plain_f, p)[1]}),
            jvp(one, tangent(x = 2.0, y = b))(x = a, y = b));
    PENALTY("value_and_jvp", (std::vector{2.0 * slopes(plain_f, p)[0] + slopes(plain_f, p)[1]}),
            value_and_jvp(one, tangent(x = 2.0, y = 1.0))(x = a, y = b).tangent);
    PENALTY("vjp", std::vector{p[0] * slopes(plain_f, p)[1]}, vjp(one, cotangent(a))(x = a, y = b)[y]);
    PENALTY("hvp", (std::vector{2.0 * curvatures(plain_f, p)[0] - curvatures(plain_f, p)[1]}),
            hvp(one, tangent(x = 2.0, y = -1.0))(x = a, y = b)[x]);
    PENALTY("sparse_jacobian", std::vector{slopes(plain_f, p)[0]}, sparse_jacobian(one)(x = a, y = b)(0, x));
    PENALTY("sparse_hessian", std::vector{curvatures(plain_f, p)[1]}, sparse_hessian(one)(x = a, y = b)(x, y));
  }
  const cells cell{"outputs", "in a verb"};
  PENALTY("value", (std::vector{plain_fs(p)[0], plain_fs(p)[1]}), two(x = a, y = b));
  PENALTY("jacobian", std::vector{rows_of_slopes(plain_fs, p)[2]}, jacobian(two)(x = a, y = b)(1, x));
  PENALTY("value_and_jacobian", std::vector{rows_of_slopes(plain_fs, p)[1]},
          value_and_jacobian(two)(x = a, y = b).jacobian(0, y));
  PENALTY("jvp", (std::vector{2.0 * rows_of_slopes(plain_fs, p)[2] + p[1] * rows_of_slopes(plain_fs, p)[3]}),
          jvp(two, tangent(x = 2.0, y = b))(x = a, y = b)[1]);
  PENALTY("value_and_jvp", (std::vector{2.0 * rows_of_slopes(plain_fs, p)[0] + rows_of_slopes(plain_fs, p)[1]}),
          value_and_jvp(two, tangent(x = 2.0, y = 1.0))(x = a, y = b).tangent[0]);
  PENALTY("vjp", (std::vector{p[0] * rows_of_slopes(plain_fs, p)[1] + 2.0 * rows_of_slopes(plain_fs, p)[3]}),
          vjp(two, cotangent(a, 2.0))(x = a, y = b)[y]);
  PENALTY("sparse_jacobian", std::vector{rows_of_slopes(plain_fs, p)[3]}, sparse_jacobian(two)(x = a, y = b)(1, y));
}

}  // namespace tapeless_test
