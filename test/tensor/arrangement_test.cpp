// Elements in another order, with others around them, or chosen: values from NumPy, written out as it prints them for
// the expression in the comment, with v = [1, ..., 5], x = [[1, 2, 3], [4, 5, 6]] and c = arange(1, 13).reshape(2, 3,
// 2); derivatives against differences; extents that only a call tells; and what does not fit.
#include "../allocations.hpp"
#include "check.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

using cube = xt::xtensor<double, 3>;

constexpr auto k = variable<"k">;
const vector v{1, 2, 3, 4, 5};
const matrix x{{1, 2, 3}, {4, 5, 6}};
const cube numbers{{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};

template <class Error = std::invalid_argument, class Call>
void throws(Call call, const std::string& expected) {
  BOOST_CHECK_EXCEPTION(call(), Error, [&](const std::exception& e) {
    BOOST_TEST_INFO(e.what());
    return std::string(e.what()).find(expected) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(flipped_and_rolled) {
  BOOST_TEST((flip(X)(X = x) == matrix{{6, 5, 4}, {3, 2, 1}}));     // np.flip(x)
  BOOST_TEST((flip<0>(X)(X = x) == matrix{{4, 5, 6}, {1, 2, 3}}));  // np.flip(x, 0)
  BOOST_TEST(
      (flip<-2>(X)(X = numbers) == cube{{{5, 6}, {3, 4}, {1, 2}}, {{11, 12}, {9, 10}, {7, 8}}}));  // np.flip(c, 1)
  BOOST_TEST((roll<0>(w, 2)(w = v) == vector{4, 5, 1, 2, 3}));                                     // np.roll(v, 2)
  BOOST_TEST((roll<0>(w, -7)(w = v) == vector{3, 4, 5, 1, 2}));                                    // np.roll(v, -7)
  BOOST_TEST((roll<-1>(X, 1_c)(X = x) == matrix{{3, 1, 2}, {6, 4, 5}}));                           // np.roll(x, 1, 1)
  // np.roll(c, 1, 0)
  BOOST_TEST((roll<0>(X, 1)(X = numbers) == cube{{{7, 8}, {9, 10}, {11, 12}}, {{1, 2}, {3, 4}, {5, 6}}}));
  BOOST_TEST((roll<0>(w, 0)(w = v) == v));
  BOOST_TEST((roll<0>(w, 5)(w = v) == v));
  // The transpose of what moves elements on moves them back.
  const vector u{1, 10, 100, 1000, 10000};
  BOOST_TEST((gradient(dot(roll<0>(w, 2), t), wrt(w))(w = v, t = u)[w] == vector{100, 1000, 10000, 1, 10}));
  BOOST_TEST((gradient(dot(flip<0>(w), t), wrt(w))(w = v, t = u)[w] == vector{10000, 1000, 100, 10, 1}));
}

BOOST_AUTO_TEST_CASE(padded) {
  BOOST_TEST((pad<0>(w, 2, 1)(w = v) == vector{0, 0, 1, 2, 3, 4, 5, 0}));  // np.pad(v, (2, 1))
  // np.pad(x, ((0, 0), (1, 2)), constant_values=7)
  BOOST_TEST((pad<1>(X, 1, 2, 7)(X = x) == matrix{{7, 1, 2, 3, 7, 7}, {7, 4, 5, 6, 7, 7}}));
  BOOST_TEST((pad<0>(w, 0, 0)(w = v) == v));
  // A filling that is computed has the derivative of all that it fills.
  const auto g = gradient(sum(square(pad<0>(w, 1, 2, sin(c)))), wrt(w, c))(w = v, c = 0.3);
  BOOST_TEST((g[w] == vector{2, 4, 6, 8, 10}));
  nearly(g[c], 3 * std::sin(0.6), "filling");
  throws([&] { return pad<0>(w, -1, 2)(w = v); },
         "a number of steps, or an extent of one_hot, pad or segment_sum, cannot be negative: -1");
  throws([&] { return pad<0>(w, 2, -1, 7)(w = v); },
         "a number of steps, or an extent of one_hot, pad or segment_sum, cannot be negative: -1");
}

BOOST_AUTO_TEST_CASE(slices_with_steps) {
  BOOST_TEST((slice<0>(w, 0, 5, 2)(w = v) == vector{1, 3, 5}));                                   // v[0:5:2]
  BOOST_TEST((slice<0>(w, 1, -1, 3)(w = v) == vector{2}));                                        // v[1:-1:3]
  BOOST_TEST((slice<0>(w, 3, 0, -1)(w = v) == vector{4, 3, 2}));                                  // v[3:0:-1]
  BOOST_TEST((slice<0>(w, -1, -6, -2)(w = v) == vector{5, 3, 1}));                                // v[-1:-6:-2]
  BOOST_TEST((slice<1>(X, 2, 0, -2)(X = x) == matrix{{3}, {6}}));                                 // x[:, 2:0:-2]
  BOOST_TEST((slice<1>(X, 0, 3, 2)(X = numbers) == cube{{{1, 2}, {5, 6}}, {{7, 8}, {11, 12}}}));  // c[:, 0:3:2]
  BOOST_TEST(slice<0>(w, 2, 2, -3)(w = v).size() == 0u);
  BOOST_TEST((gradient(sum(square(slice<0>(w, -1, 0, -2))))(w = v)[w] == vector{0, 0, 6, 0, 10}));
  const auto wrong = "is out of range for an axis of extent 5";
  throws<std::out_of_range>([&] { return slice<0>(w, 0, 6, 2)(w = v); }, wrong);
  throws<std::out_of_range>([&] { return slice<0>(w, 5, 0, -1)(w = v); }, wrong);
  throws<std::out_of_range>([&] { return slice<0>(w, 1, 3, -1)(w = v); }, wrong);
  throws<std::out_of_range>([&] { return slice<0>(w, 3, 1, 1)(w = v); }, wrong);
  throws<std::out_of_range>([&] { return slice<0>(w, -1, -7, -1)(w = v); }, wrong);
  throws([&] { return slice<0>(w, 0, 5, 0)(w = v); }, "slice: the step must not be 0");
  throws([&] { return slice<0>(w, 0, 5, 1.5)(w = v); }, "bounds and extents must be integers, not 1.5");
  throws([&] { return roll<0>(w, 1.5)(w = v); }, "bounds and extents must be integers, not 1.5");
}

BOOST_AUTO_TEST_CASE(taken_by_matrices) {
  const xt::xtensor<int, 2> chosen{{2, 0}, {1, -1}};
  BOOST_TEST((take(w, k)(w = v, k = chosen) == matrix{{3, 1}, {2, 5}}));                       // np.take(v, k)
  BOOST_TEST((take<1>(X, k)(X = x, k = chosen) == cube{{{3, 1}, {2, 3}}, {{6, 4}, {5, 6}}}));  // np.take(x, k, 1)
  BOOST_TEST((gradient(sum(take<-1>(X, k)), wrt(X))(X = x, k = chosen)[X] == matrix{{1, 1, 2}, {1, 1, 2}}));
  // One index leaves no axis.
  const vector peak{0, 1, 0};
  BOOST_TEST(take(w, argmax(w))(w = v) == 5.0);
  BOOST_TEST((take<1>(X, argmax(w))(X = x, w = peak) == vector{2, 5}));
  // Indices with the axes of what they choose from: Y[K[i, j], l], where K is computed from Y.
  const matrix y{{0, 1}, {1, 0}};
  BOOST_TEST((take<0>(X, 1 - X)(X = y) == cube{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}}));
  const xt::xtensor<int, 2> beyond{{0, 3}}, before{{0, -4}};
  throws<std::out_of_range>([&] { return take<1>(X, k)(X = x, k = beyond); },
                            "index 3 is not valid for an axis of extent 3");
  throws<std::out_of_range>([&] { return take<1>(X, k)(X = x, k = before); }, "index -4");
  // Of a float's integers every second is missing here.
  const xt::xtensor<float, 1> many = xt::ones<float>({(std::size_t{1} << 24) + 5});
  throws<std::out_of_range>([&] { return take(w, k)(w = many, k = chosen); }, "axis of extent 16777221");
}

BOOST_AUTO_TEST_CASE(segments) {
  const std::vector<int> of{2, 0, 2, 1, 2};
  // s = np.zeros(3); np.add.at(s, k, v)
  BOOST_TEST((segment_sum(w, k, 3)(w = v, k = of) == vector{2, 4, 9}));
  BOOST_TEST((segment_sum(w, k, 5)(w = v, k = of) == vector{2, 4, 9, 0, 0}));
  // The transpose of take.
  const vector u{1, 10, 100};
  BOOST_TEST((gradient(dot(segment_sum(w, k, 3), t), wrt(w))(w = v, k = of, t = u)[w] == vector{100, 1, 100, 10, 100}));
  const std::vector<int> two{1, 1}, zeros{0, 0}, negative{0, 0, -1, 0, 0}, alone{1};
  const vector single{1};
  BOOST_TEST((segment_sum(X, k, 2)(X = x, k = two) == matrix{{0, 0, 0}, {5, 7, 9}}));
  BOOST_TEST((segment_sum(X, k, 1)(X = numbers, k = zeros) == cube{{{8, 10}, {12, 14}, {16, 18}}}));
  // Rows by what is largest in them; with the axis of the columns.
  BOOST_TEST((segment_sum(X, argmax<1>(X), 3)(X = x) == matrix{{0, 0, 0}, {0, 0, 0}, {5, 7, 9}}));
  const matrix square_of{{1, 5}, {4, 2}};
  BOOST_TEST((segment_sum(X, argmax<0>(X), 2)(X = square_of) == matrix{{4, 2}, {1, 5}}));
  // Added to what lies there already.
  BOOST_TEST((value_and_gradient(sum(square(segment_sum(w, k, 3) + t)), wrt(t))(w = v, k = of, t = u).gradient[t] ==
              vector{6, 28, 218}));
  throws<std::out_of_range>([&] { return segment_sum(w, k, 2)(w = v, k = of); },
                            "segment_sum: index 2 in k (5) is not valid for an axis of extent 2");
  throws<std::out_of_range>([&] { return segment_sum(w, k, 3)(w = v, k = negative); },
                            "segment_sum: index -1 in k (5)");
  throws<std::out_of_range>([&] { return segment_sum(w, k - 1, 3)(w = v, k = of); },
                            "segment_sum: the computed index -1 is not valid for an axis of extent 3");
  throws([&] { return segment_sum(w, k, -3)(w = v, k = of); }, "cannot be negative: -3");
  throws([&] { return segment_sum(w, k, 3)(w = v, k = two); }, "first axis; their extents are 5 and 2");
  throws([&] { return segment_sum(w, k, 3)(w = v, k = alone); },
         "segment_sum needs one index for each element along the first axis; their extents are 5 and 1");
  throws([&] { return segment_sum(w, k, 3)(w = single, k = of); },
         "segment_sum needs one index for each element along the first axis; their extents are 1 and 5");
}

BOOST_AUTO_TEST_CASE(diagonals_and_triangles) {
  const vector three{1, 2, 3};
  const matrix a{{1, 2}, {3, 4}}, b{{0, 1, 2}, {3, 4, 5}};
  BOOST_TEST((diag(w)(w = three) == matrix{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}));  // np.diag(v[:3])
  BOOST_TEST((diag(X)(X = a) == vector{1, 4}));                                 // np.diag([[1, 2], [3, 4]])
  BOOST_TEST((tril(X)(X = b) == matrix{{0, 0, 0}, {3, 4, 0}}));                 // np.tril(b)
  BOOST_TEST((tril(X, -1)(X = b) == matrix{{0, 0, 0}, {3, 0, 0}}));             // np.tril(b, -1)
  BOOST_TEST((tril(X, 1)(X = b) == matrix{{0, 1, 0}, {3, 4, 5}}));              // np.tril(b, 1)
  BOOST_TEST((triu(X)(X = b) == matrix{{0, 1, 2}, {0, 4, 5}}));                 // np.triu(b)
  BOOST_TEST((triu(X, 1)(X = b) == matrix{{0, 1, 2}, {0, 0, 5}}));              // np.triu(b, 1)
  BOOST_TEST((triu(X, -1)(X = b) == matrix{{0, 1, 2}, {3, 4, 5}}));             // np.triu(b, -1)
  BOOST_TEST((triu(X)(X = numbers) == cube{{{1, 2}, {0, 4}, {0, 0}}, {{7, 8}, {0, 10}, {0, 0}}}));
  BOOST_TEST((gradient(sum(square(diag(w)) + diag(w)))(w = three)[w] == vector{3, 5, 7}));
  // An infinite slope that is cut off stays out.
  const matrix with_zero{{4, 0}, {1, 4}};
  BOOST_TEST((gradient(sum(tril(sqrt(X))))(X = with_zero)[X] == matrix{{0.25, 0}, {0.5, 0.25}}));
  throws([&] { return diag(X)(X = b); }, "diagonal and trace need square matrices; their extents are 2 and 3");
}

BOOST_AUTO_TEST_CASE(broadcast_to_shapes) {
  const vector three{1, 2, 3};
  const matrix column{{1}, {4}};
  BOOST_TEST(
      (broadcast_like(w, X)(w = three, X = x) == matrix{{1, 2, 3}, {1, 2, 3}}));  // np.broadcast_to(v[:3], x.shape)
  BOOST_TEST((broadcast_like(t, X)(t = column, X = x) == matrix{{1, 1, 1}, {4, 4, 4}}));
  BOOST_TEST((broadcast_like(c, X)(c = 2.0, X = x) == matrix{{2, 2, 2}, {2, 2, 2}}));
  BOOST_TEST((broadcast_like(0.5, X)(X = x) == matrix{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}));
  BOOST_TEST((gradient(sum(broadcast_like(3, X) * X), wrt(X))(X = x)[X] == matrix{{3, 3, 3}, {3, 3, 3}}));
  const auto of_zero = [](auto s) {
    return sum(scan([](auto carry, auto row) { return carry + row; }, broadcast_like(0.0, s[0]), s));
  };
  BOOST_TEST((value_and_gradient(of_zero)(x).value == 21));  // the sum of all elements
  BOOST_TEST((gradient(sum(broadcast_like(w, X)), wrt(w))(w = three, X = x)[w] == vector{2, 2, 2}));
  BOOST_TEST((sum<0>(broadcast_like(w, X))(w = three, X = x) == vector{2, 4, 6}));
  throws([&] { return broadcast_like(t, X)(t = x, X = column); },
         "broadcast_like needs a tensor that broadcasts to the shape of the other; their extents are 3 and 1");
  throws([&] { return broadcast_like(w, X)(w = v, X = x); }, "do not broadcast: w (5) and X (2, 3)");
}

BOOST_AUTO_TEST_CASE(derivatives) {
  const data at(5, 4);
  const auto everything = 0.1 * sum(X * X * w * w) + sum(t) * c;
  check_derivatives("flip", everything + sum(exp(0.3 * X) * flip<1>(X * w)) + sum(w * square(flip(w))), at);
  check_derivatives("roll", everything + sum(sin(roll<0>(X * w, 2)) * X) + sum(square(roll<0>(w, -1)) * w), at);
  check_derivatives("pad", everything + sum(sin(pad<0>(X * w, 1, 2, c * c))) + sum(square(pad<0>(w, 1, 1))), at);
  check_derivatives("steps", everything + sum(sin(slice<1>(X * w, -1, 0, -2))) + sum(square(slice<0>(w, 0, 3, 2))), at);
  check_derivatives("triangles", everything + sum(square(tril(X * w)) * triu(X, -1)) + sum(sin(diag(w)) * diag(w * w)),
                    at);
  check_derivatives("broadcast_like", everything + sum(square(broadcast_like(w * w, X))) * c, at);
}

// Numbers that a function gets; ranks of up to 6.
BOOST_AUTO_TEST_CASE(functions) {
  constexpr auto moved = [](const auto& a, auto n, auto before, auto step) {
    return sum(square(slice<0>(pad<0>(roll<0>(a, n), before, 1), 1, -1, step)) * 2.0);
  };
  // (4, 5, 1, 2, 3), then (0, 0, 4, 5, 1, 2, 3, 0), of which 0, 4, 5, 1, 2, 3, and of these 0, 5, 2.
  const auto r = value_and_gradient(moved, wrt<0>)(v, 2, 2, 2);
  BOOST_TEST(r.value == 2.0 * (25 + 4));
  BOOST_TEST((r.gradient == vector{0, 8, 0, 0, 20}));
  constexpr auto sums = [](const auto& a, const auto& of, auto n) { return sum(square(segment_sum(a, of, n))); };
  BOOST_TEST((gradient(sums, wrt<0>)(v, std::vector<int>{1, 0, 1, 1, 0}, 2) == vector{16, 14, 16, 16, 14}));
  BOOST_CHECK_THROW(gradient(sums, wrt<0>)(v, std::vector<int>{1, 0, 1, 1, 0}, 1), std::out_of_range);

  xt::xtensor<double, 6> six = xt::arange<double>(64).reshape({2, 2, 2, 2, 2, 2});
  const xt::xtensor<double, 6> turned = flip<4>(roll<2>(X, 1))(X = six);
  for (std::size_t i = 0; i < 64; ++i) BOOST_TEST(turned.data()[i] == static_cast<double>(i ^ 8u ^ 2u));
}

// No elements, one, and one that is broadcast, where only the call tells; extents that the type tells.
BOOST_AUTO_TEST_CASE(few_elements) {
  const vector none = vector::from_shape({0}), one{2};
  const matrix no_rows = matrix::from_shape({0, 3});
  const std::vector<int> nothing;
  const xt::xtensor<int, 2> no_indices = xt::xtensor<int, 2>::from_shape({0, 2});
  const auto all = flip<0>(w) + roll<0>(w, 3) + slice<0>(pad<0>(w, 1, 2), 1, -2, 1);
  BOOST_TEST((all(w = one) == vector{6}));
  BOOST_TEST(all(w = none).size() == 0u);
  BOOST_TEST((pad<0>(w, 1, 2, 3)(w = none) == vector{3, 3, 3}));
  BOOST_TEST((segment_sum(w, k, 2)(w = none, k = nothing) == vector{0, 0}));
  BOOST_TEST(segment_sum(w, k, 0)(w = none, k = nothing).size() == 0u);
  BOOST_TEST(slice<0>(w, -1, -1, -1)(w = none).size() == 0u);
  BOOST_TEST(diag(w)(w = none).size() == 0u);
  BOOST_TEST((diag(w)(w = one) == matrix{{2}}));
  BOOST_TEST(tril(X)(X = no_rows).size() == 0u);
  BOOST_TEST(take(w, k)(w = none, k = no_indices).size() == 0u);
  for (const std::size_t n : {0u, 1u}) {
    const vector few(std::array{n}, 2.0);
    BOOST_TEST(gradient(sum(square(all)))(w = few)[w].size() == n);
  }
  const std::array<double, 1> fixed{2};
  const std::array<double, 3> three{1, 2, 3};
  BOOST_TEST((flip<0>(w)(w = fixed) == vector{2}));
  BOOST_TEST((roll<0>(w, 2)(w = fixed) == vector{2}));
  BOOST_TEST((pad<0>(w, 1, 1)(w = fixed) == vector{0, 2, 0}));
  BOOST_TEST((diag(w)(w = fixed) == matrix{{2}}));
  BOOST_TEST((tril(expand_dims<0>(w))(w = three) == matrix{{1, 0, 0}}));
  BOOST_TEST((roll<0>(w, 1)(w = three) == vector{3, 1, 2}));
  // What is moved is one element long, and only then broadcast.
  const matrix row{{1, 2, 3}}, y{{1, 1, 1}, {2, 2, 2}};
  const auto broadcast = flip<0>(X) * t + pad<0>(X, 1, 0) + tril(X) + cumsum<0>(X);
  // t x + (0, x) + (1, 0, 0) + x
  BOOST_TEST((broadcast(X = row, t = y) == matrix{{3, 4, 6}, {5, 8, 12}}));
}

BOOST_AUTO_TEST_CASE(into_existing_results) {
  const auto step = value_and_gradient(
      sum(square(flip<0>(w) + roll<0>(w, 2))) + sum(square(pad<0>(w, 1, 1, c))) + sum(square(segment_sum(w, k, 2))),
      wrt(w, c));
  const std::vector<int> of{1, 0, 1, 1, 0};
  auto r = step(w = v, c = 1.0, k = of);
  step(into(r), w = v, c = 1.0, k = of);
  tapeless_test::allocations = 0;
  step(into(r), w = v, c = 2.0, k = of);
  BOOST_TEST(tapeless_test::allocations == 0u);
  // flip + roll: (9, 9, 4, 4, 4); segments: 7 and 8.
  BOOST_TEST(r.value == 81.0 + 81 + 16 + 16 + 16 + 55 + 8 + 49 + 64);
  BOOST_TEST(r.gradient[c] == 8.0);
  // By w[0]: 2 (4 + 4), 2, 2 * 8.
  BOOST_TEST(r.gradient[w](0) == 16.0 + 2 + 16);
}
