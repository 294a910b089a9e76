#!/usr/bin/env python3
"""reference.py PROGRAM: runs the program, and follows the same sightings by an extended Kalman filter of its own, whose
Jacobians are written by hand from the textbook form of the turn, v / w (sin(heading + w dt) - sin(heading))."""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile

DEGREE = math.pi / 180
ACCELERATION, TURN_ACCELERATION, TURN, RANGE, BEARING = 0.5, 7e-4, 0.02, 60.0, 0.5 * DEGREE
TIME = 4.0


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def plus(a, b):
    return [[x + y for x, y in zip(*rows)] for rows in zip(a, b)]


def transposed(a):
    return [list(column) for column in zip(*a)]


def squares(*numbers):
    return [[x * x if i == j else 0.0 for j in range(len(numbers))] for i, x in enumerate(numbers)]


def start(first, second):
    (r1, b1), (r2, b2) = first, second
    x, y = r2 * math.cos(b2), r2 * math.sin(b2)
    dx, dy = x - r1 * math.cos(b1), y - r1 * math.sin(b1)
    d2 = dx * dx + dy * dy
    # By r1, b1, r2, b2.
    x_by = [0, 0, math.cos(b2), -y]
    y_by = [0, 0, math.sin(b2), x]
    dx_by = [-math.cos(b1), r1 * math.sin(b1), math.cos(b2), -y]
    dy_by = [-math.sin(b1), -r1 * math.cos(b1), math.sin(b2), x]
    heading_by = [(dx * v - dy * u) / d2 for u, v in zip(dx_by, dy_by)]
    speed_by = [(dx * u + dy * v) / (math.sqrt(d2) * TIME) for u, v in zip(dx_by, dy_by)]
    j = [x_by + [0], y_by + [0], heading_by + [TIME / 2], speed_by + [0], [0, 0, 0, 0, 1]]
    mean = [x, y, math.atan2(dy, dx), math.sqrt(d2) / TIME, 0.0]
    return mean, product(product(j, squares(RANGE, BEARING, RANGE, BEARING, TURN)), transposed(j))


def predict(mean, covariance):
    x, y, heading, v, w = mean
    s0, c0 = math.sin(heading), math.cos(heading)
    s1, c1 = math.sin(heading + w * TIME), math.cos(heading + w * TIME)
    if abs(w) < 1e-9:
        s, c = TIME * c0, TIME * s0
        s_by_w, c_by_w = -TIME**2 / 2 * s0, TIME**2 / 2 * c0
    else:
        s, c = (s1 - s0) / w, (c0 - c1) / w
        s_by_w, c_by_w = (TIME * c1 - s) / w, (TIME * s1 - c) / w
    by_state = [[1, 0, -v * c, s, v * s_by_w], [0, 1, v * s, c, v * c_by_w], [0, 0, 1, 0, TIME], [0, 0, 0, 1, 0],
                [0, 0, 0, 0, 1]]
    half = TIME / 2
    by_noise = [[half * s, half * v * s_by_w], [half * c, half * v * c_by_w], [0, half * TIME], [TIME, 0], [0, TIME]]
    disturbance = product(product(by_noise, squares(ACCELERATION, TURN_ACCELERATION)), transposed(by_noise))
    covariance = plus(product(product(by_state, covariance), transposed(by_state)), disturbance)
    return [x + v * s, y + v * c, heading + w * TIME, v, w], covariance


def update(mean, covariance, seen):
    x, y = mean[:2]
    r2 = x * x + y * y
    r = math.sqrt(r2)
    h = [[x / r, y / r, 0, 0, 0], [-y / r2, x / r2, 0, 0, 0]]
    innovation = [seen[0] - r, math.remainder(seen[1] - math.atan2(y, x), 2 * math.pi)]
    crossed = product(covariance, transposed(h))
    (a, b), (_, d) = plus(product(h, crossed), squares(RANGE, BEARING))
    inverse = [[d / (a * d - b * b), -b / (a * d - b * b)], [-b / (a * d - b * b), a / (a * d - b * b)]]
    gain = product(crossed, inverse)
    surprise = product(product([innovation], inverse), transposed([innovation]))[0][0]
    mean = [m + g[0] * innovation[0] + g[1] * innovation[1] for m, g in zip(mean, gain)]
    covariance = plus(covariance, [[-x for x in row] for row in product(gain, transposed(crossed))])
    return mean, covariance, surprise


def main():
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([sys.argv[1], "--output", directory], check=True, stdout=subprocess.DEVNULL)
        with open(pathlib.Path(directory) / "history.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    names = ["x", "y", "heading", "speed", "turn"]
    seen = [(float(row["range"]), float(row["bearing"])) for row in rows]
    mean, covariance = start(*seen[:2])
    largest = 0.0
    for row, sighting in zip(rows[2:], seen[2:]):
        mean, covariance, surprise = update(*predict(mean, covariance), sighting)
        for i, name in enumerate(names):
            sd = math.sqrt(covariance[i][i])
            largest = max(largest, abs(float(row[name]) - mean[i]) / sd, abs(float(row["sd_" + name]) - sd) / sd)
        largest = max(largest, abs(float(row["surprise"]) - surprise))
    print(f"{len(rows) - 2} estimates: largest difference {largest:.1e} standard deviations")
    return 0 if len(rows) == 100 and largest <= 1e-7 else 1


sys.exit(main())
