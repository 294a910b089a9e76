#!/usr/bin/env python3
"""reference.py: writes ../data/sequences.txt, and sequences.expected, what JAX finds for it."""

import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "common"))

import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import train, write_tensors

count, tokens, features, hidden = 24, 6, 4, 8
random = np.random.default_rng(1)
x = np.round(random.normal(size=(count, tokens, features)), 2)
# The first feature says which token counts, and the second one of that token is what it says.
label = np.sign(x[np.arange(count), np.argmax(x[:, :, 0], axis=1), 1])


def weights(*shape):
    return np.round(random.normal(size=shape) / np.sqrt(shape[0]), 2)


start = {name: weights(features, features) for name in ("query", "key", "value", "output")} | {
    "scale": np.ones((2, features)),
    "shift": np.round(0.1 * random.normal(size=(2, features)), 2),
    "w1": weights(features, hidden),
    "b1": np.zeros(hidden),
    "w2": weights(hidden, features),
    "b2": np.zeros(features),
    "readout": weights(features),
}
write_tensors(here.parent / "data/sequences.txt", {"tokens": x, "label": label} | start)


def layer_norm(x, scale, shift):
    centred = x - jnp.mean(x, axis=-1, keepdims=True)
    return scale * centred / jnp.sqrt(jnp.mean(centred**2, axis=-1, keepdims=True) + 1e-5) + shift


def score(x, p):
    n = layer_norm(x, p["scale"][0], p["shift"][0])
    similarity = (n @ p["query"]) @ (n @ p["key"]).T
    seen = x + jax.nn.softmax(similarity / 2) @ (n @ p["value"]) @ p["output"]
    m = layer_norm(seen, p["scale"][1], p["shift"][1])
    return jnp.mean(seen + jnp.tanh(m @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], axis=0) @ p["readout"]


def loss(p):
    scores, slopes = jax.vmap(jax.value_and_grad(score), (0, None))(x, p)
    norms = jnp.sqrt(jnp.sum(slopes**2, axis=(1, 2)))
    return jnp.mean(jax.nn.softplus(-label * scores)) + 0.1 * jnp.mean(norms)


_, text = train(loss, {k: jnp.array(v) for k, v in start.items()}, 0.01, 100, (0, 1, 100))
(here / "sequences.expected").write_text(text)
