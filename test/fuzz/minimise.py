"""Makes a program that fails smaller while it fails in the same way."""

import random

import numpy

import oracle
import source
from program import Node, Parameter, Region, Variable, literal, nodes_of, replaced

PER_ROUND = 8  # candidates that are compiled together


def constant_like(node):
    return literal("1.0", 1.0) if not node.shape else None


def structures(program):
    """Smaller programs: a value replaced by an operand, a variable or a number; fewer verbs, variables and options."""
    for k in range(len(program.asked)):
        if len(program.asked) > 1:
            yield program.copy(asked=[program.asked[k]])
    for node in sorted(nodes_of(program.root), key=lambda node: -len(nodes_of(node))):
        if isinstance(node, Variable) or not node.args:
            continue
        below = nodes_of(node)
        inside = node.inside() if isinstance(node, Region) else set()
        candidates = [other for other in below if other is not node and other.shape == node.shape
                      and other.boolean == node.boolean and not isinstance(other, (Region, Parameter))
                      and id(other) not in inside]
        if node.boolean:
            candidates = candidates[:1]
        elif program.of_numbers:
            candidates = candidates[-3:] + ([constant_like(node)] if not node.shape else [])
        else:
            same = [v for v in program.real_variables if v.shape == node.shape]
            fresh = [Variable(name, node.shape) for name in "cdefgpq"
                     if name not in {v.name for v in program.variables}][:1]
            candidates = candidates[-3:] + (same[:1] or fresh)
            if not node.shape and node is not program.root:
                candidates.append(constant_like(node))
        if isinstance(node, Region):
            continue  # its parts are replaced
        for other in candidates:
            root = replaced(program.root, {id(node): other})
            if root.args:
                yield with_root(program, root)
    if not program.root.shape and not program.of_numbers:
        for node in nodes_of(program.root):
            if node.args and node.shape and not node.boolean and len(nodes_of(node)) > 1:
                yield with_root(program, Node("sum({})", lambda xp, x: xp.sum(x), [node], ()))
    for k, asked in enumerate(program.asked):
        for name in asked.get("wrt", []):
            if len(asked["wrt"]) > 1 and not program.members:
                yield changed(program, k, wrt=[other for other in asked["wrt"] if other != name])
        for option in ("into", "threads"):
            if asked.get(option):
                yield changed(program, k, **{option: False})
        if asked["verb"] in ("hvp", "jvp", "vjp", "hessian", "engines") and program.root.shape == ():
            yield changed(program, k, verb="gradient")
        if asked["verb"] in ("gradient", "value_and_gradient") and program.root.shape == ():
            yield changed(program, k, verb="value", into=False)
    if program.batched:
        yield program.copy(batched=())
        if len(program.batched) > 1:
            yield program.copy(batched=program.batched[:1])
    if program.members:
        yield program.copy(members=())
        if len(program.members) > 1:
            yield program.copy(members=program.members[:1], asked=[{**a, "wrt": program.members[:1]} for a in program.asked])
    if program.function and not program.of_numbers and not program.members:
        yield program.copy(function=False)
    if program.number != "double":
        yield program.copy(number="double")
    plain = {name: "rows" for name in program.containers}
    if any(source.container(program, v) != source.container(program.copy(containers=plain), v) for v in program.variables):
        yield program.copy(containers=plain)
        for name in program.containers:
            yield program.copy(containers={**program.containers, name: "rows"})
    if program.pinned:
        yield program.copy(pinned={})


def with_root(program, root):
    result = program.copy(root=root)
    names = {v.name for v in result.real_variables}
    result.asked = [{**asked, "wrt": [name for name in asked.get("wrt", []) if name in names]} for asked in result.asked]
    for k, asked in enumerate(result.asked):
        if not asked["wrt"] and names:
            asked["wrt"] = sorted(names)[:1]
        if root.rank and asked["verb"] not in ("value", "vjp", "jvp"):
            asked["verb"] = "vjp"
        if not root.rank and asked["verb"] == "vjp":
            asked["verb"] = "value_and_gradient"
    result.members = tuple(name for name in program.members if name in names)
    if result.members:
        result.asked = [{**asked, "wrt": list(result.members)} for asked in result.asked]
    result.batched = tuple(name for name in program.batched if name in {v.name for v in result.variables})
    return result


def changed(program, which, **options):
    return program.copy(asked=[{**asked, **options} if k == which else asked for k, asked in enumerate(program.asked)])


def complexity(program):
    return (program.size, sum(len(a.get("wrt", [])) for a in program.asked), len(program.asked), len(program.batched) + len(program.members),
            program.function, program.number != "double", len(program.pinned),
            sum(kind != "rows" for name, kind in program.containers.items() if name in {v.name for v in program.variables}),
            sum(bool(a.get("into")) + bool(a.get("threads")) for a in program.asked),
            sum(["value", "gradient", "value_and_gradient"].index(a["verb"]) if a["verb"] in (
                "value", "gradient", "value_and_gradient") else 3 for a in program.asked))


def draw_sets(program, fault, count=8):
    """Sets of numbers like the one that failed."""
    draw = random.Random("smaller")
    sets = []
    for k in range(count):
        sizes = fault.sizes if k < count // 2 else None
        arrays = oracle.draw_set(program, draw, sizes=sizes)
        if arrays is not None:
            sets.append(arrays)
    return sets, [k % 2 for k in range(len(sets))]


def fails(tools, programs, fault):
    """For each program the fault of the same kind that it has, or None."""
    programs = list(programs)
    path, messages = tools.compile(source.unit_text(programs), "smaller", fault.kind != "compiler")
    if fault.kind == "compiler":
        if len(programs) == 1:
            same = path is None and tools.signature(messages) == tools.signature(fault.text)
            return [fault if same else None]
        return [fails(tools, [program], fault)[0] for program in programs]
    if path is None:
        if len(programs) == 1:
            return [None]
        half = len(programs) // 2
        return fails(tools, programs[:half], fault) + fails(tools, programs[half:], fault)
    result = []
    for number, program in enumerate(programs):
        sets, again = draw_sets(program, fault)
        faults = [other for other in tools.judge(program, sets, *tools.run(path, number, program, sets, again))
                  if other.kind == fault.kind]
        result.append(faults[0] if faults else None)
    return result


def minimise(tools, program, fault, say=lambda text: None):
    """The smallest program found, with its fault."""
    if fault.asked is not None and len(program.asked) > 1:
        program = program.copy(asked=[program.asked[fault.asked]])
        fault.asked = 0
    seen = set()
    while True:
        candidates = []
        for candidate in structures(program):
            text = source.program_text(candidate, 0)
            if candidate.real_variables and complexity(candidate) < complexity(program) and text not in seen:
                seen.add(text)
                candidates.append(candidate)
        candidates.sort(key=complexity)
        # Some of the smallest and some that are hardly smaller: the first are bold, the last fail most likely.
        found = None
        while candidates and not found:
            step = max(1, len(candidates) // PER_ROUND)
            some, candidates = candidates[::step][:PER_ROUND], [
                candidate for k, candidate in enumerate(candidates) if k % step or k // step >= PER_ROUND]
            for candidate, other in zip(some, fails(tools, some, fault)):
                if other and (not found or complexity(candidate) < complexity(found[0])):
                    found = candidate, other
        if not found:
            return shrink_numbers(tools, program, fault)
        program, fault = found
        say(f"{program.size} nodes")


def shrink_numbers(tools, program, fault):
    """A set of few and round numbers."""
    if fault.kind == "compiler":
        return program, fault
    draw, sets = random.Random("numbers"), []
    for _ in range(60):
        sizes = {name: draw.choice([1, 2, 2, 3, 4]) for name in program.base_dimensions()}
        arrays = oracle.draw_set(program, draw, sizes={**sizes, **program.pinned}, tries=1)
        if arrays is not None:
            for name, array in arrays.items():
                if array.dtype.kind == "f":
                    arrays[name] = numpy.round(array, 1)
            sets.append(arrays)
    path, _ = tools.compile(source.unit_text([program]), "smaller")
    if path is None:
        return program, fault
    found, ended = tools.run(path, 0, program, sets, [0] * len(sets))
    faults = [other for other in tools.judge(program, sets, found, ended) if other.kind == fault.kind and
              other.arrays is not None]
    if faults:
        fault = min(faults, key=lambda other: sum(array.size for array in other.arrays.values()))
    return program, fault


# The file


def numbers_text(array):
    return ", ".join(repr(float(number)) if numpy.isfinite(number) else
                     "NAN" if numpy.isnan(number) else "INFINITY" if number > 0 else "-INFINITY"
                     for number in numpy.asarray(array, dtype=numpy.float64).reshape(-1))


def array_text(array):
    return f"{{{', '.join(map(str, numpy.shape(array)))}}}, {{{numbers_text(array)}}}"


def regression_text(program, fault, name, origin):
    """A test of Boost.Test with the oracle's numbers."""
    lines = [f"// {origin}"]
    lines += [f"// {line}" for line in str(fault).splitlines()[:3]]
    lines += ['#include "../fuzz/harness.hpp"', "", "#include <boost/test/unit_test.hpp>", "", "using namespace tapeless;",
              "using namespace fuzz;", "", source.struct_text(program, "model"), f"BOOST_AUTO_TEST_CASE({name}) {{"]
    if not program.function:
        lines += [f'  constexpr auto {v.name} = variable<"{v.name}">;' for v in program.variables]
    lines += source.definition(program)
    used = source.operands_of(program)
    for operand, kind in used:
        lines.append(f"  {kind} {operand};")
        if fault.arrays is not None:
            lines.append(f"  {operand}.read({{{array_text(fault.arrays[operand])}}});")
    lines += source.held_struct(program, "model") + (["  gather();"] if program.members else [])
    asked = program.asked[fault.asked or 0]
    verb, read = source.verb_text(program, asked)
    verb = f"batched({verb})" if program.batched else verb
    policy = "std::execution::par, " if asked.get("threads") else ""
    lines.append(f"  auto r = {verb}({policy}{source.bindings(program)});")
    if asked.get("into") and asked["verb"] not in ("value", "engines"):
        lines.append(f"  {verb}({policy}into(r), {source.bindings(program)});")
    if fault.arrays is not None:
        expectation = oracle.Expectation(program, asked, fault.arrays, numpy.random.default_rng(1))
        for label, text in read:
            if expectation.usable(label):
                tolerance = float(expectation.tolerance[label])
                lines.append(f"  BOOST_TEST(close({text}, {array_text(expectation.exact[label])}, {tolerance:.2g}));")
    lines.append("}")
    return "\n".join(lines) + "\n"
