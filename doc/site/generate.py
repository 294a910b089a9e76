#!/usr/bin/env python3
"""Writes the pages of the site to a folder: the Markdown of the repository with its links rewritten, and the reference, a
page for each public name, from the docstrings of the headers.

usage: generate.py FOLDER          writes FOLDER/mkdocs.yml and FOLDER/pages
       generate.py --check FOLDER  after mkdocs: every link in FOLDER/html leads somewhere"""

import functools
import html.parser
import os
import pathlib
import re
import shutil
import sys
import urllib.parse

import docstrings
from docstrings import INCLUDE, ROOT

# Folder or header of include/tapeless to the section of the reference: the longest match counts.
SECTIONS = {
    "core": "Formulas and arguments", "gradient": "Verbs", "gradient/unconnected.hpp": "Questions at compile time",
    "gradient/direction.hpp": "Options of verbs", "gradient/wrt.hpp": "Options of verbs",
    "gradient/call_options.hpp": "Options of verbs", "gradient/outputs.hpp": "Options of verbs",
    "gradient/result": "Results", "gradient/batch/each.hpp": "Options of verbs",
    "gradient/batch/batch_argument.hpp": "Options of verbs", "gradient/tensor/matrix_rows.hpp": "Options of verbs",
    "gradient/function/element_nodes.hpp": "Options of verbs",
    "core/function_list.hpp": "Functions of numbers", "operation/scalar": "Functions of numbers",
    "core/stop_gradient.hpp": "Stops and gradient surgery", "core/freeze.hpp": "Stops and gradient surgery",
    "operation/gradient_surgery.hpp": "Stops and gradient surgery", "operation/probability": "Densities",
    "operation/matrix": "Matrices and rotations", "lapack.hpp": "Matrices and rotations",
    "operation/tensor": "Functions over tensors", "operation/definition": "Operations of your own",
    "core/apply.hpp": "Operations of your own", "loop": "Loops", "core/thread_memory.hpp": "Loops",
    "inspect": "Printing and checks", "assemble.hpp": "Verbs", "interop": "Other libraries", "ceres.hpp": "Other libraries",
    "core/from_ceres.hpp": "Other libraries", "nlopt.hpp": "Other libraries", "ipopt.hpp": "Other libraries",
    "ipopt_elements.hpp": "Other libraries",
    "mpi": "Many processes", "mpi.hpp": "Many processes", "distributed.hpp": "Many processes",
}
ORDER = ["Formulas and arguments", "Verbs", "Options of verbs", "Results", "Stops and gradient surgery",
         "Functions of numbers", "Densities", "Functions over tensors", "Matrices and rotations", "Loops",
         "Printing and checks", "Questions at compile time", "Operations of your own", "Other libraries", "Many processes"]

# What is not in doc/ and has a page: path in the repository to page of the site.
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "project/contributing.md", "CHANGELOG.md": "project/changes.md",
         ".github/SECURITY.md": "project/security.md", "test/README.md": "project/tests.md",
         "packaging/README.md": "project/packaging.md"}


def page_of(path):
    """The page of the site that shows a file or folder of the repository, or None."""
    for one in (path, path + "/README.md"):
        if one in PAGES:
            return PAGES[one]
    if path == "example":
        return "examples.md"
    if match := re.match(r"example/(\w+)(?:/(.*))?$", path):
        if (ROOT / "example" / match[1] / "README.md").exists() and (not match[2] or match[2].endswith((".md", ".svg"))):
            return f"example/{match[1]}/{match[2] or 'README.md'}"
        return None
    if path.startswith("doc/") and (ROOT / path).is_file():
        return path.removeprefix("doc/")
    return None


def with_links(source, page, text):
    """The text of a page with the links of its source, both relative to their folders."""
    def replaced(match):
        target, _, anchor = match[3].partition("#")
        if "://" in target or not target:
            return match[0]
        path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        if not (ROOT / path).exists():
            sys.exit(f"{source}: no {target}")
        to = page_of(path)
        if to is None:  # a folder of sources: the site does not have it
            return match[2]
        relative = os.path.relpath(to, os.path.dirname(page) or ".")
        return f"{match[1]}[{match[2]}]({relative}{'#' + anchor if anchor else ''})"
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(one if one.startswith("```") else re.sub(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)", replaced, one)
                   for one in parts)


@functools.cache
def included(header):
    """All headers that a header of the library includes."""
    result, todo = set(), [header]
    while todo:
        one = todo.pop()
        if one not in result and (INCLUDE / one).exists():
            result.add(one)
            todo += re.findall(r'^#include <(tapeless/[^>]+)>', (INCLUDE / one).read_text(), re.MULTILINE)
    return result


def public_header(path):
    """The header that a user includes for what another one declares."""
    name = str(path.relative_to(INCLUDE))
    first = ["tapeless/tapeless.hpp", "tapeless/xtensor.hpp"]
    others = sorted(str(one.relative_to(INCLUDE)) for one in (INCLUDE / "tapeless").glob("*.hpp") if one.stem != "all")
    return next((one for one in first + others if name in included(one)), name)


def as_markdown(doc):
    """A docstring whose `<` outside of code is no HTML."""
    return "".join(one if one.startswith("`") else one.replace("<", "&lt;") for one in re.split(r"(`[^`]*`)", doc))


def section_of(path):
    name = str(path.relative_to(INCLUDE / "tapeless"))
    best = max((key for key in SECTIONS if name == key or name.startswith(key + "/")), key=len, default=None)
    return SECTIONS[best] if best else None


def blocks_of(text):
    return re.findall(r"^```cpp\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def code_of(text):
    return "\n".join(blocks_of(text) + re.findall(r"`[^`\n]+`", text))


def names_in(code):
    """What is called, has template arguments or stands alone in code: no members, no words of prose."""
    return set(re.findall(r"(?<![\w.])(?<!->)(?<!std::)(\w+)(?=[(<`])", code))


def cells_of(line):
    return [one.strip() for one in line.strip("|").split(" |")]


def operation_rows():
    """Name to its row on the page of all operations, as a table of its own with a line for each column."""
    result, head = {}, None
    for line in (ROOT / "doc/all_operations.md").read_text().splitlines():
        if not line.startswith("|"):
            head = None
        elif head is None:
            head = cells_of(line)
        elif match := re.match(r"\| `(\w+)\(", line):
            pairs = [(one, other) for one, other in zip(head, cells_of(line)) if other]
            result[match[1]] = [f"| {pairs[0][0]} | {pairs[0][1]} |", "|---|---|",
                                *(f"| {one} | {other} |" for one, other in pairs[1:])]
    return result


def reference(guides):
    """Section to [(name, page, text)]."""
    rows, sections = operation_rows(), {}
    codes = {page: code_of(text) for page, text in guides.items()}
    words, uses = set(re.findall(r"\w+", " ".join(codes.values()))), {page: names_in(code) for page, code in codes.items()}
    blocks = sorted(((block, page) for page, text in guides.items() for block in blocks_of(text)),
                    key=lambda one: len(one[0]))
    titles = {page: re.search(r"^# (.*)", text, re.MULTILINE)[1] for page, text in guides.items()}
    for name, declarations in sorted(docstrings.public().items(), key=lambda item: item[0].lower()):
        declarations = [one for one in declarations
                        if "refused" not in one.header.name and not re.search(r"\bno_result\b", one.text)]
        documented = [one for one in declarations if one.doc]
        word = name.split("::")[-1]
        used = [page for page in uses if word in uses[page]]
        section = section_of(documented[0].header) if documented else None
        if section is None or word not in words and section != "Results":
            continue
        page = f"reference/{name.replace('::', '_')}.md"
        text = f"# {name}\n\n"
        groups = {}
        for one in documented + [one for one in declarations if not one.doc]:
            header = "tapeless/xtensor.hpp" if "operation/tensor" in str(one.header) else public_header(one.header)
            groups.setdefault((header, one.doc) if one.doc else next(iter(groups)), []).append(one)
        for (header, doc), ones in groups.items():
            lines = "\n".join(dict.fromkeys(one.text + ";" for one in ones))
            text += f"```cpp\n#include <{header}>\n\n{lines}\n```\n\n"
            text += as_markdown(doc) + "\n\n"
        if found := next((one for one in blocks if word in names_in(one[0])), None):
            block, other = found
            if block.count("\n") <= 25:
                text += f"## Example\n\n```cpp\n{block}```\n\nFrom [{titles[other]}](../{other}).\n\n"
        if name in rows and len(groups) == 1:
            text += "## Derivative\n\n" + "\n".join(rows[name]) + "\n\n"
        if used:
            text += "## Guide\n\n" + "".join(f"- [{titles[other]}](../{other})\n" for other in used) + "\n"
        text += "## Source\n\n"
        text += "".join(f"- `{one}`\n" for one in dict.fromkeys(str(one.header.relative_to(ROOT)) for one in documented))
        sections.setdefault(section, []).append((name, page, text))
    return sections


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def generate(folder):
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    sources = {str(one.relative_to(ROOT)): page_of(str(one.relative_to(ROOT)))
               for one in sorted((ROOT / "doc").rglob("*.md")) + sorted((ROOT / "example").glob("*/README.md"))}
    sources |= PAGES
    texts = {page: with_links(source, page, (ROOT / source).read_text()) for source, page in sources.items()}
    for page, text in texts.items():
        write(pages / page, text)
    for picture in [*(ROOT / "doc").rglob("*.svg"), *(ROOT / "example").glob("*/*.svg")]:
        to = pages / page_of(str(picture.relative_to(ROOT)))
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, to)
    shutil.copy(ROOT / "doc/site/site.css", pages)

    guides = {page: text for page, text in texts.items() if not page.startswith(("project/", "all_operations", "lanes"))}
    sections = reference(guides)
    nav = []
    for section in ORDER:
        names = sections.pop(section)
        nav.append(f"- {section}:")
        for name, page, text in names:
            write(pages / page, text)
            nav.append(f"    - \"{name}\": {page}")
    assert not sections, f"no place in the order: {sections.keys()}"
    examples = [f"- \"{re.search(r'^# (.*)', text, re.MULTILINE)[1]}\": {page}" for page, text in texts.items()
                if page.startswith("example/")]
    config = (ROOT / "doc/site/mkdocs.yml").read_text()
    for word, lines in (("REFERENCE", nav), ("EXAMPLES", examples)):
        config = re.sub(rf"^( *){word}$", lambda match: "\n".join(match[1] + one for one in lines), config, flags=re.MULTILINE)
    write(folder / "mkdocs.yml", config)
    print(f"{len(texts)} pages, and {sum('reference/' in line for line in nav)} of the reference")


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("id", "name"):
                self.anchors.add(value)
            elif key in ("href", "src") and value:
                self.targets.append(value)


def check(folder):
    files = {path.resolve(): Links(path.read_text()) for path in (folder / "html").rglob("*.html") if path.name != "404.html"}
    wrong = 0
    for path, links in files.items():
        for target in links.targets:
            place, _, anchor = urllib.parse.unquote(target).partition("#")
            if re.match(r"\w+:", place):
                continue
            to = (path.parent / place).resolve() if place else path
            if not to.exists() or anchor and to in files and anchor not in files[to].anchors:
                wrong += 1
                print(f"{path.relative_to(folder.resolve())}: {target}")
    print(f"{len(files)} pages, {sum(len(one.targets) for one in files.values())} links, {wrong} lead nowhere")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(pathlib.Path(sys.argv[2]))
    else:
        generate(pathlib.Path(sys.argv[1]))
