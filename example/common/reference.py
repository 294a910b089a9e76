"""What the reference.py of examples over tensors share: files of named tensors (tensors.hpp), Adam (training.hpp), and what
the programs print, from JAX in double precision. Written with jax 0.10 and numpy 2.4."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def write_tensors(path, tensors):
    with open(path, "w") as file:
        for name, tensor in tensors.items():
            print(name, *tensor.shape, file=file)
            for row in tensor.reshape(-1, tensor.shape[-1]):
                print(*(f"{element:.6g}" for element in row), file=file)


def members(names, tensors):
    return "".join(
        f"  {name:12} norm {jnp.linalg.norm(tensors[name].ravel()):.12g}, last {tensors[name].ravel()[-1]:.12g}\n" for name in names
    )


def train(loss, parameters, rate, steps, shown):
    """Adam's steps, and what the programs print of them."""
    step = jax.jit(jax.value_and_grad(loss))
    names = list(parameters)  # in their order, which JAX does not keep
    text = ""
    mean = square = jax.tree.map(jnp.zeros_like, parameters)
    for k in range(steps + 1):
        value, gradient = step(parameters)
        if k in shown:
            text += f"after {k} steps: loss {value:.12g}, gradient\n" + members(names, gradient)
        if k == steps:
            return parameters, text
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, gradient)
        first, second = 1 - 0.9 ** (k + 1), 1 - 0.999 ** (k + 1)
        parameters = jax.tree.map(
            lambda p, m, s: p - rate * m / first / (jnp.sqrt(s / second) + 1e-8), parameters, mean, square
        )
