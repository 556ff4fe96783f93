"""Writes maps and lists as the YAML that foresee reads: blocks for what is long, flow for what is short, and quotes
where a word would be torn apart."""

import re

PLAIN = re.compile(r"^[A-Za-z_$][A-Za-z0-9_.$/]*$")
NUMBER = re.compile(r"^-?[0-9]+(\.[0-9]+)?$")
# What YAML reads as something else than a word.
WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}


def decimal(value, digits):
    """A whole number of tenths, hundredths, ... as a decimal number with no more digits than are needed."""
    sign = "-" if value < 0 else ""
    whole, part = divmod(abs(value), 10**digits)
    return f"{sign}{whole}.{part:0{digits}d}".rstrip("0").rstrip(".") if part else f"{sign}{whole}"


class Written(str):
    """A scalar that is written as it stands: a number."""


def m(mm):
    """Millimetres (or grams, or thousandths) as the number that a file holds."""
    return Written(decimal(mm, 3))


def half(mm):
    """Half of so many millimetres."""
    return Written(decimal(5 * mm, 4))


def percent(hundredths):
    return Written(decimal(hundredths, 2))


def point(*mm):
    return [m(value) for value in mm]


def scalar(value, flow=False):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, Written)):
        return str(value)
    if PLAIN.match(value) and value not in WORDS:
        return value
    if not flow and re.match(r"^[A-Za-z_][A-Za-z0-9_(), \[\]?$#@.=-]*$", value) and ": " not in value and " #" not in value:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def key_of(key):
    return key if PLAIN.match(key) else f'"{key}"'


def flow(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_of(k)}: {flow(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    return scalar(value, flow=True)


def block(value, indent=0, width=110):
    """A map or list as block lines. What fits into a line stands in flow style unless it is a list of maps."""
    pad = "  " * indent
    lines = []
    if isinstance(value, dict):
        for key, item in value.items():
            lines += entry(f"{pad}{key_of(key)}:", item, indent, width)
    else:
        for item in value:
            if isinstance(item, dict) and not fits(item, len(pad) + 2, width):
                inner = block(item, indent + 1, width)
                inner[0] = f"{pad}- {inner[0].lstrip()}"
                lines += inner
            elif isinstance(item, (dict, list)):
                lines.append(f"{pad}- {flow(item)}")
            else:
                lines.append(f"{pad}- {scalar(item)}")
    return lines


def entry(head, item, indent, width):
    if isinstance(item, (dict, list)):
        if fits(item, len(head) + 1, width):
            return [f"{head} {flow(item)}"]
        return [head] + block(item, indent + 1, width)
    return [f"{head} {scalar(item)}"]


def fits(item, used, width):
    if isinstance(item, list) and any(isinstance(part, dict) for part in item) and len(item) > 1:
        return False
    return used + len(flow(item)) <= width
