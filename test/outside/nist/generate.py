#!/usr/bin/env python3
"""Writes samples/*.dat: small problems for NIST's models, laid out as NIST's files are. The data are the model with noise
from a fixed seed; mpmath finds the minimum with 50 digits, by derivatives that are differences of values with 130."""

import math
import pathlib
import random

from mpmath import atan, cos, exp, log, lu_solve, matrix, mp, mpf, nstr, pi, sin, sqrt

mp.dps = 130
HERE = pathlib.Path(__file__).resolve().parent


def even(first, last, count):
    return [first + (last - first) * i / (count - 1) for i in range(count)]


def ratio(b, x, degree):
    above = sum(b[i] * x**i for i in range(degree + 1))
    return above / (1 + sum(b[degree + i] * x**i for i in range(1, degree + 1)))


def enso(b, x):
    wave = lambda cosine, sine, period: cosine * cos(2 * pi * x / period) + sine * sin(2 * pi * x / period)
    return b[0] + wave(b[1], b[2], 12) + wave(b[4], b[5], b[3]) + wave(b[7], b[8], b[6])


def gauss(b, x):
    return b[0] * exp(-b[1] * x) + b[2] * exp(-((x - b[3]) ** 2) / b[4] ** 2) + b[5] * exp(-((x - b[6]) ** 2) / b[7] ** 2)


# Name: model, parameters, x, standard deviation of the noise
PROBLEMS = {
    "Misra1a": (lambda b, x: b[0] * (1 - exp(-b[1] * x)), [239, 5.5e-4], even(77, 760, 14), 0.1),
    "Misra1b": (lambda b, x: b[0] * (1 - (1 + b[1] * x / 2) ** -2), [338, 3.9e-4], even(77, 760, 14), 0.1),
    "Misra1c": (lambda b, x: b[0] * (1 - 1 / sqrt(1 + 2 * b[1] * x)), [636, 2.1e-4], even(77, 760, 14), 0.1),
    "Misra1d": (lambda b, x: b[0] * b[1] * x / (1 + b[1] * x), [437, 3e-4], even(77, 760, 14), 0.1),
    "Chwirut1": (lambda b, x: exp(-b[0] * x) / (b[1] + b[2] * x), [0.19, 0.0061, 0.0105], even(0.5, 6, 16), 0.5),
    "DanWood": (lambda b, x: b[0] * x ** b[1], [0.77, 3.86], even(1.3, 1.7, 6), 0.03),
    "Lanczos3": (lambda b, x: sum(b[i] * exp(-b[i + 1] * x) for i in (0, 2, 4)), [0.095, 1, 0.86, 3, 1.56, 5],
                 even(0, 1.15, 24), 1e-6),
    "Gauss1": (gauss, [98.8, 0.0105, 100, 67, 23, 72, 179, 18], even(1, 250, 30), 0.5),
    "Kirby2": (lambda b, x: ratio(b, x, 2), [1.67, -0.139, 0.0026, -0.0017, 2.17e-5], even(10, 300, 20), 0.1),
    "Thurber": (lambda b, x: ratio(b, x, 3), [1288, 1491, 583, 75, 0.97, 0.4, 0.05], even(-3, 2.2, 24), 2),
    "Nelson": (lambda b, x: b[0] - b[1] * x[0] * exp(-b[2] * x[1]), [2.6, 5.6e-3, -0.01],
               [(weeks, t) for weeks in (1, 8, 32, 64) for t in (180, 225, 250, 275)], 0.02),
    "MGH17": (lambda b, x: b[0] + b[1] * exp(-x * b[3]) + b[2] * exp(-x * b[4]), [0.375, 1.94, -1.46, 0.0129, 0.022],
              even(0, 320, 24), 1e-4),
    "Roszman1": (lambda b, x: b[0] - b[1] * x - atan(b[2] / (x - b[3])) / pi, [0.2, -6.2e-6, 1204, -181],
                 even(-4868, -500, 20), 1e-4),
    "ENSO": (enso, [10.5, 3.1, 0.53, 44.3, -1.6, 0.53, 26.9, 0.21, 1.5], even(1, 168, 42), 0.5),
    "MGH09": (lambda b, x: b[0] * (x**2 + x * b[1]) / (x**2 + x * b[2] + b[3]), [0.193, 0.191, 0.123, 0.136],
              [4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625], 1e-4),
    "Rat42": (lambda b, x: b[0] / (1 + exp(b[1] - b[2] * x)), [72.5, 2.6, 0.067], even(9, 79, 9), 0.5),
    "MGH10": (lambda b, x: b[0] * exp(b[1] / (x + b[2])), [0.0056, 6181, 345], even(50, 125, 16), 1),
    "Eckerle4": (lambda b, x: b[0] / b[1] * exp(-(((x - b[2]) / b[1]) ** 2) / 2), [1.55, 4.1, 451.5], even(435, 468, 20),
                 0.003),
    "Rat43": (lambda b, x: b[0] / (1 + exp(b[1] - b[2] * x)) ** (1 / b[3]), [700, 5.3, 0.76, 1.28], even(1, 15, 15), 3),
    "Bennett5": (lambda b, x: b[0] * (b[1] + x) ** (-1 / b[2]), [-2524, 46.7, 0.93], even(7.4, 12.5, 20), 1e-3),
}


def minimum(model, b, xs, ys):
    """The parameters, their standard deviations and the sum of squares, by Gauss and Newton's method."""
    step = mpf(10) ** -40
    for _ in range(300):
        residuals = matrix([model(b, x) - y for x, y in zip(xs, ys)])
        jacobian = matrix(len(xs), len(b))
        for j in range(len(b)):
            up, down = ([v * (1 + sign * step * (i == j)) for i, v in enumerate(b)] for sign in (1, -1))
            for i, x in enumerate(xs):
                jacobian[i, j] = (model(up, x) - model(down, x)) / (2 * step * b[j])
        normal = jacobian.T * jacobian
        change = lu_solve(normal, -(jacobian.T * residuals))
        b = [v + d for v, d in zip(b, change)]
        if max(abs(d / v) for v, d in zip(b, change)) < mpf(10) ** -52:
            total = sum(r * r for r in residuals)
            inverse = normal**-1
            return b, [sqrt(total / (len(xs) - len(b)) * inverse[j, j]) for j in range(len(b))], total
    raise RuntimeError("no minimum")


def sample(name, model, truth, xs, noise):
    draw = random.Random(name)
    of_log = name == "Nelson"
    exact = [mpf(repr(v)) for v in truth]
    texts = [[f"{v:.6g}" for v in (x if isinstance(x, tuple) else (x,))] for x in xs]
    read = [tuple(map(mpf, t)) if len(t) > 1 else mpf(t[0]) for t in texts]
    ys = [f"{(math.exp(v) if of_log else v):.7g}" for v in (float(model(exact, x)) + draw.gauss(0, noise) for x in read)]
    b, deviations, total = minimum(model, exact, read, [log(mpf(y)) if of_log else mpf(y) for y in ys])
    lines = [f"Sample for the model of {name}, by generate.py", "",
             "        Start 1     Start 2           Parameter     Standard Deviation"]
    for j, v in enumerate(truth):
        first, second = v * (1 + 0.02 * (-1) ** j), v * (1 - 0.01 * (-1) ** j)
        lines.append(f"  b{j + 1} = {first:.6g} {second:.6g} {nstr(b[j], 20)} {nstr(deviations[j], 20)}")
    lines += [f"Residual Sum of Squares: {nstr(total, 20)}", "Data: y x"]
    lines += [" ".join([y, *x]) for y, x in zip(ys, texts)]
    (HERE / "samples" / f"{name}.dat").write_text("\n".join(lines) + "\n")


(HERE / "samples").mkdir(exist_ok=True)
for name, problem in PROBLEMS.items():
    sample(name, *problem)
