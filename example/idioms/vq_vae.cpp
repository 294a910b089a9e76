// Vector-quantised autoencoder: the code z = w x is replaced by the nearer of two entries e of the codebook, and x is
// decoded as d q.
//
//   q = e + (z - stop(z)),    L = (x - d q)^2 + (stop(z) - e)^2 + b (z - stop(e))^2
//
// Reconstruction teaches the decoder and, straight through, the encoder; the entry moves towards the code and
// the code towards the entry. With m = x - d e:
//
//   dL/dd = -2 m e,    dL/dw = (-2 m d + 2 b (z - e)) x,    dL/de = -2 (z - e) for the entry taken, 0 for the other
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

constexpr double commitment = 0.25;

constexpr auto loss = [](auto x, auto w, auto book, auto d) {
  const auto z = w * x;
  const auto e = where(square(z - book[0]) < square(z - book[1]), book[0], book[1]);
  const auto q = straight_through(e, z);
  return square(x - d * q) + square(stop_gradient(z) - e) + commitment * square(z - stop_gradient(e));
};

}  // namespace

int main() {
  const double x = 1.5, w = 0.8, d = 0.6;
  const std::array book{1.0, -2.0};
  const auto [value, g] = value_and_gradient(loss, wrt<1, 2, 3>)(x, w, book, d);
  const auto [by_w, by_book, by_d] = g;
  const double z = w * x, e = book[0], missed = x - d * e;
  std::printf("VQ-VAE: loss %.4f; gradient: encoder %.4f, entry taken %.4f, other %g, decoder %.4f\n", value, by_w,
              by_book[0], by_book[1], by_d);
  const bool right = agree(value, missed * missed + (1 + commitment) * (z - e) * (z - e)) &&
                     agree(by_w, (-2 * missed * d + 2 * commitment * (z - e)) * x) && agree(by_book[0], -2 * (z - e)) &&
                     by_book[1] == 0 && agree(by_d, -2 * missed * e) &&
                     check_gradient(loss)(x, w, book, d).passed(1e-8);
  return right ? 0 : 1;
}
