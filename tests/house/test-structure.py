#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The order inside the rooms: rooms hold folders, and folders hold files.

A folder sees those before it in ORDER, and no folder beside it.  A public function is declared in the header with its
file's name, with a comment.  A source does not include again what its header includes.  Few files call each other in a
circle.  Domains of errors are spelt as they are meant.
Usage: test-structure.py SOURCE-ROOT BUILD-ROOT
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tap import Tap

# From the bottom to the top; those that stand in one string do not see each other.
ORDER = {
    "src/diagram": ["base", "expression", "graph", "document", "analysis", "evaluate flatten rewrite", "check", "differentiate edit"],
    "src/derive": ["index machine", "region", "stream", "program legality", "cost shard", "kernel", "derivation", "suggest execute",
                   "report"],
    "src/figure": ["scene", "typeset", "layout", "paint", "page"],
    "codegen": ["ptx", "base", "tile cuda", "tensor", "emit", "plan compile gpu", "module", "verify"],
    "src/files": ["base", "ncd equations", "onnx difference measure", "picture", "exchange optimise"],
    "src/app": ["widgets", "editor", "edits", "guide export", "derivation equations", "canvas", "documents", "panes", "window",
                "application"],
}
MOST_SOURCES = 40
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
ANY_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<][^">]+[">])', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
PROTOTYPE = re.compile(r"^(?!typedef\b|static\b|struct\b[^(]*\{)[^;{}#=]*?\b(\w+)\s*\(", re.DOTALL)
STATIC = re.compile(r"^static [^\n;{}()]*\n(\w+) (\([^;{}]*?\)\n\{\n.*?)^\}\n", re.DOTALL | re.MULTILINE)
# What escapes texts; the window's labels are markup of Pango, and its line for a shell is GLib's.
ESCAPES = re.compile(r"\b(?:g_markup_v?printf_escaped|g_markup_escape_text|g_strescape|g_shell_quote|g_uri_escape_string)\b|&amp;|&lt;|&quot;"
                     r"|textbackslash|\"\\\\%0?[0-9]*[coxX]\"|\"\\\\u%04x\"")
ESCAPE_PLACES = {"src/diagram/base/quote.c": ESCAPES, "src/diagram/base/quote-tex.c": ESCAPES, "src/app/export/choice.c": re.compile("g_shell_quote"),
                 "src/app/": re.compile("g_markup_escape_text")}
DOMAIN = re.compile(r'return g_quark_from_static_string \("([^"]+)"\);')


def circles(nodes, follows):
    """The strongly connected components of more than one node."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for other in sorted(follows.get(node, ())):
            if other not in number:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in stack:
                lowest[node] = min(lowest[node], number[other])
        if lowest[node] == number[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(nodes):
        if node not in number:
            visit(node)
    return found


def sources(root):
    for top in ("src", "codegen"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".c", ".h") and "device" not in path.parts:
                yield path.relative_to(root).as_posix()


def target_of(root, include):
    for candidate in ("src/" + include, include):
        if (root / candidate).is_file():
            return candidate
    return None


def include_edges(root):
    for name in sources(root):
        for include in INCLUDE.findall((root / name).read_text(encoding="utf-8")):
            target = target_of(root, include)
            if target:
                yield name, target


def objects(root, build):
    """Each source of the rooms with its object file."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = (Path(entry["directory"]) / entry["file"]).resolve()
        output = Path(entry["directory"]) / entry["output"]
        if path.is_relative_to(root) and output.exists():
            name = path.relative_to(root).as_posix()
            if name.startswith(("src/", "codegen/")):
                found.setdefault(name, output)
    return found


def symbols(path):
    """The symbols that an object defines for others, and those that it takes from others."""
    listing = subprocess.run(["nm", "-P", str(path)], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listing.splitlines() if len(line.split()) > 1]
    return {row[0] for row in rows if row[1] in "TDBRVW"}, {row[0] for row in rows if row[1] == "U"}


def link_edges(defined, wanted):
    owner = {symbol: name for name, own in defined.items() for symbol in own}
    for name, taken in wanted.items():
        for symbol in sorted(taken):
            if symbol in owner and owner[symbol] != name:
                yield name, owner[symbol], symbol


def place(name):
    """The room of a file, and its folder in the room."""
    room = next((room for room in ORDER if name.startswith(room + "/")), None)
    rest = name[len(room) + 1:].split("/") if room else []
    return (room, rest[0]) if len(rest) > 1 else (None, None)


def rank(room, folder):
    return next((i for i, folders in enumerate(ORDER[room]) if folder in folders.split()), None)


def order_problems(edges):
    """edges: (file, file that it sees, why)."""
    for name, other, why in edges:
        room, folder = place(name)
        other_room, other_folder = place(other)
        if room is None or room != other_room or folder == other_folder:
            continue
        here, there = rank(room, folder), rank(room, other_folder)
        if here is None or there is None:
            yield f"{room}/{folder if here is None else other_folder} is not in the order of its room"
        elif there >= here:
            yield f"{name} sees {other} ({why})"


def count_in_circles(edges):
    follows = defaultdict(set)
    for name, other, _ in edges:
        follows[name].add(other)
    return circles(set(follows), follows)


def declarations(text):
    """The functions that a header declares: each with whether a comment stands before it, or behind it in its line."""
    text = re.sub(r"^G_(DECLARE|DEFINE)\w+ \([^)]*\)", ";", text, flags=re.MULTILINE)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", ";", text, flags=re.MULTILINE)
    start = depth = 0
    commented = False
    for match in re.finditer(r"/\*.*?\*/|[{}();]|\n[ \t]*\n", text, re.DOTALL):
        token = match.group()
        if match.start() < start:
            continue
        if token.startswith("/*"):
            if not COMMENT.sub("", text[start:match.start()]).strip():
                commented = True
        elif token.isspace():
            if not COMMENT.sub("", text[start:match.start()]).strip():
                commented = False
        elif token in "{(":
            depth += 1
        elif token in "})":
            depth -= 1
        if depth == 0 and token in (";", "}"):
            piece = COMMENT.sub("", text[start:match.end()]).strip()
            behind = re.match(r"[ \t]*/\*", text[match.end():])
            found = PROTOTYPE.match(re.sub(r"\bG_GNUC_\w+(\s*\([^)]*\))?", "", piece)) if token == ";" else None
            if found and "(*" not in piece.split(found.group(1))[0]:
                yield found.group(1), bool(commented or behind)
            end = re.match(r"(?:[ \t]*/\*.*?\*/)?", text[match.end():], re.DOTALL).end() if behind else 0
            start, commented = match.end() + end, False


def header_problems(root, defined):
    """Functions that are declared elsewhere than in the header of the file that defines them."""
    owner = {symbol: name for name, own in defined.items() for symbol in own}
    for name in sources(root):
        if name.endswith(".h"):
            for function, _ in declarations((root / name).read_text(encoding="utf-8")):
                if function in owner and owner[function][:-2] != name[:-2]:
                    yield f"{name} declares {function} of {owner[function]}"


def uncommented(root):
    for name in sources(root):
        if name.endswith(".h"):
            for function, commented in declarations((root / name).read_text(encoding="utf-8")):
                if not commented:
                    yield f"{name}: {function} has no comment"


def repeated_includes(text, header):
    """The includes of a source that its own header has already."""
    own = set(ANY_INCLUDE.findall(header))
    return [include for include in ANY_INCLUDE.findall(text) if include in own]


def include_problems(root):
    for name in sources(root):
        header = root / (name[:-2] + ".h")
        if name.endswith(".c") and header.is_file():
            for include in repeated_includes((root / name).read_text(encoding="utf-8"), header.read_text(encoding="utf-8")):
                yield f"{name} includes {include}, which its header includes"


def config_problems(texts, macros):
    """texts: (file, its text). Sources that include config.h and use none of its macros."""
    for name, text in texts:
        if '#include "config.h"' in text and "gi18n-lib.h" not in text and not any(macro in text for macro in macros):
            yield f"{name} includes config.h for nothing"


def config_macros(build):
    return re.findall(r"^#define (\w+)", (build / "config.h").read_text(encoding="utf-8"), re.MULTILINE)


def domain_problems(root):
    for name in sources(root):
        text = (root / name).read_text(encoding="utf-8")
        for domain in DOMAIN.findall(text):
            if domain.endswith("error-quark") and not re.fullmatch(r"heddle-[a-z]+-error-quark", domain):
                yield f"{name}: “{domain}”"
        if "G_DEFINE_QUARK" in text:
            yield f"{name}: G_DEFINE_QUARK, whose argument the formatter breaks"


def bodies(text):
    """The static functions of a source, each with its parameters and body, whatever the white space."""
    for match in STATIC.finditer(text):
        yield match.group(1), " ".join(match.group(2).split())


def repeated(texts):
    """texts: (file, its text). Helpers that are the same, name and all, in several files."""
    places = defaultdict(list)
    for name, text in texts:
        for function in bodies(text):
            places[function].append(name)
    for (function, _), names in sorted(places.items()):
        if len(names) > 1:
            yield f"{function} is written again in {' '.join(names)}"


def escapes(texts):
    """texts: (file, its text). Code, without its comments, that quotes a text by itself."""
    for name, text in texts:
        for found in ESCAPES.findall(COMMENT.sub(" ", text)):
            if not any(name.startswith(place) and allowed.fullmatch(found) for place, allowed in ESCAPE_PLACES.items()):
                yield f"{name}: {found}, which is what diagram/base/quote.h is for"


def source_texts(root):
    return ((name, (root / name).read_text(encoding="utf-8")) for name in sources(root) if name.endswith(".c"))


def full_folders(root):
    counts = defaultdict(int)
    for name in sources(root):
        if name.endswith(".c"):
            counts[name.rsplit("/", 1)[0]] += 1
    for folder, count in counts.items():
        if count > MOST_SOURCES:
            yield f"{folder} has {count} sources"


def check_the_checks(tap):
    """Each kind of fault, made on purpose, is seen."""
    tap.equal("/self/circle", circles("abcd", {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}), [["a", "b", "c"]])
    tap.equal("/self/no-circle", circles("abc", {"a": {"b", "c"}, "b": {"c"}}), [])
    for low, high, problems in (("base", "graph", 0), ("graph", "base", 1), ("flatten", "evaluate", 1), ("new", "base", 1)):
        edges = [(f"src/diagram/{high}/a.c", f"src/diagram/{low}/b.c", "b")]
        tap.equal(f"/self/order/{high}-{low}", len(list(order_problems(edges))), problems)
    text = """/* A. */
int plain (int a);
int behind (void); /* B. */
int bare (int (*visit) (int, void *), void *data);
typedef int (*Visit) (int);
struct _S { int (*field) (int); };
/* A section. */

G_GNUC_PRINTF (1, 2) char *apart (const char *format, ...);
static inline int inside (int a) { return plain (a); }
"""
    one, other = "static int\nf (int a)\n{\n  return a;\n}\n", "static int\nf (int a)\n{\n  return -a;\n}\n"
    tap.equal("/self/repeated", list(repeated([("a.c", one), ("b.c", one.replace("int a", "int  a"))])),
              ["f is written again in a.c b.c"])
    tap.equal("/self/includes", repeated_includes('#include <a.h>\n#include "b.h"\n#include "c.h"\n', '#include "b.h"\n#include <c.h>\n'),
              ['"b.h"'])
    config = '#include "config.h"\n'
    tap.equal("/self/config", len(list(config_problems([("a.c", config), ("b.c", config + "A"), ("c.c", "")], ["A"]))), 1)
    tap.equal("/self/not-repeated", list(repeated([("a.c", one), ("b.c", other)])), [])
    tap.equal("/self/escapes", [len(list(escapes([(name, text)]))) for name, text in (
        ("codegen/a.c", 'g_string_append (out, "&lt;");'), ("src/a.c", "/* &lt; */"), ("src/app/a.c", "g_markup_escape_text (t, -1)"),
        ("src/a.c", "g_markup_escape_text (t, -1)"), ("src/a.c", r'f ("\\%03o", c)'), ("src/diagram/base/quote.c", '"&lt;"'))], [1, 0, 0, 1, 1, 0])
    tap.equal("/self/declarations", list(declarations(text)), [("plain", True), ("behind", True), ("bare", False), ("apart", False)])


def at_most(found, limit):
    """Nothing where there are no more than limit problems: a limit is only ever lowered."""
    found = list(found)
    return [f"{len(found)}, and {limit} at most"] + found[:20] if len(found) > limit else None


# What is left of what should not be; these numbers may only become smaller.
MOST_UNCOMMENTED = 0
MOST_REPEATED = 19
MOST_IN_CIRCLES = 20


def main(root, build):
    tap = Tap()
    check_the_checks(tap)
    defined, wanted = {}, {}
    for name, output in objects(root, build).items():
        defined[name], wanted[name] = symbols(output)
    links = list(link_edges(defined, wanted))
    tap.check("/order/includes", order_problems((a, b, "includes it") for a, b in include_edges(root)))
    tap.check("/order/symbols", order_problems(links))
    tap.check("/headers/circles", (" ".join(circle) for circle in count_in_circles((a, b, "") for a, b in include_edges(root))))
    tap.check("/headers/own", header_problems(root, defined))
    tap.check("/headers/comments", at_most(uncommented(root), MOST_UNCOMMENTED))
    in_circles = [name for circle in count_in_circles(links) for name in circle]
    tap.check("/files/circles", at_most(in_circles, MOST_IN_CIRCLES))
    tap.check("/files/repeated", at_most(repeated(source_texts(root)), MOST_REPEATED))
    tap.check("/files/includes", include_problems(root))
    tap.check("/files/config", config_problems(source_texts(root), config_macros(build)))
    tap.check("/files/folders", full_folders(root))
    tap.check("/files/escapes", escapes(source_texts(root)))
    tap.check("/errors/domains", domain_problems(root))
    print(f"# {len(in_circles)} of {len(defined)} files call each other in circles; "
          f"{len(list(uncommented(root)))} public functions have no comment")
    tap.finish()


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
