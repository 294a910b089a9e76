"""Random functions of numbers and sequences: recursive filters, cells, calls, nested loops and verbs."""

import operator

from autograd import grad

from program import MEMORIES, Lazy, Node, Parameter, Region, Unfit, Variable, literal, nodes_of

LITERALS = [("0.5", 0.5), ("2.0", 2.0), ("0.1", 0.1), ("-0.3", -0.3), ("1.0", 1.0), ("0.0", 0.0)]

FUNCTIONS = ["sin", "cos", "tanh", "sigmoid", "exp", "square", "softplus", "atan"]
# Those that lanes have functions of their own for.
IN_LANES = ["tanh", "sigmoid", "exp", "square", "softplus"]


def sequence_length(sequences):
    return len(sequences[0])


def constant(node):
    """Whether it is of literals alone, which C++ would compute."""
    return not node.args and not isinstance(node, (Parameter, Variable)) or \
        bool(node.args) and all(constant(argument) for argument in node.args)


class Loops:
    def __init__(self, random_numbers, clips=False):
        self.random, self.count = random_numbers, 0
        # What changes from step to step, or from call to call, in the region that is being drawn: grad_clip of another
        # value, or of the same twice, would clip the sum of several adjoints.
        self.clips, self.own, self.clipped = clips, [], 0
        self.variables = [Variable(name, ()) for name in "abp"[:self.random.choice([1, 2, 2, 3])]]
        self.sequences = [Variable(name, ("n", )) for name in "xy"[:self.random.choice([0, 1, 1, 1, 2])]]
        self.steps = Variable("n", (), "count n")
        self.made = []
        self.functions = FUNCTIONS

    # Expressions of a pool of values

    def leaf(self, pool):
        if self.random.random() < 0.2:
            return literal(*self.random.choice(LITERALS))
        return self.random.choices(pool, [2 if isinstance(value, Parameter) else 1 for value in pool])[0]

    def unary(self, name, x):
        return Node(f"{name}({{}})", lambda xp, x: getattr(xp, name)(x), [x])

    def binary(self, symbol, x, y):
        name = {"*": "mul", "/": "div", "+": "plus", "-": "minus"}[symbol]
        return Node(f"{{}} {symbol} {{}}", lambda xp, x, y: getattr(xp, name)(x, y), [x, y], infix=True)

    def condition(self, pool, x=None):
        symbol, compare = self.random.choice([("<", operator.lt), (">", operator.gt), (">", operator.gt),
                                              (">=", operator.ge)])
        parameters = [value for value in pool if isinstance(value, Parameter)] or pool
        x = x or self.random.choice(parameters)
        y = self.leaf(pool) if self.random.random() < 0.3 else literal("0", 0.0)
        return Node(f"{{}} {symbol} {{}}", lambda xp, x, y: compare(xp.value_of(x), xp.value_of(y)), [x, y],
                    infix=True, boolean=True)

    def expression(self, pool, depth):
        value = self.drawn(pool, depth)
        if value.args and any(node.args and constant(node) for node in nodes_of(value)):
            return self.random.choice(pool)
        return value

    def drawn(self, pool, depth):
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf(pool)
        if self.clips and self.own and self.random.random() < 0.2:
            return self.clip(self.random.choice(self.own))
        choice = self.random.random()

        def below():
            return self.expression(pool, depth - 1)

        if choice < 0.4:
            return self.binary(self.random.choice("++-**"), below(), below())
        if choice < 0.6:
            return self.unary(self.random.choice(self.functions), below())
        if choice < 0.66:
            x = self.binary("+", literal("1.0", 1.0), self.unary("square", below()))
            return self.unary(self.random.choice(["sqrt", "log"]), x) if self.random.random() < 0.5 else \
                self.binary("/", below(), x)
        if choice < 0.76:
            risky = self.unary(self.random.choice(["sqrt", "log", "sqrt"]), self.leaf(pool))
            operands = [risky, below()]
            inner = risky.args[0] if self.random.random() < 0.4 else None
            return Lazy("where({}, {}, {})", None, [self.condition(pool, inner), *operands])
        if choice < 0.82:
            return Lazy("where({}, {}, {})", None, [self.condition(pool), below(), below()])
        if choice < 0.85:
            return self.unary("sqrt", self.leaf(pool))
        if choice < 0.92:
            name = self.random.choice(["max", "min", "hypot", "atan2"])
            return Node(f"{name}({{}}, {{}})", lambda xp, x, y: getattr(xp, name)(x, y), [below(), below()])
        if choice < 0.96:
            return self.unary(self.random.choice(["relu", "abs"]), below())
        return Node("stop_gradient({})", lambda xp, x: xp.stop(x), [below()])

    def clip(self, x):
        self.clipped += 1
        low, high, factor = -0.3, 0.4, 1 + self.clipped / 1000
        scaled = self.binary("*", literal(str(factor), factor), x)
        return Node(f"grad_clip({{}}, {low}, {high})", lambda xp, x: xp.clipped_gradient(low, high)(x), [scaled])

    def drawn_of(self, own, make):
        """What is drawn where `own` are the values of a region itself."""
        before, self.own = self.own, own
        try:
            return make()
        finally:
            self.own = before

    def numeric(self, make):
        """An expression that is not a literal alone."""
        for _ in range(10):
            value = make()
            if value.args:
                return value
        raise Unfit

    # Regions

    def names(self, prefix, count=1):
        self.count += 1
        return [f"{prefix}{self.count}"] if count == 1 else [f"{prefix}{self.count}[{k}]" for k in range(count)]

    def scan(self, pool, sequences, depth=2, nested=True):
        """Its parts: the last carries, and what it emits as a new sequence."""
        carried = self.random.choice([1, 1, 1, 2, 3])
        carry = [Parameter(name) for name in self.names("c", carried)]
        over = list(sequences) if sequences and self.random.random() < 0.85 else [self.steps]
        if len(over) > 1 and self.random.random() < 0.4:
            over = [self.random.choice(over)]
        counted = over[0] is self.steps
        element = [Parameter(self.names("x")[0]) for _ in over]
        inside = pool + carry * 2 + element * 2
        extra = []
        if nested and self.random.random() < 0.15:
            try:
                extra.append(self.region(inside, depth - 1))
            except Unfit:
                pass
        adds_up = self.random.random() < 0.4
        if adds_up:  # in steps that need nothing of each other
            self.functions, inside = IN_LANES, pool + element * 2
            results = self.drawn_of(element, lambda: [self.numeric(lambda: self.addition(inside, value, depth))
                                                      for value in carry])
        else:
            results = self.drawn_of(carry + element, lambda: [
                self.numeric(lambda: self.new_carry(inside + extra, value, depth)) for value in carry])
        emits = self.random.random() < 0.25
        if emits:
            results.append(self.numeric(lambda: self.expression(inside, 1)))
        self.functions = FUNCTIONS
        memory = self.random.choice(MEMORIES)
        pack = "{}" if carried == 1 else "std::array{{" + ", ".join(["{}"] * carried) + "}}"
        start = "{}" if carried == 1 else "std::array{{" + ", ".join(["{}"] * carried) + "}}"
        if emits:
            pack = f"std::pair{{{{{pack}, {{}}}}}}"
        xs = "steps({})" if counted else ", ".join(["{}"] * len(over))
        first = [self.random.choice(pool) if self.random.random() < 0.7 else literal(*self.random.choice(LITERALS))
                 for _ in carry]
        if carried > 1 and not any(value.args or isinstance(value, (Variable, Parameter)) for value in first):
            first = [self.random.choice(pool) for _ in first]
        if carried > 1 and any(not value.args and not isinstance(value, (Variable, Parameter)) for value in first):
            first = [self.random.choice(pool) for _ in first]

        def run(xp, body, *given):
            carries, xs = list(given[:carried]), given[carried:]
            steps = range(int(xs[0])) if counted else range(len(xs[0]))
            emitted = []
            for k in steps:
                found = body(*carries, *([float(k)] if counted else [x[k] for x in xs]))
                carries = found[:carried]
                emitted += found[carried:]
            return carries, emitted

        # Positional fields, as {function} is named.
        text = f"scan{memory}({{function}}, {start}, {xs})"
        region = Region(text, run, [*first, *over], results, carry + element, pack=pack)
        region.returned = len(results)
        last = "{}.first" if emits else "{}"
        parts = [Node(last if carried == 1 else f"{last}[{k}]", lambda xp, pair, k=k: pair[0][k], [region])
                 for k in range(carried)]
        emitted = Node("{}.second", lambda xp, pair: pair[1], [region], ("n", )) if emits else None
        return parts, emitted

    def new_carry(self, pool, carry, depth):
        choice = self.random.random()
        change = self.expression(pool, depth)
        if choice < 0.35:
            return self.binary("+", carry, change)
        if choice < 0.6:
            return self.binary("+", self.binary("*", literal("0.5", 0.5), carry), change)
        if choice < 0.7:
            return self.unary("tanh", self.binary("+", carry, change))
        if choice < 0.76:  # forgets what was before, and has an infinite derivative at zero
            return self.unary(self.random.choice(["sqrt", "sqrt", "log"]), self.random.choice(pool))
        return change

    def addition(self, pool, carry, depth):
        choice, change = self.random.random(), self.expression(pool, depth)
        if choice < 0.12:
            return Lazy("where({}, {}, {})", None, [self.condition(pool), literal("0.5", 0.5), carry])
        if choice < 0.4:
            return self.binary("-", carry, change)
        return self.binary("+", *self.random.sample([carry, change], 2))

    def equation(self, pool, depth):
        """A differential equation of one or two numbers, by the classical method of Runge and Kutta."""
        count, steps = self.random.choice([1, 1, 2]), self.random.choice([0, 1, 2, 3, 5])
        time, state = Parameter(self.names("t")[0]), [Parameter(name) for name in self.names("y", count)]
        constants = [Parameter(self.names("v")[0]) for _ in range(self.random.choice([0, 1, 2]))]
        slopes = [self.numeric(lambda: self.expression([time, *state * 2, *constants], depth)) for _ in state]
        start = "{}" if count == 1 else "std::array{{{}, {}}}"

        def run(xp, body, *given):
            y, end, rest = list(given[:count]), given[count], given[count + 1:]

            def moved(k, step):
                return [a + step * b for a, b in zip(y, k)] if k else y

            for i in range(steps):
                h, found = end / steps, [[]]
                for step in (0.0, 0.5, 0.5, 1.0):
                    found.append(body((i + step) * h, *moved(found[-1], step * h), *rest))
                y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, *found[1:])]
            return y

        text = f"odeint({{function}}, {start}, 0.0, {', '.join(['{}', str(steps)] + ['{}'] * len(constants))})"
        region = Region(text, run, [self.random.choice(pool) for _ in range(count + 1 + len(constants))], slopes,
                        [time, *state, *constants], pack=start, capture="")
        region.returned = count
        return [Node("{}" if count == 1 else f"{{}}[{k}]", lambda xp, y, k=k: y[k], [region]) for k in range(count)]

    def root(self, pool):
        """The solution of x = f(x, ...) for a function whose slope by x is below 1."""
        x, others = Parameter(self.names("z")[0]), [Parameter(self.names("v")[0]) for _ in range(self.random.choice([1, 2]))]
        of_others = self.numeric(lambda: self.expression(others, 2))
        inner = self.random.choice([x, self.binary("+", x, others[0]), self.binary("*", literal("0.8", 0.8), x)])
        shrunk = self.binary("*", literal("0.5", 0.5), self.unary(self.random.choice(["sin", "tanh", "cos", "atan"]), inner))
        result = self.binary(*("+", shrunk, of_others) if self.random.random() < 0.6 else
                             ("*", shrunk, self.unary("tanh", of_others)))
        # The oracle never quite reaches a solution that is exactly 0, beyond which slopes may be infinite.
        result = self.binary("+", result, literal("0.3", 0.3))

        def run(xp, body, start, *given):
            value = xp.stop(start)
            for _ in range(80):
                value = body(value, *given)[0]
            return value

        places = ", ".join(["{}"] * (1 + len(others)))
        return Region(f"fixed_point<2>({{function}}, {places})", run, [self.random.choice(pool) for _ in [x, *others]], [result],
                      [x, *others], capture="")

    def region(self, pool, depth, outermost=False):
        """A call, or a verb."""
        count = self.random.choice([1, 2, 2])
        parameters = [Parameter(self.names("v")[0]) for _ in range(count)]
        verb = self.random.random() < 0.5
        own = [] if verb or not outermost else parameters
        result = self.drawn_of(own, lambda: self.numeric(lambda: self.expression(parameters, depth + 1)))
        places = ", ".join(["{}"] * count)
        if not verb:
            region = Region(f"call({{function}}, {places})", lambda xp, body, *given: body(*given)[0],
                            [self.random.choice(pool) for _ in parameters], [result], parameters, capture="")
        else:
            # By a parameter that has an influence: operations of constants alone are refused.
            by = self.random.choice([k for k in range(count) if parameters[k] in nodes_of(result)] or [0])
            region = Region(f"gradient({{function}}, wrt<{by}>)({places})",
                            lambda xp, body, *given: grad(lambda *at: body(*at)[0], by)(*[v * 1.0 for v in given]),
                            [self.random.choice(pool) for _ in parameters], [result], parameters, capture="")
        return region

    def draw(self):
        pool, sequences, values = list(self.variables), list(self.sequences), []
        for _ in range(self.random.choice([1, 1, 1, 2])):
            other = self.random.random()
            if other < 0.12:
                values.append(self.region(pool + values, 2, True))
                continue
            if other < 0.2:
                values += self.equation(pool + values, 2)
                continue
            if other < 0.26:
                values.append(self.root(pool + values))
                continue
            parts, emitted = self.scan(pool + values, sequences, self.random.choice([1, 2, 2, 3]))
            values += parts
            if emitted:
                sequences.append(emitted)
        if len(sequences) > len(self.sequences) and self.random.random() < 0.8:
            parts, _ = self.scan(pool, sequences[-1:], 1)
            values += parts
        root = values[0]
        for value in values[1:]:
            root = self.binary(self.random.choice("+*"), root, value)
        if self.random.random() < 0.4:
            root = self.numeric(lambda: self.expression([root] * 3 + pool, 1))
        return root

    def draw_element(self):
        """A function of entries of a vector, a and b, and of data, p and q, without loops."""
        pool = [Variable(name, ()) for name in ["a", *self.random.choice(["", "b", "b"]), *self.random.choice(["", "p", "pq"])]]
        extra = [self.region(pool, 1)] if self.random.random() < 0.3 else []
        return self.numeric(lambda: self.expression(pool + extra * 2, 3))
