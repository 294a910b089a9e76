"""Numbers for random programs, what the oracle says of them, and whether the library agrees."""

import struct
import warnings

import numpy
from autograd import grad

import functions
from program import Invalid, Variable, extent, nodes_of

warnings.simplefilter("ignore")

EXTENTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 33, 70]
WEIGHTS = [2, 3, 5, 4, 4, 2, 3, 2, 3, 2, 2, 1]
LARGEST = 6000  # elements of one value


def draw_sizes(program, random_numbers, small=False):
    sizes = {name: random_numbers.choices(EXTENTS, WEIGHTS)[0] for name in program.base_dimensions()}
    if random_numbers.random() < 0.08 and sizes and not small:
        sizes[random_numbers.choice(sorted(sizes))] = 0
    sizes.update(program.pinned)
    return sizes


def check_sizes(program, sizes):
    for node in nodes_of(program.root):
        total = 1
        for dimension in node.shape:
            size = extent(dimension, sizes)
            if size < 0:
                raise Invalid
            total *= size
        if total > LARGEST:
            raise Invalid
        if any(extent(dimension, sizes) < least for dimension, least in node.requires):
            raise Invalid


def draw_array(variable, sizes, kind, dtype, generator):
    shape = [extent(dimension, sizes) for dimension in variable.shape]
    if variable.integer:
        below = variable.numbers
        if str(below).startswith("count "):
            return numpy.full(shape, sizes[below[6:]])
        below = extent(below[6:], sizes) if isinstance(below, str) else below
        if below < 1 and numpy.prod(shape):
            raise Invalid
        return generator.integers(0, max(below, 1), shape)
    if kind == "kinks":
        array = generator.integers(-2, 3, shape) / 2
    elif kind == "large":
        array = 6 * generator.standard_normal(shape)
    elif kind == "tiny":
        array = 1e-3 * generator.standard_normal(shape)
    else:
        array = generator.standard_normal(shape)
    return numpy.asarray(array).astype(dtype)


class Arrays(dict):
    """Arrays by the name of the operand, with the extents they were drawn for."""

    sizes = None


def draw_set(program, random_numbers, sizes=None, tries=30):
    """One set of numbers."""
    dtype = numpy.float32 if program.number == "float" else numpy.float64
    generator = numpy.random.default_rng(random_numbers.getrandbits(64))
    wanted = sizes
    for _ in range(tries):
        sizes = {**draw_sizes(program, random_numbers), **(wanted or {}), **program.pinned}
        this = random_numbers.choice(["ordinary"] * 5 + ["kinks", "large", "tiny"])
        try:
            check_sizes(program, sizes)
            arrays = Arrays()
            arrays.sizes = sizes
            ones = one_axis(program, random_numbers)
            if program.assembled:
                if sizes["elements"] > 0 == sizes["points"]:
                    raise Invalid
                arrays["x_"] = draw_array(Variable("", ("points", )), sizes, this, dtype, generator)
                arrays["e_"] = generator.integers(0, max(sizes["points"], 1), (sizes["elements"], len(program.assembled)))
                for v in program.variables:
                    if v.name not in program.assembled:
                        shape = ("elements", ) if v.name in program.each else ()
                        arrays[f"x_{v.name}"] = draw_array(Variable("", shape), sizes, this, dtype, generator)
                return arrays
            for v in program.variables:
                outer = Variable("", ("batch", *v.shape), v.numbers) if v.name in program.batched else v
                if v is ones[0]:
                    outer = Variable("", [1 if axis == ones[1] else n for axis, n in enumerate(v.shape)], v.numbers)
                arrays[f"x_{v.name}"] = draw_array(outer, sizes, this, dtype, generator)
                alone = all(other.rank == 0 for other in program.variables)  # nothing else has the loop's length
                if v.name in program.batched and str(v.numbers).startswith("count ") and alone:
                    arrays[f"x_{v.name}"] = generator.integers(0, sizes["n"] + 1, (sizes["batch"], ))
            for v in program.real_variables:
                arrays[f"t_{v.name}"] = numpy.asarray(generator.standard_normal(numpy.shape(arrays[f"x_{v.name}"])), dtype=dtype)
            value = 0.0 if program.of_numbers or program.batched else program.evaluate(functions, bound(program, arrays, numpy.longdouble))
            arrays["t_"] = numpy.asarray(generator.standard_normal(numpy.shape(value))).astype(dtype)
            return arrays
        except Invalid:
            continue
        except (ValueError, IndexError):
            if ones[0] is None:
                raise
    return None


def one_axis(program, random_numbers):
    """Sometimes a variable and its axis that has the extent 1 at run time, which broadcasts."""
    able = [v for v in program.real_variables if v.rank and program.containers.get(v.name) in ("rows", "columns", "strided")
            and not set(v.shape) & set(program.pinned)]
    if program.of_numbers or program.batched or not able or random_numbers.random() > 0.15:
        return None, None
    variable = random_numbers.choice(able)
    return variable, random_numbers.randrange(variable.rank)


def bound(program, arrays, dtype):
    return {v.name: arrays[f"x_{v.name}"] if v.integer else numpy.asarray(arrays[f"x_{v.name}"], dtype=dtype)
            for v in program.variables}


def weigh(x, y):
    return functions.np.sum(x * y)


def expected(program, asked, arrays, dtype):
    """Labels and arrays of what a verb gives."""
    if program.batched:
        alone = program.copy(batched=())
        batch = len(arrays[f"x_{program.batched[0]}"])
        apart = [expected(alone, asked, {name: array[e] if name[2:] in program.batched and name[0] == "x" else array
                                         for name, array in arrays.items()}, dtype) for e in range(batch)]
        return {label: numpy.stack([one[label] for one in apart]) for label in apart[0]} if apart else {}
    if program.assembled:
        return assembled(program, asked, arrays, dtype)
    fixed = bound(program, arrays, dtype)
    names = asked.get("wrt", [])

    def f(*values):
        return program.evaluate(functions, {**fixed, **dict(zip(names, values))})

    def gradients(function, *values):
        if not names:
            return ()
        return grad(function, argnum=tuple(range(len(names))))(*values)

    def tangent(name):
        return numpy.asarray(arrays[f"t_{name}"], dtype=dtype)

    at = [fixed[name] for name in names]
    value, verb = f(*at), asked["verb"]
    seed = numpy.asarray(arrays["t_"], dtype=dtype) if verb == "vjp" else numpy.ones((), dtype)
    result = {}
    if verb in ("value", "value_and_gradient", "jvp"):
        result["value"] = value
    if verb in ("value_and_gradient", "gradient", "vjp"):
        for name, g in zip(names, gradients(lambda *v: weigh(seed, f(*v)), *at)):
            result[f"gradient {name}"] = g
    if verb == "jvp":
        result["tangent"] = forward(f, at, [tangent(name) for name in names], value, dtype)
    if verb == "jacobian" and numpy.size(value) < 200:
        for name, block in zip(names, rows_of(gradients, f, at)):
            result[f"jacobian {name}"] = block
    if verb == "hessian":
        for k, x in enumerate(names):
            for y, block in zip(names, rows_of(gradients, lambda *v: gradients(f, *v)[k], at)):
                result[f"hessian {x} {y}"] = block
    if verb == "hvp":
        def along(*v):
            return sum(weigh(g, tangent(name)) for name, g in zip(names, gradients(f, *v)))
        for name, g in zip(names, gradients(along, *at)):
            result[f"product {name}"] = g
    return {label: numpy.asarray(array) for label, array in result.items()}


def assembled(program, asked, arrays, dtype):
    """The sum over the elements, with its derivatives by the entries of the vector."""
    alone, names = program.copy(assembled=()), program.assembled
    size = len(arrays["x_"])
    result = {"value": dtype(0), "gradient": numpy.zeros(size, dtype), "hessian": numpy.zeros((size, size), dtype)}
    for k, element in enumerate(arrays["e_"]):
        local = {f"x_{v.name}": arrays[f"x_{v.name}"][k] if v.name in program.each else arrays[f"x_{v.name}"]
                 for v in program.variables if v.name not in names}
        local.update({f"x_{name}": arrays["x_"][entry] for name, entry in zip(names, element)})
        first = expected(alone, {"verb": "value_and_gradient", "wrt": names}, local, dtype)
        result["value"] = result["value"] + first["value"]
        for x, i in zip(names, element):
            result["gradient"][i] += first[f"gradient {x}"]
        if asked["verb"] == "hessian":
            second = expected(alone, {"verb": "hessian", "wrt": names}, local, dtype)
            for x, i in zip(names, element):
                for y, j in zip(names, element):
                    result["hessian"][i, j] += second[f"hessian {x} {y}"]
    if asked["verb"] != "hessian":
        del result["hessian"]
    return {label: numpy.asarray(array) for label, array in result.items()}


def rows_of(gradients, f, at):
    """The gradients of each element of f, the axes of f first: a block for each variable."""
    value = f(*at)
    rows = [gradients(lambda *v: functions.np.reshape(f(*v), (-1, ))[k], *at) for k in range(numpy.size(value))]
    return [numpy.reshape([row[j] for row in rows], numpy.shape(value) + numpy.shape(x)) for j, x in enumerate(at)]


def overflows(program, arrays, working):
    """Whether what a function of numbers computes on its way leaves the range, or its value is NaN, whose derivatives
    are any; a path not chosen is not on the way."""
    try:
        with numpy.errstate(over="raise"):
            value = expected(program, {"verb": "value"}, arrays, working).get("value", 0.0)
    except FloatingPointError:
        return True
    return bool(numpy.any(numpy.isnan(value)))


def forward(f, at, tangents, value, dtype):
    """The tangent of all elements: the derivative by the cotangent of the gradient along the tangents."""
    places = tuple(range(len(at)))

    def along(u):
        gradients = grad(lambda *v: weigh(u, f(*v)), argnum=places)(*at)
        return sum(weigh(g, t) for g, t in zip(gradients, tangents))

    return grad(along)(numpy.ones(numpy.shape(value), dtype))


class Expectation:
    """What the oracle says, and how far rounding may lead from it."""

    def __init__(self, program, asked, arrays, generator):
        single = program.number == "float"
        working = numpy.float32 if single else numpy.float64
        self.epsilon, self.smallest_normal = numpy.finfo(working).eps, numpy.finfo(working).tiny
        functions.largest = numpy.finfo(working).max
        if asked["verb"] == "engines":
            results = Expectation(program, {**asked, "verb": "value_and_gradient"}, arrays, generator)
            share = [results.tolerance[label] / max(1.0, numpy.max(numpy.abs(exact), initial=0))
                     if results.usable(label) else numpy.inf for label, exact in results.exact.items()]
            self.exact, self.tolerance = {"engines": numpy.zeros(())}, {"engines": max(share) + 1e3 * self.epsilon}
            return
        self.exact = expected(program, asked, arrays, numpy.longdouble)
        if program.of_numbers and overflows(program, arrays, working):  # the adjoint of tanh(infinity) meets infinity
            self.tolerance = dict.fromkeys(self.exact, numpy.inf)
            return
        rounded = [expected(program, asked, arrays, working)]
        # Two equal products, one of which is fused with their subtraction, leave as much as they are rounded by.
        functions.rounding = self.epsilon
        try:
            rounded.append(expected(program, asked, arrays, working))
        finally:
            functions.rounding = 0.0
        for _ in range(2):
            moved = {}
            for name, array in arrays.items():
                if array.dtype.kind == "f":
                    moved[name] = array.astype(numpy.longdouble) * (
                        1 + 4 * self.epsilon * generator.choice([-1, 1], array.shape))
                else:
                    moved[name] = array
            rounded.append(expected(program, asked, moved, numpy.longdouble))
        # Terms that cancel are about 1, but for those with argmax, which is an index.
        terms = 1
        if any(node.text.startswith("argmax") for node in nodes_of(program.root)):
            terms = max((length for array in arrays.values() for length in array.shape), default=1)
        self.tolerance = {}
        for label, exact in self.exact.items():
            scale = numpy.max(numpy.abs(exact), initial=0)
            # By numpy: its maximum is NaN wherever one of them is.
            apart = numpy.max([numpy.max(numpy.abs(other[label] - exact), initial=0) for other in rounded])
            self.tolerance[label] = 2e3 * apart + (1e3 * scale + 32 * max(1, terms)) * self.epsilon

        # The transpose has the same numbers, found in the other order of differentiation.
        for label in self.exact:
            if label.startswith("hessian "):
                verb, x, y = label.split()
                other = f"{verb} {y} {x}"
                self.tolerance[label] = self.tolerance[other] = max(self.tolerance[label], self.tolerance[other])

    def usable(self, label):
        """Whether it is a finite number that rounding leaves some digits of."""
        exact = self.exact[label]
        if not numpy.all(numpy.isfinite(exact)) or not numpy.isfinite(self.tolerance[label]):
            return False
        scale = numpy.max(numpy.abs(exact), initial=0)
        return scale < (1e30 if self.epsilon > 1e-10 else 1e200) and self.tolerance[label] <= max(0.01 * scale, 1e-4)

    def difference(self, label, found):
        """What is wrong with what the library gives, or None."""
        exact = self.exact[label]
        if not self.usable(label):
            return None
        if found is None:  # the type Zero
            return None if not numpy.any(exact) else f"Zero instead of {exact}"
        if found.shape != exact.shape:
            return f"of shape {found.shape} instead of {exact.shape}"
        apart = numpy.abs(found - exact)
        # Derivatives are promised where they are normal numbers: what is smaller may be NaN on the way.
        subnormal = (exact != 0) & (numpy.abs(exact) < self.smallest_normal)
        bad = ~(apart <= self.tolerance[label]) & ~(subnormal & numpy.isnan(found))
        if not numpy.any(bad):
            return None
        place = numpy.unravel_index(numpy.argmax(numpy.where(bad, numpy.nan_to_num(apart, nan=numpy.inf), 0)), exact.shape)
        return (f"{float(found[place]):.17g} instead of {float(exact[place]):.17g} at {tuple(map(int, place))} "
                f"(tolerance {float(self.tolerance[label]):.2g})")


# The files


def pack(array):
    array = numpy.asarray(array, dtype=numpy.float64)
    return struct.pack(f"<{1 + array.ndim}q", array.ndim, *array.shape) + array.tobytes()


def pack_sets(operands, sets, again):
    """operands: the names in the order that the program reads."""
    parts = [struct.pack("<q", len(sets))]
    for arrays, flag in zip(sets, again):
        parts.append(struct.pack("<q", flag))
        parts += [pack(arrays[name]) for name in operands]
    return b"".join(parts)


def unpack_results(data):
    """For each set what the labels have: arrays, None for Zero; and texts of errors."""
    sets, at = [], 0

    def integer():
        nonlocal at
        at += 8
        return struct.unpack_from("<q", data, at - 8)[0]

    def text():
        nonlocal at
        size = integer()
        at += size
        return data[at - size:at].decode(errors="replace")

    while at < len(data):
        kind = data[at:at + 1]
        at += 1
        try:
            if kind == b"P":
                integer(), integer()
                sets.append({})
            elif kind == b"V":
                label, rank = text(), integer()
                if rank < 0:
                    sets[-1][label] = None
                    continue
                shape = tuple(integer() for _ in range(rank))
                count = int(numpy.prod(shape, dtype=int))
                sets[-1][label] = numpy.frombuffer(data, numpy.float64, count, at).reshape(shape)
                at += 8 * count
            elif kind == b"E":
                label = text()
                at += 1
                sets[-1][label] = text()
        except (struct.error, ValueError):
            break
    return sets
