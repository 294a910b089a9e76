#!/usr/bin/env python3
"""What the fits of a file converge to, by SciPy's BFGS on formulas of its own: reference.py DATA.csv"""

import sys

import numpy
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

rows = numpy.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
x = numpy.column_stack([rows[:, :-1], numpy.ones(len(rows))])
labels = rows[:, -1]


def loss(w):
    z = x @ w
    return numpy.mean(numpy.logaddexp(0, z) - labels * z), x.T @ (expit(z) - labels) / len(rows)


def minus_log_likelihood(p):
    logit, mean1, mean2, log_sd1, log_sd2 = p
    joint = [
        -numpy.logaddexp(0, sign * logit) - log_sd - 0.5 * ((rows[:, 0] - mean) / numpy.exp(log_sd)) ** 2
        for sign, mean, log_sd in ((-1, mean1, log_sd1), (1, mean2, log_sd2))
    ]
    return -numpy.mean(logsumexp(joint, axis=0))


logistic = minimize(loss, numpy.zeros(x.shape[1]), jac=True, method="BFGS", options={"gtol": 1e-10})
print("logistic", *(f"{v:.9f}" for v in (logistic.fun, *logistic.x)))
mixture = minimize(minus_log_likelihood, [0, -1, 1, 0, 0], method="BFGS", options={"gtol": 1e-9})
print("mixture", *(f"{v:.9f}" for v in (-mixture.fun, *mixture.x)))
