"""The C++ of random programs."""

from program import write_formula

HARNESS = '#include "harness.hpp"\n'
MAIN = """int main(int, char** arguments) {
  constexpr void (*programs[])(fuzz::source&, fuzz::sink&) = {%s};
  fuzz::source in(arguments[2]);
  fuzz::sink out(arguments[3]);
  programs[std::stoi(arguments[1]) - %d](in, out);
}
"""


def container(program, variable):
    """The type of the operand that holds a variable's numbers."""
    number = program.number
    if variable.name in program.batched and not program.of_numbers:
        kind = program.containers.get(variable.name)
        return f"{kind if kind in ('columns', 'strided') else 'rows'}<{number}, {variable.rank + 1}>"
    if variable.name in program.batched:
        if variable.rank == 0:
            return "vector<int>" if variable.integer else f"vector<{number}>"
        return f"{'columns' if program.containers.get(variable.name) == 'columns' else 'rows'}<{number}, 2>"
    if variable.integer:
        return f"rows<int, {variable.rank}>" if variable.rank > 1 else "vector<int>" if variable.rank else "number<int>"
    if program.of_numbers and variable.rank:
        return f"{'span' if program.containers.get(variable.name) == 'span' else 'vector'}<{number}>"
    if variable.rank == 0:
        return f"number<{number}>"
    kind = program.containers.get(variable.name, "rows")
    if variable.name in program.members and kind not in ("columns", "vector"):
        kind = "rows"
    if kind in ("vector", "span") and variable.rank == 1:
        return f"{kind}<{number}>"
    extents = [program.pinned.get(extent, extent) for extent in variable.shape]
    if kind in ("fixed", "standard_array") and all(isinstance(extent, int) for extent in extents):
        if kind == "standard_array" and variable.rank == 1 and not program.function:
            return f"standard_array<{number}, {extents[0]}>"
        return f"fixed<{number}, {', '.join(map(str, extents))}>"
    if kind not in ("columns", "strided"):
        kind = "rows"
    return f"{kind}<{number}, {variable.rank}>"


def member_type(program, variable):
    kind = container(program, variable)
    if variable.rank == 0:
        return program.number
    if kind.startswith("vector"):
        return f"std::vector<{program.number}>"
    layout = ", xt::layout_type::column_major" if kind.startswith("columns") else ""
    return f"xt::xtensor<{program.number}, {variable.rank}{layout}>"


def struct_text(program, name):
    """The struct that holds the variables of program.members, argument 0 of the function."""
    if not program.members:
        return ""
    members = ", ".join(f"({v.name}_type, {v.name})" for v in members_of(program))
    aliases = "".join(f"  using {v.name}_type = {member_type(program, v)};\n" for v in members_of(program))
    return f"struct {name} {{\n{aliases}  BOOST_HANA_DEFINE_STRUCT({name}, {members});\n}};\n"


def members_of(program):
    return [v for v in program.variables if v.name in program.members]


def arguments_of(program):
    return [v for v in program.variables if v.name not in program.members]


def bindings(program):
    if program.assembled:
        return ", ".join(f"{name}.get()" for name, _ in operands_of(program))
    if program.function:
        def bound(v):
            if v.name in program.batched and not program.of_numbers:
                return f"each(x_{v.name}.get())"
            shared = program.of_numbers and program.batched and v.rank and v.name not in program.batched
            return f"for_all(x_{v.name}.get())" if shared else f"x_{v.name}.get()"

        return ", ".join((["x_.get()"] if program.members else []) + [bound(v) for v in arguments_of(program)])
    return ", ".join(f"{v.name} = x_{v.name}.get()" for v in program.variables)


def wrt_text(program, names):
    if program.members:
        return "wrt<0>"
    if program.function:
        places = [k for k, v in enumerate(program.variables) if v.name in names]
        return f"wrt<{', '.join(map(str, places))}>"
    return f"wrt({', '.join(names)})"


def tangents(program, names, prefix):
    if program.function:
        return ", ".join(f"{prefix}_{name}.get()" for name in names)
    return ", ".join(f"{name} = {prefix}_{name}.get()" for name in names)


def definition(program):
    """The formula or the function, f."""
    lines, root = write_formula(program.root)
    if not program.function:
        return lines + [f"  const auto f = {root};"]
    parameters = ", ".join((["const auto& p_"] if program.members else []) + [
        f"{'auto' if program.of_numbers else 'const auto&'} {v.name}" for v in arguments_of(program)])
    members = [v.name for v in members_of(program)] if program.members else []
    # Names of their own: clang cannot run a loop's body that captures a structured binding.
    unpack = [f"    const auto& [{', '.join(f'{name}_' for name in members)}] = p_;",
              f"    const auto {', '.join(f'&{name} = {name}_' for name in members)};"] if members else []
    return [f"  constexpr auto f = []({parameters}) {{"] + unpack + ["  " + line for line in lines] + [f"    return {root};", "  };"]


def verb_text(program, asked):
    """The verb, the labels of what it gives, and the expressions that read them from the result r."""
    verb, names = asked["verb"], asked.get("wrt", [])
    wrt = wrt_text(program, names) if names else ""

    def gradients(prefix):
        if not program.function:
            return [(f"gradient {name}", f"{prefix}[{name}]") for name in names]
        if program.members:
            return [(f"gradient {name}", f"{prefix}.{name}") for name in names]
        if len(names) == 1:
            return [(f"gradient {names[0]}", prefix)]
        return [(f"gradient {name}", f"std::get<{k}>({prefix})") for k, name in enumerate(names)]

    if program.assembled:
        sums = [("value", "r.value"), ("gradient", "r.gradient")]
        return f"assemble({verb}(f))", sums + [("hessian", "dense(r.hessian, x_.value.size())")] * (verb == "hessian")
    if verb == "engines":
        return f"compare_engines(value_and_gradient(f, {wrt}))", [("engines", "r.largest_error()")]
    if verb == "value":
        return "value(f)", [("value", "r")]
    if verb == "value_and_gradient":
        return f"value_and_gradient(f, {wrt})", [("value", "r.value")] + gradients("r.gradient")
    if verb == "gradient":
        return f"gradient(f, {wrt})", gradients("r")
    if verb == "jvp":
        along = tangents(program, names, "t")
        return f"value_and_jvp(f, {wrt}, tangent({along}))", [("value", "r.value"), ("tangent", "r.tangent")]
    if verb == "hvp":
        along = tangents(program, names, "t")
        return f"hvp(f, {wrt}, tangent({along}))", [(f"product {name}", text) for (_, text), name in
                                                    zip(gradients("r"), names)]
    if verb == "vjp":
        return f"vjp(f, {wrt}, cotangent(t_.get()))", gradients("r")
    if verb == "jacobian":
        return f"jacobian(f, {wrt})", [(f"jacobian {name}", f"r(0, {name})") for name in names]
    if verb == "hessian":
        entry = "r[{2}][{3}]" if program.function else "r({0}, {1})"
        return f"hessian(f, {wrt})", [(f"hessian {x} {y}", entry.format(x, y, i, k))
                                      for i, x in enumerate(names) for k, y in enumerate(names)]
    raise ValueError(verb)


def operands_of(program):
    """Names and types of what is read for a set of numbers, in this order."""
    if program.assembled:
        data = [v.name for v in program.variables if v.name not in program.assembled]
        return [("x_", f"vector<{program.number}>"), ("e_", f"elements<{len(program.assembled)}>")] + [
            (f"x_{name}", f"{'vector' if name in program.each else 'number'}<{program.number}>") for name in data]
    result = [(f"x_{v.name}", container(program, v)) for v in program.variables]
    verbs = {asked["verb"] for asked in program.asked}
    along = {name for asked in program.asked if asked["verb"] in ("jvp", "hvp") for name in asked["wrt"]}
    number = program.number
    for v in program.real_variables:
        if v.name in along:
            kind = container(program, v)
            result.append((f"t_{v.name}", kind if kind.startswith("fixed") or program.of_numbers else
                           f"number<{number}>" if v.rank == 0 else f"rows<{number}, {v.rank}>"))
    if "vjp" in verbs:
        rank = program.root.rank
        result.append(("t_", f"rows<{number}, {rank}>" if rank else f"number<{number}>"))
    return result


def held_struct(program, name):
    """What binds the struct: its members are read one by one."""
    if not program.members:
        return []
    values = ", ".join(f"x_{v.name}.value" for v in members_of(program))
    return ["  struct {", f"    const {name}& get() const {{ return value; }}", f"    {name} value;", "  } x_;",
            f"  const auto gather = [&] {{ x_.value = {name}{{{values}}}; }};"]


def program_text(program, number):
    lines = [struct_text(program, f"model_{number}") + f"void program_{number}(source& in, sink& out) {{", "  using namespace tapeless;"]
    if not program.function:
        lines += [f'  constexpr auto {v.name} = variable<"{v.name}">;' for v in program.variables]
    lines += definition(program)
    lines += [f"  {kind} {name};" for name, kind in operands_of(program)]
    lines += held_struct(program, f"model_{number}")
    bound = bindings(program)
    body = ["    gather();"] if program.members else []
    for k, asked in enumerate(program.asked):
        verb, read = verb_text(program, asked)
        verb = f"batched({verb})" if program.batched else verb
        policy = "std::execution::par, " if asked.get("threads") else ""
        first = f"[&] {{ return {verb}({policy}{bound}); }}"
        lines.append(f"  const auto first_{k} = {first};")
        lines.append(f"  std::optional<decltype(first_{k}())> r_{k};")
        body.append(f'    out.attempt("{k}", [&] {{')
        if asked.get("into") and asked["verb"] not in ("value", "engines"):
            again = f"[&](auto& r) {{ {verb}({policy}into(r), {bound}); }}"
            body.append(f"      const auto& r = held(r_{k}, again, first_{k}, {again});")
        else:
            body.append(f"      const auto r = first_{k}();")
        body += [f'      out.put("{k} {label}", {text});' for label, text in read]
        body.append("    });")
    lines += ["  for (std::int64_t set = 0, sets = in.integer(); set < sets; ++set) {",
              f"    out.begin({number}, set);", "    [[maybe_unused]] const bool again = in.integer() != 0;"]
    lines += [f"    {name}.read(in.read());" for name, _ in operands_of(program)]
    return "\n".join(lines + body + ["  }", "}"]) + "\n"


def unit_text(programs, first=0):
    """A translation unit of programs."""
    parts = [HARNESS, "namespace fuzz {\n"]
    parts += [program_text(program, first + k) for k, program in enumerate(programs)]
    parts.append("}  // namespace fuzz\n")
    table = ", ".join(f"fuzz::program_{first + k}" for k in range(len(programs)))
    parts.append(MAIN % (table, first))
    return "\n".join(parts)
