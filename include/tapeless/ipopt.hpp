#ifndef TAPELESS_IPOPT_HPP
#define TAPELESS_IPOPT_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Problems for Ipopt with exact derivatives: the sparse Jacobian of the constraints and the sparse Hessian of the
/// Lagrangian. Their patterns are constants.
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/refused.hpp>
#include <tapeless/gradient/sparse.hpp>

// Ipopt 3.11 asks its configuration, which it does not install, for this header.
#ifndef HAVE_CSTDDEF
#define HAVE_CSTDDEF 1
#endif
#include <IpTNLP.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// No constraints.
struct unconstrained {
  constexpr auto operator()(const auto&...) const { return std::array<double, 0>{}; }
};

/// sigma f + lambda . g
template <class F, class G>
struct lagrangian {
  template <class X, class S, class L, class... Data>
  constexpr auto operator()(const X& x, const S& sigma, const L& lambda, const Data&... data) const {
    auto sum = sigma * F{}(x, data...);
    if constexpr (!std::is_same_v<G, unconstrained>) {
      const auto g = G{}(x, data...);
      for (std::size_t i = 0; i < g.size(); ++i) sum = sum + lambda[i] * g[i];
    }
    return sum;
  }
};

struct no_entries {
  static constexpr std::array<std::size_t, 1> row_begin{};
  static constexpr std::array<std::size_t, 0> columns{};
};
template <class G, class X, class... Data>
auto constraint_jacobian([[maybe_unused]] const X& x, [[maybe_unused]] const Data&... data) {
  if constexpr (std::is_same_v<G, unconstrained>)
    return no_entries{};
  else
    return sparse_jacobian(G{}, wrt<0>)(x, data...);
}
template <class F, class G, class X, class L, class... Data>
auto lagrangian_hessian(const X& x, double sigma, [[maybe_unused]] const L& weights, const Data&... data) {
  if constexpr (std::is_same_v<G, unconstrained>)
    return sparse_hessian(lagrangian<F, G>{}, wrt<0>)(x, sigma, 0.0, data...);
  else
    return sparse_hessian(lagrangian<F, G>{}, wrt<0>)(x, sigma, weights, data...);
}

}  // namespace detail

/// The problem to minimise f(x, data...) subject to constraint_lower <= g(x, data...) <= constraint_upper and lower <=
/// x <= upper, for Ipopt's `OptimizeTNLP`. g returns a `std::array`. Unless you set them, bounds are infinite and the
/// start is 0. Made by `ipopt_problem`.
template <int N, class F, class G, class... Data>
class ipopt_functions final : public Ipopt::TNLP {
  using point = std::array<double, static_cast<std::size_t>(N)>;
  using constraints = decltype(G{}(std::declval<const point&>(), std::declval<const Data&>()...));
  static constexpr std::size_t count = std::tuple_size_v<constraints>;
  using numbers = std::array<double, count>;
  static constexpr bool constrained = !std::is_same_v<G, detail::unconstrained>;
  using jacobian_type =
      decltype(detail::constraint_jacobian<G>(std::declval<const point&>(), std::declval<const Data&>()...));
  using hessian_type = decltype(detail::lagrangian_hessian<F, G>(
      std::declval<const point&>(), 0.0, std::declval<const numbers&>(), std::declval<const Data&>()...));
  static constexpr double infinity = std::numeric_limits<double>::infinity();

 public:
  point lower, upper, start{};
  numbers constraint_lower, constraint_upper;
  /// Ipopt's solution: the point, the value there, and the multipliers of the constraints.
  point solution{};
  double value = std::numeric_limits<double>::quiet_NaN();
  numbers multipliers{};

  explicit ipopt_functions(const Data&... data) : data_(data...) {
    lower.fill(-infinity), upper.fill(infinity);
    constraint_lower.fill(-infinity), constraint_upper.fill(infinity);
  }

  bool get_nlp_info(Ipopt::Index& n, Ipopt::Index& m, Ipopt::Index& jacobian_entries, Ipopt::Index& hessian_entries,
                    IndexStyleEnum& style) override {
    n = N, m = static_cast<Ipopt::Index>(count), style = C_STYLE;
    jacobian_entries = static_cast<Ipopt::Index>(jacobian_type::columns.size());
    hessian_entries = static_cast<Ipopt::Index>(hessian_type::columns.size());
    return true;
  }
  bool get_bounds_info(Ipopt::Index, Ipopt::Number* x_lower, Ipopt::Number* x_upper, Ipopt::Index,
                       Ipopt::Number* g_lower, Ipopt::Number* g_upper) override {
    // Ipopt takes 1e19 and more for infinite.
    std::ranges::copy(lower, x_lower), std::ranges::copy(upper, x_upper);
    std::ranges::copy(constraint_lower, g_lower), std::ranges::copy(constraint_upper, g_upper);
    return true;
  }
  bool get_starting_point(Ipopt::Index, bool, Ipopt::Number* x, bool of_bounds, Ipopt::Number*, Ipopt::Number*,
                          Ipopt::Index, bool of_constraints, Ipopt::Number*) override {
    std::ranges::copy(start, x);
    return !of_bounds && !of_constraints;
  }
  bool eval_f(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Number& to) override {
    to = call([](const auto&... arguments) { return F{}(arguments...); }, at(x));
    return true;
  }
  bool eval_grad_f(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Number* to) override {
    std::ranges::copy(call(gradient(F{}, wrt<0>), at(x)), to);
    return true;
  }
  bool eval_g(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Index, Ipopt::Number* to) override {
    std::ranges::copy(call([](const auto&... arguments) { return G{}(arguments...); }, at(x)), to);
    return true;
  }
  bool eval_jac_g(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Index, Ipopt::Index, Ipopt::Index* rows,
                  Ipopt::Index* columns, Ipopt::Number* to) override {
    if constexpr (constrained) {
      if (!to)
        write_pattern<jacobian_type>(rows, columns);
      else
        std::ranges::copy(
            call([](const auto&... arguments) { return detail::constraint_jacobian<G>(arguments...); }, at(x)).values,
            to);
    }
    return true;
  }
  bool eval_h(Ipopt::Index, const Ipopt::Number* x, bool, Ipopt::Number sigma, Ipopt::Index,
              const Ipopt::Number* lambda, bool, Ipopt::Index, Ipopt::Index* rows, Ipopt::Index* columns,
              Ipopt::Number* to) override {
    if (!to) {
      write_pattern<hessian_type>(rows, columns);
    } else {
      numbers weights;
      std::copy_n(lambda, count, weights.begin());
      const auto hessian = [&](const point& there, const Data&... data) {
        return detail::lagrangian_hessian<F, G>(there, sigma, weights, data...);
      };
      std::ranges::copy(call(hessian, at(x)).values, to);
    }
    return true;
  }
  void finalize_solution(Ipopt::SolverReturn, Ipopt::Index, const Ipopt::Number* x, const Ipopt::Number*,
                         const Ipopt::Number*, Ipopt::Index, const Ipopt::Number*, const Ipopt::Number* lambda,
                         Ipopt::Number found, const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    solution = at(x), value = found;
    std::copy_n(lambda, count, multipliers.begin());
  }

 private:
  std::tuple<Data...> data_;

  static point at(const Ipopt::Number* x) {
    point result;
    std::copy_n(x, N, result.begin());
    return result;
  }
  template <class Verb>
  auto call(const Verb& verb, const point& x) const {
    return std::apply([&](const Data&... data) { return verb(x, data...); }, data_);
  }
  template <class Matrix>
  static void write_pattern(Ipopt::Index* rows, Ipopt::Index* columns) {
    for (std::size_t i = 0; i + 1 < Matrix::row_begin.size(); ++i)
      for (std::size_t k = Matrix::row_begin[i]; k < Matrix::row_begin[i + 1]; ++k) {
        rows[k] = static_cast<Ipopt::Index>(i);
        columns[k] = static_cast<Ipopt::Index>(Matrix::columns[k]);
      }
  }
};

/// `ipopt_problem<4>(f, g, data...)`: the problem for functions of a `std::array` of 4 numbers and the data, as an
/// `Ipopt::SmartPtr` for `OptimizeTNLP`. Set `p->start`, ... before, and read `p->solution` after. The data are copied.
template <int N, Function F, Function G, class... Data>
auto ipopt_problem(const F&, const G&, const Data&... data) {
  return Ipopt::SmartPtr<ipopt_functions<N, F, G, Data...>>(new ipopt_functions<N, F, G, Data...>(data...));
}
/// The same without constraints.
template <int N, Function F>
auto ipopt_problem(const F&) {
  return Ipopt::SmartPtr<ipopt_functions<N, F, detail::unconstrained>>(
      new ipopt_functions<N, F, detail::unconstrained>());
}

}  // namespace tapeless

#endif
