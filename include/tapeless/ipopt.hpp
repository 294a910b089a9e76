#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Problems for Ipopt with exact derivatives: the sparse Jacobian of the constraints and the sparse Hessian of the
/// Lagrangian. For functions of numbers their patterns are constants; sums over elements have a header of their own.
#include <tapeless/interop/ipopt_points.hpp>
#include <tapeless/interop/parameter_blocks.hpp>
#include <tapeless/ipopt_elements.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

namespace detail {

/// No constraints.
struct unconstrained {};

/// weights[0] f + weights[1] g[0] + ...
template <class F, class G>
struct lagrangian {
  template <class X, class W, class... Data>
  constexpr auto operator()(const X& x, const W& weights, const Data&... data) const {
    const auto objective = weights[0] * F{}(x, data...);
    if constexpr (std::is_same_v<G, unconstrained>)
      return objective;
    else
      return objective + weighted_sum(G{}(x, data...), weights, 1);
  }
};
/// The entries of a matrix without zeros, all or those of the lower triangle, row by row.
template <class Visit>
void each_entry(int rows, int columns, bool triangle, const Visit& visit) {
  for (int i = 0, k = 0; i < rows; ++i)
    for (int j = 0; j < (triangle ? i + 1 : columns); ++j) visit(k++, i, j);
}

template <int N, class G, class... Data>
using constraint_call = block_call<bound_function<G, std::reference_wrapper<const unwrapped<Data>>...>, N>;
template <int N, class G, class... Data>
inline constexpr std::size_t count_constraints = constraint_call<N, G, Data...>::rows;
template <int N, class... Data>
inline constexpr std::size_t count_constraints<N, unconstrained, Data...> = 0;

}  // namespace detail

/// The problem to minimise f(x, data...) subject to constraint_lower <= g(x, data...) <= constraint_upper and lower <=
/// x <= upper, for Ipopt's `OptimizeTNLP`. g returns a `std::array`. Made by `ipopt_problem`.
template <int N, class Bound, class G>
class ipopt_functions;
template <int N, class F, class... Data, class G>
class ipopt_functions<N, bound_function<F, Data...>, G> final
    : public detail::ipopt_points<
          std::conditional_t<N == -1, std::vector<double>, std::array<double, detail::block_extent(N)>>,
          std::array<double, detail::count_constraints<N, G, Data...>>> {
  using block = std::span<const double, detail::block_extent(N)>;
  using function = bound_function<F, Data...>;
  using objective = detail::block_call<function, N>;
  using constraints = detail::constraint_call<N, G, Data...>;
  static constexpr std::size_t count = detail::count_constraints<N, G, Data...>;
  static_assert(objective::rows == 1, "tapeless: the function that Ipopt minimises must return one number [TL226]");
  static_assert(count > 0 || std::is_same_v<G, detail::unconstrained>,
                "tapeless: the function of constraints must return a number or a std::array [TL227]");
  using weights_type = std::array<double, count + 1>;

  template <class... Functions>
  static constexpr bool of_numbers =
      N >= 0 && !(detail::is_over_tensors<Functions, block, detail::unwrapped<Data>...>() || ...);
  /// Patterns of zeros are known for functions of numbers.
  static constexpr bool sparse = [] {
    if constexpr (count > 0)
      return of_numbers<F, G>;
    else
      return of_numbers<F>;
  }();
  static auto constraint_jacobian(const block& x, const detail::unwrapped<Data>&... data) {
    return sparse_jacobian(G{}, wrt<0>)(x, data...);
  }
  static auto lagrangian_hessian(const block& x, const weights_type& weights, const detail::unwrapped<Data>&... data) {
    return sparse_hessian(detail::lagrangian<F, G>{}, wrt<0>)(x, weights, data...);
  }
  static auto lagrangian_column(const block& x, const block& direction, const weights_type& weights,
                                const detail::unwrapped<Data>&... data) {
    return hvp(detail::lagrangian<F, G>{}, wrt<0>, tangent(direction))(x, weights, data...);
  }

 public:
  ipopt_functions(int size, const function& f) : size_{size}, function_(f) {
    if constexpr (N < 0) this->resize(static_cast<std::size_t>(size));
    this->set_infinite_bounds();
    objective::count_rows(function_, size_);
  }

  bool get_nlp_info(Ipopt::Index& n, Ipopt::Index& m, Ipopt::Index& jacobian_entries, Ipopt::Index& hessian_entries,
                    Ipopt::TNLP::IndexStyleEnum& style) override {
    this->check_sizes(static_cast<std::size_t>(size_[0]), count);
    n = size_[0], m = static_cast<Ipopt::Index>(count), style = Ipopt::TNLP::C_STYLE;
    jacobian_entries = hessian_entries = 0;
    each_jacobian_entry([&](auto...) { ++jacobian_entries; });
    each_hessian_entry([&](auto...) { ++hessian_entries; });
    return true;
  }
  bool eval_f(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Number& to) override {
    objective::evaluate(function_, &x, size_, &to, 1, nullptr);
    return true;
  }
  bool eval_grad_f(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Number* to) override {
    double ignored;
    objective::evaluate(function_, &x, size_, &ignored, 1, &to);
    return true;
  }
  bool eval_g(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Index, Ipopt::Number* to) override {
    if constexpr (count > 0) constraints::evaluate(constraints_with_data(), &x, size_, to, count, nullptr);
    return true;
  }
  bool eval_jac_g(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Index, Ipopt::Index, Ipopt::Index* rows,
                  Ipopt::Index* columns, Ipopt::Number* to) override {
    if (!to) {
      each_jacobian_entry([&](auto k, auto i, auto j) { rows[k] = i, columns[k] = j; });
    } else if constexpr (count > 0 && sparse) {
      std::ranges::copy(with_data([&](const auto&... data) { return constraint_jacobian(at(x), data...); }).values, to);
    } else if constexpr (count > 0) {
      std::array<double, count> ignored;
      constraints::evaluate(constraints_with_data(), &x, size_, ignored.data(), count, &to);
    }
    return true;
  }
  bool eval_h(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Number sigma, Ipopt::Index,
              const Ipopt::Number* lambda, bool, Ipopt::Index, Ipopt::Index* rows, Ipopt::Index* columns,
              Ipopt::Number* to) override {
    weights_type weights{sigma};
    if (!to) {
      each_hessian_entry([&](auto k, auto i, auto j) { rows[k] = i, columns[k] = j; });
      return true;
    }
    std::copy_n(lambda, count, weights.begin() + 1);
    if constexpr (sparse) {
      std::ranges::copy(
          with_data([&](const auto&... data) { return lagrangian_hessian(at(x), weights, data...); }).values, to);
    } else {
      const auto n = static_cast<std::size_t>(size_[0]);
      std::vector<double> direction(n);
      for (std::size_t j = 0; j < n; ++j) {
        direction[j] = 1;
        const auto column = with_data(
            [&](const auto&... data) { return lagrangian_column(at(x), at(direction.data()), weights, data...); });
        direction[j] = 0;
        for (std::size_t i = j; i < n; ++i) to[i * (i + 1) / 2 + j] = static_cast<double>(column[i]);
      }
    }
    return true;
  }

 private:
  std::array<int, 1> size_;
  function function_;

  block at(const double* x) const { return block(x, static_cast<std::size_t>(size_[0])); }
  template <class Call>
  auto with_data(const Call& call) const {
    return function_.hand_over(call);
  }
  auto constraints_with_data() const {
    return with_data([](const auto&... data) { return bind_back(G{}, std::ref(data)...); });
  }
  template <class Matrix, class Visit>
  static void each_entry_of(const Visit& visit) {
    detail::each_stored_entry(Matrix::row_begin, Matrix::columns, false,
                              [&](auto... at) { visit(static_cast<int>(at)...); });
  }
  template <class Visit>
  void each_jacobian_entry(const Visit& visit) const {
    if constexpr (count > 0 && sparse)
      each_entry_of<decltype(constraint_jacobian(std::declval<block>(),
                                                 std::declval<const detail::unwrapped<Data>&>()...))>(visit);
    else
      detail::each_entry(static_cast<int>(count), size_[0], false, visit);
  }
  template <class Visit>
  void each_hessian_entry(const Visit& visit) const {
    if constexpr (sparse)
      each_entry_of<decltype(lagrangian_hessian(std::declval<block>(), weights_type{},
                                                std::declval<const detail::unwrapped<Data>&>()...))>(visit);
    else
      detail::each_entry(size_[0], size_[0], true, visit);
  }
};

namespace detail {

template <int N, class G, class F, class... Data>
auto make_ipopt_problem(int size, const F& f, const Data&... data) {
  using problem = ipopt_functions<N, with_data_t<F, Data...>, G>;
  return Ipopt::SmartPtr<problem>(new problem(size, with_data(f, data...)));
}
/// What can be a function of constraints.
template <class G>
concept Stateless_function = Function<G> && std::is_empty_v<G>;

}  // namespace detail

/// `ipopt_problem<4>(f, g, data...)`: the problem for functions of a `std::array` of 4 numbers and the data, as an
/// `Ipopt::SmartPtr` for `OptimizeTNLP`; without g there are no constraints. Set `p->start`, ... before, and read
/// `p->solution` after. The data are copied, or with `std::ref(data)` read where they lie. Throws
/// `std::invalid_argument` if their sizes do not fit: where there are such, f is called once with zeros.
///
/// The Jacobian of g and the Hessian are exact. If all data are numbers, they are sparse. Otherwise they have no zeros,
/// and the Hessian takes a product for each parameter: for many parameters set Ipopt's option `hessian_approximation`
/// to `limited-memory`.
template <int N, class F, detail::Stateless_function G, class... Data>
auto ipopt_problem(const F& f, const G&, const Data&... data) {
  return detail::make_ipopt_problem<N, G>(N, f, data...);
}
template <int N, class F, class... Data>
auto ipopt_problem(const F& f, const Data&... data) {
  return detail::make_ipopt_problem<N, detail::unconstrained>(N, f, data...);
}
/// `ipopt_problem(f, g, n, data...)`: the same for functions of a vector of n numbers.
template <class F, detail::Stateless_function G, class... Data>
auto ipopt_problem(const F& f, const G&, int n, const Data&... data) {
  return detail::make_ipopt_problem<-1, G>(n, f, data...);
}
template <class F, class... Data>
auto ipopt_problem(const F& f, int n, const Data&... data) {
  return detail::make_ipopt_problem<-1, detail::unconstrained>(n, f, data...);
}

}  // namespace tapeless
