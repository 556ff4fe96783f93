"""A room and its furniture: sizes, heights, knee space, aisles, doors, drawers, shelves, bins, and where all of it stands.

A piece of furniture has its origin on the floor under its middle; its front looks to -y of its own frame. `yaw` counts
quarter turns to the left."""

from dataclasses import dataclass, field

from geometry import Rect, grown, inside, overlap, rect_of, turned
from text import half, m, point

WALL = 100


@dataclass
class Surface:
    """What things can stand on: a board of a piece, in the piece's frame."""

    body: str
    height: int
    rect: Rect
    sides: tuple  # from where it can be reached: front, back, left, right
    clearance: int = 0  # to the board above it; 0: nothing above
    wall: int = 0  # the height of the rim about it, of a bin or a drawer
    behind: str = ""  # the door or drawer that has to be opened first
    origin: tuple = (0, 0)  # of the body's own frame, in the piece's


@dataclass
class Joint:
    """A door or drawer: how it moves, and where its handle is, in the piece's frame."""

    name: str
    body: str
    kind: str
    handle: tuple
    reach: int  # how far it is pulled out, mm, or the radius of the door
    hinge: tuple = ()


@dataclass
class Piece:
    name: str
    kind: str
    width: int
    depth: int
    height: int
    color: str
    shapes: list
    against_wall: bool = True
    front: int = 1000  # free floor before its open sides
    sides: tuple = ("front",)
    surfaces: list = field(default_factory=list)
    joints: list = field(default_factory=list)
    part: dict = None  # of what has moving parts: the part of the world file
    interior: dict = None
    seats: int = 0  # floor at its front and back that chairs take
    x: int = 0
    y: int = 0
    yaw: int = 0

    def rect(self):
        return rect_of(self.x, self.y, self.yaw, Rect(-self.width // 2, -self.depth // 2, self.width // 2, self.depth // 2))

    def in_room(self, x, y):
        dx, dy = turned(x, y, self.yaw)
        return self.x + dx, self.y + dy

    def zones(self):
        """The floor before its open sides, which has to stay free."""
        w, d, f = self.width // 2, self.depth // 2, self.front
        local = {
            "front": Rect(-w, -d - f, w, -d),
            "back": Rect(-w, d, w, d + f),
            "left": Rect(-w - f, -d, -w, d),
            "right": Rect(w, -d, w + f, d),
        }
        if self.seats:
            local["front"] = Rect(-w, -d - self.seats, w, -d)
            local["back"] = Rect(-w, d, w, d + self.seats)
        sides = self.sides + (("front", "back") if self.seats else ())
        return [rect_of(self.x, self.y, self.yaw, local[side]) for side in sides]

    def surface(self, body=None):
        return next(s for s in self.surfaces if body in (None, s.body))


@dataclass
class Room:
    width: int
    depth: int
    pieces: list = field(default_factory=list)
    robot_at: tuple = (0, 0, 0)

    def piece(self, name):
        return next(p for p in self.pieces if p.name == name)

    def find(self, body):
        """The piece and the surface of that body."""
        return next((p, s) for p in self.pieces for s in p.surfaces if s.body == body)


def box(w, d, h, x=0, y=0, z=0):
    return {"box": point(w, d, h), "at": point(x, y, z)}


# ---- kinds of furniture ----


def counter(d, name):
    """A block: a counter, a sideboard, a workbench without knee space."""
    w, depth = d.number("width", 900, 2200, 100), d.number("depth", 450, 700, 50)
    h = d.number("height", 780, 960, 10)
    front = d.number("front", 950, 1500, 50)
    piece = Piece(name, "counter", w, depth, h, "gray", [box(w, depth, h, 0, 0, h // 2)], True, front)
    piece.surfaces = [Surface(name, h, Rect(-w // 2, -depth // 2, w // 2, depth // 2), ("front",))]
    return piece


def desk(d, name):
    """A board on two side panels, with knee space under it."""
    w, depth = d.number("width", 1000, 1800, 100), d.number("depth", 500, 800, 50)
    h = d.number("height", 680, 800, 10)
    front = d.number("front", 950, 1500, 50)
    shapes = [
        box(w, depth, 30, 0, 0, h - 15),
        box(30, depth - 40, h - 30, -w // 2 + 15, 0, (h - 30) // 2),
        box(30, depth - 40, h - 30, w // 2 - 15, 0, (h - 30) // 2),
        box(w - 60, 20, 300, 0, depth // 2 - 30, h - 180),
    ]
    piece = Piece(name, "desk", w, depth, h, "brown", shapes, True, front)
    piece.surfaces = [Surface(name, h, Rect(-w // 2, -depth // 2, w // 2, depth // 2), ("front",))]
    return piece


def table(d, name):
    """Four legs under a board, free in the room; reached from all sides but those where chairs stand."""
    w, depth = d.number("width", 900, 1600, 100), d.number("depth", 700, 900, 50)
    h = d.number("height", 660, 800, 10)
    front = d.number("front", 950, 1400, 50)
    leg = 60
    shapes = [box(w, depth, 40, 0, 0, h - 20)]
    for sx in (-1, 1):
        for sy in (-1, 1):
            shapes.append(box(leg, leg, h - 40, sx * (w // 2 - 50), sy * (depth // 2 - 50), (h - 40) // 2))
    piece = Piece(name, "table", w, depth, h, "brown", shapes, False, front, ("front", "back", "left", "right"))
    piece.surfaces = [Surface(name, h, Rect(-w // 2, -depth // 2, w // 2, depth // 2), piece.sides)]
    return piece


def low_table(d, name):
    """A coffee table or a bench: low, so that the torso has to come down."""
    w, depth = d.number("width", 600, 1100, 100), d.number("depth", 400, 600, 50)
    h = d.number("height", 420, 600, 20)
    front = d.number("front", 1000, 1400, 50)
    piece = Piece(name, "low_table", w, depth, h, "brown", [box(w, depth, h, 0, 0, h // 2)], True, front)
    piece.surfaces = [Surface(name, h, Rect(-w // 2, -depth // 2, w // 2, depth // 2), ("front",))]
    return piece


def shelf(d, name):
    """Boards between two side panels; things stand on its top."""
    w, depth = d.number("width", 700, 1200, 100), d.number("depth", 300, 420, 20)
    h = d.number("height", 760, 1000, 20)
    front = d.number("front", 950, 1500, 50)
    shapes = [
        box(w, depth, 30, 0, 0, h - 15),
        box(w - 60, depth - 20, 30, 0, 0, h // 2),
        box(30, depth, h - 30, -w // 2 + 15, 0, (h - 30) // 2),
        box(30, depth, h - 30, w // 2 - 15, 0, (h - 30) // 2),
        box(w - 60, 20, h - 30, 0, depth // 2 - 10, (h - 30) // 2),
    ]
    piece = Piece(name, "shelf", w, depth, h, "brown", shapes, True, front)
    piece.surfaces = [Surface(name, h, Rect(-w // 2, -depth // 2, w // 2, depth // 2), ("front",))]
    return piece


def bookcase(d, name):
    """A board with another one above it, so that things are taken from the side."""
    w, depth = d.number("width", 800, 1200, 100), d.number("depth", 300, 360, 20)
    h = d.number("height", 740, 900, 20)
    gap = d.number("gap", 400, 520, 20)
    front = d.number("front", 1000, 1500, 50)
    top = h + gap + 30
    shapes = [
        box(w, depth, 30, 0, 0, h - 15),
        box(w, depth, 30, 0, 0, h + gap + 15),
        box(30, depth, h + gap - 30, -w // 2 + 15, 0, (h + gap) // 2 - 15),
        box(30, depth, h + gap - 30, w // 2 - 15, 0, (h + gap) // 2 - 15),
        box(w - 60, 20, top - 60, 0, depth // 2 - 10, top // 2),
    ]
    piece = Piece(name, "bookcase", w, depth, top, "brown", shapes, True, front)
    piece.surfaces = [
        Surface(name, h, Rect(-w // 2 + 30, -depth // 2, w // 2 - 30, depth // 2 - 20), ("front",), clearance=gap)
    ]
    return piece


def bin_stand(d, name, height=None):
    """A bin with four walls on a block: what is tidied away goes into it."""
    w, depth = d.number("width", 320, 560, 20), d.number("depth", 300, 440, 20)
    stand = d.number("stand", 300, 700, 50) if height is None else height
    wall = d.number("wall", 60, 180, 20)
    bottom = d.number("bottom", 5, 20, 1)
    front = d.number("front", 950, 1400, 50)
    t = 12
    shapes = [
        box(w, depth, stand, 0, 0, stand // 2),
        {"box": point(w, depth, bottom), "at": [0, 0, half(2 * stand + bottom)]},
        box(w, t, wall, 0, -depth // 2 + t // 2, stand + bottom + wall // 2),
        box(w, t, wall, 0, depth // 2 - t // 2, stand + bottom + wall // 2),
        box(t, depth - 2 * t, wall, -w // 2 + t // 2, 0, stand + bottom + wall // 2),
        box(t, depth - 2 * t, wall, w // 2 - t // 2, 0, stand + bottom + wall // 2),
    ]
    piece = Piece(name, "bin", w, depth, stand + bottom + wall, "turquoise", shapes, True, front)
    inner = Rect(-w // 2 + t, -depth // 2 + t, w // 2 - t, depth // 2 - t)
    piece.interior = box(w - 2 * t, depth - 2 * t, wall, 0, 0, stand + bottom + wall // 2)
    piece.surfaces = [Surface(name, stand + bottom, inner, ("front",), wall=wall)]
    return piece


def cabinet(d, name):
    """A drawer under a top. The handle is a level bar."""
    w, depth = d.number("width", 400, 700, 20), d.number("depth", 440, 560, 20)
    h = d.number("height", 760, 940, 10)
    drawer = d.number("drawer", 150, 220, 10)  # the height of its front
    front = d.number("front", 1100, 1600, 50)
    z = h - 20 - drawer - 9  # the drawer's own origin: its lower face
    inner_w, inner_d = w - 60, depth - 80
    wall = drawer - 40
    bar = drawer // 2
    case = [
        box(w, depth, 20, 0, 0, h - 10),
        box(20, depth - 20, h - 20, -w // 2 + 10, 0, (h - 20) // 2),
        box(20, depth - 20, h - 20, w // 2 - 10, 0, (h - 20) // 2),
        box(w - 40, 20, h - 20, 0, depth // 2 - 20, (h - 20) // 2),
        box(w - 40, depth - 40, 20, 0, -10, z - 20),
        box(w - 40, 20, z - 40, 0, -depth // 2 + 20, (z - 40) // 2),
    ]
    # In the drawer's frame, whose origin is at the middle of its box.
    face = -inner_d // 2 - 10
    shapes = [
        box(inner_w, inner_d, 10, 0, 0, 5),
        box(10, inner_d, wall, -inner_w // 2 + 5, 0, 10 + wall // 2),
        box(10, inner_d, wall, inner_w // 2 - 5, 0, 10 + wall // 2),
        box(inner_w - 20, 10, wall, 0, inner_d // 2 - 5, 10 + wall // 2),
        box(w - 50, 20, drawer, 0, face, bar),
        {"cylinder": point(8, 160), "at": {"position": point(0, face - 70, bar), "rpy": [0, 90, 0]}},
        box(12, 56, 12, 72, face - 38, bar),
        box(12, 56, 12, -72, face - 38, bar),
    ]
    body_y = -depth // 2 + 20 - face  # the front panel covers the case's edge
    part = {
        "types": {
            f"{name}_case": {"material": "wood", "shapes": case},
            f"{name}_drawer": {
                "material": "wood",
                "mass": m(d.number("mass", 1200, 2600, 100)),
                "shapes": shapes,
                "interior": box(inner_w - 20, inner_d - 20, wall, 0, 0, 10 + wall // 2),
                "grasps": [{"handle": {"position": point(0, face - 70, bar), "rpy": [-90, 0, 0]}, "width": m(16)}],
            },
        },
        "bodies": {
            "case": {"type": f"{name}_case", "fixed": True, "known": True, "color": "brown"},
            "drawer": {"type": f"{name}_drawer", "at": point(0, body_y, z), "known": True, "color": "beige"},
        },
        "joints": {
            "slide": {
                "kind": "slider",
                "body": "drawer",
                "on": "case",
                "axis": [0, -1, 0],
                "limits": point(0, inner_d - 40),
                "friction": d.number("friction", 1, 4),
                "damping": 4,
                "latch": 2,
            }
        },
    }
    piece = Piece(name, "cabinet", w, depth, h, "brown", [], True, front, part=part)
    inner = Rect(-inner_w // 2 + 10, body_y - inner_d // 2, inner_w // 2 - 10, body_y + inner_d // 2 - 10)
    piece.surfaces = [
        Surface(f"{name}_drawer", z + 10, inner, ("front",), wall=wall, behind=f"{name}_drawer", origin=(0, body_y)),
        Surface(f"{name}_case", h, Rect(-w // 2, -depth // 2, w // 2, depth // 2), ("front",)),
    ]
    piece.joints = [Joint(f"{name}_slide", f"{name}_drawer", "slider", (0, body_y + face - 70, z + bar), 300)]
    return piece


def cupboard(d, name):
    """A cupboard on the wall, with a door and an upright bar on it."""
    w, depth = d.number("width", 480, 700, 20), d.number("depth", 280, 340, 20)
    inner = d.number("inner", 420, 520, 20)
    base = d.number("base", 740, 920, 20)
    front = d.number("front", 1200, 1700, 50)
    left = d.chance("left", 60)  # the hinge is at its left, as in the shipped one
    s = 1 if left else -1
    h = inner + 40
    case = [
        box(w, depth, 20, 0, 0, h - 10),
        box(20, depth, inner, -w // 2 + 10, 0, 20 + inner // 2),
        box(20, depth, inner, w // 2 - 10, 0, 20 + inner // 2),
        box(w - 40, 20, inner, 0, depth // 2 - 10, 20 + inner // 2),
    ]
    bar_x, bar_z = s * (w // 2 - 60), d.number("bar", 180, 260, 20)
    door = [
        box(w - 4, 20, h - 4, 0, 0, (h - 4) // 2),
        {"cylinder": point(8, 160), "at": point(bar_x, -70, bar_z)},
        box(12, 56, 12, bar_x, -37, bar_z + 72),
        box(12, 56, 12, bar_x, -37, bar_z - 72),
    ]
    rpy = [-90, -90, 0]
    part = {
        "types": {
            f"{name}_case": {"material": "wood", "shapes": case, "interior": box(w - 40, depth - 20, inner, 0, -10, 20 + inner // 2)},
            f"{name}_board": {"material": "wood", "shapes": [box(w, depth, 20, 0, 0, 10)]},
            f"{name}_door": {
                "material": "wood",
                "mass": m(d.number("mass", 3000, 6000, 500)),
                "shapes": door,
                "grasps": [{"handle": {"position": point(bar_x, -70, bar_z), "rpy": rpy}, "width": m(16)}],
            },
        },
        "bodies": {
            "case": {"type": f"{name}_case", "at": point(0, 0, base), "fixed": True, "known": True, "color": "brown"},
            "board": {"type": f"{name}_board", "at": point(0, 0, base), "fixed": True, "known": True, "color": "brown"},
            "door": {"type": f"{name}_door", "at": point(0, -depth // 2 - 12, base + 2), "known": True, "color": "beige"},
        },
        "joints": {
            "hinge": {
                "kind": "hinge",
                "body": "door",
                "on": "case",
                "at": point(-s * (w // 2 - 2), -depth // 2 - 22, 0),
                "axis": [0, 0, -s],
                "limits": [0, 110],
                "friction": m(200),
                "damping": m(300),
                "latch": m(500),
            }
        },
    }
    piece = Piece(name, "cupboard", w, depth, base + h, "brown", [], True, front, part=part)
    piece.surfaces = [
        Surface(
            f"{name}_board",
            base + 20,
            Rect(-w // 2 + 20, -depth // 2, w // 2 - 20, depth // 2 - 20),
            ("front",),
            clearance=inner,
            behind=f"{name}_door",
        )
    ]
    hinge = (-s * (w // 2 - 2), -depth // 2 - 22)
    piece.joints = [Joint(f"{name}_hinge", f"{name}_door", "hinge", (bar_x, -depth // 2 - 82, base + 2 + bar_z), w, hinge)]
    return piece


def chair(name):
    shapes = [box(420, 420, 40, 0, 0, 440), box(420, 40, 440, 0, 190, 680)]
    shapes += [box(40, 40, 420, sx * 180, sy * 180, 210) for sx in (-1, 1) for sy in (-1, 1)]
    return Piece(name, "chair", 420, 420, 900, "brown", shapes, False, 0, ())


def pillar(d, name):
    w, depth = d.number("width", 250, 700, 50), d.number("depth", 200, 500, 50)
    return Piece(name, "pillar", w, depth, 2500, "white", [box(w, depth, 2500, 0, 0, 1250)], True, 0, ())


def clutter(d, name):
    """A chest or a plant in a corner, in nobody's way but the robot's."""
    w, depth, h = d.number("width", 300, 600, 50), d.number("depth", 300, 500, 50), d.number("height", 400, 1500, 100)
    return Piece(name, "chest", w, depth, h, "green", [box(w, depth, h, 0, 0, h // 2)], True, 0, ())


KINDS = {
    "counter": counter,
    "desk": desk,
    "table": table,
    "low_table": low_table,
    "shelf": shelf,
    "bookcase": bookcase,
    "bin": bin_stand,
    "cabinet": cabinet,
    "cupboard": cupboard,
}


# ---- where everything stands ----


def layout(d, pieces):
    """Puts the pieces into a room that is drawn, and made larger until all of them fit with the floor before them."""
    width = d.number("width", 4000, 6000, 100)
    depth = d.number("depth", 3600, 5200, 100)
    extra = [pillar(d.under("pillar_1"), "pillar_1")]
    if d.chance("second_pillar", 50):
        extra.append(pillar(d.under("pillar_2"), "pillar_2"))
    if d.chance("chest", 40):
        extra.append(clutter(d.under("chest_1"), "chest_1"))
    for grow in range(40):
        room = Room(width + 200 * grow, depth + 200 * grow)
        if all(place(d.under(f"grow{grow}"), room, piece) for piece in pieces + extra):
            start = start_of(d.under(f"grow{grow}"), room)
            if start:
                room.robot_at = start
                return room
    raise ValueError("the furniture does not fit into any room")


def place(d, room, piece):
    """Draws places for a piece until one is free; puts it into the room and returns True, or returns False."""
    for tried in range(150):
        t = d.under(f"{piece.name}/{tried}")
        if piece.against_wall:
            against_wall(t, room, piece)
        else:
            piece.yaw = t.number("yaw", 0, 3)
            piece.x = t.number("x", 500, room.width - 500, 50)
            piece.y = t.number("y", 500, room.depth - 500, 50)
        if stands_free(room, piece):
            room.pieces.append(piece)
            return True
    return False


def against_wall(d, room, piece):
    """Its back stands to a wall: the front of one that is not turned looks to -y, so its back is to the north."""
    piece.yaw = d.number("wall", 0, 3)
    gap = d.number("gap", 0, 20, 5)
    half = piece.depth // 2 + gap
    across = (room.width, room.depth)[piece.yaw % 2]
    along = d.number("along", piece.width // 2 + 20, max(across - piece.width // 2 - 20, piece.width // 2 + 20), 10)
    piece.x, piece.y = [
        (along, room.depth - half),
        (half, along),
        (along, half),
        (room.width - half, along),
    ][piece.yaw]


def stands_free(room, piece):
    whole = Rect(0, 0, room.width, room.depth)
    rect, zones = piece.rect(), piece.zones()
    if not inside(rect, whole) or not all(inside(zone, whole) for zone in zones):
        return False
    for other in room.pieces:
        if overlap(grown(rect, 20), other.rect()):
            return False
        if any(overlap(zone, other.rect()) for zone in zones):
            return False
        if any(overlap(rect, zone) for zone in other.zones()):
            return False
    return True


def start_of(d, room):
    """Where the robot starts: on free floor, looking along an axis of the room."""
    for tried in range(200):
        t = d.under(f"start/{tried}")
        x, y = t.number("x", 600, room.width - 600, 50), t.number("y", 600, room.depth - 600, 50)
        here = Rect(x - 500, y - 500, x + 500, y + 500)
        seats = [zone for piece in room.pieces if piece.seats for zone in piece.zones()]
        if not any(overlap(here, rect) for rect in [piece.rect() for piece in room.pieces] + seats):
            return x, y, 90 * t.number("yaw", 0, 3)
    return None
