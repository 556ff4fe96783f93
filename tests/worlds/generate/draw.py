"""Draws that are keyed by name: the same seed and the same name give the same number on every machine, and one more
draw somewhere shifts no other. Only whole numbers are drawn; lengths are in millimetres, masses in grams."""

import hashlib


class Draws:
    """The draws of one seed, under a prefix that `under` extends."""

    def __init__(self, seed, prefix=""):
        self.seed = seed
        self.prefix = prefix

    def under(self, name):
        return Draws(self.seed, f"{self.prefix}/{name}")

    def _bits(self, name):
        key = f"{self.seed}{self.prefix}/{name}".encode()
        return int.from_bytes(hashlib.sha256(key).digest()[:8], "big")

    def number(self, name, low, high, step=1):
        """A whole number from low to high, both included, in steps from low."""
        return low + step * (self._bits(name) % ((high - low) // step + 1))

    def chance(self, name, percent):
        return self._bits(name) % 100 < percent

    def choice(self, name, items):
        return items[self._bits(name) % len(items)]

    def shuffled(self, name, items):
        """The items in a drawn order."""
        return [item for _, _, item in sorted((self._bits(f"{name}/{i}"), i, item) for i, item in enumerate(items))]

    def some(self, name, items, count):
        return self.shuffled(name, items)[:count]
