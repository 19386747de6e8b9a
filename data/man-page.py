#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""man-page.py PROGRAM VERSION: the manual page, made of what the program itself tells with --help."""

import os
import re
import subprocess
import sys
from pathlib import Path


# The tour, in Markdown: paragraphs, and examples that are indented by four spaces.
TOUR = Path(__file__).resolve().with_name("command-line.md")


def tell(program, *arguments):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True, env=environment).stdout


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = "".join(letter if ord(letter) < 128 else f"\\[u{ord(letter):04X}]" for letter in text)
    return "\\&" + text if text.startswith(".") else text


def rows(text, heading):
    """The entries of a list: what stands left, and what stands right of it."""
    section = text.split(f"{heading}:\n", 1)[1].split("\n\n", 1)[0] if f"{heading}:\n" in text else ""
    for line in section.splitlines():
        match = re.match(r"\s+(\S.*?)(?:\s{2,}|\s(?=[A-Z]))(\S.*)", line)
        if match:
            yield match.groups()


def options_of(program, name):
    return list(rows(tell(program, name, "--help"), "Application Options"))


def option_list(options):
    for left, right in options:
        yield ".TP"
        yield f".B {escape(left)}"
        yield escape(right)


def command_page(program, name, common):
    text = tell(program, name, "--help")
    usage, _, rest = text.partition("\n\n")
    yield f".SS {escape(usage.splitlines()[1].strip())}"
    yield escape(rest.split("\n\n", 1)[0].strip())
    yield from option_list(option for option in options_of(program, name) if option not in common)


def tour(text):
    for block in text.strip().split("\n\n"):
        yield ".PP"
        lines = block.splitlines()
        if block.startswith("    "):
            yield from (".nf", *(escape(line) for line in lines), ".fi")
        else:
            yield from (escape(re.sub(r"`([^`]*)`|\*([^*` ]+)\*", r"\1\2", line)) for line in lines)


def page(program, version):
    text = tell(program, "--help")
    commands = [name for name, _ in rows(text, "Commands")]
    assert "export" in commands and "derive" in commands, text
    yield f'.TH HEDDLE 1 "" "heddle {version}" "User Commands"'
    yield ".SH NAME"
    yield "heddle \\- draw neural circuit diagrams and derive GPU kernels from them"
    yield ".SH SYNOPSIS"
    yield ".B heddle"
    yield ".RI [ FILE \\|.\\|.\\|.]"
    yield ".br"
    yield ".B heddle"
    yield ".IR COMMAND \" [\" OPTION \\|.\\|.\\|.]"
    yield ".SH DESCRIPTION"
    yield "Without a command, opens windows. With one, works without a display."
    every = [options_of(program, name) for name in commands]
    common = [option for option in every[0] if sum(option in options for options in every) > len(every) / 2]
    yield ".SH COMMANDS"
    for name in commands:
        yield from command_page(program, name, common)
    yield ".SH COMMON OPTIONS"
    yield "Most commands take these;"
    yield ".B heddle"
    yield ".I COMMAND"
    yield ".B \\-\\-help"
    yield "tells which."
    yield from option_list(common)
    yield ".SH EXIT STATUS"
    yield escape(re.search(r"Exit status: (.*)", text).group(1))
    yield ".SH EXAMPLES"
    yield from tour(TOUR.read_text(encoding="utf-8"))
    yield ".SH FILES"
    yield ".TP"
    yield ".I ~/.local/share/heddle/hardware"
    yield "Machines of one\\(aqs own, beside those that are installed."
    yield ".TP"
    yield ".I ~/.local/state/heddle/drafts"
    yield "What is not saved yet, offered again after a crash."


if __name__ == "__main__":
    print("\n".join(page(sys.argv[1], sys.argv[2])))
