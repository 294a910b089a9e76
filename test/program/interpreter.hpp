#ifndef TAPELESS_TEST_PROGRAM_INTERPRETER_HPP
#define TAPELESS_TEST_PROGRAM_INTERPRETER_HPP

#include <tapeless/program/pass/finish.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Runs a program node by node, each as its operation is defined, with no code of the library but for the quotient by
/// what is uniform, whose error is measured.
namespace interpreter {

using namespace tapeless::program;
namespace operation = tapeless::operation;

/// How long axes 0 and 1 are; a value has an element for each place of the two, and is the same along those it lacks.
inline constexpr int rows = 4, columns = 3, places = rows * columns;

inline int place_along(int place, int axis) { return axis == 0 ? place / columns : place % columns; }
inline int size_of(int axis) { return axis == 0 ? rows : columns; }

template <class T>
T constant_as(const constant_value& c) {
  return c.exact() ? T(static_cast<double>(c.numerator)) / T(static_cast<double>(c.denominator)) : T(c.literal);
}

template <class T>
T apply(const builder& graph, const node& n, const T* a) {
  using std::abs, std::cos, std::cosh, std::erfc, std::exp, std::log, std::pow, std::sin, std::isnan;
  const auto is = [&](const operation_info& op) { return applies(n, op); };
  // The zero that a type shows is one whatever it is multiplied with.
  const auto is_absolute_zero = [&](int j) { return graph.is_absolute_zero(graph.edges[n.first + j]); };
  const auto truth = [](bool b) { return T(b ? 1 : 0); };
  if (is(info<operation::Add>)) return a[0] + a[1];
  if (is(info<operation::Subtract>)) return a[0] - a[1];
  if (is(info<operation::Multiply>)) return is_absolute_zero(0) || is_absolute_zero(1) ? T(0) : a[0] * a[1];
  if (is(info<operation::Divide>)) return is_absolute_zero(0) && !is_absolute_zero(1) ? T(0) : a[0] / a[1];
  if (is(info<operation::UniformQuotient>) || is(info<operation::TimesInverse>)) {
    if constexpr (std::is_same_v<T, double>)
      return tapeless::math::product_with_inverse(a[0], a[1], a[2]);
    else
      return a[0] / a[1];
  }
  if (is(info<operation::Negate>)) return -a[0];
  if (is(info<operation::MultiplyAdd>)) return a[0] * a[1] + a[2];
  if (is(info<operation::MultiplySubtract>)) return a[0] * a[1] - a[2];
  if (is(info<operation::SubtractProduct>)) return a[2] - a[0] * a[1];
  if (is(info<operation::Pow>)) return pow(a[0], a[1]);
  if (is(info<operation::Abs>)) return abs(a[0]);
  if (is(info<operation::Sin>)) return sin(a[0]);
  if (is(info<operation::Cos>)) return cos(a[0]);
  if (is(info<operation::Cosh>)) return cosh(a[0]);
  if (is(info<operation::Exp>) || is(info<operation::SoftmaxExp>)) return exp(a[0]);
  if (is(info<operation::Log>)) return log(a[0]);
  if (is(info<operation::Erfc>)) return erfc(a[0]);
  if (is(info<operation::Larger>)) return isnan(a[0]) || a[0] > a[1] ? a[0] : a[1];
  if (is(info<operation::Where>)) return a[0] != 0 ? a[1] : a[2];
  if (is(info<operation::Less>)) return truth(a[0] < a[1]);
  if (is(info<operation::LessEqual>)) return truth(a[0] <= a[1]);
  if (is(info<operation::Greater>)) return truth(a[0] > a[1]);
  if (is(info<operation::GreaterEqual>)) return truth(a[0] >= a[1]);
  if (is(info<operation::Equal>)) return truth(a[0] == a[1]);
  if (is(info<operation::NotEqual>)) return truth(a[0] != a[1]);
  if (is(info<operation::Not>)) return truth(a[0] == 0);
  if (is(info<operation::And>)) return truth(a[0] != 0 && a[1] != 0);
  if (is(info<operation::Or>)) return truth(a[0] != 0 || a[1] != 0);
  throw std::logic_error("the interpreter does not know " + std::string(n.operation->name));
}

/// The values of all nodes of a program, at as many points as `points`: `leaf(variable, point, index)` is an element of
/// a variable at a point. A program over tensors has `places` values a point, a program of numbers one. `all` gets the
/// values of the nodes that it does not have yet.
template <class T, class Leaf>
void run(std::vector<std::vector<T>>& all, const builder& graph, int points, const Leaf& leaf) {
  const int width = graph.accesses.size > 0 ? places : 1;
  const auto size = static_cast<std::size_t>(points * width);
  for (int i = static_cast<int>(all.size()); i < graph.nodes.size; ++i) {
    const node& n = graph.nodes[i];
    std::vector<T> result(size);
    const auto at = [&](int j, int k) -> const T& {
      return all[static_cast<std::size_t>(graph.operands(i)[j])][static_cast<std::size_t>(k)];
    };
    const auto fill = [&](const auto& element) {
      for (int k = 0; k < points * width; ++k) result[static_cast<std::size_t>(k)] = element(k - k % width, k % width);
    };
    if (n.kind == node_kind::constant) {
      const T value = constant_as<T>(*graph.constant_of(i));
      fill([&](int, int) { return value; });
    } else if (n.kind == node_kind::extent) {
      fill([&](int, int) { return T(size_of(n.leaf)); });
    } else if (n.kind == node_kind::variable) {
      fill([&](int point, int p) {
        return T(leaf(n.leaf, point / width, n.axes == 0 ? 0 : place_along(p, n.axes == axis(0) ? 0 : 1)));
      });
    } else if (n.operation->moves) {
      // Indices along axis 1 say what is taken from axis 0.
      const auto index = [&](int point, int p) { return static_cast<int>(at(1, point + p)); };
      if (graph.moves[n.access].kind == move_kind::take)
        fill([&](int point, int p) { return at(0, point + index(point, p) * columns); });
      else
        fill([&](int point, int p) {
          T sum = n.count > 2 ? at(2, point + p) : T(0);
          for (int k = 0; k < columns; ++k)
            if (index(point, k) == place_along(p, 0)) sum += at(0, point + k);
          return sum;
        });
    } else if (n.reduced) {
      fill([&](int point, int p) {
        T sum(0);
        for (int q = 0; q < places; ++q) {
          bool same = true;
          for (const int along : {0, 1})
            same = same && ((n.reduced & axis(along)) != 0 ||
                            place_along(q, along) == ((n.axes & axis(along)) != 0 ? place_along(p, along) : 0));
          if (same) sum += at(0, point + q);
        }
        return sum;
      });
    } else if (applies(n, info<operation::First>) || applies(n, info<operation::Second>)) {
      const int pair = graph.operands(i)[0], x = graph.operands(pair)[0];
      const bool first = applies(n, info<operation::First>);
      const bool sine = applies(graph.nodes[pair], info<operation::SineCosine>);
      const std::vector<T>& operands = all[static_cast<std::size_t>(x)];
      fill([&](int point, int p) {
        using std::cos, std::erfc, std::exp, std::sin;
        const T value = operands[static_cast<std::size_t>(point + p)];
        return sine ? (first ? sin(value) : cos(value)) : first ? erfc(value) : exp(-(value * value));
      });
    } else if (!n.operation->pair) {
      fill([&](int point, int p) {
        T operands[3];
        for (int j = 0; j < n.count; ++j) operands[j] = at(j, point + p);
        return apply(graph, n, operands);
      });
    }
    all.push_back(std::move(result));
  }
}

}  // namespace interpreter

#endif
