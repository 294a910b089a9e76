// Implicit differentiation by the last Newton step: Kepler's equation f = E - e sin E - M = 0 for the anomaly E.
//
//   E = E* - f(E*, e, M) / stop(f_E),    E* = stop(what the solver found),    so that    dE = -(f_e de + f_M dM) / f_E
//
//   dE/dM = 1 / (1 - e cos E),    dE/de = sin E / (1 - e cos E),    d2E/dM2 = -e sin E / (1 - e cos E)^3
//
// The solver's iterations are not differentiated, however many there are. Each further step with the same slope makes
// one more order of derivatives right: implicit_root<2> for Hessians.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr auto kepler = [](auto anomaly, auto e, auto m) { return anomaly - e * sin(anomaly) - m; };
constexpr auto anomaly_of = [](auto found, auto e, auto m) { return implicit_root<2>(kepler, found, e, m); };
// By hand, to first order.
constexpr auto by_hand = [](auto found, auto e, auto m) {
  const auto at = stop_gradient(found);
  return at - kepler(at, e, m) / stop_gradient(1 - e * cos(at));
};

}  // namespace

int main() {
  const double e = 0.6, m = 1.2;
  double found = m;
  for (int i = 0; i < 60; ++i) found -= (found - e * std::sin(found) - m) / (1 - e * std::cos(found));

  const double slope = 1 - e * std::cos(found), sine = std::sin(found);
  const auto [by_e, by_m] = gradient(anomaly_of, wrt<1, 2>)(found, e, m);
  const auto [hand_e, hand_m] = gradient(by_hand, wrt<1, 2>)(found, e, m);
  const auto h = hessian(anomaly_of, wrt<1, 2>)(found, e, m);
  std::printf("E(0.6, 1.2) = %.12f: dE/de = %.9f, dE/dM = %.9f, d2E/dM2 = %.9f\n", found, by_e, by_m, h[1][1]);
  const bool right = agree(by_e, sine / slope) && agree(by_m, 1 / slope) && agree(hand_e, by_e) &&
                     agree(hand_m, by_m) && agree(h[1][1], -e * sine / (slope * slope * slope)) &&
                     gradient(anomaly_of, wrt<0>)(found, e, m) == 0;
  return right ? 0 : 1;
}
