"""Compares the messages in include/ with the entries of doc/errors.md: each message has a code and each code one message,
and the page has all of them, word for word. With a compiler, the wrong code of each entry gives the message of that
entry, and the right code compiles.

usage: errors.py [COMPILER OPTION...]"""
import html
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LITERAL = r'"(?:[^"\\]|\\.)*"'
# A message is a literal, or several with arguments of macros between them; or the comment of a deleted function.
MESSAGE = re.compile(rf'"tapeless: (?:[^"\\]|\\.)*"(?:(?:\s|\\\n)*(?:{LITERAL}|#[A-Z]+\b))*|= delete;\s*// tapeless: .*')
AT_RUN_TIME = {"core/message.hpp", "mpi.hpp", "mpi/agreement.hpp", "mpi/on.hpp"}


def messages():
    """All messages, with the headers in which they are."""
    for header in sorted((ROOT / "include/tapeless").rglob("*.hpp")):
        name = str(header.relative_to(ROOT / "include/tapeless"))
        for match in MESSAGE.findall(header.read_text()):
            parts = re.findall(LITERAL + r"|#[A-Z]+\b", match) if match.startswith('"') else [f'"{match.split("// ")[1]}"']
            text = "".join(re.sub(r"\\(.)", r"\1", part[1:-1]) if part[0] == '"' else f"<{part[1:]}>" for part in parts)
            if not (name in AT_RUN_TIME and text.endswith(" ")):
                yield name, text.removeprefix("tapeless: ")


def entries():
    """Of each entry of the page the code, the message, and what is wrong and right, where there is a program."""
    page = (ROOT / "doc/errors.md").read_text()
    for entry in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        code, quoted = re.match(r"(\S+)\n\n((?:> .*\n)+)", entry).groups()
        message = " ".join(line[2:] for line in quoted.splitlines())
        program = re.search(r"^```c\+\+\n// wrong\n(.*?)^// right\n(.*?)^```$", entry, re.DOTALL | re.MULTILINE)
        yield code, html.unescape(re.sub(r"\\(.)", r"\1", message)), *(program.groups() if program else (None, None))


def texts_fit():
    faults, of_code = [], {}
    for header, message in messages():
        if not (match := re.fullmatch(r"(.*) \[(TL\d{3})\]", message)):
            faults.append(f"{header}: no code: {message}")
        elif of_code.setdefault(match[2], match[1]) != match[1]:
            faults.append(f"{header}: {match[2]} is the code of another message")
    if len(set(of_code.values())) < len(of_code):
        faults.append(f"several codes: {[one for one in of_code.items() if list(of_code.values()).count(one[1]) > 1]}")
    on_page = {}
    for code, message, *_ in entries():
        if code in on_page:
            faults.append(f"two entries: {code}")
        on_page[code] = message
    faults += [f"not on the page: {code}" for code in of_code.keys() - on_page.keys()]
    faults += [f"not in include/: {code}" for code in on_page.keys() - of_code.keys()]
    faults += [f"{code}: the page says {on_page[code]}\ninclude/ says {of_code[code]}"
               for code in of_code.keys() & on_page.keys() if of_code[code] != on_page[code]]
    return faults


def output_of(command, which):
    """What the compiler says about all programs, where each is a file named by its code."""
    page = (ROOT / "doc/errors.md").read_text()
    unit = re.search(r"^```c\+\+\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1]
    for code, _, *programs in entries():
        if programs[which]:
            unit += f'namespace of_{code} {{\n#line 1 "{code}"\n{programs[which]}}}\n'
    done = subprocess.run([*command, "-std=c++20", "-fsyntax-only", "-w", "-I", ROOT / "include", "-x", "c++", "-"],
                          input=unit, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"})
    return done.returncode, done.stderr


def programs_fit(command):
    clang = "clang" in subprocess.run([command[0], "--version"], capture_output=True, text=True).stdout
    unlimited = ["-ferror-limit=0"] if clang else ["-fmax-errors=0"]
    _, said = output_of([*command, *unlimited], 0)
    # An error names its place in the page's program and quotes its message; clang has no place for what it compiles at
    # the end of the unit, and g++ says the place before the error.
    found, place = set(), None
    for block in re.split(r"(?m)^(?=.*: error: )", said) if clang else [said]:
        places = re.findall(r"(?m)^(TL\d{3}):\d+", block)
        for match in re.finditer(r"(?m)^(TL\d{3}):\d+|\[(TL\d{3})\]", block):
            place = (places[0] if places else None) if clang else match[1] or place
            if match[2]:
                found.add((place, match[2]))
    faults = [f"{code}: the wrong code does not give this message"
              for code, _, wrong, _ in entries() if wrong and not {(code, code), (None, code)} & found]
    status, said = output_of([*command, *unlimited], 1)
    return faults + ([f"the right code does not compile:\n{said}"] if status else [])


if __name__ == "__main__":
    faults = programs_fit(sys.argv[1:]) if len(sys.argv) > 1 else texts_fit()
    print("\n".join(faults))
    sys.exit(bool(faults))
