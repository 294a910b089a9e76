#!/usr/bin/env python3
"""reference.py MESH.msh: energy and force of the clamped plate, stretched by 1.5, by SciPy's root of the
forces, which are from the first Piola-Kirchhoff stress; and of a rectangle of 2 x 1 between sliding grips in closed form.
Wrote the numbers of CMakeLists.txt, with SciPy 1.17."""

import sys

import numpy as np
from scipy.optimize import brentq, root

LAMBDA, MU = 0.3 / (1.3 * 0.4), 1 / 2.6

# Homogeneous: the plate's other stretch, t, leaves no stress on its free sides.
s = 1.5
t = brentq(lambda t: MU * (t - 1 / t) + LAMBDA * np.log(s * t) / t, 0.1, 2, xtol=1e-15)
j = np.log(s * t)
energy = 2 * (MU / 2 * (s * s + t * t - 2 - 2 * j) + LAMBDA / 2 * j * j)
print(f"rectangle: energy {energy:.10g}, force {MU * (s - 1 / s) + LAMBDA * j / s:.10g}, height {t:.9g}")

lines = open(sys.argv[1]).read().splitlines()
n = int(lines[4])
points = np.array([line.split()[1:3] for line in lines[5 : 5 + n]], float)
triangles = np.array([line.split()[-3:] for line in lines[8 + n : -1]], int) - 1
a, b, c = (points[triangles[:, k]] for k in range(3))
edges = np.stack([b - a, c - a], axis=-1)
inverse, area = np.linalg.inv(edges), np.linalg.det(edges) / 2
held = np.abs(np.abs(points[:, 0]) - 1) < 1e-6


def energy_and_forces(x):
    a, b, c = (x[triangles[:, k]] for k in range(3))
    f = np.stack([b - a, c - a], axis=-1) @ inverse
    j = np.linalg.det(f)
    if np.any(j <= 0):
        return np.inf, np.full_like(x, 1e3)
    log_j = np.log(j)
    energy = area * (MU / 2 * (np.sum(f * f, axis=(1, 2)) - 2 - 2 * log_j) + LAMBDA / 2 * log_j**2)
    f_inverse_t = np.linalg.inv(f).transpose(0, 2, 1)
    stress = MU * (f - f_inverse_t) + (LAMBDA * log_j)[:, None, None] * f_inverse_t
    on_corners = area[:, None, None] * stress @ inverse.transpose(0, 2, 1)
    forces = np.zeros_like(x)
    np.add.at(forces, triangles[:, 1], on_corners[:, :, 0])
    np.add.at(forces, triangles[:, 2], on_corners[:, :, 1])
    np.add.at(forces, triangles[:, 0], -on_corners.sum(axis=2))
    return np.sum(energy), forces


def of_free(free):
    x = points * [s, 1]
    x[~held] = free.reshape(-1, 2)
    energy, forces = energy_and_forces(x)
    return energy, forces[~held].ravel(), forces[points[:, 0] > 1 - 1e-6, 0].sum()


start = (points * [s, 1])[~held].ravel()
fit = root(lambda x: of_free(x)[1], start, method="hybr", options={"xtol": 1e-13, "maxfev": 100000, "factor": 0.1})
print(f"hole: energy {of_free(start)[0]:.10g}, least {of_free(fit.x)[0]:.10g}, force {of_free(fit.x)[2]:.10g}, "
      f"largest force {np.abs(fit.fun).max():.1e}")
