// SPDX-License-Identifier: BSL-1.0
// Elementary functions inside constant evaluation, by the compiler's default limits. Compiling is passing.
// Expected values: mpmath 1.3 at 60 digits, rounded to 36.
#include <tapeless/math/constexpr_math.hpp>

#include <limits>

namespace m = tapeless::constexpr_math;

namespace {

template <class T>
using limits = std::numeric_limits<T>;

/// Within two units in the last place, absolute where the value is subnormal.
template <class T>
constexpr bool near(T got, long double expected) {
  const long double unit = limits<T>::epsilon() * m::abs(expected) + limits<T>::denorm_min();
  return m::abs(static_cast<long double>(got) - expected) <= 2 * unit;
}

/// Equal, with equal signs of zero; NaN equals NaN.
template <class T>
constexpr bool same(T a, T b) {
  return (m::isnan(a) && m::isnan(b)) || (a == b && m::signbit(a) == m::signbit(b));
}

template <class T>
constexpr bool check_values() {
  if (!near(m::sqrt(T(2)), 1.41421356237309504880168872420969808L)) return false;
  if (!near(m::sqrt(T(0.15625)), 0.395284707521047416499861693054089817L)) return false;
  if (!near(m::cbrt(T(2)), 1.25992104989487316476721060727822835L)) return false;
  if (!near(m::cbrt(T(-0.15625)), -0.538608672507970930439823391829637623L)) return false;
  if (!near(m::exp(T(1)), 2.7182818284590452353602874713526625L)) return false;
  if (!near(m::exp(T(-20.5)), 1.25015286638674262893755311923122218e-9L)) return false;
  if (!near(m::exp(T(40.25)), 3.0224066533255980370720284349268191e+17L)) return false;
  if (!near(m::exp2(T(0.5)), 1.41421356237309504880168872420969808L)) return false;
  if (!near(m::exp2(T(-30.75)), 5.53767716047689815385965616703255063e-10L)) return false;
  if (!near(m::expm1(T(0x1p-20)), 9.53674771153745446788249556874283652e-7L)) return false;
  if (!near(m::expm1(T(1)), 1.7182818284590452353602874713526625L)) return false;
  if (!near(m::expm1(T(-0.375)), -0.31271072120902780145479766085348641L)) return false;
  if (!near(m::expm1(T(-30)), -0.999999999999906423770311598253950842L)) return false;
  if (!near(m::log(T(10)), 2.30258509299404568401799145468436421L)) return false;
  if (!near(m::log(T(0.984375)), -0.0157483569681391686075495114608282695L)) return false;
  if (!near(m::log(T(0x1p-100)), -69.3147180559945309417232121458176568L)) return false;
  if (!near(m::log2(T(10)), 3.32192809488736234787031942948939018L)) return false;
  if (!near(m::log2(T(1.0009765625)), 1.40819439280838890661016650168905242e-3L)) return false;
  if (!near(m::log10(T(0.3125)), -0.505149978319905976068694473622465134L)) return false;
  if (!near(m::log10(T(1.0009765625)), 4.23908751961151944545113274264478312e-4L)) return false;
  if (!near(m::log1p(T(0x1p-20)), 9.53673861659188233908415514963336144e-7L)) return false;
  if (!near(m::log1p(T(-0.984375)), -4.15888308335967185650339272874905941L)) return false;
  if (!near(m::log1p(T(5)), 1.79175946922805500081247735838070227L)) return false;
  if (!near(m::sin(T(1)), 0.841470984807896506652502321630299L)) return false;
  if (!near(m::sin(T(-3.125)), -0.0165918922293479043199048023892124122L)) return false;
  if (!near(m::sin(T(0x1.0000080000000p+20)), 0.742520864092771863655327632426650491L)) return false;
  if (!near(m::sin(T(0x1p+120)), 0.377820109360752022655548470056922992L)) return false;
  if (!near(m::cos(T(1)), 0.540302305868139717400936607442976604L)) return false;
  if (!near(m::cos(T(-3.125)), -0.999862345081686584378233812202238285L)) return false;
  if (!near(m::cos(T(0x1.0000080000000p+20)), 0.669822936593636971940372898185111074L)) return false;
  if (!near(m::cos(T(0x1p+120)), -0.925879022854837867303861764107414947L)) return false;
  if (!near(m::tan(T(1)), 1.55740772465490223050697480745836017L)) return false;
  if (!near(m::tan(T(-3.125)), 0.0165941764993584019019164660195665548L)) return false;
  if (!near(m::tan(T(0x1.0000080000000p+20)), 1.10853305183730773212401291502421325L)) return false;
  if (!near(m::tan(T(0x1p+120)), -0.408066388841804238545143494525595118L)) return false;
  if (!near(m::asin(T(0.5)), 0.523598775598298873077107230546583814L)) return false;
  if (!near(m::asin(T(-0.9921875)), -1.44571480320191383763011841784698992L)) return false;
  if (!near(m::acos(T(0.5)), 1.04719755119659774615421446109316763L)) return false;
  if (!near(m::acos(T(-0.9921875)), 3.01651112999681045686144010948674136L)) return false;
  if (!near(m::acos(T(0.9921875)), 0.12508152359298278160120327379276152L)) return false;
  if (!near(m::atan(T(0.125)), 0.124354994546761435031354849163871026L)) return false;
  if (!near(m::atan(T(-1)), -0.785398163397448309615660845819875721L)) return false;
  if (!near(m::atan(T(1000)), 1.5697963271282297525647978820048309L)) return false;
  if (!near(m::sinh(T(1)), 1.17520119364380145688238185059560082L)) return false;
  if (!near(m::sinh(T(-0.0625)), -0.0625406980521918217218398850102922943L)) return false;
  if (!near(m::sinh(T(30)), 5.34323729076223107349523427858258598e+12L)) return false;
  if (!near(m::cosh(T(1)), 1.54308063481524377847790562075706168L)) return false;
  if (!near(m::cosh(T(-0.0625)), 1.00195376086566760784155070963259738L)) return false;
  if (!near(m::cosh(T(30)), 5.34323729076223107349523437215881567e+12L)) return false;
  if (!near(m::tanh(T(1)), 0.76159415595576488811945828260479359L)) return false;
  if (!near(m::tanh(T(-0.0625)), -0.0624187467475125144901428911942113341L)) return false;
  if (!near(m::tanh(T(5)), 0.999909204262595131210990447534473021L)) return false;
  if (!near(m::asinh(T(1)), 0.881373587019543025232609324979792309L)) return false;
  if (!near(m::asinh(T(-0.0625)), -0.0624593812555403088032090969419910779L)) return false;
  if (!near(m::asinh(T(0x1p+80)), 56.144921625355570062795801838112302L)) return false;
  if (!near(m::acosh(T(1.0009765625)), 0.0441905780831100944299637635287994671L)) return false;
  if (!near(m::acosh(T(2)), 1.31695789692481670862504634730796844L)) return false;
  if (!near(m::acosh(T(0x1p+80)), 56.144921625355570062795801838112302L)) return false;
  if (!near(m::atanh(T(0.5)), 0.549306144334054845697622618461262852L)) return false;
  if (!near(m::atanh(T(-0.0625)), -0.0625815714770030071267650238622065957L)) return false;
  if (!near(m::atanh(T(0.9921875)), 2.77063177257921307312276959401091994L)) return false;
  if (!near(m::erf(T(0.0625)), 0.0704319777223870780505900559232967439L)) return false;
  if (!near(m::erf(T(-1)), -0.842700792949714869341220635082609259L)) return false;
  if (!near(m::erf(T(1.875)), 0.991990057670119970296463059691224402L)) return false;
  if (!near(m::erf(T(3)), 0.99997790950300141455862722387041768L)) return false;
  if (!near(m::erfc(T(0.5)), 0.479500122186953462317253346108035471L)) return false;
  if (!near(m::erfc(T(1.875)), 8.00994232988002970353694030877559753e-3L)) return false;
  if (!near(m::erfc(T(2.125)), 2.65402935948234153067318818509329901e-3L)) return false;
  if (!near(m::erfc(T(9)), 4.1370317465138102380539034673625246e-37L)) return false;
  if (!near(m::erfc(T(-1)), 1.84270079294971486934122063508260926L)) return false;
  if (!near(m::lgamma(T(0.0625)), 2.73963162194620341858572965008223209L)) return false;
  if (!near(m::lgamma(T(1.0009765625)), -5.62903179991204631702149921685145028e-4L)) return false;
  if (!near(m::lgamma(T(1.5)), -0.120782237635245222345518445781647212L)) return false;
  if (!near(m::lgamma(T(1.9990234375)), -4.12567735971489401710617623969670433e-4L)) return false;
  if (!near(m::lgamma(T(7.25)), 7.05218545073853944492574925313301025L)) return false;
  if (!near(m::lgamma(T(100)), 359.13420536957539877604401046028691L)) return false;
  if (!near(m::pow(T(2.5), T(-3.25)), 0.0508973266410912425711275312401186067L)) return false;
  if (!near(m::pow(T(0.0625), T(7.5)), 9.31322574615478515625e-10L)) return false;
  if (!near(m::pow(T(-1.5), T(21)), -4987.885095119476318359375L)) return false;
  if (!near(m::hypot(T(1.5), T(-2.25)), 2.70416345659799196983941595060287196L)) return false;
  if (!near(m::hypot(T(0x1.p+100), T(0x1.p+99)), 1.41727645691436568236881372928580805e+30L)) return false;
  if (!near(m::atan2(T(1), T(-2)), 2.67794504458898712224838715181828848L)) return false;
  if (!near(m::atan2(T(-3), T(0.0625)), -1.54996600675867953427823581338689203L)) return false;
  return true;
}

template <class T>
constexpr bool check_special() {
  constexpr T inf = m::infinity<T>, nan = m::not_a_number<T>, zero = 0, one = 1;
  constexpr T max = limits<T>::max(), min = limits<T>::denorm_min();
  bool ok = true;
  const auto expect = [&ok](T got, T expected) { ok = ok && same(got, expected); };

  expect(m::add(inf, -inf), nan), expect(m::add(inf, -max), inf), expect(m::add(max, max), inf);
  expect(m::add(-max, -max), -inf), expect(m::add(max, -max), zero), expect(m::add(nan, one), nan);
  expect(m::add(-zero, -zero), -zero), expect(m::add(-zero, zero), zero), expect(m::add(min, min), 2 * min);
  expect(m::add(max, max * limits<T>::epsilon() / 8), max), expect(m::add(max, max * limits<T>::epsilon()), inf);
  expect(m::subtract(inf, inf), nan), expect(m::subtract(one, inf), -inf), expect(m::subtract(max, -max), inf);
  expect(m::subtract(one, nan), nan), expect(m::subtract(zero, zero), zero), expect(m::subtract(-zero, zero), -zero);
  expect(m::multiply(inf, zero), nan), expect(m::multiply(-inf, one), -inf), expect(m::multiply(max, max), inf);
  expect(m::multiply(max, -2 * one), -inf), expect(m::multiply(min, min), zero), expect(m::multiply(-min, min), -zero);
  expect(m::multiply(nan, zero), nan), expect(m::multiply(max, one), max), expect(m::multiply(inf, min), inf);
  expect(m::multiply(limits<T>::min(), one / 2), limits<T>::min() / 2), expect(m::multiply(max, min), max * min);
  expect(m::divide(one, zero), inf), expect(m::divide(one, -zero), -inf), expect(m::divide(zero, zero), nan);
  expect(m::divide(inf, inf), nan), expect(m::divide(one, min), inf), expect(m::divide(-max, one / 2), -inf);
  expect(m::divide(one, inf), zero), expect(m::divide(-one, inf), -zero), expect(m::divide(inf, zero), inf);
  const T top_power = m::exp2(T(limits<T>::max_exponent - 1));
  expect(m::divide(top_power, one / 2), inf), expect(m::divide(top_power, -one), -top_power);
  expect(m::divide(max / 2, one / 2), max), expect(m::multiply(top_power, 2 * one), inf);
  expect(m::divide(max, max), one), expect(m::divide(min, 2 * one), zero), expect(m::divide(nan, zero), nan);
  expect(m::divide(min, min), one), expect(m::divide(max, one), max), expect(m::divide(-inf, -one), inf);

  expect(m::abs(-zero), zero), expect(m::abs(-inf), inf), expect(m::abs(nan), nan);
  expect(m::floor(T(-0.5)), -one), expect(m::floor(T(2.5)), 2 * one), expect(m::floor(-zero), -zero);
  expect(m::floor(inf), inf), expect(m::floor(nan), nan), expect(m::floor(-min), -one), expect(m::floor(max), max);
  expect(m::ceil(T(-0.5)), -zero), expect(m::ceil(T(2.5)), 3 * one), expect(m::ceil(min), one),
      expect(m::ceil(nan), nan);
  expect(m::trunc(T(-2.5)), -2 * one), expect(m::trunc(T(-0.5)), -zero), expect(m::trunc(-inf), -inf);
  expect(m::round(T(2.5)), 3 * one), expect(m::round(T(-2.5)), -3 * one), expect(m::round(T(-0.4)), -zero);
  expect(m::round(one / 2 - limits<T>::epsilon() / 4), zero), expect(m::round(inf), inf), expect(m::round(nan), nan);
  expect(m::copysign(nan, -one), nan), expect(m::copysign(one, -zero), -one);

  expect(m::sqrt(-one), nan), expect(m::sqrt(-zero), -zero), expect(m::sqrt(inf), inf), expect(m::sqrt(T(9)), 3 * one);
  expect(m::cbrt(T(-27)), -3 * one), expect(m::cbrt(-zero), -zero), expect(m::cbrt(-inf), -inf);
  expect(m::hypot(nan, -inf), inf), expect(m::hypot(nan, one), nan), expect(m::hypot(T(-3), T(4)), 5 * one);
  expect(m::hypot(max, max), inf), expect(m::hypot(min, zero), min), expect(m::hypot(3 * min, 4 * min), 5 * min);
  expect(m::exp(inf), inf), expect(m::exp(-inf), zero), expect(m::exp(max), inf), expect(m::exp(-max), zero);
  expect(m::exp(-zero), one), expect(m::exp(min), one), expect(m::exp(nan), nan);
  expect(m::exp2(T(10)), T(1024)), expect(m::exp2(T(limits<T>::max_exponent)), inf), expect(m::exp2(-inf), zero);
  expect(m::exp2(T(limits<T>::min_exponent - limits<T>::digits)), min), expect(m::exp2(nan), nan);
  expect(m::expm1(-inf), -one), expect(m::expm1(inf), inf), expect(m::expm1(-zero), -zero), expect(m::expm1(min), min);
  expect(m::log(zero), -inf), expect(m::log(-zero), -inf), expect(m::log(-one), nan), expect(m::log(inf), inf);
  expect(m::log(one), zero), expect(m::log2(T(8)), 3 * one), expect(m::log10(T(1000)), 3 * one);
  expect(m::log2(min), T(limits<T>::min_exponent - limits<T>::digits)), expect(m::log10(zero), -inf);
  expect(m::log1p(-one), -inf), expect(m::log1p(-2 * one), nan), expect(m::log1p(-zero), -zero);
  expect(m::log1p(inf), inf), expect(m::log1p(-inf), nan), expect(m::log(nan), nan);

  expect(m::pow(nan, zero), one), expect(m::pow(one, nan), one), expect(m::pow(nan, one), nan);
  expect(m::pow(-one, inf), one), expect(m::pow(-one, T(3)), -one), expect(m::pow(T(-8), one / 3), nan);
  expect(m::pow(-zero, T(-3)), -inf), expect(m::pow(-zero, T(-2)), inf), expect(m::pow(-zero, T(3)), -zero);
  expect(m::pow(-zero, T(2)), zero), expect(m::pow(-inf, T(3)), -inf), expect(m::pow(-inf, T(-3)), -zero);
  expect(m::pow(zero, one / 2), zero), expect(m::pow(zero, -inf), inf), expect(m::pow(-inf, one / 2), inf);
  expect(m::pow(one / 2, inf), zero), expect(m::pow(one / 2, -inf), inf), expect(m::pow(T(-2), -inf), zero);
  expect(m::pow(T(-2), T(3)), T(-8)), expect(m::pow(T(2), max), inf), expect(m::pow(T(2), -max), zero);
  expect(m::pow(max, 2 * one), inf), expect(m::pow(-max, T(3)), -inf),
      expect(m::pow(one + limits<T>::epsilon(), max), inf);

  expect(m::sin(inf), nan), expect(m::cos(-inf), nan), expect(m::tan(inf), nan), expect(m::sin(nan), nan);
  expect(m::sin(-zero), -zero), expect(m::sin(min), min), expect(m::tan(-zero), -zero), expect(m::cos(-zero), one);
  expect(m::asin(2 * one), nan), expect(m::acos(-2 * one), nan), expect(m::acos(one), zero),
      expect(m::asin(-zero), -zero);
  expect(m::atan2(zero, one), zero), expect(m::atan2(-zero, one), -zero), expect(m::atan2(min, max), zero);
  expect(m::atan2(nan, one), nan), expect(m::atan2(one, inf), zero), expect(m::atan2(-one, inf), -zero);
  expect(m::atan2(zero, -zero), m::acos(-one)), expect(m::atan2(-zero, -one), -m::acos(-one));
  expect(m::atan2(zero, zero), zero), expect(m::atan2(one, -zero), m::asin(one)),
      expect(m::atan2(-one, -inf), -m::acos(-one));
  expect(m::atan2(inf, -max), m::asin(one)), expect(m::atan(-inf), -m::asin(one)), expect(m::atan(-zero), -zero);
  expect(m::atan2(inf, inf), m::atan(one)), expect(m::atan2(-max, -min), -m::asin(one)), expect(m::atan(nan), nan);
  expect(m::sinh(-inf), -inf), expect(m::sinh(max), inf), expect(m::sinh(-zero), -zero), expect(m::cosh(-inf), inf);
  expect(m::cosh(max), inf), expect(m::cosh(zero), one), expect(m::tanh(-inf), -one), expect(m::tanh(max), one);
  expect(m::asinh(-inf), -inf), expect(m::asinh(-zero), -zero), expect(m::acosh(one), zero),
      expect(m::acosh(zero), nan);
  expect(m::acosh(inf), inf), expect(m::atanh(one), inf), expect(m::atanh(-one), -inf), expect(m::atanh(2 * one), nan);
  expect(m::atanh(-zero), -zero), expect(m::atanh(inf), nan), expect(m::tanh(nan), nan), expect(m::acosh(nan), nan);
  expect(m::erf(-inf), -one), expect(m::erf(-zero), -zero), expect(m::erfc(inf), zero), expect(m::erfc(-inf), 2 * one);
  expect(m::erfc(zero), one), expect(m::erfc(max), zero), expect(m::erf(nan), nan), expect(m::erfc(nan), nan);
  expect(m::lgamma(one), zero), expect(m::lgamma(2 * one), zero), expect(m::lgamma(zero), inf);
  expect(m::lgamma(-zero), inf), expect(m::lgamma(-3 * one), inf), expect(m::lgamma(-inf), inf);
  expect(m::lgamma(max), inf), expect(m::lgamma(-max), inf), expect(m::lgamma(nan), nan);
  return ok;
}

static_assert(check_values<float>());
static_assert(check_values<double>());
static_assert(check_values<long double>());
static_assert(check_special<float>());
static_assert(check_special<double>());
static_assert(check_special<long double>());

// Gradual underflow.
static_assert(near(m::exp(-740.0), 4.18873988004804893945754e-322L));
static_assert(near(m::pow(2.0, -1073.5), 6.9871433705131320801e-324L));
static_assert(near(m::erfc(27.0), 5.237048923789255685016068e-319L));
static_assert(m::sin(1e300) == -0.8178819121159085 && m::cos(1e22) == 0.52321478539513899);

/// One evaluation with many calls stays within the default limit of the compilers.
constexpr double sum_of_many() {
  double sum = 0;
  for (int i = 0; i < 400; ++i) sum = m::add(sum, m::sin(i * 1e10) + m::pow(1.0 + i, 0.3) + m::erf(i * 0.01));
  return sum;
}
static_assert(sum_of_many() > 1000);

}  // namespace
