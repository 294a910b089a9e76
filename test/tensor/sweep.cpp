// Functions of lanes on many more arguments than a reference of 40 digits could follow: floats against the C library's
// functions of doubles, doubles against its functions of long doubles, whose own errors are less than 0.001 ulp there.
//
//     sweep FLOATS DOUBLES [FUNCTION]    one in FLOATS floats, where 1 takes every float, and 2^32 / DOUBLES doubles;
//                                        through all functions or this one
//
// Prints a table, and fails where a bound does not hold or a result is of another kind: NaN, infinite, a zero with
// another sign.
#include "lanes_bounds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using namespace tapeless;

namespace {

template <class T>
using wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// The float with these bits.
template <class T>
  requires std::is_same_v<T, float>
T argument(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
/// A double with an exponent from -32 to 31, another for other bits: these mixed as in SplitMix64.
template <class T>
  requires std::is_same_v<T, double>
T argument(std::uint32_t bits) {
  std::uint64_t mixed = (bits + 1) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  const std::uint64_t exponent = 1023 - 32 + (mixed >> 52) % 64;
  return std::bit_cast<double>((mixed & 0x800fffffffffffffu) | exponent << 52);
}

/// As tapeless_test::ulps, in a tenth of the time.
double ulps(float computed, double exact) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000u;
  const std::uint64_t power = std::max(std::bit_cast<std::uint64_t>(exact) & exponent,
                                       std::bit_cast<std::uint64_t>(double{std::numeric_limits<float>::min()}));
  const double unit = std::bit_cast<double>(power) * std::numeric_limits<float>::epsilon();
  return std::fabs(static_cast<double>(computed) - exact) / unit;
}
double ulps(double computed, long double exact) { return tapeless_test::ulps(computed, exact); }

struct errors {
  /// In ulp, among the arguments that the bound is stated for and among all.
  double worst = 0, worst_of_all = 0;
  double at = 0;
  std::uint64_t of_another_kind = 0;
  double such = 0;

  void add(const errors& more) {
    if (more.worst_of_all > worst_of_all) worst_of_all = more.worst_of_all, at = more.at;
    if (more.worst > worst) worst = more.worst;
    if (more.of_another_kind) of_another_kind += more.of_another_kind, such = more.such;
  }
};

template <class T>
struct sweep {
  simd::lanes_t<T> (*computed)(const simd::lanes_t<T>&);
  wider<T> (*exact)(wider<T>);
  double from, to;

  void compare(T x, T y, wider<T> z, errors& found) const {
    const T rounded = static_cast<T>(z);
    const bool same_kind = std::isnan(rounded)                        ? std::isnan(y)
                           : std::isinf(rounded) || !std::isfinite(y) ? y == rounded
                           : rounded == 0 && y == 0                   ? std::signbit(y) == std::signbit(rounded)
                                                                      : true;
    if (!same_kind) {
      ++found.of_another_kind, found.such = static_cast<double>(x);
    } else if (std::isfinite(rounded)) {
      const double off = ulps(y, z);
      if (off > found.worst_of_all) found.worst_of_all = off, found.at = static_cast<double>(x);
      if (off > found.worst && from <= static_cast<double>(x) && static_cast<double>(x) <= to) found.worst = off;
    }
  }

  errors run(std::uint64_t stride) const {
    constexpr std::size_t width = simd::width<T>;
    const unsigned count = std::thread::hardware_concurrency();
    errors all;
    std::mutex adding;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < count; ++t)
      threads.emplace_back([&, t] {
        errors mine;
        std::array<T, width> x, y;
        for (std::uint64_t bits = t * width * stride; bits < std::uint64_t{1} << 32; bits += count * width * stride) {
          for (std::size_t k = 0; k < width; ++k) x[k] = argument<T>(static_cast<std::uint32_t>(bits + k * stride));
          simd::store<T>(computed(simd::load(x.data())), y.data());
          for (std::size_t k = 0; k < width; ++k) compare(x[k], y[k], exact(static_cast<wider<T>>(x[k])), mine);
        }
        const std::lock_guard lock(adding);
        all.add(mine);
      });
    for (std::thread& thread : threads) thread.join();
    return all;
  }
};

template <class T>
bool report(const char* name, const sweep<T>& functions, double bound, std::uint64_t stride) {
  const errors found = functions.run(stride);
  std::printf("| `%s` | %s | %g | %.2f | %.2f | %.9g | %llu | %.9g |\n", name, sizeof(T) == 4 ? "float" : "double",
              bound, found.worst, found.worst_of_all, found.at, static_cast<unsigned long long>(found.of_another_kind),
              found.such);
  std::fflush(stdout);
  return found.worst <= bound && found.of_another_kind == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto stride = [&](int i) { return argc == 3 || argc == 4 ? std::strtoull(argv[i], nullptr, 10) : 0; };
  const std::uint64_t floats = stride(1), doubles = stride(2);
  if (floats == 0 || doubles == 0) {
    std::fprintf(stderr, "Usage: sweep FLOATS DOUBLES [FUNCTION]\n");
    return 2;
  }
  std::printf(
      "| function | number | bound | worst | worst of all | at | of another kind | such as |\n"
      "|---|---|---|---|---|---|---|---|\n");
  const std::string only = argc == 4 ? argv[3] : "";
  bool good = true;
#define TAPELESS_TEST_SWEEP(NAME, LANES, SCALAR, FROM, TO, DOUBLE_BOUND, FLOAT_BOUND)                                  \
  if (only.empty() || only == #NAME) {                                                                                 \
    good &= report<float>(#NAME,                                                                                       \
                          {[](const simd::lanes_t<float>& x) -> simd::lanes_t<float> { return LANES; },                \
                           [](double x) { return SCALAR; }, FROM, TO},                                                 \
                          FLOAT_BOUND, floats);                                                                        \
    good &= report<double>(#NAME,                                                                                      \
                           {[](const simd::lanes_t<double>& x) -> simd::lanes_t<double> { return LANES; },             \
                            [](long double x) { return SCALAR; }, FROM, TO},                                           \
                           DOUBLE_BOUND, doubles);                                                                     \
  }
  TAPELESS_TEST_FUNCTIONS(TAPELESS_TEST_SWEEP)
  return good ? 0 : 1;
}
