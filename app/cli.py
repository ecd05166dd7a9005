"""The `specdec` command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from . import embed, server


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (by default this process's own) and return its exit status."""
    parser = argparse.ArgumentParser(prog="specdec", description="See why speculative decoding changes not one output probability.")
    commands = parser.add_subparsers(metavar="command", required=True)
    for name, what, part in (("serve", "show the pages on this machine", server),
                             ("export", "write a section as one HTML file", embed)):
        command = commands.add_parser(name, help=what, description=part.__doc__)
        part.add_arguments(command)
        command.set_defaults(run=part.run)
    args = parser.parse_args(argv)
    return args.run(args)


if __name__ == "__main__":
    raise SystemExit(main())
