"""The families of tasks. Each draws furniture, things and what is asked for, writes the plan's steps as the documents of
the library show, and says what shall be true in the end and which things are handled where.

A recipe is a function of draws and a scene; it runs in two turns: `furnish` names the pieces, and when they stand,
`arrange` puts things on them. So every recipe is a generator that yields its pieces once."""

from dataclasses import dataclass, field

import objects
from geometry import rect_of
from objects import COLORS, Shelf, Thing
from room import KINDS, Room, chair
from text import m


@dataclass
class Region:
    name: str
    on: str
    x: int  # of its centre, in the piece's frame
    y: int
    width: int
    depth: int
    tolerance: int = 0


@dataclass
class Scene:
    """All that a case consists of, before it is text."""

    family: str
    seed: int
    room: Room = None
    types: dict = field(default_factory=dict)
    things: list = field(default_factory=list)
    regions: list = field(default_factory=list)
    particles: dict = field(default_factory=dict)
    routines: list = field(default_factory=list)
    goals: list = field(default_factory=list)
    steps: list = field(default_factory=list)
    wants: list = field(default_factory=list)  # what shall be true in the world in the end
    handled: list = field(default_factory=list)  # what the independent check looks at
    arms: int = 1
    asked: str = ""
    shelves: dict = field(default_factory=dict)

    def type(self, d, kind, level=False):
        """The type of that kind; `level`: one that can be taken from the side, as under a lid."""
        if kind not in self.types:
            for attempt in range(20):
                drawn = objects.TYPES[kind](d.under(f"type_{kind}/{attempt}"), kind)
                if not level or any(grasp.way == "side" for grasp in drawn.grasps):
                    break
            self.types[kind] = drawn
        return self.types[kind]

    def shelf(self, body):
        if body not in self.shelves:
            self.shelves[body] = Shelf(self.room.find(body)[1])
        return self.shelves[body]

    def put(self, d, kind, body, color=None, **options):
        """Puts a new thing of a kind onto a body; returns it, or raises NoRoom."""
        thing_type = self.type(d, kind)
        number = 1 + sum(t.type is thing_type for t in self.things)
        name = f"{kind}_{number}"
        t = d.under(name)
        spot = self.shelf(body).spot(t, thing_type.radius, **options)
        if spot is None:
            raise NoRoom(f"no place for {name} on {body}")
        used = {thing.color for thing in self.things if thing.type is thing_type}
        free = [c for c in COLORS if c not in used] or COLORS
        yaw = t.number("yaw", -60, 60, 15)
        if kind == "jug":  # its handle looks to the front, roughly
            yaw = -90 + yaw // 2
        thing = Thing(name, thing_type, color or t.choice("color", free), body, *spot, yaw)
        self.things.append(thing)
        return thing

    def free_region(self, d, name, body, radius, tolerance, size=None, **options):
        """A region on a body that is kept free for something of that radius."""
        spot = self.shelf(body).spot(d.under(name), radius, **options)
        if spot is None:
            raise NoRoom(f"no place for {name} on {body}")
        size = size or 2 * radius
        region = Region(name, body, *spot, size, size, tolerance)
        self.regions.append(region)
        return region

    def where(self, region):
        piece, surface = self.room.find(region.on)
        return [*piece.in_room(region.x, region.y), surface.height]


class NoRoom(Exception):
    """What was drawn does not fit: the case is drawn anew with other numbers."""


def kind_of(thing):
    return f"[type({thing.type.name}), color({thing.color})]"


def furniture(d, name, kinds):
    return KINDS[d.under(name).choice("kind", kinds)](d.under(name), name)


HIGH = ["counter", "counter", "shelf", "desk", "table"]


def take(thing):
    return {"do": "take", "thing": thing.name}


def put(thing, at, on, **more):
    return {"do": "put", "thing": thing.name, "at": at, "on": on, **more}


def stands(scene, thing, support):
    return {"want": "on", "thing": thing.name, "support": support, "height": scene.room.find(support)[1].height}


def on_another(upper, lower, lower_type):
    return {"want": "stacked", "upper": upper.name, "lower": lower, "off": 2 * lower_type.radius // 3}


def contained(scene, thing, name):
    """In a bin: its inside in the room's frame, and from its bottom to a hand's breadth over its rim."""
    piece, surface = scene.room.find(name)
    rect = rect_of(piece.x, piece.y, piece.yaw, surface.rect)
    return {"want": "in", "thing": thing.name, "container": name, "rect": list(rect),
            "height": [surface.height - 10, surface.height + surface.wall + 100]}


def within(scene, candidates, region):
    return {"want": "within", "one_of": [t.name for t in candidates], "region": region.name, "at": scene.where(region),
            "by": region.tolerance, "on": region.on}


# ---- the families ----


def family_set(d, scene):
    """Sets places at a table: a dish and a cup each."""
    count = d.number("places", 1, 2)
    dish, vessel = d.choice("dish", ["plate", "plate", "bowl"]), d.choice("vessel", ["cup", "mug", "cup"])
    source = furniture(d, "counter_1", ["counter", "counter", "shelf", "desk"])
    board = KINDS["table"](d.under("table_1"), "table_1")
    seats = d.chance("chairs", 50)
    if seats:  # chairs stand at the long sides: places are reached from the ends
        board.sides = ("left", "right")
        board.surfaces[0].sides = board.sides
        board.seats = 500
    yield [source, board]
    dishes = [scene.put(d, dish, "counter_1") for _ in range(count + d.number("more_dishes", 0, 1))]
    vessels = [scene.put(d, vessel, "counter_1") for _ in range(count + d.number("more_vessels", 0, 1))]
    r = board.surfaces[0].rect
    inset = d.number("inset", 150, 200, 10)
    pairs = []
    # A place is near an end of the table, at one of its long sides; the cup stands towards the middle.
    corners = d.some("corners", [(-1, -1), (-1, 1), (1, -1), (1, 1)], count)
    for i, (sx, sy) in enumerate(corners, 1):
        x, y = sx * (r.x1 - inset - 60), sy * (r.y1 - inset)
        dish_spot = Region(f"dish_spot_{i}", "table_1", x, y, 200, 200, 60)
        cup_spot = Region(f"cup_spot_{i}", "table_1", x + sx * 10, y - sy * 180 if r.y1 - inset - 180 > 20 else y - sy * 160, 100, 100, 60)
        scene.regions += [dish_spot, cup_spot]
        pairs.append((dish_spot, cup_spot))
    if seats:
        for i, (sx, sy) in enumerate(corners, 1):
            seat = chair(f"chair_{i}")
            seat.x, seat.y = board.in_room(sx * (r.x1 - inset - 60 - 60), sy * (r.y1 + 230))
            seat.yaw = (board.yaw + (0 if sy > 0 else 2)) % 4
            scene.room.pieces.append(seat)
    scene.asked = f"a {dish} and a {vessel} at {count} place(s) of the table"
    for dish_spot, cup_spot in pairs:
        scene.wants += [within(scene, dishes, dish_spot), within(scene, vessels, cup_spot)]
        scene.handled += [put(dishes[0], scene.where(dish_spot), "table_1"), put(vessels[0], scene.where(cup_spot), "table_1")]
        scene.goals += [f"within(a({dish}), {dish_spot.name})", f"within(a({vessel}), {cup_spot.name})"]
    scene.handled += [take(t) for t in dishes + vessels]
    if (dish, vessel) == ("plate", "cup") and d.chance("table_set", 50):
        scene.routines = ["table.yaml", "search.yaml", "pick_and_place.yaml"]
        spots = ", ".join(f"[{a.name}, {b.name}]" for a, b in pairs)
        scene.steps = [{"tag": "set", "achieve": f"table_set({count}, [{spots}], [on(counter_1)])"}]
        return
    scene.routines = ["pick_and_place.yaml"]
    scene.steps = [
        {"tag": "see_dishes", "perceive": {"all": {"type": dish}, "region": "on(counter_1)", "into": "?dishes"}},
        {"tag": "see_vessels", "perceive": {"all": {"type": vessel}, "region": "on(counter_1)", "into": "?vessels"}},
    ]
    for i, (dish_spot, cup_spot) in enumerate(pairs, 1):
        scene.steps += [
            {"tag": f"dish_{i}", "achieve": f"within(nth(?dishes, {i}), {dish_spot.name})"},
            {"tag": f"vessel_{i}", "achieve": f"within(nth(?vessels, {i}), {cup_spot.name})"},
        ]


def family_tidy(d, scene):
    """Everything small on a board goes into a bin."""
    kinds = d.some("kinds", ["block", "can", "cup", "brick", "remote", "mug"], 2)
    source = furniture(d, "desk_1", ["desk", "counter", "table", "low_table"])
    yield [source, KINDS["bin"](d.under("bin_1"), "bin_1")]
    things = [scene.put(d, d.choice(f"kind{i}", kinds), "desk_1") for i in range(d.number("count", 1, 3))]
    scene.asked = f"{len(things)} thing(s) from desk_1 in the bin"
    scene.routines = ["pick_and_place.yaml"]
    place = "in(bin_1)" if d.chance("plain", 50) else "[in(bin_1), for(?thing)]"
    scene.steps = [
        {"tag": "see", "achieve": "perceived([], on(desk_1))", "into": "?things"},
        {"tag": "tidy", "loop": {"for_each": "?thing", "of": "?things", "do": {"tag": "away", "achieve": f"at_place(?thing, {place})"}}},
    ]
    for thing in things:
        scene.goals.append(f"in(a({kind_of(thing)}), bin_1)")
        scene.wants.append(contained(scene, thing, "bin_1"))
        scene.handled += [take(thing), into_bin(scene, thing, "bin_1")]


def into_bin(scene, thing, name):
    piece, surface = scene.room.find(name)
    return put(thing, [piece.x, piece.y, surface.height], name, wall=surface.wall,
               inner=min(surface.rect.x1 - surface.rect.x0, surface.rect.y1 - surface.rect.y0))


def family_sort(d, scene):
    """Things of two kinds go to two places: one kind into a bin, the other onto a board, or each onto a board of its own."""
    kinds = d.some("kinds", ["block", "can", "cup", "brick", "bottle"], 2)
    bins = d.chance("bin", 60)
    first = KINDS["bin"](d.under("left_1"), "left_1") if bins else furniture(d, "left_1", ["shelf", "counter", "low_table"])
    yield [furniture(d, "table_1", ["table", "desk", "counter"]), first, furniture(d, "right_1", ["shelf", "counter", "desk"])]
    things = [scene.put(d, kinds[i % 2], "table_1") for i in range(d.number("count", 2, 4))]
    scene.asked = f"each {kinds[0]} to left_1, each {kinds[1]} to right_1"
    scene.routines = ["pick_and_place.yaml"]
    scene.steps = [{"tag": "see", "achieve": "perceived([], on(table_1))", "into": "?things"}]
    for kind, target in zip(kinds, ("left_1", "right_1")):
        box_like = bins and target == "left_1"
        # Where several things go onto one board, the free spot is looked for as docs/plans.md says.
        goal = f"at_place(?thing, in({target}))" if box_like else f"moved_to_free_spot(?thing, {target})"
        scene.steps.append({
            "tag": f"sort_{kind}",
            "loop": {"for_each": "?thing", "of": f"fitting(?things, [type({kind})])", "do": {"tag": "bring", "achieve": goal}},
        })
        for thing in things:
            if thing.type.name != kind:
                continue
            scene.handled.append(take(thing))
            if box_like:
                scene.goals.append(f"in(a({kind_of(thing)}), {target})")
                scene.wants.append(contained(scene, thing, target))
                scene.handled.append(into_bin(scene, thing, target))
            else:
                scene.goals.append(f"on(a({kind_of(thing)}), {target})")
                scene.wants.append(stands(scene, thing, target))
                scene.handled.append({"do": "put_anywhere", "thing": thing.name, "on": target})


def family_stack(d, scene):
    """Stacks things on one another: plates, blocks, a cup on a plate, a carton on a brick."""
    what = d.choice("what", ["plates", "cup_on_plate", "blocks", "bowl_on_plate", "can_on_brick"])
    kinds = {"plates": ["plate", "plate"], "cup_on_plate": ["plate", "cup"], "blocks": ["brick", "block"],
             "bowl_on_plate": ["plate", "bowl"], "can_on_brick": ["brick", "can"]}[what]
    together = d.chance("together", 50)
    pieces = [furniture(d, "table_1", HIGH)]
    if not together:
        pieces.append(furniture(d, "shelf_1", HIGH))
    yield pieces
    lower = scene.put(d, kinds[0], "table_1")
    upper = scene.put(d, kinds[1], "table_1" if together else "shelf_1")
    scene.asked = f"{upper.name} on {lower.name}"
    scene.routines = ["stacking.yaml", "pick_and_place.yaml"]
    scene.goals = [f"stands_on(a({kind_of(upper)}), a({kind_of(lower)}))"]
    scene.steps = [
        {"tag": "see_lower", "perceive": {"a": props(lower), "region": f"on({lower.on})", "into": "?lower"}},
        {"tag": "see_upper", "perceive": {"a": props(upper), "region": f"on({upper.on})", "into": "?upper"}},
        {"tag": "stack", "achieve": "stacked(?upper, ?lower)"},
    ]
    scene.wants = [on_another(upper, lower.name, lower.type),
                   stands(scene, lower, "table_1")]
    x, y, z = objects.in_room(*scene.room.find("table_1")[:1], "table_1", lower)
    scene.handled = [take(upper), put(upper, [x, y, z + (lower.type.rests_at or lower.type.height)], "table_1")]


def props(thing):
    return {"type": thing.type.name, "color": thing.color}


def family_drawer(d, scene):
    """Fetches something out of a drawer and puts it somewhere else; the drawer is closed again."""
    kind = d.choice("kind", ["cup", "mug", "can", "block", "remote"])
    yield [KINDS["cabinet"](d.under("cabinet_1"), "cabinet_1"), furniture(d, "table_1", ["table", "desk", "counter"])]
    piece = scene.room.piece("cabinet_1")
    # What is fetched stands in front, so that it comes out from under the top.
    thing = scene.put(d, kind, "cabinet_1_drawer", deepest=180)
    if d.chance("second", 30):
        scene.put(d, d.choice("other", ["block", "can"]), "cabinet_1_drawer", gap=60)
    fetch_steps(d, scene, thing, "cabinet_1_drawer", "cabinet_1_drawer", "cabinet_1_case", piece)


def family_cupboard(d, scene):
    """Fetches something out of a wall cupboard and puts it somewhere else; the door is closed again."""
    kind = d.choice("kind", ["mug", "can", "bottle", "cup"])
    yield [KINDS["cupboard"](d.under("cupboard_1"), "cupboard_1"), furniture(d, "table_1", ["table", "desk", "counter"])]
    piece = scene.room.piece("cupboard_1")
    scene.type(d, kind, level=True)
    thing = scene.put(d, kind, "cupboard_1_board", deepest=190)
    if d.chance("second", 30):
        scene.put(d, d.choice("other", ["can", "carton"]), "cupboard_1_board", gap=100)
    fetch_steps(d, scene, thing, "cupboard_1_board", "cupboard_1_door", "table_1", piece)


def fetch_steps(d, scene, thing, inside, door, aside_on, piece):
    target = scene.free_region(d, "target_1", "table_1", max(thing.type.radius, 60), 60)
    aside = scene.free_region(d, "aside_1", aside_on, max(thing.type.radius, 60), 0, size=200, gap=120)
    scene.asked = f"{thing.name} out of {piece.name} at target_1, and {door} closed"
    scene.routines = ["cupboard.yaml", "doors.yaml", "pick_and_place.yaml"]
    what = f"[type({thing.type.name}), color({thing.color})]" if d.chance("color", 60) or sum(
        t.type is thing.type for t in scene.things) > 1 else f"[type({thing.type.name})]"
    scene.goals = [f"within(a({kind_of(thing)}), target_1)", f"closed({door})"]
    scene.steps = [
        {"tag": "fetch", "achieve": f"fetched_from({what}, on({inside}), {door})", "with": {"aside": "within(aside_1)"}, "into": "?thing"},
        {"tag": "serve", "achieve": "within(?thing, target_1)"},
    ]
    joint = piece.joints[0]
    scene.wants = [within(scene, [thing], target), {"want": "joint", "joint": joint.name, "at_most": 20 if joint.kind == "slider" else 6}]
    scene.handled = [{"do": "operate", "piece": piece.name}, take(thing), put(thing, scene.where(aside), aside.on),
                     put(thing, scene.where(target), "table_1")]


def family_tray(d, scene):
    """Carries a tray with things on it with both hands; or loads it before."""
    scene.arms = 2
    load = d.choice("load", ["loaded", "loaded", "load_it", "empty"])
    kinds = ["counter", "counter", "desk", "table"]
    yield [furniture(d, "counter_1", kinds), furniture(d, "table_1", kinds)]
    tray = scene.type(d, "tray")
    piece, surface = scene.room.find("counter_1")
    spot = tray_spot(d.under("tray"), surface, tray)
    if spot is None:
        raise NoRoom("no place for the tray on counter_1")
    scene.things.append(Thing("tray_1", tray, "turquoise", "counter_1", *spot, 0))
    half = tray.footprint[0] // 2
    for x in range(-half, half + 1, 80):
        scene.shelf("counter_1").take(spot[0] + x, spot[1], 160)
    there = tray_spot(d.under("tray_spot"), scene.room.find("table_1")[1], tray)
    if there is None:
        raise NoRoom("no place for the tray on table_1")
    scene.regions.append(Region("tray_spot", "table_1", *there, 600, 400, 100))
    scene.routines = ["two_hands.yaml", "pick_and_place.yaml"]
    scene.steps = [{"tag": "see", "perceive": {"the": {"type": "tray"}, "region": "on(counter_1)", "into": "?tray"}}]
    scene.goals = ["within(a(tray), tray_spot)"]
    where = [*scene.room.find("table_1")[0].in_room(*there), scene.room.find("table_1")[1].height]
    scene.wants = [{"want": "within", "one_of": ["tray_1"], "region": "tray_spot", "at": where, "by": 100, "on": "table_1"}]
    riders = []
    if load == "loaded":
        kind = d.choice("rider", ["cup", "plate", "can", "bowl"])
        for i, x in enumerate(d.choice("where", [[0], [-90, 90], [-60]])):
            radius = scene.type(d, kind).radius
            if i > 0 and radius > 85 or 2 * (abs(x) + radius + 15) > tray.footprint[0]:
                continue
            if 2 * (radius + 15) > tray.footprint[1]:
                raise NoRoom(f"a {kind} does not fit onto the tray")
            rider = Thing(f"{kind}_{i + 1}", scene.type(d, kind), COLORS[i], "tray_1", x, 0, 0)
            rider.lifted = 10
            scene.things.append(rider)
            riders.append(rider)
    elif load == "load_it":
        kind = d.choice("rider", ["cup", "can", "mug"])
        rider = scene.put(d, kind, "counter_1", gap=40)
        riders.append(rider)
        scene.steps += [
            {"tag": "see_rider", "perceive": {"a": props(rider), "region": "on(counter_1)", "into": "?rider"}},
            {"tag": "load", "achieve": "at_place(?rider, on(?tray))"},
        ]
        x, y = piece.in_room(*spot)
        scene.handled += [take(rider), put(rider, [x, y, surface.height + 10], "counter_1")]
    scene.steps.append({"tag": "bring", "achieve": "carried_with_both(?tray, within(tray_spot))"})
    for rider in riders:
        scene.goals.append(f"stands_on(a({kind_of(rider)}), a(tray))")
        scene.wants.append(on_another(rider, "tray_1", tray))
    scene.asked = f"the tray at tray_spot, with {len(riders)} thing(s) on it"
    load_mass = tray.mass + sum(r.type.mass for r in riders)
    scene.handled += [{"do": "take_both", "thing": "tray_1", "mass": load_mass},
                      {"do": "put_both", "thing": "tray_1", "at": where, "on": "table_1", "mass": load_mass}]


def tray_spot(d, surface, tray):
    """Where the tray stands along the front edge of a board."""
    r = surface.rect
    half_x, half_y = tray.radius, 170
    if r.x1 - r.x0 < 2 * half_x + 40 or r.y1 - r.y0 < 2 * half_y:
        return None
    x = d.number("x", r.x0 + half_x + 20, r.x1 - half_x - 20, 5)
    y = r.y0 + half_y + d.number("inset", 0, min(80, r.y1 - r.y0 - 2 * half_y), 5)
    return x, y


def family_pour(d, scene):
    """Pours water out of a mug into another one or into a bowl."""
    into_kind = d.choice("into", ["mug", "bowl", "mug"])
    together = d.chance("together", 60)
    pieces = [furniture(d, "counter_1", ["counter", "desk", "shelf", "table"])]
    if not together:
        pieces.append(furniture(d, "table_1", ["counter", "desk", "table"]))
    yield pieces
    source = scene.put(d, "mug", "counter_1", "green", gap=140)
    drops = d.number("drops", 15, 30, 5)
    source.fill = {"with": "water", "count": drops}
    scene.particles = {"water": {"radius": m(6), "density": 1000, "friction": m(50), "color": "blue"}}
    target = scene.put(d, into_kind, "counter_1" if together else "table_1", "red", gap=140)
    scene.asked = f"the water of mug_1 in {target.name}"
    scene.routines = ["pour.yaml", "pick_and_place.yaml"]
    scene.goals = [f"on(a({kind_of(source)}), counter_1)"]
    scene.steps = [
        {"tag": "see_from", "perceive": {"the": props(source), "region": "on(counter_1)", "into": "?from"}},
        {"tag": "see_into", "perceive": {"the": props(target), "region": f"on({target.on})", "into": "?into"}},
        {"tag": "pour", "achieve": "poured_into(?from, ?into)"},
    ]
    scene.wants = [{"want": "poured", "from": "mug_1", "into": target.name, "percent": 80, "radius": target.type.radius,
                    "height": target.type.height},
                   stands(scene, source, "counter_1"),
                   stands(scene, target, target.on)]
    x, y, z = objects.in_room(scene.room.find(target.on)[0], target.on, target)
    scene.handled = [take(source), put(source, [x, y, z + target.type.height + 60], target.on)]


def family_hand_over(d, scene):
    """Takes something with one hand, hands it to the other, and puts it down."""
    scene.arms = 2
    kind = d.choice("kind", ["plate", "mug", "bowl", "plate", "mug"])
    hand = d.choice("hand", ["left", "right"])
    yield [furniture(d, "counter_1", HIGH), furniture(d, "table_1", HIGH)]
    thing = scene.put(d, kind, "counter_1")
    target = scene.free_region(d, "target_1", "table_1", thing.type.radius + 20, 60)
    scene.asked = f"{thing.name} with the {hand} hand to target_1"
    scene.routines = ["hand_over.yaml", "pick_and_place.yaml"]
    scene.goals = [f"within(a({kind_of(thing)}), target_1)"]
    scene.steps = [
        {"tag": "see", "perceive": {"a": props(thing), "region": "on(counter_1)", "into": "?thing"}},
        {"tag": "pass", "achieve": f"handed_over(?thing, hand({hand}))"},
        {"tag": "put", "achieve": "put_down(?thing, within(target_1))"},
    ]
    other = "right" if hand == "left" else "left"
    scene.wants = [within(scene, [thing], target), {"want": "held", "thing": thing.name, "hand": hand},
                   {"want": "held", "thing": thing.name, "hand": other}]
    scene.handled = [take(thing), put(thing, scene.where(target), "table_1")]


def family_search(d, scene):
    """Looks for something that stands behind a carton, or in one of several places, and serves it."""
    hidden = d.chance("hidden", 50)
    kind = d.choice("kind", ["cup", "mug", "can", "bottle"])
    pieces = [furniture(d, "shelf_1", ["shelf", "counter", "bookcase"]), furniture(d, "table_1", ["table", "desk", "counter"])]
    if not hidden:
        pieces.insert(1, furniture(d, "counter_1", ["counter", "desk", "shelf"]))
    yield pieces
    if pieces[0].kind == "bookcase":
        for below in (kind, "carton", "bottle"):
            scene.type(d, below, level=True)
    if hidden:
        carton = scene.put(d, "carton", "shelf_1", deepest=150)
        carton.yaw = 0
        thing = scene.put(d, kind, "shelf_1", gap=60)
        # Behind the carton, if there is room: where the fingers can still straddle it.
        rect = scene.room.find("shelf_1")[1].rect
        back = carton.y + 45 + 60 + thing.type.radius
        if back + thing.type.radius + 20 <= rect.y1:
            thing.x, thing.y = carton.x + d.number("aside", -40, 40, 10), back
        scene.handled.append(take(carton))
        goal = f"found({kind_of(thing)}, on(shelf_1))"
    else:
        where = d.choice("where", ["shelf_1", "counter_1"])
        other = "counter_1" if where == "shelf_1" else "shelf_1"
        if d.chance("decoy", 60):
            scene.put(d, d.choice("decoy_kind", ["bottle", "brick"]), other)
        thing = scene.put(d, kind, where)
        goal = f"found_in_one_of({kind_of(thing)}, [on({other}), on({where})])"
    target = scene.free_region(d, "target_1", "table_1", max(thing.type.radius, 60), 60)
    scene.asked = f"{thing.name} found and at target_1"
    scene.routines = ["search.yaml", "pick_and_place.yaml"]
    scene.goals = [f"within(a({kind_of(thing)}), target_1)"]
    scene.steps = [
        {"tag": "search", "achieve": goal, "into": "?thing"},
        {"tag": "serve", "achieve": "within(?thing, target_1)"},
    ]
    scene.wants = [within(scene, [thing], target)]
    scene.handled += [take(thing), put(thing, scene.where(target), "table_1")]


def family_clear(d, scene):
    """Clears a board: everything that stands there goes to free spots on another one."""
    kinds = d.some("kinds", ["block", "can", "cup", "brick", "mug", "bottle", "carton", "bowl", "jug"], 3)
    yield [furniture(d, "table_1", ["table", "desk", "counter", "low_table"]), furniture(d, "shelf_1", ["counter", "shelf", "desk"])]
    things = [scene.put(d, kinds[i % 3], "table_1") for i in range(d.number("count", 2, 4))]
    scene.asked = f"{len(things)} things from table_1 on shelf_1"
    scene.routines = ["tidy.yaml", "search.yaml", "pick_and_place.yaml"]
    scene.steps = [{"tag": "clear", "achieve": "cleared(on(table_1), shelf_1)"}]
    for thing in things:
        scene.goals.append(f"on(a({kind_of(thing)}), shelf_1)")
        scene.wants.append(stands(scene, thing, "shelf_1"))
        scene.handled += [take(thing), {"do": "put_anywhere", "thing": thing.name, "on": "shelf_1"}]


FAMILIES = {
    "set": family_set,
    "tidy": family_tidy,
    "sort": family_sort,
    "stack": family_stack,
    "drawer": family_drawer,
    "cupboard": family_cupboard,
    "tray": family_tray,
    "pour": family_pour,
    "hand_over": family_hand_over,
    "search": family_search,
    "clear": family_clear,
}
