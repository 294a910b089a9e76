"""The public names of namespace tapeless with their declarations and docstrings, read from the headers.

clang-format lays every declaration of a namespace at the left margin, so that lines are enough to find them."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"


@dataclasses.dataclass
class Declaration:
    name: str
    text: str  # without body
    doc: str  # Markdown; empty if it has none
    header: pathlib.Path
    line: int


KEYWORDS = {"operator", "requires", "alignas", "decltype", "noexcept", "sizeof"}


def name_of(text):
    """The name that a declaration declares, or None."""
    text = re.sub(r"\[\[.*?\]\]", " ", text)
    text = drop_template_head(text)
    text = re.sub(r"\bTAPELESS_ALWAYS_INLINE\b|\bTAPELESS_\w*INLINE\b", " ", text).strip()
    if match := re.match(r"(?:struct|class|enum class|enum|concept|union)\s+(\w+)", text):
        return None if re.match(r"(?:struct|class)\s+\w+\s*<", text) else match[1]  # a specialisation
    if match := re.match(r"using\s+(\w+)\s*=", text):
        return match[1]
    if text.startswith(("using ", "friend ", "static_assert", "namespace ", "extern ", "#", "TAPELESS_")):
        return None
    if "operator" in text.split("(")[0]:
        return None
    if match := re.fullmatch(r"(?:inline |constexpr |const |static )+[\w:<>,.\s&*]*?\b(\w+)(?:\s*=[^=].*)?", text, re.DOTALL):
        return match[1]
    if match := re.match(r"inline constexpr [^=]*>\s+(\w+)$", text, re.DOTALL):
        return match[1]
    if match := re.match(r"[\w:<>,.\s&*\[\]()+-]*?\b(\w+)\s*\(", text):
        return None if match[1] in KEYWORDS else match[1]
    return None


def drop_template_head(text):
    """Without `template <...>` and `requires ...` in front."""
    text = text.strip()
    while text.startswith("template"):
        depth = 0
        for i, c in enumerate(text):
            depth += (c == "<") - (c == ">" and text[i - 1] != "-")
            if c == ">" and depth == 0:
                break
        text = text[i + 1 :].strip()
        if text.startswith("requires"):
            # clang-format ends the clause with its line, or continues it deeper than the declaration
            lines = text.splitlines()
            k = 1
            while k < len(lines) and lines[k].startswith("   "):
                k += 1
            text = "\n".join(lines[k:]).strip()
    return text


def without_body(lines):
    """The text of a declaration up to its body, initialiser or semicolon."""
    text = "\n".join(lines)
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and c in "{;":
            return text[:i].rstrip()
    return text.rstrip()


def macros_of(lines):
    """The macros of a header that declare functions: name to (parameters, lines)."""
    result = {}
    for i, line in enumerate(lines):
        if match := re.match(r"#define (TAPELESS_\w+)\(([^.]*?)\)\s*\\$", line):
            end = i + 1
            while lines[end - 1].endswith("\\"):
                end += 1
            body = [one.removesuffix("\\").rstrip().removeprefix("  ") for one in lines[i + 1 : end]]
            result[match[1]] = [one.strip() for one in match[2].split(",")], body
    return result


def expanded(lines):
    """The lines with their numbers, in which macros of the header are replaced by what they declare."""
    macros = macros_of(lines)
    for number, line in enumerate(lines, 1):
        match = re.match(r"(TAPELESS_\w+)\((.*)\)$", line)
        if match and match[1] in macros:
            parameters, body = macros[match[1]]
            values = dict(zip(parameters, (one.strip() for one in match[2].split(","))))
            for one in body:
                yield number, re.sub(r"\w+", lambda word: values.get(word[0], word[0]), one)
        else:
            yield number, line


def of_header(path):
    result, namespaces, doc, pending = [], [], [], []
    start, doc_is_used = 0, True
    source = path.read_text().splitlines()
    for number, line in expanded(source):
        if match := re.match(r"(inline )?namespace (.*) \{$", line):
            namespaces.append("" if match[1] else re.sub(r"(::)?inline \w+", "", match[2]))
            pending = []
            continue
        elif re.match(r"\}  // (inline )?namespace", line):
            namespaces.pop()
            pending = []
            continue
        elif pending:
            pending.append(line)
        elif line.startswith("///"):
            doc = [line[4:]] if doc_is_used else doc + [line[4:]]
            doc_is_used = False
            continue
        elif not line.strip():
            doc = []
            continue
        elif match := re.match(r"TAPELESS_(?:C_)?FUNCTION\((\w+), \w+, (\d)\)", line):
            operands = {"1": "x", "2": "y, x" if match[1] == "atan2" else "x, y"}[match[2]]
            result.append(Declaration(match[1], f"{match[1]}({operands})", "\n".join(doc), path, number))
            doc_is_used = True
            continue
        elif match := re.match(r"TAPELESS_DENSITY\(\d, (\w+),\s+\[\]\((.*?)\)", "".join(source[number - 1 : number + 1])):
            operands = match[2].replace("auto ", "")
            result.append(Declaration(match[1], f"{match[1]}({operands})", "\n".join(doc), path, number))
            doc_is_used = True
            continue
        elif re.match(r"[ }#]|//|TAPELESS_\w+\(", line):
            continue
        else:
            pending, start = [line], number
        if re.search(r"[;{]$|\}$", line):
            text = without_body(pending)
            name = name_of(text)
            scope = "::".join(one for one in namespaces if one)
            if name and scope in ("tapeless", "tapeless::mpi"):
                name = (scope + "::" + name).removeprefix("tapeless::")
                result.append(Declaration(name, text, "\n".join(doc), path, start))
            pending, doc_is_used = [], True
    return result


def public():
    """Name to its declarations, in the order of headers; only names of which one is documented."""
    result = {}
    for path in sorted(INCLUDE.rglob("*.hpp")):
        for one in of_header(path):
            result.setdefault(one.name, []).append(one)
    return {name: all_ for name, all_ in result.items() if any(one.doc for one in all_)}


if __name__ == "__main__":
    import collections
    found = public()
    print(len(found))
    by = collections.defaultdict(list)
    for name, ones in found.items():
        first = next(o for o in ones if o.doc)
        by[first.header.relative_to(INCLUDE / "tapeless")].append(f"{name}:{len(ones)}")
    for h, names in sorted(by.items()):
        print(h, *names)
