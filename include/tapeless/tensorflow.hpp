#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// The spellings on TensorFlow's pages on stopping gradients, so that such lines of a ported program can stay
/// unchanged:
///
///     namespace tensorflow = tapeless::tensorflow;                    // C++: tensorflow::ops::StopGradient(scope, x)
///     using tapeless::tensorflow::tf;                                 // Python: tf.stop_gradient(x, "name")
///     using namespace tapeless::tensorflow::keywords;                 // tf.raw_ops.StopGradient(input=x, name="name")
///
/// The name of an operation is available where TensorFlow provides it, in `node()->name()`; printed formulas show the
/// name given to `tapeless::stop_gradient<"name">(x)`. doc/tensorflow.md has the other spellings.

#include <tapeless/tapeless.hpp>

#include <string_view>

namespace tapeless::tensorflow {

namespace ops {
template <class R>
class StopGradient;
}

/// The result of an operation: `Output y = StopGradient(scope, x);`. For a formula it is a name for that formula, so it
/// cannot hold run-time numbers (as with `tapeless::named`; use `auto`); in a traced function it is a node; for a
/// number it is that number.
template <class R>
struct Output {
  R value;

  constexpr Output(const R& of) : value(of) {}
  constexpr operator const R&() const { return value; }
};
template <Expression R>
struct Output<R> : named<Output<R>, R> {
  constexpr Output() = default;
  constexpr Output(const R&) {}
};
template <>
struct Output<traced> : traced {
  using traced::traced;
  constexpr Output(const traced& of) : traced(of) {}
};
template <class R>
Output(const ops::StopGradient<R>&) -> Output<R>;

/// The input of an operation: an `Output` with another name.
template <class R>
struct Input : Output<R> {
  using Output<R>::Output;
  constexpr Input(const Output<R>& of) : Output<R>(of) {}
};
template <class R>
Input(const R&) -> Input<R>;
template <class R>
Input(const ops::StopGradient<R>&) -> Input<R>;
template <class R>
Input(const Output<R>&) -> Input<R>;

/// The part of a node in TensorFlow's graph that a stop needs.
class Node {
 public:
  constexpr explicit Node(std::string_view name) : name_(name) {}
  constexpr std::string_view name() const { return name_; }
  constexpr std::string_view type_string() const { return "StopGradient"; }

 private:
  std::string_view name_;
};

class Operation {
 public:
  constexpr explicit Operation(std::string_view name) : node_(name) {}
  constexpr const Node* node() const { return &node_; }

 private:
  Node node_;
};

/// The name for the next operation. The text is not copied.
class Scope {
 public:
  static constexpr Scope NewRootScope() { return Scope("StopGradient"); }
  constexpr Scope WithOpName(std::string_view name) const { return Scope(name); }
  constexpr bool ok() const { return true; }
  constexpr std::string_view name() const { return name_; }

 private:
  constexpr explicit Scope(std::string_view name) : name_(name) {}
  std::string_view name_;
};

namespace detail {

/// A class that holds a formula counts as a formula.
template <class R>
struct holder {};
template <Expression R>
struct holder<R> {
  using expression_type = R;
  using definition = R;
};

}  // namespace detail

namespace ops {

/// `tensorflow::ops::StopGradient(scope, input)`: `stop_gradient(input)`, which is also what it counts as among
/// operands.
template <class R>
class StopGradient : public detail::holder<R> {
 public:
  template <class T>
  constexpr StopGradient(const Scope& scope, const T& input)
      : operation(scope.name()), output(tapeless::stop_gradient(input)) {}

  constexpr const Node* node() const { return operation.node(); }
  constexpr operator const R&() const { return output; }
  constexpr operator Output<R>() const { return output; }
  constexpr operator Input<R>() const { return output; }

  Operation operation;
  [[no_unique_address]] R output;
};
template <class T>
StopGradient(const Scope&, const T&) -> StopGradient<decltype(tapeless::stop_gradient(std::declval<const T&>()))>;

}  // namespace ops

using tapeless::stop_gradient;

/// `tf.stop_gradient(input, name)`.
template <class T>
constexpr auto stop_gradient(const T& input, std::string_view) {
  return stop_gradient(input);
}

namespace raw_ops {

template <class T>
constexpr auto StopGradient(const T& input, std::string_view = {}) {
  return stop_gradient(input);
}

}  // namespace raw_ops

namespace compat::v1 {
using tensorflow::stop_gradient;
}
namespace compat::v2 {
using tensorflow::stop_gradient;
}

/// Arguments by name: `input=x` is x.
namespace keywords {

struct keyword {
  template <class T>
  constexpr const T& operator=(const T& value) const {
    return value;
  }
};
inline constexpr keyword input{};
inline constexpr keyword name{};

}  // namespace keywords

namespace detail {

struct stopping_module {
  template <class T>
  constexpr auto stop_gradient(const T& input, std::string_view = {}) const {
    return tensorflow::stop_gradient(input);
  }
};
struct raw_ops_module {
  template <class T>
  constexpr auto StopGradient(const T& input, std::string_view = {}) const {
    return tensorflow::stop_gradient(input);
  }
};
struct compat_module {
  stopping_module v1, v2;
};

/// Python's module, with what the page's example of a softmax calls besides.
struct module : stopping_module {
  raw_ops_module raw_ops;
  compat_module compat;

  template <Operand E>
  constexpr auto exp(const E& e) const {
    if constexpr (Numeric<E>)
      return math::exp(e);
    else
      return tapeless::exp(e);
  }
  /// Over all elements of a tensor; needs tapeless/xtensor.hpp.
  template <Expression E>
  constexpr auto reduce_max(const E& e) const {
    return amax(e);
  }
  template <Expression E>
  constexpr auto reduce_sum(const E& e) const {
    return sum(e);
  }
};

}  // namespace detail

inline constexpr detail::module tf{};

}  // namespace tapeless::tensorflow

namespace tapeless {

// Among operands what holds a result is that result.
template <class R>
struct as_expression<tensorflow::ops::StopGradient<R>> {
  using type = R;
};
template <>
inline constexpr bool is_traced<tensorflow::Output<traced>> = true;
template <>
inline constexpr bool is_traced<tensorflow::Input<traced>> = true;
template <>
inline constexpr bool is_traced<tensorflow::ops::StopGradient<traced>> = true;

}  // namespace tapeless
