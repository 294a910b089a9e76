#!/usr/bin/env python3
"""reference.py BONDS.csv: the same calibration by SciPy's least_squares (MINPACK), with differences for derivatives, from
random starts. Wrote the numbers of CMakeLists.txt, with SciPy 1.17."""

import sys

import numpy as np
from scipy.optimize import least_squares

bonds = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)


def rate(p, t):
    x, x2 = t / p[4], t / p[5]
    h, h2 = (1 - np.exp(-x)) / x, (1 - np.exp(-x2)) / x2
    return p[0] + p[1] * h + p[2] * (h - np.exp(-x)) + p[3] * (h2 - np.exp(-x2))


def residuals(p):
    result = []
    for maturity, coupon, price in bonds:
        times = np.arange(maturity, 0, -1.0)
        discounts = np.exp(-rate(p, times) * times / 100)
        result.append((coupon * discounts.sum() + 100 * discounts[0] - price) / maturity)
    return np.array(result)


random = np.random.default_rng(1)
fits = []
for _ in range(20):
    start = np.array([4, -1, 0, 0, *random.uniform(0.5, 12, 2)])
    try:
        fits.append(least_squares(residuals, start, method="lm", x_scale=[1, 1, 1, 1, 2, 5], xtol=1e-14, ftol=1e-15))
    except ValueError:  # a time that is not positive
        pass
fit = min(fits, key=lambda f: f.cost)
print(f"half the sum of squares {fit.cost:.10g}", *(f"{x:.6f}" for x in fit.x))
print("rates", *(f"{rate(fit.x, t):.6f}" for t in [1.0, 2.0, 5.0, 10.0, 20.0, 30.0]))
covariance = 2 * fit.cost / (len(bonds) - 6) * np.linalg.inv(fit.jac.T @ fit.jac)
print("standard errors", *(f"{x:.4f}" for x in np.sqrt(np.diag(covariance))))
