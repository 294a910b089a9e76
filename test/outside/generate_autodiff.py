#!/usr/bin/env python3
"""Writes autodiff_orders.hpp: derivatives of orders 0 to 4 of functions of x, where x is a polynomial of t, at t = 0, by
mpmath with 60 digits. The polynomial has the derivatives that autodiff's test of real numbers gives to x."""

import pathlib
import shutil
import subprocess

from mpmath import acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, diff, exp, factorial, log, mp, mpf, nstr
from mpmath import pi, sin, sinh, sqrt, tan, tanh

mp.dps = 120

X = [mpf(1) / 2, 3, -5, -15, 11]
FUNCTIONS = {
    "x": lambda x: x,
    "-x": lambda x: -x,
    "x + (-x)": lambda x: mpf(0) * x,
    "x + 1": lambda x: x + 1,
    "x - (-x)": lambda x: 2 * x,
    "1 - x": lambda x: 1 - x,
    "x * (-x)": lambda x: -x * x,
    "5 * x": lambda x: 5 * x,
    "x / (-x)": lambda x: mpf(-1) + 0 * x,
    "3 / (-x)": lambda x: -3 / x,
    "-x / 5": lambda x: -x / 5,
    "exp(x)": exp,
    "log(x)": log,
    "log10(x)": lambda x: log(x) / log(mpf(10)),
    "sqrt(x)": sqrt,
    "cbrt(x)": cbrt,
    "pow(x, x)": lambda x: x**x,
    "pow(x, pi)": lambda x: x**pi,
    "pow(pi, x)": lambda x: pi**x,
    "sin(x)": sin,
    "cos(x)": cos,
    "tan(x)": tan,
    "asin(x)": asin,
    "acos(x)": acos,
    "atan(x)": atan,
    "atan2(2, x)": lambda x: atan2(2, x),
    "atan2(x, 2)": lambda x: atan2(x, 2),
    "atan2(atan2(x, 2), x)": lambda x: atan2(atan2(x, 2), x),
    "sinh(x)": sinh,
    "cosh(x)": cosh,
    "tanh(x)": tanh,
    "asinh(x)": asinh,
    "acosh(10 x)": lambda x: acosh(10 * x),
    "atanh(x)": atanh,
    "abs(-x)": lambda x: x,
}


def path(t):
    return sum(c * t**k / factorial(k) for k, c in enumerate(X))


def digits(x):
    text = nstr(x, 17, strip_zeros=True)
    return text[:-2] if text.endswith(".0") else text


rows = []
for name, f in FUNCTIONS.items():
    numbers = [diff(lambda t: f(path(t)), 0, k) for k in range(5)]
    numbers = [mpf(0) if abs(n) < mpf(10) ** -20 else n for n in numbers]
    rows.append(f'    {{"{name}", {{{", ".join(digits(n) for n in numbers)}}}}},\n')

FILE = pathlib.Path(__file__).resolve().parent / "autodiff_orders.hpp"
FILE.write_text(
    "// Written by generate_autodiff.py: derivatives of orders 0 to 4 with respect to t, by mpmath.\n"
    "#ifndef TAPELESS_TEST_OUTSIDE_AUTODIFF_ORDERS_HPP\n"
    "#define TAPELESS_TEST_OUTSIDE_AUTODIFF_ORDERS_HPP\n\n"
    "#include <array>\n\n"
    "namespace outside {\n\n"
    "struct row_of_orders {\n  const char* function;\n  std::array<double, 5> expected;\n};\n\n"
    f"inline constexpr std::array<row_of_orders, {len(rows)}> orders{{{{\n" + "".join(rows) + "}};\n\n"
    "}  // namespace outside\n\n#endif\n"
)
if shutil.which("clang-format-19"):
    subprocess.run(["clang-format-19", "-i", FILE], check=True)
