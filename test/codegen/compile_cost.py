#!/usr/bin/env python3
"""Prints what compiling one translation unit costs: CPU seconds and peak memory of each compiler at hand, and the seconds
as a ratio to those of including <Eigen/Dense>, or for our header of tensors, <xtensor/xtensor.hpp>, in the same run.
Fails where a compiler fails; says where the ratio is above what we want.

usage: compile_cost.py [COMPILER...]"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import generated
import instantiations

COMPILERS = ["g++", "clang++-19", "clang++-16"]
FLAGS = ["-std=c++20", "-O2", f"-I{pathlib.Path(__file__).resolve().parents[2] / 'include'}",
         "-isystem", "/usr/include/eigen3", "-c", "-o", os.devnull]
PATIENCE = 120  # seconds

TENSOR_PERCEPTRON = instantiations.TENSOR_HEADER + """
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
auto perceptron(const matrix& data, const matrix& labels, const matrix& w, const vector& c, const matrix& u,
                const vector& d) {
  constexpr auto X = variable<"X">;
  constexpr auto Y = variable<"Y">;
  constexpr auto W = variable<"W">;
  constexpr auto b = variable<"b">;
  constexpr auto U = variable<"U">;
  constexpr auto e = variable<"e">;
  constexpr auto z = dot(tanh(dot(X, W) + b), U) + e;
  return value_and_gradient(mean(logsumexp<1>(z) - sum<1>(Y * z)),
                            wrt(W, b, U, e))(X = data, Y = labels, W = w, b = c, U = u, e = d);
}
"""
PLACES = [(i, j) for i in range(3) for j in range(3)]
TENSOR_CONVOLUTION = instantiations.TENSOR_HEADER + f"""
using namespace tapeless;
using matrix = xt::xtensor<double, 2>;
auto convolution(const matrix& image, const matrix& target, const std::array<double, 9>& kernel) {{
  constexpr auto A = variable<"A">;
  constexpr auto B = variable<"B">;
  {" ".join(f'constexpr auto k{i}{j} = variable<"k{i}{j}">;' for i, j in PLACES)}
  const auto at = [&](int i, int j) {{ return slice<1>(slice<0>(A, i, i + 26), j, j + 26); }};
  const auto out = tanh({" + ".join(f"k{i}{j} * at({i}, {j})" for i, j in PLACES)});
  return value_and_gradient(mean(square(out - B)), wrt({", ".join(f"k{i}{j}" for i, j in PLACES)}, A))(
      A = image, B = target, {", ".join(f"k{i}{j} = kernel[{3 * i + j}]" for i, j in PLACES)});
}}
"""

TENSOR_ADAM = instantiations.TENSOR_HEADER + """
#include <cmath>
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
template <class Tensor>
void update(Tensor& parameters, const Tensor& gradient, Tensor& first, Tensor& second, int step) {
  const double rate = 1e-3 * std::sqrt(1 - std::pow(0.999, step)) / (1 - std::pow(0.9, step));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double g = gradient.data()[i];
    double& m = first.data()[i];
    double& v = second.data()[i];
    m += 0.1 * (g - m);
    v += 0.001 * (g * g - v);
    parameters.data()[i] -= rate * m / (std::sqrt(v) + 1e-8);
  }
}
double train(const matrix& data, const vector& labels, matrix& w, vector& c, matrix& u, vector& d, int steps) {
  constexpr auto X = variable<"X">;
  constexpr auto t = variable<"t">;
  constexpr auto W = variable<"W">;
  constexpr auto b = variable<"b">;
  constexpr auto U = variable<"U">;
  constexpr auto e = variable<"e">;
  constexpr auto z = dot(tanh(dot(X, W) + b), U) + e;
  const auto step = value_and_gradient(-mean(sum<1>(log_softmax<1>(z) * one_hot(t, 10))), wrt(W, b, U, e));
  auto r = step(X = data, t = labels, W = w, b = c, U = u, e = d);
  matrix w1 = xt::zeros<double>(w.shape()), w2 = w1, u1 = xt::zeros<double>(u.shape()), u2 = u1;
  vector c1 = xt::zeros<double>(c.shape()), c2 = c1, d1 = xt::zeros<double>(d.shape()), d2 = d1;
  for (int i = 1; i <= steps; ++i) {
    step(into(r), X = data, t = labels, W = w, b = c, U = u, e = d);
    update(w, r.gradient[W], w1, w2, i);
    update(c, r.gradient[b], c1, c2, i);
    update(u, r.gradient[U], u1, u2, i);
    update(d, r.gradient[e], d1, d2, i);
  }
  return r.value;
}
"""
TENSOR_TARGET_NETWORK = instantiations.TENSOR_HEADER + """
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
struct network {
  matrix w1;
  vector b1;
  matrix w2;
  vector b2;
};
auto q_learning(const matrix& states, const matrix& next, const matrix& actions, const vector& rewards,
                const network& n, const network& target) {
  constexpr auto S = variable<"S">;
  constexpr auto N = variable<"N">;
  constexpr auto A = variable<"A">;
  constexpr auto R = variable<"R">;
  constexpr auto W1 = variable<"W1">;
  constexpr auto b1 = variable<"b1">;
  constexpr auto W2 = variable<"W2">;
  constexpr auto b2 = variable<"b2">;
  constexpr auto V1 = variable<"V1">;
  constexpr auto c1 = variable<"c1">;
  constexpr auto V2 = variable<"V2">;
  constexpr auto c2 = variable<"c2">;
  const auto net = [](auto x, auto w, auto b, auto u, auto c) { return dot(relu(dot(x, w) + b), u) + c; };
  const auto later = stop_gradient(R + 0.99 * amax<1>(net(N, V1, c1, V2, c2)));
  const auto delta = sum<1>(A * net(S, W1, b1, W2, b2)) - later;
  const auto huber = where(abs(delta) < 1.0, 0.5 * square(delta), abs(delta) - 0.5);
  return value_and_gradient(mean(huber), wrt(W1, b1, W2, b2))(
      S = states, N = next, A = actions, R = rewards, W1 = n.w1, b1 = n.b1, W2 = n.w2, b2 = n.b2, V1 = target.w1,
      c1 = target.b1, V2 = target.w2, c2 = target.b2);
}
"""
TENSOR_CONVOLUTION_BY_TAKE = instantiations.TENSOR_HEADER + """
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
auto convolution(const vector& image, const xt::xtensor<int, 1>& places, const vector& kernel, const vector& target) {
  constexpr auto A = variable<"A">;
  constexpr auto B = variable<"B">;
  constexpr auto P = variable<"P">;
  constexpr auto k = variable<"k">;
  constexpr auto out = tanh(dot(reshape<-1, 9>(take(A, P)), k));
  return value_and_gradient(mean(square(out - B)), wrt(k, A))(A = image, B = target, P = places, k = kernel);
}
"""

RUNGE_KUTTA = """
#include <tapeless/tapeless.hpp>
using namespace tapeless;
constexpr auto lorenz = [](const auto&, const auto& y, const auto& p) {
  return std::array{p[0] * (y[1] - y[0]) + p[3], y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2] - p[4] * y[0]};
};
constexpr auto end_of_path = [](auto p, auto n) {
  const auto y = odeint(lorenz, std::array{1.0, 1.0, 1.0}, 0.0, 1.0, n, p);
  return y[0] * y[0] + y[1] + y[2];
};
auto path(const std::array<double, 5>& p, int n) { return value_and_gradient(end_of_path, wrt<0>)(p, n); }
"""

SCAN = """
#include <tapeless/tapeless.hpp>
#include <vector>
using namespace tapeless;
constexpr auto smoothed = [](auto level, auto rate, const auto& seen) {
  const auto step = [&](auto carry, auto y) {
    const auto [x, error] = carry;
    return std::tuple{x + rate * (y - x), error + square(y - x)};
  };
  return std::get<1>(scan(step, std::tuple{level, 0.0}, seen));
};
auto fit(double level, double rate, const std::vector<double>& seen) {
  return value_and_gradient(smoothed, wrt<0, 1>)(level, rate, seen);
}
"""
MIXTURE = instantiations.TENSOR_HEADER + """
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
constexpr auto likelihood = [](const auto& logits, const auto& means, const auto& scales, const auto& points) {
  const auto z = (reshape<-1, 1>(points) - means) / exp(scales);
  return sum(logsumexp<1>(logits - logsumexp(logits) - scales - 0.5 * square(z)));
};
auto mixture(const vector& logits, const vector& means, const vector& scales, const vector& points) {
  return value_and_gradient(likelihood, wrt<0, 1, 2>)(logits, means, scales, points);
}
"""
EIGEN = "#include <Eigen/Dense>\n"
XTENSOR = "#include <xtensor/xtensor.hpp>\n"

# What is compiled, what its time is divided by, and the most that we want that ratio to be.
UNITS = [
    ("Eigen/Dense alone", EIGEN, EIGEN, None),
    ("xtensor/xtensor alone", XTENSOR, EIGEN, None),
    ("tapeless alone", generated.INCLUDE, EIGEN, 0.6),
    ("tapeless/xtensor alone", instantiations.TENSOR_HEADER, XTENSOR, 1.3),
    *((f"traced, {count} operations", generated.traced(count), EIGEN, limit)
      for count, limit in [(50, None), (100, 1.0), (200, None), (500, 3.0), (1000, None), (2000, None)]),
    *((f"nested, {count} operations", generated.nested(count), EIGEN, None) for count in [20, 40, 60]),
    ("scan of two carries", SCAN, EIGEN, 1.2),
    ("Runge-Kutta, gradient", RUNGE_KUTTA, EIGEN, None),
    ("logistic regression", instantiations.TENSOR_LOSS, EIGEN, 2.5),
    ("mixture by three vectors", MIXTURE, EIGEN, 3.0),
    ("and elementary functions", instantiations.TENSOR_LOSS.replace("mean(", "sum(erfc(w) * log(w * w) * sin(w)) + mean("),
     EIGEN, None),
    ("perceptron of two layers", TENSOR_PERCEPTRON, EIGEN, None),
    ("and Adam", TENSOR_ADAM, EIGEN, None),
    ("target network", TENSOR_TARGET_NETWORK, EIGEN, None),
    ("convolution by take", TENSOR_CONVOLUTION_BY_TAKE, EIGEN, None),
    ("convolution by slices", TENSOR_CONVOLUTION, EIGEN, None),
    ("recurrent net, 4 steps", instantiations.RECURRENT_NET, EIGEN, None),
]


def measure(compiler, source):
    """CPU seconds and peak MB of the compiler and its children, and what it said if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "unit.cpp")
        path.write_text(source)
        with tempfile.TemporaryFile("w+") as messages:
            process = subprocess.Popen(["timeout", str(PATIENCE), compiler, *FLAGS, path], stderr=messages)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            messages.seek(0)
            failure = "".join(messages.readlines()[:3]) or f"no success in {PATIENCE} s" if process.returncode else None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, failure


def main():
    compilers = sys.argv[1:] or [name for name in COMPILERS if shutil.which(name)]
    failed = False
    print(f"{'compiler':12}{'translation unit':26}{'CPU s':>8}{'ratio':>7}{'wanted':>8}{'MB':>7}")
    for compiler in compilers:
        seconds = {}
        for name, source, base, wanted in UNITS:
            seconds[source], megabytes, failure = measure(compiler, source)
            ratio = seconds[source] / seconds[base]
            failed |= failure is not None
            print(f"{compiler:12}{name:26}{seconds[source]:8.2f}{ratio:7.2f}{wanted or '':>8}{megabytes:7.0f}"
                  f"{'  ABOVE' if wanted and ratio > wanted else ''}{'  FAILED' if failure else ''}", flush=True)
            if failure:
                print(failure, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
