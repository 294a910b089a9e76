"""Runs a tool for GradBench (github.com/gradbench/gradbench).

  check.py TOOL
      sends it small problems whose outputs are computed here in another way, and fails where one is off by more than
      1e-8. Where nothing else is known, expected derivatives are central differences of order 4.

  check.py TOOL --gradbench FOLDER EVAL [OPTION]...
      lets GradBench's own eval send its problems and judge the outputs. FOLDER is a checkout in which the golden tool is
      built, by `make -C tools/manual bin/EVAL`; the Python that runs this has numpy, scipy and pydantic. TOOL is any
      command, and "python -m gradbench.cpp NAME" is one of GradBench's own tools in C++. Times are
      medians, those of the first function of each size beside the others.
"""

import argparse
import itertools
import json
import math
import os
import random
import shlex
import statistics
import subprocess
import sys
from fractions import Fraction


class Tool:
    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)

    def answer(self, line):
        self.process.stdin.write(line.strip() + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"the tool ended at {line[:200]}")
        return answer

    def ask(self, **message):
        answer = json.loads(self.answer(json.dumps(message)))
        assert answer["id"] == message["id"], answer
        return answer


def seconds(answer):
    times = [t["nanoseconds"] for t in answer.get("timings") or [] if t["name"] == "evaluate"]
    return statistics.median(times) / 1e9 if times else math.nan


def slopes(f, x):
    """The rows of the Jacobian of a function that returns a list."""
    h = 1e-3

    def at(i, step):
        return f(x[:i] + [x[i] + step] + x[i + 1 :])

    columns = [
        [(8 * (a - b) - c + d) / (12 * h) for a, b, c, d in zip(at(i, h), at(i, -h), at(i, 2 * h), at(i, -2 * h))]
        for i in range(len(x))
    ]
    return [list(row) for row in zip(*columns)]


def differences(f, x):
    return slopes(lambda x: [f(x)], x)[0]


def numbers(value):
    """All numbers of an output, objects by their keys."""
    if isinstance(value, dict):
        return [n for key in sorted(value) for n in numbers(value[key])]
    if isinstance(value, list):
        return [n for part in value for n in numbers(part)]
    return [value]


def error(found, expected):
    found, expected = numbers(found), numbers(expected)
    if len(found) != len(expected):
        return math.inf
    errors = [abs(f - e) / max(1, abs(e)) for f, e in zip(found, expected)]
    return max(errors) if all(map(math.isfinite, errors)) else math.inf


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def split(flat, count):
    """Into that many rows."""
    columns = len(flat) // count
    return [flat[i * columns : (i + 1) * columns] for i in range(count)]


def descend(f, slope, x):
    """GradBench's descent along the slope, with steps that grow after ten of them and shrink where f does not fall."""
    rate, moves = 1e-5, 0
    while math.hypot(*(g := slope(x))) > 1e-5:
        if moves == 10:
            rate, moves = 2 * rate, 0
            continue
        trial = [v - rate * d for v, d in zip(x, g)]
        if math.dist(x, trial) <= 1e-5:
            break
        lower = f(trial) < f(x)
        x, rate, moves = (trial, rate, moves + 1) if lower else (x, rate / 2, 0)
    return x


def determinant(a):
    """By elimination with pivots."""
    a, result = [row[:] for row in a], 1
    for i in range(len(a)):
        pivot = max(range(i, len(a)), key=lambda k: abs(a[k][i]))
        if pivot != i:
            a[i], a[pivot], result = a[pivot], a[i], -result
        result *= a[i][i]
        for k in range(i + 1, len(a)):
            factor = a[k][i] / a[i][i]
            a[k] = [x - factor * y for x, y in zip(a[k], a[i])]
    return result


# Each function yields problems: what it is, the function of the values and that of the derivatives, the input, and the
# two outputs.


def hello(draw):
    yield "1 number", "square", "double", 1.75, 1.75**2, 2 * 1.75


def lse(draw):
    for n, scale in (1, 1), (7, 3), (1000, 400):
        x = [scale * draw() for _ in range(n)]
        total = math.fsum(math.exp(v - x[0]) for v in x)
        yield f"{n} numbers", "primal", "gradient", {"x": x}, x[0] + math.log(total), [
            math.exp(v - x[0]) / total for v in x
        ]


def kmeans(draw):
    for n, k, d in (20, 3, 2), (100, 4, 5):
        points = [[draw() for _ in range(d)] for _ in range(n)]
        centroids = [[v + 0.01 for v in p] for p in points[-k:]]
        nearest = [min(range(k), key=lambda j: math.dist(p, centroids[j])) for p in points]
        cost = sum(math.dist(p, centroids[j]) ** 2 for p, j in zip(points, nearest))
        clusters = [[p for p, m in zip(points, nearest) if m == j] for j in range(k)]
        # Newton's step leads to the mean of the points.
        steps = [[c - sum(p[i] for p in ps) / len(ps) for i, c in enumerate(at)] for at, ps in zip(centroids, clusters)]
        yield f"{n} points, {k} centroids in {d}D", "cost", "dir", {"points": points, "centroids": centroids}, cost, steps


def gmm(draw):
    def density(p, sizes, x, m, gamma):
        """The posterior density, from those of the distributions."""
        k, d = sizes[0], len(x[0])
        alpha, mu, q, below = p[:k], *(split(p[a:b], k) for a, b in itertools.pairwise(itertools.accumulate(sizes)))
        weights = [math.exp(a) / sum(map(math.exp, alpha)) for a in alpha]
        precisions = []
        for j in range(k):
            rest = iter(below[j])
            columns = [[0.0] * i + [math.exp(q[j][i])] + [next(rest) for _ in range(i + 1, d)] for i in range(d)]
            precisions.append([[dot(a, b) for b in columns] for a in columns])
        result = 1
        for point in x:
            total = 0
            for weight, mean, precision in zip(weights, mu, precisions):
                off = [a - b for a, b in zip(point, mean)]
                square = dot(off, [dot(row, off) for row in precision])
                total += weight * math.exp(-square / 2) * math.sqrt(determinant(precision) / (2 * math.pi) ** d)
            result *= total
        freedom = d + m + 1
        gammas = math.pi ** (d * (d - 1) / 4) * math.prod(math.gamma((freedom - i) / 2) for i in range(d))
        for precision in precisions:
            trace = gamma**2 * sum(precision[i][i] for i in range(d))
            result *= determinant(precision) ** (m / 2) * math.exp(-trace / 2)
            result /= 2 ** (freedom * d / 2) * gamma ** (-freedom * d) * gammas
        return math.log(result)

    for n, k, d, m, gamma in (5, 2, 3, 0, 1.0), (4, 3, 2, 2, 0.8), (3, 2, 1, 1, 1.5):
        sizes = [k, k * d, k * d, k * d * (d - 1) // 2]
        x = [[draw() for _ in range(d)] for _ in range(n)]
        p = [draw() for _ in range(sum(sizes))]
        g = differences(lambda p: density(p, sizes, x, m, gamma), p)

        def parts(v):
            v = iter(v)
            alpha, *rest = ([next(v) for _ in range(size)] for size in sizes)
            return {"alpha": alpha} | {name: split(part, k) for name, part in zip(["mu", "q", "l"], rest)}

        problem = {"d": d, "k": k, "n": n, "x": x, "m": m, "gamma": gamma} | parts(p)
        yield f"{n} points, {k} components in {d}D", "objective", "jacobian", problem, density(
            p, sizes, x, m, gamma
        ), parts(g)


def ba(draw):
    def residual(p, feature):
        """The rotation by a quaternion."""
        angle = math.hypot(*p[:3])
        w, axis = math.cos(angle / 2), [r / angle * math.sin(angle / 2) for r in p[:3]]
        v = [p[11 + i] - p[3 + i] for i in range(3)]

        def cross(a, b):
            return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

        twice = [2 * c for c in cross(axis, v)]
        x, y, z = (a + w * b + c for a, b, c in zip(v, twice, cross(axis, twice)))
        x, y = x / z, y / z
        square = x**2 + y**2
        distorted = 1 + p[9] * square + p[10] * square**2
        return [p[14] * (p[6] * distorted * c + p[7 + i] - feature[i]) for i, c in enumerate([x, y])]

    for n, m, p in (2, 5, 10), (3, 4, 17):
        cam = [0.3 * draw() for _ in range(3)] + [draw(), draw(), -3, 2 + draw(), draw(), draw(), 0.1 * draw(), 0.01]
        x, w, feat = [draw(), draw(), draw()], 0.5 + draw(), [draw(), draw()]
        both = cam + x + [w]
        errors = {"elements": residual(both, feat), "repeated": p}
        blocks = slopes(lambda v: residual(v, feat), both)
        of_rest = [11 * n + i for i in range(3)] + [11 * n + 3 * m]
        columns = 2 * (list(range(11)) + of_rest)
        yield f"{n} cameras, {m} points, {p} observations", "objective", "jacobian", {
            "n": n, "m": m, "p": p, "cam": cam, "x": x, "w": w, "feat": feat
        }, {"reproj_error": errors, "w_err": {"element": 1 - w * w, "repeated": p}}, {
            "vals": blocks[0] + blocks[1] + [-2 * w],
            "rows": [min(15 * i, 30 * p + max(0, i - 2 * p)) for i in range(30)][: 3 * p] + [31 * p],
            "cols": columns + [11 * n + 3 * m + p - 1],
        }  # fmt: skip


def ht(draw):
    parents = [-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 0, 17, 18, 19, 0]

    def product(a, b):
        return [[dot(row, column) for column in zip(*b)] for row in a]

    def plus(a, b):
        return [[x + y for x, y in zip(*rows)] for rows in zip(a, b)]

    def unit(n):
        return [[float(i == j) for j in range(n)] for i in range(n)]

    def about(axis, angle):
        turn, i, j = unit(4), (axis + 1) % 3, (axis + 2) % 3
        turn[i][i] = turn[j][j] = math.cos(angle)
        turn[i][j], turn[j][i] = -math.sin(angle), math.sin(angle)
        return turn

    def rotation(x, y, z):
        """The exponential series."""
        term = total = unit(3)
        for n in range(1, 40):
            term = product(term, [[0, -z / n, y / n], [z / n, 0, -x / n], [-y / n, x / n, 0]])
            total = plus(total, term)
        return total

    def residuals(p, model, data, us):
        """The first two of p are added to each pair of us."""
        shift, turn, to, bends = p[:2], rotation(*p[2:5]), p[5:8], p[8:]
        bones = []
        for bone, parent in enumerate(parents):
            finger, place = divmod(bone - 1, 4)
            x = bends[4 * finger + (0, 0, 2, 3)[place]] if 0 <= finger < 5 and place > 0 else 0
            z = bends[4 * finger + 1] if 0 <= finger < 5 and place == 1 else 0
            own = product(model["base_relatives"][bone], product(about(2, z), about(0, x)))
            bones.append(own if parent < 0 else product(bones[parent], own))
        moves = [product(*pair) for pair in zip(bones, model["inverse_base_absolutes"])]
        vertices = []
        for rest, weights in zip(model["base_positions"], model["weights"]):
            x, y, z = (sum(w * dot(move[i], rest) for w, move in zip(weights, moves)) for i in range(3))
            x = -x if model["is_mirrored"] else x
            vertices.append([dot(row, [x, y, z]) + t for row, t in zip(turn, to)])
        result = []
        for i, (at, point) in enumerate(zip(data["correspondences"], data["points"])):
            place = vertices[at]
            if us:
                u, v = (a + b for a, b in zip(us[i], shift))
                place = [dot([u, v, 1 - u - v], c) for c in zip(*(vertices[k] for k in model["triangles"][at]))]
            result += [a - b for a, b in zip(point, place)]
        return result

    def table(rows, columns):
        return [[2 * draw() - 1 for _ in range(columns)] for _ in range(rows)]

    for what, count, mirrored, turned in ("vertices", 4, False, 1), ("triangles", 5, False, 2), ("mirrored", 3, True, 0):
        model = {
            "bone_count": 22,
            "bone_names": [f"bone {i}" for i in range(22)],
            "parents": parents,
            "base_relatives": [table(3, 4) + [[0.0, 0.0, 0.0, 1.0]] for _ in range(22)],
            "inverse_base_absolutes": [table(3, 4) + [[0.0, 0.0, 0.0, 1.0]] for _ in range(22)],
            "base_positions": [row + [1.0] for row in table(6, 3)],
            "weights": table(6, 22),
            "triangles": [[0, 1, 2], [5, 3, 4], [2, 0, 5], [1, 4, 3], [4, 5, 1]],
            "is_mirrored": mirrored,
        }
        data = {"model": model, "correspondences": [(3 * i + 1) % 5 for i in range(count)], "points": table(count, 3)}
        us = [] if what == "vertices" else table(count, 2)
        theta = [turned * v for v in table(1, 3)[0]] + table(1, 23)[0]
        expected = residuals([0, 0] + theta, model, data, us)
        rows = slopes(lambda p: residuals(p, model, data, us), [0, 0] + theta)
        yield f"{count} points, {what}", "objective", "jacobian", {
            "theta": theta, "data": data, "us": us
        }, expected, rows if us else [row[2:] for row in rows]  # fmt: skip


def lstm(draw):
    def logistic(v):
        return 1 / (1 + math.exp(-v))

    def loss(p, layers, bits, state, text):
        main, ends = split(p[: 8 * layers * bits], 8 * layers), split(p[8 * layers * bits :], 3)
        hidden, cell = [state[2 * i][:] for i in range(layers)], [state[2 * i + 1][:] for i in range(layers)]
        total = 0
        for seen, target in itertools.pairwise(text):
            guess = []
            for b in range(bits):  # cells of different bits share nothing
                x = seen[b] * ends[0][b]
                for i in range(layers):
                    w = [row[b] for row in main[8 * i : 8 * i + 8]]
                    change = math.tanh(w[3] * hidden[i][b] + w[7]) * logistic(w[1] * hidden[i][b] + w[5])
                    cell[i][b] = cell[i][b] * logistic(w[0] * x + w[4]) + change
                    x = hidden[i][b] = logistic(w[2] * x + w[6]) * math.tanh(cell[i][b])
                guess.append(x * ends[1][b] + ends[2][b])
            total += dot(target, guess) - sum(target) * math.log(2 + sum(map(math.exp, guess)))
        return -total / (bits * (len(text) - 1))

    for layers, bits, length in (1, 3, 4), (2, 4, 6):
        p = [draw() for _ in range((8 * layers + 3) * bits)]
        state = [[draw() for _ in range(bits)] for _ in range(2 * layers)]
        text = [[float(draw() > 0.5) for _ in range(bits)] for _ in range(length)]
        yield f"{layers} layers of {bits}, {length} characters", "objective", "jacobian", {
            "main_params": split(p[: 8 * layers * bits], 2 * layers),
            "extra_params": split(p[8 * layers * bits :], 3),
            "state": state,
            "sequence": text,
        }, loss(p, layers, bits, state, text), differences(lambda p: loss(p, layers, bits, state, text), p)


def llsq(draw):
    for n, m in (5, 3), (40, 6):
        x = [draw() for _ in range(m)]
        t = [2 * i / (n - 1) - 1 for i in range(n)]
        misses = [(v > 0) - (v < 0) - sum(c * v**j for j, c in enumerate(x)) for v in t]
        yield f"{n} points, {m} coefficients", "primal", "gradient", {"x": x, "n": n}, sum(
            r * r for r in misses
        ) / 2, [-sum(r * v**j for r, v in zip(misses, t)) for j in range(m)]


def ode(draw):
    for n, s in (3, 1), (6, 4), (12, 10):
        x = [1 + draw() for _ in range(n)]
        # A step multiplies by 1 + z + ... + z^4 / 24, where z moves y_i to y_(i+1) and multiplies by h x_(i+1).
        step, powers = [Fraction(1, math.factorial(i)) for i in range(5)], [Fraction(1)]
        for _ in range(s):
            longer = [Fraction(0)] * (len(powers) + 4)
            for (i, a), (j, b) in itertools.product(enumerate(powers), enumerate(step)):
                longer[i + j] += a * b
            powers = longer
        powers += [Fraction(0)] * n
        y = [float(powers[i + 1]) * (2 / s) ** (i + 1) * math.prod(x[: i + 1]) for i in range(n)]
        yield f"{n} equations, {s} steps", "primal", "gradient", {"x": x, "s": s}, y, [y[-1] / v for v in x]


def det(draw):
    for n in 1, 2, 5, 7:
        a = [[draw() for _ in range(n)] for _ in range(n)]
        cofactors = []
        for i, j in itertools.product(range(n), range(n)):
            cofactors.append(determinant(a[:i] + [[float(k == j) for k in range(n)]] + a[i + 1 :]))
        yield f"{n} x {n}", "primal", "gradient", {"A": sum(a, []), "ell": n}, determinant(a), cofactors


def particle(draw):
    """The slope by differences: the path is smooth between its ends."""

    def miss(w):
        x, y, u, v = 0.0, 8.0, 0.75, 0.0
        while True:
            ax = ay = 0.0
            for charge in 0.0, 10 - w[0]:
                cubed = math.hypot(x - 10, y - charge) ** 3
                ax, ay = ax + (x - 10) / cubed, ay + (y - charge) / cubed
            if y + v / 10 < 0:
                return (x - y / v * u) ** 2
            x, y, u, v = x + u / 10, y + v / 10, u + ax / 10, v + ay / 10

    start = 0.1 * draw()
    end = descend(miss, lambda w: differences(miss, w), [start])
    for modes in ("ff", "fr"), ("rf", "rr"):
        yield "2 charges", *modes, {"w": start}, *end, *end


def saddle(draw):
    start = [draw(), 1 + draw()]
    # For either, the other only adds a constant, so both take the same way.
    end = descend(lambda x: dot(x, x), lambda x: [2 * v for v in x], start)
    for modes in ("ff", "fr"), ("rf", "rr"):
        yield "argmin of max", *modes, {"start": start}, end + end, end + end


evals = [hello, lse, llsq, gmm, kmeans, ba, ht, lstm, ode, det, particle, saddle]


def print_row(name, function, size, off, primal, derivative):
    ratio = f"{derivative / primal:8.2f}" if primal > 0 else ""
    print(f"{name:9}{function:10}{size:38}{off:>9}{1e6 * primal:12.1f}{1e6 * derivative:12.1f}{ratio}", flush=True)


def print_heading():
    print(f"{'':57}{'error':>9}{'primal/us':>12}{'deriv./us':>12}   ratio")


def check(command):
    tool, failures, ids = Tool(command), 0, itertools.count()
    assert tool.ask(id=next(ids), kind="start")["tool"] == "tapeless"
    assert not tool.ask(id=next(ids), kind="define", module="no such module")["success"]
    assert not tool.ask(id=next(ids), kind="evaluate", module="lse", function="primal", input={})["success"]
    print_heading()
    for problems in evals:
        name = problems.__name__
        assert tool.ask(id=next(ids), kind="define", module=name)["success"]
        for size, primal, derivative, problem, *expected in problems(random.Random(name).random):
            if isinstance(problem, dict):
                problem |= {"min_runs": 1, "min_seconds": 0}
            answers = [
                tool.ask(id=next(ids), kind="evaluate", module=name, function=function, input=problem)
                for function in (primal, derivative)
            ]
            off = max(error(a.get("output", []), e) for a, e in zip(answers, expected))
            print_row(name, derivative, size, f"{off:.1e}", *map(seconds, answers))
            for answer in answers:
                if not answer["success"]:
                    print("   ", answer["error"])
            failures += not off < 1e-8
    print(f"{failures} are off")
    return failures > 0


def run(command, folder, name, options):
    python = {"cwd": folder, "env": os.environ | {"PYTHONPATH": "python/gradbench"}}
    script = [sys.executable, f"python/gradbench/gradbench/evals/{name}/run.py", *options]
    eval_ = subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **python)
    tool, failures, asked, first = Tool(command, **python), 0, {}, {}
    print_heading()
    for line in eval_.stdout:
        message, answer = json.loads(line), tool.answer(line)
        if message["kind"] == "evaluate":
            asked, result = message, json.loads(answer)
            size, time = message.get("description", ""), seconds(result)
            first = first if first.get("size") == size else {"size": size, "time": time}
            failures += not result["success"]
            if not result["success"]:
                print(name, message["function"], size, result["error"])
        elif message["kind"] == "analysis":
            verdict = "valid" if message["valid"] else "INVALID"
            print_row(name, asked["function"], size, verdict, first["time"], time)
            failures += not message["valid"]
            print(end=message.get("error", ""))
        eval_.stdin.write(answer)
        eval_.stdin.flush()
    print(f"{failures} are off")
    return failures > 0 or eval_.wait() != 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--gradbench", nargs=2, metavar=("FOLDER", "EVAL"))
    arguments, options = parser.parse_known_args()
    command = shlex.split(arguments.tool)
    if arguments.gradbench:
        sys.exit(run(command, *arguments.gradbench, options))
    sys.exit(check(command))
