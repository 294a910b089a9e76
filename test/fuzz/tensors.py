"""Random programs over tensors: idioms that people write, and compositions of them."""

import itertools
import operator

import numpy

from autograd import grad

from program import Invalid, Node, Parameter, Region, Unfit, Variable, broadcast, literal
from tensor_loops import TensorLoops

NUMBERS = [("0.7", 0.7), ("2_c", 2.0), ("constant<1, 3>", 1 / numpy.longdouble(3)), ("1.3", 1.3), ("-0.4", -0.4),
           ("3_c", 3.0), ("0.25", 0.25), ("10.0", 10.0)]

SMOOTH = [("exp", "tanh({})"), "sin", "cos", "tanh", "sigmoid", "softplus", "square", "atan", "asinh", "erf", "relu", "abs",
          "sinh"]
POSITIVE = ["exp", "softplus", "sigmoid", "squared and more", "square root"]
REDUCTIONS = ["sum", "sum", "sum", "mean", "mean", "logsumexp", "amax", "amin", "norm", "prod"]


class Tensors(TensorLoops):
    """Draws values. Each idiom is a method named idiom_... that returns a value, or raises Unfit."""

    def __init__(self, random_numbers, function=False):
        self.random, self.function, self.regions = random_numbers, function, 0
        self.counter = itertools.count(1)
        self.dimensions = self.random.choice([["n", "m"], ["n", "m"], ["n", "m", "k"], ["n"]])
        self.variables, self.values, self.used = [], [], set()
        self.idioms = [(getattr(self, name), weight) for name, weight in IDIOMS.items()]

    # Leaves and choices

    def variable(self, shape, numbers="any", fresh=0.6):
        known = [v for v in self.variables if v.shape == tuple(shape) and v.numbers == numbers]
        if known and (self.random.random() > fresh or len(self.variables) >= 5):
            return self.random.choice(known)
        if len(self.variables) >= 7:
            raise Unfit
        names = "ijh" if Variable("", (), numbers).integer else "XYabcdwv"
        free = [name for name in names if name not in {v.name for v in self.variables}]
        if not free:
            raise Unfit
        self.variables.append(Variable(free[0], shape, numbers))
        return self.variables[-1]

    def shape(self, rank=None):
        rank = self.random.choice([0, 1, 1, 2, 2, 2, 3]) if rank is None else rank
        if rank <= len(self.dimensions):
            return tuple(self.random.sample(self.dimensions, rank))
        return tuple(self.random.choice(self.dimensions) for _ in range(rank))

    def pick(self, fits=lambda value: True, fresh=0.35, shape=None):
        """A value that fits: what is there, rather unused, or a new variable."""
        found = [value for value in self.values if fits(value) and not value.boolean]
        if found and self.random.random() > fresh:
            return self.random.choices(found, [1 if id(value) in self.used else 12 for value in found])[0]
        for _ in range(8):
            made = Variable("", shape if shape is not None else self.shape(), "any")
            if fits(made):
                return self.variable(made.shape)
        if found:
            return self.random.choice(found)
        raise Unfit

    def of_rank(self, *ranks, **options):
        return self.pick(lambda value: value.rank in ranks, shape=options.pop("shape", None) or self.shape(
            self.random.choice(ranks)), **options)

    def like(self, value, fresh=0.5):
        """A value that broadcasts against this one: of its shape, of its last axes, a number, or with extents of 1."""
        choice = self.random.random()
        shape = value.shape
        if choice < 0.35:
            shape = shape[1:] if shape else ()
        elif choice < 0.5:
            shape = ()

        def fits(other):
            try:
                return other is not value and broadcast(other.shape, value.shape) is not None
            except Unfit:
                return False

        return self.pick(fits, fresh, shape)

    def axis(self, value):
        if value.rank == 0:
            raise Unfit
        return self.random.choices(range(value.rank), [1] * (value.rank - 1) + [2])[0]

    def written(self, axis, rank):
        return axis - rank if self.random.random() < 0.2 else axis

    # Operations

    def unary(self, name, x):
        return Node(f"{name}({{}})", lambda xp, x: getattr(xp, name)(x), [x], x.shape)

    def binary(self, symbol, x, y):
        compute = {"+": lambda xp, x, y: x + y, "-": lambda xp, x, y: x - y, "*": lambda xp, x, y: xp.mul(x, y),
                   "/": lambda xp, x, y: xp.div(x, y)}[symbol]
        return Node(f"{{}} {symbol} {{}}", compute, [x, y], broadcast(x.shape, y.shape), infix=True)

    def of_two(self, name, x, y, text=None):
        return Node(f"{text or name}({{}}, {{}})", lambda xp, x, y: getattr(xp, name)(x, y), [x, y],
                    broadcast(x.shape, y.shape))

    def negative(self, x):
        return Node("-{}", lambda xp, x: -x, [x], x.shape, infix=True)

    def number(self):
        return literal(*self.random.choice(NUMBERS))

    def add(self, x, y):
        return self.binary("+", x, y)

    def times(self, x, y):
        return self.binary("*", x, y)

    def expand(self, x, axis):
        shape = x.shape[:axis] + (1, ) + x.shape[axis:]
        return Node(f"expand_dims<{self.written(axis, x.rank + 1)}>({{}})",
                    lambda xp, x: xp.np.expand_dims(x, axis), [x], shape)

    def reduce(self, name, x, axes=(), keep=False):
        axes = tuple(axes)
        reduced = axes or tuple(range(x.rank))
        listed = f"<{', '.join(str(self.written(axis, x.rank)) for axis in axes)}>" if axes else ""
        shape = [1 if k in reduced else extent for k, extent in enumerate(x.shape) if keep or k not in reduced]
        if name == "prod" and len(reduced) > 2:
            raise Unfit
        return Node(f"{name}{listed}({{}}{', keep_dims' if keep else ''})",
                    lambda xp, x: getattr(xp, name)(x, axes, keep), [x], shape,
                    requires=[(x.shape[axis], 1) for axis in reduced] if name in ("amax", "amin", "mean", "logsumexp") else ())

    def along(self, name, x, axis):
        shape = x.shape if name != "argmax" else x.shape[:axis] + x.shape[axis + 1:]
        return Node(f"{name}<{self.written(axis, x.rank)}>({{}})", lambda xp, x: getattr(xp, name)(x, axis), [x], shape,
                    requires=[(x.shape[axis], 1)])

    def matmul(self, x, y, name="dot"):
        if x.rank not in (1, 2) or y.rank not in (1, 2) or x.shape[-1] != y.shape[0]:
            raise Unfit
        return Node(f"{name}({{}}, {{}})", lambda xp, x, y: xp.matmul(x, y), [x, y], x.shape[:-1] + y.shape[1:])

    def transpose(self, x, order=None):
        order = order or tuple(reversed(range(x.rank)))
        text = "transpose({})" if order == tuple(reversed(range(x.rank))) and self.random.random() < 0.7 else \
            f"transpose<{', '.join(map(str, order))}>({{}})"
        return Node(text, lambda xp, x: xp.np.transpose(x, order), [x], [x.shape[k] for k in order])

    def positive(self, x):
        kind = self.random.choice(POSITIVE)
        if kind == "squared and more":
            return self.add(self.unary("square", x), literal("0.5", 0.5))
        if kind == "square root":
            return self.unary("sqrt", self.add(literal("1_c", 1.0), self.unary("square", x)))
        return self.unary("exp", self.unary("tanh", x)) if kind == "exp" and x.args else self.unary(kind, x)

    def smooth(self, x):
        kind = self.random.choice(SMOOTH)
        if isinstance(kind, tuple) or kind == "sinh":
            return self.unary("exp" if isinstance(kind, tuple) else kind, self.unary("tanh", x))
        return self.unary(kind, x)

    def condition(self, x):
        symbol, compare = self.random.choice([("<", operator.lt), (">", operator.gt), ("<=", operator.le),
                                              (">=", operator.ge)])
        y = self.like(x) if self.random.random() < 0.4 else literal(*self.random.choice(
            [("0.3", 0.3), ("0_c", 0.0), ("-0.5", -0.5)]))
        result = Node(f"{{}} {symbol} {{}}", lambda xp, x, y: compare(xp.value_of(x), xp.value_of(y)), [x, y],
                      broadcast(x.shape, y.shape), infix=True, boolean=True)
        if self.random.random() < 0.1:
            return Node("!{}", lambda xp, c: ~c, [result], result.shape, boolean=True, infix=True)
        return result

    def where(self, condition, x, y):
        return Node("where({}, {}, {})", lambda xp, c, x, y: xp.where(c, x, y), [condition, x, y],
                    broadcast(condition.shape, x.shape, y.shape))

    # Idioms

    def idiom_elementwise(self):
        x = self.pick()
        choice = self.random.random()
        if choice < 0.35:
            return self.smooth(x)
        if choice < 0.5:
            return self.unary(self.random.choice(["log", "sqrt", "log1p"]), self.positive(x))
        if choice < 0.7:
            number = self.number()
            return self.binary(self.random.choice("+-*"), *self.random.sample([x, number], 2))
        if choice < 0.8:
            return self.binary("/", self.like(x), self.positive(x))
        if choice < 0.85:
            return Node("pow({}, 3_c)", lambda xp, x: x * x * x, [x], x.shape)
        if choice < 0.9:
            return self.of_two("power", self.positive(x), self.like(x), "pow")
        if choice < 0.95:
            return self.negative(x)
        return self.times(x, self.unary("sigmoid", x))

    def idiom_arithmetic(self):
        x = self.pick()
        return self.binary(self.random.choice("+-***"), *self.random.sample([x, self.like(x)], 2))

    def idiom_of_two(self):
        x = self.pick()
        y = self.like(x)
        name = self.random.choice(["max", "min", "hypot", "atan2", "logaddexp"])
        return self.of_two(name, x, y, "logsumexp" if name == "logaddexp" else None)

    def idiom_rows(self):
        """Scale and shift of rows: X * softplus(g) + b."""
        x = self.of_rank(2) if self.random.random() < 0.6 else self.expand(self.of_rank(1), 1)
        g = self.variable((self.dimensions[-1], ) if x.shape[-1] == 1 else x.shape[-1:], fresh=0.8)
        scale = self.positive(g) if self.random.random() < 0.7 else g
        scaled = self.times(x, scale) if self.random.random() < 0.7 else self.binary("/", x, self.positive(g))
        return self.add(scaled, self.variable(g.shape, fresh=0.8)) if self.random.random() < 0.8 else scaled

    def idiom_mixture(self):
        """The log density of a mixture of normal distributions."""
        x = self.expand(self.of_rank(1, shape=(self.dimensions[0], )), 1)
        shape = (self.dimensions[-1], )
        mu, s = self.variable(shape), self.variable(shape)
        z = self.times(self.binary("-", x, mu), self.unary("exp", self.negative(s)))
        exponent = self.binary("-", self.variable(shape), self.times(literal("constant<1, 2>", 0.5),
                                                                     self.unary("square", z)))
        if self.random.random() < 0.6:
            exponent = self.binary("-", exponent, s)
        return self.reduce("logsumexp", exponent, [1])

    def idiom_scores(self):
        """Rows of scores that become weights or one number each."""
        choice = self.random.random()
        if choice < 0.45:
            scores = self.idiom_rows()
        elif choice < 0.6:
            scores = self.times(self.expand(self.of_rank(1), 1), self.positive(self.variable((self.dimensions[-1], ))))
        else:
            scores = self.random.choice([self.idiom_distances, self.idiom_normalise, self.idiom_dense, self.idiom_dot])()
        if scores.rank != 2:
            raise Unfit
        if self.random.random() < 0.5:
            scores = self.along(self.random.choice(["softmax", "softmax", "log_softmax"]), scores, 1)
            if self.random.random() < 0.4:
                return self.reduce(self.random.choice(["sum", "mean", "amax"]), scores, [0])
            return self.times(scores, self.like(scores)) if self.random.random() < 0.3 else scores
        return self.reduce(self.random.choice(["logsumexp", "logsumexp", "norm", "sum", "prod", "amax"]), scores, [1])

    def idiom_attention(self):
        q = self.of_rank(2)
        keys = self.variable((self.random.choice(self.dimensions), q.shape[1]))
        values = self.variable((keys.shape[0], self.random.choice(self.dimensions)))
        scores = self.times(self.matmul(q, self.transpose(keys)), literal("0.5", 0.5))
        if self.random.random() < 0.3:
            scores = self.where(self.condition(scores), scores, literal("-30.0", -30.0))
        weights = self.along("softmax", scores, 1)
        return self.matmul(weights, values)

    def idiom_normalise(self):
        x = self.of_rank(1, 2, 2)
        axis = self.axis(x)
        centred = self.binary("-", x, self.reduce("mean", x, [axis], True))
        variance = self.reduce("mean", self.unary("square", centred), [axis], True)
        deviation = self.unary("sqrt", self.add(variance, literal("0.01", 0.01)))
        result = self.binary("/", centred, deviation)
        if self.random.random() < 0.5:
            result = self.add(self.times(result, self.variable(x.shape[-1:])), self.variable(x.shape[-1:]))
        return result

    def idiom_weights(self):
        """Rows or columns divided by their sum or norm."""
        x = self.of_rank(1, 2)
        axis = self.axis(x)
        if self.random.random() < 0.5:
            y = self.positive(x)
            return self.binary("/", y, self.reduce("sum", y, [axis], True))
        total = self.add(self.reduce(self.random.choice(["norm", "amax"]), self.unary("abs", x), [axis], True),
                         literal("0.1", 0.1))
        return self.binary("/", x, total)

    def idiom_mask(self):
        x = self.pick()
        choice = self.random.random()
        condition = self.condition(x)
        if choice < 0.4:
            return self.where(condition, self.smooth(x), self.like(x))
        if choice < 0.6:
            return self.times(condition, x)
        if choice < 0.75:
            return self.where(condition, x, literal("0_c", 0.0))
        name = self.random.choice(["sqrt", "log"])
        positive = Node("{} > 0", lambda xp, x: xp.value_of(x) > 0, [x], x.shape, infix=True, boolean=True)
        return self.where(positive, self.unary(name, x), self.times(x, literal("0.5", 0.5)))

    def idiom_clamp(self):
        x = self.pick()
        return Node("clamp({}, -0.5, 0.8)", lambda xp, x: xp.max(xp.min(x, 0.8), -0.5), [x], x.shape)

    def idiom_softmax(self):
        x = self.of_rank(1, 2, 2, 3)
        return self.along(self.random.choice(["softmax", "softmax", "log_softmax"]), x, self.axis(x))

    def idiom_reduce(self):
        x = self.of_rank(1, 2, 2, 3, fresh=0.15)
        if self.random.random() < 0.15:
            return self.reduce(self.random.choice(REDUCTIONS), x, (), self.random.random() < 0.3)
        axes = sorted(self.random.sample(range(x.rank), 1 if x.rank < 3 or self.random.random() < 0.7 else 2))
        return self.reduce(self.random.choice(REDUCTIONS), x, axes, self.random.random() < 0.45)

    def idiom_squares(self):
        """A sum of squares of residuals."""
        x = self.pick()
        y = self.like(x)
        return self.reduce(self.random.choice(["sum", "mean"]), self.unary("square", self.binary("-", x, y)))

    def idiom_dot(self):
        x = self.of_rank(1, 2)
        other = self.random.random()
        shape = (x.shape[-1], ) if other < 0.4 else (x.shape[-1], self.random.choice(self.dimensions))
        y = self.pick(lambda value: value.rank in (1, 2) and value.shape[0] == x.shape[-1], 0.6, shape)
        return self.matmul(x, y, self.random.choice(["dot", "dot", "matmul"]))

    def idiom_dense(self):
        """A layer: tanh(dot(X, w) + b)."""
        x = self.of_rank(2)
        w = self.variable((x.shape[1], self.random.choice(self.dimensions)), fresh=0.9)
        z = self.add(self.matmul(x, w), self.variable((w.shape[1], ), fresh=0.9))
        return self.unary(self.random.choice(["tanh", "relu", "sigmoid", "softplus"]), z)

    def idiom_outer(self):
        x, y = self.of_rank(1), self.of_rank(1, 2)
        return Node("outer({}, {})", lambda xp, x, y: xp.np.tensordot(x, y, 0), [x, y], x.shape + y.shape)

    def idiom_distances(self):
        """Squared distances of all pairs of rows."""
        x = self.of_rank(2)
        y = self.variable((self.random.choice(self.dimensions), x.shape[1]))
        difference = self.binary("-", self.expand(x, 1), self.expand(y, 0))
        squared = self.reduce("sum", self.unary("square", difference), [2])
        return self.unary("exp", self.negative(squared)) if self.random.random() < 0.6 else squared

    def idiom_transpose(self):
        x = self.of_rank(2, 2, 3)
        order = list(range(x.rank))
        self.random.shuffle(order)
        return self.transpose(x, tuple(order))

    def idiom_expand(self):
        x = self.of_rank(1, 2)
        return self.expand(x, self.random.randrange(x.rank + 1))

    def idiom_slice(self):
        x = self.of_rank(1, 2)
        axis = self.axis(x)
        begin, end = self.random.choice([(1, None), (None, -1), (1, -1), (2, None), (0, 2), (-2, None)])
        if end is None:
            text = f"slice<{axis}>({{}}, {begin})"
        else:
            text = f"slice<{axis}>({{}}, {begin or 0}, {end})"
        n = x.shape[axis]
        if n == 1:
            raise Unfit
        extent = 2 if (begin, end) in ((0, 2), (-2, None)) else f"{n}-{(begin or 0) - (end or 0)}"
        taken = (slice(None), ) * axis + (slice(begin, end), )
        least = 1 if (begin, end) in ((1, None), (None, -1)) else 2

        def compute(xp, x):
            if x.shape[axis] < least:  # as where it has the extent 1 at run time; NumPy would give what there is
                raise IndexError
            return x[taken]
        return Node(text, compute, [x], x.shape[:axis] + (extent, ) + x.shape[axis + 1:], requires=[(n, 2)])

    def idiom_split(self):
        """Two parts side by side, computed apart; there may be nothing in the second."""
        x = self.of_rank(1, 2)
        axis = self.axis(x)
        n = x.shape[axis]
        if n == 1:
            raise Unfit
        sums, at = [], self.random.choice([2, 3, 3])
        for text, taken, extent in [(f"0, {at}", slice(0, at), at), (str(at), slice(at, None), f"{n}-{at}")]:
            def compute(xp, x, taken=(slice(None), ) * axis + (taken, )):
                if x.shape[axis] < at:  # as in idiom_slice
                    raise IndexError
                return x[taken]
            part = Node(f"slice<{axis}>({{}}, {text})", compute, [x], x.shape[:axis] + (extent, ) + x.shape[axis + 1:],
                        requires=[(n, at)])
            sums.append(self.reduce("sum", self.unary(self.random.choice(["tanh", "sin", "square"]), part), [axis]))
        return self.add(*sums)

    def idiom_steps(self):
        x = self.of_rank(1, 2)
        axis = self.axis(x)
        n = x.shape[axis]
        if n == 1:
            raise Unfit
        begin, end, step, extent = self.random.choice([(0, -1, 2, f"({n})//2"), (1, -1, 2, f"({n}-1)//2"),
                                                       (-1, 0, -1, f"{n}-1"), (-2, 0, -2, f"({n}-1)//2")])
        taken = (slice(None), ) * axis + (slice(begin, end, step), )

        def compute(xp, x):
            if x.shape[axis] < 2:  # as in idiom_slice
                raise IndexError
            return x[taken]
        return Node(f"slice<{axis}>({{}}, {begin}, {end}, {step})", compute, [x],
                    x.shape[:axis] + (extent, ) + x.shape[axis + 1:], requires=[(n, 2)])

    def idiom_order(self):
        x = self.of_rank(1, 2, 2, 3)
        axis = self.axis(x)
        name, by = self.random.choice(["flip", "roll", "sort", "cumsum", "cumsum", "cumprod"]), self.random.choice([-7, -1, 1, 2, 5])

        compute = {"flip": lambda xp, x: x[(slice(None), ) * axis + (slice(None, None, -1), )],
                   "roll": lambda xp, x: xp.np.roll(x, by, axis), "cumsum": lambda xp, x: xp.np.cumsum(x, axis),
                   "sort": lambda xp, x: xp.sort(x, axis), "cumprod": lambda xp, x: xp.cumprod(x, axis)}[name]
        return Node(f"{name}<{self.written(axis, x.rank)}>({{}}{f', {by}' if name == 'roll' else ''})", compute, [x], x.shape)

    def idiom_pad(self):
        x = self.of_rank(1, 2)
        axis = self.axis(x)
        n, before, after = x.shape[axis], self.random.randrange(3), self.random.randrange(3)
        filling = self.random.choice([None, None, "1.5"])

        def compute(xp, x):
            def around(count):
                shape = x.shape[:axis] + (count, ) + x.shape[axis + 1:]
                return numpy.full(shape, float(filling or 0), x.dtype)
            return xp.np.concatenate([around(before), x, around(after)], axis=axis)
        return Node(f"pad<{self.written(axis, x.rank)}>({{}}, {before}, {after}{f', {filling}' if filling else ''})", compute,
                    [x], x.shape[:axis] + (n + before + after if isinstance(n, int) else f"{n}+{before + after}", ) +
                    x.shape[axis + 1:])

    def idiom_deviation(self):
        x = self.of_rank(1, 2, 2, 3)
        axes = tuple(sorted(self.random.sample(range(x.rank), self.random.choice([1, 1, x.rank]))))
        name, keep = self.random.choice(["var", "stddev"]), self.random.random() < 0.4

        def compute(xp, x):
            apart = x - xp.mean(x, axes, True)
            count = numpy.prod([x.shape[axis] for axis in axes])
            # The mean of equal numbers is one of them but for rounding, which the derivative of a root magnifies.
            largest = [numpy.max(numpy.abs(xp.value_of(v)), axis=axes) for v in (apart, x)]
            if name == "stddev" and count > 2 and numpy.any(largest[0] < 1e-9 * largest[1]):
                raise Invalid
            return xp.mean(xp.square(apart), axes, keep) if name == "var" else xp.norm(apart, axes, keep) / count**0.5
        shape = [1 if k in axes else extent for k, extent in enumerate(x.shape) if keep or k not in axes]
        return Node(f"{name}<{', '.join(map(str, axes))}>({{}}{', keep_dims' if keep else ''})", compute, [x], shape,
                    requires=[(x.shape[axis], 1) for axis in axes])

    def idiom_triangle(self):
        x = self.of_rank(2, 2, 3)
        name, offset = self.random.choice(["tril", "triu"]), self.random.choice([-1, 0, 0, 2])

        def compute(xp, x):
            return xp.np.where(getattr(numpy, name)(numpy.ones(x.shape[-2:]), offset) > 0, x, numpy.zeros((), x.dtype))
        return Node(f"{name}({{}}, {offset})" if offset else f"{name}({{}})", compute, [x], x.shape)

    def idiom_diag(self):
        x = self.of_rank(1)

        def compute(xp, x):
            zeros = numpy.zeros((len(x), len(x)), x.dtype)
            return xp.np.where(numpy.eye(len(x)) > 0, x + zeros, zeros)
        return Node("diag({})", compute, [x], x.shape * 2)

    def idiom_broadcast(self):
        y = self.of_rank(1, 2)
        x = self.pick(lambda value: value.rank <= y.rank and broadcast(value.shape, y.shape) == y.shape, 0.5, y.shape[1:])

        def compute(xp, x, y):
            if numpy.broadcast_shapes(x.shape, y.shape) != y.shape:  # as in idiom_slice
                raise IndexError
            return x + numpy.zeros(y.shape, y.dtype)

        return Node("broadcast_like({}, {})", compute, [x, y], y.shape)

    def idiom_segments(self):
        x = self.of_rank(1, 2)
        segments = self.variable((x.shape[0], ), "below 4")

        def compute(xp, x, i):
            if len(i) != len(x):  # as in idiom_slice
                raise IndexError
            own = numpy.asarray(i).reshape((-1, ) + (1, ) * (x.ndim - 1))
            return xp.np.stack([xp.np.sum(xp.np.where(own == k, x, numpy.zeros((), x.dtype)), 0) for k in range(4)])
        return Node("segment_sum({}, {}, 4)", compute, [x, segments], (4, ) + x.shape[1:])

    def idiom_einsum(self):
        """A chain of three."""
        x = self.of_rank(2)
        y = self.variable((x.shape[1], self.random.choice(self.dimensions)))
        z = self.pick(lambda value: value.rank == 1 and value.shape == y.shape[1:], 0.6, y.shape[1:])
        return Node('einsum<"ij,jk,k->i">({}, {}, {})', lambda xp, x, y, z: xp.matmul(xp.matmul(x, y), z), [x, y, z],
                    x.shape[:1])

    def idiom_differences(self):
        """x[1:] - x[:-1]"""
        x = self.of_rank(1, 2)
        axis = self.axis(x)
        n = x.shape[axis]
        if n == 1:
            raise Unfit
        before = (slice(None), ) * axis
        parts = [Node(f"slice<{axis}>({{}}, {text})", lambda xp, x, taken=taken: x[before + (taken, )], [x],
                      x.shape[:axis] + (f"{n}-1", ) + x.shape[axis + 1:], requires=[(n, 2)])
                 for text, taken in (("1", slice(1, None)), ("0, -1", slice(0, -1)))]
        return self.binary("-", *parts)

    def idiom_take(self):
        x = self.of_rank(1, 2)
        axis = self.axis(x)
        if not isinstance(x.shape[axis], str):
            raise Unfit
        shape = self.random.choice([("l", ), ("l", ), ("l", "l")])
        indices = self.variable(shape, f"below {x.shape[axis]}")
        text = "take({}, {})" if axis == 0 and self.random.random() < 0.6 else f"take<{axis}>({{}}, {{}})"
        return Node(text, lambda xp, x, i: xp.take(x, i, axis), [x, indices],
                    x.shape[:axis] + shape + x.shape[axis + 1:], requires=[(x.shape[axis], 1)])

    def idiom_cross_entropy(self):
        """Of labels, by one_hot."""
        z = self.of_rank(2)
        labels = self.variable((z.shape[0], ), "below 3")
        z = self.matmul(z, self.variable((z.shape[1], 3)))
        hot = Node("one_hot({}, 3)", lambda xp, i: xp.one_hot(i, 3), [labels], (labels.shape[0], 3))
        if self.random.random() < 0.5:
            return self.binary("-", self.reduce("logsumexp", z, [1]), self.reduce("sum", self.times(hot, z), [1]))
        return self.negative(self.times(hot, self.along("log_softmax", z, 1)))

    def idiom_join(self):
        x = self.of_rank(1, 2)
        y = self.pick(lambda value: value.shape == x.shape and value is not x, 0.5, x.shape)
        if 1 in x.shape:
            raise Unfit
        axis = self.axis(x)
        if self.random.random() < 0.5:
            n = x.shape[axis]
            return Node(f"concatenate<{axis}>({{}}, {{}})", lambda xp, x, y: xp.np.concatenate([x, y], axis=axis), [x, y],
                        x.shape[:axis] + (f"2*({n})", ) + x.shape[axis + 1:])
        return Node(f"stack<{axis}>({{}}, {{}})", lambda xp, x, y: xp.np.stack([x, y], axis=axis), [x, y],
                    x.shape[:axis] + (2, ) + x.shape[axis:])

    def idiom_reshape(self):
        x = self.of_rank(1, 2, 3)
        if 1 in x.shape:
            raise Unfit
        if x.rank > 1:
            return Node("reshape<-1>({})", lambda xp, x: xp.np.reshape(x, (-1, )), [x],
                        ["*".join(f"({extent})" for extent in x.shape)], requires=[(extent, 1) for extent in x.shape])
        return Node("reshape<-1, 1>({})", lambda xp, x: xp.np.reshape(x, (-1, 1)), [x], [x.shape[0], 1],
                    requires=[(x.shape[0], 1)])

    def idiom_stop(self):
        x = self.pick(lambda value: bool(value.args))
        choice = self.random.random()
        if choice < 0.5:
            return Node("stop_gradient({})", lambda xp, x: xp.stop(x), [x], x.shape)
        if choice < 0.7:
            return Node("grad_scale({}, 0.5)", lambda xp, x: xp.scaled_gradient(0.5)(x), [x], x.shape)
        if choice < 0.8:
            return Node("grad_reverse({})", lambda xp, x: xp.scaled_gradient(-1.0)(x), [x], x.shape)
        return self.binary("-", x, Node("stop_gradient({})", lambda xp, x: xp.stop(x),
                                        [self.reduce("amax", x, [x.rank - 1], True)],
                                        x.shape[:-1] + (1, ))) if x.rank else self.smooth(x)

    def idiom_gradient(self):
        """A gradient inside: of a number that a few operations make of the arguments of another function."""
        if not self.function:
            raise Unfit
        outside = [self.pick(lambda value: value.rank < 3)]
        outside += [self.like(outside[0], 0.3) for _ in range(self.random.choice([0, 1, 1]))]
        self.regions += 1
        parameters = [Parameter(f"p{self.regions}{k}", x.shape) for k, x in enumerate(outside)]
        inner = self.body(parameters)
        inner.regions = self.regions + 10
        for _ in range(self.random.choice([1, 2, 2, 3])):
            name = self.random.choice(INSIDE)
            try:
                inner.values.append(getattr(inner, name)())
                inner.used.update(id(argument) for argument in inner.values[-1].args)
            except Unfit:
                continue
        self.regions = inner.regions
        used = [value for value in inner.values if id(value) not in inner.used and value.args]
        if not used:
            raise Unfit
        terms = [inner.reduce("sum", value) if value.rank else value for value in used]
        number = terms[0]
        for term in terms[1:]:
            number = inner.add(number, term)
        by = self.random.randrange(len(outside))
        places = ", ".join("{}" for _ in outside)

        def run(xp, body, *given):
            return grad(lambda x: body(*given[:by], x, *given[by + 1:])[0])(given[by])
        return Region(f"gradient({{function}}, wrt<{by}>)({places})", run, outside, [number], parameters,
                      outside[by].shape, capture="")

    def no_variable(self, shape, numbers="any", fresh=0.6):
        raise Unfit

    def idiom_argmax(self):
        x = self.of_rank(2)
        return self.along("argmax", x, self.axis(x))

    # Programs

    def draw(self):
        """A root."""
        names, weights = zip(*self.idioms)
        for _ in range(self.random.choice([1, 2, 2, 3, 3, 4, 5, 6])):
            for _ in range(20):
                try:
                    value = self.random.choices(names, weights)[0]()
                    if value.rank <= 4:
                        break
                except Unfit:
                    continue
            else:
                continue
            self.used.update(id(argument) for argument in value.args)
            self.values.append(value)
        if not self.values:
            raise Unfit
        unused = [value for value in self.values if id(value) not in self.used] or self.values[-1:]
        return self.close(unused)

    def close(self, values):
        """One value of all: a weighted sum of reductions, or the last as it is."""
        if len(values) == 1 and self.random.random() < 0.3:
            return values[0]
        terms = []
        for value in values:
            if value.rank == 2 and self.random.random() < 0.35:
                value = self.reduce("sum", value, [self.random.randrange(2)])
                if self.random.random() < 0.5:
                    value = self.smooth(value)
            if value.rank and self.random.random() < 0.15:
                value = self.unary("square", value)
            terms.append(self.reduce(self.random.choice(["sum", "sum", "mean"]), value) if value.rank else value)
        total = terms[0]
        for term in terms[1:]:
            total = self.binary(self.random.choice("+-"), total, term)
        return total


INSIDE = ["idiom_elementwise", "idiom_arithmetic", "idiom_arithmetic", "idiom_of_two", "idiom_mask", "idiom_softmax",
          "idiom_reduce", "idiom_squares", "idiom_dot", "idiom_outer", "idiom_transpose", "idiom_slice", "idiom_join",
          "idiom_reshape", "idiom_stop", "idiom_gradient", "idiom_scan", "idiom_cond"]
IDIOMS = {
    "idiom_elementwise": 7, "idiom_arithmetic": 7, "idiom_of_two": 2, "idiom_rows": 5, "idiom_mixture": 5, "idiom_scores": 14,
    "idiom_attention": 2, "idiom_normalise": 4, "idiom_weights": 2, "idiom_mask": 4, "idiom_clamp": 1, "idiom_softmax": 5,
    "idiom_reduce": 9, "idiom_squares": 2, "idiom_dot": 4, "idiom_dense": 2, "idiom_outer": 1, "idiom_distances": 2,
    "idiom_transpose": 2, "idiom_expand": 2, "idiom_slice": 2, "idiom_split": 2, "idiom_steps": 2, "idiom_order": 4, "idiom_pad": 2,
    "idiom_deviation": 2, "idiom_triangle": 1, "idiom_diag": 1, "idiom_broadcast": 1, "idiom_segments": 2, "idiom_einsum": 1, "idiom_differences": 2, "idiom_take": 3,
    "idiom_cross_entropy": 2, "idiom_join": 2, "idiom_reshape": 2, "idiom_stop": 2, "idiom_argmax": 1,
    "idiom_gradient": 16, "idiom_scan": 16, "idiom_products": 3, "idiom_while": 4, "idiom_cond": 8, "idiom_odeint": 3
}
