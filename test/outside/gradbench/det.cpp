#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <bit>
#include <cstddef>

namespace gradbench {
namespace {

// Expansion by minors from the first row down. After m rows, element S of the carry is the determinant of these rows
// and the columns in the set S; each is computed once.
constexpr auto by_minors = [](const auto& a, const auto& none, const auto& without, const auto& signs) {
  using namespace tapeless;
  return scan([&](const auto& minors, const auto& row) { return sum<1>(signs * row * take(minors, without)); }, none,
              a)[-1];
};

struct Problem {
  Matrix a;
  Vector none;                  ///< the determinant of no rows is 1 for no columns
  xt::xtensor<int, 2> without;  ///< the set S without column j
  Matrix signs;                 ///< the sign of column j in the last row of S, 0 where S lacks it

  explicit Problem(const json& input) : a(Matrix::from_shape({input.at("ell"), input.at("ell")})) {
    const Vector flat = input.at("A");
    std::copy(flat.begin(), flat.end(), a.begin());
    const std::size_t n = a.shape(0), sets = std::size_t{1} << n;
    none.assign(sets, 0);
    none[0] = 1;
    without = xt::zeros<int>({sets, n});
    signs = xt::zeros<double>({sets, n});
    for (std::size_t s = 0; s < sets; ++s)
      for (std::size_t j = 0; j < n; ++j)
        if (s >> j & 1) without(s, j) = static_cast<int>(s ^ 1U << j), signs(s, j) = std::popcount(s >> j) % 2 ? 1 : -1;
  }
};

json primal(const json& input, Runs& runs) {
  const Problem p(input);
  const auto verb = tapeless::value(by_minors);
  return runs([&] { return verb(p.a, p.none, p.without, p.signs); });
}

json gradient(const json& input, Runs& runs) {
  const Problem p(input);
  const auto verb = tapeless::value_and_gradient(by_minors, tapeless::wrt<0>);
  auto r = verb(p.a, p.none, p.without, p.signs);
  runs([&] { verb(into(r), p.a, p.none, p.without, p.signs); });
  return Vector(r.gradient.begin(), r.gradient.end());
}

}  // namespace

const Module det{{"primal", primal}, {"gradient", gradient}};

}  // namespace gradbench
