# SPDX-License-Identifier: MIT
"""Whether what was exported of strangers' texts is harmless: a text stays a text in code, in figures and on a terminal."""

import ast
import html.parser
import re
import xml.etree.ElementTree as ElementTree

UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
# But for what lays lines out.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def code_of(text):
    """C++ without its comments and what stands in quotes."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)


def kernel_problem(text):
    """What is code that should not be; None: nothing."""
    code = code_of(text)
    if not code.isascii() or UNFIT.search(text):
        return "characters that have no place in code"
    words = set(re.findall(r"\b(system|alert|import|touch)\b", code))
    return f"{words} in the code" if words else None


def figures_problem(svg, tex):
    for element in ElementTree.fromstring(svg).iter():
        if element.tag.endswith("script") or any(key.startswith("on") or "javascript" in value for key, value in element.attrib.items()):
            return "a script in the SVG"
    body = re.sub(r"%.*", "", tex.decode().replace("\\%", ""))
    return "a command in the TeX" if re.search(r"\\input\b|\^\^|\\write", body) else None


def module_problem(data):
    """What is code in a module of Python that should not be; None: nothing. Bytes are UTF-8, as Python reads them."""
    text = data.decode()
    if UNFIT.search(text):
        return "characters that have no place in code"
    names = {node.id if isinstance(node, ast.Name) else node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Name, ast.Attribute))}
    words = names & {"system", "alert", "touch"}
    return f"{words} in the code" if words else None


class Page(html.parser.HTMLParser):
    """What of a page a browser would run or fetch."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [tag] if tag in ("script", "iframe", "object", "embed", "img", "link", "base") else []
        self.found += [name for name, value in attrs if name.startswith("on") or "javascript" in (value or "")]


def page_problem(text):
    page = Page()
    page.feed(text)
    page.close()
    if page.found:
        return f"{page.found} in the page"
    return "characters that a page obeys" if UNFIT.search(text) or re.search(r"&#(x0*1?[0-9a-f]|0*[12]?\d);", text, re.IGNORECASE) else None


def terminal_problem(text):
    return f"control characters: {text!r}" if CONTROLS.search(text) else None
