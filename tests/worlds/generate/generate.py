#!/usr/bin/env python3
"""generate.py SEED [--family NAME] [--to FOLDER]
Writes one clean case: world.yaml, robot.yaml, plan.yaml and case.json. The same seed gives the same bytes on every machine."""

import argparse
import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import feasible
import objects
import text
from draw import Draws
from robots import draw_robot
from room import layout
from tasks import FAMILIES, NoRoom, Scene
from text import m, point

ROBOTS = HERE.parent.parent.parent / "examples" / "robots"


def family_of(seed):
    return list(FAMILIES)[seed % len(FAMILIES)]


def make_scene(seed, family):
    """Draws a scene; where what was drawn does not fit, it is drawn anew under another name."""
    for attempt in range(100):
        d = Draws(seed, f"/{family}/{attempt}")
        scene = Scene(family, seed)
        recipe = FAMILIES[family](d, scene)
        try:
            scene.room = layout(d.under("room"), next(recipe))
            next(recipe, None)
            return scene, d
        except (NoRoom, ValueError):
            continue
    raise SystemExit(f"seed {seed}: nothing that was drawn fits")


# ---- the world as text ----


def world_text(scene, materials, pairs):
    room = scene.room
    types = {"floor": {"material": "stone", "shapes": [{"plane": True}]}}
    bodies = {"floor": {"type": "floor", "fixed": True, "known": True, "color": "beige"}}
    half = text.half
    walls = {
        "wall_west": (100, room.depth + 200, [m(-50), half(room.depth), 0]),
        "wall_east": (100, room.depth + 200, [m(room.width + 50), half(room.depth), 0]),
        "wall_south": (room.width, 100, [half(room.width), m(-50), 0]),
        "wall_north": (room.width, 100, [half(room.width), m(room.depth + 50), 0]),
    }
    for name, (w, d, at) in walls.items():
        shape = {"box": point(w, d, 2500), "at": point(0, 0, 1250)}
        bodies[name] = {"shapes": [shape], "at": at, "fixed": True, "known": True, "color": "white"}
    parts, use = {}, []
    for piece in room.pieces:
        at = {"position": point(piece.x, piece.y, 0), "yaw": 90 * piece.yaw} if piece.yaw else point(piece.x, piece.y, 0)
        if piece.part:
            parts[piece.name] = piece.part
            use.append({"part": piece.name, "as": piece.name, "at": at})
            continue
        types[f"{piece.name}_type"] = {"material": "wood", "shapes": piece.shapes}
        if piece.interior:
            types[f"{piece.name}_type"]["interior"] = piece.interior
        bodies[piece.name] = {"type": f"{piece.name}_type", "at": at, "fixed": True, "known": True, "color": piece.color}
    for thing in scene.things:
        types[thing.type.name] = thing.type.text()
    for thing in scene.things:
        x, y = body_frame(scene, thing.on, thing.x, thing.y)
        bodies[thing.name] = {"type": thing.type.name, "on": thing.on, "at": point(x, y)}
        if thing.yaw:
            bodies[thing.name]["yaw"] = thing.yaw
        bodies[thing.name]["color"] = thing.color
        if thing.fill:
            bodies[thing.name]["fill"] = thing.fill
    regions = {}
    for region in scene.regions:
        x, y = body_frame(scene, region.on, region.x, region.y)
        regions[region.name] = {"on": region.on, "at": point(x, y), "size": point(region.width, region.depth)}
        if region.tolerance:
            regions[region.name]["tolerance"] = m(region.tolerance)
    world = {"world": f"{scene.family}_{scene.seed}", "materials": materials, "pairs": pairs}
    if scene.particles:
        world["particles"] = scene.particles
    if parts:
        world["parts"] = parts
    world["types"] = types
    if use:
        world["use"] = use
    world["bodies"] = bodies
    if regions:
        world["regions"] = regions
    x, y, yaw = room.robot_at
    world["robot_at"] = [m(x), m(y), yaw]
    return "\n".join(text.block(world)) + "\n"


def body_frame(scene, body, x, y):
    """A point of a piece's frame in the frame of its body; what stands on a thing is in the thing's frame already."""
    for piece in scene.room.pieces:
        for surface in piece.surfaces:
            if surface.body == body:
                return x - surface.origin[0], y - surface.origin[1]
    return x, y


# ---- the plan as text ----


def plan_tree(scene, robot):
    """The plan as maps and lists; what writes flaws into plans changes this tree before it becomes text."""
    body = {"tag": scene.family, "goal": scene.goals}
    if len(scene.steps) == 1:
        body.update({k: v for k, v in scene.steps[0].items() if k != "tag"})
    else:
        body["seq"] = scene.steps
    return {
        "plan": f"{scene.family}_{scene.seed}",
        "projection": {"world": "world.yaml", "robot": robot.files[0] if robot.files[1:] else "robot.yaml"},
        "routines": scene.routines,
        "body": body,
    }


def plan_text(tree):
    lines = []
    for key, value in tree.items():
        lines += text.entry(f"{key}:", value, 0, 110)
    return "\n".join(lines) + "\n"


def write_case(seed, folder, family=None):
    """Writes the case of a seed into a folder; returns what case.json holds."""
    scene, d = make_scene(seed, family or family_of(seed))
    robot = draw_robot(d.under("robot"), scene.arms)
    materials, pairs, pads = objects.materials(d.under("materials"))
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in robot.files:
        shutil.copyfile(ROBOTS / name, folder / ("robot.yaml" if not robot.files[1:] else name))
    (folder / "world.yaml").write_text(world_text(scene, materials, pairs))
    (folder / "plan.yaml").write_text(plan_text(plan_tree(scene, robot)))
    reasons = feasible.why_not(scene, robot, pads)
    case = {
        "seed": seed,
        "family": scene.family,
        "robot": robot.name,
        "asked": scene.asked,
        "can_be_done": not reasons,
        "why_not": reasons,
        "wants": scene.wants,
        "things": {thing.name: told_of(scene, thing) for thing in scene.things},
        "furniture": [piece.name for piece in scene.room.pieces],
        "doors": [joint.body for piece in scene.room.pieces for joint in piece.joints],
    }
    (folder / "case.json").write_text(json.dumps(case, indent=1) + "\n")
    return case


def told_of(scene, thing):
    """What a reader of a failure asks first: how it can be taken, how high it stands, how far from an open edge."""
    ways = [[grasp.way, grasp.width, grasp.height] for grasp in thing.type.grasps]
    if thing.on in (other.name for other in scene.things):
        return {"on": thing.on, "mass": thing.type.mass, "ways": ways}
    piece, surface = scene.room.find(thing.on)
    x, y, z = objects.in_room(piece, thing.on, thing)
    r = surface.rect
    edges = {"front": thing.y - r.y0, "back": r.y1 - thing.y, "left": thing.x - r.x0, "right": r.x1 - thing.x}
    return {"on": thing.on, "at": [x, y, z], "inset": min(edges[side] for side in surface.sides), "mass": thing.type.mass,
            "ways": ways}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--family", choices=list(FAMILIES))
    parser.add_argument("--to", default=None, help="the folder; default: case-SEED")
    args = parser.parse_args()
    case = write_case(args.seed, args.to or f"case-{args.seed}", args.family)
    print(f"{case['family']}, {case['robot']}: {case['asked']}; " + ("can be done" if case["can_be_done"] else "; ".join(case["why_not"])))


if __name__ == "__main__":
    main()
