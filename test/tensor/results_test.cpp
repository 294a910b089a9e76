// What may be bound, results that are used again, and verbs of numbers over arrays.
#include "../allocations.hpp"
#include "check.hpp"

#include <array>
#include <span>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

/// A matrix of three columns with the interface of std::mdspan, which not every standard library has yet.
template <class T>
class rows_of_three {
  T* first_;
  std::size_t rows_, stride_;

 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using reference = T&;
  using extents_type = std::array<std::size_t, 2>;

  rows_of_three(T* first, std::size_t rows, std::size_t stride) : first_(first), rows_(rows), stride_(stride) {}
  static constexpr std::size_t rank() { return 2; }
  static constexpr std::size_t static_extent(std::size_t axis) { return axis == 0 ? std::dynamic_extent : 3; }
  static constexpr bool is_always_strided() { return true; }
  std::size_t extent(std::size_t axis) const { return axis == 0 ? rows_ : 3; }
  std::size_t stride(std::size_t axis) const { return axis == 0 ? stride_ : 1; }
  T* data_handle() const { return first_; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(containers) {
  const std::vector<double> numbers{1, 2, 3};
  const std::array<double, 3> fixed{1, 2, 3};
  const std::span<const double> view(numbers);
  const auto f = sum(w * w);
  static_assert(
      std::is_same_v<std::remove_cvref_t<decltype(gradient(f, wrt(w))(w = numbers)[w])>, std::vector<double>>);
  static_assert(
      std::is_same_v<std::remove_cvref_t<decltype(gradient(f, wrt(w))(w = fixed)[w])>, std::array<double, 3>>);
  BOOST_TEST(gradient(f, wrt(w))(w = numbers)[w][2] == 6.0);
  BOOST_TEST(gradient(f, wrt(w))(w = fixed)[w][2] == 6.0);
  BOOST_TEST(gradient(f, wrt(w))(w = view)[w][2] == 6.0);
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(gradient(f, wrt(w))(w = xt::view(x, xt::all(), 1))[w](1) == 10.0);
  BOOST_TEST(gradient(f, wrt(w))(w = xt::view(x, 1, xt::range(0, 3, 2)))[w](1) == 12.0);
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = x;
  BOOST_TEST(gradient(sum(X * X * X), wrt(X))(X = columns)[X](1, 2) == 108.0);
  const xt::xarray<double> dynamic = x;
  BOOST_TEST(gradient(sum(X * X), wrt(X))(X = rank<2>(dynamic))[X](1, 2) == 12.0);
  const auto two_columns = xt::view(dynamic, xt::all(), xt::range(1, 3));
  BOOST_TEST(gradient(sum(X * X), wrt(X))(X = rank<2>(two_columns))[X](1, 0) == 10.0);
  const xt::xtensor_fixed<double, xt::xshape<2, 1>> column{{1}, {2}};
  BOOST_TEST(gradient(sum(X * w), wrt(w))(X = x, w = column)[w](1, 0) == 15.0);
  const matrix row{{1, 2, 3}};
  BOOST_TEST(gradient(sum(X * w), wrt(w))(X = x, w = row)[w](0, 2) == 9.0);
  // Every other row of a buffer.
  const std::vector<double> buffer{1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0, 0};
  const auto by_span = gradient(sum(square(dot(X, w))), wrt(X, w))(X = rows_of_three(buffer.data(), 2, 6), w = numbers);
  BOOST_TEST(by_span[X](1, 2) == 192.0);  // 2 (4 + 10 + 18) 3
  BOOST_TEST(by_span[w][0] == 284.0);     // 2 (14 + 32 * 4)
  const std::vector<float> single{1, 2, 3};
  static_assert(std::is_same_v<decltype(f(w = single)), float>);
}

BOOST_AUTO_TEST_CASE(into_an_existing_result) {
  const data at(50, 7);
  const auto z = dot(X, w);
  const auto step = value_and_gradient(mean(softplus(z) - t * z), wrt(w));
  auto r = step(X = at.x, t = at.targets, w = at.weights);
  const vector expected = r.gradient[w];
  const std::size_t before = tapeless_test::allocations;
  step(into(r), X = at.x, t = at.targets, w = at.weights);
  const std::size_t after = tapeless_test::allocations;
  BOOST_TEST(after == before);
  BOOST_TEST((r.gradient[w] == expected));
}

BOOST_AUTO_TEST_CASE(tangents_into_an_existing_result) {
  const matrix x{{2, 1}, {-1, 3}};
  const vector at{1, -1}, other{2, 0};
  const auto verb = value_and_jvp(sum(square(dot(X, w))), tangent(w = at));
  auto r = verb(X = x, w = at);
  BOOST_TEST(r.value == 17.0);
  BOOST_TEST(r.tangent == 34.0);
  verb(into(r), X = x, w = other);
  BOOST_TEST(r.value == 20.0);
  BOOST_TEST(r.tangent == 24.0);
}

BOOST_AUTO_TEST_CASE(moves_into_an_existing_result) {
  const data at(50, 8);
  const auto step = value_and_gradient(
      sum(square(reshape<-1, 2>(X))) + sum(square(concatenate<0>(w, slice<0>(t, 1, -1)))), wrt(X, w));
  auto r = step(X = at.x, t = at.targets, w = at.weights);
  const std::size_t before = tapeless_test::allocations;
  step(into(r), X = at.x, t = at.targets, w = at.weights);
  BOOST_TEST(tapeless_test::allocations == before);
}

BOOST_AUTO_TEST_CASE(over_arrays) {
  const auto price = w * exp(-c * t);
  const auto step = batched(value_and_gradient(price, wrt(w, t)));
  std::vector<double> spots(19), times(19);
  for (std::size_t i = 0; i < spots.size(); ++i)
    spots[i] = 1.0 + 0.5 * static_cast<double>(i), times[i] = 0.1 * static_cast<double>(i);
  const auto r = step(w = spots, t = times, c = 0.3);
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const double discount = std::exp(-0.3 * times[i]);
    close(r.value[i], spots[i] * discount, "value");
    close(r.gradient[w][i], discount, "by w");
    close(r.gradient[t][i], -0.3 * spots[i] * discount, "by t");
  }
  const auto j = batched(jacobian(outputs(w * t, w + t), wrt(w, t)))(w = spots, t = 2.0);
  BOOST_TEST(j(0, t)[3] == spots[3]);
  BOOST_TEST(j(0, w)[3] == 2.0);
  BOOST_TEST(batched(price)(w = spots, t = 0.0, c = 1.0)[4] == spots[4]);
}

// A derivative need not depend on what it is taken by; it has one number for each element all the same.
BOOST_AUTO_TEST_CASE(over_arrays_taken_apart) {
  const std::vector<double> xs{1, 2};
  const auto f = exp(w) * t;
  const auto [value, g] = batched(value_and_gradient(f))(w = xs, t = 3.0);
  BOOST_TEST(value[1] == 3 * std::exp(2.0), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(g[t][1] == std::exp(2.0), boost::test_tools::tolerance(1e-15));
  const auto [by_w, by_t] = batched(gradient(f))(w = xs, t = 3.0);
  BOOST_TEST(by_w[0] == 3 * std::exp(1.0), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(by_t[0] == std::exp(1.0), boost::test_tools::tolerance(1e-15));
  auto whole = batched(value_and_hessian(f))(w = xs, t = 3.0);
  auto& [values, slopes, h] = whole;
  BOOST_TEST(h(w, t)[0] == std::exp(1.0), boost::test_tools::tolerance(1e-15));
  values[0] = slopes[w][1];
  BOOST_TEST(whole.value[0] == 3 * std::exp(2.0), boost::test_tools::tolerance(1e-15));
  const auto [rows, j] = batched(value_and_jacobian(outputs(f, w)))(w = xs, t = 3.0);
  BOOST_TEST(rows[1][1] == 2);
  BOOST_TEST(j(0, t)[1] == std::exp(2.0), boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(over_arrays_without_effect) {
  const std::vector<double> three{1, 2, 3}, two{4, 5}, none;
  const auto by_w = batched(gradient(w * t, wrt(w)));
  BOOST_TEST((by_w(w = three, t = 2.0)[w] == std::vector<double>{2, 2, 2}));
  BOOST_TEST(by_w(w = none, t = 2.0)[w].empty());
  BOOST_CHECK_EXCEPTION(by_w(w = three, t = two), std::invalid_argument, [](const std::invalid_argument& e) {
    const std::string text = e.what();
    return text.find("w (3)") != text.npos && text.find("t (2)") != text.npos;
  });
  BOOST_TEST((batched(jvp(w + t, tangent(w = 1.0)))(w = three, t = 2.0) == std::vector<double>{1, 1, 1}));
  BOOST_TEST((batched(hessian(w * w * t))(w = three, t = 2.0)(w, w) == std::vector<double>{4, 4, 4}));
  BOOST_TEST((batched(jacobian(outputs(w, w * t), wrt(w)))(w = three, t = 2.0)(1, w) == std::vector<double>{2, 2, 2}));
  constexpr auto product = [](auto a, auto b) { return a * b; };
  BOOST_TEST((batched(gradient(product, wrt<0>))(three, 2.0) == std::vector<double>{2, 2, 2}));
}

BOOST_AUTO_TEST_CASE(results_that_were_moved_from) {
  // Buffers (softmax), conversions (int), positions and derivatives that are added up (w is read twice): all the
  // memory that a result carries.
  const std::vector<double> numbers{1, 2, 3};
  const std::vector<int> integers{2, 0, 1};
  const vector tensor{3, 2, 1};
  const auto step = value_and_gradient(sum(w * softmax<0>(w) * t) + sum(c * w) * argmax<0>(c), wrt(w, c));
  const auto expected = step(w = numbers, t = integers, c = tensor);
  const auto check = [&](auto& r) {
    step(into(r), w = numbers, t = integers, c = tensor);
    BOOST_TEST(r.value == expected.value);
    BOOST_TEST(r.gradient[w] == expected.gradient[w], boost::test_tools::per_element());
    BOOST_TEST((r.gradient[c] == expected.gradient[c]));
  };
  auto r = step(w = numbers, t = integers, c = tensor);
  auto taken = std::move(r);
  check(r);
  check(taken);
  r = std::move(taken);
  check(taken);
  check(r);
  auto& same = r;
  r = std::move(same);
  check(r);
  r = same;
  check(r);
  std::swap(r, taken);
  check(r);
  auto copy = taken;
  check(copy);
  check(taken);

  const auto over_arrays = batched(value_and_gradient(w * t + c, wrt(w)));
  auto b = over_arrays(w = tensor, t = integers, c = 1.0);
  const auto moved = std::move(b);
  over_arrays(into(b), w = tensor, t = integers, c = 1.0);
  BOOST_TEST((b.value == vector{7, 1, 2}));
  BOOST_TEST((moved.gradient[w] == vector{2, 0, 1}));
}

BOOST_AUTO_TEST_CASE(arrays_of_extent_one) {
  // The result has the extents of the longer one, in a container that holds them.
  const std::array<double, 1> one{2};
  const std::vector<double> five{1, 2, 3, 4, 5};
  BOOST_TEST(batched(w * t)(w = one, t = five) == (std::vector<double>{2, 4, 6, 8, 10}),
             boost::test_tools::per_element());
  const auto r = batched(value_and_gradient(w * t, wrt(w, t)))(w = one, t = five);
  BOOST_TEST(r.gradient[w] == five, boost::test_tools::per_element());
  BOOST_TEST(r.gradient[t] == std::vector<double>(5, 2.0), boost::test_tools::per_element());
  const std::array<double, 3> three{1, 2, 3};
  static_assert(std::is_same_v<decltype(batched(w * t)(w = one, t = three)), std::array<double, 3>>);
  static_assert(std::is_same_v<decltype(batched(w * t)(w = one, t = one)), std::array<double, 1>>);
  BOOST_TEST(batched(w * t)(w = one, t = three)[2] == 6.0);
  const xt::xtensor_fixed<double, xt::xshape<1, 3>> row{{1, 2, 3}};
  const xt::xtensor_fixed<double, xt::xshape<2, 1>> column{{1}, {10}};
  const matrix four_rows = xt::ones<double>({4, 3});
  BOOST_TEST((batched(w * t)(w = row, t = four_rows) == matrix{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}));
  BOOST_TEST((batched(w * t)(w = row, t = column) == matrix{{1, 2, 3}, {10, 20, 30}}));
  BOOST_TEST((batched([](auto a, auto b) { return a * b; })(row, column) == matrix{{1, 2, 3}, {10, 20, 30}}));
}
