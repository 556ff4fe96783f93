"""The clean errands into which flaws are put: something is fetched from one board and brought to a region on another one, in
plans of varying style. A case has one errand or two; each is a list of steps of its own, which a flaw changes."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "worlds" / "generate"))

import objects
from draw import Draws
from room import KINDS, layout
from tasks import NoRoom, Scene, furniture, kind_of, props, within

SOURCES = ["counter", "counter", "shelf", "desk", "table"]
THINGS = ["cup", "can", "block", "mug", "bottle", "brick"]
STYLES = ["whole", "whole", "split", "place", "put", "own_routine", "own_file", "guarded", "watched", "beside", "ordered"]
LOST = ", ".join(f"and(object_in_hand(_, robot_{arm}_gripper), gripper_closed({arm}))" for arm in ("left", "right"))


@dataclass
class Errand:
    number: int
    style: str
    thing: object
    region: object
    look: dict
    bring: list  # the steps behind the look, from taking to putting
    goal: str
    want: dict

    def tag(self, name):
        return f"{name}_{self.number}"

    def steps(self):
        return [self.look, *self.bring]


@dataclass
class Case:
    """All that a flaw may change before it becomes text."""

    seed: int
    scene: Scene
    errands: list
    routines: list = field(default_factory=list)  # of the plan's own file, as maps
    files: dict = field(default_factory=dict)  # further files of routines: name to a list of maps
    settings: dict = field(default_factory=dict)  # of the projection: robot.detection_rate and such
    events: list = field(default_factory=list)
    more: list = field(default_factory=list)  # steps behind the errands
    before: list = field(default_factory=list)  # steps before them
    goals: list = field(default_factory=list)
    draws: dict = field(default_factory=dict)
    robot: list = field(default_factory=list)  # what stands in the robot's file, and what shall stand there


def goal_text(thing, region):
    return f"within(a({kind_of(thing)}), {region.name})"


def draw_errand(d, scene, number, case_routines, files):
    """An errand in a drawn style: its thing stands on source_1, its region lies on target_1."""
    thing = scene.put(d.under("thing"), d.choice("kind", THINGS), "source_1")
    region = scene.free_region(d.under("region"), f"region_{number}", "target_1", max(thing.type.radius, 60), 60)
    style = d.choice("style", STYLES)
    it = f"?it_{number}"
    look = {"tag": f"look_{number}", "perceive": {"a": props(thing), "region": "on(source_1)", "into": it}}
    bring = {"tag": f"bring_{number}", "achieve": f"within({it}, {region.name})"}
    if style == "split":
        steps = [{"tag": f"take_{number}", "achieve": f"object_in_hand({it})"}, {"tag": f"put_{number}", "achieve": f"put_down({it}, within({region.name}))"}]
    elif style == "place":
        steps = [{"tag": f"bring_{number}", "achieve": f"at_place({it}, within({region.name}))"}]
    elif style == "put":
        steps = [{"tag": f"take_{number}", "achieve": f"object_in_hand({it})"}, {"tag": f"put_{number}", "achieve": f"within({it}, {region.name})"}]
    elif style in ("own_routine", "own_file"):
        routine = {"achieve": f"served_{number}(?what, ?where)", "doc": "Fetches it, and puts it down there.",
                   "body": {"seq": [{"tag": f"take_{number}", "achieve": "object_in_hand(?what)"},
                                    {"tag": f"put_{number}", "achieve": "put_down(?what, within(?where))"}]}}
        if style == "own_file":
            files[f"serving_{number}.yaml"] = [routine]
        else:
            case_routines.append(routine)
        steps = [{"tag": f"bring_{number}", "achieve": f"served_{number}({it}, {region.name})"}]
    elif style == "guarded":
        steps = [{"tag": f"bring_{number}", "on_failure": {"do": {"achieve": f"within({it}, {region.name})"},
                                                           "handle": [{"failure": "plan_failure", "retry": 1}]}}]
    elif style == "watched":
        steps = [{"tag": f"bring_{number}", "with_policy": {"when": f"or({LOST})", "reason": "what was in the hand is gone",
                                                            "do": {"achieve": f"within({it}, {region.name})"}}}]
    elif style == "beside":
        steps = [{"tag": f"bring_{number}", "par": [{"achieve": f"within({it}, {region.name})"},
                                                    {"seq": [{"wait": {"seconds": d.number("wait", 1, 90)}}, {"log": "still at it"}]}]}]
    elif style == "ordered":
        steps = [{"tag": f"bring_{number}", "partial_order": [
            {"tag": f"put_{number}", "achieve": f"put_down({it}, within({region.name}))"},
            {"tag": f"take_{number}", "achieve": f"object_in_hand({it})"}], "before": [[f"take_{number}", f"put_{number}"]]}]
    else:
        steps = [bring]
    return Errand(number, style, thing, region, look, steps, goal_text(thing, region), within(scene, [thing], region))


def draw_case(seed, count=None):
    for attempt in range(100):
        d = Draws(seed, f"/flaws/{attempt}")
        scene = Scene("flaws", seed)
        n = count or (2 if d.chance("two_errands", 40) else 1)
        try:
            scene.room = layout(d.under("room"), [furniture(d, "source_1", SOURCES), furniture(d, "target_1", SOURCES)])
            routines, files = [], {}
            errands = [draw_errand(d.under(f"errand_{i}"), scene, i, routines, files) for i in range(1, n + 1)]
            for i in range(d.number("bystanders", 0, 2)):
                scene.put(d.under(f"bystander_{i}"), d.under(f"bystander_{i}").choice("kind", THINGS), "source_1")
        except (NoRoom, ValueError):
            continue
        case = Case(seed, scene, errands, routines, files)
        case.goals = [errand.goal for errand in errands]
        return case, d
    raise SystemExit(f"seed {seed}: nothing that was drawn fits")
