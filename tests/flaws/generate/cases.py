#!/usr/bin/env python3
"""cases.py SEED [--kind NAME] [--to FOLDER]
Writes one case: world.yaml, robot.yaml, plan.yaml, files of routines, and case.json with what a diagnosis should say. The same seed
gives the same bytes on every machine. Every third case is clean, of the others up to every tenth has two flaws."""

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import errands
import feasible
import generate as worlds
import objects
import text
from kinds import ALONE, GOES_ON, KINDS
from near import near_misses
from robots import TWO_ARMS
from tasks import NoRoom, put, take
from text import percent

ROBOTS = worlds.ROBOTS


def kinds_of(seed):
    """What is put into the case of a seed: nothing, one flaw, or two. 600 seeds in a row have 200 clean cases, and ten of each kind, or more."""
    if seed % 3 == 0:
        return []
    names = list(KINDS)
    flawed = seed // 3 * 2 + seed % 3 - 1
    first, turn = names[flawed % len(names)], flawed // len(names)
    if (flawed + turn) % 10 == 7 and first not in [*GOES_ON, *ALONE]:
        return [GOES_ON[turn % len(GOES_ON)], first]
    return [first]


def errands_of(names):
    """How many errands a case with these flaws has; None: one or two."""
    return 2 if len(names) > 1 else 1 if set(names) & set(ALONE) else None


def make_case(seed, names):
    """Draws a case and puts the flaws into it; where they do not fit, all is drawn anew."""
    for attempt in range(200):
        case, d = errands.draw_case(seed * 1000 + attempt, errands_of(names))
        labels, scene = [], case.scene
        scene.handled = [part for errand in case.errands for part in (take(errand.thing), put(errand.thing, scene.where(errand.region), "target_1"))]
        if feasible.why_not(scene, TWO_ARMS, 80):
            continue
        try:
            for i, name in enumerate(names):
                errand = case.errands[i] if len(names) > 1 else d.choice("errand", case.errands)
                labels.append((name, errand, KINDS[name](d.under(f"flaw_{i}"), case, errand)))
            return case, d, labels
        except NoRoom:
            continue
    raise SystemExit(f"seed {seed}: {names} fit into nothing that was drawn")


def write_case(seed, folder, names=None):
    names = kinds_of(seed) if names is None else names
    case, d, labels = make_case(seed, names)
    scene = case.scene
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in TWO_ARMS.files:
        robot = (ROBOTS / name).read_text()
        for before, after in case.robot:
            assert before in robot
            robot = robot.replace(before, after)
        (folder / "robot.yaml").write_text(robot)
    materials, pairs, _ = objects.materials(d.under("materials"))
    if "friction" in case.draws:
        pairs = [{"a": "pad", "b": "any", "friction": percent(case.draws["friction"])}]
    world = worlds.world_text(scene, materials, pairs)
    if case.events:
        world += "\n".join(text.block({"events": case.events})) + "\n"
    (folder / "world.yaml").write_text(world)
    projection = {"world": "world.yaml", "robot": "robot.yaml"}
    if case.settings:
        projection["set"] = case.settings
    steps = [*case.before, *[step for errand in case.errands for step in errand.steps()], *case.more]
    tree = {"plan": f"flaws_{seed}", "projection": projection,
            "routines": [*case.routines, *case.files, "pick_and_place.yaml"],
            "body": {"tag": "work", "goal": case.goals, "seq": steps}}
    (folder / "plan.yaml").write_text(worlds.plan_text(tree))
    for name, routines in case.files.items():
        (folder / name).write_text(worlds.plan_text({"library": name.removesuffix(".yaml"), "routines": routines}))
    told = {"seed": seed, "kinds": names, "style": [errand.style for errand in case.errands],
            "wants": [{**errand.want, "errand": errand.number} for errand in case.errands],
            "doors": [], "labels": [{"kind": name, "errand": errand.number, **vars(label), "near": near_misses(name, case, errand, label)} for name, errand, label in labels]}
    (folder / "case.json").write_text(json.dumps(told, indent=1) + "\n")
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--to", default=None)
    args = parser.parse_args()
    told = write_case(args.seed, args.to or f"flaw-{args.seed}", args.kind)
    print(f"{told['seed']}: {' and '.join(told['kinds']) or 'clean'}, {', '.join(told['style'])}")


if __name__ == "__main__":
    main()
