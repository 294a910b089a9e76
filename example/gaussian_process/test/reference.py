#!/usr/bin/env python3
"""reference.py FILE.csv: the same fit by SciPy's Nelder-Mead, with SciPy's multivariate normal density. Wrote the numbers
of CMakeLists.txt, with SciPy 1.17."""

import sys

import numpy as np
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

x, y = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, unpack=True)
mean = y.mean()
squares = np.subtract.outer(x, x) ** 2


def signal(p, squares):
    return np.exp(2 * p[0] - squares / (2 * np.exp(2 * p[1])))


def log_likelihood(p):
    covariance = signal(p, squares) + np.exp(2 * p[2]) * np.eye(len(x))
    return multivariate_normal.logpdf(y - mean, np.zeros(len(x)), covariance)


half = np.log(y.var() / 2) / 2
start = np.array([half, np.log(squares.max() / 100) / 2, half])
fit = minimize(lambda p: -log_likelihood(p), start, method="Nelder-Mead",
               options={"xatol": 1e-9, "fatol": 1e-12, "maxfev": 5000})
p = fit.x
print(f"start {log_likelihood(start):.8f}, maximum {-fit.fun:.8f} at", *(f"{v:.6f}" for v in np.exp(p)))
e = 1e-3 * np.eye(3)
f = log_likelihood
h = [[(f(p + a - b) + f(p - a + b) - f(p + a + b) - f(p - a - b)) / 4e-6 for b in e] for a in e]
print("standard errors", *(f"{v:.4f}" for v in np.exp(p) * np.sqrt(np.diag(np.linalg.inv(h)))))
middle = (x.min() + x.max()) / 2
covariance = signal(p, squares) + np.exp(2 * p[2]) * np.eye(len(x))
c = signal(p, (x - middle) ** 2)
print(f"at {middle:.6g}: {mean + c @ np.linalg.solve(covariance, y - mean):.6f}, "
      f"{np.sqrt(np.exp(2 * p[0]) - c @ np.linalg.solve(covariance, c)):.6f}")
