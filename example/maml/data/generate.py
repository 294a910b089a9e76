#!/usr/bin/env python3
"""Writes tasks.txt and start.txt, and to ../test/expected.txt what JAX computes of them."""

import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.path.append(str(here.parents[1] / "common"))

from jax_reference import jax, jnp, np, write_tensors, write_training

count, points, units, inner_rate = 8, 10, 10, 0.1


def error(network, x, y):
    first = jnp.tanh(jnp.outer(x, network["input"]) + network["input_bias"])
    second = jnp.tanh(first @ network["hidden"] + network["hidden_bias"])
    return jnp.mean((second @ network["output"] - y) ** 2)


def adapted_error(network, x, y, new_x, new_y):
    slope = jax.grad(error)(network, x, y)
    return error(jax.tree.map(lambda w, dw: w - inner_rate * dw, network, slope), new_x, new_y)


def loss(network, tasks):
    return jax.vmap(adapted_error, in_axes=(None, 0, 0, 0, 0))(network, *tasks).mean()


# Sine curves as in the paper, of amplitudes and phases that are not known to the network.
random = np.random.default_rng(22)
amplitude, phase = random.uniform(0.1, 5, (count, 1)), random.uniform(0, np.pi, (count, 1))
x, new_x = (random.uniform(-5, 5, (count, points)).round(3) for _ in range(2))
tasks = {"x": x, "y": amplitude * np.sin(x - phase), "new_x": new_x, "new_y": amplitude * np.sin(new_x - phase)}
network = {
    "input": random.standard_normal(units),
    "input_bias": random.standard_normal(units),
    "hidden": random.standard_normal((units, units)) / np.sqrt(units),
    "hidden_bias": np.zeros(units),
    "output": random.standard_normal(units) / np.sqrt(units),
}
write_tensors(here / "tasks.txt", tasks, digits=3)
write_tensors(here / "start.txt", network, digits=3)
write_training(here.parent / "test" / "expected.txt", loss, network, (tuple(tasks.values()),), rate=0.01,
               steps={0, 1, 50, 100, 150, 200})
