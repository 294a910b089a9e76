// Fits NIST's nonlinear regression problems with the derivatives of tapeless, and of Ceres's Jets beside, and prints
// how many digits of the certified values each fit has:
//
//   outside.nist FOLDER
//
// FOLDER has files such as Misra1a.dat. Fails where digits are missing. From NIST's start 1 of MGH10 the method ends in
// a flat valley, with either derivatives.
#include <tapeless/xtensor.hpp>
#include "fit.hpp"
#include "models.hpp"
#include "problem.hpp"

#if __has_include(<ceres/jet.h>)
#include <ceres/jet.h>
#define NIST_HAS_JETS
constexpr const char* jets = "                by Ceres's Jets";
#else
constexpr const char* jets = "";
#endif

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace nist;

std::filesystem::path folder;
int problems = 0, failures = 0;

/// How many digits agree: the log relative error. NIST certifies 11.
double digits(double found, double certified) {
  const double error = std::abs(found - certified) / std::abs(certified);
  return error > 0 ? std::fmin(-std::log10(error), 11) : 11;
}
double digits(const Eigen::VectorXd& found, const std::vector<double>& certified) {
  double least = 11;
  for (std::size_t i = 0; i < certified.size(); ++i)
    least = std::fmin(least, digits(found[static_cast<Eigen::Index>(i)], certified[i]));
  return least;
}

/// The model by tapeless: values and derivatives for all observations.
template <std::size_t N, class Model, class X>
auto by_tapeless(Model, const std::vector<double>& y, const std::vector<X>& x) {
  return [&](const Eigen::VectorXd& at) {
    std::array<double, N> b;
    Eigen::VectorXd::Map(b.data(), N) = at;
    const auto [values, by_b] = tapeless::batched(tapeless::value_and_gradient(Model{}, tapeless::wrt<0>))(b, x);
    Residuals r{Eigen::VectorXd(y.size()), Eigen::MatrixXd(y.size(), N)};
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      r.values[row] = values[i] - y[i];
      r.jacobian.row(row) = Eigen::RowVectorXd::Map(by_b[i].data(), N);
    }
    return r;
  };
}

#ifdef NIST_HAS_JETS
template <std::size_t N, class Model, class X>
auto by_jets(Model model, const std::vector<double>& y, const std::vector<X>& x) {
  return [&, model](const Eigen::VectorXd& at) {
    using Jet = ceres::Jet<double, static_cast<int>(N)>;
    std::array<Jet, N> b;
    for (std::size_t k = 0; k < N; ++k) b[k] = Jet(at[static_cast<Eigen::Index>(k)], static_cast<int>(k));
    Residuals r{Eigen::VectorXd(y.size()), Eigen::MatrixXd(y.size(), N)};
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const Jet value = model(b, x[i]);
      r.values[row] = value.a - y[i];
      r.jacobian.row(row) = value.v;
    }
    return r;
  };
}
#endif

/// Digits that a fit must have.
struct Wanted {
  double estimates = 9.5, deviations = 9.5;
};

template <std::size_t N, class X = double, class Model>
void solve(const std::string& name, Model model, Wanted wanted = {}) {
  const std::filesystem::path path = folder / (name + ".dat");
  if (!std::filesystem::exists(path)) return;
  const Problem problem = read(path);
  std::vector<double> y;
  std::vector<X> x;
  for (const auto& row : problem.rows) {
    if constexpr (std::is_same_v<X, double>)
      y.push_back(row.at(0)), x.push_back(row.at(1));
    else
      y.push_back(std::log(row.at(0))), x.push_back({row.at(1), row.at(2)});
  }
  ++problems;
  for (const auto& start : problem.start) {
    const Eigen::VectorXd from = Eigen::VectorXd::Map(start.data(), N);
    const auto report = [&](const Fit& found) {
      const double estimates = digits(found.parameters, problem.certified);
      const double deviations = digits(found.deviations, problem.deviation);
      std::printf(" %5.1f %5.1f %5.1f %5d |", estimates, deviations,
                  digits(found.sum_of_squares, problem.sum_of_squares), found.evaluations);
      return estimates >= wanted.estimates && deviations >= wanted.deviations;
    };
    std::printf("%-8s %d |", name.c_str(), start == problem.start[0] ? 1 : 2);
    const bool valley = name == "MGH10" && from[0] == 2;
    const bool enough = report(fit(by_tapeless<N>(model, y, x), from)) || valley;
#ifdef NIST_HAS_JETS
    report(fit(by_jets<N>(model, y, x), from));
#endif
    std::printf("%s\n", enough ? "" : " too few digits");
    failures += !enough;
  }
}

}  // namespace

int main(int count, char** arguments) try {
  folder = count > 1 ? arguments[1] : ".";
  std::printf("Digits of the estimates, of their standard deviations and of the sum of squares, and evaluations\n");
  std::printf("            by tapeless%s\n", jets);
  solve<2>("Misra1a", misra1a);
  solve<2>("Misra1b", misra1b);
  solve<2>("Misra1c", misra1c);
  solve<2>("Misra1d", misra1d);
  solve<3>("Chwirut1", chwirut);
  solve<3>("Chwirut2", chwirut);
  solve<6>("Lanczos1", lanczos, {9.5, 2.5});  // residuals of 1e-13 of numbers near 1
  solve<6>("Lanczos2", lanczos);
  solve<6>("Lanczos3", lanczos);
  solve<8>("Gauss1", gauss);
  solve<8>("Gauss2", gauss);
  solve<8>("Gauss3", gauss);
  solve<2>("DanWood", dan_wood);
  solve<5>("Kirby2", kirby2);
  solve<7>("Hahn1", cubic_ratio);
  solve<3, std::array<double, 2>>("Nelson", nelson);
  solve<5>("MGH17", mgh17);
  solve<4>("Roszman1", roszman1);
  solve<9>("ENSO", enso);
  solve<4>("MGH09", mgh09);
  solve<7>("Thurber", cubic_ratio);
  solve<2>("BoxBOD", misra1a);
  solve<3>("Rat42", rat42);
  solve<3>("MGH10", mgh10);
  solve<3>("Eckerle4", eckerle4);
  solve<4>("Rat43", rat43);
  solve<3>("Bennett5", bennett5);
  std::printf("%d problems; %d fits have too few digits\n", problems, failures);
  return problems == 0 || failures > 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
