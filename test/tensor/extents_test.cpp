// Extents of 0 and 1 in every position, known only at the call: values, shapes and gradients of every reduction and
// move against an array of dual numbers that does what NumPy does, and an exception where that has none.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;
constexpr auto v = variable<"v">;
constexpr auto k = variable<"k">;

/// A number and its derivative.
struct dual {
  double value = 0, slope = 0;

  /// What does not vary does not meet a NaN.
  static double part(double slope, double factor) { return slope == 0 ? 0 : slope * factor; }

  friend dual operator+(const dual& x, const dual& y) { return {x.value + y.value, x.slope + y.slope}; }
  friend dual operator-(const dual& x, const dual& y) { return {x.value - y.value, x.slope - y.slope}; }
  friend dual operator*(const dual& x, const dual& y) {
    return {x.value * y.value, part(x.slope, y.value) + part(y.slope, x.value)};
  }
  friend dual operator/(const dual& x, const dual& y) {
    return {x.value / y.value, (x.slope * y.value - x.value * y.slope) / (y.value * y.value)};
  }
};
dual exp_of(const dual& x) { return {std::exp(x.value), x.slope * std::exp(x.value)}; }
dual log_of(const dual& x) { return {std::log(x.value), x.slope / x.value}; }

using shape = std::vector<std::size_t>;
using elements = std::vector<dual>;

struct array {
  shape extents;
  elements data;

  explicit array(const shape& of) : extents(of) {
    std::size_t size = 1;
    for (const std::size_t extent : of) size *= extent;
    data.resize(size);
  }
  dual& at(const shape& index) { return data[offset(index)]; }
  const dual& at(const shape& index) const { return data[offset(index)]; }
  /// visit(index) in row-major order.
  template <class Visit>
  void each(Visit visit) const {
    shape index(extents.size());
    for (std::size_t left = data.size(); left > 0; --left) {
      visit(index);
      for (std::size_t i = index.size(); i-- > 0 && ++index[i] == extents[i];) index[i] = 0;
    }
  }

 private:
  std::size_t offset(const shape& index) const {
    std::size_t result = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) result = result * extents[i] + index[i];
    return result;
  }
};

template <class Function>
array each_two(const array& x, const array& y, Function function) {
  shape extents(std::max(x.extents.size(), y.extents.size()), 1);
  for (const array* operand : {&x, &y})
    for (std::size_t back = 1; back <= operand->extents.size(); ++back) {
      std::size_t& to = extents[extents.size() - back];
      const std::size_t extent = operand->extents[operand->extents.size() - back];
      if (to != 1 && extent != 1 && to != extent) throw std::invalid_argument("no broadcast");
      if (extent != 1) to = extent;
    }
  const auto read = [](const array& from, const shape& index) {
    shape own(from.extents.size());
    for (std::size_t back = 1; back <= own.size(); ++back)
      own[own.size() - back] = from.extents[own.size() - back] == 1 ? 0 : index[index.size() - back];
    return from.at(own);
  };
  array result(extents);
  result.each([&](const shape& index) { result.at(index) = function(read(x, index), read(y, index)); });
  return result;
}
array operator+(const array& x, const array& y) { return each_two(x, y, std::plus<>{}); }
array operator-(const array& x, const array& y) { return each_two(x, y, std::minus<>{}); }
array operator*(const array& x, const array& y) { return each_two(x, y, std::multiplies<>{}); }
array operator/(const array& x, const array& y) { return each_two(x, y, std::divides<>{}); }
array exp_of(array x) {
  for (dual& e : x.data) e = exp_of(e);
  return x;
}
array number(double value) {
  array result{shape{}};
  result.data[0].value = value;
  return result;
}

/// `function` of the elements along axes, of all if none are named.
template <class Function>
array over(const array& x, const std::vector<std::size_t>& axes, bool keep, Function function) {
  const auto reduced = [&](std::size_t i) { return axes.empty() || std::ranges::count(axes, i) > 0; };
  shape kept;
  for (std::size_t i = 0; i < x.extents.size(); ++i)
    if (!reduced(i))
      kept.push_back(x.extents[i]);
    else if (keep)
      kept.push_back(1);
  array result(kept);
  result.each([&](const shape& to) {
    elements along;
    x.each([&](const shape& index) {
      bool here = true;
      std::size_t next = 0;
      for (std::size_t i = 0; i < index.size(); ++i)
        if (!reduced(i))
          here = here && index[i] == to[next++];
        else if (keep)
          ++next;
      if (here) along.push_back(x.at(index));
    });
    result.at(to) = function(along);
  });
  return result;
}
void needs_elements(const array& x, const std::vector<std::size_t>& axes) {
  for (std::size_t i = 0; i < x.extents.size(); ++i)
    if ((axes.empty() || std::ranges::count(axes, i) > 0) && x.extents[i] == 0)
      throw std::invalid_argument("no elements");
}
dual sum_of(const elements& x) {
  dual result;
  for (const dual& e : x) result = result + e;
  return result;
}
dual largest_of(const elements& x) {
  return *std::ranges::max_element(x, {}, [](const dual& e) { return e.value; });
}
array sum_over(const array& x, const std::vector<std::size_t>& axes = {}, bool keep = false) {
  return over(x, axes, keep, sum_of);
}
array mean_over(const array& x, const std::vector<std::size_t>& axes = {}) {
  return over(x, axes, false, [](const elements& e) {
    return e.empty() ? dual{std::nan(""), 0} : sum_of(e) / dual{static_cast<double>(e.size()), 0};
  });
}
array prod_over(const array& x, const std::vector<std::size_t>& axes) {
  return over(x, axes, false, [](const elements& along) {
    dual result{1, 0};
    for (const dual& e : along) result = result * e;
    return result;
  });
}
array norm_over(const array& x, const std::vector<std::size_t>& axes) {
  return over(x * x, axes, false, [](const elements& e) {
    const dual squares = sum_of(e);
    return squares.value == 0 ? dual{} : dual{std::sqrt(squares.value), squares.slope / 2 / std::sqrt(squares.value)};
  });
}
array amax_over(const array& x, const std::vector<std::size_t>& axes, bool keep = false) {
  needs_elements(x, axes);
  return over(x, axes, keep, largest_of);
}
array amin_over(const array& x, const std::vector<std::size_t>& axes) {
  return number(0) - amax_over(number(0) - x, axes);
}
array argmax_over(const array& x, std::size_t axis) {
  needs_elements(x, {axis});
  return over(x, {axis}, false, [](const elements& e) {
    const auto found = std::ranges::max_element(e, {}, [](const dual& number) { return number.value; });
    return dual{static_cast<double>(found - e.begin()), 0};
  });
}
array softmax_over(const array& x, std::size_t axis) {
  needs_elements(x, {axis});
  return exp_of(x) / sum_over(exp_of(x), {axis}, true);
}
array logsumexp_over(const array& x, std::size_t axis) {
  needs_elements(x, {axis});
  return over(exp_of(x), {axis}, false, [](const elements& e) { return log_of(sum_of(e)); });
}

array take_along(const array& x, std::size_t axis, const std::vector<int>& indices) {
  const int extent = static_cast<int>(x.extents[axis]);
  for (const int index : indices)
    if (index < -extent || index >= extent) throw std::out_of_range("index");
  array result([&] {
    shape extents = x.extents;
    extents[axis] = indices.size();
    return extents;
  }());
  result.each([&](shape index) {
    dual& to = result.at(index);
    const int chosen = indices[index[axis]];
    index[axis] = static_cast<std::size_t>(chosen < 0 ? chosen + extent : chosen);
    to = x.at(index);
  });
  return result;
}
array slice_along(const array& x, std::size_t axis, int begin, int end) {
  const int extent = static_cast<int>(x.extents[axis]);
  if (begin < 0) begin += extent;
  if (end < 0) end += extent;
  if (begin < 0 || end < begin || extent < end) throw std::out_of_range("slice");
  std::vector<int> indices;
  for (int i = begin; i < end; ++i) indices.push_back(i);
  return take_along(x, axis, indices);
}
array reshaped(const array& x, std::vector<int> extents) {
  std::size_t product = 1;
  shape to;
  for (const int extent : extents) product *= extent < 0 ? 1 : static_cast<std::size_t>(extent);
  for (const int extent : extents)
    to.push_back(extent >= 0 ? static_cast<std::size_t>(extent) : product ? x.data.size() / product : 0);
  array result(to);
  if (result.data.size() != x.data.size()) throw std::invalid_argument("reshape");
  result.data = x.data;
  return result;
}
array joined(const std::vector<array>& parts, std::size_t axis) {
  shape extents = parts[0].extents;
  extents[axis] = 0;
  for (const array& part : parts) {
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (i != axis && part.extents[i] != extents[i]) throw std::invalid_argument("concatenate");
    extents[axis] += part.extents[axis];
  }
  array result(extents);
  std::size_t begin = 0;
  for (const array& part : parts) {
    part.each([&](shape index) {
      const dual& from = part.at(index);
      index[axis] += begin;
      result.at(index) = from;
    });
    begin += part.extents[axis];
  }
  return result;
}
array expanded(array x, std::size_t axis) {
  x.extents.insert(x.extents.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return x;
}
array transposed(const array& x) {
  array result(shape(x.extents.rbegin(), x.extents.rend()));
  x.each([&](const shape& index) { result.at(shape(index.rbegin(), index.rend())) = x.at(index); });
  return result;
}

/// What is bound.
struct inputs {
  matrix a, b;
  vector v;
  std::vector<int> k;
};
array array_of(const matrix& from) {
  array result({from.shape(0), from.shape(1)});
  for (std::size_t i = 0; i < result.data.size(); ++i) result.data[i].value = from.data()[i];
  return result;
}
array array_of(const vector& from) {
  array result({from.size()});
  for (std::size_t i = 0; i < result.data.size(); ++i) result.data[i].value = from(i);
  return result;
}

void same(double computed, double expected, const std::string& what) {
  if (std::isnan(computed) && std::isnan(expected)) return;
  BOOST_CHECK_MESSAGE(std::abs(computed - expected) <= 1e-12 * (1 + std::abs(expected)),
                      what << ": " << computed << " instead of " << expected);
}
std::string text_of(const inputs& at) {
  const auto number_text = [](std::size_t n) { return std::to_string(n); };
  return "a (" + number_text(at.a.shape(0)) + ", " + number_text(at.a.shape(1)) + "), b (" +
         number_text(at.b.shape(0)) + ", " + number_text(at.b.shape(1)) + "), v (" + number_text(at.v.size()) +
         "), k (" + number_text(at.k.size()) + ")";
}

using reference = std::function<array(const array&, const array&, const array&, const std::vector<int>&)>;

int computed_calls = 0;

/// The value and the gradient by a, b and v at these inputs; with indices k if the formula has them.
template <bool Indices, class Step>
void check_at(const Step& step, const reference& expected, const inputs& at) {
  array x = array_of(at.a), y = array_of(at.b), z = array_of(at.v);
  std::optional<array> value;
  try {
    value = expected(x, y, z, at.k);
  } catch (const std::logic_error&) {
  }
  const auto call = [&] {
    if constexpr (Indices)
      return step(a = at.a, b = at.b, v = at.v, k = at.k);
    else
      return step(a = at.a, b = at.b, v = at.v);
  };
  BOOST_TEST_CONTEXT(text_of(at)) {
    if (!value) {
      BOOST_CHECK_THROW(call(), std::logic_error);
      return;
    }
    ++computed_calls;
    try {
      const auto r = call();
      same(r.value, value->data[0].value, "value");
      const auto by = [&](array& variable, const auto& slopes, const char* what) {
        BOOST_TEST(slopes.size() == variable.data.size());
        for (std::size_t i = 0; i < variable.data.size(); ++i) {
          variable.data[i].slope = 1;
          same(slopes.data()[i], expected(x, y, z, at.k).data[0].slope, what);
          variable.data[i].slope = 0;
        }
      };
      by(x, r.gradient[a], "by a");
      by(y, r.gradient[b], "by b");
      by(z, r.gradient[v], "by v");
    } catch (const std::exception& e) {
      BOOST_ERROR("throws: " << e.what());
    }
  }
}

/// The same at all extents of 0 to 3, or those of `some`.
template <bool Indices = false, class F>
void check_extents(const char* name, const F& f, const reference& expected,
                   const std::vector<std::size_t>& some = {0, 1, 2, 3}) {
  BOOST_TEST_CONTEXT(name) {
    const auto step = value_and_gradient(f, wrt(a, b, v), unconnected::materialise);
    computed_calls = 0;
    unsigned seed = 1;
    for (const std::size_t m : some)
      for (const std::size_t n : some)
        for (const std::size_t p : some)
          for (const std::size_t q : some)
            for (const std::size_t l : some) {
              inputs at{matrix::from_shape({m, n}), matrix::from_shape({p, q}), vector::from_shape({l}), {}};
              randomise(at.a, ++seed);
              randomise(at.b, ++seed);
              randomise(at.v, ++seed);
              for (std::size_t i = 0; i < l; ++i) at.k.push_back(static_cast<int>(i * (m + 1)) % 3 - 1);
              check_at<Indices>(step, expected, at);
            }
    BOOST_TEST(computed_calls > 20);
  }
}

// The rows of a matrix have the axis of the vector that its columns meet, so that the columns get an axis of their own:
// along that, too, k is one column and is broadcast.
BOOST_AUTO_TEST_CASE(one_column_beside_the_vector_of_the_rows) {
  const xt::xtensor<double, 1> x{1, 2, 4}, one{3};
  const auto table = expand_dims<1>(v) * k;
  const auto check = [&](const auto& f, double expected, const std::vector<double>& of_v, double of_k) {
    const auto r = value_and_gradient(f, wrt(v, k))(v = x, k = one);
    BOOST_TEST(r.value == expected, boost::test_tools::tolerance(1e-14));
    for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(std::abs(r.gradient[v](i) - of_v[i]) < 1e-13);
    BOOST_TEST(std::abs(r.gradient[k](0) - of_k) < 1e-13);
  };
  // Softmax of one number is 1.
  check(sum(square(v - amax<0>(log_softmax<1>(table)))), 21, {2, 4, 8}, 0);
  check(sum(v * sum<0>(softmax<1>(table))), 21, {3, 3, 3}, 0);
  // v + 7 k and v + 7 k - 7 k, three times each.
  check(sum(v + sum<0>(table)), 70, {10, 10, 10}, 21);
  check(sum(v + sum<0>(table - expand_dims<1>(mean<1>(table)))), 7, {1, 1, 1}, 0);
  // The whole and its last column.
  check(sum(v + sum<0>(table - slice<1>(table, -1))), 7, {1, 1, 1}, 0);
}

// The same where what is computed once more reads an axis as a whole and a part of it.
BOOST_AUTO_TEST_CASE(whole_and_part_beside_the_vector_of_the_rows) {
  const xt::xtensor<double, 1> x{0.1, 0.2, 0.3}, y{1, 2, 3, 4};
  const xt::xtensor<double, 2> m{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  const auto f = sum(v - sum<0>(expand_dims<1>(v) * (dot(a, 2 * k) * slice<0>(2 * k, 1))));
  const auto r = value_and_gradient(f, wrt(v, k))(v = x, a = m, k = y);
  // m y = {30, 70, 110}, and the sum of its products with {2, 3, 4} is 710.
  BOOST_TEST(r.value == 0.6 - 4 * 0.6 * 710, boost::test_tools::tolerance(1e-14));
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_TEST(r.gradient[v](i) == 1 - 4 * 710.0, boost::test_tools::tolerance(1e-14));
  // Of the sum of the products, by the part and by the whole.
  const double part[] = {0, 30, 70, 110}, whole[] = {1 * 2 + 5 * 3 + 9 * 4, 2 * 2 + 6 * 3 + 10 * 4,
                                                     3 * 2 + 7 * 3 + 11 * 4, 4 * 2 + 8 * 3 + 12 * 4};
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(r.gradient[k](i) == -4 * 0.6 * (part[i] + whole[i]), boost::test_tools::tolerance(1e-14));
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums) {
  // What is reduced alone has its own extents, wherever it is broadcast besides.
  check_extents("sums", sum(a * b) + sum(a * v) + 2 * sum(a) + sum(square(sum<0>(b))) + sum(exp(sum<1>(a, keep_dims))),
                [](const array& x, const array& y, const array& z, const auto&) {
                  return sum_over(x * y) + sum_over(x * z) + number(2) * sum_over(x) +
                         sum_over(sum_over(y, {0}) * sum_over(y, {0})) + sum_over(exp_of(sum_over(x, {1}, true)));
                });
  check_extents("means and products",
                sum(a * b) + mean(a + v) + sum(mean<0>(a) * v) + sum(prod<1>(b)) + sum(norm<0>(a)),
                [](const array& x, const array& y, const array& z, const auto&) {
                  return sum_over(x * y) + mean_over(x + z) + sum_over(mean_over(x, {0}) * z) +
                         sum_over(prod_over(y, {1})) + sum_over(norm_over(x, {0}));
                });
}

BOOST_AUTO_TEST_CASE(extremes) {
  check_extents("extremes", sum(a * b) + sum(amax<0>(a) * v) + sum(amin<1>(b)) + sum(argmax<1>(a)),
                [](const array& x, const array& y, const array& z, const auto&) {
                  return sum_over(x * y) + sum_over(amax_over(x, {0}) * z) + sum_over(amin_over(y, {1})) +
                         sum_over(argmax_over(x, 1));
                });
}

BOOST_AUTO_TEST_CASE(exponentials) {
  check_extents("exponentials", sum(a * b) + sum(logsumexp<0>(a) * v) + sum(softmax<1>(a) * b) + sum(softmax<0>(v) * v),
                [](const array& x, const array& y, const array& z, const auto&) {
                  return sum_over(x * y) + sum_over(logsumexp_over(x, 0) * z) + sum_over(softmax_over(x, 1) * y) +
                         sum_over(softmax_over(z, 0) * z);
                });
}

BOOST_AUTO_TEST_CASE(slices) {
  check_extents("slices",
                sum(a * b) + sum(square(slice<0>(a, 0, -1))) + sum(slice<1>(b, 0, 1) * a) + sum(slice<0>(v, 1, 2) * v),
                [](const array& x, const array& y, const array& z, const auto&) {
                  const array part = slice_along(x, 0, 0, -1);
                  return sum_over(x * y) + sum_over(part * part) + sum_over(slice_along(y, 1, 0, 1) * x) +
                         sum_over(slice_along(z, 0, 1, 2) * z);
                });
}

BOOST_AUTO_TEST_CASE(indices) {
  check_extents<true>("indices", sum(a * b) + sum(square(take<0>(a, k))) + sum(take<1>(b, k + 0_c) * v),
                      [](const array& x, const array& y, const array& z, const std::vector<int>& chosen) {
                        const array rows = take_along(x, 0, chosen);
                        return sum_over(x * y) + sum_over(rows * rows) + sum_over(take_along(y, 1, chosen) * z);
                      });
  check_extents<true>("computed indices", sum(a * v) + sum(take<1>(a, k + 1_c) * b),
                      [](const array& x, const array& y, const array& z, std::vector<int> chosen) {
                        for (int& index : chosen) ++index;
                        return sum_over(x * z) + sum_over(take_along(x, 1, chosen) * y);
                      });
}

BOOST_AUTO_TEST_CASE(shapes) {
  check_extents("reshape", sum(reshape<-1>(a) * v) + sum(a * b) + sum(square(reshape<-1, 2>(b))),
                [](const array& x, const array& y, const array& z, const auto&) {
                  const array pairs = reshaped(y, {-1, 2});
                  return sum_over(reshaped(x, {-1}) * z) + sum_over(x * y) + sum_over(pairs * pairs);
                });
  check_extents("transpose", sum(a * transpose(a)) + sum(expand_dims<1>(v) * a) + sum(dot(a, b) * v),
                [](const array& x, const array& y, const array& z, const auto&) {
                  // What a product of matrices sums over is not broadcast.
                  if (x.extents[1] != y.extents[0]) throw std::invalid_argument("dot");
                  const array products = expanded(x, 2) * expanded(y, 0);
                  return sum_over(x * transposed(x)) + sum_over(expanded(z, 1) * x) +
                         sum_over(sum_over(products, {1}) * z);
                });
}

BOOST_AUTO_TEST_CASE(joins) {
  check_extents("concatenate", sum(square(concatenate<0>(a, b, a))) + sum(a * v) + sum(concatenate<1>(a, b) * 2.0),
                [](const array& x, const array& y, const array& z, const auto&) {
                  const array column = joined({x, y, x}, 0);
                  return sum_over(column * column) + sum_over(x * z) + number(2) * sum_over(joined({x, y}, 1));
                });
  check_extents("stack", sum(stack<0>(sum<0>(a), v) * b) + sum(a * b),
                [](const array& x, const array& y, const array& z, const auto&) {
                  return sum_over(joined({expanded(sum_over(x, {0}), 0), expanded(z, 0)}, 0) * y) + sum_over(x * y);
                });
}

BOOST_AUTO_TEST_CASE(values) {
  // A value has its own shape, and its tangent too.
  const auto f = a * 2.0 + sum(a * b);
  for (const std::size_t m : {0u, 1u, 3u})
    for (const std::size_t n : {1u, 2u})
      for (const std::size_t p : {0u, 1u, 3u}) {
        matrix x = matrix::from_shape({m, n}), y = matrix::from_shape({p, 2}), along = x;
        randomise(x, 1);
        randomise(y, 2);
        randomise(along, 3);
        if (m != p && m != 1 && p != 1) {
          BOOST_CHECK_THROW(f(a = x, b = y), std::logic_error);
          continue;
        }
        const array dual_x = [&] {
          array result = array_of(x);
          for (std::size_t i = 0; i < result.data.size(); ++i) result.data[i].slope = along.data()[i];
          return result;
        }();
        const array expected = dual_x * number(2) + sum_over(dual_x * array_of(y));
        const auto value = f(a = x, b = y);
        const auto slope = jvp(f, tangent(a = along))(a = x, b = y);
        BOOST_TEST((value.shape() == x.shape()));
        BOOST_TEST((slope.shape() == x.shape()));
        for (std::size_t i = 0; i < x.size(); ++i) {
          same(value.data()[i], expected.data[i].value, "value");
          same(slope.data()[i], expected.data[i].slope, "slope");
        }
      }
}

BOOST_AUTO_TEST_CASE(second_derivatives) {
  // v meets two extents. Of sum(v v v) + sum(v v a) the product of the Hessian and u is 6 v u + 2 u sum(a).
  const vector one{2}, along{3}, three{1, 2, 4};
  const std::vector<double> two{5, 6};
  const auto f = sum(v * v * v) + sum(v * v * a) + sum(v * b);
  const auto h = hvp(f, wrt(v), tangent(v = along))(v = one, a = three, b = two);
  same(h[v](0), 6 * 2 * 3 + 2 * 3 * 7, "hvp");
}

BOOST_AUTO_TEST_CASE(a_number_beside_them) {
  // k v sum(a) + k v
  const vector one{3}, three{1, 2, 4};
  const auto r = value_and_gradient(sum(k * v * a) + sum(k * v), wrt(k, v, a))(k = 2.0, v = one, a = three);
  BOOST_TEST(r.value == 48);
  BOOST_TEST(r.gradient[k] == 24);
  BOOST_TEST((r.gradient[v] == vector{16}));
  BOOST_TEST((r.gradient[a] == vector{6, 6, 6}));
}

BOOST_AUTO_TEST_CASE(into_an_existing_result) {
  const vector one{2}, three{1, 2, 4};
  const auto step = value_and_gradient(sum(v * v) + sum(v * a), wrt(v, a));
  auto r = step(v = three, a = three);
  step(into(r), v = one, a = three);
  BOOST_TEST(r.value == 4 + 2 * 7);
  BOOST_TEST((r.gradient[v] == vector{2 * 2 + 7}));
  BOOST_TEST((r.gradient[a] == vector{2, 2, 2}));
}

// Where a tensor of extent 1 is reduced and broadcast, nodes are computed one by one: the sine and the cosine of one
// number by one operation there too.
BOOST_AUTO_TEST_CASE(sine_and_cosine_of_what_is_broadcast) {
  const vector one{0.75}, three{1, 2, 3};
  const auto r = value_and_gradient(sum(sin(a) + 2 * cos(a)) + sum(a * b), wrt(a))(a = one, b = three);
  BOOST_TEST(r.value == std::sin(0.75) + 2 * std::cos(0.75) + 0.75 * 6, boost::test_tools::tolerance(1e-15));
  BOOST_TEST_REQUIRE(r.gradient[a].size() == 1u);
  BOOST_TEST(r.gradient[a](0) == std::cos(0.75) - 2 * std::sin(0.75) + 6, boost::test_tools::tolerance(1e-15));
}
