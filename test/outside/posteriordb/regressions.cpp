// Normal linear regressions.
#include "run.hpp"
#include "vectors.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace posteriordb {
namespace {

using namespace tapeless;

// Regressions of any number of coefficients. The free parameters are the coefficients and log(sigma); each row of x is
// a regressor.
constexpr auto linear = [](const auto& u, const auto& x, const auto& y) {
  return sum(normal_lpdf(y, dot(slice<0>(u, 0, -1), x), exp(u[-1]))) + u[-1];
};
constexpr auto kidscore = [](const auto& u, const auto& x, const auto& y) {
  return linear(u, x, y) + cauchy_lpdf(exp(u[-1]), 0, 2.5);
};
constexpr auto blr = [](const auto& u, const auto& x, const auto& y) {
  return linear(u, x, y) + sum(normal_lpdf(slice<0>(u, 0, -1), 0, 10)) + normal_lpdf(exp(u[-1]), 0, 10);
};
constexpr auto kilpisjarvi = [](const auto& u, const auto& x, const auto& y, const auto& mean, const auto& deviation) {
  return linear(u, x, y) + sum(normal_lpdf(slice<0>(u, 0, -1), mean, deviation));
};
// The coefficients are `to_natural` times the free ones; the last is the intercept.
constexpr auto diamonds = [](const auto& u, const auto& x, const auto& to_natural, const auto& y) {
  return linear(u, x, y) + sum(normal_lpdf(dot(to_natural, slice<0>(u, 0, -2)), 0, 1)) +
         student_t_lpdf(u[-2], 3, 8, 10) + student_t_lpdf(exp(u[-1]), 3, 0, 10);
};

/// Makes the vectors orthogonal to each other, of mean square 1, and returns the matrix that takes their coefficients
/// to those of the vectors before.
std::vector<Vector> orthogonalise(std::vector<Vector>& x) {
  std::vector<Vector> to_before(x.size(), Vector(x.size(), 0.0));
  const auto product = [](const Vector& a, const Vector& b) { return mean_of(a * b); };
  for (std::size_t j = 0; j < x.size(); ++j) {
    to_before[j][j] = 1;  // transposed, until the end
    for (std::size_t i = 0; i < j; ++i) {
      const double along = product(x[i], x[j]);
      for (std::size_t k = 0; k < x[j].size(); ++k) x[j][k] -= along * x[i][k];
      for (std::size_t k = 0; k <= i; ++k) to_before[j][k] -= along * to_before[i][k];
    }
    const double length = std::sqrt(product(x[j], x[j]));
    x[j] = x[j] / length;
    to_before[j] = to_before[j] / length;
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) std::swap(to_before[i][j], to_before[j][i]);
  return to_before;
}

/// A posterior whose y depends linearly on 1 and on the regressors.
template <class F, class Regressors>
void regress(const std::string& name, F f, const std::string& y, bool of_log, Regressors regressors) {
  with(name, [&](const Problem& p) {
    std::vector<Vector> x = regressors(p);
    x.insert(x.begin(), Vector(x[0].size(), 1.0));
    sample<0>(name, p, x.size() + 1, f, last_positive, {}, rows(x), of_log ? log_of(p.vector(y)) : p.vector(y));
  });
}

}  // namespace

void run_regressions() {
  using P = const Problem&;
  using X = std::vector<Vector>;
  const auto named = [](auto... names) { return [=](P p) { return X{p.vector(names)...}; }; };
  regress("earnings-earn_height", linear, "earn", false, named("height"));
  regress("earnings-logearn_height", linear, "earn", true, named("height"));
  with("earnings-log10earn_height", [](P p) {
    const Vector& height = p.vector("height");
    sample<0>("earnings-log10earn_height", p, 3, linear, last_positive, {}, rows({Vector(height.size(), 1.0), height}),
              log_of(p.vector("earn")) / std::log(10.0));
  });
  regress("earnings-logearn_height_male", linear, "earn", true, named("height", "male"));
  regress("earnings-logearn_interaction", linear, "earn", true,
          [](P p) { return X{p.vector("height"), p.vector("male"), p.vector("height") * p.vector("male")}; });
  regress("earnings-logearn_interaction_z", linear, "earn", true, [](P p) {
    const Vector& height = p.vector("height");
    const Vector z = (height - mean_of(height)) / deviation_of(height);
    return X{z, p.vector("male"), z * p.vector("male")};
  });
  regress("earnings-logearn_logheight_male", linear, "earn", true,
          [](P p) { return X{log_of(p.vector("height")), p.vector("male")}; });
  regress("kidiq-kidscore_momhs", kidscore, "kid_score", false, named("mom_hs"));
  regress("kidiq-kidscore_momiq", kidscore, "kid_score", false, named("mom_iq"));
  regress("kidiq-kidscore_momhsiq", kidscore, "kid_score", false, named("mom_hs", "mom_iq"));
  regress("kidiq-kidscore_interaction", kidscore, "kid_score", false,
          [](P p) { return X{p.vector("mom_hs"), p.vector("mom_iq"), p.vector("mom_hs") * p.vector("mom_iq")}; });
  const auto centred = [](double hs, double iq, double of_hs, double of_iq, P p) {
    const Vector a = (p.vector("mom_hs") - hs) / of_hs, b = (p.vector("mom_iq") - iq) / of_iq;
    return X{a, b, a * b};
  };
  regress("kidiq_with_mom_work-kidscore_interaction_c", linear, "kid_score", false,
          [&](P p) { return centred(mean_of(p.vector("mom_hs")), mean_of(p.vector("mom_iq")), 1, 1, p); });
  regress("kidiq_with_mom_work-kidscore_interaction_c2", linear, "kid_score", false,
          [&](P p) { return centred(0.5, 100, 1, 1, p); });
  regress("kidiq_with_mom_work-kidscore_interaction_z", linear, "kid_score", false, [&](P p) {
    const Vector &hs = p.vector("mom_hs"), &iq = p.vector("mom_iq");
    return centred(mean_of(hs), mean_of(iq), 2 * deviation_of(hs), 2 * deviation_of(iq), p);
  });
  regress("kidiq_with_mom_work-kidscore_mom_work", linear, "kid_score", false, [](P p) {
    const Vector& work = p.vector("mom_work");
    return X{work == 2, work == 3, work == 4};
  });
  regress("mesquite-mesquite", linear, "weight", false,
          named("diam1", "diam2", "canopy_height", "total_height", "density", "group"));
  const auto volume = [](P p) { return log_of(p.vector("diam1") * p.vector("diam2") * p.vector("canopy_height")); };
  const auto area = [](P p) { return log_of(p.vector("diam1") * p.vector("diam2")); };
  const auto shape = [](P p) { return log_of(p.vector("diam1") / p.vector("diam2")); };
  const auto height = [](P p) { return log_of(p.vector("total_height")); };
  regress("mesquite-logmesquite", linear, "weight", true, [&](P p) {
    return X{log_of(p.vector("diam1")),   log_of(p.vector("diam2")), log_of(p.vector("canopy_height")), height(p),
             log_of(p.vector("density")), p.vector("group")};
  });
  regress("mesquite-logmesquite_logvolume", linear, "weight", true, [&](P p) { return X{volume(p)}; });
  regress("mesquite-logmesquite_logva", linear, "weight", true,
          [&](P p) { return X{volume(p), area(p), p.vector("group")}; });
  regress("mesquite-logmesquite_logvash", linear, "weight", true,
          [&](P p) { return X{volume(p), area(p), shape(p), height(p), p.vector("group")}; });
  regress("mesquite-logmesquite_logvas", linear, "weight", true, [&](P p) {
    return X{volume(p), area(p), shape(p), height(p), log_of(p.vector("density")), p.vector("group")};
  });
  for (const char* year : {"1972", "1976", "1980", "1984", "1988", "1992", "1996", "2000"})
    regress(std::string("nes") + year + "-nes", linear, "partyid7", false, [](P p) {
      const Vector& age = p.vector("age_discrete");
      return X{p.vector("real_ideo"), p.vector("race_adj"), age == 2,          age == 3, age == 4,
               p.vector("educ1"),     p.vector("gender"),   p.vector("income")};
    });
  for (const std::string name : {"sblrc-blr", "sblri-blr"})
    with(name, [&](const Problem& p) {
      sample<0>(name, p, 6, blr, last_positive, {}, rows(columns(p.entry("X"))), p.vector("y"));
    });
  with("kilpisjarvi_mod-kilpisjarvi", [](const Problem& p) {
    const Vector& x = p.vector("x");
    sample<0>("kilpisjarvi_mod-kilpisjarvi", p, 3, kilpisjarvi, last_positive, {}, rows({Vector(x.size(), 1.0), x}),
              p.vector("y"), Vector{p.number("pmualpha"), p.number("pmubeta")},
              Vector{p.number("psalpha"), p.number("psbeta")});
  });
  // The regressors are powers of the same numbers: without new directions, a draw needs hundreds of gradients.
  with("diamonds-diamonds", [](const Problem& p) {
    std::vector<Vector> x = columns(p.entry("X"));
    x.erase(x.begin());  // it is 1
    for (Vector& column : x) column = column - mean_of(column);
    const std::vector<Vector> to_natural = orthogonalise(x);
    x.emplace_back(x[0].size(), 1.0);
    const auto parameters = [&](const Vector& u) {
      Vector natural = last_positive(u);
      for (std::size_t k = 0; k < to_natural.size(); ++k)
        natural[k] = std::inner_product(to_natural[k].begin(), to_natural[k].end(), u.begin(), 0.0);
      return natural;
    };
    sample<0>("diamonds-diamonds", p, x.size() + 1, diamonds, parameters, {}, rows(x), rows(to_natural), p.vector("Y"));
  });
}

}  // namespace posteriordb
