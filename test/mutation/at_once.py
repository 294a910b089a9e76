"""Tries many mutants with one compilation: `a < b` becomes `mutant(7) ? (a <= b) : (a < b)`, and TAPELESS_MUTANT=7
runs that. Constant evaluation sees no mutant, so that this tries what runs: passes and plans in
test/program/random_*_test.cpp, kernels and loops in others."""
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from mutations import ROOT, blanked, matching, run

SELECTED = """#include <type_traits>
#include <cstdio>
#include <cstdlib>
namespace tapeless_mutation {
inline const int chosen = std::getenv("TAPELESS_MUTANT") ? std::atoi(std::getenv("TAPELESS_MUTANT")) : 0;
struct reached_mutants {
  bool reached[COUNT] = {};
  ~reached_mutants() {
    if (const char* const name = std::getenv("TAPELESS_REACHED")) {
      std::FILE* const file = std::fopen(name, "w");
      for (int i = 0; i < COUNT; ++i)
        if (reached[i]) std::fprintf(file, "%d\\n", i);
      std::fclose(file);
    }
  }
};
inline reached_mutants all;
constexpr bool mutant(int number) {
  if (std::is_constant_evaluated()) return false;
  if (chosen < 0) all.reached[number] = true;
  return chosen == number;
}
}
"""
STATEMENT = re.compile(r"(?!(return|using|const|constexpr|auto|static|throw|case|if|for|while|else|do|template|typename|"
                       r"public|private)\b)"
                       r"([*+-]*\w+(\(|\.|\[|->|::| [-+|&*]?= |\+\+|--|;)|[*+-]{2}\w)|continue;|break;")
DECLARATION = re.compile(r"\s*(const|auto|constexpr|int|bool|std::\w+|typename|class)\b(?!\()|\s*[\w:]+[&*]? \w+\s*($|=|\{)")


# Those of which only a constant is known, or a type.
FIXED = re.compile(r"(constexpr|decltype|static_assert|assert|requires|noexcept|sizeof|alignas|explicit) ?\($")


class Slot(NamedTuple):
    """An expression or a statement of a file, which can be exchanged."""
    begin: int
    end: int
    is_statement: bool


# Text of the same length in which only the commas that separate are commas.
def without_template_arguments(code):
    while True:
        shorter = re.sub(r"(?<=\w)<[^<>(){};]*(\([^<>(){};]*\)[^<>(){};]*)*>", lambda m: "_" * len(m[0]), code)
        if shorter == code:
            return code
        code = shorter


def slot_of(code, begin, end):
    left, depth = begin, 0
    while left > 0:
        c = code[left - 1]
        if c in ")]}":
            if depth == 0 and c == "}":
                break
            depth += 1
        elif c in "([{":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0:
            if c in ",;" or code[left - 7:left] == "return " and not code[left - 8:left - 7].isalnum():
                break
            if c == " " and re.search(r"[\w)\]] [-+|&*]?= $", code[max(left - 8, 0):left]):
                break
        left -= 1
    right, depth = begin, 0
    while right < len(code):
        c = code[right]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and c in ",;":
            break
        right += 1
    before = code[:left].rstrip()
    while left < begin and code[left].isspace():
        left += 1
    statement = before[-1:] in ";{}" and right < len(code) and code[right] == ";"
    if statement:
        # Behind a condition without braces.
        inner = re.match(r"(else )?(if|while|for) \(", code[left:])
        if inner:
            left = matching(code, left + inner.end() - 1) + 1
            while left < begin and code[left].isspace():
                left += 1
        if not STATEMENT.match(code[left:right + 1]) or re.match(r"[\w:]+[&*]? \w+\s*[={(;]", code[left:right + 1]):
            return None
        right += 1
    if not left <= begin <= end <= right:
        return None
    if not statement and (DECLARATION.match(code[left:right]) or code[left] in "{[" or before[-1:] == "}" or FIXED.search(before)):
        return None
    return Slot(left, right, statement)


def expanded(source, plain, slots, file):
    """The file's text with (slot, number, begin, end, new) for each mutant, and (number, lines) of those it has."""
    nested = {}
    for slot, number, begin, end, new in slots:
        nested.setdefault((slot.begin, slot.end), (slot, []))[1].append((number, begin, end, new))
    has = []
    # Text from `begin` to `end` with the slots within it, the outermost first.
    order = sorted(nested.values(), key=lambda each: (each[0].begin, -each[0].end))

    def line_of(at):
        return source.count("\n", 0, at) + 1

    def text(begin, end, inner):
        out, at = [], begin
        while inner:
            (slot, mutants), inner = inner[0], inner[1:]
            if slot.begin < at:
                continue
            within = [each for each in inner if each[0].end <= slot.end]
            inner = [each for each in inner if each[0].begin >= slot.end]
            out.append(plain[at:slot.begin])
            original = text(slot.begin, slot.end, within)
            opening, chosen, otherwise, closing = (
                ("{", "if (tapeless_mutation::mutant({0})) {{ {1} }} else", "{ ", " } }") if slot.is_statement else
                ("(", "tapeless_mutation::mutant({0}) ? ({1}) :", "(", "))"))
            out.append(opening)
            for number, b, e, new in mutants:
                has.append((number, range(line_of(slot.begin), line_of(slot.end) + 1)))
                changed = (plain[slot.begin:b] + new + plain[e:slot.end]).replace("\n", " ")
                out.append(f'\n#line {number} "mutants"\n' + chosen.format(number, changed))
            out.append(f'\n#line {line_of(slot.begin)} "{file}"\n' + otherwise + original + closing)
            at = slot.end
        out.append(plain[at:end])
        return "".join(out)

    return text(0, len(source), order), has


def write(include, mutants, dropped):
    """Headers with all mutants, numbered from 1 in their order; which can be written so, and which are in a line of a
    file."""
    written, spans, by_file = set(), {}, {}
    for number, mutation in enumerate(mutants, 1):
        of_file = by_file.setdefault(mutation.file, [])
        if number not in dropped:
            of_file.append((number, mutation))
    for file, all_of in by_file.items():
        source = (ROOT / "include/tapeless" / file).read_text()
        code = blanked(source)
        without_arguments = without_template_arguments(code)
        starts = [0]
        for line in source.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        slots = []
        for number, mutation in all_of:
            begin, end = starts[mutation.line] + mutation.begin, starts[mutation.line] + mutation.end
            slot = slot_of(without_arguments, begin, end)
            if slot:
                slots.append((slot, number, begin, end, mutation.new))
        text, has = expanded(source, blanked(source, literals=False), slots, file)
        for number, its_lines in has:
            written.add(number)
            for line in its_lines:
                spans.setdefault((file, line), set()).add(number)
        (include / "tapeless" / file).write_text(text)
    (include / "mutants.hpp").write_text(SELECTED.replace("COUNT", str(len(mutants) + 1)))
    return written, spans


def about(output, written, spans):
    """The mutants that the compiler's errors are about."""
    found = {int(number) for number in re.findall(r"^mutants:(\d+):\d+: (?:fatal )?error:", output, re.M)}
    for file, line in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error:", output, re.M):
        for known, at in spans:
            if at == int(line) and file.endswith(known):
                found |= spans[known, at]
    if not found & written:  # what is instantiated fails elsewhere
        found = {int(number) for number in re.findall(r"^mutants:(\d+):\d+: note:", output, re.M)}
    if not found & written:  # what has errors lies behind the change
        wrong = {file for file, _ in spans if re.search(rf"^(\S*/)?{re.escape(file)}:\d+:\d+: (?:fatal )?error:", output, re.M)}
        found = {number for (file, _), numbers in spans.items() if file in wrong for number in numbers}
    return found & written


def try_at_once(mutants, work, compiler, flags, programs, tell, jobs=2):
    """{index: (program, message)} of those that a program notices. `programs` are (name, source, further options)."""
    include = work / "at_once"
    shutil.rmtree(include, ignore_errors=True)
    shutil.copytree(ROOT / "include", include)
    dropped = set()
    command = [compiler, *flags, "-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-I", str(include),
               "-include", str(include / "mutants.hpp")]

    def compile_one(each, *options):
        name, source, further = each
        return run([*command, *further, *options, str(source)], 600)

    def try_one(name, number, limit, **environment):
        code, text = run([str(work / name)], limit, TAPELESS_MUTANT=str(number), **environment)
        return code, next((line for line in text.split("\n") if "error" in line), text[-200:])

    written, spans = write(include, mutants, dropped)
    print(f"{len(written)} of {len(mutants)} can be tried at once", flush=True)
    with ThreadPoolExecutor(jobs) as pool:
        while True:
            tried = list(pool.map(lambda each: compile_one(each, "-fsyntax-only"), programs))
            wrong = set()
            for code, output in tried:
                if code:
                    now = about(output, written, spans)
                    if not now:
                        sys.exit("mutate: cannot compile all mutants at once:\n" + output[:3000])
                    wrong |= now
            if not wrong:
                break
            dropped |= wrong
            written, spans = write(include, mutants, dropped)
            print(f"{len(wrong)} do not compile", flush=True)
        built = list(pool.map(lambda each: compile_one(each, "-o", str(work / each[0])), programs))
        for each, (code, output) in zip(programs, built):
            if code:
                sys.exit(f"mutate: {each[0]}:\n" + output[:3000])
        killed, reached = {}, set()
        for name, *_ in programs:
            notes = work / "reached"
            begin = time.monotonic()
            code, message = try_one(name, -1, 600, TAPELESS_REACHED=str(notes))
            seconds = time.monotonic() - begin
            if code:
                sys.exit(f"mutate: {name} fails without a mutant: {message}")
            now = {int(line) for line in notes.read_text().split()}
            reached |= now
            left = sorted((now & written) - killed.keys())
            print(f"{name}: {seconds:.1f} s, reaches {len(now)}, {len(left)} to try", flush=True)
            for number, (code, message) in zip(left, pool.map(lambda k: try_one(name, k, 3 + 3 * seconds), left)):
                tell(mutants[number - 1], "killed" if code else "passed", name, message)
                if code:
                    killed[number] = (name, message)
    print(f"{len(reached)} are reached, {len(killed)} noticed", flush=True)
    return {number - 1: verdict for number, verdict in killed.items()}
