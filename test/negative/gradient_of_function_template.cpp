// expect: give gradient a lambda
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;

template <class T>
T f(T a) {
  return a * a;
}
const auto g = gradient(f)(1.0);
