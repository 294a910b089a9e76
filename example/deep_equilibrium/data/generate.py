#!/usr/bin/env python3
"""Writes points.txt and start.txt, and to ../test/expected.txt what JAX computes of them."""

import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.path.append(str(here.parents[1] / "common"))

from jax_reference import jax, jnp, np, write_tensors, write_training

count, units, iterations = 40, 8, 400


def layer(z, state, from_input):
    return jnp.tanh(z @ state + from_input)


@jax.custom_vjp
def equilibrium(state, from_input):
    return jax.lax.fori_loop(0, iterations, lambda _, z: layer(z, state, from_input), jnp.zeros_like(from_input))


def forward(state, from_input):
    z = equilibrium(state, from_input)
    return z, (z, state, from_input)


def backward(known, adjoint):
    """By the implicit function theorem, with the linear system of each point solved directly."""
    z, state, from_input = known
    slopes = jax.vmap(jax.jacobian(layer), in_axes=(0, None, 0))(z, state, from_input)
    solved = jax.vmap(lambda j, a: jnp.linalg.solve((jnp.eye(units) - j).T, a))(slopes, adjoint)
    return jax.vjp(lambda s, f: layer(z, s, f), state, from_input)[1](solved)


equilibrium.defvjp(forward, backward)


def loss(network, x, label):
    logit = equilibrium(network["state"], x @ network["input"] + network["bias"]) @ network["output"]
    return jnp.mean(jax.nn.softplus(logit) - label * logit) + 0.1 * jnp.sum(network["state"] ** 2)


# Two half moons.
random = np.random.default_rng(22)
label = np.arange(count) % 2
angle = np.pi * random.uniform(0, 1, count)
moon = np.stack([np.cos(angle), np.sin(angle)], 1)
x = np.where(label[:, None], [1, 0.5] - moon, moon)
points = {"x": x + 0.1 * random.standard_normal(x.shape), "label": label}
network = {
    "input": random.standard_normal((2, units)),
    "bias": 0.5 * random.standard_normal(units),
    "state": 0.5 * random.standard_normal((units, units)) / np.sqrt(units),
    "output": random.standard_normal(units) / np.sqrt(units),
}
write_tensors(here / "points.txt", points, digits=3)
write_tensors(here / "start.txt", network, digits=3)
write_training(here.parent / "test" / "expected.txt", loss, network, tuple(points.values()), rate=0.02,
               steps={0, 1, 25, 50, 75, 100})
