"""Formulas as text and results by variable, in gdb:

    (gdb) source packaging/gdb/tapeless_printers.py
"""

import re

import gdb
import gdb.printing

# Symbols and how tightly they bind, as `infix` of the operations; inspect/text.hpp writes formulas by the same rules.
INFIX = {"Or": (" || ", 1), "And": (" && ", 2), "Less": (" < ", 3), "LessEqual": (" <= ", 3), "Greater": (" > ", 3),
         "GreaterEqual": (" >= ", 3), "Equal": (" == ", 3), "NotEqual": (" != ", 3), "Add": (" + ", 4),
         "Subtract": (" - ", 4), "Multiply": (" * ", 5), "Divide": (" / ", 5)}
LOOSEST, SUM, PRODUCT, SIGN = 0, 4, 5, 6
# Operations whose name is not their type's in lower case.
NAMES = {"LogPi": "log(pi)", "MinusInfinity": "-infinity", "OneOverSqrtTwo": "1/sqrt(2)", "OneOverSqrtTwoPi": "1/sqrt(2 pi)",
         "HalfLogTwoPi": "log(2 pi)/2", "TwoOverSqrtPi": "2/sqrt(pi)", "LnTwo": "ln2", "LnTen": "ln10", "ShortNorm": "norm",
         "LogSumExp": "logsumexp", "CumSum": "cumsum", "CumProd": "cumprod", "Variance": "var",
         "StandardDeviation": "stddev", "NormOver": "norm", "LogSumExpOver": "logsumexp", "ArgMax": "argmax"}


class Kind:
    """A type by its name in the debug information: `name` without namespaces, and its template arguments."""

    def __init__(self, name, arguments):
        self.name, self.arguments = name, arguments


def parse(text):
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[<>,{}]|[^<>,{}"]+', text)
    position = 0

    def one():
        nonlocal position
        name, arguments = "", []
        while position < len(tokens) and tokens[position] not in (",", ">", "}"):
            token = tokens[position]
            position += 1
            if token in ("<", "{"):
                while tokens[position] not in (">", "}"):
                    arguments.append(one())
                    if tokens[position] == ",":
                        position += 1
                position += 1
            else:
                name += token
        return Kind(name if name.startswith('"') else name.split("::")[-1].strip(), arguments)

    return one()


def kind_of(value):
    return parse(value.type.strip_typedefs().unqualified().name)


def characters(name):
    """The text of a `fixed_string`."""
    return name.arguments[-1].name.strip('"')


def integer(argument):
    return int(re.match(r"-?\d+", argument.name)[0])


def member(value, wanted):
    """The member of a value or of its bases with that name, or the base whose name begins so; None if there is none."""
    fields = value.type.strip_typedefs().fields() if value is not None else []
    for field in fields:
        if field.name and field.name.startswith(wanted):
            return value[field]
    for field in fields:
        if field.is_base_class and (found := member(value[field], wanted)) is not None:
            return found
    return None


def in_parentheses(needed, text):
    return f"({text})" if needed else text


def formula(kind, value, outer=LOOSEST):
    """A formula as you would write it; its value has the numbers that are not in its type."""
    if kind.name == "Variable":
        return characters(kind.arguments[0])
    if kind.name == "Constant":
        numerator, denominator = map(integer, kind.arguments)
        text = f"{numerator}" if denominator == 1 else f"{numerator}/{denominator}"
        return in_parentheses((numerator < 0 or denominator != 1) and outer >= PRODUCT, text)
    if kind.name == "Number":
        text = member(value, "value").format_string()
        return in_parentheses(text.startswith("-") and outer >= PRODUCT, text)
    if kind.name == "StopGradient":
        name = characters(kind.arguments[1])
        name = f'<"{name}">' if name else ""
        return f"stop_gradient{name}({formula(kind.arguments[0], member(value, 'operand'))})"
    if kind.name != "Apply":
        return kind.name  # a named formula
    operation, *operands = kind.arguments

    def operand(i, outer):
        leaf = member(value, f"tapeless::detail::operand_leaf<{i}")
        return formula(operands[i], member(leaf, "operand"), outer)

    if operation.name in INFIX:
        symbol, own = INFIX[operation.name]
        return in_parentheses(outer > own, operand(0, own) + symbol + operand(1, own + 1))
    if operation.name == "Negate":
        return in_parentheses(outer > SUM, "-" + operand(0, SIGN))
    name = NAMES.get(operation.name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation.name).lower()
    return f"{name}({', '.join(operand(i, LOOSEST) for i in range(len(operands)))})" if operands else name


def elements(array):
    """The elements of a `std::array`, whatever its member is called."""
    return array[next(field for field in array.type.strip_typedefs().fields() if not field.is_base_class)]


def entries(kind, value):
    """What each derivative of a result is called, and the derivative."""
    variables = [formula(one, None) for one in kind.arguments[0].arguments]
    columns = range(len(variables))
    if kind.name == "gradient_map":
        leaves = [value[field] for field in value.type.strip_typedefs().fields() if field.is_base_class]
        return [(f"[{name}]", leaf["value"]) for name, leaf in zip(variables, leaves)]
    if kind.name == "hessian_map":
        triangle = elements(value["upper_triangle"])
        return [(f"({variables[i]}, {variables[j]})", triangle[j * (j + 1) // 2 + i]) for j in columns for i in range(j + 1)]
    rows = elements(value["rows"])
    return [(f"({i}, {variables[j]})", elements(rows[i])[j]) for i in range(integer(kind.arguments[2])) for j in columns]


class Formula:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return formula(kind_of(self.value), self.value)


class Result:
    def __init__(self, value):
        self.value = value

    def children(self):
        return iter(entries(kind_of(self.value), self.value))


printers = gdb.printing.RegexpCollectionPrettyPrinter("tapeless")
printers.add_printer("formula", "^tapeless::(Variable|Constant|Number|StopGradient|Apply)<", Formula)
printers.add_printer("result", "^tapeless::(gradient|hessian|jacobian)_map<", Result)
gdb.printing.register_pretty_printer(None, printers, replace=True)
