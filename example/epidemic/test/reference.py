"""The fit of ../data/outbreak.csv by other means: SciPy's DOP853 in place of the Runge-Kutta steps, its minimiser
without derivatives, and the Hessian by differences. Prints what CMakeLists.txt expects; needs NumPy and SciPy."""
import csv
import pathlib

import numpy
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize

population = 12000
path = pathlib.Path(__file__).parent / "../data/outbreak.csv"
with open(path, newline="") as file:
    cases = numpy.array([float(row["cases"]) for row in csv.DictReader(file)])


def surprise(p):
    infection, recovery, start = numpy.exp(p)
    days = numpy.arange(len(cases) + 1.0)
    solution = solve_ivp(lambda t, y: (-infection * y[0] * y[1], infection * y[0] * y[1] - recovery * y[1]),
                         (0, days[-1]), (1 - start, start), "DOP853", days, rtol=1e-12, atol=1e-14)
    expected = -population * numpy.diff(solution.y[0])
    return numpy.sum(expected - cases * numpy.log(expected))


p = numpy.log([0.4, 0.25, 5e-4])
for _ in range(3):
    p = minimize(surprise, p, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-10, "maxiter": 5000}).x
h = 2e-3
hessian = numpy.empty((3, 3))
for i in range(3):
    for j in range(3):
        a, b = h * numpy.eye(3)[i], h * numpy.eye(3)[j]
        hessian[i, j] = (surprise(p + a + b) - surprise(p + a - b) - surprise(p - a + b) + surprise(p - a - b)) / (4 * h * h)
covariance = numpy.linalg.inv(hessian)
r0 = numpy.exp(p[0] - p[1])
size = brentq(lambda z: z - 1 + numpy.exp(-r0 * z), 0.1, 1)
print("log-likelihood", -surprise(p))
print("rates, start", numpy.exp(p), "+-", numpy.exp(p) * numpy.sqrt(numpy.diag(covariance)))
g = r0 * numpy.array([1, -1, 0])
deviation = numpy.sqrt(g @ covariance @ g)
print("R0", r0, "+-", deviation)
print("final size", size, "+-", deviation * size * (1 - size) / (1 - r0 * (1 - size)))
