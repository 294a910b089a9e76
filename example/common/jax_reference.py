"""What the generators of examples over tensors share: files of named tensors (tensors.hpp), and what the programs print
of Adam's steps (training.hpp), from JAX in double precision. They need NumPy and JAX, of the versions in
test/tensorflow/requirements.txt."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def write_tensors(path, tensors, digits=None):
    """A file of the tensors, which are rounded to these digits after the point if any are given."""
    form = ".6g" if digits is None else f".{digits}f"
    with open(path, "w", encoding="ascii") as file:
        for name, tensor in tensors.items():
            if digits is not None:
                tensors[name] = tensor = np.round(tensor, digits)
            print(name, *tensor.shape, file=file)
            for row in tensor.reshape(-1, tensor.shape[-1]):
                print(*(format(element, form) for element in row), file=file)


def norm(tensor):
    return float(jnp.linalg.norm(tensor.ravel()))


def members(names, tensors):
    return "".join(
        f"  {name:12} norm {norm(tensors[name]):.12g}, last {tensors[name].ravel()[-1]:.12g}\n" for name in names
    )


def adam(loss, parameters, rate, most):
    """Parameters, loss and gradient before each of Adam's steps, and after the last."""
    gradient = jax.jit(jax.value_and_grad(loss))
    mean = square = jax.tree.map(jnp.zeros_like, parameters)
    for step in range(1, most + 2):
        value, by = gradient(parameters)
        yield step - 1, parameters, value, by
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, by)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, by)
        first, second = 1 - 0.9**step, 1 - 0.999**step
        parameters = jax.tree.map(
            lambda p, m, s: p - rate * (m / first) / (jnp.sqrt(s / second) + 1e-8), parameters, mean, square
        )


def write_training(path, loss, parameters, data, rate, steps):
    """The table of print_head and print_step at the given steps, of loss(parameters, *data)."""
    names = list(parameters)  # in their order, which JAX does not keep
    with open(path, "w", encoding="ascii") as file:
        print("step", "loss", *names, file=file)
        for step, _, value, by in adam(lambda p: loss(p, *data), parameters, rate, max(steps)):
            if step in steps:
                print(step, *(f"{number:.11g}" for number in (value, *(norm(by[name]) for name in names))), file=file)


def train(loss, parameters, rate, most, shown):
    """The last parameters, and what the programs print at the given steps with print_members."""
    names, text = list(parameters), ""
    for step, last, value, by in adam(loss, parameters, rate, most):
        if step in shown:
            text += f"after {step} steps: loss {value:.12g}, gradient\n" + members(names, by)
    return last, text
