#!/usr/bin/env python3
"""Writes paths.txt and start.txt, and to ../test/expected.txt what JAX computes of them."""

import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.path.append(str(here.parents[1] / "common"))

from jax_reference import jax, jnp, np, write_tensors, write_training

count, times, units, interval, steps_between = 5, 12, 10, 0.25, 4


def runge_kutta(field, y, h):
    k1 = field(y)
    k2 = field(y + h / 2 * k1)
    k3 = field(y + h / 2 * k2)
    k4 = field(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def between(field, y):
    h = interval / steps_between
    return jax.lax.fori_loop(0, steps_between, lambda _, y: runge_kutta(field, y, h), y)


def loss(network, start, seen):
    def field(y):
        return jnp.tanh(y @ network["input"] + network["bias"]) @ network["output"]

    def flow(y, where_seen):
        y = between(field, y)
        return y, jnp.mean((y - where_seen) ** 2)

    return jax.lax.scan(flow, start, seen)[1].mean()


# Damped pendulums: angles and their velocities.
random = np.random.default_rng(22)
start = random.uniform(-2, 2, (count, 2)).round(3)
y, seen = start, []
for _ in range(times):
    y = between(lambda y: jnp.stack([y[:, 1], -2 * jnp.sin(y[:, 0]) - 0.3 * y[:, 1]], 1), y)
    seen.append(y)
paths = {"start": start, "seen": np.stack(seen)}
network = {
    "input": random.standard_normal((2, units)) / np.sqrt(2),
    "bias": 0.3 * random.standard_normal(units),
    "output": 0.3 * random.standard_normal((units, 2)),
}
write_tensors(here / "paths.txt", paths, digits=4)
write_tensors(here / "start.txt", network, digits=3)
write_training(here.parent / "test" / "expected.txt", loss, network, tuple(paths.values()), rate=0.02,
               steps={0, 1, 50, 100, 150, 200})
