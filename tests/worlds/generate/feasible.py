"""Says whether a task can be done at all: free stands, reach, free places, weights that a hand can hold, openings that
a hand fits into. It is coarse, and made of none of the planner's code: discs on a grid, a shoulder, and one length of arm.

`why_not(scene, robot, pads)` returns a list of sentences, empty where nothing speaks against it."""

from geometry import Rect, gap_squared, grown, rect_of
from objects import in_room

CELL = 50
CLEAR = 20  # mm that the base keeps from everything
LIFT = 100  # mm that a thing is lifted at least
PALM = 130  # mm, the wider side of a palm, with which it goes into bins and drawers
PALM_OVER_PADS = 40
PULLED = 300  # mm that a drawer is pulled out to reach inside
SLEEVE = 58  # mm: half a forearm and a finger's breadth, under a level hand
G = 9810  # thousandths of m/s2
COSINES = [1000, 966, 866, 707, 500, 259, 0, -259, -500, -707, -866, -966, -1000, -966, -866, -707, -500, -259, 0, 259, 500, 707, 866, 966]
ROUGH = 3000  # the acceleration that a grip should bear, likewise


class Floor:
    """Where the base can stand and drive: cells that it reaches from its start."""

    def __init__(self, room, robot):
        self.reached = set()
        keep = robot.radius + CLEAR
        rects = [piece.rect() for piece in room.pieces]
        free = set()
        for i in range(room.width // CELL + 1):
            for j in range(room.depth // CELL + 1):
                x, y = i * CELL, j * CELL
                if not (keep <= x <= room.width - keep and keep <= y <= room.depth - keep):
                    continue
                if all(gap_squared(x, y, rect) >= keep * keep for rect in rects):
                    free.add((i, j))
        start = (room.robot_at[0] // CELL, room.robot_at[1] // CELL)
        todo = [start] if start in free else []
        self.reached.update(todo)
        while todo:
            i, j = todo.pop()
            for step in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if step in free and step not in self.reached:
                    self.reached.add(step)
                    todo.append(step)

    def near(self, x, y, within):
        """Cells whose middle is no farther than that from a point, with their distance."""
        r = within // CELL + 1
        ci, cj = x // CELL, y // CELL
        for i in range(ci - r, ci + r + 1):
            for j in range(cj - r, cj + r + 1):
                if (i, j) in self.reached:
                    dx, dy = i * CELL - x, j * CELL - y
                    if dx * dx + dy * dy <= within * within:
                        yield i * CELL, j * CELL, root(dx * dx + dy * dy)


def root(square):
    """The whole square root, rounded down."""
    low, high = 0, 1 << 20
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle * middle <= square else (low, middle - 1)
    return low


def arm_length(robot, distance, z, level):
    """From the shoulder to the wrist when the hand is over a point (or, level, before it) that is so far from the middle of
    the base; z: height of what is between the pads."""
    wrist = z if level else z + robot.tool
    out = max(distance - robot.ahead - (robot.tool if level else 0), 0)
    low, high = robot.shoulder
    up = max(low - wrist, 0, wrist - high)
    return root(out * out + up * up)


def can_stand(floor, robot, x, y, heights, level, side=None):
    """A place to stand from where the hand comes to all these heights over a point; `side`: the direction in which the
    place lies from the point, within 75 degrees, of what is held by a handle."""
    for cx, cy, distance in floor.near(x, y, robot.reach + robot.ahead + robot.tool):
        if side and 1000 * ((cx - x) * side[0] + (cy - y) * side[1]) < 259 * 1000 * distance:
            continue
        if all(arm_length(robot, distance, z, level) <= robot.reach for z in heights):
            return True
    return False


def force_for(robot, thing_type, grasp, mass, pads):
    """Newtons between the pads that hold it, coarsely: friction, and the moment of a lever."""
    slide = mass * (G + ROUGH) * 100 // (2 * pads * 1000 * 1000)
    if grasp.way == "rim":
        return max(slide, 2 * mass * G * grasp.lever // (min(robot.pad, thing_type.height) * 1000 * 1000))
    patch = 11 if grasp.way == "handle" else 14  # mm: the mean radius at which friction holds against a turn
    return slide + mass * G * grasp.lever * 100 // (2 * pads * patch * 1000 * 1000)


class Check:
    def __init__(self, scene, robot, pads):
        self.scene, self.robot, self.pads = scene, robot, pads
        self.room = scene.room
        self.floor = Floor(scene.room, robot)
        self.things = {thing.name: thing for thing in scene.things}
        self.reasons = []
        self.inside, self.taken = {}, {}  # what was put where before, by bodies

    def run(self):
        if not self.floor.reached:
            self.reasons.append("the robot's start is not free")
        for what in self.scene.handled:
            getattr(self, what["do"])(what)
        return self.reasons

    def say(self, sentence):
        if sentence not in self.reasons:
            self.reasons.append(sentence)

    def ways(self, thing, mass=None):
        """The ways of taking it that this hand is wide and strong enough for."""
        good = []
        for grasp in thing.type.grasps:
            if grasp.width > self.robot.opening - 8:
                continue
            if 12 * force_for(self.robot, thing.type, grasp, mass or thing.type.mass, self.pads) > 10 * self.robot.force:
                continue
            good.append(grasp)
        if not good:
            self.say(f"{thing.name} is too wide or too heavy for the hand")
        return good

    def fits(self, grasp, surface, inner):
        """Whether a hand comes to a grasp (or lets go with it) there, between walls or under a lid."""
        level = grasp.way in ("side", "handle")
        if level and grasp.height < SLEEVE:
            return False
        if surface.clearance and not level:
            return grasp.height + self.robot.tool + 300 <= surface.clearance
        if surface.wall:
            if level:
                return grasp.height - 45 >= surface.wall
            if surface.wall > grasp.height + PALM_OVER_PADS:
                return inner >= PALM + 40
        return True

    def handle_side(self, thing):
        """Where the handle of a thing looks to in the room: a vector of length 1000, in steps of 15 degrees."""
        piece, _ = self.surface_of(thing)
        step = ((thing.yaw + 90 * piece.yaw) // 15) % 24
        return COSINES[step], COSINES[(step - 6) % 24]

    def reach(self, thing, ways, surface, x, y, z, lift, taken=False):
        inner = min(surface.rect.x1 - surface.rect.x0, surface.rect.y1 - surface.rect.y0)
        fitting = [grasp for grasp in ways if self.fits(grasp, surface, inner)]
        if ways and not fitting:
            self.say(f"no way of holding {thing.name} fits into {surface.body}")
        lifted = 30 if surface.clearance else lift
        for grasp in fitting:
            level = grasp.way in ("side", "handle")
            side = self.handle_side(thing) if grasp.way == "handle" and taken else None
            if can_stand(self.floor, self.robot, x, y, (z + grasp.height, z + grasp.height + lifted), level, side):
                return True
        return not ways or not fitting  # what was said already

    # ---- what the recipes of tasks.py name ----

    def take(self, what):
        thing = self.things[what["thing"]]
        piece, surface = self.surface_of(thing)
        x, y, z = in_room(piece, surface.body, thing)
        if surface.behind and surface.behind.endswith("_drawer"):  # it is taken out of the open drawer
            if thing.y - PULLED + piece.depth // 2 > -PALM * 2 // 3:
                self.say(f"{thing.name} stays under the top when the drawer is open")
            x, y = piece.in_room(thing.x, thing.y - PULLED)
        if not self.reach(thing, self.ways(thing), surface, x, y, z, LIFT + surface.wall, taken=True):
            self.say(f"{thing.name} is out of reach from wherever the robot can stand")

    def surface_of(self, thing):
        on = thing.on
        while on in self.things:
            on = self.things[on].on
        return self.room.find(on)

    def put(self, what):
        thing = self.things[what["thing"]]
        x, y, z = what["at"]
        _, surface = self.room.find(what["on"])
        if surface.wall:
            self.room_in(surface, thing)
        if not self.reach(thing, self.ways(thing), surface, x, y, z, LIFT + surface.wall):
            self.say(f"{thing.name} cannot be put down at ({x}, {y}), {z} mm over the floor: out of reach")

    def room_in(self, surface, thing):
        """Rows of things side by side in a bin, with room for the fingers at two sides of each."""
        inside = self.inside.setdefault(surface.body, [])
        inside.append(thing.type.area())
        width, depth = surface.rect.x1 - surface.rect.x0, surface.rect.y1 - surface.rect.y0
        row_x, row_y, row_depth = 0, 0, 0
        for x, y in sorted(inside, reverse=True):
            x, y = x + 20, y + 60
            if row_x + x > width:
                row_x, row_y, row_depth = 0, row_y + row_depth, 0
            row_x, row_depth = row_x + x, max(row_depth, y)
            if row_x > width or row_y + row_depth > depth:
                self.say(f"no room for {thing.name} in {surface.body}")
                return

    def put_anywhere(self, what):
        """Some place on a board, beside what stands there and what was put there before."""
        thing = self.things[what["thing"]]
        piece, surface = self.room.find(what["on"])
        taken = self.taken.setdefault(
            what["on"], [(t.x, t.y, t.type.radius) for t in self.scene.things if t.on == what["on"]])
        ways, radius = self.ways(thing), thing.type.radius
        r = grown(surface.rect, -radius - 10)
        for x in range(r.x0, r.x1 + 1, 40):
            for y in range(r.y0, r.y1 + 1, 40):
                if any((x - ox) ** 2 + (y - oy) ** 2 < (radius + other + 50) ** 2 for ox, oy, other in taken):
                    continue
                rx, ry = piece.in_room(x, y)
                if self.reach(thing, ways, surface, rx, ry, surface.height, LIFT):
                    taken.append((x, y, radius))
                    return
        self.say(f"no free place for {thing.name} on {what['on']} within reach")

    def both(self, what, x, y, z, piece, surface):
        robot = self.robot
        if len(robot.arms) < 2:
            self.say("two hands are needed, and the robot has one")
            return
        if what["mass"] > 4000:
            self.say(f"{what['thing']} with what stands on it is too heavy")
        # The robot stands straight before the long side of the tray.
        for cx, cy, distance in self.floor.near(x, y, robot.reach + robot.ahead):
            across = abs(cx - x) if piece.yaw % 2 == 0 else abs(cy - y)
            if across <= 100 and all(arm_length(robot, distance, z + 50 + up, False) <= robot.reach for up in (0, LIFT)):
                return
        self.say(f"both hands do not reach {what['thing']} at ({x}, {y})")

    def take_both(self, what):
        thing = self.things[what["thing"]]
        piece, surface = self.surface_of(thing)
        self.both(what, *in_room(piece, surface.body, thing), piece, surface)

    def put_both(self, what):
        piece, surface = self.room.find(what["on"])
        self.both(what, *what["at"], piece, surface)

    def operate(self, what):
        """A handle is followed from one place: a drawer by 220 mm, a door by 70 degrees."""
        piece = self.room.piece(what["piece"])
        joint = piece.joints[0]
        hx, hy, hz = joint.handle
        if joint.kind == "slider":
            path = [(hx, hy - pull) for pull in (0, 110, 220)]
            open_rect = rect_of(piece.x, piece.y, piece.yaw,
                                Rect(-piece.width // 2, -piece.depth // 2 - 220, piece.width // 2, -piece.depth // 2))
            blocked = lambda x, y: gap_squared(x, y, open_rect) < (self.robot.radius - 60) ** 2
        else:
            px, py = joint.hinge
            path = []
            for c, s in ((1000, 0), (819, 574), (342, 940)):
                s = -s if px < 0 else s  # a door with its hinge at the left turns to the right, towards the room
                dx, dy = hx - px, hy - py
                path.append((px + (c * dx - s * dy) // 1000, py + (s * dx + c * dy) // 1000))
            ends = [(path[-1][0] * k + px * (4 - k)) // 4 for k in range(5)], [(path[-1][1] * k + py * (4 - k)) // 4 for k in range(5)]
            panel = [piece.in_room(x, y) for x, y in zip(*ends)]
            blocked = lambda x, y: any((x - ax) ** 2 + (y - ay) ** 2 < 250 * 250 for ax, ay in panel)
        points = [piece.in_room(x, y) for x, y in path]
        for cx, cy, _ in self.floor.near(*points[1], self.robot.reach + self.robot.ahead + self.robot.tool):
            far = max(root((cx - x) ** 2 + (cy - y) ** 2) for x, y in points)
            if not blocked(cx, cy) and arm_length(self.robot, far, hz, True) <= self.robot.reach:
                return
        self.say(f"there is no place from where {joint.body} can be opened")


def why_not(scene, robot, pads):
    return Check(scene, robot, pads).run()
