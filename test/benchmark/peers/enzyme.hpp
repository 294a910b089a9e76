// What Enzyme compiles: the problems of numbers with a reverse sweep for each output.
#include "formulas.hpp"

extern int enzyme_const, enzyme_dup;
template <class... Arguments>
void __enzyme_autodiff(void*, Arguments...);

namespace peers {

template <class F, std::size_t N>
void values_of(const double* __restrict in, const double* __restrict data, double* __restrict out) {
  std::array<double, N> numbers;
  for (std::size_t i = 0; i < N; ++i) numbers[i] = in[i];
  const auto values = evaluate_with(F{}, numbers, data);
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = values[i];
}

template <class F, std::size_t N, std::size_t M>
void evaluate(const double* __restrict in, const double* __restrict data, double* __restrict out) {
  for (std::size_t o = 0; o < M; ++o) {
    double values[M], seeds[M] = {}, adjoints[N] = {};
    seeds[o] = 1;
    __enzyme_autodiff(reinterpret_cast<void*>(values_of<F, N>), enzyme_dup, in, adjoints, enzyme_const, data,
                      enzyme_dup, values, seeds);
    out[o] = values[o];
    for (std::size_t i = 0; i < N; ++i) out[M * (1 + i) + o] = adjoints[i];
  }
}

}  // namespace peers
