#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Problems for Ipopt that are sums over elements: as many unknowns and constraints as the call has, and sparse
/// derivatives.
#include <tapeless/assemble.hpp>
#include <tapeless/core/bound_function.hpp>
#include <tapeless/interop/ipopt_points.hpp>
#include <tapeless/interop/parameter_blocks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

namespace detail {

/// A function of an element's entries and data, with what `assemble` takes after the entries.
template <class F, class... Given>
struct element_terms {
  bound_function<F, Given...> given;
};

/// The numbers that g returns for an element, weighted by its last argument.
template <class G>
struct weighted_constraints {
  template <class... Arguments>
  constexpr auto operator()(const Arguments&... arguments) const {
    constexpr std::size_t last = sizeof...(Arguments) - 1;
    const auto all = std::tie(arguments...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return weighted_sum(G{}(std::get<I>(all)...), std::get<last>(all));
    }(std::make_index_sequence<last>{});
  }
};

template <class Entry>
inline constexpr bool is_block_of_doubles = std::is_same_v<Entry, double>;
template <std::size_t N>
inline constexpr bool is_block_of_doubles<std::array<double, N>> = N > 0;

template <class F>
using objective_verb = decltype(assemble(value_and_gradient(std::declval<const F&>())));
template <class F>
using constraint_verb = decltype(assemble(jacobian(std::declval<const F&>())));

template <class Verb, class... Arguments>
using result_of = decltype(std::declval<const Verb&>()(std::declval<const Arguments&>()...));
/// What an assembled verb of terms gave last.
template <class Verb, class Entry, class... Arguments>
struct last_result {
  result_of<Verb, std::vector<Entry>, Arguments...> result{};

  template <class Terms, class... More>
  void update(const Terms& terms, const std::vector<Entry>& x, const More&... more) {
    terms.given.hand_over([&](const auto&... given) { Verb{}(into(result), x, given..., more...); });
  }
};

/// The derivatives of terms over a vector of `Entry`s at one point.
template <class Entry, class Terms>
struct objective_elements;
template <class Entry, class F, class... Given>
struct objective_elements<Entry, element_terms<F, Given...>> {
  using second_verb = decltype(assemble(hessian(std::declval<const F&>())));

  element_terms<F, Given...> terms;
  last_result<objective_verb<F>, Entry, unwrapped<Given>...> first{};
  last_result<second_verb, Entry, unwrapped<Given>...> second{};

  void differentiate(const std::vector<Entry>& x) { first.update(terms, x); }
  void differentiate_twice(const std::vector<Entry>& x) { second.update(terms, x); }
};
/// The same of constraints: a row for each number of each element.
template <class Entry, class Terms>
struct constraint_elements;
template <class Entry, class F, class... Given>
struct constraint_elements<Entry, element_terms<F, Given...>> {
  using second_verb = decltype(assemble(hessian(weighted_constraints<F>{})));
  using weights = std::vector<std::array<double, assembled_call<constraint_verb<F>, std::vector<Entry>,
                                                                unwrapped<Given>...>::call::template group<0>::rows>>;

  element_terms<F, Given...> terms;
  weights multipliers{};
  last_result<constraint_verb<F>, Entry, unwrapped<Given>...> first{};
  last_result<second_verb, Entry, unwrapped<Given>..., weights> second{};

  std::size_t rows() const { return first.result.value.size(); }
  void differentiate(const std::vector<Entry>& x) {
    first.update(terms, x);
    multipliers.resize(rows() / std::tuple_size_v<typename weights::value_type>);
  }
  void differentiate_twice(const std::vector<Entry>& x) { second.update(terms, x, multipliers); }
};

/// Whether `assemble` takes the terms; if not, it has said why.
template <template <class> class Verb, class Entry, class Terms>
inline constexpr bool are_assembled = false;
template <template <class> class Verb, class Entry, class F, class... Given>
inline constexpr bool are_assembled<Verb, Entry, element_terms<F, Given...>> =
    !is_reported<result_of<Verb<F>, std::vector<Entry>, unwrapped<Given>...>>;

}  // namespace detail

/// The problem to minimise a sum over elements, where other elements give constraints. Made by `ipopt_problem`. The
/// unknowns are entries of a vector. The bounds of constraints and their multipliers have a number for each number of
/// each element, in the order of the elements.
template <class Entry, class Objective, class... Constraints>
class ipopt_elements final : public detail::ipopt_points<std::vector<Entry>, std::vector<double>> {
  using points = detail::ipopt_points<std::vector<Entry>, std::vector<double>>;

 public:
  ipopt_elements(const std::vector<Entry>& x, const Objective& objective, const Constraints&... constraints)
      : x_(x), objective_{objective}, constraints_{detail::constraint_elements<Entry, Constraints>{constraints}...} {
    this->resize(x.size());
    this->start = x;
    objective_.differentiate(x), objective_.differentiate_twice(x);
    each_constraint([&](auto& rows) {
      rows.differentiate(x), rows.differentiate_twice(x);
      count_ += rows.rows();
    });
    for (auto* all : {&this->constraint_lower, &this->constraint_upper, &this->multipliers}) all->resize(count_);
    this->set_infinite_bounds();
  }

  bool get_nlp_info(Ipopt::Index& n, Ipopt::Index& m, Ipopt::Index& jacobian_entries, Ipopt::Index& hessian_entries,
                    Ipopt::TNLP::IndexStyleEnum& style) override {
    this->check_sizes(x_.size(), count_);
    n = static_cast<Ipopt::Index>(points::numbers(x_).size()), m = static_cast<Ipopt::Index>(count_);
    style = Ipopt::TNLP::C_STYLE;
    jacobian_entries = hessian_entries = 0;
    each_jacobian_entry([&](auto...) { ++jacobian_entries; });
    each_hessian_entry(1, [&](auto...) { ++hessian_entries; });
    return true;
  }
  bool eval_f(Ipopt::Index, const Ipopt::Number* x, bool is_new, Ipopt::Number& to) override {
    to = objective_at(x, is_new).value;
    return true;
  }
  bool eval_grad_f(Ipopt::Index, const Ipopt::Number* x, bool is_new, Ipopt::Number* to) override {
    std::ranges::copy(points::numbers(objective_at(x, is_new).gradient), to);
    return true;
  }
  bool eval_g(Ipopt::Index, const Ipopt::Number* x, bool is_new, Ipopt::Index, Ipopt::Number* to) override {
    differentiate_constraints(x, is_new);
    each_constraint([&](const auto& rows) { to = std::ranges::copy(rows.first.result.value, to).out; });
    return true;
  }
  bool eval_jac_g(Ipopt::Index, const Ipopt::Number* x, bool is_new, Ipopt::Index, Ipopt::Index, Ipopt::Index* rows,
                  Ipopt::Index* columns, Ipopt::Number* to) override {
    if (!to) {
      each_jacobian_entry([&](auto i, auto j) { put(i, j, rows, columns); });
    } else {
      differentiate_constraints(x, is_new);
      each_constraint([&](const auto& each) { to = std::ranges::copy(each.first.result.jacobian.values, to).out; });
    }
    return true;
  }
  // Ipopt adds up entries with the same indices.
  bool eval_h(Ipopt::Index, const Ipopt::Number* x, bool is_new, Ipopt::Number factor, Ipopt::Index,
              const Ipopt::Number* lambda, bool, Ipopt::Index, Ipopt::Index* rows, Ipopt::Index* columns,
              Ipopt::Number* to) override {
    if (!to) {
      each_hessian_entry(1, [&](auto i, auto j, double) { put(i, j, rows, columns); });
      return true;
    }
    move_to(x, is_new);
    objective_.differentiate_twice(x_);
    each_constraint([&](auto& each) {
      const auto weights = points::numbers(each.multipliers);
      std::copy_n(lambda, weights.size(), weights.begin());
      lambda += weights.size();
      each.differentiate_twice(x_);
    });
    each_hessian_entry(factor, [&](auto, auto, double entry) { *to++ = entry; });
    return true;
  }

 private:
  std::vector<Entry> x_;
  detail::objective_elements<Entry, Objective> objective_;
  std::tuple<detail::constraint_elements<Entry, Constraints>...> constraints_;
  std::size_t count_ = 0;
  /// Whether the first derivatives are those at x_.
  bool objective_is_known_ = false, constraints_are_known_ = false;

  template <class Visit>
  void each_constraint(const Visit& visit) {
    std::apply([&](auto&... each) { (visit(each), ...); }, constraints_);
  }
  void move_to(const double* x, bool is_new) {
    if (!is_new) return;
    const auto to = points::numbers(x_);
    std::copy_n(x, to.size(), to.begin());
    objective_is_known_ = constraints_are_known_ = false;
  }
  const auto& objective_at(const double* x, bool is_new) {
    move_to(x, is_new);
    if (!std::exchange(objective_is_known_, true)) objective_.differentiate(x_);
    return objective_.first.result;
  }
  void differentiate_constraints(const double* x, bool is_new) {
    move_to(x, is_new);
    if (!std::exchange(constraints_are_known_, true)) each_constraint([&](auto& rows) { rows.differentiate(x_); });
  }
  static void put(std::size_t i, std::size_t j, Ipopt::Index*& rows, Ipopt::Index*& columns) {
    *rows++ = static_cast<Ipopt::Index>(i), *columns++ = static_cast<Ipopt::Index>(j);
  }
  template <class Matrix, class Visit>
  static void each_entry_of(const Matrix& matrix, bool triangle, const Visit& visit) {
    detail::each_stored_entry(matrix.row_begin, matrix.columns, triangle,
                              [&](auto k, auto i, auto j) { visit(i, j, matrix.values[k]); });
  }
  template <class Visit>
  void each_jacobian_entry(const Visit& visit) {
    std::size_t before = 0;
    each_constraint([&](const auto& rows) {
      each_entry_of(rows.first.result.jacobian, false, [&](auto i, auto j, double) { visit(before + i, j); });
      before += rows.rows();
    });
  }
  template <class Visit>
  void each_hessian_entry(double factor, const Visit& visit) {
    each_entry_of(objective_.second.result.hessian, true,
                  [&](auto i, auto j, double entry) { visit(i, j, factor * entry); });
    each_constraint([&](const auto& rows) { each_entry_of(rows.second.result.hessian, true, visit); });
  }
};

/// `elements_of(f, elements, data...)`: f(x[e[0]], x[e[1]], ..., data[i]...) for each row e of `elements`, as
/// `assemble` takes them. The elements and the data are copied, or with `std::ref(data)` read where they lie.
template <class F, class... Given>
constexpr auto elements_of(const F& f, const Given&... given) {
  return detail::element_terms<F, Given...>{bind_back(f, given...)};
}

/// `ipopt_problem(x, elements_of(f, elements, data...), elements_of(g, others, data...), ...)`: minimise the sum of f
/// over its elements, subject to bounds of what each g returns for each of its elements, a number or a `std::array`.
/// `x` is the start, a vector of doubles or of `std::array`s of doubles; the number of unknowns and constraints is
/// known at run time. The Jacobian of the constraints and the Hessian of the Lagrangian are exact and sparse; a call
/// costs time linear in the number of elements. Throws `std::invalid_argument` as `assemble` does.
template <class Entry, class Objective, class... Constraints>
  requires detail::is_instance_of<detail::element_terms, Objective>
auto ipopt_problem(const std::vector<Entry>& x, const Objective& objective, const Constraints&... constraints) {
  constexpr bool known =
      detail::is_block_of_doubles<Entry> && (detail::is_instance_of<detail::element_terms, Constraints> && ...);
  static_assert(known,
                "tapeless: ipopt_problem takes a vector of doubles, or of std::arrays of doubles, and elements_of(f, "
                "elements, data...) for the objective and for each kind of constraints [TL247]");
  if constexpr (known) {
    if constexpr (detail::are_assembled<detail::objective_verb, Entry, Objective> &&
                  (detail::are_assembled<detail::constraint_verb, Entry, Constraints> && ...)) {
      using problem = ipopt_elements<Entry, Objective, Constraints...>;
      return Ipopt::SmartPtr<problem>(new problem(x, objective, constraints...));
    } else {
      return detail::no_result{};
    }
  } else {
    return detail::no_result{};
  }
}

}  // namespace tapeless
