#!/usr/bin/env python3
"""No code is generated for the passes: they run in the compiler only. A program that is read at run time refers to the
operations of its nodes, and they to the functions of the passes. All of that would be optimised before the compiler
finds that nothing calls it: a fifth of g++'s time for a Jacobian over tensors.

usage: passes.py GNU|Clang COMPILER INCLUDE_DIRECTORY"""

import pathlib
import re
import subprocess
import sys
import tempfile

# Softplus is made of other operations, so that its information refers to the passes.
HEADER = """#include <tapeless/xtensor.hpp>
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
constexpr auto loss = [](auto w, auto x) { return dot(softplus(dot(x, w)), sigmoid(dot(x, w))); };
constexpr auto residuals = [](auto w, auto x) { return softplus(dot(x, w)) - w[0]; };
"""
UNITS = {
    # The lengths of three vectors must be compared: there is a program with explicit axes, too.
    "gradient": """
constexpr auto mixture = [](auto logits, auto means, auto points) {
  return sum(logsumexp<1>(log_softmax(logits) - softplus(expand_dims<1>(points) - means)));
};
auto gradient_of(const vector& a, const vector& m, const vector& x) { return value_and_gradient(mixture)(a, m, x); }""",
    "tangent": """
auto tangent_of(const vector& w, const matrix& x, const vector& t) { return jvp(loss, tangent(t), wrt<0>)(w, x); }""",
    "pullback": """
auto pullback_of(const vector& w, const matrix& x, const vector& c) {
  return vjp(residuals, wrt<0>, cotangent(c))(w, x);
}""",
    "matrices": """
auto jacobian_of(const vector& w, const matrix& x) { return jacobian(residuals, wrt<0>)(w, x); }
auto hessian_of(const vector& w, const matrix& x) { return hessian(loss, wrt<0>)(w, x); }""",
    "numbers": """
constexpr auto body = [](auto sum, auto t) { return sum + softplus(t * sum); };
auto scanned(double a, const std::vector<double>& xs) {
  return value_and_gradient([](auto a, auto xs) { return scan(body, a, xs); })(a, xs);
}
auto of_numbers(double x, double y) {
  return value_and_hessian([](auto x, auto y) { return logsumexp(x, softplus(y), norm(x, y)); })(x, y);
}""",
}


def functions(kind, compiler, include, source):
    """The functions that the compiler generates code for before it optimises."""
    with tempfile.TemporaryDirectory() as folder:
        unit, made = pathlib.Path(folder, "unit.cpp"), pathlib.Path(folder, "made")
        unit.write_text(HEADER + source)
        command = [compiler, "-std=c++20", f"-I{include}", "-O2", unit]
        if kind == "GNU":
            subprocess.run([*command, f"-fdump-tree-ssa={made}", "-c", "-o", pathlib.Path(folder, "unit.o")], check=True)
            return re.findall(r"^;; Function .*?\((\S+?)(?:,|\))", made.read_text(), re.MULTILINE)
        subprocess.run([*command, "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", made], check=True)
        return re.findall(r'^define .*?@"?([\w.$]+)', made.read_text(), re.MULTILINE)


def main():
    kind, compiler, include = sys.argv[1:]
    failed = False
    for name, source in UNITS.items():
        found = functions(kind, compiler, include, source)
        passes = [each for each in found if re.match(r"_ZNK?8tapeless7program(7builder|9rewriting|8rewriter)", each)]
        failed |= bool(passes) or not found
        print(f"{'FAILED' if passes or not found else 'ok    '} {name}: {len(found)} functions, {len(passes)} of passes",
              *passes[:3])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
