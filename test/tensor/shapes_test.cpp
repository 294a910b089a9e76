// Shapes, ranks and indices that do not fit: the message names what they are, and nothing has been written.
#include "check.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

constexpr auto k = variable<"k">;

template <class Call>
void throws(Call call, const std::string& expected) {
  std::string message = "nothing";
  try {
    call();
  } catch (const std::logic_error& e) {
    message = e.what();
  }
  BOOST_TEST(message == "tapeless: " + expected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_written) {
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  const vector weights{1, 0, -1}, targets{2, 3}, three{1, 2, 3}, four{1, 2, 3, 4}, none = vector::from_shape({0});
  const auto step = value_and_gradient(sum(square(dot(X, w) - t)) + amax(w) * c, wrt(w, t, c));
  auto r = step(X = x, w = weights, t = targets, c = 0.5);
  const auto before = r;
  const auto unchanged = [&] {
    return r.value == before.value && r.gradient[w] == before.gradient[w] && r.gradient[t] == before.gradient[t] &&
           r.gradient[c] == before.gradient[c];
  };
  throws([&] { step(into(r), X = x, w = four, t = targets, c = 0.5); },
         "the shapes do not broadcast: X (2, 3) and w (4), operands of dot or multiply");
  BOOST_TEST(unchanged());
  throws([&] { step(into(r), X = x, w = weights, t = three, c = 0.5); },
         "the shapes do not broadcast: X (2, 3) and t (3), operands of subtract");
  BOOST_TEST(unchanged());
  const matrix wide = matrix::from_shape({2, 0});
  throws([&] { step(into(r), X = wide, w = none, t = targets, c = 0.5); }, "amax over no elements: w (0)");
  BOOST_TEST(unchanged());

  // Of other shapes that fit, the result takes the shape.
  const matrix square_of{{1, 2, 3, 4}};
  const vector one{2};
  step(into(r), X = square_of, w = four, t = one, c = 0.5);
  BOOST_TEST(r.gradient[w].size() == 4u);
  BOOST_TEST(r.value == 28.0 * 28.0 + 2);
}

BOOST_AUTO_TEST_CASE(indices) {
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  const vector pair{1, 2};
  const auto step = value_and_gradient(sum(take<1>(X, k) * w), wrt(X, w));
  const std::vector<int> good{2, -3}, beyond{0, 3}, before_first{-4, 0}, three{0, 1, 2};
  const std::vector<std::size_t> unsigned_one{0, std::size_t(-1)};
  auto r = step(X = x, k = good, w = pair);
  BOOST_TEST(r.value == 3 + 2 * 1 + 6 + 2 * 4);
  const auto before = r;
  throws([&] { step(into(r), X = x, k = beyond, w = pair); },
         "take: index 3 in k (2) is not valid for an axis of extent 3");
  throws([&] { step(into(r), X = x, k = before_first, w = pair); },
         "take: index -4 in k (2) is not valid for an axis of extent 3");
  throws([&] { step(into(r), X = x, k = unsigned_one, w = pair); },
         "take: index 18446744073709551615 in k (2) is out of range");
  throws([&] { step(into(r), X = x, k = three, w = pair); },
         "the shapes do not broadcast: k (3) and w (2), operands of multiply");
  BOOST_TEST(r.value == before.value);
  BOOST_TEST((r.gradient[X] == before.gradient[X]));
  BOOST_TEST((r.gradient[w] == before.gradient[w]));
}

BOOST_AUTO_TEST_CASE(computed_indices) {
  const vector three{1, 2, 3}, pair{5, 6};
  const std::vector<int> chosen{0, 2}, last{2, 1}, shifted{4, 3}, backward{0, -1}, ends{0, -2};
  const auto step = value_and_gradient(sum(square(take(w, k + 1_c))), wrt(w));
  throws([&] { return step(w = three, k = chosen); },
         "take: the computed index 3 is not valid for an axis of extent 3");
  throws([&] { return gradient(sum(take(w, k + 1_c)), wrt(w))(w = three, k = chosen); },
         "take: the computed index 3 is not valid for an axis of extent 3");
  throws([&] { return sum(take(w, k - 6_c))(w = three, k = last); },
         "take: the computed index -4 is not valid for an axis of extent 3");
  throws([&] { return sum(take(w, k / 4_c))(w = three, k = last); },
         "take: the computed index 0.5 is not valid for an axis of extent 3");
  const auto both = value_and_gradient(sum(take(w, k - 5_c) * w), wrt(w))(w = pair, k = shifted);
  BOOST_TEST(both.value == 6 * 5 + 5 * 6);
  BOOST_TEST((both.gradient[w] == vector{12, 10}));
  // Not even what has nothing to do with the indices, nor the shape.
  constexpr auto all = value_and_gradient(sum(square(w)) + sum(square(take(t, k + 1_c))), wrt(w, t));
  auto r = all(w = pair, t = three, k = backward);
  const auto before = r;
  const auto unchanged = [&] {
    return r.value == before.value && r.gradient[w] == before.gradient[w] && r.gradient[t] == before.gradient[t];
  };
  BOOST_TEST(r.value == 25 + 36 + 4 + 1);
  throws([&] { all(into(r), w = three, t = pair, k = chosen); },
         "take: the computed index 3 is not valid for an axis of extent 2");
  BOOST_TEST(unchanged());
  throws([&] { all(into(r), w = pair, t = three, k = chosen); },
         "take: the computed index 3 is not valid for an axis of extent 3");
  BOOST_TEST(unchanged());
  all(into(r), w = three, t = pair, k = ends);
  BOOST_TEST(r.value == 14 + 36 + 36);
  BOOST_TEST((r.gradient[w] == vector{2, 4, 6}));
  BOOST_TEST((r.gradient[t] == vector{0, 24}));
  const vector halves{0.5, 1};
  throws([&] { return sum(take(w, k))(w = three, k = halves); }, "take: index 0.5 in k (2) is not an integer");
}

BOOST_AUTO_TEST_CASE(moves) {
  const matrix x{{1, 2, 3}, {4, 5, 6}}, other{{1, 2}, {3, 4}};
  throws([&] { return slice<1>(X, 2, 4)(X = x); }, "slice: 2 to 4 is out of range for an axis of extent 3");
  throws([&] { return slice<1>(X, 0.5, 2)(X = x); }, "bounds and extents must be integers, not 0.5");
  throws([&] { return amax(slice<1>(X, 2, 2))(X = x); }, "amax over no elements");
  throws([&] { return slice<1>(X, -5, 2)(X = x); }, "slice: -5 to 2 is out of range for an axis of extent 3");
  throws([&] { return slice<0>(X, 2, 1)(X = x); }, "slice: 2 to 1 is out of range for an axis of extent 2");
  BOOST_TEST(slice<1>(X, 3, 3)(X = x).size() == 0u);
  throws([&] { return reshape<4, -1>(X)(X = x); }, "cannot reshape (2, 3) to (4, 1)");
  throws([&] { return reshape<7>(X)(X = x); }, "cannot reshape (2, 3) to (7)");
  throws([&] { return concatenate<0>(X, w)(X = x, w = other); },
         "the shapes do not broadcast: X (2, 3) and w (2, 2), operands of concatenate");
  throws([&] { return stack<0>(X, w)(X = x, w = other); },
         "the shapes do not broadcast: X (2, 3) and w (2, 2), operands of concatenate");
  // Neither what dot sums over nor what concatenate keeps is broadcast from an extent of 1.
  const matrix column{{7}, {8}};
  const vector one{2}, two{5, 6};
  throws([&] { return dot(X, w)(X = x, w = one); },
         "operands of concatenate or dot have extents 1 and 3 along an axis where they must be equal");
  throws([&] { return dot(w, expand_dims<0>(w))(w = two); },
         "operands of concatenate or dot have extents 2 and 1 along an axis where they must be equal");
  BOOST_TEST((dot(w, expand_dims<0>(w))(w = one) == vector{4}));
  throws([&] { return concatenate<0>(X, expand_dims<1>(w))(X = x, w = two); },
         "operands of concatenate or dot have extents 3 and 1 along an axis where they must be equal");
  throws([&] { return concatenate<0>(X, w)(X = x, w = column); },
         "operands of concatenate or dot have extents 3 and 1 along an axis where they must be equal");
  BOOST_TEST((concatenate<0>(X, expand_dims<1>(w))(X = column, w = two) == matrix{{7}, {8}, {5}, {6}}));
  throws([&] { return (slice<1>(X, 0, 2) * w)(X = x, w = x); },
         "the shapes do not broadcast: an axis of extent 2 from slice and w (2, 3)");
  throws([&] { return (slice<1>(X, 0, 2) * slice<1>(w, 0, 3))(X = x, w = x); },
         "the shapes do not broadcast: an axis of extent 3 from slice and one of extent 2");
  const std::vector<int> labels{0, 1};
  throws([&] { return one_hot(k, -2)(k = labels); },
         "a number of steps, or an extent of one_hot, pad or segment_sum, cannot be negative: -2");
}

BOOST_AUTO_TEST_CASE(in_loops) {
  const vector three{1, 2, 3}, pair{1, 2}, none = vector::from_shape({0});
  const xt::xtensor<int, 2> rows{{0, 2}, {1, 3}};
  constexpr auto counted = [](const auto& x, auto n) {
    return sum(scan([](auto h, auto) { return tanh(h); }, x, steps(n)));
  };
  throws([&] { return gradient(counted, wrt<0>)(three, -1); },
         "a number of steps, or an extent of one_hot, pad or segment_sum, cannot be negative: -1");
  constexpr auto taken = [](const auto& x, const auto& all) {
    return scan([&](auto s, auto r) { return s + sum(take(x, r)); }, 0.0, all);
  };
  throws([&] { return gradient(taken, wrt<0>)(three, rows); },
         "take: index 3 in the values of a step (2) is not valid for an axis of extent 3");
  constexpr auto chosen = [](const auto& x, const auto& y) {
    return sum(cond(sum(x) > 0, [&] { return x; }, [&] { return y; }));
  };
  throws([&] { return gradient(chosen)(three, pair); },
         "both functions of cond must return results of the same shape; their extents are 3 and 2, argument 0 (3)");
  constexpr auto largest = [](const auto& x) { return argmax(x) + 0.0; };
  throws([&] { return value(largest)(none); }, "argmax over no elements: argument 0 (0)");
}

BOOST_AUTO_TEST_CASE(ranks) {
  const xt::xarray<double> cube = xt::xarray<double>::from_shape({2, 1, 3});
  throws([&] { return sum(X)(X = rank<2>(cube)); }, "rank<2>: the tensor has rank 3");
}

BOOST_AUTO_TEST_CASE(directions_and_arrays) {
  const vector three{1, 2, 3}, two{1, 2}, one{1};
  const auto f = sum(w * w * w);
  throws([&] { return jvp(f, tangent(w = two))(w = three); },
         "a tangent must have the shape of its variable: w (3) and tangent of w (2)");
  throws([&] { return jvp(f, tangent(w = one))(w = three); },
         "a tangent must have the shape of its variable: w (3) and tangent of w (1)");
  throws([&] { return hvp(f, wrt(w), tangent(w = two))(w = three); },
         "a tangent must have the shape of its variable: w (3) and tangent of w (2)");
  // A cotangent likewise: neither it nor the formula is broadcast.
  throws([&] { return vjp(w * w, wrt(w), cotangent(one))(w = three); },
         "the cotangent must have the shape of the formula: (3) and (1)");
  throws([&] { return vjp(w * w, wrt(w), cotangent(three))(w = one); },
         "the cotangent must have the shape of the formula: (1) and (3)");
  throws([&] { return vjp(w * w, wrt(w), cotangent(two))(w = three); },
         "the cotangent must have the shape of the formula: (3) and (2)");
  const matrix row{{1, 2, 3}}, column{{1}, {2}};
  throws([&] { return vjp(X * t, wrt(X), cotangent(row))(X = row, t = column); },
         "the cotangent must have the shape of the formula: (2, 3) and (1, 3)");
  throws([&] { return vjp(slice<0>(w, 0, 2), wrt(w), cotangent(one))(w = three); },
         "the cotangent must have the shape of the formula: (2) and (1)");
  BOOST_TEST((vjp(w * w, wrt(w), cotangent(two))(w = two)[w] == vector{2, 8}));
  const auto price = batched(value_and_gradient(w * exp(-c * t), wrt(w, t)));
  throws([&] { return price(w = three, t = two, c = 1.0); },
         "the shapes do not broadcast: w (3) and t (2), operands of multiply");
}
