// What a call allocates, counted.
#include "../allocations.hpp"

#include <boost/test/unit_test.hpp>
#include <tapeless/xtensor.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <tuple>

using namespace tapeless;

// Rows shorter than the lanes are not filled up: a row of two floats was one of sixteen with the widest lanes. The
// softmax of columns keeps its exponentials for the gradient, which is allocated too: twice the tensor.
BOOST_AUTO_TEST_CASE(buffers_of_short_rows) {
  constexpr auto X = variable<"X">;
  constexpr auto step = value_and_gradient(sum(square(softmax<0>(X))), wrt(X));
  for (const std::size_t columns : {1u, 2u, 3u, 20u}) {
    const xt::xtensor<float, 2> x = xt::ones<float>({std::size_t{10000}, columns});
    tapeless_test::allocated_bytes = 0;
    const auto r = step(X = x);
    BOOST_TEST(tapeless_test::allocated_bytes <= 3 * x.size() * sizeof(float) + 4096);
    // Of the value alone the exponentials have memory of their own.
    tapeless_test::allocated_bytes = 0;
    const float value = sum(square(softmax<0>(X)))(X = x);
    BOOST_TEST(tapeless_test::allocated_bytes <= x.size() * sizeof(float) + 4096);
    for (const float found : {r.value, value})
      BOOST_TEST(found == static_cast<float>(columns) / 10000, boost::test_tools::tolerance(1e-3f));
  }
}

// sum(x^2 y) has the second derivatives 2 y and 2 x on the diagonals of its blocks.
BOOST_AUTO_TEST_CASE(matrices_into_existing_results) {
  constexpr auto x = variable<"x">;
  constexpr auto y = variable<"y">;
  const xt::xtensor<double, 1> a{3, 1}, b{5, 2}, c{1, 4};
  const auto without_allocation = [](const auto& call) {
    call();
    tapeless_test::allocations = 0;
    call();
    BOOST_TEST(tapeless_test::allocations == 0u);
  };

  constexpr auto newton = value_and_hessian(sum(x * x * y));
  auto h = newton(x = a, y = b);
  without_allocation([&] { newton(into(h), x = c, y = b); });
  BOOST_TEST(h.value == 37);
  BOOST_TEST(h.gradient[x](1) == 16);
  BOOST_TEST(h.hessian(x, y)(1, 1) == 8);
  BOOST_TEST(h.hessian(x, x)(0, 0) == 10);
  BOOST_TEST(h.hessian(x, x)(0, 1) == 0);

  constexpr auto by_rows = value_and_jacobian(outputs(sum(x * y), sum(x * x)), wrt(x));
  auto rows = by_rows(x = a, y = b);
  without_allocation([&] { by_rows(into(rows), x = c, y = b); });
  BOOST_TEST(rows.jacobian(0, x)(1) == 2);
  BOOST_TEST(rows.jacobian(1, x)(1) == 8);
  BOOST_TEST(std::get<1>(rows.value) == 17);

  constexpr auto of_function = value_and_hessian([](auto p, auto q) { return sum(p * p * q); }, wrt<0>);
  auto f = of_function(a, b);
  without_allocation([&] { of_function(into(f), c, b); });
  BOOST_TEST(f.value == 37);
  BOOST_TEST(f.gradient(1) == 16);
  BOOST_TEST(f.hessian(1, 1) == 4);
  BOOST_TEST(f.hessian(1, 0) == 0);

  const xt::xtensor<double, 1> longer{1, 2, 3}, empty;
  BOOST_CHECK_THROW(newton(into(h), x = longer, y = b), std::invalid_argument);
  BOOST_TEST(h.value == 37);
  BOOST_TEST(h.hessian(x, y)(1, 1) == 8);
  newton(into(h), x = empty, y = empty);
  BOOST_TEST(h.value == 0);
  BOOST_TEST(h.hessian(x, y).size() == newton(x = empty, y = empty).hessian(x, y).size());
}

// The block that is written is what is read: the Jacobian of m m x by x is m m.
BOOST_AUTO_TEST_CASE(matrices_into_their_own_operand) {
  constexpr auto m = variable<"m">;
  constexpr auto x = variable<"x">;
  const xt::xtensor<double, 1> a{3, 1};
  const xt::xtensor<double, 2> one{{1, 2}, {3, 4}};
  constexpr auto step = jacobian(dot(m, dot(m, x)), wrt(x));
  auto j = step(m = one, x = a);
  BOOST_TEST(j(0, x)(1, 0) == 15);
  step(into(j), m = j(0, x), x = a);
  BOOST_TEST(j(0, x)(0, 1) == 290);
  BOOST_TEST(j(0, x)(1, 1) == 634);

  constexpr auto of_function = jacobian([](auto p, auto v) { return dot(p, dot(p, v)); }, wrt<1>);
  auto k = of_function(one, a);
  of_function(into(k), k, a);
  BOOST_TEST(k(0, 0) == 199);
  BOOST_TEST(k(1, 0) == 435);
}

// What a loop over tensors keeps of the carries of a step, in carries: from what a call allocates more where there are
// more steps.
template <class G>
double kept_carries(const G& verb) {
  constexpr std::size_t width = 1000, steps = 40;
  const xt::xtensor<double, 1> w = xt::ones<double>({width}), h = w;
  const auto allocated = [&](std::size_t count) {
    const xt::xtensor<double, 2> xs = xt::ones<double>({count, width});
    tapeless_test::allocated_bytes = 0;
    static_cast<void>(verb(w, h, xs));
    return static_cast<double>(tapeless_test::allocated_bytes);
  };
  allocated(1);
  const double few = allocated(steps);
  return (allocated(2 * steps) - few) / (steps * width * sizeof(double));
}
// What a thread's first call allocates, in carries of the loop's two.
template <class G>
double first_call(const G& verb, std::size_t steps) {
  constexpr std::size_t width = 1000;
  const xt::xtensor<double, 1> w = xt::ones<double>({width}), h = w;
  const xt::xtensor<double, 2> xs = xt::ones<double>({steps, width});
  std::size_t bytes = 0;
  std::thread([&] {
    tapeless_test::allocated_bytes = 0;
    static_cast<void>(verb(w, h, xs));
    bytes = tapeless_test::allocated_bytes;
  }).join();
  return static_cast<double>(bytes) / (2 * width * sizeof(double));
}
template <int Count>
constexpr auto two_carries = [](auto w, auto h, auto xs) {
  return sum(scan<checkpoints<Count>>([&](auto s, auto x) { return std::array{s[0] * w + x, s[1] * s[0]}; },
                                      std::array{h, h}, xs)[1]);
};
BOOST_AUTO_TEST_CASE(states_kept_as_checkpoints) {
  const auto near = boost::test_tools::tolerance(0.01);
  const auto four = gradient(two_carries<4>, wrt<0>);
  const auto twelve = gradient(two_carries<12>, wrt<0>);
  const double few = first_call(four, 50);
  BOOST_TEST(first_call(twelve, 50) - few == 8, near);
  BOOST_TEST(first_call(four, 500) == few, near);
  // Six states, two places in turn for each of three loops, and what is no carry.
  BOOST_TEST(few <= 6 + 3 * 2 + 3);
  // No more than there are steps.
  BOOST_TEST(first_call(twelve, 3) <= few);
  const xt::xtensor<double, 1> along = xt::ones<double>({1000});
  const auto forward = jvp(two_carries<4>, wrt<0>, tangent(along));
  const auto both = hvp(two_carries<4>, wrt<0>, tangent(along));
  BOOST_TEST(first_call(forward, 500) == first_call(forward, 50), near);
  BOOST_TEST(first_call(jvp(two_carries<12>, wrt<0>, tangent(along)), 50) == first_call(forward, 50), near);
  BOOST_TEST(first_call(both, 500) == first_call(both, 50), near);
}

// As a loop with one carry does, whose derivative by w takes it.
BOOST_AUTO_TEST_CASE(carries_that_no_derivative_reads) {
  constexpr auto one = [](auto w, auto h, auto xs) {
    return sum(scan([&](auto s, auto x) { return s * w + x; }, h, xs));
  };
  constexpr auto entrance = [](auto w, auto h, auto xs) {
    return sum(scan([&](auto s, auto x) { return s * w + x; }, stop_gradient(h), xs));
  };
  constexpr auto term = [](auto w, auto h, auto xs) {
    return sum(scan([&](auto s, auto x) { return std::array{s[0] * w + s[1], stop_gradient(s[1] * w + x)}; },
                    std::array{h, h}, xs)[0]);
  };
  constexpr auto factor = [](auto w, auto h, auto xs) {
    return sum(scan([&](auto s, auto x) { return std::array{s[0] * w * s[1], stop_gradient(s[1] * w + x)}; },
                    std::array{h, h}, xs)[0]);
  };
  constexpr auto emission = [](auto w, auto h, auto xs) {
    const auto [last, all] = scan(
        [&](auto s, auto x) {
          const auto next = s * w + x;
          return std::pair(next, stop_gradient(next));
        },
        h, xs);
    return sum(last) + sum(all);
  };
  const double carry = kept_carries(gradient(one, wrt<0>));
  BOOST_TEST(carry >= 1);
  const auto near = boost::test_tools::tolerance(0.01);
  BOOST_TEST(kept_carries(gradient(entrance, wrt<0>)) == carry, near);
  BOOST_TEST(kept_carries(gradient(term, wrt<0>)) == carry, near);
  BOOST_TEST(kept_carries(gradient(factor, wrt<0>)) == 2 * carry, near);
  BOOST_TEST(kept_carries(gradient(emission, wrt<0>)) == carry, near);
  // By h, all but one are linear with factors that no step changes, and one has its first factor stopped.
  BOOST_TEST(kept_carries(gradient(one, wrt<1>)) == 0);
  BOOST_TEST(kept_carries(gradient(entrance, wrt<1>)) == 0);
  BOOST_TEST(kept_carries(gradient(term, wrt<1>)) == 0);
  BOOST_TEST(kept_carries(gradient(emission, wrt<1>)) == 0);
  // Forward too.
  const xt::xtensor<double, 1> along = xt::ones<double>({1000});
  BOOST_TEST(kept_carries(jvp(one, wrt<1>, tangent(along))) == 0);
  BOOST_TEST(kept_carries(jvp(term, wrt<0>, tangent(along))) == carry, near);
}
