#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""man-page.py PROGRAM VERSION: the manual page, made of what the program itself tells with --help."""

import os
import re
import subprocess
import sys


def tell(program, *arguments):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True, env=environment).stdout


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def rows(text, heading):
    """The entries of a list: what stands left, and what stands right of it."""
    section = text.split(f"{heading}:\n", 1)[1].split("\n\n", 1)[0] if f"{heading}:\n" in text else ""
    for line in section.splitlines():
        match = re.match(r"\s+(\S.*?)(?:\s{2,}|\s(?=[A-Z]))(\S.*)", line)
        if match:
            yield match.groups()


def command_page(program, name):
    text = tell(program, name, "--help")
    usage, _, rest = text.partition("\n\n")
    yield f".SS {escape(usage.splitlines()[1].strip())}"
    yield escape(rest.split("\n\n", 1)[0].strip())
    for left, right in rows(text, "Application Options"):
        yield ".TP"
        yield f".B {escape(left)}"
        yield escape(right)


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
    yield ".SH COMMANDS"
    for name in commands:
        yield from command_page(program, name)
    yield ".SH EXIT STATUS"
    yield escape(re.search(r"Exit status: (.*)", text).group(1))
    yield ".SH FILES"
    yield ".TP"
    yield ".I ~/.local/share/heddle/hardware"
    yield "Machines of one\\(aqs own, beside those that are installed."
    yield ".TP"
    yield ".I ~/.local/state/heddle/drafts"
    yield "What is not saved yet, offered again after a crash."


if __name__ == "__main__":
    print("\n".join(page(sys.argv[1], sys.argv[2])))
