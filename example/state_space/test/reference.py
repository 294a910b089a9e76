#!/usr/bin/env python3
"""reference.py: writes ../data/flight.txt and ../data/trend.txt, and FILE.expected, what JAX finds for them."""

import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "common"))

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_factor, cho_solve
from jax_reference import members, train, write_tensors


def loss(p, y, start, start_covariance, c):
    a = p["transition"]
    process, noise = (jnp.diag(jnp.exp(2 * p[k])) for k in ("log_process", "log_noise"))

    def step(state, seen):
        mean, covariance, total = state
        innovation = seen - c @ mean
        spread = c @ covariance @ c.T + noise
        factor = cho_factor(spread, lower=True)
        gain = cho_solve(factor, c @ covariance).T
        misfit = innovation @ cho_solve(factor, innovation) + 2 * jnp.sum(jnp.log(jnp.diag(factor[0])))
        next_covariance = a @ (covariance - gain @ c @ covariance) @ a.T + process
        return (a @ (mean + gain @ innovation), next_covariance, total + misfit / 2), None

    return jax.lax.scan(step, (start, start_covariance, 0.0), y)[0][2]


def write(name, seed, a, c, process, noise, start, steps, guess):
    random = np.random.default_rng(seed)
    state, y = np.array(start), []
    for _ in range(steps):
        y.append(c @ state + noise * random.normal(size=len(c)))
        state = a @ state + process * random.normal(size=len(a))
    series = {"y": np.round(y, 3), "start": np.array(start, float), "start_covariance": np.eye(len(a)), "observation": c}
    write_tensors(here.parent / f"data/{name}.txt", series | guess)
    guess = {k: jnp.array(v) for k, v in guess.items()}
    p, text = train(lambda p: loss(p, *series.values()), guess, 0.001, 200, (0, 1, 200))
    (here / f"{name}.expected").write_text(text + "fitted\n" + members(guess, p))


# Position and velocity in the plane; the position is seen.
move = np.eye(4) + 0.1 * np.eye(4, k=2)
see = np.eye(2, 4)
guess = {
    "transition": np.round(0.97 * move, 3),
    "log_process": np.array([-2, -2, -1, -1.0]),
    "log_noise": np.array([-1, -1.2]),
}
write("flight", 1, move, see, np.array([0.05, 0.05, 0.2, 0.2]), 0.3, [0, 0, 1, 0.5], 50, guess)

# One number that decays to another, which wanders.
decay = np.array([[0.8, 0.2], [0, 1]])
guess = {
    "transition": np.array([[0.7, 0.3], [0.1, 0.9]]),
    "log_process": np.array([-1.5, -1]),
    "log_noise": np.array([-0.5]),
}
write("trend", 2, decay, np.array([[1.0, 0]]), np.array([0.1, 0.4]), 0.3, [2, 1], 60, guess)
