"""What the generators of examples share that JAX checks: files of tensors, and the table of training that JAX gives.
They need NumPy and JAX, of the versions in test/tensorflow/requirements.txt."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def write_tensors(path, tensors, digits):
    """A file that read_tensors (tensors.hpp) reads. Rounds the tensors to what it says."""
    with open(path, "w", encoding="ascii") as file:
        for name, tensor in tensors.items():
            tensors[name] = tensor = np.round(tensor, digits)
            print(name, *tensor.shape, file=file)
            for row in np.atleast_1d(tensor).reshape(-1, tensor.shape[-1]):
                print(*(f"{number:.{digits}f}" for number in row), file=file)


def write_training(path, loss, parameters, data, rate, steps):
    """The table of print_head and print_step (training.hpp) at the given steps of Adam."""
    names = list(parameters)
    gradient = jax.jit(jax.value_and_grad(loss))
    mean = square = jax.tree.map(jnp.zeros_like, parameters)
    with open(path, "w", encoding="ascii") as file:
        print("step", "loss", *names, file=file)
        for step in range(max(steps) + 1):
            value, by = gradient(parameters, *data)
            if step in steps:
                norms = (jnp.linalg.norm(by[name].ravel()) for name in names)
                print(step, *(f"{float(number):.11g}" for number in (value, *norms)), file=file)
            mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, by)
            square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, by)
            of_mean, of_square = 1 - 0.9 ** (step + 1), 1 - 0.999 ** (step + 1)
            parameters = jax.tree.map(
                lambda p, m, s: p - rate * (m / of_mean) / (jnp.sqrt(s / of_square) + 1e-8), parameters, mean, square)
