#!/usr/bin/env python3
"""reference.py FILE.csv: Laplace's approximation maximised by SciPy, and means and standard deviations of the posterior by
quadrature over the parameters and over each group's u. Wrote the numbers of CMakeLists.txt, with SciPy 1.17."""

import csv
import itertools
import sys

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

rows = list(csv.reader(open(sys.argv[1])))[1:]
x = np.array([[1.0] + [float(v) for v in row[:-2]] for row in rows])
y = np.array([float(row[-2]) for row in rows])
names = sorted({row[-1] for row in rows})
group = np.array([names.index(row[-1]) for row in rows])


def by_group(values):
    return np.bincount(group, values, len(names))


def log_density(linear):
    return y * linear - np.logaddexp(0, linear)


def laplace(p):
    sigma, u = np.exp(p[-1]), np.zeros(len(names))
    for _ in range(50):
        probability = expit(x @ p[:-1] + sigma * u[group])
        curvature = by_group(sigma**2 * probability * (1 - probability)) + 1
        u += (by_group(sigma * (y - probability)) - u) / curvature
    probability = expit(x @ p[:-1] + sigma * u[group])
    curvature = by_group(sigma**2 * probability * (1 - probability)) + 1
    return np.sum(by_group(log_density(x @ p[:-1] + sigma * u[group])) - u * u / 2 - np.log(curvature) / 2)


start = np.zeros(x.shape[1] + 1)
fit = minimize(lambda p: -laplace(p), start, method="Nelder-Mead",
               options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 10000, "maxfev": 10000})
print(f"start {laplace(start):.8f}, maximum {-fit.fun:.8f} at", *(f"{v:.6f}" for v in fit.x))


def hessian(f, p, h=1e-3):
    e = np.eye(len(p)) * h
    return np.array([[(f(p + a + b) - f(p + a - b) - f(p - a + b) + f(p - a - b)) / (4 * h * h) for b in e] for a in e])


covariance = np.linalg.inv(-hessian(laplace, fit.x))
print("standard errors", *(f"{v:.4f}" for v in np.sqrt(np.diag(covariance))))

nodes, weights = np.polynomial.hermite_e.hermegauss(40)
weights = weights / weights.sum()


def log_posterior(p):
    linear = (x @ p[:-1])[:, None] + np.exp(p[-1]) * nodes
    density = y[:, None] * linear - np.logaddexp(0, linear)
    sums = np.zeros((len(names), len(nodes)))
    np.add.at(sums, group, density)
    return np.sum(logsumexp(sums, b=weights, axis=1)) - np.sum(p * p) / (2 * 3.0**2)


outer, outer_weights = np.polynomial.hermite_e.hermegauss(7)
root = np.linalg.cholesky(1.3 * covariance)
points, logs = [], []
for index in itertools.product(range(7), repeat=len(fit.x)):
    z = outer[list(index)]
    points.append(fit.x + root @ z)
    logs.append(log_posterior(points[-1]) + z @ z / 2 + np.log(outer_weights[list(index)]).sum())
points, weight = np.array(points), np.exp(logs - logsumexp(logs))
mean = weight @ points
print("posterior means", *(f"{v:.4f}" for v in mean))
print("standard deviations", *(f"{v:.4f}" for v in np.sqrt(weight @ (points - mean) ** 2)))
