# SPDX-License-Identifier: MIT
"""What goes wrong before there is a sample."""


class Misused(Exception):
    """What was asked for cannot be: exit 2."""
