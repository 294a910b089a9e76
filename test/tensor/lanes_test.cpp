// Every function of simd.hpp against references of 40 digits, in each lane and for each length of a tail.
#include "lanes_bounds.hpp"
#include "lanes_reference.hpp"

#include <tapeless/evaluate/lanes/simd.hpp>
#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/gamma.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using namespace tapeless;
using tapeless_test::ulps;
namespace reference = tapeless_test::reference;

namespace {

template <class T>
using function = simd::lanes_t<T> (*)(const simd::lanes_t<T>&);
template <class T>
using function_of_two = simd::lanes_t<T> (*)(const simd::lanes_t<T>&, const simd::lanes_t<T>&);
using exact_function = long double (*)(double);

template <class T>
constexpr std::size_t width = simd::width<T>;

template <class T>
const char* name_of = sizeof(T) == 4 ? "float" : "double";

/// Whether two results agree: both NaN, the same infinity, zeros of the same sign, or numbers within the bound.
template <class T>
bool agree(T computed, T expected, double bound) {
  if (std::isnan(expected)) return std::isnan(computed);
  if (std::isinf(expected) || expected == 0 || computed == 0)
    return computed == expected && std::signbit(computed) == std::signbit(expected);
  return ulps(computed, expected) <= bound;
}

/// The arguments that a bound in ulp is stated for.
struct interval {
  double from, to;
};

template <class T>
std::vector<T> points(const interval& in, int count) {
  std::mt19937 generator(5);
  const double to = std::min(in.to, static_cast<double>(std::numeric_limits<T>::max()) / 4);
  std::uniform_real_distribution<double> even(in.from, to), exponent(-30 * std::log(10.0), std::log(in.to));
  std::vector<T> result;
  const auto add = [&](double x) {
    if (const T rounded = static_cast<T>(x); rounded >= static_cast<T>(in.from) && rounded <= static_cast<T>(to))
      result.push_back(rounded);
  };
  for (int i = 0; i < count; ++i) {
    add(even(generator));
    // Small and large ones, as many of each order of magnitude.
    const double size = std::exp(exponent(generator));
    add(size), add(-size), add(1 + (size < 1 ? size : -1 / size));
    // The neighbours of multiples of pi/2, where sines and logarithms are small.
    const T multiple = static_cast<T>(i * 1.57079632679489661923L);
    add(multiple), add(-std::nextafter(multiple, T(0)));
  }
  return result;
}

template <class T>
void check_accuracy(const char* name, function<T> f, exact_function exact, const interval& in, double bound) {
  std::vector<T> x = points<T>(in, 400);
  x.resize((x.size() + width<T> - 1) / width<T> * width<T>, x.front());
  double worst = 0;
  T at = x.front();
  for (std::size_t i = 0; i < x.size(); i += width<T>) {
    std::array<T, width<T>> y;
    simd::store<T>(f(simd::load(&x[i])), y.data());
    for (std::size_t lane = 0; lane < width<T>; ++lane)
      // NaN counts as far away.
      if (const double off = ulps(y[lane], exact(static_cast<double>(x[i + lane]))); !(off <= worst))
        worst = off, at = x[i + lane];
  }
  BOOST_CHECK_MESSAGE(worst <= bound, name << " of " << name_of<T> << " is off by " << worst << " ulp at " << at
                                           << ", bound " << bound);
  BOOST_TEST_MESSAGE(name << ' ' << name_of<T> << ' ' << worst);
}

/// Arguments whose results are NaN, infinite, zero, subnormal or next to the ends of a range, for any function.
template <class T>
std::vector<T> special_points() {
  using limits = std::numeric_limits<T>;
  std::vector<T> result{T(0), limits::min(), 2 * limits::min(), T(1e-30), limits::epsilon(), T(0.5), T(1), T(2), T(3)};
  const auto add = [&](auto... numbers) { (result.push_back(static_cast<T>(numbers)), ...); };
  add(std::nextafter(T(1), T(0)), std::nextafter(T(1), T(2)), 2.5, 22, limits::max() / 2, limits::max());
  // Where exponentials and their relatives overflow and where their results are subnormal, for both types.
  add(87.3, 88.4, 88.6, 88.72, 88.73, 89.4, 90, 103.9, 104, 127, 128, 149, 150);
  add(708.3, 708.5, 709.5, 709.78, 709.79, 710.4, 710.5, 745.1, 745.2, 1023, 1024, 1074, 1075);
  // Where periodic functions go over to the C library.
  add(9999, 10000, 1e5, 1e10, 1e22);
  add(limits::denorm_min(), 3 * limits::denorm_min(), limits::min() / 2, std::nextafter(limits::min(), T(0)));
  add(limits::infinity(), limits::quiet_NaN());
  for (std::size_t i = result.size(); i-- > 0;) result.push_back(-result[i]);
  return result;
}

/// In each lane the value of the scalar function, and that of the ordinary neighbours beside it.
template <class T>
void check_lanes(const char* name, function<T> f, const std::function<T(T)>& scalar, double bound) {
  const T ordinary = T(0.75);
  for (const T x : special_points<T>()) {
    const T expected = scalar(x);
    for (std::size_t lane = 0; lane < width<T>; ++lane) {
      std::array<T, width<T>> in, out;
      in.fill(ordinary);
      in[lane] = x;
      simd::store<T>(f(simd::load(in.data())), out.data());
      for (std::size_t i = 0; i < width<T>; ++i)
        BOOST_CHECK_MESSAGE(
            agree(out[i], i == lane ? expected : scalar(ordinary), bound + 1),
            name << " of " << name_of<T> << " in lane " << i << ": " << out[i] << " for the argument " << in[i]);
    }
  }
}

/// n numbers as a loop takes them, whole lanes and a tail: each result as alone, and nothing written behind.
template <class T>
void check_lengths(const char* name, function<T> f, const interval& in) {
  const std::vector<T> all = points<T>(in, 4 * static_cast<int>(width<T>) + 2);
  for (std::size_t n = 0; n <= 2 * width<T> + 1; ++n) {
    const std::vector<T> x(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<T> y(n + width<T>, T(-7));
    std::size_t i = 0;
    for (; i + width<T> <= n; i += width<T>) simd::store<T>(f(simd::load(x.data() + i)), y.data() + i);
    if (i < n) simd::store_first<T>(f(simd::load_first(x.data() + i, n - i)), y.data() + i, n - i);
    for (std::size_t k = 0; k < y.size(); ++k) {
      std::array<T, width<T>> alone{T(-7)};
      if (k < n) simd::store<T>(f(simd::lanes_t<T>(x[k])), alone.data());
      BOOST_CHECK_MESSAGE(agree(y[k], alone[0], 1.0),
                          name << " of " << name_of<T> << ": element " << k << " of " << n << " is " << y[k]);
    }
  }
}

template <class T>
void check(const char* name, function<T> f, const std::function<T(T)>& scalar, exact_function exact, interval in,
           double bound) {
  check_accuracy<T>(name, f, exact, in, bound);
  check_lanes<T>(name, f, scalar, bound);
  check_lengths<T>(name, f, in);
}

#define CHECK_VALUE(NAME, LANES, SCALAR, FROM, TO, DOUBLE_BOUND, FLOAT_BOUND)                                          \
  {                                                                                                                    \
    check<double>(                                                                                                     \
        #NAME, [](const simd::lanes_t<double>& x) -> simd::lanes_t<double> { return LANES; },                          \
        [](double x) { return SCALAR; }, reference::NAME, {FROM, TO}, DOUBLE_BOUND);                                   \
    check<float>(                                                                                                      \
        #NAME, [](const simd::lanes_t<float>& x) -> simd::lanes_t<float> { return LANES; },                            \
        [](float x) { return SCALAR; }, reference::NAME, {FROM, TO}, FLOAT_BOUND);                                     \
  }

template <class T>
std::array<T, width<T>> row(const simd::lanes_t<T>& x) {
  std::array<T, width<T>> result;
  simd::store<T>(x, result.data());
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(functions_of_one_number){
    TAPELESS_TEST_FUNCTIONS(CHECK_VALUE)
        CHECK_VALUE(digamma, operation::Polygamma<0>::value(x), math::polygamma<0>(x), 1e-30, 100, 3, 1)
            CHECK_VALUE(trigamma, operation::Polygamma<1>::value(x), math::polygamma<1>(x), 1e-15, 100, 4, 1)}

BOOST_AUTO_TEST_CASE(functions_of_two_numbers) {
  const auto run = []<class T>(const char* name, function_of_two<T> f, const std::function<T(T, T)>& scalar,
                               long double (*exact)(double, double), const interval& in, double bound) {
    const std::vector<T> a = points<T>(in, 200);
    double worst = 0;
    std::array<T, width<T>> x, y, z;
    const auto compute = [&] { simd::store<T>(f(simd::load(x.data()), simd::load(y.data())), z.data()); };
    for (std::size_t i = 0; i + 2 * width<T> <= a.size(); i += width<T>) {
      for (std::size_t k = 0; k < width<T>; ++k) x[k] = a[i + k], y[k] = a[a.size() - 1 - i - k] / 4;
      compute();
      for (std::size_t k = 0; k < width<T>; ++k) {
        const long double expected = exact(static_cast<double>(x[k]), static_cast<double>(y[k]));
        if (std::fabs(expected) < static_cast<long double>(std::numeric_limits<T>::max())) {
          const double off = ulps(z[k], expected);
          BOOST_CHECK_MESSAGE(off <= bound, name << " of " << name_of<T> << ": " << x[k] << ", " << y[k] << " gives "
                                                 << z[k] << ", off by " << off << " ulp");
          worst = std::max(worst, off);
        }
      }
    }
    BOOST_TEST_MESSAGE(name << ' ' << name_of<T> << ' ' << worst);
    for (const T first : special_points<T>())
      for (const T second : special_points<T>()) {
        const T expected = scalar(first, second);
        x.fill(T(0.5)), y.fill(T(0.5));
        x.back() = first, y.back() = second;
        compute();
        BOOST_CHECK_MESSAGE(agree(z.back(), expected, bound),
                            name << " of " << name_of<T> << ": " << first << ", " << second << " gives " << z.back());
      }
  };
#define CHECK_FUNCTION_OF_TWO(NAME, FROM, TO, DOUBLE_BOUND, FLOAT_BOUND)                                               \
  {                                                                                                                    \
    run.operator()<double>(                                                                                            \
        #NAME, [](const auto& x, const auto& y) { return math::NAME(x, y); },                                          \
        [](double x, double y) { return std::NAME(x, y); }, reference::NAME, {FROM, TO}, DOUBLE_BOUND);                \
    run.operator()<float>(                                                                                             \
        #NAME, [](const auto& x, const auto& y) { return math::NAME(x, y); },                                          \
        [](float x, float y) { return std::NAME(x, y); }, reference::NAME, {FROM, TO}, FLOAT_BOUND);                   \
  }
  CHECK_FUNCTION_OF_TWO(pow, 0, 30, 1, 1)
  CHECK_FUNCTION_OF_TWO(atan2, -1e30, 1e30, 2.5, 3)
  CHECK_FUNCTION_OF_TWO(hypot, -1e30, 1e30, 2, 1.5)

  // Among ordinary numbers one whose squares leave the range: each lane as if it were alone.
  const auto alone = []<class T>(const char* name, function_of_two<T> f, const std::function<T(T, T)>& scalar) {
    std::array<T, width<T>> x, y, z;
    for (const T first : special_points<T>())
      for (const T second : special_points<T>()) {
        x.fill(T(0.5)), y.fill(T(-3));
        x.back() = first, y.back() = second;
        simd::store<T>(f(simd::load(x.data()), simd::load(y.data())), z.data());
        const T expected = scalar(first, second), other = scalar(T(0.5), width<T> > 1 ? T(-3) : second);
        BOOST_CHECK_MESSAGE(agree(z.back(), expected, 1) && (width<T> == 1 || agree(z.front(), other, 1)),
                            name << " of " << name_of<T> << ": " << first << ", " << second << " gives " << z.back());
      }
  };
#define CHECK_ALONE(NAME)                                                                                              \
  alone.operator()<double>(                                                                                            \
      #NAME, [](const auto& x, const auto& y) { return math::NAME(x, y); },                                            \
      [](double x, double y) { return math::NAME(x, y); });                                                            \
  alone.operator()<float>(                                                                                             \
      #NAME, [](const auto& x, const auto& y) { return math::NAME(x, y); },                                            \
      [](float x, float y) { return math::NAME(x, y); });
  CHECK_ALONE(norm)
  CHECK_ALONE(over_squares)
}

// Negative bases, and results beyond the range of normal numbers, of which glibc's vector function would compute each
// by itself: against the C library's function of the next type, side by side with ordinary lanes.
BOOST_AUTO_TEST_CASE(powers) {
  const auto run = []<class T, class Wider>(T, Wider) {
    std::array<T, width<T>> x, y, z;
    std::mt19937 random(7);
    const auto between = [&](T low, T high) { return std::uniform_real_distribution<T>(low, high)(random); };
    const auto check = [&](double bound) {
      simd::store<T>(math::pow(simd::load(x.data()), simd::load(y.data())), z.data());
      for (std::size_t k = 0; k < width<T>; ++k) {
        const Wider exact = std::pow(static_cast<Wider>(x[k]), static_cast<Wider>(y[k]));
        const T expected = static_cast<T>(exact);
        const bool near = std::isnan(expected) ? std::isnan(z[k])
                                               : std::signbit(z[k]) == std::signbit(expected) &&
                                                     (std::isinf(expected) ? z[k] == expected
                                                                           : tapeless_test::ulps(z[k], exact) <= bound);
        BOOST_CHECK_MESSAGE(near, x[k] << "^" << y[k] << " gives " << z[k] << ", not " << expected);
      }
    };
    const T steep = std::numeric_limits<T>::max_exponent / T(8);
    for (int i = 0; i < 4000; ++i) {
      // Integers and halves; one lane of several is positive.
      for (std::size_t k = 0; k < width<T>; ++k)
        x[k] = between(-3, T(0.5)), y[k] = std::round(between(-20, 20) * (k % 3 ? 1 : 2)) / (k % 3 ? 1 : 2);
      check(1);
      // Subnormal results, zero and infinity.
      for (std::size_t k = 0; k < width<T>; ++k)
        x[k] = std::exp2(between(-9, -7)) * (k % 2 ? 1 : -1),
        y[k] = std::round(between(steep * T(0.8), steep * T(1.4)));
      check(2);
      for (std::size_t k = 0; k < width<T>; ++k) y[k] = -y[k];
      check(2);
    }
  };
  run(1.0, 1.0L);
  run(1.0f, 1.0);
}

BOOST_AUTO_TEST_CASE(slope_of_tanh) {
  const auto run = []<class T>(T step) {
    std::array<T, width<T>> x, slope;
    for (T from = -20; from < 20; from += step) {
      for (std::size_t k = 0; k < width<T>; ++k) x[k] = k % 2 ? from : -from / 16;
      const auto loaded = simd::load(x.data());
      simd::store<T>(math::tanh_slope(loaded, math::tanh(loaded)), slope.data());
      for (std::size_t k = 0; k < width<T>; ++k) {
        const long double cosh = std::cosh(static_cast<long double>(x[k]));
        BOOST_CHECK_MESSAGE(ulps(slope[k], 1 / (cosh * cosh)) <= 70, "slope of tanh of " << x[k] << ": " << slope[k]);
      }
    }
  };
  run(0.0625);
  run(0.0625f);
}

namespace {

template <class T>
void check_exact_operations() {
  using V = simd::lanes_t<T>;
  using limits = std::numeric_limits<T>;
  const auto same = [](const V& computed, T expected, const char* what) {
    for (const T x : row<T>(computed))
      BOOST_CHECK_MESSAGE(agree(x, expected, 0), what << " of " << name_of<T> << ": " << x << ", not " << expected);
  };
  for (const T a : special_points<T>()) {
    const V va = a;
    same(math::abs(va), std::abs(a), "abs");
    same(math::floor(va), std::floor(a), "floor");
    same(math::ceil(va), std::ceil(a), "ceil");
    same(math::round(va), std::round(a), "round");
    same(-va, -a, "negation");
    for (const T b : special_points<T>()) {
      const V vb = b;
      same(math::select(va < vb, va, vb), a < b ? a : b, "less");
      same(math::select(va <= vb, va, vb), a <= b ? a : b, "less or equal");
      same(math::select(va > vb, va, vb), a > b ? a : b, "greater");
      same(math::select(va >= vb, va, vb), a >= b ? a : b, "greater or equal");
      same(math::select(va == vb, va, vb), a == b ? a : b, "equal");
      same(math::select(va != vb, va, vb), a != b ? a : b, "not equal");
      same(math::select(!(va < vb) && (va > T(1) || vb < T(1)), va, vb), !(a < b) && (a > 1 || b < 1) ? a : b, "logic");
      BOOST_TEST(simd::any(va < vb) == (a < b));
      // Of zeros of different sign either is the larger.
      if (a != 0 || b != 0) {
        same(math::larger(va, vb), a > b || std::isnan(a) ? a : b, "larger");
        same(math::smaller(va, vb), a < b || std::isnan(a) ? a : b, "smaller");
      }
      same(va + vb, a + b, "sum");
      same(va - vb, a - b, "difference");
      same(va * vb, a * b, "product");
      same(va / vb, a / b, "quotient");
    }
  }
#ifdef TAPELESS_HAS_XSIMD
  for (const T a : special_points<T>())
    same(simd::clamp_lanes(V(a), V(T(-2)), V(T(3))), std::isnan(a) ? a : std::min(std::max(a, T(-2)), T(3)), "clamp");
#endif
  // With one rounding or two.
  const T a = 1 + limits::epsilon(), c = -1;
  const auto either = [&](const V& computed, T expected) {
    for (const T x : row<T>(computed)) BOOST_TEST(ulps(x, expected) <= 1 / static_cast<double>(limits::epsilon()));
  };
  either(simd::multiply_add(V(a), V(a), V(c)), 2 * limits::epsilon());
  either(simd::multiply_subtract(V(a), V(a), V(-c)), 2 * limits::epsilon());
  either(simd::subtract_product(V(a), V(a), V(-c)), -2 * limits::epsilon());
  // Next to 0 / 1e-310 the inverse is infinite.
  const T subnormal = limits::denorm_min() * 4;
  same(math::times_inverse(V(T(0)), V(subnormal), V(T(1)) / V(subnormal)), 0, "times_inverse");
  same(math::times_inverse(V(subnormal), V(-subnormal), V(T(-1)) / V(subnormal)), -1, "times_inverse");
  same(math::times_inverse(V(T(6)), V(T(2)), V(T(0.5))), 3, "times_inverse");
  same(simd::multiply_add(V(T(2)), V(T(3)), V(T(4))), 10, "multiply_add");
  same(simd::multiply_subtract(V(T(2)), V(T(3)), V(T(4))), 2, "multiply_subtract");
  same(simd::subtract_product(V(T(2)), V(T(3)), V(T(4))), -2, "subtract_product");
}

template <class T>
void check_memory() {
  constexpr std::size_t most = 3 * width<T>;
  for (std::size_t n = 0; n <= width<T>; ++n) {
    // Exactly as many elements as are read: a sanitizer sees more.
    std::vector<T> one_by_one, strided;
    for (std::size_t i = 0; i < n; ++i) one_by_one.push_back(static_cast<T>(i + 2));
    for (std::size_t i = 0; i < n; ++i) strided.insert(strided.end(), {static_cast<T>(i + 2), T(-1), T(-1)});
    const auto first = row<T>(n > 0 || width<T> > 1 ? simd::load_first(one_by_one.data(), n) : T(1));
    const auto apart = row<T>(n > 0 || width<T> > 1 ? simd::load_strided(strided.data(), 3, n) : T(1));
    std::vector<T> ones(width<T>, T(0));
    simd::store<T>(math::select(simd::first<T>(n), simd::lanes_t<T>(T(1)), simd::lanes_t<T>(T(0))), ones.data());
    for (std::size_t i = 0; i < width<T>; ++i) {
      BOOST_TEST(first[i] == (i < n ? static_cast<T>(i + 2) : T(1)));
      BOOST_TEST(apart[i] == first[i]);
      if (width<T> > 1) BOOST_TEST(ones[i] == (i < n ? T(1) : T(0)));
    }
    if (width<T> == 1 && n == 0) continue;
    const T* const last = n > 0 ? &strided[3 * (n - 1)] : nullptr;
    const auto backwards = row<T>(simd::load_strided(last, -3, n)),
               contiguous = row<T>(simd::load_strided(one_by_one.data(), 1, n)),
               far =
                   row<T>(simd::load_strided(one_by_one.data(), std::ptrdiff_t(1) << 40, std::min<std::size_t>(n, 1)));
    for (std::size_t i = 0; i < n; ++i) {
      BOOST_TEST(contiguous[i] == first[i]);
      BOOST_TEST(backwards[i] == first[n - 1 - i]);
      BOOST_TEST(row<T>(simd::load_strided(last, 0, n))[i] == first[n - 1]);
    }
    if (n > 0) BOOST_TEST(far[0] == first[0]);
    std::vector<T> to(most, T(-7));
    simd::store_first<T>(simd::lanes_t<T>(T(4)), to.data(), n);
    for (std::size_t i = 0; i < most; ++i) BOOST_TEST(to[i] == (i < n ? T(4) : T(-7)));
    std::fill(to.begin(), to.end(), T(-7));
    simd::store_strided<T>(simd::lanes_t<T>(T(4)), to.data(), 1, n);
    for (std::size_t i = 0; i < most; ++i) BOOST_TEST(to[i] == (i < n ? T(4) : T(-7)));
    std::fill(to.begin(), to.end(), T(-7));
    simd::store_strided<T>(simd::lanes_t<T>(T(4)), to.data(), 2, n);
    for (std::size_t i = 0; i < most; ++i) BOOST_TEST(to[i] == (i % 2 == 0 && i < 2 * n ? T(4) : T(-7)));
  }
  std::vector<T> numbers(width<T>);
  for (std::size_t i = 0; i < width<T>; ++i) numbers[i] = static_cast<T>(i + 1);
  BOOST_TEST(simd::add_lanes<T>(simd::load(numbers.data())) == static_cast<T>(width<T> * (width<T> + 1) / 2));
  BOOST_TEST(simd::combine_lanes<T>(simd::load(numbers.data()), [](T a, T b) { return std::max(a, b); }) ==
             static_cast<T>(width<T>));
}

}  // namespace

BOOST_AUTO_TEST_CASE(exact_operations) {
  check_exact_operations<double>();
  check_exact_operations<float>();
}

BOOST_AUTO_TEST_CASE(memory) {
  check_memory<double>();
  check_memory<float>();
}
