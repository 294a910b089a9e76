// ADOL-C: each program is taped once and the tape evaluated again at other points, as its manual advises.
#include "tapes.hpp"

#include <adolc/adolc.h>

#include <map>

// A tape has no branches but these. In adouble's namespace, so that the problems find them.
static adouble positive_part(const adouble& x) {
  adouble result;
  condassign(result, x, x, adouble(0.0));
  return result;
}
static adouble root_of_positive(const adouble& x) {
  adouble inside, result;
  condassign(inside, x, x, adouble(1.0));
  condassign(result, x, sqrt(inside), adouble(0.0));
  return result;
}

namespace peers {
namespace {

short next_tape = 1;

/// The tape of a problem of this size; recorded at the first call.
template <class F>
short tape_of(const problem& p, const double* in) {
  static std::map<std::size_t, short> tapes;
  const auto [place, is_new] = tapes.try_emplace(p.size, next_tape);
  if (!is_new) return place->second;
  ++next_tape;
  trace_on(place->second);
  {
    std::vector<adouble> x(p.inputs);
    for (std::size_t i = 0; i < p.inputs; ++i) x[i] <<= in[i];
    double ignored;
    if constexpr (std::is_base_of_v<over_arrays, F>) {
      adouble y = F{}(x, p);
      y >>= ignored;
    } else {
      auto y = evaluate_with(F{}, x, p.data.data());
      for (adouble& e : y) e >>= ignored;
    }
  }
  trace_off();
  return place->second;
}

/// Forwards, which keeps what is needed, then backwards once for each output.
template <class F>
void replay(const problem& p, const double* in, double* out) {
  const short tape = tape_of<F>(p, in);
  const int n = static_cast<int>(p.inputs), m = static_cast<int>(p.outputs);
  zos_forward(tape, m, n, 1, in, out);
  if (m == 1) {
    double one = 1;
    fos_reverse(tape, 1, n, &one, out + 1);
    return;
  }
  static std::vector<double> identity, rows;
  static std::vector<double*> weights, results;
  identity.assign(p.outputs * p.outputs, 0);
  rows.resize(p.outputs * p.inputs);
  weights.clear(), results.clear();
  for (std::size_t i = 0; i < p.outputs; ++i) {
    identity[i * p.outputs + i] = 1;
    weights.push_back(&identity[i * p.outputs]);
    results.push_back(&rows[i * p.inputs]);
  }
  fov_reverse(tape, m, n, m, weights.data(), results.data());
  for (std::size_t i = 0; i < p.inputs; ++i)
    for (std::size_t o = 0; o < p.outputs; ++o) out[p.outputs * (1 + i) + o] = results[o][i];
}

const add s1("S1", "ADOL-C", replay<sum_exp_product>), s2("S2", "ADOL-C", replay<black_scholes>),
    s3("S3", "ADOL-C", replay<reprojection>), s4("S4", "ADOL-C", replay<rosenbrock>),
    s5("S5", "ADOL-C", replay<pose_composition>), v1("V1", "ADOL-C", replay<logistic>),
    v2("V2", "ADOL-C", replay<normal_density>), v3("V3", "ADOL-C", replay<cross_entropy>),
    v4("V4", "ADOL-C", replay<tanh_exp>), v5("V5", "ADOL-C", replay<gaussian_mixture>),
    rk("RK", "ADOL-C", replay<runge_kutta>), nn("NN", "ADOL-C", replay<perceptron>),
    he("HE", "ADOL-C", replay<heston_call>), gp("GP", "ADOL-C", replay<marginal_likelihood>),
    td("TD", "ADOL-C", replay<temporal_differences<false>>);  // a stop would be the same number in each replay

}  // namespace
}  // namespace peers
