# SPDX-License-Identifier: MIT
"""python -m heddle_score prepare|run|score"""

import argparse
import json
import sys
from pathlib import Path

from .errors import Misused
from .graphs import operators, read_list
from .score import table


def parse(arguments):
    parser = argparse.ArgumentParser(prog="python -m heddle_score", description="Scores what heddle optimise makes of a list of graphs.")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("prepare", help="where Heddle is: optimise, compare, predict")
    make.add_argument("--gpu", default="h100", help="the machine that kernels are made for")
    make.add_argument("--list", metavar="FILE", help="a graph in each line (default: the single operators of the package)")
    make.add_argument("--only", nargs="+", metavar="NAME", help="of the single operators")
    make.add_argument("--heddle", default="heddle", metavar="PROGRAM")
    make.add_argument("-o", "--output", required=True, metavar="FOLDER")
    go = commands.add_parser("run", help="where a GPU and PyTorch are: measure")
    go.add_argument("folder")
    go.add_argument("--repeat", type=int, default=50)
    told = commands.add_parser("score", help="print S(t), ES(t) and fast_p")
    told.add_argument("folder")
    told.add_argument("--penalty", type=float, default=0.0, metavar="P", help="how much more a slowdown counts (p)")
    told.add_argument("--failed", type=float, default=0.1, metavar="B", help="what a graph that failed counts as (b)")
    return parser.parse_args(arguments)


def print_scores(options):
    folder = Path(options.folder)
    found = False
    for name, kind in (("measured.json", "measured"), ("samples.json", "predicted")):
        path = folder / name
        if not path.exists():
            continue
        found = True
        samples = json.loads(path.read_text(encoding="utf-8"))["samples"]
        print("\n".join(table(samples, kind, options.penalty, options.failed)))
        for sample in samples:
            if sample["failure"]:
                print(f"{sample['name']} failed: {sample['failure']}: {sample['why']}")
        print()
    if not found:
        raise Misused(f"{folder}: nothing was prepared there")


def main(arguments=None):
    options = parse(arguments)
    try:
        if options.command == "prepare":
            from .prepare import prepare  # noqa: PLC0415

            prepare(read_list(options.list) if options.list else operators(options.only), options.output, options.heddle, options.gpu)
        elif options.command == "run":
            from .measure import run  # noqa: PLC0415

            run(options.folder, options.repeat)
        else:
            print_scores(options)
    except Misused as error:
        print(f"heddle_score: {error}", file=sys.stderr)
        return 2
    except (OSError, RuntimeError) as error:
        print(f"heddle_score: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
