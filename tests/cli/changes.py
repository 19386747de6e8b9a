# SPDX-License-Identifier: MIT
"""Changes of a document that change nothing of what it says: identities, and the order that things stand in."""

SPACE = "{https://heddle.github.io/ns/ncd}"
# What holds names, formulas and words, not identities.
WORDS = ("name", "body", "kind", "of", "title")


def rename(root, draw):
    """Every identity becomes another."""
    renamed = {}
    for element in root.iter():
        if element.get("id"):
            renamed.setdefault(element.get("id"), f"n{draw.randrange(10 ** 6)}.{len(renamed)}")
    for element in root.iter():
        for key, value in element.attrib.items():
            if key not in WORDS:
                element.set(key, " ".join(renamed.get(word, word) for word in value.split(" ")))


def shuffle(root, draw, tag):
    """The elements of one kind stand in another order."""
    for diagram in root.find(SPACE + "meaning"):
        places = [i for i, element in enumerate(diagram) if element.tag == SPACE + tag]
        elements = [diagram[i] for i in places]
        draw.shuffle(elements)
        for place, element in zip(places, elements):
            diagram[place] = element


def made(operation):
    return operation.get("result", "").split(" ") + operation.get("results", "").split(" ")


def read(operation):
    return operation.get("operands", "").split(" ")


def reorder(root, draw):
    """Operations come in another order, each after what it reads; True where that is not the one they had."""
    moved = False
    for diagram in root.find(SPACE + "meaning"):
        places = [i for i, element in enumerate(diagram) if element.tag == SPACE + "operation"]
        left = [diagram[i] for i in places]
        before = list(left)
        for place in places:
            waiting = {value for operation in left for value in made(operation) if value}
            ready = [operation for operation in left if not waiting.intersection(read(operation))]
            diagram[place] = draw.choice(ready)
            left.remove(diagram[place])
        moved = moved or before != [diagram[i] for i in places]
    return moved
