// Functions and formulas of tensors, against plain loops and against the library's own calls.
#include "tensor_cases.hpp"

#include <boost/hana/define_struct.hpp>
#include <cmath>
#include <limits>
#include <xtensor/xfixed.hpp>

using namespace tapeless;

namespace {

inline constexpr auto logistic = [](const auto& w, const auto& x, const auto& y) {
  const auto z = dot(x, w);
  return mean(softplus(z) - y * z);
};
template <fixed_string Name, class T>
void check_logistic(tensor_cases& all, std::size_t rows, std::size_t columns) {
  const auto w = numbers<T>(1, columns), y = numbers<T>(2, rows);
  const auto x = numbers<T>(3, rows, columns);
  std::vector<double> gradient(columns);
  double value = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    double z = 0;
    for (std::size_t j = 0; j < columns; ++j) z += static_cast<double>(x(i, j)) * static_cast<double>(w(j));
    value += std::log(1 + std::exp(z)) - static_cast<double>(y(i)) * z;
    for (std::size_t j = 0; j < columns; ++j)
      gradient[j] += (1 / (1 + std::exp(-z)) - static_cast<double>(y(i))) * static_cast<double>(x(i, j));
  }
  const double n = static_cast<double>(rows);
  parts<T> expected{{static_cast<T>(value / n)}, {}};
  for (const double g : gradient) expected[1].push_back(static_cast<T>(g / n));
  all.known<Name, T>(expected, value_and_gradient(logistic, wrt<0>), w, x, y);
}

inline constexpr auto layer = [](const auto& w, const auto& b, const auto& x) { return tanh(dot(x, w) + b); };
inline constexpr auto loss_of_layer = [](const auto& w, const auto& b, const auto& x) {
  return sum(square(layer(w, b, x)));
};
void check_layer(tensor_cases& all, std::size_t rows, std::size_t inside, std::size_t columns) {
  const auto w = numbers<double>(4, inside, columns), x = numbers<double>(5, rows, inside);
  const auto b = numbers<double>(6, columns);
  parts<double> value(1), loss{{0}, std::vector<double>(w.size()), std::vector<double>(b.size())};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      double z = b(j);
      for (std::size_t k = 0; k < inside; ++k) z += x(i, k) * w(k, j);
      const double y = std::tanh(z), slope = 2 * y * (1 - y * y);
      value[0].push_back(y);
      loss[0][0] += y * y;
      loss[2][j] += slope;
      for (std::size_t k = 0; k < inside; ++k) loss[1][k * columns + j] += slope * x(i, k);
    }
  all.known<"layer", double>(value, tapeless::value(layer), w, b, x);
  all.known<"loss_of_layer", double>(loss, value_and_gradient(loss_of_layer, wrt<0, 1>), w, b, x);
}

inline constexpr auto entropy = [](const auto& z, const auto& t) {
  return mean(logsumexp<1>(z) - sum<1>(t * z)) + 0.1 * sum(square(softmax<1>(z)));
};
void check_softmax(tensor_cases& all) {
  constexpr std::size_t rows = 3, columns = 4;
  const auto z = numbers<double>(7, rows, columns), t = numbers<double>(8, rows, columns);
  parts<double> expected{{0}, std::vector<double>(z.size())}, shares(1);
  for (std::size_t i = 0; i < rows; ++i) {
    double total = 0, squares = 0, products = 0;
    std::array<double, columns> p{};
    for (std::size_t j = 0; j < columns; ++j) total += p[j] = std::exp(z(i, j));
    for (std::size_t j = 0; j < columns; ++j) p[j] /= total, squares += p[j] * p[j], products += t(i, j) * z(i, j);
    expected[0][0] += (std::log(total) - products) / rows + 0.1 * squares;
    for (std::size_t j = 0; j < columns; ++j) {
      expected[1][i * columns + j] = (p[j] - t(i, j)) / rows + 0.2 * p[j] * (p[j] - squares);
      shares[0].push_back(p[j]);
    }
  }
  all.known<"entropy", double>(expected, value_and_gradient(entropy, wrt<0>), z, t);
  all.known<"shares", double>(shares, value([](const auto& a) { return softmax<1>(a); }), z);
}

/// Reads of a matrix in several ways, the pieces of whose derivative are added up.
inline constexpr auto outer_sums = [](const auto& a, const auto& r, const auto& c) {
  return sum(a * (expand_dims<1>(r) + c) * sin(expand_dims<1>(r) * c)) + 0.5 * sum(square(sum<0>(a)));
};
inline constexpr auto gram = [](const auto& a) { return sum(square(dot(transpose(a), a))); };

template <class... N>
void check_sums(tensor_cases& all, std::size_t rows, std::size_t columns) {
  const auto a = numbers<double>(9, rows, columns);
  const auto r = numbers<double>(10, rows), c = numbers<double>(11, columns);
  all.own<"outer_sums", double>(value_and_gradient(outer_sums), a, r, c);
  // Of sum((A^T A)^2) the gradient is 4 A A^T A.
  parts<double> expected{{0}, std::vector<double>(a.size())};
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t k = 0; k < columns; ++k) {
      double g = 0;
      for (std::size_t i = 0; i < rows; ++i) g += a(i, j) * a(i, k);
      expected[0][0] += g * g;
      for (std::size_t i = 0; i < rows; ++i) expected[1][i * columns + j] += 4 * g * a(i, k);
    }
  all.known<"gram", double>(expected, value_and_gradient(gram), a);
}

/// Elements that become others: number `from` is added to number `to`.
struct moved {
  std::size_t to, from;
};
/// A function that moves elements of `x`, and the gradient of the sum of what it gives, weighted.
template <fixed_string Value, fixed_string Gradient, class F, class X, class C, class... Data>
void check_move(tensor_cases& all, const F&, const X& x, const C& weights, const std::vector<moved>& moves,
                const Data&... data) {
  parts<double> value{std::vector<double>(weights.size())}, gradient{std::vector<double>(x.size())};
  for (const auto& [to, from] : moves)
    value[0][to] += x.flat(from), gradient[0][from] += weights.flat(to) * std::cos(x.flat(from));
  all.known<Value, double>(value, tapeless::value(F{}), x, data...);
  // Of the sines, so that the moves stand between other loops.
  constexpr auto weighted = [](const auto& c, const auto& a, const auto&... more) {
    return sum(c * F{}(sin(a), more...));
  };
  all.known<Gradient, double>(gradient, tapeless::gradient(weighted, wrt<1>), weights, x, data...);
}
/// What `index(i, j)` of the operand becomes (i, j) of the result; one that is negative becomes nothing.
template <class Index>
std::vector<moved> gathered(std::size_t rows, std::size_t columns, const Index& index) {
  std::vector<moved> all;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if (const int from = index(static_cast<int>(i), static_cast<int>(j)); from >= 0)
        all.push_back({i * columns + j, static_cast<std::size_t>(from)});
  return all;
}
void check_moves(tensor_cases& all) {
  const auto x = numbers<double>(12, 4, 3);
  const auto c43 = numbers<double>(13, 4, 3), c33 = numbers<double>(14, 3, 3), c42 = numbers<double>(15, 4, 2);
  const auto c23 = numbers<double>(16, 2, 3), c73 = numbers<double>(17, 7, 3), c26 = numbers<double>(18, 2, 6);
  const auto c34 = numbers<double>(19, 3, 4);
  const auto c3 = numbers<double>(20, 3);
  check_move<"rest", "rest_g">(
      all, [](const auto& a) { return slice<0>(a, 1); }, x, c33,
      gathered(3, 3, [](int i, int j) { return 3 * i + 3 + j; }));
  check_move<"but_last", "but_last_g">(
      all, [](const auto& a) { return slice<1>(a, 0, -1); }, x, c42,
      gathered(4, 2, [](int i, int j) { return 3 * i + j; }));
  check_move<"each_second", "each_second_g">(
      all, [](const auto& a) { return slice<0>(a, 1, 4, 2); }, x, c23,
      gathered(2, 3, [](int i, int j) { return 3 * (1 + 2 * i) + j; }));
  check_move<"down", "down_g">(
      all, [](const auto& a) { return slice<0>(a, 3, 0, -2); }, x, c23,
      gathered(2, 3, [](int i, int j) { return 3 * (3 - 2 * i) + j; }));
  check_move<"flipped", "flipped_g">(
      all, [](const auto& a) { return flip<1>(a); }, x, c43,
      gathered(4, 3, [](int i, int j) { return 3 * i + 2 - j; }));
  check_move<"rolled", "rolled_g">(
      all, [](const auto& a) { return roll<0>(a, 1); }, x, c43,
      gathered(4, 3, [](int i, int j) { return 3 * ((i + 3) % 4) + j; }));
  check_move<"rolled_back", "rolled_back_g">(
      all, [](const auto& a) { return roll<0>(a, -6); }, x, c43,
      gathered(4, 3, [](int i, int j) { return 3 * ((i + 6) % 4) + j; }));
  check_move<"padded", "padded_g">(
      all, [](const auto& a) { return pad<0>(a, 1, 2); }, x, c73,
      gathered(7, 3, [](int i, int j) { return i < 1 || i > 4 ? -1 : 3 * (i - 1) + j; }));
  check_move<"joined", "joined_g">(
      all, [](const auto& a) { return concatenate<0>(slice<0>(a, 0, 3), a); }, x, c73,
      gathered(7, 3, [](int i, int j) { return 3 * (i < 3 ? i : i - 3) + j; }));
  check_move<"reshaped", "reshaped_g">(
      all, [](const auto& a) { return reshape<2, -1>(a); }, x, c26,
      gathered(2, 6, [](int i, int j) { return 6 * i + j; }));
  check_move<"transposed", "transposed_g">(
      all, [](const auto& a) { return transpose(a); }, x, c34, gathered(3, 4, [](int i, int j) { return 3 * j + i; }));
  check_move<"reshaped_back", "reshaped_back_g">(
      all, [](const auto& a) { return reshape<2, -1>(transpose(a)); }, x, c26, gathered(2, 6, [](int i, int j) {
        const int k = 6 * i + j;
        return 3 * (k % 4) + k / 4;
      }));
  // Rank 3 on either side: the place of an element is made of three indices.
  const auto y = numbers<double>(21, 2, 3, 2);
  check_move<"reshaped_to_3", "reshaped_to_3_g">(
      all, [](const auto& a) { return reshape<2, 3, 2>(a); }, x, y, gathered(1, 12, [](int, int j) { return j; }));
  check_move<"reshaped_from_3", "reshaped_from_3_g">(
      all, [](const auto& a) { return reshape<3, -1>(a); }, y, c34, gathered(1, 12, [](int, int j) { return j; }));
  check_move<"reshaped_by_3", "reshaped_by_3_g">(
      all, [](const auto& a) { return reshape<3, 2, 2>(transpose<2, 0, 1>(a)); }, y, numbers<double>(22, 3, 2, 2),
      gathered(1, 12, [](int, int j) { return (j / 3 % 2 * 3 + j % 3) * 2 + j / 6; }));
  check_move<"lower", "lower_g">(
      all, [](const auto& a) { return tril(a); }, x, c43,
      gathered(4, 3, [](int i, int j) { return j > i ? -1 : 3 * i + j; }));
  check_move<"row", "row_g">(
      all, [](const auto& a) { return a[1]; }, x, c3, gathered(3, 1, [](int i, int) { return 3 + i; }));
  std::vector<moved> sums, sums_back;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k <= i; ++k)
      for (std::size_t j = 0; j < 3; ++j) sums.push_back({3 * i + j, 3 * k + j});
  check_move<"sums", "sums_g">(all, [](const auto& a) { return cumsum<0>(a); }, x, c43, sums);
  const xt::xtensor<int, 1> rows{2, 0, 2}, segments{1, 0, 1, 1};
  check_move<"taken", "taken_g">(
      all, [](const auto& a, const auto& i) { return take(a, i); }, x, c33,
      gathered(3, 3, [](int i, int j) { return (i == 1 ? 0 : 6) + j; }), rows);
  const xt::xtensor<int, 1> from_end{-2, 1};
  check_move<"taken_from_end", "taken_from_end_g">(
      all, [](const auto& a, const auto& i) { return take(a, i); }, x, c23,
      gathered(2, 3, [](int i, int j) { return (i == 1 ? 3 : 6) + j; }), from_end);
  check_move<"of_segments", "of_segments_g">(
      all, [](const auto& a, const auto& i) { return segment_sum(a, i, 2); }, x, c23,
      {{3, 0}, {4, 1}, {5, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 6}, {4, 7}, {5, 8}, {3, 9}, {4, 10}, {5, 11}}, segments);
  // Indices that the text does not read: the derivative is the same for all segments.
  const auto x4 = numbers<double>(33, 4), half = vector<double>{0.5};
  constexpr auto total = [](const auto& a, const auto& i) {
    return sum<0>(sum<0>(segment_sum(a, i, 2), keep_dims), keep_dims);
  };
  const auto of_all = emit<c99, "of_all_segments">(vjp(total, wrt<0>, cotangent(half)), x4, segments).text().str();
  all.add_tensors<double>("of_all_segments", of_all, {std::vector<double>(4, 0.5)}, 1e-12, x4, segments, half);
  // Ranges without elements, in which compilers see that no index is.
  const auto c63 = numbers<double>(34, 6, 3);
  check_move<"padded_behind", "padded_behind_g">(
      all, [](const auto& a) { return pad<0>(a, 0, 2); }, x, c63,
      gathered(6, 3, [](int i, int j) { return i < 4 ? 3 * i + j : -1; }));
  check_move<"joined_with_none", "joined_with_none_g">(
      all, [](const auto& a) { return concatenate<0>(slice<0>(a, 1, 1), a); }, x, c43,
      gathered(4, 3, [](int i, int j) { return 3 * i + j; }));
  check_move<"spread", "spread_g">(
      all, [](const auto& a, const auto& like) { return broadcast_like(a, like); }, c3, c43,
      gathered(4, 3, [](int, int j) { return j; }), x);
}

struct sizes {
  BOOST_HANA_DEFINE_STRUCT(sizes, (int, first), (xt::xtensor<double, 1>, weights), (int, count));
};
/// Integers among the arguments: as bounds, extents, indices, numbers of steps, and numbers.
void check_integers(tensor_cases& all) {
  const auto x = numbers<double>(41, 4, 3);
  const auto weights = [](std::size_t rows) { return numbers<double>(42, rows, 3); };
  const auto rows_from = [](int first, int step) { return [=](int i, int j) { return 3 * (first + step * i) + j; }; };
  constexpr auto from = [](const auto& a, auto n) { return slice<0>(a, n); };
  constexpr auto range = [](const auto& a, auto n, auto m) { return slice<0>(a, n, m); };
  constexpr auto in_steps = [](const auto& a, auto n, auto m, auto step) { return slice<0>(a, n, m, step); };
  constexpr auto rolled = [](const auto& a, auto n) { return roll<0>(a, n); };
  constexpr auto padded = [](const auto& a, auto n, auto m) { return pad<0>(a, n, m); };
  constexpr auto row = [](const auto& a, auto n) { return a[n]; };
  constexpr auto at = [](const auto& a, const auto& i) { return take(a, i); };
  for (const int n : {1, -3})
    check_move<"from_n", "from_n_g">(all, from, x, weights(3), gathered(3, 3, rows_from(1, 1)), n);
  for (const auto& [n, m, count] : {std::array{1, 3, 2}, {-3, -1, 2}, {1, -1, 2}, {0, 4, 4}, {2, 2, 0}, {4, 4, 0}})
    check_move<"range", "range_g">(all, range, x, weights(static_cast<std::size_t>(count)),
                                   gathered(static_cast<std::size_t>(count), 3, rows_from((n + 4) % 4, 1)), n, m);
  for (const auto& [n, m, step, count] :
       {std::array{0, 4, 3, 2}, {1, 4, 2, 2}, {3, 0, -2, 2}, {-1, 0, -1, 3}, {2, 3, 7, 1}, {1, 1, -1, 0}})
    check_move<"in_steps", "in_steps_g">(all, in_steps, x, weights(static_cast<std::size_t>(count)),
                                         gathered(static_cast<std::size_t>(count), 3, rows_from((n + 4) % 4, step)), n,
                                         m, step);
  for (const int n : {0, 1, 4, 5, -1, -6})
    check_move<"rolled_by", "rolled_by_g">(all, rolled, x, weights(4),
                                           gathered(4, 3, [=](int i, int j) { return 3 * ((i - n + 8) % 4) + j; }), n);
  for (const auto& [n, m] : {std::pair{0, 0}, {1, 2}, {0, 3}})
    check_move<"padded_by", "padded_by_g">(
        all, padded, x, weights(static_cast<std::size_t>(4 + n + m)),
        gathered(static_cast<std::size_t>(4 + n + m), 3,
                 [before = n](int i, int j) { return i < before || i >= before + 4 ? -1 : 3 * (i - before) + j; }),
        n, m);
  for (const int n : {0, 3, -1, -4})
    check_move<"row_n", "row_n_g">(all, row, x, numbers<double>(43, 3),
                                   gathered(3, 1, [=](int i, int) { return 3 * ((n + 4) % 4) + i; }), n);
  // Indices of every kind, as they lie in memory.
  const auto first_two = gathered(3, 3, [](int i, int j) { return (i == 1 ? 0 : 9) + j; });
  check_move<"at_bytes", "at_bytes_g">(all, at, x, weights(3), first_two, xt::xtensor<unsigned char, 1>{3, 0, 3});
  check_move<"at_shorts", "at_shorts_g">(all, at, x, weights(3), first_two, xt::xtensor<short, 1>{-1, 0, 3});
  check_move<"at_sizes", "at_sizes_g">(all, at, x, weights(3), first_two, std::vector<std::size_t>{3, 0, 3});
  check_move<"at_longs", "at_longs_g">(all, at, x, weights(3), first_two, std::vector<std::int64_t>{3, -4, -1});

  // A number of segments, and of steps: of the power of a sum the gradient is n s^(n - 1).
  const auto y = numbers<double>(44, 4);
  constexpr auto segments = [](const auto& a, const auto& i, auto n) { return segment_sum(a, i, n) * n; };
  for (const int n : {2, 3})
    all.known<"segments", double>({n == 2 ? std::vector{2 * y(1), 2 * (y(0) + y(2) + y(3))}
                                          : std::vector{3 * y(1), 3 * (y(0) + y(2) + y(3)), 0.0}},
                                  value(segments), y, xt::xtensor<int, 1>{1, 0, 1, 1}, n);
  constexpr auto power = [](const auto& a, auto n) {
    return scan([&](auto c, auto) { return c * sum(a); }, 1.0, steps(n));
  };
  const double s = y(0) + y(1) + y(2) + y(3);
  const auto square_y = numbers<double>(44, 2, 2);
  for (const int n : {0, 1, 5})
    all.known<"power", double>({{std::pow(s, n)}, std::vector<double>(4, n * std::pow(s, n - 1))},
                               value_and_gradient(power, wrt<0>), square_y, n);
  // Of a tensor that a loop reads number by number, whose length follows it, as that of a vector does.
  constexpr auto listed = [](const auto& a, auto n) {
    return scan([](auto c, auto each) { return c + each; }, 0.0, a) *
           scan([&](auto c, auto) { return 2.0 * c; }, 1.0, steps(n));
  };
  all.check_known<"listed">({8 * s, 8, 8, 8, 8}, 1e-12, value_and_gradient(listed, wrt<0>), y, 3);
  // What each step has one of, and a loop that ends at most there.
  constexpr auto rows = [](const auto& a, auto n, auto k) {
    return scan([&](auto c, auto i) { return std::pair(sin(c) * a[k] + i, c + a[k]); }, a[0], steps(n)).second;
  };
  constexpr auto halved = [](const auto& a, auto n) {
    return sum(while_loop([](auto c) { return sum(square(c)) > 0.01; }, [](auto c) { return 0.5 * sin(c); }, a, n));
  };
  for (const int n : {0, 1, 3}) {
    all.own<"rows", double>(value(rows), x, n, 2);
    all.own<"rows_j", double>(jacobian(rows, wrt<0>), x, n, 2);
    all.own<"halved", double>(value_and_gradient(halved, wrt<0>), y, n);
  }
  constexpr auto cubes = [](const auto& a, auto n, auto m) { return sum(n * a * square(slice<0>(a, n, m))[0]); };
  all.seeded<"cubes_h", double>(hvp(cubes, wrt<0>, tangent(weights(4))), weights(4), x, 2, -1);
  constexpr auto carried = [](const auto& a, auto n, auto m) {
    return sum(scan([&](auto c, auto i) { return sin(c) * (1 + i); }, slice<0>(a, n, m), steps(n)));
  };
  constexpr auto chosen = [](const auto& a, auto n, auto m, auto k) {
    const auto b = slice<0>(a, n, m);
    return sum(cond(k > 1, [&] { return b * k; }, [&] { return sin(b); }));
  };
  constexpr auto in_a_row = [](const auto& a, auto n, auto m) {
    return sum(square(reshape<-1>(slice<0>(a, n, m)) + 1.0)) * m;
  };
  for (const int n : {0, 1}) {
    all.own<"carried", double>(value_and_gradient(carried, wrt<0>), x, n, -1);
    all.own<"chosen", double>(value_and_gradient(chosen, wrt<0>), x, 0, -1, 1 + n);
    all.own<"in_a_row", double>(value_and_gradient(in_a_row, wrt<0>), x, n, -1);
  }
  all.known<"hot", double>({{0, 2, 0, 2, 0, 0}}, value([](const auto& t, auto n) { return one_hot(t, n) * 2; }),
                           xt::xtensor<int, 1>{1, 0}, 3);
  // Several of one argument, and beside tensors in one.
  constexpr auto both = [](const auto& a, const auto& n, const auto& b, const auto& p) {
    const auto& [first, w, count] = p;
    return sum(sin(slice<0>(a, n[0], n[1]))) * b[0] + b[1] * sum(slice<0>(w, first, count)) * count * n[1];
  };
  const auto v = numbers<double>(45, 5);
  for (const auto& n : {std::array{1, 3}, {0, -1}}) {
    const std::array b{0.5, 2.0};
    const auto text = emit<c99, "both">(value_and_gradient(both, wrt<0>), y, n, b, sizes{1, v, 4}).text().str();
    double expected = 0;
    std::vector<double> slopes(4);
    const std::size_t begin = static_cast<std::size_t>(n[0]), end = static_cast<std::size_t>((n[1] + 4) % 4);
    for (std::size_t k = begin; k < end; ++k) expected += 0.5 * std::sin(y(k)), slopes[k] = 0.5 * std::cos(y(k));
    all.add_tensors<double>("both", text, {{expected + 8 * (v(1) + v(2) + v(3)) * n[1]}, slopes}, 1e-12, y, n, b, 1, v,
                            4);
  }
  // The numbers of a formula are in the text.
  constexpr auto X = variable<"X">;
  const int last = -1, by = -2;
  const auto formula = value_and_gradient(sum(square(slice<0>(X, 1, last))) + sum(roll<0>(X, by) * X));
  all.add_tensors<double>("of_numbers", emit<c99, "of_numbers">(formula, X = y).text().str(),
                          {{y(1) * y(1) + y(2) * y(2) + 2 * (y(0) * y(2) + y(1) * y(3))},
                           {2 * y(2), 2 * y(1) + 2 * y(3), 2 * y(2) + 2 * y(0), 2 * y(1)}},
                          1e-12, y);
}

/// What is not linear: largest elements, products, conditions.
/// Of tensors of rank 3, along their middle axis.
template <fixed_string Name, class F>
void check_cube(tensor_cases& all, const F&) {
  constexpr auto loss = [](const auto& a, const auto& b) { return sum(square(F{}(a, b) + 0.3)); };
  all.own<Name, double>(value_and_gradient(loss), numbers<double>(31, 2, 3, 4), numbers<double>(32, 2, 3, 4));
}
void check_cubes(tensor_cases& all) {
  check_cube<"cubes_joined">(all, [](const auto& a, const auto& b) { return concatenate<1>(a * b, sin(b)); });
  check_cube<"cube_padded">(all, [](const auto& a, const auto& b) { return pad<1>(sin(a * b), 1, 2); });
  check_cube<"cube_summed_up">(all, [](const auto& a, const auto& b) { return cumsum<1>(a) * b; });
  check_cube<"cube_cut">(all, [](const auto& a, const auto& b) { return slice<1>(sin(a * b), 2, 0, -1); });
  check_cube<"cube_rolled">(all, [](const auto& a, const auto& b) { return roll<1>(flip<2>(a), 1) * b; });
  check_cube<"cube_turned">(
      all, [](const auto& a, const auto& b) { return reshape<4, 6>(transpose<2, 0, 1>(a) * transpose<2, 0, 1>(b)); });
}
void check_reductions(tensor_cases& all) {
  const auto x = numbers<double>(21, 4, 3);
  parts<double> most{{0, 0, 0, 0}}, places{{0, 0, 0, 0}}, least{{0, 0, 0}}, products{{1, 1, 1}}, norms{{0}, {}};
  for (std::size_t i = 0; i < 4; ++i) {
    most[0][i] = x(i, 0);
    for (std::size_t j = 0; j < 3; ++j) {
      if (x(i, j) > most[0][i]) most[0][i] = x(i, j), places[0][i] = static_cast<double>(j);
      least[0][j] = i == 0 ? x(i, j) : std::min(least[0][j], x(i, j));
      products[0][j] *= x(i, j), norms[0][0] += x(i, j) * x(i, j);
    }
  }
  norms[0][0] = std::sqrt(norms[0][0]);
  for (const double each : x) norms[1].push_back(each / norms[0][0]);
  all.known<"most", double>(most, value([](const auto& a) { return amax<1>(a); }), x);
  all.known<"places", double>(places, value([](const auto& a) { return argmax<1>(a); }), x);
  all.known<"least", double>(least, value([](const auto& a) { return amin<0>(a); }), x);
  all.known<"products", double>(products, value([](const auto& a) { return prod<0>(a); }), x);
  for (std::size_t j = 0; j < 3; ++j) products[0][j] *= (x(0, j) + x(1, j) + x(2, j) + x(3, j)) / 4;
  all.known<"products_and_means", double>(products, value([](const auto& a) { return prod<0>(a) * mean<0>(a); }), x);
  all.known<"length", double>(norms, value_and_gradient([](const auto& a) { return norm(a); }), x);
  // Of the product of each column the gradient has those of the others; one zero has all of it, two leave none.
  const xt::xtensor<double, 2> factors{{2, 0, 0, 1e-200}, {3, 5, 0, 1e-150}, {-4, 7, 3, 1e200}};
  all.known<"products_g", double>({{-24 + 1e-150}, {-12, 35, 0, 1e50, -8, 0, 0, 1, 6, 0, 0, 0}},
                                  value_and_gradient([](const auto& a) { return sum(prod<0>(a)); }), factors);
  // Where nothing selects a branch, its slope, which is infinite, does not matter.
  constexpr auto selected = [](const auto& w, const auto& a) { return sum(where(a > 0.5, sqrt(w) * a, 0.0 * a)); };
  constexpr auto row_selected = [](const auto& w, const auto& a) {
    return sum(where(a > 0.5, expand_dims<1>(sqrt(w)) * a, 0.0 * a));
  };
  const xt::xtensor<double, 2> some{{0.75, 0.25}, {1, 2}, {0, 0.5}};
  all.known<"selected", double>({{0.0}, {0.0}}, value_and_gradient(selected, wrt<0>), 0.0,
                                xt::xtensor<double, 2>{{0.25}});
  all.known<"selected", double>({{7.5}, {0.9375}}, value_and_gradient(selected, wrt<0>), 4.0, some);
  all.known<"row_selected", double>({{10.5}, {0.1875, 0.5, 0}}, value_and_gradient(row_selected, wrt<0>),
                                    vector<double>{4, 9, 0}, some);
  // A largest element that is NaN, and the shares of those that tie.
  const xt::xtensor<double, 2> edges{{1, 1, 0}, {-2, std::numeric_limits<double>::quiet_NaN(), 5}, {3, -0.0, 3}};
  all.own<"most", double>(value([](const auto& a) { return amax<1>(a); }), edges);
  all.known<"shares_of_most", double>({{4}, {0.5, 0.5, 0, 0.5, 0, 0.5, 0.5, 0, 0.5}},
                                      value_and_gradient([](const auto& a) { return sum(amax<1>(a)); }),
                                      xt::xtensor<double, 2>{{1, 1, 0}, {0, -1, 0}, {3, 0, 3}});
}

struct model {
  BOOST_HANA_DEFINE_STRUCT(model, (xt::xtensor<double, 2>, w), (xt::xtensor<double, 1>, b), (double, scale));
};
inline constexpr auto of_model = [](const auto& p, const auto& x, const auto& shift) {
  const auto& [w, b, scale] = p;
  return sum(scale * tanh(dot(x, w) + b) + shift[0] * shift[1]);
};
/// How arguments become parameters, and other verbs.
void check_calls(tensor_cases& all) {
  const auto w = numbers<double>(22, 3, 2), x = numbers<double>(23, 4, 3);
  const auto b = numbers<double>(24, 2);
  // A struct of tensors and a number, and an array of numbers.
  const std::array<double, 2> shift{0.5, -2};
  const std::string text =
      emit<c99, "of_model", model, matrix<double>, std::array<double, 2>>(value_and_gradient(of_model, wrt<0, 2>))
          .text()
          .str();
  const auto r = value_and_gradient(of_model, wrt<0, 2>)(model{w, b, 1.5}, x, shift);
  parts<double> expected;
  cases::split(expected, r.value), cases::split(expected, std::get<0>(r.gradient));
  for (const double each : std::get<1>(r.gradient)) expected.push_back({each});
  all.add_tensors<double>("of_model", text, expected, 1e-12, w, b, 1.5, x, shift);

  // A vector of the standard library, an argument that nothing reads, and a gradient that is zero.
  const std::vector<double> s{0.5, 1.5, -2};
  constexpr auto sines = [](const auto& v, const auto& unread, const auto& stopped) {
    return sum(sin(v)) + sum(stop_gradient(stopped)) + 0.0 * sum(unread);
  };
  all.known<"sines", double>({{std::sin(0.5) + std::sin(1.5) + std::sin(-2.0) + 3},
                              {std::cos(0.5), std::cos(1.5), std::cos(-2.0)},
                              {0, 0},
                              {0, 0, 0}},
                             value_and_gradient(sines), s, std::vector<double>{4, 5}, std::vector<double>{0, 1, 2});
  // Extents that the types tell are no parameters.
  const xt::xtensor_fixed<double, xt::xshape<2, 2>> fixed{{1, 2}, {3, 4}};
  constexpr auto squares = [](const auto& a) { return sum(square(dot(a, a))); };
  all.own<"fixed", double>(value_and_gradient(squares), fixed);
  if (const std::string of_fixed = emit<c99, "fixed">(value_and_gradient(squares), fixed).text().str();
      of_fixed.find(" n0") != std::string::npos || of_fixed.find("x0[2][2]") == std::string::npos)
    std::cerr << "fixed extents are parameters: " << of_fixed << "\n", std::exit(1);
  // A tensor lies row by row in C, whatever its layout here.
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = x;
  all.own<"columns", double>(value_and_gradient([](const auto& a) { return sum(sum<0>(a) * exp(a)); }), columns);

  // Directions: of f = sum(sin(x w)) + sum(w^2) along v.
  constexpr auto f = [](const auto& u, const auto& data) { return sum(sin(dot(data, u))) + sum(u * u); };
  const auto u = numbers<double>(25, 3), v = numbers<double>(26, 3);
  std::vector<double> slope(1), product(3);
  double value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double z = 0, dz = 0;
    for (std::size_t j = 0; j < 3; ++j) z += x(i, j) * u(j), dz += x(i, j) * v(j);
    value += std::sin(z), slope[0] += std::cos(z) * dz;
    for (std::size_t j = 0; j < 3; ++j) product[j] -= std::sin(z) * dz * x(i, j);
  }
  for (std::size_t j = 0; j < 3; ++j) value += u(j) * u(j), slope[0] += 2 * u(j) * v(j), product[j] += 2 * v(j);
  const auto along = emit<c99, "along">(value_and_jvp(f, wrt<0>, tangent(v)), u, x).text().str();
  all.add_tensors<double>("along", along, {{value}, slope}, 1e-12, u, x, v);
  const auto curved = emit<c99, "curved">(hvp(f, wrt<0>, tangent(v)), u, x).text().str();
  all.add_tensors<double>("curved", curved, {product}, 1e-12, u, x, v);
  // Backwards through a vector: of y = tanh(x u) the cotangent c gives x^T (c (1 - y^2)).
  constexpr auto g = [](const auto& p, const auto& data) { return tanh(dot(data, p)); };
  const auto c = numbers<double>(27, 4);
  std::vector<double> pulled(3);
  for (std::size_t i = 0; i < 4; ++i) {
    double z = 0;
    for (std::size_t j = 0; j < 3; ++j) z += x(i, j) * u(j);
    const double y = std::tanh(z);
    for (std::size_t j = 0; j < 3; ++j) pulled[j] += c(i) * (1 - y * y) * x(i, j);
  }
  const auto back = emit<c99, "back">(vjp(g, wrt<0>, cotangent(c)), u, x).text().str();
  all.add_tensors<double>("back", back, {pulled}, 1e-12, u, x, c);

  // Formulas have the names of their variables, and their own numbers.
  constexpr auto X = variable<"X">;
  constexpr auto theta = variable<"theta">;
  constexpr auto k = variable<"k">;
  const auto formula = value_and_gradient(sum(k * square(dot(X, theta))) + 0.25 * sum(theta), wrt(theta, k));
  const auto m = formula(X = x, theta = u, k = 3.0);
  parts<double> of_formula{{m.value}, {}, {m.gradient[k]}};
  cases::flatten(of_formula[1], m.gradient[theta]);
  const auto named = emit<c99, "named">(formula, X = x, theta = u, k = 3.0).text().str();
  if (named.find("theta[n1]") == std::string::npos) std::cerr << named, std::exit(1);
  // In the order of appearance.
  all.add_tensors<double>("named", named, of_formula, 1e-12, 3.0, x, u);
}

/// What is behind a stop is not in the text.
void check_stop() {
  constexpr auto count = [](const std::string& text, const std::string& what) {
    int found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  constexpr auto whole = [](const auto& w, const auto& x) { return sum(square(w * x - tanh(w * x))); };
  constexpr auto stopped = [](const auto& w, const auto& x) { return sum(square(w * x - stop_gradient(tanh(w * x)))); };
  using tensor = xt::xtensor<double, 1>;
  const auto of_whole = emit<c99, "f", tensor, tensor>(gradient(whole, wrt<0>)).text().str();
  const auto of_stopped = emit<c99, "f", tensor, tensor>(gradient(stopped, wrt<0>)).text().str();
  // Of the operations in the loop w x, its tanh, their difference, twice that times x, and no slope of tanh.
  if (count(of_whole, "f_tanh_slope(") == 0 || count(of_stopped, "f_tanh_slope(") != 0 ||
      count(of_stopped, "= tanh(") != 1 || count(of_stopped, " * v") + count(of_stopped, " * 2.0") != 3 ||
      count(of_stopped, " for (") != 1)
    std::cerr << "a stop leaves too much:\n" << of_stopped, std::exit(1);
}

}  // namespace

#ifdef __clang__
// A constant too, where it is short. g++ 12 destroys values of conditional operators twice in constant evaluation.
static_assert(!emit<c99, "sum_of", vector<double>>(value([](const auto& a) { return sum(a); })).text().empty());
#endif

int main(int count, char** arguments) {
  if (count != 2) return 2;
  tensor_cases all(arguments[1]);
  for (const auto& [rows, columns] : {std::array<std::size_t, 2>{5, 3}, {3, 3}, {1, 4}, {4, 1}, {1, 1}, {2, 0}}) {
    check_logistic<"logistic", double>(all, rows, columns);
    check_logistic<"logistic_f", float>(all, rows, columns);
  }
  check_layer(all, 3, 4, 2), check_layer(all, 2, 2, 2), check_layer(all, 1, 3, 1), check_layer(all, 2, 0, 3);
  check_layer(all, 0, 2, 3);
  check_softmax(all);
  check_sums(all, 3, 4), check_sums(all, 3, 3), check_sums(all, 0, 2);
  check_moves(all), check_integers(all), check_cubes(all), check_reductions(all), check_calls(all), check_stop();
}
