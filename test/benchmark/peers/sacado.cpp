// Sacado: SFad, the forward type for a number of derivatives that is known to the compiler, and over arrays Rad, its
// reverse type.
#define OMPI_SKIP_MPICXX  // Debian builds Trilinos with MPI, whose C++ interface would need its library
#include <Sacado.hpp>

#include "forward.hpp"
#include "tapes.hpp"

namespace Sacado::Fad::Exp {

// Sacado has no erf.
template <class Storage>
GeneralFad<Storage> erf(const GeneralFad<Storage>& x) {
  GeneralFad<Storage> result(x.size(), std::erf(x.val()), Sacado::NoInitDerivArray);
  const double factor = 1.12837916709551257390 * std::exp(-x.val() * x.val());
  for (int i = 0; i < x.size(); ++i) result.fastAccessDx(i) = factor * x.fastAccessDx(i);
  return result;
}

}  // namespace Sacado::Fad::Exp

namespace peers {
namespace {

template <std::size_t N>
struct sacado {
  using type = Sacado::Fad::SFad<double, N>;
  static type variable(double value, std::size_t i) { return type(N, static_cast<int>(i), value); }
  static double value(const type& x) { return x.val(); }
  static double derivative(const type& x, std::size_t i) { return x.fastAccessDx(static_cast<int>(i)); }
};

const forward<sacado> all("Sacado SFad");

template <class F>
void reverse(const problem& p, const double* in, double* out) {
  using type = Sacado::Rad::ADvar<double>;
  static std::vector<type> x;
  x.assign(in, in + p.inputs);
  const type result = F{}(x, p);
  Sacado::Rad::ADvar<double>::Gradcomp();
  out[0] = result.val();
  for (std::size_t i = 0; i < p.inputs; ++i) out[1 + i] = x[i].adj();
}

const add v1("V1", "Sacado Rad", reverse<logistic>), v2("V2", "Sacado Rad", reverse<normal_density>),
    v3("V3", "Sacado Rad", reverse<cross_entropy>), v4("V4", "Sacado Rad", reverse<tanh_exp>),
    v5("V5", "Sacado Rad", reverse<gaussian_mixture>), rk("RK", "Sacado Rad", reverse<runge_kutta>),
    nn("NN", "Sacado Rad", reverse<perceptron>), he("HE", "Sacado Rad", reverse<heston_call>),
    gp("GP", "Sacado Rad", reverse<marginal_likelihood>), td("TD", "Sacado Rad", reverse<temporal_differences<false>>),
    ts("TS", "Sacado Rad", reverse<temporal_differences<true>>);

}  // namespace
}  // namespace peers
