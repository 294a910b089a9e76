#!/usr/bin/env python3
"""Random formulas over tensors, with values and derivatives by JAX, as C++ tests: tensors_*.cpp beside this file.

usage: generate.py [NUMBER...]     writes all files, or prints the tests of these formulas"""

import math
import operator
import pathlib
import random
import shutil
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

FORMULAS = 210
PER_FILE = 10
WITH_HVP = 5  # one of so many formulas
FEW = 12  # as many elements are written down; of more, sums


class Unfit(Exception):
    """The draw does not fit: no such operand, a kink nearby, a number too large."""


class ForNumPy:
    """Functions for the values while a formula is drawn; derivatives are JAX's."""

    sigmoid = staticmethod(scipy.special.expit)
    softplus = staticmethod(lambda x: np.logaddexp(x, 0))
    erf = staticmethod(scipy.special.erf)
    softmax = staticmethod(scipy.special.softmax)
    log_softmax = staticmethod(scipy.special.log_softmax)
    logsumexp = staticmethod(scipy.special.logsumexp)
    stop = staticmethod(lambda x: x)

    def __getattr__(self, name):
        return getattr(np, name)


class ForJax:
    sigmoid = staticmethod(jax.nn.sigmoid)
    softplus = staticmethod(jax.nn.softplus)
    erf = staticmethod(jax.scipy.special.erf)
    softmax = staticmethod(jax.nn.softmax)
    log_softmax = staticmethod(jax.nn.log_softmax)
    logsumexp = staticmethod(jax.scipy.special.logsumexp)
    stop = staticmethod(jax.lax.stop_gradient)

    def __getattr__(self, name):
        return getattr(jnp, name)


FOR_NUMPY, FOR_JAX = ForNumPy(), ForJax()


class Value:
    """A subformula: its C++ text, how it is computed, its value at the test's point.

    open: the variables that a derivative reaches. ones: which axes have an extent of 1 that only the call tells; the
    library does not reduce over such an axis alone (see doc/tensors.md)."""

    def __init__(self, text, compute, operands, opened=None, infix=False, ones=None):
        self.text, self.compute, self.operands, self.infix, self.kind = text, compute, operands, infix, "combining"
        self.array = np.asarray(compute(FOR_NUMPY, *[operand.array for operand in operands]), dtype=np.float64)
        self.open = frozenset().union(*[o.open for o in operands]) if opened is None else frozenset(opened)
        self.shape = self.array.shape
        self.size = self.array.size
        self.rank = len(self.shape)
        self.ones = ones if ones is not None else [False] * self.rank
        if self.rank > 4 or self.size > 700:
            raise Unfit
        if not np.all(np.isfinite(self.array)) or np.max(np.abs(self.array)) > 30:
            raise Unfit


class Variable(Value):
    def __init__(self, name, array, bounds, layout):
        self.name, self.data, self.range, self.layout = name, array, bounds, layout
        super().__init__(name, lambda xp: array, [], [name])
        self.ones = [extent == 1 for extent in self.shape]

    def draw_text(self, low, high):
        """The call that draws a tensor of this shape."""
        extents = ", ".join(map(str, self.shape))
        container = {
            "tensor": f"tensor<{self.rank}>", "by_columns": f"by_columns<{self.rank}>", "fixed": f"fixed<{extents}>",
            "std::vector": "std::vector<double>"
        }[self.layout] if self.rank else "double"
        shape = f", {{{extents}}}" if self.rank and self.layout != "fixed" else ""
        return f"draw.between<{container}>({low}, {high}{shape})"


def broadcast_ones(operands):
    """Which axes of extent 1 of an elementwise result stem from axes whose extent only the call tells."""
    rank = max(operand.rank for operand in operands)
    result = [False] * rank
    for operand in operands:
        for k in range(1, operand.rank + 1):
            result[-k] = result[-k] or operand.ones[-k]
    return result


class Formula:
    def __init__(self, number, random_numbers, counts):
        self.number, self.random, self.counts = number, random_numbers, counts
        self.hvp = number % WITH_HVP == 0
        self.variables, self.values, self.used = [], [], set()
        self.indices = None
        self.static_ones = False

    def choose(self, fits=lambda value: True):
        """A value that fits, rather one that nothing uses yet."""
        found = [value for value in self.values if fits(value)]
        if not found:
            raise Unfit
        return self.random.choices(found, [1 if id(value) in self.used else 20 for value in found])[0]

    def choose_two(self):
        """Two values that broadcast."""
        first = self.choose()

        def broadcasts(value):
            if value is first:
                return False
            try:
                shape = np.broadcast_shapes(first.shape, value.shape)
            except ValueError:
                return False
            return math.prod(shape) <= 700

        second = self.choose(broadcasts)
        return (first, second) if self.random.random() < 0.5 else (second, first)

    def axis_text(self, axis, rank):
        return str(axis - rank if self.random.random() < 0.2 else axis)

    def reduces(self, value, axes):
        """Notes where a reduction needs extents of 1 in the type."""
        if any(value.ones[axis] for axis in axes):
            self.static_ones = True

    def add(self, value):
        # What is stopped may go on beside its stop.
        if not value.text.startswith("stop_gradient") or self.random.random() < 0.6:
            self.used.update(id(operand) for operand in value.operands)
        self.values.append(value)
        return value

    # Operations: each returns a value, or raises Unfit

    def unary(self):
        name, compute, fits = self.random.choice(UNARY)
        value = self.choose(lambda value: fits(value.array))
        return Value(f"{name}({{}})", lambda xp, x: compute(xp, x), [value], ones=value.ones)

    def with_number(self):
        value = self.choose()
        text, number = self.random.choice(
            [("0.7", 0.7), ("2_c", 2.0), ("constant<1, 3>", 1 / 3), ("1.3", 1.3), ("-0.4", -0.4)])
        symbol, compute = self.random.choice(ARITHMETIC)
        left = self.random.random() < 0.5
        if left and symbol == "/" and np.min(np.abs(value.array)) < 0.2:
            raise Unfit
        if left:
            return Value(f"{text} {symbol} {{}}", lambda xp, x: compute(number, x), [value], infix=True,
                         ones=value.ones)
        return Value(f"{{}} {symbol} {text}", lambda xp, x: compute(x, number), [value], infix=True, ones=value.ones)

    def negate(self):
        value = self.choose()
        return Value("-{}", lambda xp, x: -x, [value], infix=True, ones=value.ones)

    def arithmetic(self, pair=None):
        x, y = pair or self.choose_two()
        symbol, compute = self.random.choice(ARITHMETIC)
        if symbol == "/" and np.min(np.abs(y.array)) < 0.2:
            raise Unfit
        return Value(f"{{}} {symbol} {{}}", lambda xp, u, v: compute(u, v), [x, y], infix=True,
                     ones=broadcast_ones([x, y]))

    def larger_or_smaller(self):
        x, y = self.choose_two()
        away_from(x.array - y.array, 0)
        name, function = self.random.choice([("max", "maximum"), ("min", "minimum")])
        return Value(f"{name}({{}}, {{}})", lambda xp, u, v: getattr(xp, function)(u, v), [x, y],
                     ones=broadcast_ones([x, y]))

    def clamp(self):
        value = self.choose()
        away_from(value.array, -0.5, 0.8)
        return Value("clamp({}, -0.5, 0.8)", lambda xp, x: xp.clip(x, -0.5, 0.8), [value], ones=value.ones)

    def power(self):
        if self.random.random() < 0.4:
            x, y = self.choose_two()
            if np.min(x.array) < 0.1:
                raise Unfit
            return Value("pow({}, {})", lambda xp, u, v: xp.power(u, v), [x, y], ones=broadcast_ones([x, y]))
        if self.random.random() < 0.5:
            value = self.choose()
            return Value("pow({}, 3_c)", lambda xp, x: x * x * x, [value], ones=value.ones)
        value = self.choose(lambda value: np.min(value.array) > 0.1)
        return Value("pow({}, -1.5)", lambda xp, x: xp.power(x, -1.5), [value], ones=value.ones)

    def of_two(self):
        x, y = self.choose_two()
        away_from(np.hypot(x.array, y.array), 0)
        name, compute = self.random.choice([
            ("hypot", lambda xp, u, v: xp.sqrt(u * u + v * v)),
            ("atan2", lambda xp, u, v: xp.arctan2(u, v)),
            ("logsumexp", lambda xp, u, v: xp.logaddexp(u, v)),
        ])
        return Value(f"{name}({{}}, {{}})", compute, [x, y], ones=broadcast_ones([x, y]))

    def condition(self):
        """The text, what computes it and the operands of a comparison."""
        symbol, compare = self.random.choice(COMPARISONS)
        if self.random.random() < 0.5:
            x, y = self.choose_two()
            away_from(x.array - y.array, 0)
            return f"{{}} {symbol} {{}}", compare, [x, y]
        x = self.choose()
        away_from(x.array, 0.3)
        return f"{{}} {symbol} 0.3", lambda u: compare(u, 0.3), [x]

    def where(self):
        text, holds, compared = self.condition()
        if self.random.random() < 0.3:
            text, holds, compared = self.both_or_any((text, holds, compared), self.condition())
        if self.random.random() < 0.2:
            positive = holds
            text, holds = f"!({text})", lambda *at: ~positive(*at)
        x, y = self.choose_two()
        operands = compared + [x, y]
        return Value(f"where({text}, {{}}, {{}})", lambda xp, *at: xp.where(holds(*at[:-2]), at[-2], at[-1]),
                     operands, x.open | y.open, infix="inside", ones=broadcast_ones(operands))

    def both_or_any(self, first, second):
        symbol, combine = self.random.choice([("&&", operator.and_), ("||", operator.or_)])
        count = len(first[2])
        return (f"({first[0]}) {symbol} ({second[0]})",
                lambda *at: combine(first[1](*at[:count]), second[1](*at[count:])), first[2] + second[2])

    def guarded(self):
        """A branch that is NaN where it is not taken."""
        value = self.choose(lambda value: np.min(value.array) < 0 < np.max(value.array))
        away_from(value.array, 0, distance=0.02)
        name = self.random.choice(["sqrt", "log"])

        def compute(xp, x, *_):
            return xp.where(x > 0, getattr(xp, name)(xp.where(x > 0, x, 1.0)), x / 2)

        return Value(f"where({{}} > 0, {name}({{}}), {{}} / 2_c)", compute, [value] * 3, infix="inside",
                     ones=value.ones)

    def reduce(self, value=None):
        value = value or self.choose(lambda value: value.rank > 0 and value.size > 1)
        name, compute = self.random.choice(REDUCTIONS)
        count = self.random.choice([0, 1, 1, 1, 2])
        if count >= value.rank and name != "norm":
            count = 0 if self.random.random() < 0.5 else min(count, value.rank)
        if count > value.rank or (count == 2 and value.rank == 2 and self.random.random() < 0.7):
            raise Unfit
        axes = tuple(sorted(self.random.sample(range(value.rank), count)))
        keep = self.random.random() < 0.35
        reduced = axes or tuple(range(value.rank))
        self.reduces(value, reduced)
        if name in ("amax", "amin"):
            distinct_extremes(value.array if name == "amax" else -value.array, reduced)
        if name == "prod" and math.prod(value.shape[axis] for axis in reduced) > 6:
            raise Unfit
        result = Value("", lambda xp, x: compute(xp, x, reduced, keep), [value])
        if name == "norm":
            away_from(result.array, 0, distance=0.05)
        listed = f"<{', '.join(self.axis_text(axis, value.rank) for axis in axes)}>" if axes else ""
        result.text = f"{name}{listed}({{}}{', keep_dims' if keep else ''})"
        result.ones = [value.ones[k] and k not in reduced for k in range(value.rank) if keep or k not in reduced]
        return result

    def along_axis(self):
        value = self.choose(lambda value: value.rank > 0)
        axis = self.random.randrange(value.rank)
        if value.shape[axis] == 1:
            raise Unfit
        name = self.random.choice(["softmax", "log_softmax"])
        return Value(f"{name}<{self.axis_text(axis, value.rank)}>({{}})",
                     lambda xp, x: getattr(xp, name)(x, axis=axis), [value], ones=value.ones)

    def argmax(self):
        value = self.choose(lambda value: value.rank > 0)
        axis = self.random.randrange(value.rank)
        if value.shape[axis] == 1:
            raise Unfit
        distinct_extremes(value.array, (axis,))
        ones = [one for k, one in enumerate(value.ones) if k != axis]
        return Value(f"argmax<{self.axis_text(axis, value.rank)}>({{}})",
                     lambda xp, x: xp.argmax(x, axis=axis) * 1.0, [value], [], ones=ones)

    def dot(self):
        x = self.choose(lambda value: value.rank in (1, 2))
        y = self.choose(lambda value: value is not x and value.rank in (1, 2) and value.shape[0] == x.shape[-1])
        if x.ones[-1] or y.ones[0]:
            self.static_ones = True
        ones = x.ones[:-1] + y.ones[1:]
        return Value("dot({}, {})", lambda xp, u, v: xp.matmul(u, v), [x, y], ones=ones)

    def outer(self):
        x = self.choose(lambda value: value.rank in (1, 2))
        y = self.choose(lambda value: value is not x and value.rank in (1, 2) and value.rank + x.rank <= 4)
        return Value("outer({}, {})", lambda xp, u, v: xp.tensordot(u, v, 0), [x, y], ones=x.ones + y.ones)

    def transpose(self):
        value = self.choose(lambda value: value.rank >= 2)
        order = list(range(value.rank))
        if value.rank > 2 and self.random.random() < 0.7:
            self.random.shuffle(order)
            text = f"transpose<{', '.join(map(str, order))}>({{}})"
        else:
            order.reverse()
            text = "transpose({})"
        return Value(text, lambda xp, x: xp.transpose(x, order), [value], ones=[value.ones[k] for k in order])

    def expand_dims(self):
        value = self.choose(lambda value: 0 < value.rank < 4)
        axis = self.random.randrange(value.rank + 1)
        ones = value.ones[:axis] + [False] + value.ones[axis:]
        return Value(f"expand_dims<{self.axis_text(axis, value.rank + 1)}>({{}})",
                     lambda xp, x: xp.expand_dims(x, axis), [value], ones=ones)

    def slice(self):
        value = self.choose(lambda value: value.rank > 0 and max(value.shape) > 2)
        axis = self.random.choice([k for k, extent in enumerate(value.shape) if extent > 2])
        extent = value.shape[axis]
        begin = self.random.randrange(extent - 1)
        end = self.random.randrange(begin + 2, extent + 1)
        first = begin - extent if self.random.random() < 0.2 else begin
        last = end - extent if end < extent and self.random.random() < 0.4 else end
        taken = tuple(slice(begin, end) if k == axis else slice(None) for k in range(value.rank))
        return Value(f"slice<{axis}>({{}}, {first}, {last})", lambda xp, x: x[taken], [value], ones=value.ones)

    def take(self):
        value = self.choose(lambda value: value.rank > 0 and max(value.shape) > 2)
        axis = self.random.choice([k for k, extent in enumerate(value.shape) if extent > 2])
        indices = self.indices_below(value.shape[axis])
        return Value(f"take<{axis}>({{}}, i)" if axis else "take({}, i)",
                     lambda xp, x: xp.take(x, np.array(indices) % value.shape[axis], axis=axis), [value],
                     ones=value.ones)

    def one_hot(self):
        value = self.choose(lambda value: value.rank == 2 and 1 < value.shape[0] and value.shape[1] > 1)
        rows, classes = value.shape
        indices = self.indices_below(classes, rows, least=0)
        hot = Value(f"one_hot(i, {classes})", lambda xp: np.eye(classes)[indices], [])
        if self.random.random() < 0.5:
            return Value("{} * {}", lambda xp, u, v: u * v, [hot, value], value.open, infix=True, ones=value.ones)
        return Value("{} - {}", lambda xp, u, v: u - v, [value, hot], value.open, infix=True, ones=value.ones)

    def indices_below(self, extent, count=None, least=None):
        """The indices i that the formula takes; all uses are of the same."""
        if self.indices is None:
            count = count or self.random.randrange(2, 7)
            lowest = -extent if least is None and self.random.random() < 0.3 else 0
            self.indices = [self.random.randrange(lowest, extent) for _ in range(count)]
        if count and count != len(self.indices) or least is not None and min(self.indices) < least:
            raise Unfit
        if max(self.indices) >= extent or min(self.indices) < -extent:
            raise Unfit
        return self.indices

    def concatenate(self):
        x = self.choose(lambda value: value.rank > 0)
        axis = self.random.randrange(x.rank)

        def fits(value):
            return value is not x and value.rank == x.rank and all(
                value.shape[k] == x.shape[k] for k in range(x.rank) if k != axis)

        operands = [x, self.choose(fits)]
        if self.random.random() < 0.25:
            operands.append(self.choose(fits))
        places = ", ".join(["{}"] * len(operands))
        ones = [all(operand.ones[k] for operand in operands) and k != axis for k in range(x.rank)]
        return Value(f"concatenate<{self.axis_text(axis, x.rank)}>({places})",
                     lambda xp, *at: xp.concatenate(at, axis=axis), operands, ones=ones)

    def stack(self):
        x = self.choose(lambda value: 0 < value.rank < 4)
        y = self.choose(lambda value: value is not x and value.shape == x.shape)
        axis = self.random.randrange(x.rank + 1)
        ones = broadcast_ones([x, y])
        return Value(f"stack<{axis}>({{}}, {{}})", lambda xp, *at: xp.stack(at, axis=axis), [x, y],
                     ones=ones[:axis] + [False] + ones[axis:])

    def reshape(self):
        value = self.choose(lambda value: value.rank > 0 and value.size > 1)
        if value.rank > 1 and self.random.random() < 0.3:
            extents = [value.size]
        else:
            divisors = [k for k in range(2, value.size) if value.size % k == 0]
            if not divisors:
                raise Unfit
            first = self.random.choice(divisors)
            extents = [first, value.size // first]
        if self.random.random() < 0.15:
            extents.insert(self.random.randrange(len(extents) + 1), 1)
        if tuple(extents) == value.shape:
            raise Unfit
        if any(value.ones):
            self.static_ones = True
        written = list(extents)
        if self.random.random() < 0.6:
            written[self.random.choice([k for k, extent in enumerate(extents) if extent > 1])] = -1
        return Value(f"reshape<{', '.join(map(str, written))}>({{}})", lambda xp, x: xp.reshape(x, extents), [value])

    def stop(self):
        value = self.choose(lambda value: value.open and not isinstance(value, Variable)) \
            if self.random.random() < 0.7 else self.choose(lambda value: value.open)
        return self.stopped(value)

    def stopped(self, value):
        return Value("stop_gradient({})", lambda xp, x: xp.stop(x), [value], [], ones=value.ones)

    def stopped_part(self):
        """A stop of a slice, of a reduction or of a shift."""
        part = self.random.choice([self.slice, self.reduce, self.reduce, self.take])()
        if not part.open:
            raise Unfit
        return self.stopped(part)

    def draw_variables(self):
        extents = self.random.choice(SHAPES)
        shapes = list(extents)
        self.random.shuffle(shapes)
        count = self.random.choice([2, 2, 3] if self.hvp else [2, 2, 2, 2, 3, 3, 4])
        first_nonscalar = next(shape for shape in shapes if shape)
        shapes.remove(first_nonscalar)
        shapes = ([first_nonscalar] + shapes)[:count]
        draw = minimal_standard(10007 * self.number + 1)
        for name, shape in zip("abcd", shapes):
            bounds = self.random.choice([(-1.5, 1.5), (-1.5, 1.5), (0.5, 2.0)])
            layout = self.random.choice(["tensor", "tensor", "tensor", "by_columns", "fixed"])
            if len(shape) == 1:
                layout = self.random.choice(["tensor", "fixed", "std::vector", "std::vector"])
            self.variables.append(Variable(name, numbers(draw, shape, *bounds), bounds, layout))
        for variable in self.variables:
            variable.direction = numbers(draw, variable.shape, -1.0, 1.0)
        self.values = list(self.variables)

    def finish_layouts(self):
        if self.static_ones:
            for variable in self.variables:
                if 1 in variable.shape:
                    variable.layout = "fixed"

    def draw_operation(self, names):
        for _ in range(60):
            unread = any(id(variable) not in self.used for variable in self.variables)
            weights = [(3 if unread and name in OF_SEVERAL else 1) * OPERATIONS[name] /
                       (3 + self.counts.get(name, 0) / OPERATIONS[name]) for name in names]
            name = self.random.choices(names, weights)[0]
            before = self.indices, self.static_ones
            try:
                value = getattr(self, name)()
            except (Unfit, ValueError):
                self.indices, self.static_ones = before
                continue
            value.kind = name
            return self.add(value)
        raise Unfit

    def draw(self):
        self.draw_variables()
        count = self.random.choice([3, 3, 4] if self.hvp else [3, 4, 4, 5])
        stop_at = self.random.randrange(round(1.3 * count))
        for k in range(count):
            self.draw_operation(["stop", "stopped_part"] if k == stop_at else list(OPERATIONS))
        # The last value is the formula; variables that it does not read come to it.
        result = self.values[-1]
        for variable in self.variables:
            if variable not in self.read_by(result):
                result = self.combine(result, variable)
        if result.rank > 0:
            result = self.total(result)
        self.result = result
        if not result.open or result.rank > 0 or abs(result.array) < 1e-2:
            raise Unfit
        parts = self.read_by(result)
        if not 3 <= len([value for value in parts if value.operands]) <= 8:
            raise Unfit
        # Compiling takes 1 to 3 seconds a formula: one of seven is large, the others less so.
        cost = len(self.variables) + sum(COSTS.get(value.kind, 1) for value in parts if value.operands)
        if cost > (8 if self.hvp else 14 if self.number % 7 == 0 else 9):
            raise Unfit
        # Mostly stops, and rather of what is read unstopped too.
        stopped = [value.operands[0].open for value in parts if value.text.startswith("stop_gradient")]
        if not stopped and self.random.random() < 0.8:
            raise Unfit
        if not any(names & result.open for names in stopped) and self.random.random() < 0.6:
            raise Unfit
        # A variable that is read behind stops only is interesting, but not in each formula.
        if any(variable.name not in result.open for variable in self.variables) and self.random.random() < 0.8:
            raise Unfit

    def read_by(self, value):
        """The values in a formula."""
        found = [value]
        for operand in value.operands:
            found += [other for other in self.read_by(operand) if other not in found]
        return found

    def combine(self, x, y):
        try:
            return self.arithmetic((x, y) if self.random.random() < 0.5 else (y, x))
        except (ValueError, Unfit):
            if x.rank == 0 and y.rank == 0:
                raise
            return self.combine(self.total(x), y) if x.rank > 0 else self.combine(x, self.total(y))

    def kinds(self):
        return [value.kind for value in self.read_by(self.result) if value.operands]

    def total(self, value):
        self.reduces(value, range(value.rank))
        if self.random.random() < 0.5:
            return Value("sum({})", lambda xp, x: xp.sum(x), [value])
        return Value("mean({})", lambda xp, x: xp.mean(x), [value])

    def evaluate(self, xp, data):
        known = {id(variable): at for variable, at in zip(self.variables, data)}

        def of(value):
            if id(value) not in known:
                known[id(value)] = value.compute(xp, *[of(operand) for operand in value.operands])
            return known[id(value)]

        return of(self.result)

    def differentiate(self):
        data = [jnp.asarray(variable.data) for variable in self.variables]
        positions = tuple(range(len(data)))
        function = lambda *at: self.evaluate(FOR_JAX, at)
        value, gradient = jax.jit(jax.value_and_grad(function, positions))(*data)
        if not np.allclose(value, self.result.array, rtol=1e-11, atol=0):
            raise AssertionError(f"formula {self.number}: JAX {value}, NumPy {self.result.array}")
        self.value, self.gradient = float(value), [np.asarray(g) for g in gradient]
        if self.hvp:
            directions = [jnp.asarray(variable.direction) for variable in self.variables]
            product = jax.jit(lambda at, along: jax.jvp(jax.grad(function, positions), at, along)[1])
            self.product = [np.asarray(h) for h in product(tuple(data), tuple(directions))]
        for variable, g in zip(self.variables, self.gradient):
            largest = np.max(np.abs(g))
            if variable.name in self.result.open:
                if not 1e-3 < largest < 1e4:
                    raise Unfit
            elif largest != 0:
                raise AssertionError(f"formula {self.number}: {variable.name} is stopped")
        if self.hvp:
            largest = [np.max(np.abs(h)) for h in self.product]
            if max(largest) == 0 or not all(x == 0 or 1e-3 < x < 1e4 for x in largest):
                raise Unfit

    def texts(self):
        """Definitions of what is used more than once, and the text of the result."""
        uses = {}

        def count(value):
            for operand in value.operands:
                uses[id(operand)] = uses.get(id(operand), 0) + 1
                if uses[id(operand)] == 1:
                    count(operand)

        count(self.result)
        lines, names = [], {}

        def text(value, nested=False):
            if id(value) in names:
                return names[id(value)]
            result = value.text.format(*[text(operand, bool(value.infix)) for operand in value.operands])
            if uses.get(id(value), 0) > 1 and not isinstance(value, Variable):
                names[id(value)] = f"u{len(lines)}" if lines else "u"
                lines.append(f"const auto {names[id(value)]} = {result};")
                return names[id(value)]
            return f"({result})" if nested and value.infix is True else result

        result = text(self.result)
        return lines, result

    def test(self):
        names = [variable.name for variable in self.variables]
        lines, result = self.texts()
        bindings = [f"{name} = {name.upper()}" for name in names]
        wrt = f"wrt({', '.join(names)})"
        draws = [f"const auto {name.upper()} = {v.draw_text(*v.range)};" for name, v in zip(names, self.variables)]
        if self.hvp:
            draws += [f"const auto d{name.upper()} = {v.draw_text(-1, 1)};" for name, v in zip(names, self.variables)]
        if any("i" in value.text.replace("(", ",").replace(")", ",").replace(" ", "").split(",")
               for value in self.read_by(self.result)):
            draws.append(f"const std::vector<int> I{{{', '.join(map(str, self.indices))}}};")
            bindings.append("i = I")
        bound = ", ".join(bindings)
        lines = [f"numbers draw({self.number});"] + draws + lines + [
            f"const auto f = {result};",
            f"const auto r = value_and_gradient(f, {wrt})({bound});",
            f"check_value(r.value, {number_text(self.value)});",
        ]
        for variable, gradient in zip(self.variables, self.gradient):
            if variable.name in self.result.open:
                lines.append(check_text(f"by {variable.name}", f"r.gradient[{variable.name}]", gradient))
            else:
                lines.append(f"check_zero(r.gradient[{variable.name}]);")
        if self.hvp:
            tangents = ", ".join(f"{name} = d{name.upper()}" for name in names)
            lines.append(f"const auto h = hvp(f, {wrt}, tangent({tangents}))({bound});")
            for variable, product in zip(self.variables, self.product):
                lines.append(check_text(f"hvp by {variable.name}", f"h[{variable.name}]", product))
        body = "\n  ".join(lines)
        return f"BOOST_AUTO_TEST_CASE(formula_{self.number}) {{\n  {body}\n}}\n"


def number_text(number):
    return f"{float(number):.15g}"


def check_text(what, computed, expected):
    flat = expected.reshape(-1)
    if flat.size <= FEW:
        return f'check("{what}", {computed}, {{{", ".join(map(number_text, flat))}}});'
    weights = [1 + np.arange(flat.size) * step % 101 for step in (0, 37, 59, 83)]
    sums = ", ".join(number_text(math.fsum(weight * flat)) for weight in weights)
    return f'check_sums("{what}", {computed}, {{{sums}}});'


# The same numbers as of std::minstd_rand in check.hpp.


def minimal_standard(seed):
    state = seed % 2147483647
    while True:
        state = state * 48271 % 2147483647
        yield state


def numbers(draw, shape, low, high):
    return np.array([low + (high - low) * (next(draw) / 2147483647) for _ in range(math.prod(shape))]).reshape(shape)


def away_from(array, *kinks, distance=1e-4):
    for kink in kinks:
        if np.min(np.abs(array - kink)) < distance:
            raise Unfit


def distinct_extremes(array, axes):
    """Whether the largest along axes is clearly larger than the next."""
    kept = [axis for axis in range(array.ndim) if axis not in axes]
    rows = np.sort(array.transpose(kept + list(axes)).reshape(math.prod(array.shape[k] for k in kept), -1))
    if rows.shape[1] > 1:
        away_from(rows[:, -1] - rows[:, -2], 0)


def positive(array):
    return np.min(array) > 0.05


def anything(array):
    return True


ARITHMETIC = [("+", operator.add), ("-", operator.sub), ("*", operator.mul), ("*", operator.mul),
              ("/", operator.truediv)]
COMPARISONS = [("<", operator.lt), (">", operator.gt), ("<=", operator.le), (">=", operator.ge)]
UNARY = [
    ("exp", lambda xp, x: xp.exp(x), lambda array: np.max(array) < 3.4),
    ("exp2", lambda xp, x: xp.exp2(x), lambda array: np.max(array) < 4),
    ("expm1", lambda xp, x: xp.expm1(x), lambda array: np.max(array) < 3),
    ("log", lambda xp, x: xp.log(x), positive),
    ("log", lambda xp, x: xp.log(x), positive),
    ("log1p", lambda xp, x: xp.log1p(x), lambda array: np.min(array) > -0.8),
    ("sqrt", lambda xp, x: xp.sqrt(x), positive),
    ("sqrt", lambda xp, x: xp.sqrt(x), positive),
    ("square", lambda xp, x: x * x, anything),
    ("sin", lambda xp, x: xp.sin(x), anything),
    ("cos", lambda xp, x: xp.cos(x), anything),
    ("tanh", lambda xp, x: xp.tanh(x), anything),
    ("sinh", lambda xp, x: xp.sinh(x), lambda array: np.max(np.abs(array)) < 3),
    ("asinh", lambda xp, x: xp.arcsinh(x), anything),
    ("atan", lambda xp, x: xp.arctan(x), anything),
    ("sigmoid", lambda xp, x: xp.sigmoid(x), anything),
    ("softplus", lambda xp, x: xp.softplus(x), anything),
    ("erf", lambda xp, x: xp.erf(x), anything),
    ("abs", lambda xp, x: xp.abs(x), lambda array: np.min(np.abs(array)) > 1e-4),
    ("relu", lambda xp, x: xp.maximum(x, 0), lambda array: np.min(np.abs(array)) > 1e-4 and np.max(array) > 0),
]
REDUCTIONS = [
    ("sum", lambda xp, x, axes, keep: xp.sum(x, axis=axes, keepdims=keep)),
    ("sum", lambda xp, x, axes, keep: xp.sum(x, axis=axes, keepdims=keep)),
    ("mean", lambda xp, x, axes, keep: xp.mean(x, axis=axes, keepdims=keep)),
    ("mean", lambda xp, x, axes, keep: xp.mean(x, axis=axes, keepdims=keep)),
    ("prod", lambda xp, x, axes, keep: xp.prod(x, axis=axes, keepdims=keep)),
    ("amax", lambda xp, x, axes, keep: xp.max(x, axis=axes, keepdims=keep)),
    ("amin", lambda xp, x, axes, keep: xp.min(x, axis=axes, keepdims=keep)),
    ("norm", lambda xp, x, axes, keep: xp.sqrt(xp.sum(x * x, axis=axes, keepdims=keep))),
    ("logsumexp", lambda xp, x, axes, keep: xp.logsumexp(x, axis=axes, keepdims=keep)),
]
# How often each operation is drawn, about.
OPERATIONS = {
    "unary": 8, "with_number": 2, "negate": 1, "arithmetic": 5, "larger_or_smaller": 2, "clamp": 1, "power": 2,
    "of_two": 2, "where": 2, "guarded": 1.5, "reduce": 8, "along_axis": 7, "argmax": 2, "dot": 4, "outer": 2,
    "transpose": 2, "expand_dims": 1.5, "slice": 4, "take": 4, "one_hot": 2, "concatenate": 2, "stack": 1.5,
    "reshape": 4, "stop": 5, "stopped_part": 4,
}
COSTS = {"concatenate": 4, "along_axis": 3, "stack": 3, "dot": 3, "reduce": 2, "slice": 2, "take": 2, "reshape": 2,
         "stop": 0, "with_number": 0, "negate": 0}
OF_SEVERAL = {"arithmetic", "larger_or_smaller", "power", "of_two", "where", "dot", "outer", "concatenate", "stack"}
SHAPES = [
    [(3, 5), (5,), (), (3, 1)],
    [(9, 3), (3,), (9, 1), (9, 3)],
    [(17,), (17,), (), (2, 17)],
    [(33,), (33,), (), (33,)],
    [(4, 9), (9, 4), (4,), (9,)],
    [(3, 3), (3, 3), (3,), ()],
    [(2, 3, 5), (3, 5), (5,), (2, 1, 1)],
    [(2, 3, 5), (3, 1), (1, 5), ()],
    [(1, 9), (4, 1), (4, 9), (9,)],
    [(5, 17), (17, 2), (5,), (2,)],
    [(2, 33), (33,), (2, 1), (2,)],
    [(4, 2, 3), (2, 4), (3,), (4, 1, 3)],
    [(2, 3, 2, 5), (3, 1, 5), (5,), (2,)],
    [(1, 3, 1, 4), (2, 1, 4), (4,), ()],
    [(9, 9), (9,), (1, 9), (9, 9)],
    [(5, 4), (4, 3), (5, 3), (3,)],
    [(17, 3), (17,), (3,), (17, 3)],
    [(8,), (8, 8), (), (8,)],
    [(16, 2), (16,), (2,), (1,)],
]


def generate(number, counts):
    for attempt in range(500):
        formula = Formula(number, random.Random(number * 1000 + attempt), counts)
        try:
            formula.draw()
            formula.differentiate()
            formula.finish_layouts()
        except (Unfit, ValueError, OverflowError):
            continue
        for name in formula.kinds():
            counts[name] = counts.get(name, 0) + 1
        return formula
    raise AssertionError(f"formula {number}: nothing fits")


def main():
    here = pathlib.Path(__file__).parent
    chosen = set(map(int, sys.argv[1:]))
    counts = {}
    formulas = []
    for number in range(1, FORMULAS + 1):
        formulas.append(generate(number, counts))
        if number in chosen:
            print(formulas[-1].test())
    if chosen:
        return
    for old in here.glob("tensors_*.cpp"):
        old.unlink()
    files = []
    for first in range(0, FORMULAS, PER_FILE):
        tests = "\n".join(formula.test() for formula in formulas[first:first + PER_FILE])
        files.append(here / f"tensors_{first // PER_FILE + 1:02}.cpp")
        files[-1].write_text("// Made by generate.py; not edited by hand.\n"
                             f'#include "check.hpp"\n\nusing namespace oracle;\n\n{tests}')
    if shutil.which("clang-format-19"):
        subprocess.run(["clang-format-19", "-i", *files], check=True)
    stopped = sum("stop_gradient" in formula.test() for formula in formulas)
    print(f"{FORMULAS} formulas, {stopped} with stops, {sum(f.hvp for f in formulas)} with Hessian-vector products")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda entry: -entry[1])))


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
