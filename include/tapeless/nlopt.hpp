#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Objectives and constraints for NLopt, with their derivatives: fitting a model to data, for one.
#include <tapeless/core/target.hpp>
#include <tapeless/interop/parameter_blocks.hpp>
#include <tapeless/tapeless.hpp>

#include <nlopt.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tapeless {

namespace detail::inline TAPELESS_TARGET {

/// The calls of a function of `N` numbers, negative for as many as the optimiser has, with what NLopt keeps for it: the
/// address of its data, or of the function if that has data.
template <int N, class F, class... Data>
struct nlopt_call {
  using call = block_call<bound_function<F, std::reference_wrapper<const Data>...>, N>;

  static auto function([[maybe_unused]] const void* data) {
    return bind_back(F{}, std::ref(*static_cast<const Data*>(data))...);
  }
  static void* address(const F&, const Data*... data) {
    const void* result = nullptr;
    ((result = data), ...);
    return const_cast<void*>(result);
  }
};
template <int N, class F>
struct nlopt_call<N, const F*> : nlopt_call<N, call_with_members, F> {
  static void* address(const F* f) { return const_cast<F*>(f); }
};
template <int N, class F, class... Data>
struct nlopt_call<N, const bound_function<F, Data...>*> {
  using call = block_call<bound_function<F, Data...>, N>;
  static const auto& function(const void* f) { return *static_cast<const bound_function<F, Data...>*>(f); }
  static void* address(const bound_function<F, Data...>* f) { return const_cast<bound_function<F, Data...>*>(f); }
};
template <int N, class F>
struct nlopt_call<N, F*> : nlopt_call<N, const F*> {};

template <class Call>
void nlopt_values(unsigned count, double* values, unsigned n, const double* x, double* gradient, void* kept) {
  Call::call::evaluate(Call::function(kept), &x, {static_cast<int>(n)}, values, count, gradient ? &gradient : nullptr);
}
template <class Call>
double nlopt_value(unsigned n, const double* x, double* gradient, void* kept) {
  double value;
  nlopt_values<Call>(1, &value, n, x, gradient, kept);
  return value;
}

/// Hands over to `set` a function, as NLopt calls it, with what is kept for it and the number of its values.
template <int N, class F, class... Data, class Set>
void give_to_nlopt(const ::nlopt::opt& opt, const Set& set, const F& f, const Data&... data) {
  constexpr bool keeps_address = !Function_with_data<F> && (std::is_pointer_v<Data> && ...) && sizeof...(Data) <= 1;
  static_assert(
      keeps_address,
      "tapeless: NLopt keeps one address: set_min_objective<n>(opt, f, &data), or for several data const auto "
      "fit = bind_back(f, std::ref(a), std::ref(b)); set_min_objective<n>(opt, &fit) [TL224]");
  if constexpr (keeps_address) {
    using kept = nlopt_call<N, F, std::remove_cv_t<std::remove_pointer_t<Data>>...>;
    if constexpr (kept::call::fits) {
      const int dimension = static_cast<int>(opt.get_dimension());
      if (N >= 0 && dimension != N)
        tapeless::detail::raise<std::invalid_argument>(
            {"the function takes ", N, " numbers, and the optimiser has ", dimension});
      void* const address = kept::address(f, data...);
      set(kept{}, address, kept::call::count_rows(kept::function(address), {dimension}));
    }
  }
}
template <int N, class F, class... Data, class Set>
void give_objective(const ::nlopt::opt& opt, const Set& set, const F& f, const Data&... data) {
  const auto checked = [&]<class Kept>(Kept, void* kept, std::size_t) {
    static_assert(Kept::call::rows == 1, "tapeless: an objective must return one number [TL225]");
    set(&nlopt_value<Kept>, kept);
  };
  give_to_nlopt<N>(opt, checked, f, data...);
}

}  // namespace detail::inline TAPELESS_TARGET

/// `set_min_objective<3>(opt, f)`: NLopt minimises f, a function of a `std::array` of 3 numbers;
/// `set_min_objective(opt, f)` one of a vector of as many numbers as the optimiser has. `set_min_objective<3>(opt, f,
/// &data)` minimises f(x, data), where data may be of any size. Several data are those of a function with data, `const
/// auto fit = bind_back(f, std::ref(a), std::ref(b)); set_min_objective<3>(opt, &fit)`. NLopt keeps the address: the
/// data, or the function with data, must live as long as the optimiser; they are not copied. Throws
/// `std::invalid_argument` if the optimiser has another dimension, or the sizes of the data do not fit: where there are
/// such, f is called once with zeros.
template <int N = -1, class F, class... Data>
void set_min_objective(::nlopt::opt& opt, const F& f, const Data&... data) {
  detail::give_objective<N>(opt, [&](auto call, void* kept) { opt.set_min_objective(call, kept); }, f, data...);
}
template <int N = -1, class F, class... Data>
void set_max_objective(::nlopt::opt& opt, const F& f, const Data&... data) {
  detail::give_objective<N>(opt, [&](auto call, void* kept) { opt.set_max_objective(call, kept); }, f, data...);
}

/// The constraint f(x) <= 0, or if f returns a `std::array` or a vector, one constraint for each of its numbers. Each
/// may be exceeded by the tolerance.
template <int N = -1, class F, class... Data>
void add_inequality_constraint(::nlopt::opt& opt, const F& f, double tolerance, const Data&... data) {
  const auto add = [&]<class Kept>(Kept, void* kept, std::size_t rows) {
    opt.add_inequality_mconstraint(&detail::nlopt_values<Kept>, kept, std::vector<double>(rows, tolerance));
  };
  detail::give_to_nlopt<N>(opt, add, f, data...);
}
/// The constraint f(x) = 0, or if f returns a `std::array` or a vector, one constraint for each of its numbers. Each
/// may be missed by the tolerance.
template <int N = -1, class F, class... Data>
void add_equality_constraint(::nlopt::opt& opt, const F& f, double tolerance, const Data&... data) {
  const auto add = [&]<class Kept>(Kept, void* kept, std::size_t rows) {
    opt.add_equality_mconstraint(&detail::nlopt_values<Kept>, kept, std::vector<double>(rows, tolerance));
  };
  detail::give_to_nlopt<N>(opt, add, f, data...);
}

}  // namespace tapeless
