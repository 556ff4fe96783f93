"""Things that can be carried: their types with all ways of taking hold that the library knows, and where they stand."""

from dataclasses import dataclass, field

from geometry import Rect, turned
from text import half, m, percent, point

COLORS = ["red", "green", "blue", "yellow", "orange", "purple", "black", "pink", "turquoise", "white"]


@dataclass
class Grasp:
    """A way of taking hold, for the text and for the independent check. Heights are over the thing's lower face."""

    way: str  # top, rim, side, handle
    width: int
    height: int  # of the pads' middle
    lever: int  # of the centre of mass about the pads, mm
    text: dict


@dataclass
class Type:
    name: str
    mass: int
    radius: int  # of a circle about its footprint
    height: int
    shapes: list
    grasps: list
    extra: dict = field(default_factory=dict)
    both: bool = False
    rests_at: int = 0  # where something that stands on it rests, over its lower face; 0: its height
    footprint: tuple = None  # along x and y of what is no round thing

    def area(self):
        return self.footprint or (2 * self.radius, 2 * self.radius)

    def text(self):
        value = {"material": self.extra.get("material", "ceramic"), "mass": m(self.mass), "shapes": self.shapes}
        value.update({k: v for k, v in self.extra.items() if k != "material"})
        value["grasps"] = [grasp.text for grasp in self.grasps]
        return value


@dataclass
class Thing:
    name: str
    type: Type
    color: str
    on: str
    x: int
    y: int
    yaw: int
    fill: dict = None
    lifted: int = 0  # over the surface: it stands on another thing


def top(width, low, high, height, facets=0, lever=0):
    return Grasp("top", width, max((low + high) // 2, height - 35), lever,
                 {"top": {"radius": 0, "width": m(width), "low": m(low), "high": m(high), **({"facets": facets} if facets else {})}})


def rim(radius, wall, low, high, facets):
    return Grasp("rim", wall, max(low + 23, high - 35), radius - wall // 2,
                 {"top": {"radius": half(2 * radius - wall), "width": m(wall), "low": m(low), "high": m(high), "facets": facets}})


def side(width, low, high, facets=0, lever=0):
    return Grasp("side", width, min(max(65, low + 20), high - 20), lever,
                 {"side": {"width": m(width), "low": m(low), "high": m(high), **({"facets": facets} if facets else {})}})


# ---- the catalogue ----


def cup(d, name):
    r, h = d.number("radius", 30, 42), d.number("height", 90, 120, 5)
    ways = [top(2 * r, h // 2, h, h), side(2 * r, 20, h - 10)]
    return Type(name, d.number("mass", 120, 400, 10), r, h, [{"cylinder": point(r, h), "at": [0, 0, half(h)]}], pick(d, ways))


def can(d, name):
    r, h = d.number("radius", 30, 40), d.number("height", 95, 140, 5)
    ways = [top(2 * r, h // 2, h, h), side(2 * r, 10, h - 10)]
    return Type(name, d.number("mass", 200, 700, 10), r, h, [{"cylinder": point(r, h), "at": [0, 0, half(h)]}], pick(d, ways),
                {"material": "metal"})


def mug(d, name):
    r, wall, h = d.number("radius", 37, 46), d.number("wall", 5, 8), d.number("height", 90, 110, 5)
    shapes = [
        {"cylinder": point(r - 4, 8), "at": point(0, 0, 4)},
        {"ring": {"radius": m(r), "thickness": m(wall), "height": m(h - 8), "facets": 8}, "at": point(0, 0, 8)},
    ]
    ways = [side(2 * r, 20, h - 10, 8), rim(r, wall, h // 2, h, 8)]
    extra = {"interior": {"cylinder": point(r - wall - 1, h - 8), "at": [0, 0, half(h + 8)]}, "tags": ["dish"]}
    return Type(name, d.number("mass", 180, 350, 10), r + 4, h, shapes, ways, extra)


def bowl(d, name):
    r, wall, h = d.number("radius", 66, 88, 2), d.number("wall", 7, 10), d.number("height", 50, 70, 2)
    shapes = [
        {"cylinder": point(r - 4, 8), "at": point(0, 0, 4)},
        {"ring": {"radius": m(r), "thickness": m(wall), "height": m(h - 8), "facets": 8}, "at": point(0, 0, 8)},
    ]
    extra = {"interior": {"cylinder": point(r - wall - 2, h - 8), "at": [0, 0, half(h + 8)]}, "tags": ["dish"]}
    return Type(name, d.number("mass", 200, 400, 10), r + 8, h, shapes, [rim(r, wall, 15, h, 8)], extra, rests_at=8)


def plate(d, name):
    r, wall, h = d.number("radius", 90, 120, 5), d.number("wall", 8, 11), d.number("height", 35, 48)
    shapes = [
        {"cylinder": point(r, 10), "at": point(0, 0, 5)},
        {"ring": {"radius": m(r), "thickness": m(wall), "height": m(h - 10), "facets": 8}, "at": point(0, 0, 10)},
    ]
    extra = {"interior": {"cylinder": point(r - wall - 1, h - 10), "at": [0, 0, half(h + 10)]}, "tags": ["dish"]}
    return Type(name, d.number("mass", 200, 420, 10), r + 8, h, shapes, [rim(r, wall, 12, h, 8)], extra, rests_at=10)


def block(d, name):
    length, w, h = d.number("length", 50, 90, 5), d.number("width", 40, 70, 5), d.number("height", 40, 80, 5)
    radius = (length * 6 + w * 4) // 10  # not less than half the diagonal
    ways = [top(w, h // 4, h, h)]
    if h >= 80:
        ways.append(side(w, 10, h, 2))
    return Type(name, d.number("mass", 80, 400, 10), radius, h, [{"box": point(length, w, h), "at": [0, 0, half(h)]}], ways,
                {"material": "wood"}, footprint=(length, w))


def brick(d, name):
    length, w, h = d.number("length", 140, 220, 10), d.number("width", 45, 70, 5), d.number("height", 50, 75, 5)
    return Type(name, d.number("mass", 200, 700, 20), (length * 6) // 10, h,
                [{"box": point(length, w, h), "at": [0, 0, half(h)]}], [top(w, 10, h, h)], {"material": "wood"},
                footprint=(length, w))


def remote(d, name):
    length, w, h = d.number("length", 140, 190, 10), d.number("width", 40, 55, 5), d.number("height", 22, 30)
    return Type(name, d.number("mass", 80, 180, 10), (length * 6) // 10, h,
                [{"box": point(length, w, h), "at": [0, 0, half(h)]}], [top(w, 0, h, h)], {"material": "plastic"},
                footprint=(length, w))


def carton(d, name):
    w, t, h = d.number("width", 140, 220, 10), d.number("depth", 50, 90, 5), d.number("height", 180, 300, 10)
    # From the side it is held at its narrow end, before its middle.
    ways = [top(t, h - 60, h, h), side(t, 30, h - 40, 2, lever=w // 2 - 35)]
    return Type(name, d.number("mass", 200, 600, 20), (w * 6) // 10, h,
                [{"box": point(w, t, h), "at": [0, 0, half(h)]}], pick(d, ways), {"material": "cardboard"}, footprint=(w, t))


def bottle(d, name):
    r, h = d.number("radius", 30, 40), d.number("height", 150, 190, 5)
    neck, tall = d.number("neck", 13, 17), d.number("tall", 60, 80, 5)
    shapes = [
        {"cylinder": point(r, h), "at": [0, 0, half(h)]},
        {"cylinder": point(neck, tall), "at": [0, 0, half(2 * h + tall)]},
    ]
    ways = [side(2 * r, 20, h - 20), top(2 * neck, h + 5, h + tall, h + tall)]
    return Type(name, d.number("mass", 300, 900, 20), r, h + tall, shapes, pick(d, ways), {"material": "plastic"})


def jug(d, name):
    """A jug with an upright bar as handle."""
    r, h = d.number("radius", 45, 55), d.number("height", 140, 180, 10)
    at, z = r + 45, h // 2
    shapes = [
        {"cylinder": point(r, h), "at": [0, 0, half(h)]},
        {"cylinder": point(8, 100), "at": point(at, 0, z)},
        {"box": point(46, 12, 12), "at": point(at - 23, 0, z + 44)},
        {"box": point(46, 12, 12), "at": point(at - 23, 0, z - 44)},
    ]
    text = {"handle": {"position": point(at, 0, z), "rpy": [0, -90, 0]}, "width": m(16)}
    return Type(name, d.number("mass", 200, 400, 20), at + 8, h, shapes, [Grasp("handle", 16, z, at, text)])


def tray(d, name):
    """A board with a rim, and a bar at each end for two hands, as the shipped one; of other measures."""
    w, depth = d.number("width", 380, 460, 20), d.number("depth", 260, 320, 20)
    arm = d.number("arm", 62, 90, 2)
    bar = w // 2 + arm
    ends = []
    for s in (-1, 1):
        ends.append({"cylinder": point(8, 160), "at": {"position": point(s * bar, 0, 50), "rpy": [90, 0, 0]}})
    for s in (-1, 1):
        for y in (74, -74):
            ends.append({"box": point(arm + 10, 12, 12), "at": {"position": [m(s * (bar - arm // 2)), m(y), m(39)], "rpy": [0, -s * 1170 // arm, 0]}})
    shapes = [
        {"box": point(w, depth, 10), "at": point(0, 0, 5)},
        {"box": point(8, depth, 26), "at": point(-w // 2 + 4, 0, 23)},
        {"box": point(8, depth, 26), "at": point(w // 2 - 4, 0, 23)},
        {"box": point(w - 16, 8, 26), "at": point(0, -depth // 2 + 4, 23)},
        {"box": point(w - 16, 8, 26), "at": point(0, depth // 2 - 4, 23)},
    ] + ends
    grasps = [Grasp("handle", 16, 50, 0, {"handle": {"position": point(s * bar, 0, 50), "rpy": [180, 0, 90]}, "width": m(16), "both": 1})
              for s in (-1, 1)]
    extra = {"material": "plastic", "interior": {"box": point(w - 16, depth - 16, 120), "at": point(0, 0, 70)}, "tags": ["carrier"]}
    return Type(name, d.number("mass", 400, 900, 50), bar + 10, 60, shapes, grasps, extra, both=True, rests_at=10,
                footprint=(w, depth))


def pick(d, ways):
    """Both ways, or one of them."""
    return d.choice("ways", [ways, ways, [ways[0]], [ways[1]]])


TYPES = {"cup": cup, "can": can, "mug": mug, "bowl": bowl, "plate": plate, "block": block, "brick": brick, "remote": remote,
         "carton": carton, "bottle": bottle, "jug": jug, "tray": tray}


def materials(d):
    """Materials and pairs of a world; the pads hold at least as well as the robot believes they do, or nearly."""
    pads = d.number("pads", 70, 100, 5)
    dish = d.number("dish", 30, 60, 5)
    return {
        "pad": {"friction": percent(pads)},
        "ceramic": {"friction": percent(dish)},
        "wood": {"friction": percent(d.number("wood", 40, 60, 5))},
        "stone": {"friction": percent(60)},
        "metal": {"friction": percent(d.number("metal", 30, 50, 5))},
        "plastic": {"friction": percent(d.number("plastic", 35, 50, 5))},
        "cardboard": {"friction": percent(50)},
    }, [{"a": "pad", "b": "any", "friction": percent(pads)}], pads


# ---- where things stand ----

GAP = 75  # mm between things, for the fingers


class Shelf:
    """Gives free spots on one surface, near the sides from which it can be reached."""

    def __init__(self, surface):
        self.surface = surface
        self.taken = []

    def spot(self, d, radius, gap=GAP, deepest=330):
        """A free spot of the surface for something of that radius, or None. `deepest`: how far from the edge at most."""
        r = self.surface.rect
        edge = max(20, radius // 4)
        x0, x1, y0, y1 = r.x0 + radius + edge, r.x1 - radius - edge, r.y0 + radius + edge, r.y1 - radius - edge
        if x1 < x0 or y1 < y0:
            return None
        for tried in range(300):
            t = d.under(str(tried))
            x, y = t.number("x", x0, x1, 5), t.number("y", y0, y1, 5)
            reach = []
            if "front" in self.surface.sides:
                reach.append(y - r.y0)
            if "back" in self.surface.sides:
                reach.append(r.y1 - y)
            if "left" in self.surface.sides:
                reach.append(x - r.x0)
            if "right" in self.surface.sides:
                reach.append(r.x1 - x)
            if min(reach) > max(deepest, radius + edge):
                continue
            if all((x - ox) ** 2 + (y - oy) ** 2 >= (radius + other + gap) ** 2 for ox, oy, other in self.taken):
                self.taken.append((x, y, radius))
                return x, y
        return None

    def take(self, x, y, radius):
        self.taken.append((x, y, radius))


def in_room(piece, surface_body, thing):
    """Where a thing stands in the room, mm."""
    surface = piece.surface(surface_body)
    x, y = piece.in_room(thing.x, thing.y)
    return x, y, surface.height + thing.lifted
