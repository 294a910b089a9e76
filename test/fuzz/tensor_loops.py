"""Random loops over tensors, branches and differential equations, with other statements in their bodies."""

import operator

import numpy

from program import MEMORIES, Node, Parameter, Region, Unfit, Variable, broadcast, literal, nodes_of

IN_BODIES = ["idiom_elementwise", "idiom_arithmetic", "idiom_arithmetic", "idiom_of_two", "idiom_mask", "idiom_softmax",
             "idiom_reduce", "idiom_squares", "idiom_dot", "idiom_outer", "idiom_transpose", "idiom_slice", "idiom_order",
             "idiom_join", "idiom_reshape", "idiom_stop", "idiom_gradient", "idiom_scan", "idiom_cond", "idiom_while"]
COMPARISONS = [("<", operator.lt), (">", operator.gt), ("<=", operator.le), (">=", operator.ge)]
LEVELS = [("0.3", 0.3), ("0.0", 0.0), ("-0.5", -0.5), ("2.0", 2.0)]


def checked(xp, given, found):
    """Carries keep their shapes; where an extent of 1 at run time would change one, the library throws."""
    if any(xp.np.shape(x) != xp.np.shape(y) for x, y in zip(given, found)):
        raise IndexError
    return found


class TensorLoops:
    """What Tensors draws with functions in it."""

    depth = 0  # of bodies in bodies

    def name(self, prefix):
        return f"{prefix}{next(self.counter)}_"

    def body(self, parameters, captured=()):
        """Draws the values of a body, as a list of those that nothing uses yet."""
        inner = type(self)(self.random, True)
        inner.variables, inner.variable = self.variables, self.no_variable
        inner.counter, inner.depth, inner.dimensions = self.counter, self.depth + 1, self.dimensions
        inner.values = [*captured, *parameters]
        inner.used = {id(value) for value in captured}
        return inner

    def fill(self, inner, choices=(0, 1, 1, 2, 3)):
        for _ in range(self.random.choice(choices)):
            for _ in range(10):
                try:
                    value = getattr(inner, self.random.choice(IN_BODIES))()
                except Unfit:
                    continue
                if value.rank > 3:
                    continue
                inner.used.update(id(argument) for argument in value.args)
                inner.values.append(value)
                break
        return [value for value in inner.values if id(value) not in inner.used and not value.boolean]

    def captured(self):
        found = [value for value in self.values if not value.boolean and value.rank < 3]
        return self.random.sample(found, min(len(found), self.random.choice([0, 1, 1, 2])))

    def fitted(self, inner, value, shape):
        """What broadcasts into this shape: the value, or a number of it."""
        try:
            if broadcast(value.shape, shape) == tuple(shape):
                return value
        except Unfit:
            pass
        return inner.unary("tanh", inner.reduce(self.random.choice(["sum", "mean"]), value))

    def next_of(self, inner, carry, values):
        """A new value of the shape of one there is."""
        result = carry
        for value in values:
            if value is not carry:
                part = self.fitted(inner, value, carry.shape)
                result = inner.binary(self.random.choice("++-*"), *self.random.sample([result, part], 2))
        choice = self.random.random()
        if choice < 0.35:
            return inner.unary(self.random.choice(["tanh", "sin", "cos", "atan"]), result)
        if choice < 0.55:
            return inner.add(inner.times(literal("0.5", 0.5), carry), inner.unary("tanh", result))
        if choice < 0.65:
            condition = inner.condition(carry)
            if condition.shape == carry.shape:
                return inner.where(condition, result, inner.times(carry, literal("0.7", 0.7)))
        if choice < 0.75 and result is not carry:
            return result
        return inner.times(literal("0.6", 0.6), result)

    def results(self, inner, carries, choices=(0, 1, 1, 2, 3)):
        loose = self.fill(inner, choices)
        shares = [[] for _ in carries]
        for value in loose:
            self.random.choice(shares).append(value)
        return [self.next_of(inner, carry, share) for carry, share in zip(carries, shares)]

    def sums(self, inner, carries):
        """Carries and what does not read any."""
        shares = [[] for _ in carries]
        for value in self.fill(inner):
            self.random.choice(shares).append(value)
        results = []
        for carry, share in zip(carries, shares):
            result = carry
            for value in share:
                part = self.fitted(inner, value, carry.shape)
                symbol = self.random.choice("++-")
                result = inner.binary(symbol, *([result, part] if symbol == "-" else self.random.sample([result, part], 2)))
            results.append(result)
        return results

    def packed(self, values):
        """How several values are written as one, and the text of each part of a name."""
        if len(values) == 1:
            return "{}", ["{}"]
        if len({value.shape for value in values}) == 1 and all(value.args or isinstance(value, (Variable, Parameter))
                                                               for value in values) and self.random.random() < 0.5:
            return "std::array{{" + ", ".join("{}" for _ in values) + "}}", [f"{{}}[{k}]" for k in range(len(values))]
        return "std::tuple(" + ", ".join("{}" for _ in values) + ")", [f"std::get<{k}>({{}})" for k in range(len(values))]

    def named(self, prefix, values, parts):
        name = self.name(prefix)
        return [Parameter(part.format(name), value.shape) for part, value in zip(parts, values)]

    def starts(self, counts=(1, 1, 1, 2, 3), literals=0.15):
        found = []
        for _ in range(self.random.choice(counts)):
            if self.random.random() < literals:
                found.append(literal("0.5", 0.5))
            else:
                found.append(self.pick(lambda value: value.rank < 4, 0.3))
        if all(not value.args and not isinstance(value, (Variable, Parameter)) for value in found):
            raise Unfit
        return found

    def function_of(self, results, parameters, pack="{}", capture="&"):
        """A function as an operand."""
        region = Region("{function}", lambda xp, body: body, [], results, parameters, pack=pack, capture=capture)
        region.returned, region.boolean = len(results), True  # so it is not given a name
        return region

    def many_steps(self):
        """A number of steps as a literal or an argument: the value and its extent."""
        if self.random.random() < 0.6:
            n = self.random.choice([0, 1, 2, 3, 3, 5])
            return literal(str(n), n), n
        n = self.random.choice(self.dimensions)
        return self.variable((), f"count {n}"), n

    def parts_of(self, region, values, parts, prefix="{}"):
        """Keeps all parts of what a loop gives but the last, which it returns."""
        plain = len(values) == 1
        found = [Node(part.format(prefix), lambda xp, result, k=k: result[0][k], [region], value.shape)
                 for k, (part, value) in enumerate(zip(["{}"] if plain else parts, values))]
        self.values += found[:-1]
        return found[-1]

    def deep(self):
        if not self.function or self.depth > 1:
            raise Unfit

    # Idioms

    def idiom_scan(self):
        self.deep()
        start = self.starts()
        counted = self.random.random() < 0.25
        if counted:
            count, extent = self.many_steps()
            over = [count]
        else:
            extent = self.random.choice(self.dimensions)
            over = [self.pick(lambda value: 0 < value.rank < 4 and value.shape[0] == extent, 0.4,
                              (extent, *self.shape(self.random.choice([0, 1, 1, 2]))))
                    for _ in range(self.random.choice([1, 1, 2]))]
        pack, parts = self.packed(start)
        carries = self.named("c", start, parts)
        elements = [Parameter(self.name("x"), () if counted else value.shape[1:]) for value in over]
        adds_up = self.random.random() < 0.4  # so that the steps need nothing of each other
        inner = self.body(elements if adds_up else carries + elements, self.captured())
        tables = [value for value in self.values if value.rank and isinstance(value.shape[0], str) and not value.boolean]
        if tables and not counted and self.depth == 0 and self.random.random() < 0.25:
            table = self.random.choice(tables)
            over.append(self.variable((extent, ), f"below {table.shape[0]}"))
            elements.append(Parameter(self.name("k")))
            inner.values.append(Node("({})[{}]", lambda xp, x, i: x[int(xp.value_of(i))], [table, elements[-1]], table.shape[1:],
                                     requires=[(table.shape[0], 1)]))
        results = self.sums(inner, carries) if adds_up else self.results(inner, carries)
        emitted = None
        if self.random.random() < 0.5:
            given = inner.values if adds_up else [*inner.values, *results]
            emitted = self.random.choice([value for value in given if value.rank < 3 and not value.boolean])
            results = [*results, emitted]
        if not any(id(parameter) in {id(node) for result in results for node in nodes_of(result)} for parameter in carries):
            raise Unfit
        count_of = len(start)

        def run(xp, body, *given):
            carries, xs = list(given[:count_of]), given[count_of:]
            steps = int(xs[0]) if counted else len(xs[0])
            if not counted and any(len(x) != steps for x in xs):
                raise IndexError

            def step(carries, element):
                return checked(xp, carries, body(*carries, *element))

            trial = step(carries, [0.0] if counted else [numpy.zeros(x.shape[1:], x.dtype) for x in xs]) if not steps else None
            ys = []
            for k in range(steps):
                found = step(carries, [float(k)] if counted else [x[k] for x in xs])
                carries = found[:count_of]
                ys += found[count_of:]
            if emitted is None:
                return carries, None
            return carries, xp.np.stack(ys) if ys else numpy.zeros((0, *xp.np.shape(trial[-1])))

        text = f"scan{self.random.choice(MEMORIES)}({{function}}, {pack}, " + ("steps({})" if counted else ", ".join("{}" for _ in over)) + ")"
        region = Region(text, run, [*start, *over], results, carries + elements,
                        pack=pack if emitted is None else f"std::pair({pack}, {{}})")
        region.returned = len(results)
        last = self.parts_of(region, start, parts, "{}" if emitted is None else "{}.first")
        if emitted is None:
            return last
        stacked = Node("{}.second", lambda xp, result: result[1], [region], (extent, *emitted.shape))
        first, second = self.random.sample([last, stacked], 2)
        self.values.append(first)
        return second

    def idiom_products(self):
        """A sum of products of matrices, which may stay where it lies unless the steps turn it."""
        self.deep()
        x = self.of_rank(3)
        n = x.shape[2]
        start = self.pick(lambda value: value.shape == (n, n), 0.4, (n, n))
        before, order = self.random.choice([("c", (0, 1)), ("transpose(c)", (1, 0))])

        def compute(xp, start, x):
            for k in range(len(x)):
                start = checked(xp, [start], [xp.np.transpose(start, order) + xp.matmul(xp.np.transpose(x[k]), x[k])])[0]
            return start

        text = f"scan{self.random.choice(MEMORIES)}([](auto c, auto x) {{{{ return {before} + dot(transpose(x), x); }}}}, {{}}, {{}})"
        return self.times(self.unary("tanh", Node(text, compute, [start, x], (n, n))), start)

    def idiom_while(self):
        self.deep()
        start = self.starts((1, 1, 2))
        most, _ = self.many_steps()
        pack, parts = self.packed(start)
        seen, carries = self.named("c", start, parts), self.named("c", start, parts)
        asked = self.random.choice(seen)
        watching = self.body(seen)
        symbol, compare = self.random.choice(COMPARISONS)
        number = watching.reduce("sum", asked) if asked.rank else asked
        condition = Node(f"{{}} {symbol} {{}}", lambda xp, x, y: compare(xp.value_of(x), xp.value_of(y)),
                         [number, literal(*self.random.choice(LEVELS))], (), infix=True, boolean=True)
        results = self.results(self.body(carries, self.captured()), carries, (0, 1, 1, 2))

        def compute(xp, holds, body, most, *given):
            carries = list(given)
            checked(xp, carries, body(*carries))
            for _ in range(int(most)):
                if not holds(*carries)[0]:
                    break
                carries = body(*carries)
            return carries, None

        loop = Node(f"while_loop{self.random.choice(MEMORIES)}({{}}, {{}}, {pack}, {{}})", lambda xp, holds, body, *given: compute(
            xp, holds, body, given[-1], *given[:-1]), [self.function_of([condition], seen),
                                                       self.function_of(results, carries, pack), *start, most])
        return self.parts_of(loop, start, parts)

    def idiom_cond(self):
        self.deep()
        start = self.starts((1, 1, 2), 0)  # branches are called with literals as they are
        pack, parts = self.packed(start)
        risky = start[0] if self.random.random() < 0.4 else None
        number = (self.reduce("amin", risky) if risky.rank else risky) if risky else self.pick(lambda value: value.rank < 3)
        if number.rank:
            number = self.reduce(self.random.choice(["sum", "mean"]), number)
        symbol, compare = COMPARISONS[1] if risky else self.random.choice(COMPARISONS)
        level = literal("0.0", 0.0) if risky else literal(*self.random.choice(LEVELS))
        condition = Node(f"{{}} {symbol} {{}}", lambda xp, x, y: compare(xp.value_of(x), xp.value_of(y)), [number, level], (),
                         infix=True, boolean=True)
        more = [self.pick(lambda value: value.rank < 3)] if self.random.random() < 0.4 else []
        branches = []
        for k in range(2):
            given = [Parameter(self.name("p"), value.shape) for value in [*start, *more]]
            inner = self.body(given, self.captured())
            results = self.results(inner, given[:len(start)], (0, 1, 1, 2))
            if risky and k == 0:
                results[0] = inner.times(inner.unary(self.random.choice(["sqrt", "log"]), given[0]), results[0])
            branches.append(self.function_of(results, given, pack))

        def compute(xp, c, f, g, *given):
            chosen, other = (f, g) if c else (g, f)
            found = checked(xp, given, chosen(*given))
            checked(xp, given, other(*[xp.value_of(x) for x in given]))
            return found, None

        places = ", ".join("{}" for _ in [*start, *more])
        return self.parts_of(Node(f"cond({{}}, {{}}, {{}}, {places})", compute, [condition, *branches, *start, *more]),
                             start, parts)

    def idiom_odeint(self):
        self.deep()
        start = self.starts((1, 1, 2))
        pack, parts = self.packed(start)
        steps = self.random.choice([1, 2, 3])
        constants = [self.pick(lambda value: value.rank < 3) for _ in range(self.random.choice([0, 1, 2]))]
        end = self.pick(lambda value: value.rank == 0, 0.5, ()) if self.random.random() < 0.5 else literal("0.5", 0.5)
        time, state = Parameter(self.name("t")), self.named("y", start, parts)
        given = [Parameter(self.name("p"), value.shape) for value in constants]
        slopes = self.results(self.body([time, *state, *given]), state, (0, 1, 1, 2))
        count = len(start)

        def run(xp, body, *values):
            y, end, rest = list(values[:count]), values[count], values[count + 1:]

            def moved(k, step):
                return [a + step * b for a, b in zip(y, k)] if k else y

            for i in range(steps):
                h, found = end / steps, [[]]
                for step in (0.0, 0.5, 0.5, 1.0):
                    found.append(checked(xp, y, body((i + step) * h, *moved(found[-1], step * h), *rest)))
                y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, *found[1:])]
            return y, None

        text = f"odeint{self.random.choice(MEMORIES)}({{function}}, {pack}, 0.0, {', '.join(['{}', str(steps)] + ['{}'] * len(constants))})"
        region = Region(text, run, [*start, end, *constants], slopes, [time, *state, *given], pack=pack, capture="")
        region.returned = count
        return self.parts_of(region, start, parts)

