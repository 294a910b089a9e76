// Paths that a selection leaves out, where derivatives leave loops and calls: against closed forms, and in random
// functions against jets that follow the chosen paths through the unrolled function.
#include "../jets.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace tapeless;
using tapeless_test::jet, tapeless_test::random_sequence, tapeless_test::same;
using numbers = std::vector<double>;

const numbers none;

BOOST_AUTO_TEST_CASE(what_a_loop_captures) {
  constexpr auto f = [](auto p, auto xs) {
    return scan([&](auto c, auto x) { return c + where(x > 0, sqrt(p), x); }, 0.0, xs);
  };
  BOOST_TEST(gradient(f, wrt<0>)(-1.0, numbers{-1, -2}) == 0.0);
  BOOST_TEST(gradient(f, wrt<0>)(0.0, numbers{-1, -2}) == 0.0);
  BOOST_TEST(gradient(f, wrt<0>)(4.0, numbers{-1, 2, 1}) == 0.5);
  BOOST_TEST(std::isinf(gradient(f, wrt<0>)(0.0, numbers{-1, 2})));
  constexpr auto checkpointed = [](auto p, auto xs) {
    return scan<checkpoints<2>>([&](auto c, auto x) { return c + where(x > 0, sqrt(p), x); }, 0.0, xs);
  };
  BOOST_TEST(gradient(checkpointed, wrt<0>)(0.0, numbers{-1, -2, -3, -4, -5}) == 0.0);
  BOOST_TEST(vjp(f, wrt<0>, cotangent(2.0))(4.0, numbers{1}) == 0.5);
  // A cotangent of zero is a number like others.
  BOOST_TEST(std::isnan(vjp(f, wrt<0>, cotangent(0.0))(0.0, numbers{1})));
  BOOST_TEST(vjp(f, wrt<0>, cotangent(0.0))(0.0, numbers{-1}) == 0.0);
}

BOOST_AUTO_TEST_CASE(carries_that_are_reset) {
  constexpr auto f = [](auto p, auto xs) {
    return scan([](auto c, auto x) { return where(x > 0, sqrt(c), 2.0 - x); }, p, xs);
  };
  BOOST_TEST(gradient(f, wrt<0>)(0.0, numbers{1, -1}) == 0.0);
  BOOST_TEST(gradient(f, wrt<0>)(0.0, numbers{1, -1, 1}) == 0.0);
  BOOST_TEST(gradient(f, wrt<0>)(16.0, numbers{1, 1}) == 1.0 / 32);
  BOOST_TEST(jvp(f, wrt<0>, tangent(1.0))(0.0, numbers{1, -1, 1}) == 0.0);
  BOOST_TEST(hessian(f, wrt<0>)(0.0, numbers{1, -1, 1})[0][0] == 0.0);
  // The second derivative of sqrt(p).
  BOOST_TEST(hessian(f, wrt<0>)(4.0, numbers{1})[0][0] == -1.0 / 32);
  // A carry without a derivative at first, where it would be infinite.
  constexpr auto from_zero = [](auto p, auto n) {
    return scan([&](auto c, auto) { return sqrt(c) + p; }, 0.0, steps(n));
  };
  BOOST_TEST(jvp(from_zero, wrt<0>, tangent(1.0))(4.0, 1) == 1.0);
  BOOST_TEST(jvp(from_zero, wrt<0>, tangent(1.0))(4.0, 2) == 1.25);
  BOOST_TEST(gradient(from_zero, wrt<0>)(4.0, 2) == 1.25);
  BOOST_TEST(hessian(from_zero, wrt<0>)(4.0, 1)[0][0] == 0.0);
  BOOST_TEST(hessian(from_zero, wrt<0>)(4.0, 2)[0][0] == -1.0 / 32);
}

// What a step computes from its elements alone, the next one forgets: no path leads from there to the result.
BOOST_AUTO_TEST_CASE(carries_that_a_step_does_not_pass_on) {
  constexpr auto last = [](auto p, auto xs) { return scan([](auto, auto x) { return sqrt(x); }, p, xs); };
  BOOST_TEST((gradient(last, wrt<1>)(1.0, numbers{0, 1}) == numbers{0, 0.5}));
  BOOST_TEST((gradient(last, wrt<1>)(1.0, numbers{0, 0, 4}) == numbers{0, 0, 0.25}));
  BOOST_TEST(std::isinf(gradient(last, wrt<1>)(1.0, numbers{1, 0})[1]));
  BOOST_TEST(jvp(last, wrt<1>, tangent(numbers{1, 1}))(1.0, numbers{0, 1}) == 0.5);
  BOOST_TEST((hvp(last, wrt<1>, tangent(numbers{1, 1}))(1.0, numbers{0, 1}) == numbers{0, -0.25}));
  constexpr auto stopped = [](auto p, auto xs) {
    return scan<checkpoints<2>>([](auto c, auto x) { return stop_gradient(c) + sqrt(x); }, p, xs);
  };
  BOOST_TEST((gradient(stopped, wrt<1>)(1.0, numbers{0, 0, 0, 4}) == numbers{0, 0, 0, 0.25}));
  // The last element but one, of which the root is taken; and its product with the root of the last.
  constexpr auto delayed = [](auto p, auto xs) {
    return scan([](auto c, auto x) { return std::array{2.0 * c[1], sqrt(x)}; }, std::array{p, p}, xs)[0];
  };
  BOOST_TEST((gradient(delayed, wrt<1>)(1.0, numbers{0, 1, 0}) == numbers{0, 1, 0}));
  constexpr auto product = [](auto p, auto xs) {
    return scan([](auto c, auto x) { return std::array{c[1] * sqrt(x), 1.0 * x}; }, std::array{p, p}, xs)[0];
  };
  BOOST_TEST((gradient(product, wrt<1>)(1.0, numbers{0, 9, 16}) == numbers{0, 4, 1.125}));
  // A parameter that only the first step reads.
  constexpr auto once = [](auto p, auto xs) {
    return scan([](auto c, auto x) { return std::array{sqrt(c[1]), x}; }, std::array{p, p}, xs)[0];
  };
  BOOST_TEST(gradient(once, wrt<0>)(4.0, numbers{0}) == 0.25);
  BOOST_TEST(gradient(once, wrt<0>)(4.0, numbers{0, 0}) == 0.0);
  BOOST_TEST(jvp(once, wrt<0>, tangent(1.0))(4.0, numbers{0, 0}) == 0.0);
}

constexpr auto roots = [](auto a, auto xs) {
  return scan([](auto c, auto x) { return std::pair{c, sqrt(x)}; }, a, xs).second;
};

// The same where the infinite derivative is beyond the loop: in what another loop emits, or a step captures.
BOOST_AUTO_TEST_CASE(what_a_step_does_not_pass_on_meets_beyond_the_loop) {
  constexpr auto last = [](auto a, auto xs) { return scan([](auto, auto r) { return 2.0 * r; }, a, roots(a, xs)); };
  BOOST_TEST((gradient(last, wrt<1>)(1.0, numbers{0, 0, 4}) == numbers{0, 0, 0.5}));
  BOOST_TEST((hvp(last, wrt<1>, tangent(numbers{1, 1, 1}))(1.0, numbers{0, 0, 4}) == numbers{0, 0, -0.0625}));
  constexpr auto last_but_one = [](auto a, auto xs) {
    return scan([](auto c, auto r) { return std::array{2.0 * c[1], 1.0 * r}; }, std::array{a, a}, roots(a, xs))[0];
  };
  BOOST_TEST((gradient(last_but_one, wrt<1>)(1.0, numbers{0, 4, 0}) == numbers{0, 0.5, 0}));
  constexpr auto reset = [](auto a, auto xs, auto ys) {
    return scan([](auto c, auto r, auto y) { return where(y > 0, c + r, 0.0); }, a, roots(a, xs), ys);
  };
  BOOST_TEST((gradient(reset, wrt<1>)(1.0, numbers{0, 0, 4}, numbers{1, -1, 1}) == numbers{0, 0, 0.25}));
  // Roots of the carry before each step; that of the first is the initial value.
  constexpr auto of_carries = [](auto a, auto xs) {
    const auto s = scan([](auto c, auto x) { return std::pair{x, sqrt(c)}; }, a, xs);
    return scan([](auto, auto r) { return 2.0 * r; }, a, s.second);
  };
  BOOST_TEST((gradient(of_carries, wrt<1>)(0.0, numbers{0, 4, 9}) == numbers{0, 0.5, 0}));
  BOOST_TEST(gradient(of_carries, wrt<0>)(0.0, numbers{0, 4, 9}) == 0.0);
  BOOST_TEST(jvp(of_carries, wrt<0>, tangent(1.0))(0.0, numbers{0, 4, 9}) == 0.0);
  constexpr auto captured = [](auto a, auto xs) {
    return scan([&](auto, auto x) { return where(x > 1, x * a, sqrt(a)); }, a, xs);
  };
  BOOST_TEST(gradient(captured, wrt<0>)(0.0, numbers{0, 4}) == 4.0);
  // After one step the result has not read the second carry, and so not the root.
  constexpr auto late = [](auto a, auto xs) {
    const auto root = sqrt(a);
    return scan([&](auto c, auto x) { return std::array{c[0] + x * c[1], c[1] + root}; }, std::array{0.0, 0.0}, xs)[0];
  };
  BOOST_TEST(gradient(late, wrt<0>)(0.0, numbers{1}) == 0.0);
  BOOST_TEST(gradient(late, wrt<0>)(4.0, numbers{1, 3}) == 0.75);
}

constexpr auto first_half = [](auto p, auto) { return 0.5 * p; };
constexpr auto emits = [](auto a, auto xs) {
  return scan([](auto c, auto x) { return std::pair{sqrt(x), sqrt(c)}; }, a, xs);
};
constexpr auto carries = [](auto a, auto xs) {
  return scan([](auto c, auto x) { return std::array{sqrt(x), sqrt(c[0])}; }, std::array{a, a}, xs);
};

// Of two outputs a later loop or call uses one alone: nothing flows into the other.
BOOST_AUTO_TEST_CASE(what_a_later_loop_or_call_does_not_read) {
  const auto check = [](const auto& f, double of_a) {
    const numbers xs{-1, 4};
    const auto both = gradient(f, wrt<0, 1>)(-1.0, xs);
    BOOST_TEST(std::get<0>(both) == of_a);
    BOOST_TEST((std::get<1>(both) == numbers{0, 0.25}));
    BOOST_TEST(jvp(f, wrt<0, 1>, tangent(1.0, numbers{1, 1}))(-1.0, xs) == of_a + 0.25);
  };
  check(
      [](auto a, auto xs) {
        const auto u = emits(a, xs);
        return u.first + scan([](auto d, auto) { return 0.5 * d; }, a, u.second);
      },
      0.25);
  check(
      [](auto a, auto xs) {
        const auto u = emits(a, xs);
        return u.first +
               scan([](auto d, auto r) { return std::array{0.5 * d[0], d[1] + r}; }, std::array{a, a}, u.second)[0];
      },
      0.25);
  check(
      [](auto a, auto xs) {
        const auto u = emits(a, xs);
        return u.first + scan([](auto d, auto r) { return call(first_half, d, r); }, a, u.second);
      },
      0.25);
  check(
      [](auto a, auto xs) {
        const auto u = carries(a, xs);
        return u[0] + call(first_half, a, u[1]);
      },
      0.5);
  check(
      [](auto a, auto xs) {
        const auto u = carries(a, xs);
        return u[0] + scan([&](auto d, auto) { return call(first_half, d, u[1]); }, a, steps(2));
      },
      0.25);
  constexpr auto captured = [](auto a, auto xs) {
    const auto root = sqrt(a - 1);
    return scan([&](auto d, auto x) { return call([](auto p, auto) { return 0.5 * p; }, d, root) + x; }, a, xs);
  };
  BOOST_TEST(gradient(captured, wrt<0>)(1.0, numbers{-1, 4}) == 0.25);
  // Forward: what another loop emits does not depend on the parameter.
  constexpr auto emitted = [](auto a, auto xs) {
    const auto u = scan([](auto c, auto x) { return std::pair{0.5 * c, x}; }, a, xs);
    return scan([](auto d, auto x) { return 2.0 * d + sqrt(x); }, u.first, u.second);
  };
  BOOST_TEST(jvp(emitted, wrt<0>, tangent(1.0))(1.0, numbers{0, 4}) == 1.0);
}

BOOST_AUTO_TEST_CASE(loops_without_steps) {
  constexpr auto f = [](auto p, auto xs) { return scan([&](auto c, auto x) { return c + x * sqrt(p); }, 0.0, xs); };
  BOOST_TEST(gradient(f, wrt<0>)(0.0, none) == 0.0);
  BOOST_TEST(gradient(f, wrt<0>)(-1.0, none) == 0.0);
  constexpr auto next = [](auto p, auto xs) {
    const auto last =
        scan([&](auto c, auto x) { return std::array{c[0] + x * c[1], 1 / c[0]}; }, std::array{sqrt(p), p}, xs);
    return last[1];
  };
  BOOST_TEST(gradient(next, wrt<0>)(0.0, none) == 1.0);

  // So does a number of steps that the program says.
  constexpr auto captured = [](auto x) { return scan([=](auto c, auto) { return c + sqrt(x); }, x, steps(0)); };
  constexpr auto sum = [](auto x) { return log(scan([=](auto c, auto) { return c + x * x; }, 0.0, steps(0))); };
  constexpr auto integral = [](auto x) { return odeint([](auto, auto, auto k) { return sqrt(k); }, x, 0.0, x, 0, x); };
  for (const double x : {0.0, -1.0, 4.0}) {
    BOOST_TEST(gradient(captured, wrt<0>)(x) == 1.0);
    BOOST_TEST(gradient(integral, wrt<0>)(x) == 1.0);
    BOOST_TEST(jvp(integral, wrt<0>, tangent(1.0))(x) == 1.0);
    BOOST_TEST(hessian(integral, wrt<0>)(x)[0][0] == 0.0);
    BOOST_TEST(gradient(sum, wrt<0>)(x) == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(infinite_constants) {
  constexpr auto times = [](auto p, auto xs) {
    const auto penalty = p * -std::numeric_limits<double>::infinity();
    return scan([=](auto c, auto x) { return where(x > 0, c + penalty, c); }, p, xs);
  };
  constexpr auto over = [](auto p, auto xs) {
    const auto penalty = p / 1e-320;
    return scan([=](auto c, auto x) { return where(x > 0, c + penalty, c); }, p, xs);
  };
  BOOST_TEST(gradient(times, wrt<0>)(2.0, none) == 1.0);
  BOOST_TEST(gradient(times, wrt<0>)(2.0, numbers{-1, 0}) == 1.0);
  BOOST_TEST(gradient(times, wrt<0>)(2.0, numbers{-1, 1}) == -std::numeric_limits<double>::infinity());
  BOOST_TEST(gradient(over, wrt<0>)(2.0, none) == 1.0);
  BOOST_TEST(gradient(over, wrt<0>)(2.0, numbers{-1, 0}) == 1.0);
}

BOOST_AUTO_TEST_CASE(carries_that_the_result_does_not_read) {
  // The last v is not read: its derivative, infinite at 0, is none.
  constexpr auto f = [](auto p, auto xs) {
    return scan([](auto c, auto x) { return std::array{c[0] * x + c[1], sqrt(c[1] * x)}; }, std::array{p, p}, xs)[0];
  };
  BOOST_TEST(gradient(f, wrt<0>)(3.0, numbers{0}) == 1.0);
  BOOST_TEST(gradient(f, wrt<0>)(4.0, numbers{1, 0}) == 0.25);
}

BOOST_AUTO_TEST_CASE(rows_of_jacobians) {
  constexpr auto f = [](auto p, auto q, auto xs) {
    return scan([](auto c, auto x) { return std::array{c[0] + x * c[1], sqrt(c[1])}; }, std::array{q, p}, xs);
  };
  const auto j = jacobian(f, wrt<0, 1>)(0.0, 5.0, numbers{0.5});
  BOOST_TEST(j[0][0] == 0.5);
  BOOST_TEST(j[0][1] == 1.0);
  BOOST_TEST(std::isinf(j[1][0]));
  BOOST_TEST(j[1][1] == 0.0);
  // The second carry overflows; the first does not depend on it.
  constexpr auto apart = [](auto p, auto q, auto n) {
    return scan([](auto c, auto) { return std::array{2 * c[0], c[1] * c[1], c[2] + 1}; }, std::array{q, p, p},
                steps(n));
  };
  const auto k = jacobian(apart, wrt<0, 1>)(1e200, 5.0, 3);
  BOOST_TEST(k[0][0] == 0.0);
  BOOST_TEST(k[0][1] == 8.0);
  BOOST_TEST(k[2][0] == 1.0);
  BOOST_TEST(k[2][1] == 0.0);
}

constexpr auto choose = [](auto a, auto y) { return where(a > 0, y * y, a); };

BOOST_AUTO_TEST_CASE(calls) {
  constexpr auto f = [](auto p, auto x) { return call(choose, x, sqrt(p)) + p; };
  BOOST_TEST(gradient(f, wrt<0>)(0.0, -1.0) == 1.0);
  BOOST_TEST(gradient(f, wrt<0>)(-1.0, -1.0) == 1.0);
  BOOST_TEST(gradient(f, wrt<0>)(4.0, 1.0) == 2.0);
  // A call in a call, a call in a loop and a loop in a call.
  constexpr auto in_call = [](auto p, auto x) {
    return call([](auto u, auto v) { return call(choose, u, sqrt(v)) * 2; }, x, p * p) + p;
  };
  BOOST_TEST(gradient(in_call, wrt<0>)(0.0, -1.0) == 1.0);
  BOOST_TEST(gradient(in_call, wrt<0>)(3.0, 1.0) == 13.0);
  constexpr auto in_loop = [](auto p, auto xs) {
    return scan([&](auto c, auto x) { return c + call(choose, x, sqrt(p * x)) + p; }, 0.0, xs);
  };
  BOOST_TEST(gradient(in_loop, wrt<0>)(0.0, numbers{-1, -2}) == 2.0);
  BOOST_TEST(gradient(in_loop, wrt<0>)(2.0, numbers{-1, 3}) == 5.0);
  constexpr auto loop_in_call = [](auto p, auto n) {
    return call(
               [](auto q, auto count) {
                 return scan([&](auto c, auto i) { return c + where(i > 2, q, i); }, 0.0, steps(count));
               },
               sqrt(p), n) +
           p;
  };
  BOOST_TEST(gradient(loop_in_call, wrt<0>)(0.0, 3) == 1.0);
  BOOST_TEST(gradient(loop_in_call, wrt<0>)(4.0, 5) == 1.5);
}

BOOST_AUTO_TEST_CASE(what_is_stacked) {
  constexpr auto f = [](auto p, auto xs) {
    const auto [last, ys] = scan([](auto c, auto x) { return std::pair{sqrt(c), c * x}; }, p, xs);
    return scan([](auto c, auto y, auto x) { return c + where(x > 0, y, x); }, 0.0, ys, xs) + p;
  };
  // Of sqrt(sqrt(0)) times -1 nothing is chosen; of p itself the first.
  BOOST_TEST(gradient(f, wrt<0>)(0.0, numbers{3, -1, -2}) == 4.0);
  BOOST_TEST(gradient(f, wrt<0>)(16.0, numbers{-1, 4, -1}) == 1.5);
  BOOST_TEST(hessian(f, wrt<0>)(0.0, numbers{3, -1, -2})[0][0] == 0.0);
  constexpr auto twice = [](auto p, auto xs) {
    const auto [last, ys] = scan([](auto c, auto x) { return std::pair{c * x, sqrt(c)}; }, p, xs);
    const auto first = scan([](auto c, auto y, auto x) { return c + where(x > 2, y, x); }, 0.0, ys, xs);
    return first * scan([](auto c, auto y, auto x) { return c + where(x > 1, y, x); }, 0.0, ys, xs) + p;
  };
  BOOST_TEST(gradient(twice, wrt<0>)(0.0, numbers{1, 0, -1}) == 1.0);
}

/// How many of these all loops of a verb's program have together: flags are among what they carry, and flags of
/// elements among the sequences that they stack.
template <auto Count, class... Args, class Verb>
constexpr int in_all_loops(Verb verb) {
  using all = program::loops_in<typename decltype(detail::program_of_function<Args...>(verb))::type>;
  return []<std::size_t... K>(std::index_sequence<K...>) {
    return ((all::template operation<K>::shape.*Count) + ... + 0);
  }(all::all);
}
using loop_shape = operation::scan_shape;
// What is always reached has no flag: the loop carries its own numbers, the loop backward their adjoints and a sum.
constexpr auto power = [](auto a, auto n) { return scan([&](auto c, auto) { return c * a; }, a, steps(n)); };
static_assert(in_all_loops<&loop_shape::carries, double, int>(gradient(power, wrt<0>)) == 1 + 2);
constexpr auto quotient = [](auto a, auto n) { return scan([&](auto c, auto) { return sqrt(c) / a; }, a, steps(n)); };
static_assert(in_all_loops<&loop_shape::carries, double, int>(gradient(quotient, wrt<0>)) == 1 + 2);
constexpr auto damped = [](auto a, auto n) {
  return scan([&](auto c, auto i) { return where(i > 2, c * a, c); }, a, steps(n));
};
static_assert(in_all_loops<&loop_shape::carries, double, int>(gradient(damped, wrt<0>)) == 1 + 2);
// Multiplications of numbers do not make a zero that is no path a NaN.
constexpr auto pair = [](auto a, auto n) {
  return scan([&](auto c, auto) { return std::array{c[0] * a + c[1], c[1] * a}; }, std::array{a, a}, steps(n))[0];
};
static_assert(in_all_loops<&loop_shape::carries, double, int>(gradient(pair, wrt<0>)) == 2 + 3);
// Nor do constant factors, of either sign, as long as no number type makes them infinite.
constexpr auto scaled = [](auto a, auto xs) {
  const auto y = -2 * a + 1e30 * a + a / -3 + a / 1e-30;
  return scan([=](auto c, auto x) { return where(x > 0, c + y, c); }, 0.0, xs);
};
static_assert(in_all_loops<&loop_shape::carries, double, numbers>(gradient(scaled, wrt<0>)) == 1 + 2);
constexpr auto large = [](auto a, auto xs) {
  return scan([y = 1e38 * a](auto c, auto x) { return where(x > 0, c + y, c); }, 0.0, xs);
};
static_assert(in_all_loops<&loop_shape::carries, double, numbers>(gradient(large, wrt<0>)) == 1 + 3);
constexpr auto small = [](auto a, auto xs) {
  return scan([y = a / 1e-38](auto c, auto x) { return where(x > 0, c + y, c); }, 0.0, xs);
};
static_assert(in_all_loops<&loop_shape::carries, double, numbers>(gradient(small, wrt<0>)) == 1 + 3);
// The square root of a carry that is reset has one.
constexpr auto reset = [](auto a, auto n) {
  return scan([&](auto c, auto i) { return where(i > 2, sqrt(c), i); }, a, steps(n));
};
static_assert(in_all_loops<&loop_shape::carries, double, int>(gradient(reset, wrt<0>)) == 1 + 2);
// The first loop gives the elements, the second one back their adjoints and whether there are any.
constexpr auto chosen = [](auto a, auto xs) {
  const auto ys = scan([](auto c, auto x) { return std::pair{c * x, sqrt(c)}; }, a, xs).second;
  return scan([](auto c, auto y, auto x) { return c + where(x > 1, y, x); }, 0.0, ys, xs);
};
static_assert(in_all_loops<&loop_shape::stacked, double, numbers>(gradient(chosen, wrt<0>)) == 1 + 2);

/// Loops and calls as they are, and unrolled.
struct compiled {
  template <class Body, class Carry, class... Xs>
  constexpr auto loop(const Body& body, const Carry& init, const Xs&... xs) const {
    return scan(body, init, xs...);
  }
  template <class F, class... Args>
  constexpr auto function(const F& f, const Args&... args) const {
    return call(f, args...);
  }
};
struct unrolled {
  template <class Body, class Carry, class X, class... Xs>
  auto loop(const Body& body, Carry carry, const std::vector<X>& x, const std::vector<Xs>&... xs) const {
    using result = decltype(body(carry, x[0], xs[0]...));
    if constexpr (std::is_same_v<result, Carry>) {
      for (std::size_t i = 0; i < x.size(); ++i) carry = body(carry, x[i], xs[i]...);
      return carry;
    } else {
      std::pair<Carry, std::vector<jet>> all{carry, {}};
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto step = body(all.first, x[i], xs[i]...);
        all.first = step.first, all.second.push_back(step.second);
      }
      return all;
    }
  }
  template <class F, class... Args>
  auto function(const F& f, const Args&... args) const {
    return f(args...);
  }
};

/// Random operations of the last values of a pool, most of them selections, and some infinite at ordinary points.
template <std::uint32_t Seed>
struct random_operations {
  template <class T, std::size_t N>
  constexpr void operator()(std::array<T, N>& pool, std::size_t first) const {
    random_sequence next{0x9e3779b9u * (Seed + 1)};
    for (std::size_t i = first; i < N; ++i) {
      const auto range = static_cast<std::uint32_t>(i);
      const T u = pool[next.below(range)], v = pool[next.below(range)];
      switch (next.below(11)) {
        case 0: pool[i] = relu(u - v); break;
        case 1: pool[i] = max(u, v); break;
        case 2: pool[i] = where(u > T(0.0), sqrt(u), v); break;
        case 3: pool[i] = where(u < v, u * v, log(u)); break;
        case 4: pool[i] = where(v > T(0.0), u, v); break;
        case 5: pool[i] = min(T(1.0) / u, v); break;
        case 6: pool[i] = where(u > v, sqrt(v), T(0.5)); break;
        case 7: pool[i] = u * v; break;
        case 8: pool[i] = u + v; break;
        case 9: pool[i] = u - v; break;
        default: pool[i] = where(v < T(1.0), u, T(1.0)); break;
      }
    }
  }
};
template <std::uint32_t Seed>
struct random_part {
  template <class T>
  constexpr std::array<T, 2> operator()(const T& a, const T& b, const T& x) const {
    std::array<T, 8> pool{a, b, x};
    random_operations<Seed>{}(pool, 3);
    return {pool[7], pool[6]};
  }
};

/// A loop that captures what is computed before it and stacks, with a call or a loop in its body, and one that runs
/// over what it stacked.
template <std::uint32_t Seed, bool Nested>
struct random_function {
  template <class T, class Sequence, class How>
  constexpr T run(const T& a, const T& b, const Sequence& xs, const How& how) const {
    std::array<T, 6> before{a, b};
    random_operations<Seed + 100>{}(before, 2);
    const T p = before[5], q = before[4];
    const auto [last, ys] = how.loop(
        [&](const std::array<T, 2>& c, const T& x) {
          std::array<T, 2> inner = how.function(random_part<Seed>{}, c[0], p, x);
          if constexpr (Nested)
            inner = how.loop([&](const std::array<T, 2>& d, const T& y,
                                 const T& z) { return random_part<Seed + 300>{}(d[0] * z, d[1], y); },
                             std::array<T, 2>{inner[1], q}, xs, xs);
          return std::pair{std::array<T, 2>{inner[0], c[1] + inner[1] * q},
                           random_part<Seed + 200>{}(inner[0], c[1], x)[0]};
        },
        std::array<T, 2>{before[3], T(0.0)}, xs);
    const T rest =
        how.loop([&](const T& c, const T& y, const T& x) { return where(x > T(0.0), c + y * q, c); }, a, ys, xs);
    return last[0] + rest;
  }
  template <class T, class Sequence>
  constexpr T operator()(T a, T b, Sequence xs) const {
    return run(a, b, xs, compiled{});
  }
};

/// Gives the number of derivatives compared.
template <class F>
int check(F f, double x, double y, const numbers& xs) {
  const std::vector<jet> constants(xs.begin(), xs.end());
  const auto along = [&](int i, int j) {
    jet a(x), b(y);
    (i == 0 ? a : b).first = 1.0;
    (j == 0 ? a : b).second = 1.0;
    return f.run(a, b, constants, unrolled{});
  };
  const jet xx = along(0, 0), xy = along(0, 1), yy = along(1, 1);
  const std::array first{xx.first.value_or(0), yy.first.value_or(0)};
  const std::array<std::array<double, 2>, 2> second{
      {{xx.mixed.value_or(0), xy.mixed.value_or(0)}, {xy.mixed.value_or(0), yy.mixed.value_or(0)}}};
  int compared = 0;
  BOOST_TEST_CONTEXT("at " << x << ", " << y << ", " << xs.size() << " steps") {
    const auto r = value_and_gradient(f, wrt<0, 1>)(x, y, xs);
    BOOST_TEST(same(r.value, xx.value, 1e-13));
    const std::array reverse{std::get<0>(r.gradient), std::get<1>(r.gradient)};
    const auto h = hessian(f, wrt<0, 1>)(x, y, xs);
    for (std::size_t i = 0; i < 2; ++i) {
      if (!std::isfinite(first[i])) continue;
      ++compared;
      BOOST_TEST(same(reverse[i], first[i], 1e-11), "gradient " << i << " " << reverse[i] << ", expected " << first[i]);
      const double forward = i == 0 ? jvp(f, wrt<0>, tangent(1.0))(x, y, xs) : jvp(f, wrt<1>, tangent(1.0))(x, y, xs);
      BOOST_TEST(same(forward, first[i], 1e-11), "jvp " << i << " " << forward << ", expected " << first[i]);
      for (std::size_t j = 0; j < 2; ++j) {
        if (!std::isfinite(second[i][j]) || !std::isfinite(first[1 - i])) continue;
        ++compared;
        BOOST_TEST(same(h[i][j], second[i][j], 1e-8),
                   "hessian " << i << j << " " << h[i][j] << ", expected " << second[i][j]);
      }
    }
  }
  return compared;
}

template <class F>
int check_everywhere(F f) {
  int compared = 0;
  for (const double x : {-1.0, 0.0, 0.5, 2.0})
    for (const double y : {-1.0, 0.0, 1.5})
      for (const auto& xs : {none, numbers{1}, numbers{-1, 0.5}, numbers{2, 0, -0.5}, numbers{0.5, -1, 1, 3}})
        compared += check(f, x, y, xs);
  return compared;
}

#ifndef TAPELESS_FIRST_SEED
#define TAPELESS_FIRST_SEED 0
#endif
BOOST_AUTO_TEST_CASE(random_functions) {
  BOOST_TEST(check_everywhere(random_function<TAPELESS_FIRST_SEED, false>{}) > 50);
  BOOST_TEST(check_everywhere(random_function<TAPELESS_FIRST_SEED + 1, true>{}) > 50);
}

}  // namespace
