// Every operation of numbers, at its sample points and at special values.
#include "cases.hpp"

#include <limits>

using namespace tapeless;

namespace {

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;

/// A name of C for what is emitted of an operation.
template <class Op, char Kind>
constexpr auto name_of() {
  char all[Op::name.size() + 4]{'o', 'p', Kind};
  for (std::size_t i = 0; i < Op::name.size(); ++i) all[i + 3] = Op::name[i];
  return fixed_string(all);
}

template <class Op>
inline constexpr bool has_gradient = !std::is_same_v<Op, operation::Lgamma> && !std::is_same_v<Op, operation::Tgamma>;
template <class Op>
inline constexpr bool has_text = true;
template <int N>
inline constexpr bool has_text<operation::Polygamma<N>> = false;

template <class T, class Op, char Kind>
void check_at(cases& all, const T* point) {
  if constexpr (detail::arity<Op> == 1) {
    constexpr auto f = apply<Op>(x);
    if constexpr (has_gradient<Op>) {
      const auto r = value_and_gradient(f)(x = point[0]);
      all.add<T>(std::string(name_of<Op, Kind>().view()),
                 emit<c99, name_of<Op, Kind>()>(value_and_gradient(f), x = point[0]).text().str(),
                 {r.value, static_cast<T>(r.gradient[x])}, 0.0, "", x = point[0]);
    } else {
      all.add<T>(std::string(name_of<Op, Kind>().view()), emit<c99, name_of<Op, Kind>()>(f, x = point[0]).text().str(),
                 {f(x = point[0])}, 0.0, "", x = point[0]);
    }
  } else {
    constexpr auto f = apply<Op>(x, y);
    const auto r = value_and_gradient(f)(x = point[0], y = point[1]);
    all.add<T>(std::string(name_of<Op, Kind>().view()),
               emit<c99, name_of<Op, Kind>()>(value_and_gradient(f), x = point[0], y = point[1]).text().str(),
               {r.value, static_cast<T>(r.gradient[x]), static_cast<T>(r.gradient[y])}, 0.0, "", x = point[0],
               y = point[1]);
  }
}

template <class T, char Kind, class Op>
void check_operation(cases& all) {
  if constexpr (has_text<Op>) {
    for (const auto& sample : Op::samples) {
      T point[2]{};
      for (std::size_t i = 0; i < detail::arity<Op>; ++i) point[i] = static_cast<T>(sample[i]);
      check_at<T, Op, Kind>(all, point);
    }
    using limits = std::numeric_limits<T>;
    constexpr T special[] = {T(0),
                             -T(0),
                             T(1),
                             T(-1),
                             T(2.5),
                             limits::infinity(),
                             -limits::infinity(),
                             limits::quiet_NaN(),
                             limits::denorm_min(),
                             limits::min(),
                             limits::max(),
                             T(-0.9375)};
    for (const T first : special) {
      if (detail::arity<Op> == 1) {
        const T point[] = {first, T(0)};
        check_at<T, Op, Kind>(all, point);
        continue;
      }
      for (const T second : special) {
        const T point[] = {first, second};
        check_at<T, Op, Kind>(all, point);
      }
    }
  }
}

template <class T, char Kind, class... Ops>
void check_all(cases& all, operation::list<Ops...>) {
  (check_operation<T, Kind, Ops>(all), ...);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  cases all(arguments[1]);
  check_all<double, 'd'>(all, operation::all{});
  check_all<float, 'f'>(all, operation::all{});
}
