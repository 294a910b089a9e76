// What object_file.py must find here, or it would find nothing in stopped.cpp either.
#include <tapeless/tapeless.hpp>

extern "C" double gradient_unstopped(double at) {
  constexpr auto x = tapeless::variable<"x">;
  constexpr auto f = x * sin(x);
  return gradient(f, wrt(x))(x = at)[x];
}
