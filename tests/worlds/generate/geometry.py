"""Plane geometry in whole millimetres. Furniture is turned by quarter turns, so that all corners stay whole numbers."""

from collections import namedtuple

Rect = namedtuple("Rect", "x0 y0 x1 y1")


def turned(x, y, quarters):
    """The point turned about the origin by so many quarter turns to the left."""
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def rect_of(x, y, quarters, rect):
    """A rectangle of a local frame that stands at x, y, turned by quarter turns, in the room's frame."""
    ax, ay = turned(rect.x0, rect.y0, quarters)
    bx, by = turned(rect.x1, rect.y1, quarters)
    return Rect(x + min(ax, bx), y + min(ay, by), x + max(ax, bx), y + max(ay, by))


def grown(rect, by):
    return Rect(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by)


def overlap(a, b):
    return a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1


def inside(a, b):
    """Returns whether a lies within b."""
    return a.x0 >= b.x0 and a.y0 >= b.y0 and a.x1 <= b.x1 and a.y1 <= b.y1


def gap_squared(x, y, rect):
    """The squared distance of a point from a rectangle; 0 inside."""
    dx = max(rect.x0 - x, 0, x - rect.x1)
    dy = max(rect.y0 - y, 0, y - rect.y1)
    return dx * dx + dy * dy
