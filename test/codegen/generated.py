#!/usr/bin/env python3
"""Functions of any size, the same for the same size, to measure and test their compilation.

usage: generated.py traced|nested SIZE     prints a translation unit"""

import math
import random
import sys

VARIABLES = {"a": 0.7, "b": 1.3, "c": -0.4, "d": 2.1, "e": -1.6}

OPERATIONS = {
    "+": lambda u, v: u + v,
    "-": lambda u, v: u - v,
    "*": lambda u, v: u * v,
    "/": lambda u, v: u / v,
    "sin": lambda u, v: math.sin(u),
    "exp": lambda u, v: math.exp(u),
}

INCLUDE = "#include <tapeless/tapeless.hpp>\n"


def function(name, size, operations, choose):
    """A function of `size` operations, all of which its result needs, with values of moderate size at VARIABLES.
    choose(names, unused, draw) names the next two operands; an operation on one takes the first."""
    draw = random.Random(size)
    values = dict(VARIABLES)
    unused = list(VARIABLES)
    lines = []
    while len(lines) < size:
        names = list(values)
        merge = len(unused) >= size - len(lines)
        first, second = (unused + names[-2:])[:2] if merge else choose(names, unused, draw)
        operation = draw.choice(["+", "-", "*", "/"] if merge else operations)
        value = OPERATIONS[operation](values[first], values[second])
        if 0.05 < abs(value) < 20:
            binary = operation in "+-*/"
            text = f"{first} {operation} {second}" if binary else f"{operation}({first})"
            result = f"t{len(lines)}"
            lines.append(f"const auto {result} = {text};")
            values[result] = value
            used = [first, second] if binary else [first]
            unused = [name for name in unused if name not in used] + [result]
    parameters = ", ".join(f"auto {variable}" for variable in VARIABLES)
    body = "\n  ".join(lines)
    return f"""inline constexpr auto {name} = []({parameters}) {{
  {body}
  return t{size - 1};
}};
"""


def last_and_other(names, unused, draw):
    return names[-1], draw.choice(names[:len(VARIABLES)] + names[-9:-1])


def two_of_last_eight(names, unused, draw):
    """A nested formula shares so heavily that its type's name grows exponentially."""
    oldest, *others = names[-8:]
    return (oldest, draw.choice(others)) if oldest in unused else draw.sample(names[-8:], 2)


def traced(size):
    return f"""{INCLUDE}
{function("traced", size, list(OPERATIONS), last_and_other)}
auto traced_value_and_gradient(double a, double b, double c, double d, double e) {{
  return tapeless::value_and_gradient(traced)(a, b, c, d, e);
}}
"""


def nested(size):
    variables = "\n  ".join(f'constexpr auto {name} = tapeless::variable<"{name}">;' for name in VARIABLES)
    names = ", ".join(VARIABLES)
    parameters = ", ".join(f"double {name}_value" for name in VARIABLES)
    bindings = ", ".join(f"{name} = {name}_value" for name in VARIABLES)
    return f"""{INCLUDE}
{function("nested", size, ["+", "-", "*", "/"], two_of_last_eight)}
auto nested_value_and_gradient({parameters}) {{
  {variables}
  const auto [value, gradient] = value_and_gradient(nested({names}), tapeless::wrt({names}))(
      {bindings});
  return std::array<double, {1 + len(VARIABLES)}>{{value, {", ".join(f"gradient[{name}]" for name in VARIABLES)}}};
}}
"""


if __name__ == "__main__":
    way, size = sys.argv[1:]
    print({"traced": traced, "nested": nested}[way](int(size)), end="")
