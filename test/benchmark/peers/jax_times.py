#!/usr/bin/env python3
"""Prints times of JAX as lines of CSV for problems that `peers ... dump` wrote. Usage: jax_times.py PROBLEM SIZE FILE

As its documentation advises: jit, compiled before the clock starts, arrays on the device, block_until_ready; here with
float64 and one thread. The clock is that of the process's CPU time, as for the others."""

import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import sys
import time

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np
from jax.scipy.special import logsumexp

jax.config.update("jax_enable_x64", True)


def logistic(w, data, labels, _):
    return jnp.sum(jnp.log1p(jnp.exp(-labels * (data.reshape(-1, 10) @ w))))


def normal_density(x, *_):
    return jnp.sum(-0.5 * jnp.square((x[2:] - x[0]) / x[1]) - jnp.log(x[1]) - 0.91893853320467274178)


def cross_entropy(x, _, __, label):
    return logsumexp(x) - x[label]


def tanh_exp(x, *_):
    a, b, c = x.reshape(3, -1)
    return jnp.sum(jnp.tanh(a * b + c) * jnp.exp(-b * b))


def gaussian_mixture(x, data, *_):
    logits, means, (p, q, r) = x[:5], x[5:15].reshape(5, 2), x[15:].reshape(5, 3).T
    c = data.reshape(-1, 1, 2) - means
    y0 = jnp.exp(p) * c[..., 0]
    y1 = jnp.exp(q) * c[..., 1] + r * c[..., 0]
    terms = logits + p + q - 0.5 * (y0 * y0 + y1 * y1)
    prior = 0.5 * jnp.sum(jnp.exp(2 * p) + jnp.exp(2 * q) + r * r)
    return jnp.sum(logsumexp(terms, axis=1)) - c.shape[0] * logsumexp(logits) + prior


def black_scholes(v):
    spot, strike, rate, volatility, years = v
    deviation = volatility * jnp.sqrt(years)
    d1 = (jnp.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation
    d2 = d1 - deviation

    def cdf(x):
        return 0.5 * (1 + jax.lax.erf(x * 0.70710678118654752440))

    return spot * cdf(d1) - strike * jnp.exp(-rate * years) * cdf(d2)


def runge_kutta(x, *_):
    p, h = x[:3], 0.005

    def slope(y):
        return jnp.array([p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]])

    def step(y, _):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        return y + h / 6 * (k1 + 2 * (k2 + k3) + k4), None

    y, _ = jax.lax.scan(step, x[3:], length=200)
    return y[0] * y[0] + y[1] + y[2]


def perceptron(x, data, labels, _):
    w1, b1, w2, b2 = x[:256].reshape(16, 16), x[256:272], x[272:432].reshape(16, 10), x[432:]
    z = jnp.tanh(data.reshape(-1, 16) @ w1 + b1) @ w2 + b2
    return jnp.mean(logsumexp(z, axis=1) - jnp.take_along_axis(z, labels.astype(int)[:, None], 1)[:, 0])


def heston_call(m, data, *_):
    spot, start, speed, level, volatility, correlation = m
    dt, rate, strike = 0.02, 0.02, 100.0
    other, normals = jnp.sqrt(1 - correlation * correlation), data.reshape(2, 50, -1)

    def step(carry, normal):
        x, variance = carry
        positive = variance > 0
        v = jnp.where(positive, variance, 0)
        # The root of what is chosen: else the derivative of the branch not taken is no number.
        s = jnp.where(positive, jnp.sqrt(jnp.where(positive, variance, 1)), 0) * jnp.sqrt(dt)
        x = x + (rate - 0.5 * v) * dt + s * normal[0]
        variance = variance + speed * (level - v) * dt + volatility * s * (correlation * normal[0] + other * normal[1])
        return (x, variance), None

    paths = jnp.ones(normals.shape[2])
    (x, _), _ = jax.lax.scan(step, (jnp.log(spot) * paths, start * paths), normals.swapaxes(0, 1))
    return jnp.exp(-rate) * jnp.mean(jnp.maximum(jnp.exp(x) - strike, 0))


def marginal_likelihood(x, data, y, _):
    length, amplitude, noise = x
    distances = data.reshape(y.size, y.size)
    k = amplitude**2 * jnp.exp(-0.5 * distances / length**2) + noise**2 * jnp.eye(y.size)
    factor = jnp.linalg.cholesky(k)
    z = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
    return -0.5 * z @ z - jnp.sum(jnp.log(jnp.diag(factor)))


def temporal_differences(w, data, rewards, _, stopped=lambda target: target):
    states, nexts = data.reshape(2, -1, 3)

    def network(state):
        return jnp.tanh(state @ w[:12].reshape(4, 3).T + w[12:16]) @ w[16:]

    return jnp.sum(jnp.square(network(states) - stopped(rewards + 0.9 * network(nexts))))


def stopped_differences(*arguments):
    return temporal_differences(*arguments, jax.lax.stop_gradient)


PROBLEMS = {"V1": logistic, "V2": normal_density, "V3": cross_entropy, "V4": tanh_exp, "V5": gaussian_mixture,
            "RK": runge_kutta, "NN": perceptron, "HE": heston_call, "GP": marginal_likelihood,
            "TD": temporal_differences, "TS": stopped_differences}


def main():
    problem, size, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    numbers, parts = np.fromfile(file), []
    while len(numbers):
        count = int(numbers[0])
        parts.append(numbers[1:1 + count])
        numbers = numbers[1 + count:]
    data, labels, x, expected = parts

    if problem == "BS":
        batch = jax.vmap(jax.value_and_grad(black_scholes), in_axes=1)
        step, arguments = jax.jit(lambda v: batch(v.reshape(5, -1))), [x]
    else:
        step = jax.jit(jax.value_and_grad(PROBLEMS[problem]), static_argnums=3)
        arguments = [x, data, labels]
    arguments = [jax.device_put(a) for a in arguments]
    if problem != "BS":
        arguments.append(size // 3)

    begin = time.process_time()
    value, gradient = jax.block_until_ready(step(*arguments))
    compile_seconds = time.process_time() - begin
    result = np.concatenate([np.ravel(value), np.ravel(np.asarray(gradient).T if problem == "BS" else gradient)])
    error = np.max(np.abs(result - expected) / (np.abs(expected) + 1e-3 * np.max(np.abs(expected[1:]))))
    if not error < 1e-7:
        sys.exit(f"{problem}: JAX is wrong by {error:g}")

    def seconds(repeat):
        begin = time.process_time()
        for _ in range(repeat):
            jax.block_until_ready(step(*arguments))
        return (time.process_time() - begin) / repeat

    repeat = max(1, int(0.01 / seconds(3)))
    times = np.array([seconds(repeat) for _ in range(41)]) * 1e9
    print(problem, size, *np.quantile(times, [0.5, 0.25, 0.75]), error, compile_seconds, sep=",")


main()
