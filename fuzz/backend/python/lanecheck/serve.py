"""Answers lanecheck with a backend of a Python module: python3 -m lanecheck.serve MODULE:NAME

    lanecheck run --backend 'cmd: python3 -m lanecheck.serve my_sim:backend'

MODULE is found as `import` finds it, the current folder first. NAME is a lanecheck.Backend, a function run(machine) or
a dictionary of functions."""
import sys

from lanecheck._backend import load


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python3 -m lanecheck.serve MODULE:NAME")
    load(sys.argv[1]).serve()


if __name__ == "__main__":
    main()
