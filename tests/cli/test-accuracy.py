#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""accuracy: predicted times beside published ones."""

from heddle import Folder, Tap


def check_own(tap, found, own):
    """Kernels that Heddle emitted, as an H100 and an H200 took them, beside what derive says of them: 84 of 100 within 25 %, and all within twice."""
    near = [row for row in own if 1 / 1.25 <= row["ratio"] <= 1.25]
    tap.check("/accuracy/own/points", None if len(own) >= 110 else len(own))
    tap.check("/accuracy/own/share", None if len(near) >= 0.84 * len(own) else sorted((row["ratio"], row["series"]) for row in own if row not in near))
    tap.equal("/accuracy/own/twice", {row["series"] for row in own if not 0.5 <= row["ratio"] <= 2}, set())
    tap.equal("/accuracy/own/pairs", [row for row in own if row["series"] == "rotary" and not 0.9 <= row["ratio"] <= 1.1], [])
    tap.equal("/accuracy/own/counted", (found["own"]["points"], found["own"]["within_25_percent"]), (len(own), len(near)))


def main():
    tap, folder = Tap(), Folder()
    found = folder.json("accuracy")
    own = [row for row in found["points"] if row["kind"] == "kernel"]
    points = [row for row in found["points"] if row["kind"] != "kernel"]
    held_out = [row for row in points if row["held_out"]]
    tap.check("/accuracy/points", None if len(points) >= 60 and len(held_out) * 4 >= len(points) else (len(points), len(held_out)))
    within = [row for row in points if 1 / 1.15 <= row["ratio"] <= 1.15]
    tap.equal("/accuracy/share", (found["all"]["points"], found["all"]["within_15_percent"]), (len(points), len(within)))
    tap.equal("/accuracy/held-out", found["held_out"]["points"], len(held_out))
    tap.check("/accuracy/published", None if len(within) >= 0.85 * len(points) else (len(within), len(points)))
    check_own(tap, found, own)
    tap.check("/accuracy/ratio", [row["series"] for row in points + own if abs(row["predicted"] / row["published"] - row["ratio"]) > 1e-9])
    tap.check("/accuracy/parts", [row["series"] for row in points + own if abs(sum(part["s"] for part in row["parts"]) - row["expected_s"]) > 1e-12])
    tap.check("/accuracy/sources", [row["series"] for row in points + own if not row["source"] or not row["address"].startswith("https://")])
    text = folder.output("accuracy", "--only", "h200-sxm", "--parts")
    tap.check("/accuracy/table", None if "H200 scale" in text and "QuACK" not in text and "tensor cores would take" in text else text)
    tap.check("/accuracy/last-lines", None if "held out" in text.splitlines()[-2] and "within 15 %" in text.splitlines()[-1] else text)
    said = folder.failure(2, "accuracy", "--only", "no-such-kernel")
    tap.check("/accuracy/unknown", None if "no-such-kernel" in said else said)
    tap.check("/accuracy/file", None if "no file" in folder.failure(2, "accuracy", "a.eq") else "a file is taken")
    tap.finish()


main()
