#!/usr/bin/env python3
"""Random functions of a struct of tensors, a matrix, indices and an integer, with values and first and second
derivatives by hyper-dual numbers, as C++ tests: functions.cpp beside this file.

A hyper-dual number (J. Fike and J. Alonso, AIAA 2011-886) has the parts v + a e1 + b e2 + c e1 e2 with e1^2 = e2^2 = 0:
a and b are derivatives along two directions and c is the second one along both, without error of differences.

usage: generate_functions.py [NUMBER...]     writes the file, or prints the tests of these functions"""

import pathlib
import random
import subprocess
import sys

import numpy as np

FUNCTIONS = [6]
CALLS = [(3, 4, 2, 5), (1, 1, 1, 1), (5, 3, 1, 4), (17, 9, 3, 20), (4, 5, 4, 0)]  # rows, inputs, units, indices


class Unfit(Exception):
    """The draw does not fit."""


class HyperDual:
    def __init__(self, v, a=0.0, b=0.0, c=0.0):
        self.v = np.asarray(v, float)
        self.a, self.b, self.c = (np.broadcast_to(part, self.v.shape) for part in (a, b, c))

    def linear(self, f):
        return HyperDual(f(self.v), f(self.a), f(self.b), f(self.c))

    def chain(self, value, first, second):
        return HyperDual(value, first * self.a, first * self.b, first * self.c + second * self.a * self.b)

    def __neg__(self):
        return self.linear(np.negative)

    def __add__(self, other):
        other = as_dual(other)
        return HyperDual(self.v + other.v, self.a + other.a, self.b + other.b, self.c + other.c)

    def __sub__(self, other):
        return self + -as_dual(other)

    def __mul__(self, other):
        return bilinear(np.multiply, self, other)

    __radd__, __rmul__ = __add__, __mul__


def as_dual(x):
    return x if isinstance(x, HyperDual) else HyperDual(x)


def bilinear(f, x, y):
    x, y = as_dual(x), as_dual(y)
    return HyperDual(f(x.v, y.v), f(x.a, y.v) + f(x.v, y.a), f(x.b, y.v) + f(x.v, y.b),
                     f(x.c, y.v) + f(x.a, y.b) + f(x.b, y.a) + f(x.v, y.c))


def select(condition, x, y):
    x, y = as_dual(x), as_dual(y)
    return HyperDual(*[np.where(condition, getattr(x, part), getattr(y, part)) for part in "vabc"])


def join(f, *operands):
    return HyperDual(*[f([getattr(x, part) for x in operands]) for part in "vabc"])


def exp(x):
    e = np.exp(x.v)
    return x.chain(e, e, e)


def log(x):
    return x.chain(np.log(x.v), 1 / x.v, -1 / x.v**2)


def tanh(x):
    t = np.tanh(x.v)
    return x.chain(t, 1 - t * t, -2 * t * (1 - t * t))


def sigmoid(x):
    s = 1 / (1 + np.exp(-x.v))
    return x.chain(s, s * (1 - s), s * (1 - s) * (1 - 2 * s))


def root(x):
    return x.chain(np.sqrt(x.v), 0.5 / np.sqrt(x.v), -0.25 / np.sqrt(x.v)**3)


def reciprocal(x):
    return x.chain(1 / x.v, -1 / x.v**2, 2 / x.v**3)


def largest(x, axis):
    where = np.expand_dims(np.argmax(x.v, axis), axis)
    return x.linear(lambda part: np.take_along_axis(part, where, axis).squeeze(axis))


def logsumexp(x, axis, keep=False):
    top = x.v.max(axis, keepdims=True)
    result = log(exp(x - top).linear(lambda part: part.sum(axis, keepdims=True))) + top
    return result if keep else result.linear(lambda part: part.squeeze(axis))


def total(x, axis=None):
    return x.linear(lambda part: part.sum(axis))


ELEMENTWISE = {
    "tanh({})": tanh,
    "sin({})": lambda x: x.chain(np.sin(x.v), np.cos(x.v), -np.sin(x.v)),
    "square({})": lambda x: x * x,
    "softplus({})": lambda x: x.chain(np.logaddexp(x.v, 0), sigmoid(x).v, sigmoid(x).v *
                                      (1 - sigmoid(x).v)),
    "sigmoid({})": sigmoid,
    "relu({})": lambda x: select(x.v > 0, x, 0.0),
    "abs({})": lambda x: x * np.sign(x.v),
    "exp(0.3 * {})": lambda x: exp(0.3 * x),
    "sqrt(1 + square({}))": lambda x: root(x * x + 1.0),
    "stop_gradient({})": lambda x: HyperDual(x.v),
}
OF_TWO = {
    "{} * {}": lambda x, y: x * y,
    "{} + {}": lambda x, y: x + y,
    "{} - {}": lambda x, y: x - y,
    "{} / (1 + square({}))": lambda x, y: x * reciprocal(y * y + 1.0),
    "max({}, {})": lambda x, y: select(x.v > y.v, x, y),
    "where({0} > {1}, {0}, 0.5 * {1})": lambda x, y: select(x.v > y.v, x, 0.5 * y),
}
ALONG_AN_AXIS = {
    "sum": total,
    "mean": lambda x, axis: x.linear(lambda part: part.mean(axis)),
    "amax": largest,
    "logsumexp": logsumexp,
    "norm": lambda x, axis: root(total(x * x, axis)),
}


class Function:
    """Steps from earlier values to a new one, as C++ text and as what computes it. Shapes are of symbols: n rows, d
    inputs, h units, k indices, k/2 rows of the first half, and sums of them."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.shapes = {"w": "dh", "bias": "h", "v": "n", "s": "", "x": "nd"}
        self.shapes = {name: tuple(shape) for name, shape in self.shapes.items()}
        self.unused = set(self.shapes)
        self.steps = []
        draws = [self.elementwise, self.elementwise, self.of_two, self.of_two, self.reduction, self.softmax, self.dot,
                 self.outer, self.transpose, self.take, self.slice, self.concatenate, self.row]
        while len(self.steps) < 12:
            unused = set(self.unused)
            try:
                self.random.choice(draws)()
            except Unfit:
                self.unused = unused
        self.ends = sorted(self.unused)

    def choose(self, fits=lambda shape: True):
        names = [name for name, shape in self.shapes.items() if fits(shape)]
        if not names:
            raise Unfit
        name = self.random.choices(names, [6 if name in self.unused else 1 for name in names])[0]
        self.unused.discard(name)
        return name

    def add(self, text, compute, shape, *operands):
        if len(shape) > 3:
            raise Unfit
        name = f"t{len(self.steps)}"
        self.steps.append((name, text, compute, operands))
        self.shapes[name] = tuple(shape)
        self.unused.add(name)

    def elementwise(self):
        x = self.choose()
        text, compute = self.random.choice(list(ELEMENTWISE.items()))
        self.add(text.format(x), compute, self.shapes[x], x)

    def of_two(self):
        x = self.choose()
        shape = self.shapes[x]
        y = self.choose(lambda other: len(other) <= len(shape) and other == shape[len(shape) - len(other):])
        text, compute = self.random.choice(list(OF_TWO.items()))
        if x == y:
            raise Unfit
        self.add(text.format(x, y), compute, shape, x, y)

    def choose_axis(self, x):
        axis = self.random.randrange(len(self.shapes[x]))
        if "k" in self.shapes[x][axis]:
            raise Unfit  # there may be no indices
        return axis

    def reduction(self):
        x = self.choose(lambda shape: shape)
        axis, (name, f) = self.choose_axis(x), self.random.choice(list(ALONG_AN_AXIS.items()))
        shape = self.shapes[x]
        self.add(f"{name}<{axis}>({x})", lambda v: f(v, axis), shape[:axis] + shape[axis + 1:], x)

    def softmax(self):
        x = self.choose(lambda shape: shape)
        axis = self.choose_axis(x)
        self.add(f"softmax<{axis}>({x})", lambda v: exp(v - logsumexp(v, axis, True)), self.shapes[x], x)

    def dot(self):
        x = self.choose(lambda shape: 1 <= len(shape) <= 2)
        last = self.shapes[x][-1]
        y = self.choose(lambda shape: 1 <= len(shape) <= 2 and shape[-2:][0] == last)
        self.add(f"dot({x}, {y})", lambda v, u: bilinear(np.dot, v, u), self.shapes[x][:-1] + self.shapes[y][1:], x, y)

    def outer(self):
        x, y = (self.choose(lambda shape: len(shape) == 1) for _ in range(2))
        self.add(f"outer({x}, {y})", lambda v, u: bilinear(np.outer, v, u), self.shapes[x] + self.shapes[y], x, y)

    def transpose(self):
        x = self.choose(lambda shape: len(shape) == 2)
        self.add(f"transpose({x})", lambda v: v.linear(np.transpose), self.shapes[x][::-1], x)

    def take(self):
        x = self.choose(lambda shape: shape and shape[0] == "n")
        self.add(f"take({x}, indices)", lambda v: v.linear(lambda part: part[self.indices]),
                 ("k",) + self.shapes[x][1:], x)

    def slice(self):
        x = self.choose(lambda shape: shape and shape[0] == "n")
        self.add(f"slice<0>({x}, 0, half)", lambda v: v.linear(lambda part: part[:self.half]),
                 ("k/2",) + self.shapes[x][1:], x)

    def concatenate(self):
        x = self.choose(lambda shape: shape)
        axis = self.random.randrange(len(self.shapes[x]))
        rest = lambda shape: (len(shape), shape[:axis], shape[axis + 1:])
        y = self.choose(lambda shape: shape and rest(shape) == rest(self.shapes[x]))
        shape = list(self.shapes[x])
        shape[axis] += "+" + self.shapes[y][axis]
        self.add(f"concatenate<{axis}>({x}, {y})", lambda *vs: join(lambda parts: np.concatenate(parts, axis), *vs),
                 shape, x, y)

    def row(self):
        x = self.choose(lambda shape: shape and shape[0] in "ndh")
        self.add(f"{x}[-1]", lambda v: v.linear(lambda part: part[-1]), self.shapes[x][1:], x)

    def text(self):
        ends = [f"tanh({name})" if self.shapes[name] == () else f"sum(tanh({name}))" for name in self.ends]
        lines = [f"const auto {name} = {text};" for name, text, _, _ in self.steps]
        return "\n".join(["const auto& [hidden, v, s] = p;", "const auto& [w, bias] = hidden;"] + lines +
                         [f"return {' + '.join(ends)};"])

    def __call__(self, arguments, indices, half):
        self.indices, self.half = indices, half
        values = dict(zip(["w", "bias", "v", "s", "x"], arguments))
        for name, _, compute, operands in self.steps:
            values[name] = compute(*[values[operand] for operand in operands])
        result = HyperDual(0.0)
        for name in self.ends:
            result = result + total(tanh(values[name]))
        return result


class Numbers:
    """The numbers of `oracle::numbers`: std::minstd_rand."""

    def __init__(self, number):
        self.state = 10007 * number + 1

    def between(self, low, high, shape):
        result = np.empty(shape)
        for index in np.ndindex(*shape):
            self.state = self.state * 48271 % 2147483647
            result[index] = low + (high - low) * self.state / 2147483647.0
        return result


def sums(part):
    part = part.reshape(-1)
    at = np.arange(part.size)
    return "{" + ", ".join(repr(float(np.sum((1 + at * step % 101) * part))) for step in (0, 37, 59, 83)) + "}"


def expected(number, function, call, extents):
    rows, inputs, units, count = extents
    draw = Numbers(1000 * number + call)
    shapes = [(inputs, units), (units,), (rows,), (), (rows, inputs)]
    arguments, along = ([draw.between(-1, 1, shape) for shape in shapes] for _ in range(2))
    indices = np.array([7 * i * i % rows for i in range(count)], int)

    def at(directions):
        return function([HyperDual(*parts) for parts in zip(arguments, directions, along)], indices, rows // 2)

    first, second = ([np.zeros(shape) for shape in shapes] for _ in range(2))
    for k, shape in enumerate(shapes):
        for index in np.ndindex(*shape):
            directions = [np.zeros(shape) for shape in shapes]
            directions[k][index] = 1
            result = at(directions)
            first[k][index], second[k][index] = result.a, result.c
    value = float(at([np.zeros(shape) for shape in shapes]).v)
    parts = ["{{" + ", ".join(map(sums, of)) + "}}" for of in (first, second)]
    return f"{{{rows}, {inputs}, {units}, {{{', '.join(map(str, indices))}}}, {value!r}, {parts[0]}, {parts[1]}}}"


def test(number):
    function = Function(number)
    calls = ",\n".join(expected(number, function, call, extents) for call, extents in enumerate(CALLS))
    return f"""BOOST_AUTO_TEST_CASE(function_{number}) {{
  constexpr auto f = [](const auto& p, const auto& x, [[maybe_unused]] const auto& indices,
                        [[maybe_unused]] const auto& half) {{
    {function.text()}
  }};
  check_function({number}, f, {{{calls}}});
}}
"""


def main():
    if len(sys.argv) > 1:
        print("\n".join(test(int(number)) for number in sys.argv[1:]))
        return
    text = "// Written by generate_functions.py.\n#include \"functions.hpp\"\n\nusing namespace oracle;\n\n"
    text += "\n".join(map(test, FUNCTIONS))
    file = pathlib.Path(__file__).with_name("functions.cpp")
    file.write_text(text)
    subprocess.run(["clang-format-19", "-i", file], check=True)


main()
