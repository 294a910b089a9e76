// Functions of two numbers, 0.7 and 0.4, in loops, calls and branches, alone and batched.
#ifndef TAPELESS_TEST_VERBS_INSIDE_OF_NUMBERS_HPP
#define TAPELESS_TEST_VERBS_INSIDE_OF_NUMBERS_HPP

#include "inside.hpp"

namespace tapeless_test {

/// How a verb is called, and with what.
struct alone {
  static constexpr std::array<std::array<double, 2>, 1> points{{{0.7, 0.4}}};
  template <class Verb, class... N>
  static auto call(const Verb& verb, N... n) {
    return verb(0.7, 0.4, n...);
  }
};
inline const numbers as{0.7, -0.3}, bs{0.4, 1.2};
struct batch {
  static constexpr std::array<std::array<double, 2>, 2> points{{{0.7, 0.4}, {-0.3, 1.2}}};
  template <class Verb, class... N>
  static auto call(const Verb& verb, N... n) {
    return batched(verb)(as, bs, n...);
  }
};
struct batch_of_each {
  static constexpr std::array<std::array<double, 2>, 2> points{{{0.7, 0.4}, {0.7, 1.2}}};
  template <class Verb, class... N>
  static auto call(const Verb& verb, N... n) {
    return batched(verb)(0.7, each(bs), n...);
  }
};

/// What `reference` says of each of the points: all numbers of one of them before the next, or those of a place
/// together.
template <class How, class Reference>
numbers each_of(const Reference& reference) {
  numbers all;
  for (const auto& p : How::points) all = together(all, reference(p));
  return all;
}
template <class How, class Reference>
numbers by_place(const Reference& reference) {
  const numbers all = each_of<How>(reference);
  const std::size_t count = all.size() / How::points.size();
  numbers result;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = i; k < all.size(); k += count) result.push_back(all[k]);
  return result;
}

/// Verbs of a function of two numbers, and of integers `n`, that returns a number; `r` is the same in plain C++.
template <class How, class F, class R, class... N>
void verbs_of_number(const cells& cell, F f, R r, N... n) {
  const auto at = [&](const auto& verb) { return How::call(verb, n...); };
  const numbers value_at = by_place<How>([&](const auto& p) { return numbers{r(p)}; });
  const numbers slopes_at = by_place<How>([&](const auto& p) { return slopes(r, p); });
  const numbers curvatures_at = by_place<How>([&](const auto& p) { return curvatures(r, p); });
  cell("value", at(value(f)), value_at);
  cell("gradient", at(gradient(f, by)), slopes_at);
  cell("value_and_gradient", at(value_and_gradient(f, by)), together(value_at, slopes_at));
  cell("hessian", at(hessian(f, by)), curvatures_at);
  cell("value_and_hessian", at(value_and_hessian(f, by)), together(together(value_at, slopes_at), curvatures_at));
  cell("hvp", at(hvp(f, by, tangent(2.0, -1.0))), by_place<How>([&](const auto& p) {
         const numbers h = curvatures(r, p);
         return numbers{2 * h[0] - h[1], 2 * h[2] - h[3]};
       }));
  const auto h = at(sparse_hessian(f, by));
  cell("sparse_hessian", std::tuple(h(0, 0), h(0, 1), h(1, 0), h(1, 1)), curvatures_at);
}
/// Verbs of a function that returns `std::array` of two numbers.
template <class How, class F, class R, class... N>
void verbs_of_several(const cells& cell, F f, R r, N... n) {
  const auto at = [&](const auto& verb) { return How::call(verb, n...); };
  // What a function returns stays together.
  const numbers values_at = each_of<How>([&](const auto& p) { return numbers{r(p)[0], r(p)[1]}; });
  const numbers tangents_at = each_of<How>([&](const auto& p) {
    const numbers j = rows_of_slopes(r, p);
    return numbers{2 * j[0] - j[1], 2 * j[2] - j[3]};
  });
  const numbers rows_at = by_place<How>([&](const auto& p) { return rows_of_slopes(r, p); });
  const auto along = tangent(2.0, -1.0);
  cell("value", at(value(f)), values_at);
  cell("jacobian", at(jacobian(f, by)), rows_at);
  cell("value_and_jacobian", at(value_and_jacobian(f, by)), together(values_at, rows_at));
  cell("jvp", at(jvp(f, by, along)), tangents_at);
  cell("value_and_jvp", at(value_and_jvp(f, by, along)), together(values_at, tangents_at));
  cell("vjp", at(vjp(f, by, cotangent(3.0, 0.5))), by_place<How>([&](const auto& p) {
         const numbers j = rows_of_slopes(r, p);
         return numbers{3 * j[0] + 0.5 * j[2], 3 * j[1] + 0.5 * j[3]};
       }));
  const auto j = at(sparse_jacobian(f, by));
  cell("sparse_jacobian", std::tuple(j(0, 0), j(0, 1), j(1, 0), j(1, 1)), rows_at);
}
/// The same of one number.
template <class How, class F, class R, class... N>
void verbs_of_one_row(const cells& cell, F f, R r, N... n) {
  const auto at = [&](const auto& verb) { return How::call(verb, n...); };
  const numbers value_at = by_place<How>([&](const auto& p) { return numbers{r(p)}; });
  const numbers slopes_at = by_place<How>([&](const auto& p) { return slopes(r, p); });
  const numbers tangent_at =
      by_place<How>([&](const auto& p) { return numbers{2 * slopes(r, p)[0] - slopes(r, p)[1]}; });
  const auto along = tangent(2.0, -1.0);
  numbers pulled = slopes_at;
  for (double& each : pulled) each *= 3;
  cell("jacobian", at(jacobian(f, by)), slopes_at);
  cell("value_and_jacobian", at(value_and_jacobian(f, by)), together(value_at, slopes_at));
  cell("jvp", at(jvp(f, by, along)), tangent_at);
  cell("value_and_jvp", at(value_and_jvp(f, by, along)), together(value_at, tangent_at));
  cell("vjp", at(vjp(f, by, cotangent(3.0))), pulled);
  const auto j = at(sparse_jacobian(f, by));
  cell("sparse_jacobian", std::tuple(j(0, 0), j(0, 1)), slopes_at);
}
template <class How, class F, class... N>
void inspections(const cells& cell, F f, N... n) {
  if constexpr (std::is_same_v<How, alone>) {
    cell("check_gradient", check_gradient(f, by)(0.7, 0.4, n...).passed(1e-7), {1});
    cell("dot", dot<double, double, N...>(f).starts_with("digraph"), {1});
  }
}

// The contexts, and the same in plain C++.
struct in_scan {
  static constexpr const char* name = "in a scan";
  template <class F>
  static constexpr auto one =
      [](auto a, auto b, auto n) { return scan([&](auto c, auto) { return F{}(c, b); }, a, steps(n)); };
  template <class F>
  static constexpr auto two = [](auto a, auto b, auto n) {
    return scan([](auto c, auto) { return F{}(c[0], c[1]); }, std::array{a, b}, steps(n));
  };
  template <class R>
  static constexpr auto plain_one = [](const auto& p) { return R{}(R{}(p[0], p[1]), p[1]); };
  template <class R>
  static constexpr auto plain_two = [](const auto& p) {
    const auto c = R{}(p[0], p[1]);
    return R{}(c[0], c[1]);
  };
};
struct in_call {
  static constexpr const char* name = "in a call";
  template <class F>
  static constexpr auto one = [](auto a, auto b) { return call(F{}, a, b) * a + call(F{}, b, a * b); };
  template <class F>
  static constexpr auto two = [](auto a, auto b) {
    const auto c = call(F{}, a, b);
    return call(F{}, c[0], c[1]);
  };
  template <class R>
  static constexpr auto plain_one = [](const auto& p) { return R{}(p[0], p[1]) * p[0] + R{}(p[1], p[0] * p[1]); };
  template <class R>
  static constexpr auto plain_two = in_scan::plain_two<R>;
};
// The points of a batch take different branches.
struct in_branch {
  static constexpr const char* name = "in a branch";
  static constexpr auto other = [](auto a, auto b) { return a * a * b; };
  static constexpr auto others = [](auto a, auto b) { return std::array{a * a * b, a + b}; };
  template <class F>
  static constexpr auto one =
      [](auto a, auto b) { return cond(a < b, F{}, other, a, b) * cond(b < a, F{}, other, b, a); };
  template <class F>
  static constexpr auto two = [](auto a, auto b) {
    const auto c = cond(a < b, F{}, others, a, b);
    return cond(b < a, F{}, others, c[1], c[0]);
  };
  template <class R>
  static constexpr auto plain_one = [](const auto& p) {
    const auto [a, b] = p;
    return (a < b ? R{}(a, b) : other(a, b)) * (b < a ? R{}(b, a) : other(b, a));
  };
  template <class R>
  static constexpr auto plain_two = [](const auto& p) {
    const auto [a, b] = p;
    const auto c = a < b ? R{}(a, b) : others(a, b);
    return b < a ? R{}(c[1], c[0]) : others(c[1], c[0]);
  };
};
struct as_it_is {
  static constexpr const char* name = "in a batch";
  template <class F>
  static constexpr auto one = [](auto a, auto b) { return F{}(a, b); };
  template <class F>
  static constexpr auto two = [](auto a, auto b) { return F{}(a, b); };
  template <class R>
  static constexpr auto plain_one = [](const auto& p) { return R{}(p[0], p[1]); };
  template <class R>
  static constexpr auto plain_two = plain_one<R>;
};

/// The verbs of functions that call the operand `Of` inside.
template <class How, class Context, class Of, class... N>
void run_in(N... n) {
  const cells cell{std::string(std::is_same_v<How, batch> ? "batched " : "") + Of::name, Context::name};
  if constexpr (requires { Of::one; }) {
    constexpr auto f = Context::template one<decltype(Of::one)>;
    constexpr auto r = Context::template plain_one<decltype(Of::plain_one)>;
    verbs_of_number<How>(cell, f, r, n...);
    if constexpr (!requires { Of::two; }) verbs_of_one_row<How>(cell, f, r, n...);
    inspections<How>(cell, f, n...);
  }
  if constexpr (requires { Of::two; }) {
    constexpr auto f = Context::template two<decltype(Of::two)>;
    verbs_of_several<How>(cell, f, Context::template plain_two<decltype(Of::plain_two)>, n...);
    if constexpr (!requires { Of::one; } && std::is_same_v<How, alone>)
      cell("dot", dot<double, double, N...>(f).starts_with("digraph"), {1});
  }
}
template <class How, class Of>
void run_in_all() {
  run_in<How, in_scan, Of>(2);
  run_in<How, in_call, Of>();
  run_in<How, in_branch, Of>();
}

// The operands in plain C++.
constexpr auto plain_one = [](const auto& a, const auto& b) {
  using std::sin;
  return sin(a * b) + 0.5 * a;
};
constexpr auto plain_two = [](const auto& a, const auto& b) {
  using std::cos, std::sin;
  return std::array{sin(a * b) + 0.5 * a, a * a - cos(b)};
};

}  // namespace tapeless_test

#endif
