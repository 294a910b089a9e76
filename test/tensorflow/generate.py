#!/usr/bin/env python3
"""Formulas with stopped gradients, evaluated and differentiated by TensorFlow and by JAX, as C++ tests: the .cpp files
beside this one.

A case is a function that is written once, for TensorFlow, for JAX and as C++ text. TensorFlow's numbers are written
down. JAX has to agree with them, and TensorFlow's forward mode with its reverse mode; where that does not hold, the
case says so, and where the library differs on purpose the case says what its number is and why."""

import inspect
import os
import pathlib
import shutil
import subprocess

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

tf.get_logger().setLevel("ERROR")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

inf, nan = float("inf"), float("nan")


class ForTensorFlow:
    """Operations by the names that the cases use."""
    names = dict(
        stop=tf.stop_gradient, relu=tf.nn.relu, softplus=tf.math.softplus, erf=tf.math.erf, erfc=tf.math.erfc,
        lgamma=tf.math.lgamma, log=tf.math.log, log1p=tf.math.log1p, expm1=tf.math.expm1, clip=tf.clip_by_value,
        sum=tf.reduce_sum, max=tf.reduce_max, mean=tf.reduce_mean, softmax=tf.nn.softmax,
        max1=lambda x: tf.reduce_max(x, axis=1), sum1=lambda x: tf.reduce_sum(x, axis=1),
        logsumexp1=lambda x: tf.reduce_logsumexp(x, axis=1))

    def __getattr__(self, name):
        return self.names.get(name) or getattr(tf, name)

    def ratio(self, n, d):
        return n / d

    def like(self, number, x):
        return tf.cast(number, x.dtype)

    def condition(self, c):
        return tf.stop_gradient(c)

    def reduce_max(self, *xs):
        return tf.reduce_max(tf.stack(xs))

    def reduce_min(self, *xs):
        return tf.reduce_min(tf.stack(xs))

    def norm(self, *xs):
        return tf.norm(tf.stack(xs))

    def logsumexp(self, *xs):
        return tf.reduce_logsumexp(tf.stack(xs))

    def pow(self, x, n):
        return tf.pow(x, tf.cast(n, x.dtype))

    def stop_tuple(self, *xs):
        return tf.nest.map_structure(tf.stop_gradient, tuple(xs))

    def spelled(self, spelling, x):
        return SPELLINGS[spelling][0](x)

    def grad(self, f, x, *rest):
        with tf.GradientTape() as tape:
            x = tf.identity(x)
            tape.watch(x)
            y = f(x, *rest)
        return tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)

    def custom(self, value, partials, *xs):

        @tf.custom_gradient
        def f(*args):
            return value(*args), lambda dy: [dy * partial(*args) for partial in partials]

        return f(*xs)

    def pass_through(self, q, x):
        return tf.grad_pass_through(q)(x)

    def scaled(self, x, factor):
        return tf.custom_gradient(lambda v: (tf.identity(v), lambda dy: factor * dy))(x)

    def clipped(self, x, low, high):
        return tf.custom_gradient(lambda v: (tf.identity(v), lambda dy: tf.clip_by_value(dy, low, high)))(x)

    def prevent(self, x):
        return tf.raw_ops.PreventGradient(input=x, message="not to be differentiated")


class ForJax:
    names = dict(
        stop=jax.lax.stop_gradient, relu=jax.nn.relu, sigmoid=jax.nn.sigmoid, softplus=jax.nn.softplus,
        erf=jax.scipy.special.erf, erfc=jax.scipy.special.erfc, lgamma=jax.scipy.special.gammaln, softmax=jax.nn.softmax,
        max1=lambda x: jnp.max(x, axis=1), sum1=lambda x: jnp.sum(x, axis=1),
        logsumexp1=lambda x: jax.nn.logsumexp(x, axis=1))

    def __getattr__(self, name):
        return self.names.get(name) or getattr(jnp, name)

    def condition(self, c):
        return jax.lax.stop_gradient(c)

    def ratio(self, n, d):
        return n / d

    def like(self, number, x):
        return jnp.asarray(number, x.dtype)

    def reduce_max(self, *xs):
        return jnp.max(jnp.stack(xs))

    def reduce_min(self, *xs):
        return jnp.min(jnp.stack(xs))

    def norm(self, *xs):
        return jnp.linalg.norm(jnp.stack(xs))

    def logsumexp(self, *xs):
        return jax.nn.logsumexp(jnp.stack(xs))

    def pow(self, x, n):
        return jnp.power(x, n)

    def stop_tuple(self, *xs):
        return jax.lax.stop_gradient(tuple(xs))

    def spelled(self, spelling, x):
        return jax.lax.stop_gradient(x)

    def grad(self, f, x, *rest):
        return jax.grad(f)(x, *rest)

    def custom(self, value, partials, *xs):
        f = jax.custom_jvp(value)
        f.defjvp(lambda args, tangents: (f(*args), sum(p(*args) * t for p, t in zip(partials, tangents))))
        return f(*xs)

    def pass_through(self, q, x):
        return jax.lax.stop_gradient(q(x)) + (x - jax.lax.stop_gradient(x))

    def scaled(self, x, factor):
        return self.custom(lambda v: v, [lambda v: factor], x)

    def clipped(self, x, low, high):
        f = jax.custom_vjp(lambda v: v)
        f.defvjp(lambda v: (v, None), lambda _, dy: (jnp.clip(dy, low, high),))
        return f(x)

    def prevent(self, x):
        return x


class Text:
    """A C++ expression."""

    def __init__(self, text, level=9):
        self.text, self.level = text, level

    def __str__(self):
        return self.text

    def inside(self, level):
        return self.text if self.level >= level else f"({self.text})"

    def binary(self, sign, level, other, swapped=False):
        other = as_text(other)
        left, right = (other, self) if swapped else (self, other)
        return Text(f"{left.inside(level)} {sign} {right.inside(level + 1)}", level)

    def __neg__(self):
        return Text("-" + self.inside(7), 7)

    def __getitem__(self, k):
        return Text(f"{self.text}[{k}]")


for name, sign, level in [("add", "+", 5), ("sub", "-", 5), ("mul", "*", 6), ("truediv", "/", 6), ("lt", "<", 4),
                          ("gt", ">", 4), ("le", "<=", 4), ("ge", ">=", 4)]:
    setattr(Text, f"__{name}__", lambda a, b, s=sign, l=level: a.binary(s, l, b))
    setattr(Text, f"__r{name}__", lambda a, b, s=sign, l=level: a.binary(s, l, b, swapped=True))


def as_text(x):
    if isinstance(x, Text):
        return x
    return Text(repr(x).lower(), 9 if x >= 0 else 7)


class ForCpp:

    def __init__(self):
        self.depth = 0

    def __getattr__(self, name):
        cpp = {"stop": "stop_gradient", "condition": "stop_gradient", "reduce_max": "max", "reduce_min": "min",
               "maximum": "max", "clip": "clamp", "clipped": "grad_clip", "scaled": "grad_scale"}.get(name, name)
        return lambda *args: Text(f"{cpp}({', '.join(str(as_text(a)) for a in args)})")

    def ratio(self, n, d):
        return Text(f"constant<{n}, {d}>")

    def like(self, number, x):
        return as_text(number)

    def pow(self, x, n):
        return Text(f"pow({x}, constant<{n}>)")

    def stop_tuple(self, *xs):
        whole = f"stop_gradient(std::tuple({', '.join(map(str, xs))}))"
        return [Text(f"std::get<{k}>({whole})") for k in range(len(xs))]

    def spelled(self, spelling, x):
        return Text(SPELLINGS[spelling][1].format(x))

    def body(self, f, count):
        """A lambda of so many parameters."""
        self.depth += 1
        names = [f"{letter}{self.depth}" for letter in "vpq"[:count]]
        result = f"[]({', '.join('auto ' + n for n in names)}) {{ return {as_text(f(*map(Text, names)))}; }}"
        self.depth -= 1
        return result

    def grad(self, f, x, *rest):
        by = ", wrt<0>" if rest else ""
        return Text(f"gradient({self.body(f, 1 + len(rest))}{by})({', '.join(map(str, (x, *rest)))})")

    def custom(self, value, partials, *xs):
        # In formulas the partial derivatives are named, in functions they follow their variable.
        pairs = ", ".join(f"by({x}, {as_text(p(*xs))})" for x, p in zip(xs, partials))
        return Text(f"with_partials({value(*xs)}, {pairs})")

    def pass_through(self, q, x):
        return Text(f"straight_through({q(x)}, {x})")

    def prevent(self, x):
        return Text(f'prevent_gradient<"not to be differentiated">({x})')


# Ways to write a stop: TensorFlow's, and how it reads here.
SPELLINGS = {
    "input_alone": (lambda x: tf.stop_gradient(x), "tf.stop_gradient({})"),
    "input_and_name": (lambda x: tf.stop_gradient(x, "target"), 'tf.stop_gradient({}, "target")'),
    "name_by_keyword": (lambda x: tf.stop_gradient(x, name="target"), 'tf.stop_gradient({}, name = "target")'),
    "both_by_keyword": (lambda x: tf.stop_gradient(input=x, name="target"),
                        'tf.stop_gradient(input = {}, name = "target")'),
    "compat_v1": (lambda x: tf.compat.v1.stop_gradient(x), "tf.compat.v1.stop_gradient({})"),
    "compat_v2": (lambda x: tf.compat.v2.stop_gradient(x, name="target"),
                  'tf.compat.v2.stop_gradient({}, name = "target")'),
    "raw_op": (lambda x: tf.raw_ops.StopGradient(input=x), "tf.raw_ops.StopGradient(input = {})"),
    "raw_op_with_name": (lambda x: tf.raw_ops.StopGradient(input=x, name="target"),
                         'tf.raw_ops.StopGradient(input = {}, name = "target")'),
    "namespaces": (lambda x: tf.stop_gradient(x, "target"), 'tensorflow::stop_gradient({}, "target")'),
    "class_of_cpp": (lambda x: tf.raw_ops.StopGradient(input=x), "tensorflow::ops::StopGradient(scope, {})"),
    "class_with_name": (lambda x: tf.raw_ops.StopGradient(input=x, name="target"),
                        'tensorflow::ops::StopGradient(scope.WithOpName("target"), {})'),
    "class_output": (lambda x: tf.raw_ops.StopGradient(input=x),
                     "tensorflow::Output(tensorflow::ops::StopGradient(scope, {}))"),
    "template_name": (lambda x: tf.stop_gradient(x, "target"), 'stop_gradient<"target">({})'),
}

FOR_TF, FOR_JAX = ForTensorFlow(), ForJax()


# Numbers by TensorFlow and by JAX


def number(x):
    return float(np.asarray(x))


def numbers(xs):
    return [number(x) for x in xs]


class Derivatives:
    """value, gradient, hessian, along (the derivative in a direction), hvp; `none`, which TensorFlow has no gradient by."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


def by_tensorflow(f, at, direction, order, forward, dtype=tf.float64):
    xs = [tf.constant(x, dtype) for x in at]
    n = len(xs)
    ZERO = tf.UnconnectedGradients.ZERO
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            y = f(FOR_TF, *xs)
        gradient = inner.gradient(y, xs)
        zeroed = [tf.zeros([], dtype) if g is None else g for g in gradient]
    result = Derivatives(value=number(y), gradient=numbers(zeroed), none=[g is None for g in gradient])
    if order > 1:
        result.hessian = [numbers(outer.gradient(g, xs, unconnected_gradients=ZERO)) for g in zeroed]
    if forward:
        with tf.autodiff.ForwardAccumulator(xs, [tf.constant(d, dtype) for d in direction]) as accumulator:
            with tf.GradientTape() as tape:
                tape.watch(xs)
                y = f(FOR_TF, *xs)
            gradient = tape.gradient(y, xs, unconnected_gradients=ZERO)
        result.along = number(accumulator.jvp(y, unconnected_gradients=ZERO))
        if order > 1:
            result.hvp = numbers(accumulator.jvp(g, unconnected_gradients=ZERO) for g in gradient)
    return result


def by_jax(f, at, direction, order, forward):
    xs = [jnp.asarray(x, jnp.float64) for x in at]
    every = tuple(range(len(xs)))
    applied = lambda *args: f(FOR_JAX, *args)
    result = Derivatives(value=number(applied(*xs)), gradient=numbers(jax.grad(applied, every)(*xs)))
    if order > 1:
        hessian = jax.jacrev(jax.grad(applied, every), every)(*xs)
        result.hessian = [numbers(row) for row in hessian]
    if forward:
        tangents = [jnp.asarray(d, jnp.float64) for d in direction]
        result.along = number(jax.jvp(applied, xs, tangents)[1])
        if order > 1:
            result.hvp = numbers(jax.jvp(jax.grad(applied, every), xs, tangents)[1])
    return result


def close(a, b, tolerance=1e-12):
    a, b = np.asarray(a, float), np.asarray(b, float)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        return bool(np.all(same | (np.abs(a - b) <= tolerance * np.abs(b)) | (np.abs(a - b) <= 1e-15)))


def literal(x):
    if isinstance(x, (bool, np.bool_)):
        return "true" if x else "false"
    if isinstance(x, (list, tuple)):
        return "{" + ", ".join(map(literal, x)) + "}"
    if np.isnan(x):
        return "nan"
    if np.isinf(x):
        return "inf" if x > 0 else "-inf"
    return repr(float(x)).removesuffix(".0") if abs(x) < 1e5 and x == int(x) and not (x == 0 and
        np.signbit(x)) else repr(float(x))


FIELDS = ["value", "gradient", "hessian", "along", "hvp"]
DIRECTION = [1.0, -0.5, 0.25]


class Group:
    """The tests of one file."""

    def __init__(self, name, title, header="check.hpp"):
        self.header = header
        self.name, self.title, self.tests, self.count, self.names = name, title, [], 0, set()
        GROUPS.append(self)

    def add(self, name, lines, count):
        assert name not in self.names, name
        self.names.add(name)
        self.tests.append(f"BOOST_AUTO_TEST_CASE({name}) {{\n" + "\n".join(lines) + "\n}\n")
        self.count += count

    def case(self, name, f, *points, order=2, forward=True, why=None, ours=None, note=None, function=False,
             jax_differs=None, single=True):
        """A formula of numbers at some points. ours: by field, what the library gives instead of TensorFlow's numbers;
        why: the reason. jax_differs: what in JAX differs from TensorFlow. forward: whether there is a forward mode to
        compare with; "jax" where TensorFlow's does not see the derivatives that are given. function: it is a function
        only, no formula. single: compared in single precision too."""
        n = len(inspect.signature(f).parameters) - 1
        lines = [f"  // {line}" for line in filter(None, [note, why and "Differs: " + why,
                                                          jax_differs and "JAX differs: " + jax_differs])]
        names = ["a", "b", "c"][:n]
        text = as_text(f(ForCpp(), *map(Text, names)))
        lines.append(f"  constexpr auto f = []({', '.join('auto ' + v for v in names)}) {{ return {text}; }};")
        agrees = True
        for at in points:
            at = at if isinstance(at, tuple) else (at,)
            direction = DIRECTION[:n]
            by_tf = by_tensorflow(f, at, direction, order, forward is True)
            other = by_jax(f, at, direction, order, bool(forward))
            if forward == "jax":
                by_tf.__dict__.update({field: getattr(other, field) for field in FIELDS[3:] if hasattr(other, field)})
            agrees = agrees and all(close(getattr(other, field, 0), getattr(by_tf, field, 0)) for field in FIELDS)
            assert agrees or jax_differs, (name, at, vars(by_tf), vars(other))
            expected = Derivatives(**vars(by_tf))
            if ours:
                given = ours(*at) if callable(ours) else ours
                assert not all(close(value, getattr(by_tf, field)) for field, value in given.items()), (name, at)
                expected.__dict__.update(given)
                if "gradient" in given:
                    expected.along = sum(g * d for g, d in zip(given["gradient"], direction))
                if "hessian" in given:
                    expected.hvp = [sum(h * d for h, d in zip(row, direction)) for row in given["hessian"]]
                lines.append("  // TensorFlow: " + "; ".join(f"{k} {literal(getattr(by_tf, k))}" for k in given))
            elif forward:
                along = sum(g * d for g, d in zip(by_tf.gradient, direction))
                assert close(along, by_tf.along, 1e-11) or not np.isfinite(along), (name, at, vars(by_tf))
            fields = [f".at = {literal(at)}", f".value = {literal(expected.value)}",
                      f".gradient = {literal(expected.gradient)}", f".none = {literal(by_tf.none)}"]
            if order > 1:
                fields.append(f".hessian = {{{literal(expected.hessian)}}}")
            if forward:
                fields.append(f".along = {literal(expected.along)}")
                if order > 1:
                    fields.append(f".hvp = {literal(expected.hvp)}")
            if single:
                in_single = by_tensorflow(f, at, direction, 1, False, tf.float32)
                if not ours:
                    fields += [f".single_value = {literal(in_single.value)}",
                               f".single_gradient = {literal(in_single.gradient)}"]
                else:
                    fields += [f".single_value = {literal(expected.value)}",
                               f".single_gradient = {literal(expected.gradient)}"]
            less = [".hessian = false"] * (order < 2) + [".forward = false"] * (not forward) + [
                ".single = false"] * (not single) + [".formula = false"] * function
            options = f", what{{{', '.join(less)}}}" if less else ""
            lines.append(f"  check<{n}{options}>(f, {{{', '.join(fields)}}});")
        assert not (jax_differs and agrees), name
        self.add(name, lines, len(points))

    def listed(self, name, parts, result, at, subsets, note=None):
        """tf.gradients(result, [x, y], stop_gradients=...) with lists of the named intermediate values."""
        names = ["x", "y"]
        values = {}
        for part, f in parts:
            values[part] = Text(part)
        lines = [f"  // {note}"] if note else []
        known = dict(zip(names, map(Text, names)))
        for part, f in parts:
            lines.append(f"  const auto {part} = {f(ForCpp(), **known)};")
            known[part] = Text(part)
        lines.append(f"  const auto f = {result(ForCpp(), **known)};")
        for stopped in subsets:

            @tf.function
            def graph(x, y):
                known = {"x": x, "y": y}
                for part, f in parts:
                    known[part] = f(FOR_TF, **known)
                whole = result(FOR_TF, **known)
                known["f"] = whole
                gradient = tf.gradients(whole, [x, y], stop_gradients=[known[k] for k in stopped] or None)
                listed.append([g is None for g in gradient])
                return whole, [tf.zeros_like(x) if g is None else g for g in gradient]

            listed = []
            value, gradient = graph(*[tf.constant(v, tf.float64) for v in at])

            def marked(x, y):
                known = {"x": x, "y": y}
                for part, f in parts:
                    known[part] = f(FOR_JAX, **known)
                    if part in stopped:
                        known[part] = jax.lax.stop_gradient(known[part])
                whole = result(FOR_JAX, **known)
                return jax.lax.stop_gradient(whole) if "f" in stopped else whole

            if not set(stopped) & {"x", "y"}:  # JAX has no such lists; there stands a stop instead
                assert close(numbers(jax.grad(marked, (0, 1))(*at)), numbers(gradient)), (name, stopped)
            given = f", stop_gradients({', '.join(stopped)})" if stopped else ""
            lines.append(f"  check_listed(value_and_gradient(f, wrt(x, y){given})(x = {at[0]!r}, "
                         f"y = {at[1]!r}), {literal(number(value))}, {literal(numbers(gradient))}, "
                         f"{literal(listed[0])});")
        self.add(name, lines, len(subsets))

    def unconnected(self, name, f, at, why=None, note=None):
        """Gradients by variables that nothing leads to: None and zeros in TensorFlow."""
        names = ["x", "y"][:len(at)]
        xs = [tf.constant(v, tf.float64) for v in at]
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(xs)
            y = f(FOR_TF, *xs)
        none = tape.gradient(y, xs, unconnected_gradients=tf.UnconnectedGradients.NONE)
        zero = numbers(tape.gradient(y, xs, unconnected_gradients=tf.UnconnectedGradients.ZERO))
        assert close(numbers(jax.grad(lambda *a: f(FOR_JAX, *a), tuple(range(len(at))))(*at)), zero)
        text = as_text(f(ForCpp(), *map(Text, names)))
        bound = ", ".join(f"{n} = {v!r}" for n, v in zip(names, at))
        lines = [f"  // {note}"] if note else []
        lines.append(f"  const auto f = {text};")
        for k, n in enumerate(names):
            lines.append(f"  check_unconnected<{literal(none[k] is None)}>(f, wrt({', '.join(names)}), {n}, {literal(zero[k])}, "
                         f"{bound});")
        self.add(name, lines, len(names))

    def tensor(self, name, cpp, f, *points, hvp=False, note=None, constants=(), why=None, ours=None, single=False):
        """A loss over tensors x and, if there is one, y. A point has an array for each; gradients by all but constants.
        single: compared in single precision too."""
        names = ["x", "y"][:len(points[0])]
        by = [n for n in names if n not in constants]
        lines = [f"  // {line}" for line in filter(None, [note, why and "Differs: " + why])]
        lines += [f"  const auto f = {cpp};", f"  const auto step = value_and_gradient(f, wrt({', '.join(by)}));"]
        for point in points:
            arrays = dict(zip(names, [np.asarray(a, float) for a in point]))
            xs = [tf.constant(a) for a in arrays.values()]
            with tf.GradientTape() as outer:
                outer.watch(xs)
                with tf.GradientTape() as tape:
                    tape.watch(xs)
                    y = f(FOR_TF, *xs)
                gradient = dict(zip(names, tape.gradient(y, xs)))
            by_jax = jax.grad(lambda *a: f(FOR_JAX, *a), tuple(range(len(xs))))(*map(jnp.asarray, arrays.values()))
            for n, g in zip(names, by_jax):
                assert close(g, 0 if gradient[n] is None else gradient[n]), (name, g, gradient[n])
            lines.append("  {")
            for n, a in arrays.items():
                rank = a.ndim
                lines.append(f"    const xt::xtensor<double, {rank}> {n}_value{literal(a.tolist())};")
            bound = ", ".join(f"{n} = {n}_value" for n in names)
            lines += [f"    const auto r = step({bound});", f"    check_value(r.value, {literal(number(y))});"]
            for n in by:
                expected = ours(point)[n] if ours else gradient[n]
                if ours:
                    assert not close(expected, gradient[n])
                if expected is None:
                    lines.append(f"    static_assert(is_zero<std::remove_cvref_t<decltype(r.gradient[{n}])>>);")
                else:
                    shape = literal([int(k) for k in arrays[n].shape])
                    lines.append(f"    check_tensor(r.gradient[{n}], {shape}, "
                                 f"{literal(np.ravel(expected).tolist())});")
            if single:
                singles = [tf.constant(a, tf.float32) for a in arrays.values()]
                with tf.GradientTape() as tape:
                    tape.watch(singles)
                    value = f(FOR_TF, *singles)
                in_single = dict(zip(names, tape.gradient(value, singles)))
                for n, a in arrays.items():
                    lines.append(f"    const xt::xtensor<float, {a.ndim}> {n}_single = {n}_value;")
                lines += [f"    const auto in_single = step({', '.join(f'{n} = {n}_single' for n in names)});",
                          f"    static_assert(std::is_same_v<decltype(in_single.value), float>);",
                          f"    check_value(in_single.value, {literal(number(value))}, 1e-5);"]
                for n in filter(lambda n: in_single[n] is not None, by):
                    lines.append(f"    check_tensor(in_single.gradient[{n}], {literal([int(k) for k in arrays[n].shape])}, "
                                 f"{literal(np.ravel(in_single[n].numpy().astype(float)).tolist())}, 1e-5);")
            if hvp:
                u = 0.5 - np.arange(arrays["x"].size).reshape(arrays["x"].shape) % 3
                along = outer.gradient(gradient["x"], xs[0], output_gradients=tf.constant(u))
                by_jax = jax.jvp(jax.grad(lambda v: f(FOR_JAX, v, *map(jnp.asarray, list(arrays.values())[1:]))),
                                 (jnp.asarray(arrays["x"]),), (jnp.asarray(u),))[1]
                assert close(by_jax, along, 1e-11), (name, by_jax, along)
                lines += [f"    const xt::xtensor<double, {u.ndim}> along{literal(u.tolist())};",
                          f"    const auto product = hvp(f, wrt(x), tangent(x = along))({bound});",
                          f"    check_tensor(product[x], {literal([int(k) for k in u.shape])}, "
                          f"{literal(np.ravel(along).tolist())});"]
            lines.append("  }")
        self.add(name, lines, len(points))

    def text(self):
        return (f"// Made by generate.py from TensorFlow {tf.__version__} and JAX {jax.__version__}; not edited by hand.\n"
                f"// {self.title}\n// {self.count} cases.\n"
                f'#include "{self.header}"\n\nnamespace tensorflow_test {{\n\n' + "\n".join(self.tests) +
                "\n}  // namespace tensorflow_test\n")


GROUPS = []


# The cases


def spelled():
    group = Group("spellings", "Every spelling of a stop on TensorFlow's pages, and what may be stopped.")
    for spelling in SPELLINGS:
        group.case(spelling, lambda T, x, y: x * T.spelled(spelling, x * y) + T.sin(T.spelled(spelling, y)) * y,
                   (1.5, -0.5))
    group.case("variable", lambda T, x: T.stop(x), 1.5)
    group.case("stop_of_stop", lambda T, x: T.stop(T.stop(x * x)) * x, 1.5)
    group.case("stop_of_sum_with_stop", lambda T, x, y: T.stop(x + T.stop(y)) * y, (1.5, -2.0))
    group.case("of_integer", lambda T, x: T.like(T.stop(T.like(3, x) if isinstance(T, ForCpp) else 3), x) * x * x, 1.5)
    group.case("of_bool", lambda T, x: T.like(T.stop(True), x) * x * x, 1.5)
    group.case("condition", lambda T, x, y: T.where(T.condition(x < y), x * x, x * y), (1.5, -2.0), (-2.0, 1.5))
    group.case("tuple", lambda T, x, y: (lambda p: p[0] * y + p[1] * x)(T.stop_tuple(x * y, T.exp(y))), (1.5, -0.5))
    group.case("tuple_of_three", lambda T, x, y: (lambda p: p[0] * p[1] * x + p[2] * y)(T.stop_tuple(x, y, x * y)),
               (1.5, -0.5))


def operations():
    group = Group("operations", "A stop before and behind each operation.")

    def add(name, *points, **options):
        group.case(f"stopped_{name}", lambda T, x, y: getattr(T, name)(x) * T.stop(getattr(T, name)(x * y)) +
                   getattr(T, name)(T.stop(x) * y), *points, **options)

    for name in ["exp", "sin", "cos", "tan", "tanh", "sigmoid", "softplus", "atan", "sinh", "cosh", "asinh", "erf",
                 "erfc", "expm1", "square"]:
        add(name, (0.7, -0.6))
    for name in ["log", "sqrt", "lgamma", "log1p"]:
        add(name, (0.7, 1.3))
    for name in ["asin", "acos", "atanh"]:
        add(name, (0.7, -0.6))
    group.case("stopped_acosh", lambda T, x, y: T.acosh(x) * T.stop(T.acosh(x * y)), (2.5, 1.5))
    group.case("abs_and_relu", lambda T, x, y: T.abs(x) * T.stop(T.relu(y)) + T.relu(x * T.stop(y)), (-0.7, 1.3),
               (0.7, 1.3), (0.7, -1.3))
    group.case("division", lambda T, x, y: x / T.stop(y) + T.stop(x) / y, (0.7, 1.3))
    group.case("power", lambda T, x, y: T.pow(x, 3) * T.stop(T.pow(y, 2)), (0.7, 1.3))
    group.case("stopped_atan2", lambda T, x, y: T.atan2(x, T.stop(y)) + T.atan2(T.stop(x), y), (0.7, 1.3), (-0.7, -1.3))
    group.case("subtraction", lambda T, x, y: T.square(x - T.stop(y)) + T.square(T.stop(x) - y * y), (0.7, 1.3))


def nested():
    group = Group("nested", "Gradients within gradients, through stops.")
    cube = lambda T: lambda v: T.pow(v, 3)
    add = lambda name, f, *points, **options: group.case(name, f, *points, function=True, **options)
    add("stopped_derivative", lambda T, x: x * T.stop(T.grad(cube(T), x)), 1.5)
    add("derivative_not_stopped", lambda T, x: x * T.grad(cube(T), x), 1.5)
    add("derivative_of_stopped_factor", lambda T, x: T.grad(lambda v: v * T.stop(v * v), x), 1.5)
    add("derivative_of_square_with_stop", lambda T, x, y: T.grad(lambda v: v * v * T.stop(v), x) * y, (1.5, -2.0))
    add("derivative_at_stopped_point", lambda T, x: T.grad(cube(T), T.stop(x)) * x, 1.5)
    add("all_stopped_inside", lambda T, x: T.grad(lambda v: T.stop(T.sin(v)), x) + x * x, 1.5)
    add("second_derivative", lambda T, x: T.grad(lambda v: T.grad(lambda p: T.exp(p) * T.stop(T.sin(p)), v), x), 0.4)
    add("third_derivative", lambda T, x: T.grad(lambda v: T.grad(lambda p: T.pow(p, 4) * T.stop(p), v), x), 0.7)
    loss = lambda T: lambda v: T.square(v - 1.0) * v
    add("first_order_meta_learning",
        lambda T, x: loss(T)(x - 0.1 * T.stop(T.grad(loss(T), x))), 0.4, 1.8)
    add("meta_learning", lambda T, x: loss(T)(x - 0.1 * T.grad(loss(T), x)), 0.4, 1.8)
    add("gradient_penalty", lambda T, x, y: T.square(T.grad(lambda v, p: T.tanh(v * p), x, y) - 1.0), (0.4, 0.8))
    add("gradient_penalty_stopped",
        lambda T, x, y: T.square(T.grad(lambda v, p: T.tanh(v * p), x, y) - 1.0) * T.stop(x) + y * T.stop(
            T.grad(lambda v, p: T.tanh(v * p), x, y)), (0.4, 0.8))
    add("parameter_stopped_inside", lambda T, x, y: T.grad(lambda v, p: T.sin(v * T.stop(p)) * p, x, y), (0.4, 0.8))
    add("hessian_vector_product_stopped",
        lambda T, x, y: y * T.stop(T.grad(lambda v, p: T.grad(lambda p, q: T.exp(p * q), v, p), x, y)), (0.4, 0.8))
    # Truncated back-propagation: the state of the step before counts as given.
    step = lambda T, s, w, u: T.tanh(w * s + u)
    group.case("recurrence_truncated",
               lambda T, x, y: T.square(step(T, T.stop(step(T, step(T, 0.5, x, y), x, y)), x, y)), (0.8, -0.3))
    group.case("recurrence", lambda T, x, y: T.square(step(T, step(T, step(T, 0.5, x, y), x, y), x, y)), (0.8, -0.3))


def custom():
    group = Group("custom", "Values with other derivatives: custom_gradient, grad_pass_through, PreventGradient.")
    log1pexp = lambda T, x: T.log(1.0 + T.exp(x))
    group.case("log1pexp", lambda T, x: T.custom(lambda v: log1pexp(T, v), [lambda v: 1.0 - 1.0 / (1.0 + T.exp(v))], x),
               0.5, -3.0, 100.0, note="the example of tf.custom_gradient")
    group.case("log1pexp_plain", lambda T, x: log1pexp(T, x), 0.5, -3.0)
    group.case("of_one", lambda T, x, y: T.custom(lambda v: v * v, [lambda v: T.like(0.5, v) * v], x) * y, (1.5, -2.0),
               forward="jax")
    group.case("of_two", lambda T, x, y: T.custom(lambda v, p: v * p, [lambda v, p: T.exp(v) * p, lambda v, p: T.exp(v)],
                                                  x, y) * x, (1.5, -2.0), forward="jax")
    group.case("of_no_function", lambda T, x, y: T.custom(lambda v, p: v * p, [lambda v, p: T.cos(p), lambda v, p: T.exp(
        v)], x, y) * x, (1.5, -2.0), forward=False,
               ours=lambda x, y: {"hessian": [[2 * np.cos(y), np.exp(x) - x * np.sin(y)],
                                              [np.exp(x) - x * np.sin(y), 0.0]]},
               why="partial derivatives of no function: a Hessian here is symmetric, each pair computed once")
    group.case("stopped_partial", lambda T, x, y: T.custom(lambda v: T.sin(v), [lambda v: T.stop(T.cos(v))], x) * y,
               (1.5, -2.0))
    group.case("stopped_result", lambda T, x: T.stop(T.custom(lambda v: v * v, [lambda v: T.cos(v)], x)) * x, 1.5)
    group.case("product_by_one_variable", lambda T, x, y: T.stop(x) * y + T.stop(x * x * y) * (x - T.stop(x)),
               (2.1, 3.1))
    group.case("pass_through_round", lambda T, x: T.square(T.pass_through(T.round, x)), 1.3, -0.8,
               note="tf.grad_pass_through")
    group.case("pass_through_sign", lambda T, x, y: T.pass_through(T.sign, x) * y, (1.3, 2.0), (-0.8, 2.0))
    group.case("pass_through_square", lambda T, x: T.sin(T.pass_through(T.square, x)), 0.8, forward="jax")
    group.case("binarised", lambda T, x, y: T.pass_through(lambda v: T.where(v > 0.5, T.like(1.0, v), T.like(0.0, v)),
                                                           T.sigmoid(x)) * y, (1.3, 2.0), (-1.3, 2.0))
    group.case("straight_through_by_stop", lambda T, x: x * x + T.stop(T.floor(x * x) - x * x), 1.3)
    group.case("reversed", lambda T, x, y: T.square(T.scaled(x * y, -1.0)), (1.5, -2.0), forward="jax")
    group.case("scaled", lambda T, x, y: T.square(T.scaled(T.sin(x), 0.25)) * y, (1.5, -2.0), forward="jax")
    group.case("clipped", lambda T, x, y: T.square(T.clipped(x * y, -1.0, 2.0)), (1.5, -2.0), (1.5, 2.0), (0.5, 0.5),
               order=1, forward=False)
    group.case("value_of_log_derivatives_of_cube", lambda T, x: T.stop(T.log(x)) + (T.pow(x, 3) - T.stop(T.pow(x, 3))),
               2.0)
    group.case("prevented_behind_stop", lambda T, x, y: T.stop(T.prevent(x * y)) * x, (1.5, -2.0),
               forward="jax")
    x = tf.constant(1.5)
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = FOR_TF.prevent(x) * x
        tape.gradient(y, x)
    except LookupError:
        pass
    else:
        raise AssertionError("TensorFlow differentiates PreventGradient")


def ties(*xs):
    largest = max(xs)
    return [float(x == largest) / xs.count(largest) for x in xs]


def kinks():
    group = Group("kinks", "Where a function has no derivative, and branches that are not taken.")
    group.case("reduce_max", lambda T, x, y, z: T.reduce_max(x, y, z) * T.reduce_max(x, y, z), (1.0, 2.0, 3.0),
               (3.0, 3.0, 1.0), (2.0, 2.0, 2.0), order=1)
    group.case("reduce_min", lambda T, x, y, z: T.reduce_min(x, y, z), (1.0, 2.0, 3.0), (3.0, 1.0, 1.0),
               (2.0, 2.0, 2.0), order=1)
    group.case("reduce_max_stopped", lambda T, x, y, z: T.stop(T.reduce_max(x, y, z)) * x, (1.0, 2.0, 3.0),
               (3.0, 3.0, 1.0))
    group.case("maximum_of_two", lambda T, x, y: T.maximum(x * x, y), (2.0, 1.0), (1.0, 2.0))
    group.case("maximum_tie", lambda T, x, y: T.maximum(x, y), (2.0, 2.0), order=1, ours={"gradient": [0.5, 0.5]},
               why="ties are even here, as in tf.reduce_max and JAX; tf.maximum takes its first operand",
               jax_differs="even", forward=False)
    group.case("relu_at_0", lambda T, x: T.relu(x), 0.0)
    group.case("abs_at_0", lambda T, x: T.abs(x) * x, 0.0, order=1)
    group.case("sign_and_floor", lambda T, x, y: T.sign(x) * y + T.floor(y) * x, (0.7, 1.3), (-0.7, -1.3))
    group.case("limited", lambda T, x: T.clip(x, -1.0, 1.0) * x, 0.5, 2.0, -3.0)
    group.case("limited_at_bound", lambda T, x: T.clip(x, -1.0, 1.0), 1.0, -1.0, order=1, forward=False,
               ours={"gradient": [0.5]}, why="a tie with the bound is even", jax_differs="even")
    group.case("rounded", lambda T, x: T.round(x) + x, 1.3, -0.8, 2.6)
    group.case("round_of_half", lambda T, x: T.round(x) + x, 0.5, 2.5, order=1,
               ours=lambda x: {"value": np.floor(x + 0.5) + x}, why="halves go away from 0 as in C, not to the even")
    group.case("sqrt_at_0", lambda T, x: T.sqrt(x), 0.0, order=1)
    group.case("norm_of_two", lambda T, x, y: T.norm(x, y), (3.0, -4.0))
    group.case("norm_at_origin", lambda T, x, y: T.norm(x, y), (0.0, 0.0), order=1, forward=False,
               ours={"gradient": [0.0, 0.0]}, why="the gradient of a norm at the origin is 0, not 0 / 0")
    group.case("log_of_branch_not_taken", lambda T, x: T.where(x > 0.0, T.log(x), T.like(-1.0, x)), 2.0, -1.0)
    not_taken = dict(why="nothing of the branch not taken enters, not an infinity times 0 either")
    group.case("log_of_branch_not_taken_at_0", lambda T, x: T.where(x > 0.0, T.log(x), x), 0.0, forward=False,
               ours={"gradient": [1.0], "hessian": [[0.0]]}, jax_differs="NaN in other places", **not_taken)
    group.case("sqrt_of_branch_not_taken", lambda T, x: T.where(x > 0.0, T.sqrt(x), x), -1.0, 0.0, forward=False,
               ours={"gradient": [1.0], "hessian": [[0.0]]}, jax_differs="NaN in other places", **not_taken)
    group.case("quotient_of_branch_not_taken", lambda T, x, y: T.where(x > 0.0, y / x, y), (0.0, 2.0),
               forward=False, ours={"gradient": [0.0, 1.0], "hessian": [[0.0, 0.0], [0.0, 0.0]]},
               jax_differs="NaN in other places", **not_taken)
    group.case("exp_of_branch_not_taken", lambda T, x: T.where(x < 100.0, T.exp(x), x), 1000.0, forward=False,
               ours={"gradient": [1.0], "hessian": [[0.0]]}, **not_taken)
    group.case("stopped_branch_not_taken", lambda T, x: T.where(x > 0.0, T.stop(T.sqrt(x)) * x, x), -1.0,
               forward=False, ours={"gradient": [1.0]}, **not_taken)
    group.case("guarded_twice", lambda T, x: T.where(x > 0.0, T.sqrt(T.where(x > 0.0, x, T.like(1.0, x))), x), -1.0,
               4.0, note="TensorFlow's way around it")
    group.case("stopped_branch", lambda T, x, y: T.where(x > y, T.stop(x) * y, x * T.stop(y)), (2.0, 1.0), (1.0, 2.0))


def softmax():
    group = Group("softmax", "The softmax of the pages, one component of three, with its maximum stopped and not.")
    points = [(1.0, 2.0, 3.0), (0.0, 0.0, 0.0), (3.0, 3.0, 1.0), (-1.0, 2.0, 2.0)]
    large = [(1000.0, 1001.0, 999.0), (1e4, 1e4, 1e4), (1e4, 1e4, -1e4), (-1e4, 0.0, 1.0)]
    shifted = lambda T, m, x, y, z: T.exp(x - m) / (T.exp(x - m) + T.exp(y - m) + T.exp(z - m))
    group.case("stopped", lambda T, x, y, z: shifted(T, T.stop(T.reduce_max(x, y, z)), x, y, z), *points, *large,
               note="tf.stop_gradient, stable_softmax")
    group.case("not_stopped", lambda T, x, y, z: shifted(T, T.reduce_max(x, y, z), x, y, z), *points, order=1)
    group.case("not_shifted", lambda T, x, y, z: T.exp(x) / (T.exp(x) + T.exp(y) + T.exp(z)), *points)
    group.case("overflow", lambda T, x, y, z: T.exp(x) / (T.exp(x) + T.exp(y) + T.exp(z)), (1000.0, 1001.0, 999.0),
               order=1)
    total = lambda T, m, x, y, z: T.log(T.exp(x - m) + T.exp(y - m) + T.exp(z - m))
    group.case("logsumexp_both_stopped",
               lambda T, x, y, z: T.stop(T.reduce_max(x, y, z)) + total(T, T.stop(T.reduce_max(x, y, z)), x, y, z),
               *points, *large)
    group.case("logsumexp_neither_stopped",
               lambda T, x, y, z: T.reduce_max(x, y, z) + total(T, T.reduce_max(x, y, z), x, y, z), *points, order=1)
    group.case("logsumexp_one_stopped",
               lambda T, x, y, z: T.reduce_max(x, y, z) + total(T, T.stop(T.reduce_max(x, y, z)), x, y, z),
               *points, order=1, note="the trap: the maximum's gradient is counted once too often, by all three alike")
    group.case("logsumexp_of_library", lambda T, x, y, z: T.logsumexp(x, y, z), *points, *large)
    group.case("cross_entropy",
               lambda T, x, y, z: T.log(T.exp(x - T.stop(T.reduce_max(x, y, z))) + T.exp(y - T.stop(
                   T.reduce_max(x, y, z))) + T.exp(z - T.stop(T.reduce_max(x, y, z)))) + T.stop(
                       T.reduce_max(x, y, z)) - y, *points, *large)


def special():
    group = Group("special_values", "NaN and infinity pass through a stop's value and into no derivative.")
    for name, value in [("nan", nan), ("inf", inf), ("minus_inf", -inf)]:
        group.case(f"sum_with_{name}", lambda T, x, y: x * x + T.stop(y), (1.5, value))
        group.case(f"product_with_{name}", lambda T, x, y: x * T.stop(y), (1.5, value), order=1, forward=False)
    group.case("log_of_negative", lambda T, x, y: x * y + T.stop(T.log(y)), (1.5, -1.0), (1.5, 0.0), forward=False)
    group.case("quotient_by_0", lambda T, x, y: x + T.stop(x / y), (1.5, 0.0), (0.0, 0.0), forward=False)
    group.case("overflow", lambda T, x, y: x * y + T.stop(T.exp(x)), (1000.0, 2.0))
    group.case("sqrt_at_0", lambda T, x: x + T.stop(T.sqrt(x)), 0.0, forward=False)
    group.case("root_of_negative_selected", lambda T, x, y: T.where(x > T.stop(T.sqrt(y)), x * y, y), (1.5, -1.0),
               (1.5, 1.0))
    group.case("minus_0", lambda T, x, y: y / T.stop(x), (-0.0, 1.0), (0.0, 1.0), order=1, forward=False)
    group.case("difference_with_stop_of_inf", lambda T, x: x - T.stop(x), inf, 1.5, forward=False)
    group.case("reciprocal_of_stop", lambda T, x, y: y / T.stop(x * x), (1e-200, 1.0), single=False, order=1,
               forward=False)


def stop_lists():
    group = Group("stop_lists", "tf.gradients(..., stop_gradients=[...]).")
    subsets = [[], ["b"], ["c"], ["b", "c"], ["x"], ["y"], ["x", "b"], ["y", "c"], ["x", "y"], ["f"]]
    group.listed("chain",
                 [("b", lambda T, x, y: T.tanh(T.ratio(1, 2) * x + T.ratio(1, 10) * y)),
                  ("c", lambda T, x, y, b: T.tanh(T.ratio(3, 10) * x + T.ratio(7, 10) * b - T.ratio(1, 5) * y))],
                 lambda T, x, y, b, c: T.tanh(T.ratio(11, 10) * b - T.ratio(9, 10) * c + T.ratio(1, 5) * x), (0.4, -0.7), subsets,
                 note="after testStopGradients of tensorflow/python/ops/gradients_test.py")
    group.listed("products", [("b", lambda T, x, y: x * y), ("c", lambda T, x, y, b: b * T.exp(y))],
                 lambda T, x, y, b, c: c * x + b * y, (1.5, -0.5), subsets)
    group.listed("partial_derivatives", [("b", lambda T, x, y: T.ratio(2, 1) * x)], lambda T, x, y, b: x + b * y, (1.5, 2.0),
                 [[], ["b"]], note="testPartialDerivatives there")


def unconnected():
    group = Group("unconnected", "Unconnected gradients: none and zero.")
    group.unconnected("absent", lambda T, x, y: 2.0 * y + T.exp(y), (1.0, 3.0))
    group.unconnected("stopped", lambda T, x, y: T.stop(x) * y, (1.5, 3.0))
    group.unconnected("all_stopped", lambda T, x, y: T.stop(x * y), (1.5, 3.0))
    group.unconnected("stopped_on_all_ways", lambda T, x, y: T.stop(x) * y + T.exp(T.stop(x * y)), (1.5, 3.0))
    group.unconnected("open_on_one_way", lambda T, x, y: T.stop(x) * y + x, (1.5, 3.0))
    group.unconnected("stopped_inside", lambda T, x, y: T.square(T.stop(T.square(x) * y)) + y * y, (1.5, 3.0))
    group.unconnected("one", lambda T, x: T.stop(x), (1.0,),
                      note="testStopGradient of tensorflow/python/ops/gradients_test.py")


def uses():
    group = Group("uses", "What the pages, and others, stop gradients for.")
    normal = lambda T, x, m: T.exp(-0.5 * T.square(x - m))
    responsibility = lambda T, x, y, p: normal(T, p, x) / (normal(T, p, x) + normal(T, p, y))
    group.case("expectation_maximisation",
               lambda T, x, y: T.stop(responsibility(T, x, y, 0.7)) * T.square(0.7 - x) + (1.0 - T.stop(
                   responsibility(T, x, y, 0.7))) * T.square(0.7 - y), (0.5, -1.0),
               note="the M-step of a mixture of two normal distributions with means x and y, given one point")
    energy = lambda T, v, w, b: -(v * b + T.softplus(v * w))
    group.case("contrastive_divergence",
               lambda T, x, y: energy(T, 1.0, x, y) - energy(T, T.stop(T.sigmoid(x * T.sigmoid(x) + y)), x, y),
               (0.5, -1.0), note="free energies of data and of a reconstruction that counts as given")
    loss = lambda T, v, w: T.softplus(-w * v)
    attacked = lambda T, w: 0.8 - 0.1 * T.tanh(w)
    group.case("adversarial_training", lambda T, x: loss(T, T.stop(attacked(T, x)), x), 0.5, -1.5,
               note="the example is not differentiated through")
    group.case("adversarial_not_stopped", lambda T, x: loss(T, attacked(T, x), x), 0.5, -1.5)
    group.case("temporal_difference", lambda T, x, y: T.square(0.3 + 0.9 * T.stop(x * 0.2 + y) - (x * 0.7 + y)),
               (0.5, -1.0))
    group.case("policy_gradient", lambda T, x, y: -T.log(T.sigmoid(x)) * T.stop(1.5 - y) + T.square(1.5 - y),
               (0.5, -1.0), note="actor and critic")
    group.case("ppo_ratio", lambda T, x: T.exp(x - T.stop(x)) * 1.5, 0.5)
    group.case("dice", lambda T, x, y: T.exp(T.log(T.sigmoid(x)) - T.stop(T.log(T.sigmoid(x)))) * y * x, (0.5, -1.0))
    group.case("vector_quantisation",
               lambda T, x, y: T.square(T.stop(x) - y) + 0.25 * T.square(x - T.stop(y)) + T.sin(x + T.stop(y - x)),
               (0.5, 0.8), note="codebook, commitment, and the decoder's loss passed straight through")
    group.case("distillation", lambda T, x, y: -T.stop(T.sigmoid(y)) * T.log(T.sigmoid(x)) - T.stop(T.sigmoid(-y)) *
               T.log(T.sigmoid(-x)), (0.5, 1.5))
    group.case("similarity_of_stopped", lambda T, x, y: -(T.tanh(x) * T.stop(y) + T.tanh(y) * T.stop(x)), (0.5, 1.5))
    group.case("stopped_normalisation", lambda T, x, y: x / T.stop(T.sqrt(x * x + y * y)), (3.0, 4.0))
    group.case("reweighted_least_squares", lambda T, x: T.square(x - 1.0) / T.stop(T.sqrt(T.square(x - 1.0) + 0.01)),
               0.4)
    group.case("newton_step", lambda T, x, y: T.stop(T.sqrt(x)) - (T.square(T.stop(T.sqrt(x))) - x) / (
        2.0 * T.stop(T.sqrt(x))) * y, (2.0, 1.0), note="the derivative of a root by its last Newton step")
    group.case("last_iterate_detached", lambda T, x: T.stop(T.cos(x)) + x - T.stop(x), 0.4)


def types():
    """Element types: TensorFlow and JAX keep them, and so does the library."""
    group = Group("types", "The same type, integers and bools included, and the same shape.")
    lines = ["  // The type of what tf.stop_gradient gives, for each type of TensorFlow's that C++ has."]
    for dtype, cpp, value in [("bool", "bool", True), ("int8", "std::int8_t", -3), ("uint8", "std::uint8_t", 200),
                              ("int16", "std::int16_t", -300), ("uint16", "std::uint16_t", 60000),
                              ("int32", "std::int32_t", -70000), ("uint32", "std::uint32_t", 3000000000),
                              ("int64", "std::int64_t", -5000000000), ("uint64", "std::uint64_t", 5000000000),
                              ("float32", "float", 0.1), ("float64", "double", 0.1)]:
        x = tf.constant(value, dtype)
        y = tf.stop_gradient(x)
        assert y.dtype == x.dtype and y.shape == x.shape and np.asarray(y) == np.asarray(x)
        z = jnp.asarray(value, dtype)
        assert jax.lax.stop_gradient(z).dtype == z.dtype and jax.lax.stop_gradient(z) == z
        lines.append(f"  check_type<{cpp}>({repr(value).lower()}{'f' * (dtype == 'float32')});")
    group.add("of_numbers", lines, len(lines) - 1)
    lines = ["  // Of a struct of numbers and text only the numbers are stopped; a number's stop is the number."]
    lines.append('  BOOST_TEST((stop_gradient(std::tuple(1, true, 0.5f)) == std::tuple(1, true, 0.5f)));')
    lines.append('  BOOST_TEST((stop_gradient(std::array{1.0, 2.0}) == std::array{1.0, 2.0}));')
    assert jax.lax.stop_gradient((1, True, 0.5)) == (1, True, 0.5)
    group.add("of_tuples", lines, 2)


def filled(shape, low=-1.5, high=1.5, seed=1):
    """Numbers with few digits, no two alike, so that no maximum ties."""
    size = int(np.prod(shape))
    order = np.random.default_rng(seed).permutation(size)
    return np.round(low + (high - low) * (order + 0.5) / size, 4).reshape(shape)


def tensors():
    group = Group("tensors", "Over tensors of rank 1 to 4.", "check_tensors.hpp")
    weighted = lambda T, x: T.sum(T.exp(x) * T.stop(T.sin(x)))
    for rank, shape in enumerate([(5,), (2, 3), (2, 3, 2), (2, 1, 3, 2)], 1):
        group.tensor(f"rank_{rank}", "sum(exp(x) * tf.stop_gradient(sin(x)))", weighted, (filled(shape),),
                     hvp=rank == 2, single=True)
    group.tensor("stop_of_all", "sum(x * y) + sum(tf.stop_gradient(square(x)))",
                 lambda T, x, y: T.sum(x * y) + T.sum(T.stop(T.square(x))), (filled((2, 3)), filled((3,), seed=2)), single=True)
    group.tensor("unconnected", "sum(tf.stop_gradient(x) * y)", lambda T, x, y: T.sum(T.stop(x) * y),
                 (filled((2, 3)), filled((3,), seed=2)))

    group = Group("tensors_softmax", "The page's softmax and maxima over tensors.", "check_tensors.hpp")
    rows = [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [3.0, 3.0, 1.0], [1000.0, 1001.0, 999.0], [1e4, 1e4, 1e4],
            [-1e4, 0.0, 1.0]]
    small = rows[:3]
    w = [0.5, -1.0, 2.0]

    def stable(T, x, stop=lambda m: m):
        z = x - stop(T.max(x))
        numerator = T.exp(z)
        return numerator / T.sum(numerator)

    group.tensor("softmax_of_the_page", "sum(y * stable_softmax(x))", lambda T, x, y: T.sum(y * stable(T, x, T.stop)),
                 *[(row, w) for row in rows], hvp=True, note="tf.stop_gradient, stable_softmax; line by line in check_tensors.hpp",
                 constants=["y"], single=True)
    group.tensor("softmax_of_library", "sum(y * softmax<0>(x))", lambda T, x, y: T.sum(y * T.softmax(x)),
                 *[(row, w) for row in rows], constants=["y"])
    group.tensor("softmax_with_open_maximum", "sum(y * (exp(x - amax(x)) / sum(exp(x - amax(x)))))",
                 lambda T, x, y: T.sum(y * stable(T, x)), *[(row, w) for row in small], constants=["y"])
    group.tensor("reduce_max", "sum(square(amax<1>(x)) * y)", lambda T, x, y: T.sum(T.square(T.max1(x)) * y),
                 (filled((2, 3)), [0.5, -1.0]), ([[3.0, 3.0, 1.0], [2.0, 2.0, 2.0]], [0.5, -1.0]), note="ties are even",
                 single=True)
    group.tensor("cross_entropy", "mean(logsumexp<1>(x) - sum<1>(tf.stop_gradient(y) * x))",
                 lambda T, x, y: T.mean(T.logsumexp1(x) - T.sum1(T.stop(y) * x)),
                 ([[1.0, 2.0, 3.0], [0.5, 0.5, -1.0]], [[0.0, 1.0, 0.0], [0.25, 0.5, 0.25]]), single=True)


def main():
    here = pathlib.Path(__file__).parent
    for make in [spelled, types, operations, stop_lists, unconnected, nested, custom, kinks, softmax, special, uses,
                 tensors]:
        make()
    files = []
    for group in GROUPS:
        files.append(here / f"{group.name}.cpp")
        files[-1].write_text(group.text())
        print(f"{group.name}: {group.count} cases")
    if shutil.which("clang-format-19"):
        subprocess.run(["clang-format-19", "-i", *files], check=True)
    print(sum(group.count for group in GROUPS), "cases")


if __name__ == "__main__":
    main()
