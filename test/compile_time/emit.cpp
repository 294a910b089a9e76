// What emit writes, as constants: small texts, what stops cut, and that a program of floats has no doubles.
#include <tapeless/emit.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <limits>
#include <string_view>
#include <vector>

using namespace tapeless;

namespace {

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;

static_assert(emit<c99, "product">(value_and_gradient(x * y + 0.5)).text() ==
              R"(/* product: the value and the gradient of x * y + 0.5. Written by tapeless.
   Inputs: x, y.
   Results: value[1], gradient[2]. */
#include <math.h>

void product(const double x, const double y, double *restrict value, double *restrict gradient);

void product(const double x, const double y, double *restrict value, double *restrict gradient)
{
  const double v3 = (x * y) + 0.5;
  value[0U] = v3;
  gradient[0U] = y;
  gradient[1U] = x;
}
)");

// Numbers of other types, and numbers as they are read back: shortly in decimals, else in hexadecimals.
static_assert(detail::c_literal(0.1) == "0.1" && detail::c_literal(0.1f) == "0.1f" && detail::c_literal(3.0) == "3.0");
static_assert(detail::c_literal(-1e-7) == "-1e-7" && detail::c_literal(1.0 / 3) == "0.3333333333333333");
static_assert(detail::c_literal(0.1 + 0.2) == "0x1.3333333333334p-2" &&
              detail::c_literal(1e-300) == "0x1.56e1fc2f8f359p-997");
static_assert(detail::c_literal(5e-324) == "0x0.0000000000001p-1022" && detail::c_literal(-0.0f) == "-0.0f");
static_assert(detail::c_literal(3.4028234663852886e38f) == "0x1.fffffep+127f");
static_assert(detail::c_literal(-detail::infinity_of<double>()) == "-INFINITY");
static_assert(detail::c_literal(std::numeric_limits<float>::quiet_NaN()) == "NAN");

constexpr int count_in(std::string_view text, std::string_view what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++found;
  return found;
}
template <class Emitted>
constexpr int count_in(const Emitted& emitted, std::string_view what) {
  return count_in(emitted.text().view(), what);
}

// Behind a stop nothing is differentiated: the sine is there once, for the value, and no cosine.
static_assert(count_in(emit<c99, "f">(value_and_gradient(x * stop_gradient(sin(y)))), "sin(") ==
              2);  // one in the comment
static_assert(count_in(emit<c99, "f">(value_and_gradient(x * stop_gradient(sin(y)))), "cos(") == 0);
static_assert(count_in(emit<c99, "f">(value_and_gradient(x * stop_gradient(sin(y)))), "const double v") == 2);
static_assert(count_in(emit<c99, "f">(value_and_gradient(x * sin(y))), "const double v") == 4);
// What the result does not need is not computed, nor is a parameter left without a use.
inline constexpr auto cut = [](auto a, auto b) { return stop_gradient(exp(a)) + b; };
static_assert(count_in(emit<c99, "f">(gradient(cut), 1.0, 2.0), "const double v") == 0);
static_assert(count_in(emit<c99, "f">(gradient(cut), 1.0, 2.0), "(void)x") == 2);
// What the signature needs is included, also where nothing reads the vector.
inline constexpr auto ignores = [](auto a, const auto&) { return 2.0 * a; };
static_assert(count_in(emit<c99, "f", double, std::vector<double>>(ignores), "#include <stddef.h>") == 1);
static_assert(count_in(emit<c99, "f", double, std::vector<double>>(ignores), "(void)x1") == 2);
static_assert(count_in(emit<c99, "f", double, double>(ignores), "#include <stddef.h>") == 0);

// Floats: no double, no literal of it, no function of it.
inline constexpr auto of_floats = [](auto a, auto b) {
  return 0.1 * exp(a) * norm(a, b, 2.0) + tanh(b) / 3.0 + max(a, b) + pow(a, b);
};
inline constexpr auto float_text = [] { return emit<c99, "f", float, float>(value_and_hessian(of_floats)).text(); };
constexpr bool has_double_literal(std::string_view text) {
  // The comment is left out.
  for (std::size_t i = text.find("*/"); i < text.size(); ++i) {
    if (text[i] != '.' || text[i - 1] < '0' || text[i - 1] > '9') continue;
    std::size_t end = i + 1;
    while ((text[end] >= '0' && text[end] <= '9') || (text[end] >= 'a' && text[end] <= 'e') || text[end] == 'p' ||
           ((text[end] == '-' || text[end] == '+') && (text[end - 1] == 'e' || text[end - 1] == 'p')))
      ++end;
    if (text[end] != 'f') return true;
  }
  return false;
}
static_assert(count_in(float_text().view(), "double") == 0 && !has_double_literal(float_text().view()));
static_assert(count_in(float_text().view(), "tanhf(") == 1 && count_in(float_text().view(), "expf(") > 0);
static_assert(has_double_literal(emit<c99, "f">(value_and_gradient(of_floats), 1.0, 1.0).text().view()));
// With values or with types, from a verb or from what it is made of, the text is the same; and so it is each time.
static_assert(emit<c99, "f", float, float>(value_and_hessian(of_floats)).text() ==
              emit<c99, "f">(value_and_hessian(of_floats), 2.0f, 1.0f).text().view());
static_assert(emit<c99, "f", double, double>(of_floats).text() ==
              emit<c99, "f">(value(of_floats), 2.0, 1.0).text().view());

// Loops: the number of steps, carries, and what the way back needs in the caller's memory.
inline constexpr auto powers = [](auto a, const auto& u) {
  return scan([&](auto c, auto e) { return c * a + e; }, a, u);
};
static_assert(emit<c99, "powers", double, std::vector<double>>(gradient(powers, wrt<0>)).text() ==
              R"(/* powers: the gradient of a function. Written by tapeless.
   Inputs: x0, x1[x1_length].
   Results: gradient[1]. */
#include <math.h>
#include <stddef.h>

#define powers_scratch(x1_length) ((size_t)(x1_length))

void powers(const double x0, const double *restrict x1, const size_t x1_length,
            double *restrict gradient, double *restrict scratch);

void powers(const double x0, const double *restrict x1, const size_t x1_length,
            double *restrict gradient, double *restrict scratch)
{
  const size_t n5 = x1_length;
  double *const s5_1 = &scratch[0U];
  double c5_0 = x0;
  for (size_t i5 = 0U; i5 < n5; ++i5) {
    s5_1[i5] = c5_0;
    const double v5_0 = c5_0;
    const double v5_1 = x1[i5];
    const double v5_3 = (v5_0 * x0) + v5_1;
    c5_0 = v5_3;
  }
  const size_t n7 = x1_length;
  double c7_0 = 1.0;
  double c7_1 = 0.0;
  for (size_t i7 = 0U; i7 < n7; ++i7) {
    const size_t t7 = n7 - 1U - i7;
    const double v7_0 = c7_0;
    const double v7_1 = c7_1;
    const double v7_3 = s5_1[t7];
    const double v7_4 = v7_0 * x0;
    const double v7_5 = (v7_0 * v7_3) + v7_1;
    c7_0 = v7_4;
    c7_1 = v7_5;
  }
  const double v8 = c7_0;
  const double v9 = c7_1;
  const double v10 = v8 + v9;
  gradient[0U] = v10;
}
)");
// No memory of the heap, no recursion, no arrays of variable length.
inline constexpr auto powers_text = [] {
  return emit<c99, "powers", double, std::vector<double>>(value_and_gradient(powers)).text();
};
static_assert(count_in(powers_text().view(), "alloc") == 0 && count_in(powers_text().view(), "return") == 0);
static_assert(count_in(powers_text().view(), "for (") == 3);

// Kernels: an element of a batch a thread.
static_assert(emit<opencl, "kernel_of", float, std::array<float, 2>>(gradient([](auto a, const auto& p) {
                return a * p[0] * p[1];
              })).text() ==
              R"(/* kernel_of: the gradient of a function. Written by tapeless.
   Inputs: x0, x1[2].
   Results: gradient[3]. */

__kernel void kernel_of(const ulong count, __global const float *restrict x0,
                        __global const float *restrict x1, __global float *restrict gradient)
{
  const size_t i = get_global_id(0);
  if (i < count) {
    const float v0 = x0[i];
    const float v1 = x1[i];
    const float v2 = x1[(1U * count) + i];
    const float v3 = v0 * v1;
    const float v4 = v1 * v2;
    const float v5 = v0 * v2;
    gradient[i] = v4;
    gradient[(1U * count) + i] = v5;
    gradient[(2U * count) + i] = v3;
  }
}
)");
static_assert(emit<cuda, "kernel_of", double>(value([](auto a) { return a * a; })).text() ==
              R"(/* kernel_of: the value of a function. Written by tapeless.
   Inputs: x0.
   Results: value[1]. */

extern "C" __global__ void kernel_of(const size_t count, const double *__restrict__ x0,
                                     double *__restrict__ value)
{
  const size_t i = ((size_t)blockIdx.x * blockDim.x) + threadIdx.x;
  if (i < count) {
    const double v0 = x0[i];
    const double v1 = v0 * v0;
    value[i] = v1;
  }
}
)");

}  // namespace
