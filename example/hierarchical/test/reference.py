#!/usr/bin/env python3
"""reference.py: writes ../data/schools.txt, and schools.expected, what JAX finds for it."""

import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "common"))

import jax.numpy as jnp
import numpy as np
from jax.ops import segment_sum
from jax_reference import train, write_tensors

groups, rows = 8, 60
random = np.random.default_rng(1)
# A few rows in one group, many in another.
group = np.sort(np.concatenate([np.arange(groups), random.choice(groups, rows - groups, p=np.arange(1, 9) / 36)]))
x = random.uniform(0, 4, rows) + 0.3 * group
line = np.array([5, -1]) + np.array([2, 0.6]) * random.normal(size=(groups, 2))
y = line[group, 0] + line[group, 1] * (x - 2) + 0.5 * random.normal(size=rows)
x, y = np.round(x, 3), np.round(y, 3)
start = {
    "mean": np.array([1.0, 0.1]),
    "log_sd": np.array([-0.5, -0.2]),
    "log_noise": np.array([0.3]),
    "effects": np.round(0.1 * random.normal(size=(groups, 2)), 3),
}
write_tensors(here.parent / "data/schools.txt", {"y": y, "x": x, "group": group} | start)


def lines(p):
    return p["mean"] + jnp.exp(p["log_sd"]) * p["effects"]


def loss(p):
    mean_of_group = segment_sum(x, group, groups) / segment_sum(jnp.ones(rows), group, groups)
    line = lines(p)[group]
    prediction = line[:, 0] + line[:, 1] * (x - mean_of_group[group])
    z = (y - prediction) / jnp.exp(p["log_noise"])
    priors = jnp.sum((p["mean"] / 10) ** 2) + sum(jnp.sum(p[k] ** 2) for k in ("effects", "log_sd", "log_noise"))
    return jnp.sum(z**2 / 2 + p["log_noise"]) + priors / 2


p, text = train(loss, {k: jnp.array(v) for k, v in start.items()}, 0.02, 300, (0, 1, 300))
for i, (intercept, slope) in enumerate(lines(p)):
    text += f"group {i}: intercept {intercept:.12g}, slope {slope:.12g}\n"
(here / "schools.expected").write_text(text)
