"""The functions of the oracle: NumPy's, differentiated by autograd, with the derivatives that doc/semantics.md defines.

A path that a selection does not choose contributes no term: an adjoint of zero stays zero, whatever it is multiplied by.
That is what `masked` does, and why the functions with infinite partial derivatives are defined here."""

import autograd.numpy as np
import numpy
import scipy.special
from autograd.extend import defvjp, primitive
from autograd.numpy.numpy_vjps import unbroadcast_f


# NumPy's where, whose operands broadcast here too.
selected = primitive(numpy.where)
defvjp(selected, None,
       lambda ans, c, x, y: unbroadcast_f(x, lambda g: selected(c, g, 0.0)),
       lambda ans, c, x, y: unbroadcast_f(y, lambda g: selected(c, 0.0, g)))


# Whether selections compute both paths. Functions of numbers compute the one they choose.
both_paths = True


# The largest number that the library computes with.
largest = numpy.inf


# Products of adjoints are off by up to so much of themselves, at random.
rounding = 0.0
random_units = numpy.random.default_rng(0)


def masked(adjoint, partial):
    """The adjoint itself stays in the product where it is zero, since second derivatives need its own."""
    zero = both_paths & (value_of(adjoint) == 0) & ~numpy.isfinite(value_of(partial))
    product = adjoint * selected(zero, 0.0, partial)
    if rounding:
        plain = numpy.asarray(value_of(product))
        product = product * (1 + rounding * random_units.uniform(-1, 1, plain.shape)).astype(plain.dtype)
    return product


def function(value, partial):
    """partial(result, x)"""
    result = primitive(value)
    defvjp(result, lambda ans, x: lambda g: masked(g, partial(ans, x)))
    return result


def function_of_two(value, by_first, by_second, times=masked):
    result = primitive(value)
    defvjp(result,
           lambda ans, x, y: unbroadcast_f(x, lambda g: times(g, by_first(ans, x, y))),
           lambda ans, x, y: unbroadcast_f(y, lambda g: times(g, by_second(ans, x, y))))
    return result


def in_double(f):
    """A function of SciPy that does not know long double."""
    return lambda x: numpy.asarray(f(numpy.asarray(x, dtype=numpy.float64)), dtype=numpy.asarray(x).dtype)[()]


exp = function(numpy.exp, lambda r, x: r)
exp2 = function(numpy.exp2, lambda r, x: r * numpy.log(numpy.longdouble(2)))
expm1 = function(numpy.expm1, lambda r, x: exp(x))
log = function(numpy.log, lambda r, x: 1 / x)
log2 = function(numpy.log2, lambda r, x: 1 / (x * numpy.log(numpy.longdouble(2))))
log1p = function(numpy.log1p, lambda r, x: 1 / (1 + x))
sqrt = function(numpy.sqrt, lambda r, x: 0.5 / r)
square = function(lambda x: x * x, lambda r, x: 2 * x)
sin = function(numpy.sin, lambda r, x: cos(x))
cos = function(numpy.cos, lambda r, x: -sin(x))
tanh = function(numpy.tanh, lambda r, x: square(1 / cosh(x)))
sinh = function(numpy.sinh, lambda r, x: cosh(x))
cosh = function(numpy.cosh, lambda r, x: sinh(x))
asinh = function(numpy.arcsinh, lambda r, x: 1 / sqrt(1 + x * x))
atan = function(numpy.arctan, lambda r, x: 1 / (1 + x * x))
sigmoid = function(lambda x: numpy.where(x < 0, numpy.exp(numpy.minimum(x, 0)), 1) / (1 + numpy.exp(-numpy.abs(x))),
                   lambda r, x: r * sigmoid(-x))
softplus = function(lambda x: numpy.maximum(x, 0) + numpy.log1p(numpy.exp(-numpy.abs(x))), lambda r, x: sigmoid(x))
erf = function(in_double(scipy.special.erf),
               lambda r, x: 2 / numpy.sqrt(numpy.longdouble(numpy.pi)) * exp(-x * x))
abs = function(numpy.abs, lambda r, x: np.sign(x))
relu = function(lambda x: numpy.maximum(x, 0), lambda r, x: np.where(x <= 0, 0.0, 1.0))


def stop(x):
    """Without what it was computed from: of a primitive without a derivative zeros would flow on, and 0 / 0 be NaN."""
    return value_of(x)


def zero_over_zero(x, y):
    zero = value_of(y) == 0
    return selected(zero, 0.0, x / selected(zero, 1.0, y))


def halves(first):
    """The weight of an operand of max or min: 1, 0, and 1/2 where both are equal."""
    return lambda r, x, y: np.where(x == y, 0.5, np.where(r == (x if first else y), 1.0, 0.0))


mul = function_of_two(numpy.multiply, lambda r, x, y: y, lambda r, x, y: x)
div = function_of_two(numpy.divide, lambda r, x, y: 1 / y, lambda r, x, y: -r / y)
def plus(x, y):
    return x + y


def minus(x, y):
    return x - y


maximum = function_of_two(numpy.maximum, halves(True), halves(False))
minimum = function_of_two(numpy.minimum, halves(True), halves(False))


def chosen(x, y, difference):
    """x where the difference is positive; for a NaN a NaN that has no derivative."""
    return x if difference > 0 else y if difference < 0 else 0.5 * (x + y) if difference == 0 else stop(x + y)


def max(x, y):
    return maximum(x, y) if both_paths else chosen(x, y, value_of(x) - value_of(y))


def min(x, y):
    return minimum(x, y) if both_paths else chosen(x, y, value_of(y) - value_of(x))


power = function_of_two(numpy.power, lambda r, x, y: y * power(x, y - 1), lambda r, x, y: log(x) * r)
hypot = function_of_two(numpy.hypot, lambda r, x, y: zero_over_zero(x, r), lambda r, x, y: zero_over_zero(y, r))
# It has no derivative where both are zero, also if its value there, 0, is a factor of the adjoint.
atan2 = function_of_two(numpy.arctan2, lambda r, x, y: y / (x * x + y * y), lambda r, x, y: -x / (x * x + y * y),
                        times=np.multiply)
logaddexp = function_of_two(numpy.logaddexp, lambda r, x, y: exp(x - r), lambda r, x, y: exp(y - r))


def scaled_gradient(factor):
    result = primitive(lambda x: x)
    defvjp(result, lambda ans, x: lambda g: factor * g)
    return result


def clipped_gradient(low, high):
    result = primitive(lambda x: x)
    defvjp(result, lambda ans, x: lambda g: np.clip(g, low, high))
    return result


# Over axes: `axes` is a tuple, all of them if it is empty


def axes_of(x, axes):
    return axes or tuple(range(np.ndim(x)))


def sum(x, axes=(), keep=False):
    return np.sum(x, axis=axes_of(x, axes), keepdims=keep)


def count(x, axes):
    return numpy.prod([np.shape(x)[axis] for axis in axes_of(x, axes)], dtype=int)


def mean(x, axes=(), keep=False):
    return sum(x, axes, keep) / count(x, axes)


def within_range(x, nonzero, finite):
    """Products; NaN where the product of the nonzero elements leaves the range: nothing is promised there. A factor, so
    that the derivatives are NaN too."""
    beyond = (numpy.abs(nonzero) > largest) & finite
    return x * numpy.where(beyond, numpy.nan, 1.0).astype(numpy.asarray(value_of(x)).dtype) if numpy.any(beyond) else x


def prod(x, axes=(), keep=False):
    """By slices, as NumPy's own derivative divides by the elements."""
    plain = numpy.asarray(value_of(x))
    nonzero = numpy.prod(numpy.where(plain == 0, 1, plain), axis=axes_of(x, axes), keepdims=keep, dtype=numpy.longdouble)
    for axis in sorted((axis % np.ndim(x) for axis in axes_of(x, axes)), reverse=True):
        extent = np.shape(x)[axis]
        before = (slice(None), ) * axis
        result = x[before + (0, )] if extent else sum(x, (axis, )) + 1
        for k in range(1, extent):
            result = mul(result, x[before + (k, )])
        x = np.expand_dims(result, axis) if keep else result
    return within_range(x, nonzero, numpy.all(numpy.isfinite(plain)))


def cumprod(x, axis):
    """The product of each slice and those before it. From one to the next by one factor: apart they take memory as the
    square of the extent. Infinite elements are to meet the zeros of their own product only."""
    plain, before = numpy.asarray(value_of(x)), (slice(None), ) * axis
    extent, finite = plain.shape[axis], numpy.all(numpy.isfinite(plain))
    results = [x[before + (slice(0, 1), )]] if extent else [x]
    for k in range(1, extent):
        results.append(mul(results[-1], x[before + (slice(k, k + 1), )]) if finite else
                       prod(x[before + (slice(0, k + 1), )], (axis, ), True))
    nonzero = numpy.cumprod(numpy.where(plain == 0, 1, plain), axis=axis, dtype=numpy.longdouble)
    return within_range(np.concatenate(results, axis=axis), nonzero, finite)


def amax(x, axes=(), keep=False):
    return np.max(x, axis=axes_of(x, axes), keepdims=keep)


def amin(x, axes=(), keep=False):
    return np.min(x, axis=axes_of(x, axes), keepdims=keep)


def norm(x, axes=(), keep=False):
    squares = sum(x * x, axes, keep)
    zero = value_of(squares) == 0
    return selected(zero, 0.0, sqrt(selected(zero, 1.0, squares)))


def logsumexp(x, axes=(), keep=False):
    largest = stop(np.max(x, axis=axes_of(x, axes), keepdims=True)) if count(x, axes) else stop(numpy.zeros(1))
    total = log(sum(exp(x - largest), axes, True)) + largest
    return total if keep else np.reshape(total, np.shape(sum(x, axes)))


def softmax(x, axis):
    e = exp(x - stop(np.max(x, axis=axis, keepdims=True)))
    return e / np.sum(e, axis=axis, keepdims=True)


def log_softmax(x, axis):
    return x - logsumexp(x, (axis, ), True)


def argmax(x, axis):
    return numpy.argmax(value_of(x), axis=axis) * numpy.ones((), numpy.asarray(value_of(x)).dtype)


def value_of(x):
    """Out of the boxes of autograd."""
    while hasattr(x, "_value"):
        x = x._value
    return x


def sort(x, axis):
    at = list(numpy.indices(numpy.shape(value_of(x))))
    at[axis] = numpy.argsort(value_of(x), axis=axis, kind="stable")
    return x[tuple(at)]


def where(condition, x, y):
    return selected(value_of(condition), x, y)


def matmul(x, y):
    return np.matmul(x, y)


def take(x, indices, axis):
    return x[(slice(None), ) * (axis % np.ndim(x)) + (numpy.asarray(indices), )]


def one_hot(labels, classes):
    return numpy.eye(classes, dtype=numpy.longdouble)[numpy.asarray(labels)]
