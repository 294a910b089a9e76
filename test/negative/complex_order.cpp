// expect: complex numbers have no order; compare abs.z., real.z. or imag.z. .TL278.
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <complex>

using namespace tapeless;

constexpr auto h = [](auto z) { return where(1.0 < z, 0.0, real(z)) + where(z >= z, 0.0, 1.0); };
const auto r = gradient(h)(std::complex{1.0, 2.0});
