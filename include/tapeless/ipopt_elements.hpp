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
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

namespace detail {

/// A function of an element's entries and data, with what `assemble` takes after the entries.
template <class F, class... Given>
struct element_terms {
  using function = F;
  bound_function<F, Given...> given;

  /// What `assemble` takes, with more data.
  template <class... More>
  auto with(const More&... more) const {
    return given.hand_over([&](const auto&... each) { return sum_over(each..., more...); });
  }
};

/// The sum of the numbers that `F` returns for an element, weighted by its last argument.
template <class F>
struct weighted_terms {
  template <class... Arguments>
  constexpr auto operator()(const Arguments&... arguments) const {
    constexpr std::size_t last = sizeof...(Arguments) - 1;
    const auto all = std::tie(arguments...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return weighted_sum(F{}(std::get<I>(all)...), std::get<last>(all));
    }(std::make_index_sequence<last>{});
  }
};

template <class Entry>
inline constexpr bool is_block_of_doubles = std::is_same_v<Entry, double>;
template <std::size_t N>
inline constexpr bool is_block_of_doubles<std::array<double, N>> = N > 0;

template <class... Terms>
using objective_verb = decltype(assemble(value_and_gradient(std::declval<const typename Terms::function&>())...));
template <class... Terms>
using rows_verb = decltype(assemble(jacobian(std::declval<const typename Terms::function&>())...));
template <class... Terms>
using curvature_verb = decltype(assemble(hessian(weighted_terms<typename Terms::function>{})...));
template <class Terms, class... More>
using sum_of = decltype(std::declval<const Terms&>().with(std::declval<const More&>()...));
template <class Verb, class Entry, class... Sums>
using result_of =
    decltype(std::declval<const Verb&>()(std::declval<const std::vector<Entry>&>(), std::declval<const Sums&>()...));
/// A number for each number that the terms give for each element.
template <class Entry, class Terms>
using multipliers_of = std::span<const std::array<
    double, assembled_call<rows_verb<Terms>, std::vector<Entry>, sum_of<Terms>>::call::template group<0>::rows>>;

/// The numbers of all constraints and their Jacobian.
template <class Entry, class... Terms>
struct constraint_rows {
  result_of<rows_verb<Terms...>, Entry, sum_of<Terms>...> result{};

  void differentiate(const std::vector<Entry>& x, const Terms&... terms) {
    rows_verb<Terms...>{}(into(result), x, terms.with()...);
  }
};
template <class Entry>
struct constraint_rows<Entry> {
  assembled_jacobian<double, int> result{};

  void differentiate(const std::vector<Entry>&) {}
};

/// Whether `assemble` takes the terms; if not, it has said why.
template <class Entry, class Objective, class... Constraints>
constexpr bool are_assembled() {
  if constexpr (is_reported<result_of<objective_verb<Objective>, Entry, sum_of<Objective>>>)
    return false;
  else if constexpr (sizeof...(Constraints) > 0)
    return !is_reported<result_of<rows_verb<Constraints...>, Entry, sum_of<Constraints>...>>;
  else
    return true;
}

}  // namespace detail

/// The problem to minimise a sum over elements, where other elements give constraints. Made by `ipopt_problem`. The
/// unknowns are entries of a vector. The bounds of constraints and their multipliers have a number for each number of
/// each element, in the order of the elements.
template <class Entry, class Objective, class... Constraints>
class ipopt_elements final : public detail::ipopt_points<std::vector<Entry>, std::vector<double>> {
  using points = detail::ipopt_points<std::vector<Entry>, std::vector<double>>;
  using curvature = detail::curvature_verb<Objective, Constraints...>;

 public:
  ipopt_elements(const std::vector<Entry>& x, const Objective& objective, const Constraints&... constraints)
      : x_(x), objective_(objective), constraints_(constraints...) {
    this->resize(x.size());
    this->start = x;
    objective_at(nullptr, false);
    count_ = rows_at(nullptr, false).value.size();
    for (auto* all : {&this->constraint_lower, &this->constraint_upper, &this->multipliers}) all->resize(count_);
    this->set_infinite_bounds();
    differentiate_twice(1, this->multipliers.data());
  }

  bool get_nlp_info(Ipopt::Index& n, Ipopt::Index& m, Ipopt::Index& jacobian_entries, Ipopt::Index& hessian_entries,
                    Ipopt::TNLP::IndexStyleEnum& style) override {
    this->check_sizes(x_.size(), count_);
    n = static_cast<Ipopt::Index>(points::numbers(x_).size()), m = static_cast<Ipopt::Index>(count_);
    style = Ipopt::TNLP::C_STYLE;
    jacobian_entries = hessian_entries = 0;
    each_entry_of(rows_.result.jacobian, false, [&](auto...) { ++jacobian_entries; });
    each_entry_of(second_.hessian, true, [&](auto...) { ++hessian_entries; });
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
    std::ranges::copy(rows_at(x, is_new).value, to);
    return true;
  }
  bool eval_jac_g(Ipopt::Index, const Ipopt::Number* x, bool is_new, Ipopt::Index, Ipopt::Index, Ipopt::Index* rows,
                  Ipopt::Index* columns, Ipopt::Number* to) override {
    if (!to)
      each_entry_of(rows_.result.jacobian, false, [&](auto, auto i, auto j) { put(i, j, rows, columns); });
    else
      std::ranges::copy(rows_at(x, is_new).jacobian.values, to);
    return true;
  }
  bool eval_h(Ipopt::Index, const Ipopt::Number* x, bool is_new, Ipopt::Number factor, Ipopt::Index,
              const Ipopt::Number* lambda, bool, Ipopt::Index, Ipopt::Index* rows, Ipopt::Index* columns,
              Ipopt::Number* to) override {
    if (!to) {
      each_entry_of(second_.hessian, true, [&](auto, auto i, auto j) { put(i, j, rows, columns); });
      return true;
    }
    move_to(x, is_new);
    differentiate_twice(factor, lambda);
    each_entry_of(second_.hessian, true, [&](auto k, auto, auto) { *to++ = second_.hessian.values[k]; });
    return true;
  }

 private:
  std::vector<Entry> x_;
  Objective objective_;
  std::tuple<Constraints...> constraints_;
  detail::result_of<detail::objective_verb<Objective>, Entry, detail::sum_of<Objective>> first_{};
  detail::constraint_rows<Entry, Constraints...> rows_{};
  detail::result_of<curvature, Entry, detail::sum_of<Objective, std::array<double, 1>>,
                    detail::sum_of<Constraints, detail::multipliers_of<Entry, Constraints>>...>
      second_{};
  std::size_t count_ = 0;
  /// Whether the first derivatives are those at x_.
  bool objective_is_known_ = false, constraints_are_known_ = false;

  void move_to(const double* x, bool is_new) {
    if (!is_new) return;
    const auto to = points::numbers(x_);
    std::copy_n(x, to.size(), to.begin());
    objective_is_known_ = constraints_are_known_ = false;
  }
  const auto& objective_at(const double* x, bool is_new) {
    move_to(x, is_new);
    if (!std::exchange(objective_is_known_, true))
      detail::objective_verb<Objective>{}(into(first_), x_, objective_.with());
    return first_;
  }
  const auto& rows_at(const double* x, bool is_new) {
    move_to(x, is_new);
    if (!std::exchange(constraints_are_known_, true))
      std::apply([&](const auto&... each) { rows_.differentiate(x_, each...); }, constraints_);
    return rows_.result;
  }
  /// The Hessian of the objective times `factor` and of the constraints times `lambda`.
  void differentiate_twice(double factor, const double* lambda) {
    const auto take = [&]<class Terms>(const Terms& terms) {
      using weights = detail::multipliers_of<Entry, Terms>;
      const weights taken(reinterpret_cast<typename weights::pointer>(lambda),
                          static_cast<std::size_t>(std::get<0>(terms.with().given).size()));
      lambda += taken.size_bytes() / sizeof(double);
      return taken;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const std::array<double, 1> weight{factor};
      const std::tuple<detail::multipliers_of<Entry, Constraints>...> weights{take(std::get<I>(constraints_))...};
      curvature{}(into(second_), x_, objective_.with(weight), std::get<I>(constraints_).with(std::get<I>(weights))...);
    }(std::index_sequence_for<Constraints...>{});
  }
  static void put(std::size_t i, std::size_t j, Ipopt::Index*& rows, Ipopt::Index*& columns) {
    *rows++ = static_cast<Ipopt::Index>(i), *columns++ = static_cast<Ipopt::Index>(j);
  }
  template <class Matrix, class Visit>
  static void each_entry_of(const Matrix& matrix, bool triangle, const Visit& visit) {
    detail::each_stored_entry(matrix.row_begin, matrix.columns, triangle, visit);
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
/// costs time linear in the number of elements. All elements have indices of the same type. Throws
/// `std::invalid_argument` as `assemble` does.
template <class Entry, class Objective, class... Constraints>
  requires detail::is_instance_of<detail::element_terms, Objective>
auto ipopt_problem(const std::vector<Entry>& x, const Objective& objective, const Constraints&... constraints) {
  constexpr bool known =
      detail::is_block_of_doubles<Entry> && (detail::is_instance_of<detail::element_terms, Constraints> && ...);
  static_assert(known,
                "tapeless: ipopt_problem takes a vector of doubles, or of std::arrays of doubles, and elements_of(f, "
                "elements, data...) for the objective and for each kind of constraints [TL247]");
  if constexpr (known) {
    if constexpr (detail::are_assembled<Entry, Objective, Constraints...>()) {
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
