// Random programs over tensors, made and derived by the passes at run time: what is written with unified axes,
// rewritten, pruned and scheduled has the values and derivatives of what is written with explicit axes and not
// rewritten, at extents that fit, that are broadcast and that do not fit; its plan computes it; derivatives are
// differences of values, second derivatives those of gradients.
#include "run_time_passes.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>

namespace {

using namespace run_time;
using number = long double;
using shape = std::vector<std::ptrdiff_t>;
using tapeless::detail::bound_tensor;
using tapeless::detail::extents_at_call;

std::ptrdiff_t size_of(const shape& s) {
  std::ptrdiff_t result = 1;
  for (const std::ptrdiff_t extent : s) result *= extent;
  return result;
}
std::string text_of(const std::vector<shape>& shapes) {
  std::string text;
  for (const shape& each : shapes) {
    text += "(";
    for (const std::ptrdiff_t extent : each) text += std::to_string(extent) + ",";
    text += ") ";
  }
  return text;
}
/// What two shapes are broadcast to, as NumPy does; nothing where they do not fit.
bool broadcast(const shape& a, const shape& b, shape& to) {
  to = a.size() > b.size() ? a : b;
  for (std::size_t back = 1; back <= std::min(a.size(), b.size()); ++back) {
    const std::ptrdiff_t x = a[a.size() - back], y = b[b.size() - back];
    if (x != y && x != 1 && y != 1) return false;
    to[to.size() - back] = x == 1 ? y : x;
  }
  return true;
}

/// Whether an operation takes operands of some extents.
enum class fit { yes, no, unknown };
fit as_fit(bool fits) { return fits ? fit::yes : fit::no; }
/// The extents of an operation's result by those of its operands, as NumPy has them, but that slices stay within what
/// they are of.
using shape_rule = std::function<fit(const std::vector<shape>& of, shape& to)>;

/// A program while it is written, once for each way of lowering it.
class written_program {
 public:
  struct variable {
    shape extents;
    /// -1 where known at the call alone.
    shape declared;
    bool is_index = false;
    std::ptrdiff_t indexed = 0;
  };
  std::vector<variable> variables;
  std::vector<shape> shapes;
  std::vector<tensor_value> values[2];
  std::vector<int> outputs;
  std::vector<std::unique_ptr<tensor_lowering>> lowering;
  bool has_stops = false;
  std::ostringstream text;

  explicit written_program(random_numbers& random) : random_(random) {
    const std::ptrdiff_t lengths[] = {2 + random.below(3), 2 + random.below(2), 3};
    const int count = 2 + random.below(3);
    for (int v = 0; v < count; ++v) {
      variable next;
      const int rank = random.below(4);
      for (int i = 0; i < rank; ++i) {
        next.extents.push_back(random.chance(15) ? 1 : lengths[random.below(3)]);
        next.declared.push_back(random.chance(60) ? -1 : next.extents.back());
      }
      variables.push_back(next);
    }
    if (random.chance(30)) {
      variables.push_back({{lengths[random.below(3)]}, {-1}, true, lengths[0]});
    }
    static constexpr const char* names[] = {"a", "b", "c", "d", "e", "f"};
    for (std::size_t v = 0; v < variables.size(); ++v) {
      leaf_description leaf;
      leaf.name = names[v];
      leaf.rank = static_cast<int>(variables[v].declared.size());
      leaf.column_major = random.chance(20);
      std::ranges::copy(variables[v].declared, leaf.extents.begin());
      leaves_.push_back(leaf);
      text << names[v] << "(";
      for (std::size_t i = 0; i < variables[v].extents.size(); ++i)
        text << (i ? ", " : "") << variables[v].extents[i] << (variables[v].declared[i] < 0 ? "?" : "");
      text << ") ";
    }
    leaves_.push_back({});
    for (std::size_t v = 0; v < variables.size(); ++v) {
      shapes.push_back(variables[v].extents);
      steps_.push_back({"", {}, {}, [name = names[v]](tensor_lowering& to, operands&) { return to.variable(name); }});
      if (variables[v].is_index) index_ = static_cast<int>(v);
    }
    for (int wanted = 3 + random.below(12), tries = 0; wanted > 0 && tries < 200; ++tries) wanted -= write_one();
    write_outputs();
    lower();
  }
  bool fits() const {
    return std::ranges::all_of(lowering, [](const auto& each) { return !each->refused(); });
  }
  /// Whether 0 may be where a slope changes.
  bool has_corners() const {
    const std::string all = text.str();
    for (const char* const name : {" abs ", " relu ", " amax<", " amin<", " argmax<", " argmin<", " norm<"})
      if (all.find(name) != std::string::npos) return true;
    return false;
  }
  /// Whether the outputs can be computed of variables of these extents.
  fit fits_at(std::vector<shape> all) const {
    bool is_empty = false;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (i >= all.size()) all.push_back({});
      if (!needed_[i]) continue;
      if (i >= variables.size()) {
        std::vector<shape> given;
        for (const int j : steps_[i].of) given.push_back(all[static_cast<std::size_t>(j)]);
        if (steps_[i].needs_element && size_of_reduced(given[0], steps_[i].axes) == 0) return fit::no;
        if (const fit found = steps_[i].shape_by(given, all[i]); found != fit::yes)
          return is_empty ? fit::unknown : found;
      }
      is_empty |= size_of(all[i]) == 0;
    }
    return is_empty ? fit::unknown : fit::yes;
  }

 private:
  random_numbers& random_;
  std::vector<leaf_description> leaves_;
  int index_ = -1;

  using operands = std::vector<tensor_value>;
  struct step {
    std::string text;
    std::vector<int> of;
    shape_rule shape_by;
    std::function<tensor_value(tensor_lowering&, operands&)> write;
    /// A maximum over these axes, which no values do not have.
    bool needs_element = false;
    std::vector<int> axes{};
  };
  std::vector<step> steps_;
  static std::ptrdiff_t size_of_reduced(const shape& x, const std::vector<int>& axes) {
    if (axes.empty()) return size_of(x);
    std::ptrdiff_t result = 1;
    for (const int axis : axes) result *= x[static_cast<std::size_t>(axis)];
    return result;
  }
  std::vector<char> needed_;

  /// A value, which is written later, if an output needs it; whether it fits and is small.
  template <class Write>
  bool add(const std::string& what, const std::vector<int>& of, const shape_rule& shape_by, const Write& write) {
    std::vector<shape> given;
    std::string with = what;
    for (const int i : of) with += " " + name(i), given.push_back(shape_of(i));
    shape to;
    if (shape_by(given, to) != fit::yes || to.size() > 4 || size_of(to) > 300) return false;
    shapes.push_back(to), steps_.push_back({with, of, shape_by, write});
    return true;
  }
  static fit same_shape(const std::vector<shape>& of, shape& to) { return to = of[0], fit::yes; }
  static fit broadcast_all(const std::vector<shape>& of, shape& to) {
    for (const shape& each : of)
      if (!broadcast(shape(to), each, to)) return fit::no;
    return fit::yes;
  }
  void lower() {
    needed_.assign(shapes.size(), 0);
    for (const int output : outputs) needed_[static_cast<std::size_t>(output)] = 1;
    for (std::size_t i = shapes.size(); i-- > 0;)
      for (const int j : steps_[i].of) needed_[static_cast<std::size_t>(j)] |= needed_[i];
    for (const bool apart : {false, true}) {
      lowering.push_back(std::make_unique<tensor_lowering>(leaves_.data(), static_cast<int>(leaves_.size()), apart));
      if (apart) lowering.back()->graph.stay_plain();
      std::vector<tensor_value>& all = values[apart];
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        operands given;
        for (const int j : steps_[i].of) given.push_back(all[static_cast<std::size_t>(j)]);
        // All variables are bound.
        all.push_back(needed_[i] || i < variables.size() ? steps_[i].write(*lowering.back(), given) : tensor_value());
        if (apart && needed_[i] && i >= variables.size())
          text << "; " << name(static_cast<int>(i)) << " = " << steps_[i].text;
      }
    }
    text << "; outputs";
    for (const int output : outputs) text << " " << name(output);
  }
  const shape& shape_of(int i) const { return shapes[static_cast<std::size_t>(i)]; }
  std::ptrdiff_t extent_of(int i, int axis) const { return shape_of(i)[static_cast<std::size_t>(axis)]; }
  int rank_of(int i) const { return static_cast<int>(shape_of(i).size()); }
  /// A value, rather a new one.
  int any() {
    const int i = random_.recent(static_cast<int>(shapes.size()));
    return i == index_ ? any() : i;
  }
  static std::string name(int i) { return "v" + std::to_string(i); }

  bool add_elementwise(const operation_info& op, const std::vector<int>& of) {
    return add(std::string(op.name), of, broadcast_all, [&op](tensor_lowering& lower, operands& x) {
      return lower.elementwise(op, x.data(), static_cast<int>(x.size()));
    });
  }
  template <class Kind>
  bool add_over_axes(int of, const std::vector<int>& axes, bool keep) {
    constexpr bool keeps = requires { Kind::keeps_axes; };
    const auto shape_by = [=](const std::vector<shape>& x, shape& to) {
      for (int i = 0; i < static_cast<int>(x[0].size()); ++i) {
        const bool reduced = axes.empty() || std::ranges::find(axes, i) != axes.end();
        if (!reduced || keeps || keep) to.push_back(!reduced || keeps ? x[0][static_cast<std::size_t>(i)] : 1);
      }
      return fit::yes;
    };
    std::string what = std::string(Kind::name) + "<";
    for (const int axis : axes) what += " " + std::to_string(axis);
    const bool added =
        add(what + (keep ? ", keep>" : ">"), {of}, shape_by, [axes, keep](tensor_lowering& lower, operands& x) {
          return lower.over_axes<Kind>(x[0], axes.data(), static_cast<int>(axes.size()), keep);
        });
    if (added) steps_.back().needs_element = requires { Kind::needs_element; }, steps_.back().axes = axes;
    return added;
  }
  bool add_reduction(int of) {
    if (rank_of(of) == 0) return false;
    std::vector<int> axes;
    for (int i = 0; i < rank_of(of); ++i)
      if (random_.chance(50)) axes.push_back(i);
    const bool keep = random_.chance(30);
    using namespace operation;
    switch (random_.below(9)) {
      case 0: return add_over_axes<Mean>(of, axes, keep);
      case 1: return add_over_axes<AMax>(of, axes, keep);
      case 2: return add_over_axes<AMin>(of, axes, keep);
      case 3: return add_over_axes<Prod>(of, axes, keep);
      case 4: return add_over_axes<NormOver>(of, axes, keep);
      case 5: return add_over_axes<LogSumExpOver>(of, axes, keep);
      case 6: return add_over_axes<Softmax>(of, {random_.below(rank_of(of))}, false);
      case 7: return add_over_axes<LogSoftmax>(of, {random_.below(rank_of(of))}, false);
      default: return add_over_axes<Sum>(of, axes, keep);
    }
  }
  bool add_view(int of) {
    const int rank = rank_of(of);
    if (random_.chance(40) && rank < 4) {
      const int at = random_.below(rank + 1);
      return add(
          "expand_dims<" + std::to_string(at) + ">", {of},
          [at](const std::vector<shape>& x, shape& to) { return to = x[0], to.insert(to.begin() + at, 1), fit::yes; },
          [at](tensor_lowering& lower, operands& x) { return lower.expand_dims(x[0], at); });
    }
    if (rank < 2) return false;
    std::vector<int> order;
    for (int i = 0; i < rank; ++i) order.insert(order.begin() + random_.below(i + 1), i);
    std::string what = "transpose<";
    for (const int i : order) what += " " + std::to_string(i);
    const auto shape_by = [order](const std::vector<shape>& x, shape& to) {
      for (const int i : order) to.push_back(x[0][static_cast<std::size_t>(i)]);
      return fit::yes;
    };
    return add(what + ">", {of}, shape_by, [order, rank](tensor_lowering& lower, operands& x) {
      return lower.transpose(x[0], order.data(), rank);
    });
  }
  bool add_slice(int of, int along) {
    const int whole = static_cast<int>(extent_of(of, along));
    if (whole < 1) return false;
    const int begin = random_.below(whole), end = begin + 1 + random_.below(whole - begin);
    const bool open = random_.chance(40);
    const int last = random_.chance(30) && end < whole ? end - whole : end;
    const auto shape_by = [=](const std::vector<shape>& x, shape& to) {
      to = x[0];
      std::ptrdiff_t& length = to[static_cast<std::size_t>(along)];
      const std::ptrdiff_t until = open ? length : last < 0 ? length + last : last;
      const bool fits = begin <= until && until <= length;
      return length = until - begin, as_fit(fits);
    };
    const std::string what = "slice<" + std::to_string(along) + ">(" + std::to_string(begin);
    return add(what + (open ? ")" : ", " + std::to_string(last) + ")"), {of}, shape_by,
               [along, begin, last, open](tensor_lowering& lower, operands& x) {
                 const tensor_value first = lower.scalar(lower.graph.constant(begin));
                 const tensor_value until = lower.scalar(lower.graph.constant(last));
                 return lower.slice(x[0], along, first, open ? nullptr : &until);
               });
  }
  bool add_concatenation(int of, int along) {
    const int other = any();
    if (rank_of(other) != rank_of(of)) return false;
    const auto shape_by = [along](const std::vector<shape>& x, shape& to) {
      to = x[0];
      std::ptrdiff_t& length = to[static_cast<std::size_t>(along)];
      const std::ptrdiff_t whole = length + x[1][static_cast<std::size_t>(along)];
      length = x[1][static_cast<std::size_t>(along)];
      const bool fits = to == x[1];
      return length = whole, as_fit(fits);
    };
    return add("concatenate<" + std::to_string(along) + ">", {of, other}, shape_by,
               [along](tensor_lowering& lower, operands& x) { return lower.concatenate(x.data(), 2, along); });
  }
  bool add_take(int of, int along) {
    if (index_ < 0) return false;
    const std::ptrdiff_t indexed = variables[static_cast<std::size_t>(index_)].indexed;
    const auto shape_by = [along, indexed](const std::vector<shape>& x, shape& to) {
      to = x[0];
      std::ptrdiff_t& length = to[static_cast<std::size_t>(along)];
      // An index may be too large or not.
      const bool fits = length >= indexed;
      return length = x[1][0], fits ? fit::yes : fit::unknown;
    };
    return add("take<" + std::to_string(along) + ">", {of, index_}, shape_by,
               [along](tensor_lowering& lower, operands& x) { return lower.take(x[0], along, x[1]); });
  }
  bool add_reshape(int of) {
    const bool flat = random_.chance(50) || size_of(shape_of(of)) % 2;
    const auto shape_by = [flat](const std::vector<shape>& x, shape& to) {
      const std::ptrdiff_t size = size_of(x[0]);
      to = flat ? shape{size} : shape{2, size / 2};
      return as_fit(flat || size % 2 == 0);
    };
    return add(flat ? "reshape<-1>" : "reshape<2, -1>", {of}, shape_by, [flat](tensor_lowering& lower, operands& x) {
      const std::ptrdiff_t extents[] = {flat ? -1 : 2, -1};
      return lower.reshape(x[0], extents, flat ? 1 : 2);
    });
  }
  bool add_pick(int of) {
    if (extent_of(of, 0) < 1) return false;
    const int index = random_.chance(30) ? -1 : random_.below(static_cast<int>(extent_of(of, 0)));
    const auto shape_by = [index](const std::vector<shape>& x, shape& to) {
      return to.assign(x[0].begin() + 1, x[0].end()), as_fit(index < x[0][0]);
    };
    return add("pick(" + std::to_string(index) + ")", {of}, shape_by, [index](tensor_lowering& lower, operands& x) {
      return lower.pick(x[0], lower.scalar(lower.graph.constant(index)));
    });
  }
  bool add_move(int of) {
    if (rank_of(of) == 0) return false;
    const int along = random_.below(rank_of(of));
    switch (random_.below(5)) {
      case 0: return add_slice(of, along);
      case 1: return add_concatenation(of, along);
      case 2: return add_take(of, along);
      case 3: return add_reshape(of);
      default: return add_pick(of);
    }
  }
  bool add_outer(int a, int b) {
    const auto shape_by = [](const std::vector<shape>& x, shape& to) {
      return to = x[0], to.insert(to.end(), x[1].begin(), x[1].end()), fit::yes;
    };
    return add("outer", {a, b}, shape_by, [](tensor_lowering& lower, operands& x) { return lower.outer(x[0], x[1]); });
  }
  static fit shape_of_product(const std::vector<shape>& x, shape& to) {
    shape left = x[0], right = x[1];
    const std::ptrdiff_t inner = left.back();
    left.pop_back();
    const bool rows = !left.empty(), columns = right.size() > 1;
    const std::ptrdiff_t row = rows ? left.back() : 1, column = right.back();
    if (columns) right.pop_back();
    if (right.back() != inner) return fit::no;
    if (rows) left.pop_back();
    right.pop_back();
    if (!broadcast(left, right, to)) return fit::no;
    if (rows) to.push_back(row);
    if (columns) to.push_back(column);
    return fit::yes;
  }
  static bool is_square(const shape& x) { return x[x.size() - 1] == x[x.size() - 2]; }
  bool add_dot(int a, int b) {
    if (rank_of(a) == 0 || rank_of(b) == 0) return false;
    return add("dot", {a, b}, shape_of_product,
               [](tensor_lowering& lower, operands& x) { return lower.dot(x[0], x[1]); });
  }
  bool add_triangle(int a) {
    if (rank_of(a) < 2) return false;
    return add("lower_triangle", {a}, same_shape,
               [](tensor_lowering& lower, operands& x) { return lower.of_matrices<LowerTriangle>(x[0], x[0]); });
  }
  bool add_diagonal(int a) {
    if (rank_of(a) < 2) return false;
    const auto shape_by = [](const std::vector<shape>& x, shape& to) {
      return to.assign(x[0].begin(), x[0].end() - 1), as_fit(is_square(x[0]));
    };
    return add("diagonal", {a}, shape_by, [](tensor_lowering& lower, operands& x) { return lower.diagonal(x[0]); });
  }
  /// As an operation of matrices, which BLAS could compute.
  bool add_matrix_product(int a, int b) {
    if (rank_of(a) < 2 || rank_of(b) < 2) return false;
    // A square matrix times others, as solve: the result is laid out like these.
    const auto shape_by = [](const std::vector<shape>& x, shape& to) {
      return is_square(x[0]) ? shape_of_product(x, to) : fit::no;
    };
    return add("matrix_product", {a, b}, shape_by, [](tensor_lowering& lower, operands& x) {
      lower.require_square(x[0], "the product needs square matrices");
      lower.require_length(x[1].axes[static_cast<std::size_t>(x[1].rank - 2)],
                           x[0].axes[static_cast<std::size_t>(x[0].rank - 2)], "the product needs matrices that fit");
      lower.broadcast_leading(x[0], x[1]);
      return lower.of_matrices<MatrixProduct>(x[1], x[0], x[1]);
    });
  }
  bool add_einsum(int a, int b) {
    if (rank_of(a) == 0 || rank_of(b) == 0) return false;
    // Letters with the extents that they have; some of the second operand's are letters of the first.
    std::string first, second, result;
    shape lengths;
    for (int i = 0; i < rank_of(a); ++i) first += static_cast<char>('a' + i), lengths.push_back(extent_of(a, i));
    for (int i = 0; i < rank_of(b); ++i) {
      char letter = static_cast<char>('a' + lengths.size());
      for (std::size_t k = 0; k < first.size(); ++k)
        if (lengths[k] == extent_of(b, i) && random_.chance(50) && second.find(first[k]) == second.npos)
          letter = first[k];
      if (static_cast<std::size_t>(letter - 'a') == lengths.size()) lengths.push_back(extent_of(b, i));
      second += letter;
    }
    if (lengths.size() > 5 || size_of(lengths) > 1000) return false;
    for (std::size_t k = 0; k < lengths.size(); ++k)
      if (random_.chance(60))
        result.insert(result.begin() + random_.below(static_cast<int>(result.size()) + 1), static_cast<char>('a' + k));
    const auto shape_by = [=](const std::vector<shape>& x, shape& to) {
      shape known(lengths.size(), -1);
      for (const auto& [letters, of] : {std::pair{&first, &x[0]}, {&second, &x[1]}})
        for (std::size_t i = 0; i < letters->size(); ++i) {
          std::ptrdiff_t& length = known[static_cast<std::size_t>((*letters)[i] - 'a')];
          if (length >= 0 && length != (*of)[i]) return fit::no;
          length = (*of)[i];
        }
      for (const char letter : result) to.push_back(known[static_cast<std::size_t>(letter - 'a')]);
      return fit::yes;
    };
    const std::string subscript = first + "," + second + "->" + result;
    return add("einsum<" + subscript + ">", {a, b}, shape_by, [=](tensor_lowering& lower, operands& x) {
      return lower.einsum(x[0], x[1], einsum_letters(first, second, result));
    });
  }
  bool add_selection(int a, int b, int c) {
    return add("where_less", {a, b, a, c}, broadcast_all, [](tensor_lowering& lower, operands& x) {
      // Not a tie that the last bit decides, like x < (x / y) y.
      tensor_value shifted[] = {x[0], lower.scalar(lower.graph.constant({1, 64, 0.0}))};
      x[0] = lower.elementwise(info<operation::Add>, shifted, 2);
      const tensor_value condition = lower.elementwise(info<operation::Less>, x.data(), 2);
      tensor_value selected[] = {condition, x[2], x[3]};
      return lower.elementwise(info<operation::Where>, selected, 3);
    });
  }
  bool add_stop(int of) {
    has_stops = true;
    return add("stop", {of}, same_shape, [](tensor_lowering& lower, operands& x) { return lower.stop(x[0]); });
  }
  bool write_one() {
    using namespace operation;
    const int a = any(), b = any();
    switch (random_.below(15)) {
      case 0:
      case 1:
        return add_elementwise(random_.one_of<Sin, Tanh, Sigmoid, Exp, Softplus, Negate, Square, Relu, Abs, Cos, Erf>(),
                               {a});
      case 2:
      case 3:
      case 4: return add_elementwise(random_.one_of<Add, Subtract, Multiply, Multiply>(), {a, b});
      // A divisor that is not zero.
      case 5:
        return add_elementwise(info<Softplus>, {b}) &&
               add_elementwise(info<Divide>, {a, static_cast<int>(shapes.size()) - 1});
      case 6: return add_selection(a, b, any());
      case 7: return random_.chance(30) ? add_outer(a, b) : add_dot(a, b);
      case 8: return add_view(a);
      case 9: return add_move(a);
      case 11: return random_.chance(50) ? add_matrix_product(a, b) : add_einsum(a, b);
      case 12: return random_.chance(50) ? add_triangle(a) : add_diagonal(a);
      // Of a variable, whose elements differ by more than the last bit.
      case 13: {
        const int v = random_.below(static_cast<int>(variables.size()));
        return rank_of(v) > 0 && v != index_ && add_over_axes<ArgMax>(v, {random_.below(rank_of(v))}, false);
      }
      case 10: return random_.chance(15) ? add_stop(a) : add_reduction(a);
      default: return add_reduction(a);
    }
  }
  void write_outputs() {
    // One number, or some tensors.
    const int last = static_cast<int>(shapes.size()) - 1;
    if (random_.chance(50)) {
      if (rank_of(last) > 0) add_over_axes<operation::Sum>(last, {}, false);
      outputs = {static_cast<int>(shapes.size()) - 1};
    } else {
      outputs = {last};
      if (random_.chance(40)) outputs.push_back(any());
    }
  }
};

/// What a call gives.
struct tensor_result {
  shape extents;
  std::vector<number> elements;
};

/// A program with its derivatives, finished.
class compiled_program {
  finished_program lowered_;
  std::vector<variable_use> uses_;
  std::vector<tensor_access> accesses_;
  finished_program finished_;
  std::vector<tapeless::loops::node_code<number>> codes_;
  std::vector<tapeless::detail::chosen_move> chosen_;
  std::vector<int> variables_;
  std::size_t values_, axes_ = 1;
  int derivatives_;
  tapeless::detail::program_of_extents extents_;

  static builder lower(const written_program& from, std::size_t way) {
    std::vector<tensor_value> values;
    for (const int output : from.outputs) values.push_back(from.values[way][static_cast<std::size_t>(output)]);
    return from.lowering[way]->finish(values.data(), static_cast<int>(values.size()));
  }
  builder derive(bool cotangents, bool tangents) {
    for (const variable_use& use : variable_uses(view_of(lowered_), lowered_.outputs, variables_)) uses_.push_back(use);
    builder gradient = with_derivatives(lowered_, lowered_.outputs, variables_, cotangents);
    return tangents ? with_tangents(finished_program(gradient), values_, variables_) : std::move(gradient);
  }
  static finished_program finish_all(const finished_program& program) {
    return finished_program(finish(program, program.outputs));
  }

 public:
  plan_cost cost;

  /// With the tangents of the derivatives, if wanted.
  compiled_program(const written_program& from, std::size_t way, bool cotangents, bool tangents,
                   const std::vector<int>& variables)
      : lowered_(lower(from, way)),
        finished_(lowered_),
        variables_(variables),
        values_(from.outputs.size()),
        derivatives_(tangents ? 2 : 1) {
    lowered_.refuse(verify_lowered(lowered_));
    finished_ = finish_all(finished_program(derive(cotangents, tangents)));
    for (std::size_t o = 0; o < values_; ++o) accesses_.push_back(output_access(lowered_, o));
    for (int d = 0; d < derivatives_; ++d)
      for (const variable_use& use : uses_)
        accesses_.push_back(lowered_.accesses[static_cast<std::size_t>(use.access)]);
    if (way == 0 && std::getenv("TAPELESS_SHOW")) show();
    if (way == 0) cost = check_plan(finished_, accesses_);
    codes_ = codes<number>::table().of(finished_);
    for (const node& n : finished_.nodes)
      if (n.kind == node_kind::apply && n.operation->moves &&
          finished_.moves[static_cast<std::size_t>(n.access)].has_indices()) {
        const node& indices =
            finished_.nodes[static_cast<std::size_t>(finished_.edges[static_cast<std::size_t>(n.first) + 1])];
        if (indices.kind == node_kind::variable) chosen_.push_back({n.access, indices.leaf});
      }
    const auto all = []<class T>(const std::vector<T>& v) {
      return tapeless::detail::elements_of_array<T>{v.data(), v.size()};
    };
    extents_ = {all(finished_.accesses),
                all(finished_.axis_rules),
                all(finished_.moves),
                all(chosen_),
                all(lowered_.accesses),
                all(lowered_.axis_sources),
                all(lowered_.extent_uses),
                {},
                {}};
    for (const auto* program : {&lowered_, &finished_}) {
      const auto take = [&](const tensor_access& a) {
        for (int i = 0; i < a.rank; ++i)
          axes_ = std::max(axes_, static_cast<std::size_t>(a.axes[static_cast<std::size_t>(i)] + 1));
      };
      for (const tensor_access& a : program->accesses) take(a);
      for (const tensor_move& m : program->moves) take(m.from), take(m.to);
      for (const axis_rule& r : program->axis_rules) axes_ = std::max(axes_, static_cast<std::size_t>(r.axis + 1));
      axes_ = std::max(axes_, program->axis_sources.size());
    }
  }

  void show() const {
    std::cerr << text_of(lowered_) << "uses\n";
    for (const extent_use& u : lowered_.extent_uses)
      std::cerr << "  axis " << u.axis << " own" << text_of_axes(u.own) << " compared " << u.compared << " strict "
                << u.strict << "\n";
    for (std::size_t i = 0; i < lowered_.axis_sources.size(); ++i)
      std::cerr << "  source " << i << ": " << lowered_.axis_sources[i].variable << "["
                << lowered_.axis_sources[i].position << "] rule " << lowered_.axis_sources[i].rule << "\n";
    const auto show_axes = [](const tensor_access& a) {
      for (int i = 0; i < a.rank; ++i) std::cerr << " " << a.axes[static_cast<std::size_t>(i)];
    };
    for (const tensor_access& a : lowered_.accesses) {
      std::cerr << "  access " << static_cast<int>(a.kind) << " of " << a.of << ":";
      show_axes(a);
      std::cerr << "\n";
    }
    for (const tensor_move& m : lowered_.moves) {
      std::cerr << "  move " << static_cast<int>(m.kind) << " from";
      show_axes(m.from);
      std::cerr << " to";
      show_axes(m.to);
      std::cerr << "\n";
    }
    for (const axis_rule& r : lowered_.axis_rules)
      std::cerr << "  rule axis " << r.axis << " how " << static_cast<int>(r.how) << " of " << r.of << "\n";
  }
  bool compares() const { return lowered_.compares_extents; }
  /// The extents of the axes with these tensors; none where they do not fit.
  std::vector<std::ptrdiff_t> measure(const std::vector<bound_tensor>& tensors,
                                      const tapeless::loops::indices_at_call* indices, bool apart,
                                      bool look_at_indices = true) const {
    std::vector<std::ptrdiff_t> extent(axes_, 1);
    tapeless::detail::program_of_extents program = extents_;
    if (!look_at_indices) program.chosen = {};
    const extents_at_call call{program, tensors.data(), indices, nullptr, extent.data()};
    // As tensor_inputs::measure does, which knows its program's types.
    const auto for_each_axis = [&](const auto& visit) {
      for (const tensor_access& access : finished_.accesses)
        for (std::size_t i = 0; access.is_variable() && i < static_cast<std::size_t>(access.rank); ++i)
          if (access.axes[i] >= 0)
            visit(tensors[static_cast<std::size_t>(access.of)].extents[i],
                  extent[static_cast<std::size_t>(access.axes[i])]);
    };
    const auto fits_loops = [&] {
      bool fits = true, exact = true;
      for_each_axis([&](std::ptrdiff_t own, std::ptrdiff_t& whole) {
        if (whole == 1) whole = own;
        fits = fits && (own == 1 || own == whole);
      });
      if (!fits || !call.measure_rules()) return false;
      for_each_axis([&](std::ptrdiff_t own, std::ptrdiff_t whole) { exact = exact && own == whole; });
      return (exact || call.compare()) && call.check_moves();
    };
    try {
      if (!(apart ? call.measure_explicit() : fits_loops())) return {};
      call.check_elements();
    } catch (const std::logic_error&) {
      return {};
    }
    return extent;
  }
  shape shape_of_output(std::size_t o, const std::vector<std::ptrdiff_t>& extent) const {
    shape result;
    for (int i = 0; i < accesses_[o].rank; ++i) {
      const int id = accesses_[o].axes[static_cast<std::size_t>(i)];
      result.push_back(id < 0 ? 1 : extent[static_cast<std::size_t>(id)]);
    }
    return result;
  }
  /// The values, then the derivative by each variable in its shape, then their tangents.
  std::vector<tensor_result> run(const std::vector<bound_tensor>& tensors,
                                 const tapeless::loops::indices_at_call* indices,
                                 const std::vector<std::ptrdiff_t>& extent, number* largest = nullptr) const {
    tapeless::loops::node_memory<number> memory;
    tapeless::loops::node_by_node<number> all{view_of(finished_), codes_.data(), memory};
    all.axes = axes_, all.extent = extent.data(), all.indices = indices;
    all.run([&](int i) { all.read(i, tensors[static_cast<std::size_t>(all.at(i).leaf)]); });
    // The largest number of all is a constant of derivatives, which stands for none.
    for (const std::vector<number>& each : memory.values)
      for (const number x : each)
        if (largest && std::abs(x) != std::numeric_limits<number>::max()) *largest = std::max(*largest, std::abs(x));
    std::vector<tensor_result> results;
    for (std::size_t o = 0; o < values_; ++o) results.push_back({shape_of_output(o, extent), {}});
    for (int d = 0; d < derivatives_; ++d)
      for (const int v : variables_) {
        const bound_tensor& of = tensors[static_cast<std::size_t>(v)];
        results.push_back({shape(of.extents.begin(), of.extents.begin() + of.rank), {}});
      }
    for (tensor_result& result : results) result.elements.assign(static_cast<std::size_t>(size_of(result.extents)), 0);
    for (std::size_t o = 0; o < accesses_.size(); ++o) {
      std::size_t to = o;
      if (o >= values_) {
        const std::size_t use = o - values_;
        const auto variable = std::ranges::find(variables_, uses_[use % uses_.size()].variable);
        to = values_ + use / uses_.size() * variables_.size() + static_cast<std::size_t>(variable - variables_.begin());
      }
      const tapeless::loops::strided<number> piece = all.place(finished_.outputs[o], accesses_[o]);
      piece.for_each([&](const auto& at) {
        std::ptrdiff_t offset = 0;
        for (std::size_t k = 0; k < results[to].extents.size(); ++k)
          offset = offset * results[to].extents[k] + (results[to].extents[k] == 1 ? 0 : at[k]);
        results[to].elements[static_cast<std::size_t>(offset)] += piece.data[piece.offset(at)];
      });
    }
    return results;
  }
};

/// What is bound at a call.
class call_arguments {
  std::vector<std::vector<number>> data_;
  std::vector<std::vector<std::ptrdiff_t>> chosen_;

 public:
  std::vector<bound_tensor> tensors;
  std::vector<tapeless::loops::indices_at_call> indices;

  /// Of the elements, `zeros` in a hundred are 0, and `infinite` are infinite or NaN.
  void bind(const shape& extents, random_numbers& random, int zeros = 0, int infinite = 0) {
    constexpr number infinity = std::numeric_limits<number>::infinity();
    data_.emplace_back(static_cast<std::size_t>(size_of(extents)) + 1);
    for (number& x : data_.back()) x = zeros > 0 && random.chance(zeros) ? 0 : random.real();
    for (number& x : data_.back())
      if (infinite > 0 && random.chance(infinite))
        x = random.chance(30) ? std::numeric_limits<number>::quiet_NaN() : random.chance(50) ? infinity : -infinity;
    bound_tensor next{data_.back().data(), static_cast<int>(extents.size()), {}, {}, "", false};
    std::ptrdiff_t stride = 1;
    for (std::size_t i = extents.size(); i-- > 0;)
      next.extents[i] = extents[i], next.strides[i] = stride, stride *= extents[i];
    tensors.push_back(next);
    indices.emplace_back();
  }
  void bind_indices(std::ptrdiff_t count, std::ptrdiff_t below, random_numbers& random) {
    bind({count}, random);
    chosen_.emplace_back();
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      chosen_.back().push_back(random.below(static_cast<int>(below)));
      data_.back()[static_cast<std::size_t>(i)] = static_cast<number>(chosen_.back().back());
    }
    indices.back() = {chosen_.back().data(), count == 1 ? 0 : 1};
  }
  std::vector<number>& elements(std::size_t v) { return data_[v]; }
};

struct totals {
  long programs = 0, calls = 0, refused = 0, loops = 0, wrongly_refused = 0, compared = 0, differences = 0;
  plan_cost cost;
};

/// Moves all variables along a direction: the difference of the weighted values is the product of gradient and
/// direction; that of the weighted gradient is the product of weights and tangents.
void compare_with_differences(const written_program& program, const compiled_program& plain, call_arguments& at,
                              const std::vector<std::ptrdiff_t>& extent, const std::vector<tensor_result>& results,
                              const std::vector<int>& variables, bool cotangents, bool tangents, random_numbers& random,
                              totals& sum) {
  const std::size_t values = program.outputs.size(), count = variables.size(), inputs = program.variables.size();
  std::vector<std::vector<number>> direction, base, weights;
  number product = 0, scale = 1;
  for (std::size_t k = 0; k < count; ++k) {
    base.push_back(at.elements(static_cast<std::size_t>(variables[k])));
    const std::vector<number>& derivative = results[values + k + (tangents ? count : 0)].elements;
    std::vector<number> drawn;
    for (const number x : derivative) {
      drawn.push_back(random.real());
      product += drawn.back() * x, scale += std::abs(drawn.back() * x);
    }
    direction.push_back(tangents ? at.elements(inputs + k) : drawn);
    if (tangents) weights.push_back(drawn);
  }
  for (std::size_t o = 0; o < values && !tangents; ++o)
    weights.push_back(cotangents ? at.elements(inputs + o) : std::vector<number>(results[o].elements.size(), 1));
  number largest = 0;
  const auto weighted = [&](number step) {
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < results[values + k].elements.size(); ++i)
        at.elements(static_cast<std::size_t>(variables[k]))[i] = base[k][i] + step * direction[k][i];
    const std::vector<tensor_result> moved = plain.run(at.tensors, at.indices.data(), extent, &largest);
    number result = 0;
    for (std::size_t o = 0; o < weights.size(); ++o) {
      const std::vector<number>& weighed = moved[o + (tangents ? values : 0)].elements;
      for (std::size_t i = 0; i < weighed.size(); ++i) result += weighed[i] * weights[o][i];
    }
    return result;
  };
  const auto difference = [&](number h) {
    return (8 * (weighted(h) - weighted(-h)) - (weighted(2 * h) - weighted(-2 * h))) / (12 * h);
  };
  const number coarse = difference(1e-4L), fine = difference(1e-5L);
  weighted(0);
  if (!(std::abs(coarse - fine) < 1e-8L * (1 + std::abs(fine))) || scale > 1e5L || largest > 1e8L) return;
  ++sum.differences;
  if (!(std::abs(fine - product) <= 1e-6L * (scale + std::abs(fine))))
    throw std::logic_error("a derivative is " + std::to_string(product) + ", differences give " + std::to_string(fine));
}

/// Compares the first `count` results; which are infinite and which NaN may differ, where a factor leaves a sum.
void compare_results(const std::vector<tensor_result>& plain, const std::vector<tensor_result>& fast,
                     std::size_t count) {
  for (std::size_t o = 0; o < count; ++o) {
    if (plain[o].extents != fast[o].extents)
      throw std::logic_error("result " + std::to_string(o) + " has another shape");
    number largest = 1;
    for (const number x : plain[o].elements) largest = std::max(largest, std::isfinite(x) ? std::abs(x) : 1);
    for (std::size_t i = 0; i < plain[o].elements.size(); ++i) {
      const number p = plain[o].elements[i], f = fast[o].elements[i];
      if (std::abs(p - f) <= 1e-9L * largest || p == f || (!std::isfinite(p) && !std::isfinite(f))) continue;
      throw std::logic_error("result " + std::to_string(o) + " at " + std::to_string(i) + " is " + std::to_string(f) +
                             ", plainly " + std::to_string(p));
    }
  }
}

/// Writes, derives and compares program number `seed`; throws what is wrong.
void try_program(std::uint64_t seed, totals& sum, std::string& text) {
  random_numbers random(seed);
  const written_program program(random);
  text = program.text.str();
  if (!program.fits()) return;
  const bool cotangents = program.outputs.size() > 1 ||
                          !program.shapes[static_cast<std::size_t>(program.outputs[0])].empty() || random.chance(20);
  std::vector<int> variables;
  for (std::size_t v = 0; v < program.variables.size(); ++v)
    if (!program.variables[v].is_index && (random.chance(80) || variables.empty()))
      variables.push_back(static_cast<int>(v));
  const bool tangents = !cotangents && random.chance(50), has_zeros = random.chance(30) && !program.has_corners();
  const compiled_program fast(program, 0, cotangents, tangents, variables),
      plain(program, 1, cotangents, tangents, variables);
  ++sum.programs;
  sum.compared += fast.compares();
  sum.cost.nodes += fast.cost.nodes, sum.cost.kernels += fast.cost.kernels;
  sum.cost.buffers += fast.cost.buffers, sum.cost.stored += fast.cost.stored;
  const int calls = 5;
  for (int call = 0; call < calls; ++call) {
    // The extents of the program, then others where they are known at the call alone.
    const std::ptrdiff_t from = 2 + random.below(3), to = random.below(6);
    const bool is_infinite = call == calls - 1 && random.chance(60);
    call_arguments at;
    std::vector<shape> given;
    for (const written_program::variable& v : program.variables) {
      shape extents = v.extents;
      for (std::size_t i = 0; i < extents.size(); ++i)
        if (call > 0 && v.declared[i] < 0)
          extents[i] = call < 3 ? (random.chance(30) ? 1 : extents[i]) : extents[i] == from ? to : extents[i];
      given.push_back(extents);
      if (v.is_index)
        at.bind_indices(extents[0], v.indexed, random);
      else
        at.bind(extents, random, has_zeros ? 15 : 0, is_infinite ? 8 : 0);
    }
    for (const int v : variables)
      if (tangents) at.bind(given[static_cast<std::size_t>(v)], random);
    ++sum.calls;
    const fit fits = program.fits_at(given);
    const std::vector<std::ptrdiff_t> apart = plain.measure(at.tensors, at.indices.data(), true);
    // Without cotangents, whose extents are those of outputs.
    if (fits == fit::no &&
        !(apart.empty() && (cotangents || fast.measure(at.tensors, at.indices.data(), false).empty())))
      throw std::logic_error("does not fit, and is not refused: " + text_of(given));
    if (apart.empty()) {
      ++sum.refused;
      if (fits == fit::yes) throw std::logic_error("refused: " + text_of(given));
      // Indices that no result needs are not looked at.
      if (!cotangents && plain.measure(at.tensors, at.indices.data(), true, false).empty() &&
          !fast.measure(at.tensors, at.indices.data(), false).empty())
        throw std::logic_error("refused with explicit axes, but not with unified axes");
      continue;
    }
    for (std::size_t o = 0; cotangents && o < program.outputs.size(); ++o)
      at.bind(plain.shape_of_output(o, apart), random);
    number scale = 0;
    std::vector<tensor_result> expected;
    try {
      expected = plain.run(at.tensors, at.indices.data(), apart, &scale);
    } catch (const std::out_of_range&) {
      // Where axes are explicit, indices may be moved first, and are looked at when they are used.
      ++sum.refused;
      continue;
    }
    if (const auto united = fast.measure(at.tensors, at.indices.data(), false); !united.empty()) {
      ++sum.loops;
      const std::vector<tensor_result> results = fast.run(at.tensors, at.indices.data(), united);
      // Sines of large numbers differ.
      if (is_infinite)
        compare_results(expected, results, program.outputs.size());
      else if (scale < 1e8L)
        compare_results(expected, results, expected.size());
    } else if (fits == fit::yes && !fast.compares()) {
      ++sum.wrongly_refused;
    }
    if (call == 0 && !program.has_stops)
      compare_with_differences(program, plain, at, apart, expected, variables, cotangents, tangents, random, sum);
  }
}

BOOST_AUTO_TEST_CASE(random_programs) {
  totals sum;
  const tried_programs tried =
      try_programs([&](std::uint64_t seed, std::string& text) { try_program(seed, sum, text); });
  BOOST_TEST_MESSAGE(sum.programs << " programs, " << sum.calls << " calls, " << sum.refused << " refused, "
                                  << sum.wrongly_refused << " wrongly, " << sum.loops << " by loops, "
                                  << sum.differences << " differences; " << sum.compared << " compare extents, "
                                  << sum.cost.nodes << " nodes, " << sum.cost.kernels << " kernels, "
                                  << sum.cost.buffers << " buffers, " << sum.cost.stored << " of them stored");
  // That much is compared.
  BOOST_TEST(sum.programs >= 0.99 * static_cast<double>(tried.count));
  BOOST_TEST(sum.loops >= 4 * sum.programs);
  BOOST_TEST(5 * sum.differences >= 4 * sum.programs);
  // An extent of 1 at the call, where axes that were given up still count.
  BOOST_TEST(sum.wrongly_refused <= 1 + sum.programs / 2000);
  if (!tried.are_usual) return;
  // What programs and plans cost, so that a rule that stops to apply is noticed.
  BOOST_TEST(sum.compared <= 512);
  BOOST_TEST(sum.cost.nodes <= 162137);
  BOOST_TEST(sum.cost.kernels <= 29662);
  BOOST_TEST(sum.cost.buffers <= 37502);
  BOOST_TEST(sum.cost.stored <= 27524);
}

}  // namespace
