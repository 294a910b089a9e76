#ifndef TAPELESS_NLOPT_HPP
#define TAPELESS_NLOPT_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Objectives and constraints for NLopt, with their derivatives.
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/refused.hpp>
#include <tapeless/interop/parameter_blocks.hpp>

#include <nlopt.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace tapeless {

namespace detail {

template <class F, int N, class... Data>
struct nlopt_call {
  using call = block_call<F, std::tuple<Data...>, N>;
  static_assert(call::fits,
                "tapeless: the function does not accept a std::array of n numbers and the data; call jacobian(f) with "
                "these to see the error");
  static constexpr std::size_t rows = call::rows;
  static_assert(sizeof...(Data) <= 1, "tapeless: NLopt passes one object of data; put all data into one struct");

  static void many(unsigned, double* values, unsigned, const double* x, double* gradient, void* data) {
    const auto run = [&](const std::tuple<Data...>& all) {
      if (gradient)
        call::values_and_jacobian(&x, all, values, &gradient);
      else
        call::values(&x, all, values);
    };
    if constexpr (sizeof...(Data) == 0)
      run({});
    else
      run(std::tuple<Data...>(*static_cast<const Data*>(data)...));
  }
  static double one(unsigned n, const double* x, double* gradient, void* data) {
    double value;
    many(1, &value, n, x, gradient, data);
    return value;
  }
  static void check(const ::nlopt::opt& opt) {
    if (opt.get_dimension() != static_cast<unsigned>(N))
      throw std::invalid_argument("tapeless: the function takes " + std::to_string(N) +
                                  " numbers, and the optimiser has " + std::to_string(opt.get_dimension()));
  }
  static void* address(const Data*... data) {
    const void* result = nullptr;
    ((result = data), ...);
    return const_cast<void*>(result);
  }
};

}  // namespace detail

/// `set_min_objective<3>(opt, f)`: NLopt minimises f, a function of a `std::array` of 3 numbers. Given `&data`, it
/// minimises f(x, data); the object must live as long as the optimiser. Throws `std::invalid_argument` if the optimiser
/// has another dimension.
template <int N, Function F, class... Data>
void set_min_objective(::nlopt::opt& opt, const F&, const Data*... data) {
  using call = detail::nlopt_call<F, N, Data...>;
  static_assert(call::rows == 1, "tapeless: an objective must return one number");
  call::check(opt);
  opt.set_min_objective(&call::one, call::address(data...));
}
template <int N, Function F, class... Data>
void set_max_objective(::nlopt::opt& opt, const F&, const Data*... data) {
  using call = detail::nlopt_call<F, N, Data...>;
  static_assert(call::rows == 1, "tapeless: an objective must return one number");
  call::check(opt);
  opt.set_max_objective(&call::one, call::address(data...));
}

/// The constraint f(x) <= 0, or if f returns a `std::array`, one constraint for each of its numbers. Each may be
/// exceeded by the tolerance.
template <int N, Function F, class... Data>
void add_inequality_constraint(::nlopt::opt& opt, const F&, double tolerance, const Data*... data) {
  using call = detail::nlopt_call<F, N, Data...>;
  call::check(opt);
  opt.add_inequality_mconstraint(&call::many, call::address(data...), std::vector<double>(call::rows, tolerance));
}
/// The same for f(x) = 0.
template <int N, Function F, class... Data>
void add_equality_constraint(::nlopt::opt& opt, const F&, double tolerance, const Data*... data) {
  using call = detail::nlopt_call<F, N, Data...>;
  call::check(opt);
  opt.add_equality_mconstraint(&call::many, call::address(data...), std::vector<double>(call::rows, tolerance));
}

}  // namespace tapeless

#endif
