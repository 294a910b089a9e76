"""Mutants of the library: what changes in which line; and how a command runs that may not end."""
import os
import re
import resource
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Mutation:
    def __init__(self, file, line, begin, end, new, text):
        self.file, self.line, self.begin, self.end, self.new, self.text = file, line, begin, end, new, text

    def change(self):
        old = self.text[self.begin:self.end]
        return f"{old.strip()} -> {self.new.strip() or 'nothing'}"

    def key(self):
        return (self.file, " ".join(self.text.split()), self.change())


# Text of the same length without comments and, if operators are looked for, without literals.
def blanked(text, literals=True):
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0]) if literals or match[0][0] == "/" else match[0]
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', blank, text, flags=re.S)


# Where the operand of a logical operator ends, to the right (step 1) or to the left (step -1) of a position.
def operand_end(code, at, step):
    opening, closing = ("([{", ")]}") if step > 0 else (")]}", "([{")
    depth = 0
    while 0 <= at < len(code):
        c = code[at]
        if c in opening:
            depth += 1
        elif c in closing:
            if depth == 0:
                return at
            depth -= 1
        elif depth == 0:
            pair = code[at:at + 2] if step > 0 else code[at - 1:at + 1]
            if c in ",;?" or pair in ("&&", "||") or (c == ":" and pair != "::" and code[at - 1] != ":"):
                return at
            if step < 0 and c == "=" and code[at - 1] not in "=!<>" and code[at + 1] != "=":
                return at
            if step < 0 and re.match(r"\breturn\b", code[at - 5:at + 1]):
                return at
        at += step
    return -1


def matching(code, at):
    depth = 0
    for i in range(at, len(code)):
        depth += code[i] == "("
        depth -= code[i] == ")"
        if depth == 0:
            return i
    return -1


SWAPS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
         (r" \+ ", " - "), (r" - ", " + "), (r" \+= ", " -= "), (r" \|= ", " &= "), (r" &= ", " |= "),
         (r" & ", " | "), (r" \| ", " & "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\bmin\b", "max"),
         (r"\bmax\b", "min"), (r"(?<![\w!=&|(])!(?=[\w(])|(?<=[(&|] )!(?=[\w(])|(?<=\()!(?=[\w(])", "")]
SKIPPED = re.compile(r"^\s*(#|static_assert|template\b|requires\b|concept\b|using\b|friend\b|namespace\b|\"|//)|operator|"
                     r"max_nodes|constexpr std::string_view")


def mutations_of(path):
    file = str(path.relative_to(ROOT / "include/tapeless"))
    source = path.read_text()
    code = blanked(source)
    lines, codes = source.split("\n"), code.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for number, (line, bare) in enumerate(zip(lines, codes)):
        if not bare.strip() or SKIPPED.search(line):
            continue

        def add(begin, end, new):
            if 0 <= begin < end <= len(line) and line[begin:end] != new:
                found.append(Mutation(file, number, begin, end, new, line))

        for pattern, new in SWAPS:
            for match in re.finditer(pattern, bare):
                add(match.start(), match.end(), new)
        # An integer that is not part of a name or of a template argument.
        for match in re.finditer(r"(?<![\w.<])(?<!e[+-])(\d)(?![\w.>x'])", bare):
            # -1 stands for none, as any negative number would.
            if not re.search(r"(^|[^\w) ] ?|return )-$", bare[:match.start()]):
                add(match.start(), match.end(), str(int(match[1]) + 1))
            if match[1] != "0":
                add(match.start(), match.end(), str(int(match[1]) - 1))
        for match in re.finditer(r"&&|\|\|", bare):
            if bare[:match.start()].rstrip()[-1:] in ("", "o", "(") and "auto" in bare[:match.start()][-6:]:
                continue
            right, left = operand_end(bare, match.end(), 1), operand_end(bare, match.start() - 1, -1)
            if right > 0:
                add(match.start(), right, "")
            if left >= 0:
                add(left + 1, match.end(), " " if bare[left] != "(" else "")
        for match in re.finditer(r"\b(if|while)( constexpr)? \(", bare):
            end = matching(bare, match.end() - 1)
            if end > 0 and ";" not in bare[match.end():end] and " = " not in bare[match.end():end]:
                add(match.end(), end, "!(" + line[match.end():end] + ")")
        for match in re.finditer(r"\b\w+\((\w+(?:\.\w+)?), (\w+(?:\.\w+)?)\)", bare):
            if not re.search(r"\b(int|auto|constexpr|T|double)\b", match[0]):
                add(match.start(1), match.end(2), f"{line[match.start(2):match.end(2)]}, {line[match.start(1):match.end(1)]}")
        # A statement on a line of its own.
        if re.match(r"^\s+[\w.\[\]>-]+(\(.*\)| [|&+-]?= .*);$", bare) and not re.match(r"^\s+(return|throw|case|const|auto)\b", bare):
            previous = codes[number - 1].strip() if number else ";"
            if previous.endswith((";", "{", "}")):
                add(len(line) - len(line.lstrip()), len(line), ";")
        if re.match(r"^\s+(continue|break);$", bare):
            add(len(line) - len(line.lstrip()), len(line), ";")
    return found


def run(command, limit, **environment):
    """The exit code of a command, negative if it was killed, and what it prints."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limits, cwd=ROOT,
                             env=os.environ | environment, start_new_session=True)
    try:
        text, _ = child.communicate(timeout=20 * limit)
    except BaseException as error:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        return -1, "timeout"
    return child.returncode, text.decode(errors="replace")
