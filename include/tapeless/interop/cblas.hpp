#pragma once

#include <tapeless/evaluate/kernels/matrix_product.hpp>

#include <cblas.h>

#include <type_traits>

namespace tapeless::loops {

template <class T>
  requires std::is_same_v<T, float> || std::is_same_v<T, double>
struct blas<T> {
  static constexpr bool available = true;

  static void product(const matrix<T>& a, const matrix<T>& b, T scale, const matrix<T>& c) {
    const auto flipped = [](const matrix<T>& m) { return m.by_rows() ? CblasNoTrans : CblasTrans; };
    const auto leading = [](const matrix<T>& m) { return static_cast<int>(m.by_rows() ? m.row : m.column); };
    const auto gemm = [] {
      if constexpr (std::is_same_v<T, float>)
        return &cblas_sgemm;
      else
        return &cblas_dgemm;
    }();
    gemm(CblasRowMajor, flipped(a), flipped(b), static_cast<int>(c.rows), static_cast<int>(c.columns),
         static_cast<int>(a.columns), T(1), a.data, leading(a), b.data, leading(b), scale, c.data, leading(c));
  }
};

}  // namespace tapeless::loops
