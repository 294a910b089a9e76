#!/usr/bin/env python3
"""Writes start.txt, and to ../test/expected.txt what JAX computes of it."""

import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.path.append(str(here.parents[1] / "common"))

from jax_reference import jax, jnp, np, write_tensors, write_training

streams, window_length, units = 4, 16, 12
text = (here / "text.txt").read_text()
known = sorted(set(text))
numbers = np.array([known.index(c) for c in text])
windows = (len(text) - 1) // (streams * window_length)


def arranged(begin):
    used = numbers[begin:begin + streams * windows * window_length]
    return used.reshape(streams, windows, window_length).transpose(1, 2, 0)


def loss(network, start, text, continuation):
    def step(h, characters):
        now, next = characters
        x_z, x_r, x_c = jnp.split(network["input"][now] + network["bias"], 3, axis=1)
        h_z, h_r = jnp.split(h @ network["gates"], 2, axis=1)
        z, r = jax.nn.sigmoid(x_z + h_z), jax.nn.sigmoid(x_r + h_r)
        h = z * h + (1 - z) * jnp.tanh(x_c + (r * h) @ network["candidate"])
        log_p = jax.nn.log_softmax(h @ network["output"] + network["output_bias"])
        return h, -jnp.take_along_axis(log_p, next[:, None], axis=1).mean()

    def window(h, characters):
        return jax.lax.scan(step, jax.lax.stop_gradient(h), characters)

    return jax.lax.scan(window, start, (text, continuation))[1].mean()


random = np.random.default_rng(22)
network = {
    "input": 0.3 * random.standard_normal((len(known), 3 * units)),
    "gates": 0.3 * random.standard_normal((units, 2 * units)),
    "candidate": 0.3 * random.standard_normal((units, units)),
    "bias": np.zeros(3 * units),
    "output": 0.3 * random.standard_normal((units, len(known))),
    "output_bias": np.zeros(len(known)),
}
write_tensors(here / "start.txt", network, digits=2)
write_training(here.parent / "test" / "expected.txt", loss, network,
               (np.zeros((streams, units)), arranged(0), arranged(1)), rate=0.02, steps={0, 1, 25, 50, 75, 100})
