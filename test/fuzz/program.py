"""Random programs: values that know their C++ text, how the oracle computes them, and their shape in symbols."""

import re

import numpy


class Unfit(Exception):
    """The draw does not fit: no such operand, shapes that do not broadcast, too large."""


class Node:
    """A value. text: C++ with {} for each operand. compute(xp, *operands): for the oracle. shape: extents, numbers where
    the type tells them and else formulas of names such as "n-1"."""

    def __init__(self, text, compute, args=(), shape=(), infix=False, boolean=False, requires=()):
        self.text, self.compute, self.args, self.shape = text, compute, tuple(args), tuple(shape)
        self.infix, self.boolean, self.requires = infix, boolean, tuple(requires)

    @property
    def rank(self):
        return len(self.shape)

    def with_args(self, args):
        result = object.__new__(type(self))
        result.__dict__.update(self.__dict__)
        result.args = tuple(args)
        return result

    def value(self, xp, lookup):
        return self.compute(xp, *[lookup(argument) for argument in self.args])

    def source(self, names):
        def operand(argument):
            text = names(argument)
            return f"({text})" if self.infix and argument.infix and not re.fullmatch(r"u[0-9]+", text) else text

        return self.text.format(*[operand(argument) for argument in self.args])


class Variable(Node):
    """What is bound: its name, and which numbers it is given ("any", "positive", or a count of classes)."""

    def __init__(self, name, shape, numbers="any"):
        super().__init__(name, None, (), shape)
        self.name, self.numbers = name, numbers

    @property
    def integer(self):
        return not isinstance(self.numbers, str) or self.numbers.startswith("below ")


def literal(text, number):
    return Node(text, lambda xp: number)


def nodes_of(root):
    """All nodes below, operands first."""
    found, order, stack = set(), [], [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in found:
            found.add(id(node))
            stack.append((node, True))
            stack.extend((argument, False) for argument in reversed(node.args))
    return order


def replaced(root, replacements):
    """The program with nodes (by id) replaced by others."""
    new = {}
    for node in nodes_of(root):
        if id(node) in replacements:
            new[id(node)] = replacements[id(node)]
        else:
            args = [new[id(argument)] for argument in node.args]
            unchanged = all(x is y for x, y in zip(args, node.args))
            new[id(node)] = node if unchanged else node.with_args(args)
    return new[id(root)]


def broadcast(*shapes):
    rank = max(map(len, shapes))
    result = []
    for k in range(rank):
        extents = {shape[k - rank + len(shape)] for shape in shapes if k >= rank - len(shape)} - {1}
        if len(extents) > 1:
            raise Unfit
        result.append(extents.pop() if extents else 1)
    return tuple(result)


def extent(dimension, sizes):
    return eval(str(dimension), {}, sizes)


class Program:
    """A root with its variables, the number type, how it is written and what is asked of it."""

    def __init__(self, root, number="double", function=False, asked=(), containers=None, pinned=None, labels=()):
        self.root, self.number, self.function, self.asked = root, number, function, list(asked)
        self.containers, self.pinned = dict(containers or {}), dict(pinned or {})

    def copy(self, **changes):
        result = object.__new__(Program)
        result.__dict__.update(self.__dict__)
        result.__dict__.update(changes)
        return result

    @property
    def variables(self):
        found = [node for node in nodes_of(self.root) if isinstance(node, Variable)]
        return sorted(found, key=lambda variable: variable.name)

    @property
    def real_variables(self):
        return [variable for variable in self.variables if not variable.integer]

    @property
    def size(self):
        return len(nodes_of(self.root))

    def base_dimensions(self):
        names = set()
        for node in nodes_of(self.root):
            for dimension in node.shape:
                names.update(re.findall(r"[a-z]+", str(dimension)))
        return sorted(names)

    def evaluate(self, xp, bound):
        """The root's value at arrays by name."""
        computed = {}

        def lookup(node):
            if id(node) not in computed:
                computed[id(node)] = bound[node.name] if isinstance(node, Variable) else node.value(xp, lookup)
            return computed[id(node)]

        return lookup(self.root)


def write_formula(root, random_numbers=None, indent="  "):
    """Declarations of subexpressions, and the text of the root."""
    uses = {}
    for node in nodes_of(root):
        for argument in node.args:
            uses[id(argument)] = uses.get(id(argument), 0) + 1
    lines, written = [], {}
    for node in nodes_of(root):
        text = node.source(lambda argument: written[id(argument)])
        shared = uses.get(id(node), 0) > 1 and node.args
        if shared and (len(text) > 40 or random_numbers is None or random_numbers.random() < 0.7) or len(text) > 200:
            name = f"u{len(lines) + 1}"
            lines.append(f"{indent}const auto {name} = {text};")
            node_text = name
        else:
            node_text = text
        written[id(node)] = node_text
    return lines, written[id(root)]
