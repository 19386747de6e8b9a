#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Translations: how much of each language there is, and no text of the window that is not marked.

test-translations.py ROOT        the floor that each language is above, and the marks
test-translations.py ROOT --all  that nothing of any language is missing or doubtful (the suite `long`: a new text may wait for a day)
"""

import re
import subprocess
import sys
from pathlib import Path

from tap import Tap

FLOOR = 0.85
RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}

# What a person reads, in a template; an id, a style or an icon is none.
READ_PROPERTIES = {"label", "title", "subtitle", "tooltip-text", "placeholder-text", "description", "primary-text", "secondary-text"}
PROPERTY = re.compile(r'<(?:property|attribute) name="([a-z-]+)"([^>]*)>([^<]*)<')

# Functions of which a string in quotes is read by a person, wherever among the arguments it stands.
READ_FUNCTIONS = (
    "gtk_label_new", "gtk_label_new_with_mnemonic", "gtk_label_set_text", "gtk_button_new_with_label", "gtk_button_new_with_mnemonic",
    "gtk_button_set_label", "gtk_check_button_new_with_label", "gtk_check_button_new_with_mnemonic", "gtk_menu_button_set_label",
    "gtk_widget_set_tooltip_text", "heddle_tooltip_set", "adw_preferences_row_set_title", "adw_action_row_set_subtitle",
    "adw_preferences_group_set_title", "adw_preferences_group_set_description", "adw_preferences_page_set_title",
    "adw_message_dialog_new", "adw_message_dialog_set_heading", "adw_message_dialog_set_body", "adw_message_dialog_add_response",
    "adw_toast_new", "g_menu_append", "g_menu_append_submenu", "gtk_window_set_title", "gtk_stack_add_titled", "heddle_editor_report",
    "gtk_file_chooser_native_new", "gtk_file_filter_set_name", "gtk_entry_set_placeholder_text", "gtk_search_entry_set_placeholder_text",
)
CALL = re.compile(r"\b(" + "|".join(READ_FUNCTIONS) + r") \(")
MARKED = re.compile(r'(?<![A-Za-z0-9_])(?:N?C?_|ngettext|g_dgettext|gettext) \((?:[^()"]|"(?:[^"\\]|\\.)*")*\)')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"[A-Za-z]{2}")
# Names of responses, actions, pages and formats, all in small letters, are read by the program.
INTERNAL = re.compile(r"^(?:[a-z0-9.:-]+|(?:[^A-Za-z%]|%[a-zA-Z0-9.*]+)*)$")


def counts(path):
    """Messages that are there, and that have a translation nobody doubts."""
    said = subprocess.run(["msgfmt", "--statistics", "--output-file=/dev/null", path], capture_output=True, text=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=True).stderr
    numbers = {kind: int(number) for number, kind in re.findall(r"(\d+) (translated|fuzzy|untranslated)", said)}
    return numbers.get("translated", 0), sum(numbers.values())


def unmarked_in_template(text):
    return [value for name, marks, value in PROPERTY.findall(text)
            if name in READ_PROPERTIES and WORD.search(value) and "translatable=" not in marks]


def indented_in_template(text):
    """Texts of several lines that were moved to the right with the template: a person would see the spaces."""
    return [value for name, _marks, value in PROPERTY.findall(text) if name in READ_PROPERTIES and re.search(r"\n[ \t]", value)]


def arguments_at(text, start):
    """The text between a call's parentheses; `start` is behind the opening one."""
    depth, at = 1, start
    while depth and at < len(text):
        string = STRING.match(text, at)
        if string:
            at = string.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return text[start:at]


def unmarked_in_code(text):
    found = []
    for call in CALL.finditer(text):
        bare = MARKED.sub("", arguments_at(text, call.end()))
        found += [string for string in STRING.findall(bare) if WORD.search(string) and not INTERNAL.match(string)]
    return found


def check_marks(tap, root):
    assert unmarked_in_code('gtk_label_new ("Two Words"); g_menu_append (m, _ ("_Save"), "win.save");') == ["Two Words"]
    assert unmarked_in_template('<property name="label">Save</property><property name="icon-name">document-save</property>') == ["Save"]
    assert indented_in_template('<property name="label">one\n  two</property>') == ["one\n  two"]
    indented = [f"{path.name}: “{text}”" for path in sorted((root / "ui").rglob("*.ui")) for text in indented_in_template(path.read_text(encoding="utf-8"))]
    tap.check("/translations/indented", "; ".join(indented) or None)
    for folder, suffix, find in (("ui", "*.ui", unmarked_in_template), ("src/app", "*.c", unmarked_in_code)):
        found = [f"{path.relative_to(root)}: “{text}”" for path in sorted((root / folder).rglob(suffix))
                 for text in find(path.read_text(encoding="utf-8"))]
        tap.check(f"/translations/marked/{folder}", "; ".join(found) or None)


# What is printed on a German keyboard.
KEYS = {"Strg": "Ctrl", "Umschalt": "Shift", "Entf": "Delete", "Eingabe": "Enter"}


def shape(text):
    """What a page has in every language: its heads, its points, its links, and what a person types or presses."""
    typed = re.findall(r"`([^`]*)`", text)
    keys = [re.sub(r"^\w+(\+(\w+|\.))*$", lambda keys: "+".join(KEYS.get(key, key) for key in keys[0].split("+")), part) for part in typed]
    return re.findall(r"^(#+ |- )", text, re.MULTILINE), re.findall(r"\]\(([^)]*)\)", text), keys, text.count("**")


def check_help(tap, root, languages):
    """The help in every language, page by page and point by point."""
    folder = root / "data" / "help"
    for page in sorted(folder.glob("*.md")):
        for language in languages:
            own = folder / language / page.name
            text = own.read_text(encoding="utf-8") if own.exists() else ""
            tap.equal(f"/translations/help/{language}/{page.stem}", shape(text), shape(page.read_text(encoding="utf-8")))


def main():
    root, everything, tap = Path(sys.argv[1]), "--all" in sys.argv[2:], Tap()
    languages = (root / "po" / "LINGUAS").read_text(encoding="utf-8").split()
    for language in languages:
        done, all_of_them = counts(root / "po" / f"{language}.po")
        enough = done == all_of_them if everything else done >= FLOOR * all_of_them
        tap.check(f"/translations/{'all' if everything else 'floor'}/{language}", None if enough else f"{done} of {all_of_them} are translated")
    if not everything:
        tap.check("/translations/right-to-left", None if RIGHT_TO_LEFT & set(languages) else "no language is written from right to left")
        check_marks(tap, root)
        check_help(tap, root, languages)
    tap.finish()


if __name__ == "__main__":
    main()
