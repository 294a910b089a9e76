// What the steps of a loop over tensors do not choose, or there are no steps to choose: what the loop captures had the
// derivative 0, which was NaN times an infinite partial derivative before the loop. All numbers worked out by hand.
#include <tapeless/inspect/schedule.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

namespace {

using namespace tapeless;
using row = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

// With the name equal, xtensor's lazy comparison would be called in its place.
void match(const auto& found, const auto& expected) {
  BOOST_TEST_REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    BOOST_TEST(found.data()[i] == expected.data()[i], boost::test_tools::tolerance(1e-13));
}

// The root does not depend on what changes from step to step, so it is computed before the loop.
constexpr auto chosen_by_parameter = [](auto p, auto xs) {
  return sum(scan([&](auto c, auto x) { return 0.5 * c + where(p > 0, sqrt(p) * x, p * x); }, p, xs));
};
constexpr auto chosen_by_element = [](auto p, auto xs) {
  const auto q = sqrt(p);
  return sum(scan([&](auto c, auto x) { return 0.5 * c + where(x > 0, q * x, 0.0); }, p, xs));
};
constexpr auto branches = [](auto p, auto xs) {
  const auto q = sqrt(p);
  return sum(
      scan([&](auto c, auto x) { return 0.5 * c + cond(sum(x) > 0, [&] { return q * x; }, [&] { return 3.0 * p; }); },
           p, xs));
};
constexpr auto branch = [](auto p, auto c) {
  const auto q = sqrt(p);
  return sum(cond(c > 0, [&] { return q * p; }, [&] { return 3.0 * p; }));
};

BOOST_AUTO_TEST_CASE(captured_tensors) {
  const matrix xs{{3, 4}, {-5, -6}};
  const row p{-1, 4};
  // By the first p of p / 4 + p (x1 / 2 + x2), by the second of p / 4 + sqrt(p) (x1 / 2 + x2).
  match(gradient(chosen_by_parameter, wrt<0>)(p, xs), row{-3.25, -0.75});
  match(hessian(chosen_by_parameter, wrt<0>)(p, xs), matrix{{0, 0}, {0, 0.125}});
  match(hvp(chosen_by_parameter, wrt<0>, tangent(row{1, 1}))(p, xs), row{0, 0.125});
  const matrix all{{-1, 4}, {4, -1}};
  match(batched(gradient(chosen_by_parameter, wrt<0>))(each(all), xs),
        matrix{{-3.25, -0.75}, {0.25 - 3.5 / 4, 0.25 - 4}});
  match(gradient(chosen_by_element, wrt<0>)(row{0, 4}, matrix{{-1, -3}, {-2, 6}}), row{0.25, 1.75});
  match(gradient(branches, wrt<0>)(row{0, 4}, matrix{{-1, -3}, {-2, 1}}), row{4.75, 4.75});
  match(gradient(branches, wrt<0>)(row{4, 4}, matrix{{-1, -3}, {2, 6}}), row{2.25, 3.25});
  match(gradient(branch, wrt<0>)(row{0, 4}, -1.0), row{3, 3});
  match(gradient(branch, wrt<0>)(row{4, 9}, 1.0), row{3, 4.5});
}

BOOST_AUTO_TEST_CASE(elements_of_sequences) {
  constexpr auto f = [](auto p, auto xs) {
    return sum(scan([&](auto c, auto x) { return where(x > 1.5, 0.5 * c + p * x, p * c); }, 2.0 * p, sqrt(xs)));
  };
  const auto [by_p, by_xs] = gradient(f)(row{0, 1}, matrix{{0, 4}, {9, 0}});
  match(by_p, row{3, 6});
  match(by_xs, matrix{{0, 0.25}, {0, 0}});
}

BOOST_AUTO_TEST_CASE(first_carries) {
  // Of the roots nothing is left where an element is negative; else a quarter.
  constexpr auto f = [](auto p, auto xs) {
    const auto step = [&](auto carry, auto x) {
      const auto& [c, d] = carry;
      return std::tuple(where(x > 0, 0.5 * c + p * x, p * x), 0.5 * d + c * x);
    };
    const auto& [c, d] = scan(step, std::tuple(sqrt(p), p), xs);
    return sum(c) + sum(d);
  };
  // With c0 = sqrt(p), d0 = p: c2 + d2 = c2 + d0 / 4 + c0 x1 / 2 + c1 x2.
  const matrix given{{-3, 4}, {-1, 2}};
  const auto by_hand = [&](double p, std::size_t k) {
    const double root = 0.5 / std::sqrt(p), x1 = given(0, k), x2 = given(1, k), c1 = (x1 > 0 ? 0.5 * root : 0) + x1;
    return (x2 > 0 ? 0.5 * c1 : 0) + x2 + 0.25 + 0.5 * root * x1 + c1 * x2;
  };
  match(gradient(f, wrt<0>)(row{9, 4}, given), row{by_hand(9, 0), by_hand(4, 1)});
  constexpr auto g = [](auto p, auto xs) {
    return sum(scan([&](auto c, auto x) { return where(x > 0, 0.5 * c + p * x, p * x); }, sqrt(p), xs));
  };
  match(gradient(g, wrt<0>)(row{0, 4}, given), row{-1, 4.0625});
  match(hessian(g, wrt<0>)(row{0, 4}, given), matrix{{0, 0}, {0, -1.0 / 128}});
  // The first step chooses the root, and the second drops what comes of it; then what follows the loop does.
  match(gradient(g, wrt<0>)(row{0, 4}, matrix{{3, 4}, {-1, 2}}), row{-1, 4.0625});
  constexpr auto dropped = [](auto p, auto xs) {
    const auto step = [&](auto c, auto x) { return where(x > 0, 0.5 * c + p * x, p * x); };
    return sum(where(p > 1, scan(step, sqrt(p), xs), p));
  };
  match(gradient(dropped, wrt<0>)(row{0, 4}, matrix{{3, 4}, {1, 2}}), row{1, 4.0625});
  // By the second p: c1 = p / 2 + x1 p = 4.5 p, c2 = c1^2 / 2 + x2 p.
  constexpr auto squared = [](auto p, auto xs) {
    return sum(scan([&](auto c, auto x) { return where(x > 0, 0.5 * c * c + p * x, p * x); }, sqrt(p), xs));
  };
  match(gradient(squared, wrt<0>)(row{0, 4}, given), row{-1, 83});
  match(hessian(squared, wrt<0>)(row{0, 4}, given), matrix{{0, 0}, {0, 20.25}});
  constexpr auto slopes = [](auto p, auto xs) { return sum(gradient(decltype(squared)(), wrt<0>)(p, xs)); };
  match(gradient(slopes, wrt<0>)(row{1, 4}, given), row{0, 20.25});
  match(gradient(g, wrt<0>)(row{4, 4}, matrix(xt::zeros<double>({0, 2}))), row{0.25, 0.25});
  constexpr auto stacked = [](auto p, auto xs) {
    const auto step = [&](auto c, auto x) { return std::pair(where(x > 0, 0.5 * c + p * x, p * x), p * c); };
    const auto [last, all] = scan(step, sqrt(p), xs);
    return sum(last) + sum(slice<0>(all, 1));
  };
  // c2 + p c1: by the first p -1 and -6 p, by the second 4.0625 and that of p (sqrt(p) / 2 + 4 p).
  match(gradient(stacked, wrt<0>)(row{1, 4}, given), row{-1 - 6, 4.0625 + 1.5 + 32});
}

BOOST_AUTO_TEST_CASE(a_loop_in_a_step) {
  // p, q = sqrt(p) and the steps of the inner loop: c / 2 + (y1 + y2) q where x is positive.
  constexpr auto f = [](auto p, auto xs, auto ys) {
    const auto q = sqrt(p);
    const auto step = [&](auto c, auto x) {
      return scan([&](auto d, auto y) { return d + where(x > 0, q * y, 0.0); }, 0.5 * c, ys);
    };
    return sum(scan(step, p, xs));
  };
  match(gradient(f, wrt<0>)(row{0, 4}, matrix{{-1, -1}, {-1, 2}}, row{3, 5}), row{0.25, 2.25});
}

BOOST_AUTO_TEST_CASE(no_steps) {
  const matrix none = xt::zeros<double>({0, 2});
  constexpr auto f = [](auto p, auto xs) {
    const auto q = sqrt(p);
    return sum(scan([&](auto c, auto x) { return 0.5 * c + q * x; }, 2.0 * p, xs));
  };
  match(gradient(f, wrt<0>)(row{0, 1}, none), row{2, 2});
  constexpr auto counted = [](auto p, auto n) {
    const auto q = sqrt(p);
    return sum(scan([&](auto c, auto) { return 0.5 * c * q; }, 2.0 * p, steps(n)));
  };
  match(gradient(counted, wrt<0>)(row{0, 1}, 0), row{2, 2});
  constexpr auto repeated = [](auto p) {
    const auto q = sqrt(p);
    return sum(while_loop([](auto c) { return sum(c) > 9; }, [&](auto c) { return 0.5 * c * q; }, 2.0 * p, 100));
  };
  match(gradient(repeated)(row{0, 1}), row{2, 2});
  // Each step adds the same, which is infinite: the value was infinity times the number of steps.
  constexpr auto added = [](auto p, auto xs) {
    return sum(scan([&](auto c, auto) { return c + log(p); }, 2.0 * p, xs));
  };
  BOOST_TEST(value(added)(row{0, 1}, none) == 2);
  match(gradient(added, wrt<0>)(row{0, 1}, none), row{2, 2});
  match(gradient(added, wrt<0>)(row{0.5, 1}, matrix{{1, 1}, {1, 1}}), row{6, 4});
}

// Where no step selects, or nothing before the loop has an infinite derivative, the way back carries no more than the
// adjoint of the carry and the sum for what is captured.
template <class S>
constexpr int carries_of(printed_schedule<S>) {
  int most = 0;
  for (const program::node& n : S::nodes)
    if (n.operation && n.operation->shape && n.operation->shape->carries > most) most = n.operation->shape->carries;
  return most;
}
template <class F>
constexpr int carries_of_gradient = carries_of(decltype(schedule(gradient(F()))(row(), matrix())){});
template <bool Infinite, bool Selects>
constexpr auto of_kind = [](auto p, auto xs) {
  const auto q = [&] {
    if constexpr (Infinite)
      return sqrt(p);
    else
      return p;
  }();
  const auto step = [&](auto c, auto x) {
    if constexpr (Selects)
      return 0.5 * c + where(p > 0, q * x, x);
    else
      return 0.5 * c + q * x;
  };
  return sum(scan(step, p, xs));
};
static_assert(carries_of_gradient<decltype(of_kind<false, false>)> == 2);
static_assert(carries_of_gradient<decltype(of_kind<true, false>)> == 2);
static_assert(carries_of_gradient<decltype(of_kind<false, true>)> == 2);
static_assert(carries_of_gradient<decltype(of_kind<true, true>)> == 3);

}  // namespace
