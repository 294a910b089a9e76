"""Random programs: values that know their C++ text, how the oracle computes them, and their shape in symbols."""

import re

# What loops keep of their steps.
MEMORIES = ["", "", "", "<store_all>", "<checkpoints<2>>", "<checkpoints<5>>"]


class Invalid(Exception):
    """No such call: an extent is too small, or rounding decides."""


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
        return self.numbers not in ("any", "positive")


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

    def __init__(self, root, number="double", function=False, asked=(), containers=None, pinned=None, of_numbers=False,
                 batched=(), members=(), assembled=(), each=()):
        self.root, self.number, self.function, self.asked = root, number, function, list(asked)
        self.containers, self.pinned = dict(containers or {}), dict(pinned or {})
        # batched: arguments that are arrays over the elements of a batch; members: those that are in a struct.
        self.of_numbers, self.batched, self.members = of_numbers, tuple(batched), tuple(members)
        # assembled: arguments that are entries of a vector, the same for all elements of a sum; each: those of which
        # each element has one of its own.
        self.assembled, self.each = tuple(assembled), tuple(each)

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
        names = {"batch"} if self.batched else {"points", "elements"} if self.assembled else set()
        for node in nodes_of(self.root):
            for dimension in (*node.shape, node.numbers[6:] if isinstance(node, Variable) and node.integer else ""):
                names.update(re.findall(r"[a-z]+", str(dimension)))
        return sorted(names)

    def evaluate(self, xp, bound):
        """The root's value at arrays by name."""
        xp.both_paths, computed = not self.of_numbers, {}

        def lookup(node):
            if id(node) not in computed:
                computed[id(node)] = bound[node.name] if isinstance(node, Variable) else node.value(xp, lookup)
            return computed[id(node)]

        return lookup(self.root)


class Parameter(Node):
    """What the body of a region is called with."""

    def __init__(self, name, shape=()):
        super().__init__(name, None, (), shape)


class Region(Node):
    """An operation with a function in it: a loop, a call, a verb. The values that the function returns are its last
    operands; those before are what it is called with from outside."""

    def __init__(self, text, run, args, results, parameters, shape=(), pack="{}", capture="&"):
        super().__init__(text, None, [*args, *results], shape)
        self.run, self.parameters, self.pack, self.capture = run, tuple(parameters), pack, capture

    @property
    def outside(self):
        return self.args[:len(self.args) - self.returned]

    @property
    def results(self):
        return self.args[len(self.args) - self.returned:]

    returned = 1

    def inside(self):
        """The nodes of the body."""
        own, found = {id(parameter) for parameter in self.parameters}, set()
        for result in self.results:
            for node in nodes_of(result):
                if id(node) in own or any(id(argument) in found for argument in node.args):
                    found.add(id(node))
        return found

    def value(self, xp, lookup):
        inside = self.inside()

        def body(*given):
            known = {id(parameter): value for parameter, value in zip(self.parameters, given)}

            def inner(node):
                if id(node) not in inside:
                    return lookup(node)
                if id(node) not in known:
                    known[id(node)] = node.value(xp, inner)
                return known[id(node)]

            return [inner(result) for result in self.results]

        return self.run(xp, body, *[lookup(argument) for argument in self.outside])


class Lazy(Node):
    """where() of numbers: what is not chosen is not computed."""

    def value(self, xp, lookup):
        condition, x, y = self.args
        return lookup(x) if xp.value_of(lookup(condition)) else lookup(y)


def write_formula(root, indent="  "):
    """Declarations of subexpressions, and the text of the root."""
    uses = {}
    for node in nodes_of(root):
        for argument in node.args:
            uses[id(argument)] = uses.get(id(argument), 0) + 1
    written, counter = {}, iter(range(1, 1000))

    def write(node, scopes):
        """Writes what lies in the innermost of the scopes it depends on."""
        if id(node) in written:
            return written[id(node)]
        lines = next((lines for lines, inside in reversed(scopes) if id(node) in inside), scopes[0][0])
        at = next((k for k in range(len(scopes) - 1, 0, -1) if id(node) in scopes[k][1]), 0)
        around = scopes[:at + 1]
        if isinstance(node, Region):
            own = ([], node.inside())
            texts = [write(result, around + [own]) for result in node.results]
            body = "".join(line + " " for line in own[0])
            result = node.pack.format(*texts)
            names = dict.fromkeys(re.search(r"\w+(?=[\[)]|$)", parameter.text)[0] for parameter in node.parameters)
            parameters = ", ".join(f"auto {name}" if re.search(rf"\b{name}\b", body + result) else "auto"
                                   for name in names)
            function = f"[{node.capture}]({parameters}) {{ {body}return {result}; }}"
            text = node.text.format(*[write(argument, around) for argument in node.outside], function=function)
        else:
            for argument in node.args:
                write(argument, around)
            text = node.source(lambda argument: written[id(argument)])
        if node.args and not node.boolean and (uses.get(id(node), 0) > 1 and (len(text) > 12) or len(text) > 200):
            name = f"u{next(counter)}"
            lines.append(f"const auto {name} = {text};")
            text = name
        written[id(node)] = text
        return text

    lines = []
    text = write(root, [(lines, frozenset())])
    return [indent + line for line in lines], text
