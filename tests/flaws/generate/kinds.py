"""The kinds of flaws. Each changes a case at a drawn place by a drawn magnitude, and says what a diagnosis should name: accepted names,
paths of the culprit with * for anything, and the check of the monitor that tells whether the injection showed. The magnitudes are
drawn across the border of harm."""

from dataclasses import dataclass, field

import objects
from tasks import NoRoom, Region, kind_of, props
from text import m, percent


@dataclass
class Label:
    names: list
    paths: list
    bodies: list
    shown: list  # checks of the monitor, all of which must hold: [name, arguments...]
    mended: bool = False  # a handler dealt with it: it shall be recovered, and no root
    edit: bool = True  # an edit of the plan can mend it


def only_style(case, errand, *styles):
    if errand.style not in styles:
        raise NoRoom(f"not in style {errand.style}")


def at_step(errand, *names):
    """Paths of the errand's steps, whatever stands around them."""
    return [f"*/{name}_{errand.number}*" for name in (names or ("bring", "take", "put"))]


def at_any_step(*names):
    """Paths of the steps of all errands: what is wrong with the senses or the hands bears on each."""
    return [f"*/{name}_*" for name in (names or ("bring", "take", "put"))]


def region_in_room(case, region):
    return case.scene.where(region)


def home(case, errand):
    """A region where the thing stands."""
    size = 2 * errand.thing.type.radius + 40
    case.scene.regions.append(Region(f"home_{errand.number}", "source_1", errand.thing.x, errand.thing.y, size, size))
    return case.scene.regions[-1]


def aside(d, case, errand, body="target_1"):
    return case.scene.free_region(d.under("aside"), f"aside_{errand.number}", body, max(errand.thing.type.radius, 60), 60)


def meanwhile(d, case, errand):
    """When an event happens: so long after the robot has come near the thing for this errand. It looks once more then, takes it and carries it away."""
    when = f"near(robot, {errand.thing.name}) < 1"
    for earlier in case.errands[: errand.number - 1]:
        when += f", moved({earlier.thing.name}) > 1"
    return {"when": when, "after": d.number("after", 3, 14)}


def draught(d, case, errand):
    """An event that does nothing, next to the one that does: it pulls at another thing, less than friction holds."""
    others = [t for t in case.scene.things if t is not errand.thing]
    if others:
        case.events.append({"name": "draught", "at": d.number("draught", 5, 14), "force": {"body": others[-1].name, "force": [m(100), 0, 0], "for": m(200)}})


# ---- the plan lacks, confuses or repeats a step ----


def no_take(d, case, errand):
    only_style(case, errand, "split")
    del errand.bring[0]
    return Label(["missing_precondition"], at_step(errand, "put"), [errand.thing.name], [["not_done", errand.number], ["never_lifted", errand.thing.name]])


def put_before_take(d, case, errand):
    only_style(case, errand, "split", "ordered")
    if errand.style == "ordered":
        errand.bring[0]["before"][0].reverse()
    else:
        errand.bring.reverse()
    return Label(["wrong_order", "missing_precondition"], at_step(errand, "put", "take"), [errand.thing.name], [["not_done", errand.number]])


def other_region(d, case, errand):
    there = aside(d, case, errand)
    for step in errand.bring:
        if "achieve" in step and errand.region.name in step["achieve"]:
            step["achieve"] = step["achieve"].replace(errand.region.name, there.name)
            return Label(["misplaced", "never_achieved"], ["*"], [errand.thing.name], [["not_done", errand.number], ["lifted", errand.thing.name]])
    raise NoRoom("the step does not name its region")


def only_asserted(d, case, errand):
    errand.bring[:] = [{"tag": errand.tag("bring"), "assert": f"within(?it_{errand.number}, {errand.region.name})"}]
    return Label(["only_asserted"], at_step(errand, "bring"), [errand.thing.name], [["not_done", errand.number], ["never_lifted", errand.thing.name]])


def left_out(d, case, errand):
    errand.bring[:] = []
    return Label(["never_achieved"], ["*"], [errand.thing.name], [["not_done", errand.number]])


def brought_back(d, case, errand):
    case.more.append({"tag": f"back_{errand.number}", "achieve": f"moved_to_free_spot(?it_{errand.number}, source_1)"})
    return Label(["clobbered"], at_step(errand, "back"), [errand.thing.name], [["not_done", errand.number], ["lifted", errand.thing.name]])


def let_go_early(d, case, errand):
    only_style(case, errand, "split", "put")
    errand.bring[0]["achieve"] = f"object_in_hand(?it_{errand.number}, hand(left))"
    errand.bring.insert(1, {"tag": errand.tag("let_go"), "open_gripper": {"arm": "left"}})
    return Label(["early_release"], at_step(errand, "let_go"), [errand.thing.name], [["fell", errand.thing.name, 20]])


def brought_twice(d, case, errand):
    only_style(case, errand, "whole")
    errand.bring.append({**errand.bring[0], "tag": errand.tag("again"), "skip_when_true": False})
    return Label(["inefficient"], at_step(errand, "again"), [errand.thing.name], [["lifted_twice", errand.thing.name]])


def tested_wrongly(d, case, errand):
    errand.bring.append({"tag": errand.tag("check"), "if": f"within(?it_{errand.number}, {errand.region.name})",
                         "then": {"fail": {"class": "delivering_failed", "reason": "it is not there"}}})
    return Label(["false_failure"], at_step(errand, "check"), [errand.thing.name], [["done", errand.number], ["plan_failed"]])


def waits_in_vain(d, case, errand):
    errand.bring.insert(0, {"tag": errand.tag("wait"), "wait_for": f"on(?it_{errand.number}, target_1)", "timeout": d.number("timeout", 2, 20)})
    return Label(["timed_out"], at_step(errand, "wait"), [], [["not_done", errand.number]])


def off_the_board(d, case, errand):
    piece, surface = case.scene.room.find("target_1")
    x, y = piece.in_room((surface.rect.x0 + surface.rect.x1) // 2, surface.rect.y0 - d.number("off", 60, 400, 20))
    errand.bring[:] = [{"tag": errand.tag("bring"), "achieve": f"at_place(?it_{errand.number}, at({m(x)}, {m(y)}, 0, target_1))"}]
    return Label(["place_off_surface", "unrecovered_failure"], at_step(errand, "bring"), [errand.thing.name], [["not_done", errand.number]])


def both_hands_full(d, case, errand):
    errand = case.errands[0]
    others = [case.scene.put(d.under(f"held_{i}"), "block", "source_1") for i in (1, 2)]
    for arm, other in zip(("left", "right"), others):
        case.before += [{"tag": f"see_{arm}", "perceive": {"a": props(other), "region": "on(source_1)", "into": f"?{arm}"}},
                        {"tag": f"hold_{arm}", "achieve": f"object_in_hand(?{arm}, hand({arm}))"}]
    return Label(["no_free_hand"], at_any_step(), [], [["not_done", errand.number], *[["lifted", other.name] for other in others]])


def told_wrong_place(d, case, errand):
    errand.look["perceive"]["region"] = "on(target_1)"
    return Label(["unrecovered_failure", "never_achieved"], at_step(errand, "look"), [], [["not_done", errand.number], ["never_lifted", errand.thing.name]])


def told_wrong_color(d, case, errand):
    used = {t.color for t in case.scene.things if t.type is errand.thing.type}
    color = d.choice("color", [c for c in objects.COLORS if c not in used])
    errand.look["perceive"]["a"] = {"type": errand.thing.type.name, "color": color}
    return Label(["unrecovered_failure", "never_achieved"], at_step(errand, "look"), [], [["not_done", errand.number], ["never_lifted", errand.thing.name]])


def the_one(d, case, errand):
    twins = [case.scene.put(d.under(f"twin_{i}"), errand.thing.type.name, "source_1") for i in (1, 2)]
    errand.look["perceive"] = {"the": {"type": errand.thing.type.name}, "region": "on(source_1)", "into": f"?it_{errand.number}"}
    return Label(["ambiguous_description"], at_step(errand, "look"), [errand.thing.name, *[twin.name for twin in twins]], [["not_done", errand.number]])


# ---- the world is otherwise than believed ----


def slippery(d, case, errand):
    case.draws["friction"] = d.number("friction", 2, 40)
    return Label(["slipped", "dropped_in_transit", "missed_grasp", "stacked_carry_dropped"], at_any_step(), [errand.thing.name],
                 [["not_done", errand.number], ["gripped", errand.thing.name]], edit=False)


def heavy(d, case, errand):
    true = errand.thing.type.mass * d.number("times", 4, 9)
    errand.thing.type.extra = {**errand.thing.type.extra, "believed_mass": m(errand.thing.type.mass)}
    errand.thing.type.mass = true
    return Label(["slipped", "dropped_in_transit", "missed_grasp"], at_any_step(), [errand.thing.name],
                 [["not_done", errand.number], ["gripped", errand.thing.name]])


def place_taken(d, case, errand):
    other = case.scene.put(d.under("other"), d.choice("other", ["can", "cup", "bottle"]), "target_1")
    other.x, other.y = errand.region.x + d.number("x", -60, 60, 10), errand.region.y + d.number("y", -35, 35, 5)
    return Label(["blocked_target"], at_step(errand), [errand.thing.name, other.name], [["not_done", errand.number]])


def hidden(d, case, errand):
    screen = case.scene.put(d.under("screen"), "carton", "source_1", gap=20)
    screen.x, screen.y, screen.yaw = errand.thing.x + d.number("x", -30, 30, 5), errand.thing.y - errand.thing.type.radius - d.number("gap", 55, 75, 5), 0
    rect = case.scene.room.find("source_1")[1].rect
    beside = [t for t in case.scene.things if t is not screen and t.on == "source_1" and abs(t.y - screen.y) < t.type.radius + 55]
    if screen.type.height < errand.thing.type.height + 110:
        raise NoRoom("the screen is too low to hide it")
    if screen.y - 45 < rect.y0 + 5 or any(abs(t.x - screen.x) < t.type.radius + 125 for t in beside):
        raise NoRoom("no room for a screen")
    # A screen that does not hide it may bar the hands' way to it.
    return Label(["overlooked_occluded", "unreachable"], at_step(errand, "look", "bring", "take"), [errand.thing.name],
                 [["not_done", errand.number], ["never_lifted", errand.thing.name]])


def moved_meanwhile(d, case, errand):
    far = d.number("by", 40, 400, 20)
    piece, surface = case.scene.room.find("source_1")
    there = errand.thing.x + (far if errand.thing.x < 0 else -far)
    free = all(t is errand.thing or t.on != "source_1" or abs(t.x - there) > t.type.radius + errand.thing.type.radius for t in case.scene.things)
    if not free or not surface.rect.x0 + 60 < there < surface.rect.x1 - 60:
        raise NoRoom("it would not stand there")
    x, y = piece.in_room(there, errand.thing.y)
    case.events.append({"name": "visit", **meanwhile(d, case, errand), "move": {"body": errand.thing.name, "to": [m(x), m(y), m(surface.height)], "over": 1}})
    draught(d, case, errand)
    return Label(["stale_belief", "disturbed"], at_step(errand), [errand.thing.name], [["happened", errand.thing.name], ["not_done", errand.number]], edit=False)


def taken_away(d, case, errand):
    case.events.append({"name": "theft", "at": d.number("at", 5, 12), "remove": {"body": errand.thing.name}})
    draught(d, case, errand)
    return Label(["stale_belief", "disturbed"], ["*"], [errand.thing.name], [["happened", errand.thing.name], ["not_done", errand.number], ["never_lifted", errand.thing.name]], edit=False)


def knocked_off_later(d, case, errand):
    x, y, z = region_in_room(case, errand.region)
    case.events.append({"name": "cat", "when": f"near({errand.thing.name}, target_1) < {m(900)}, height({errand.thing.name}) < {m(z + 6)}", "after": d.number("after", 2, 7),
                        "force": {"body": errand.thing.name, "force": [d.choice("fx", [-1, 1]) * d.number("push", 4, 40), 0, 2], "for": m(300)}})
    draught(d, case, errand)
    return Label(["disturbed"], ["*"], [errand.thing.name], [["happened", errand.thing.name], ["not_done", errand.number], ["lifted", errand.thing.name]], edit=False)


# ---- the senses ----


def shifted_camera(d, case, errand):
    case.settings["robot.percept_bias"] = m(d.number("bias", 35, 160, 5))
    return Label(["pose_error"], at_any_step("look", "bring", "take", "put"), [errand.thing.name], [["not_done", errand.number]], edit=False)


def blind_camera(d, case, errand):
    case.settings["robot.detection_rate"] = percent(d.number("rate", 0, 20))
    return Label(["missed_detection"], at_any_step("look", "bring", "take"), [errand.thing.name], [["not_done", errand.number], ["never_lifted", errand.thing.name]], edit=False)


# ---- what a handler deals with: recovered, and no root ----


def mended_take(d, case, errand):
    """It is to be put down without having been taken; a handler takes it, and puts it down."""
    only_style(case, errand, "split")
    taking, putting = errand.bring
    errand.bring[:] = [{"tag": errand.tag("put"), "on_failure": {
        "do": {"achieve": putting["achieve"]},
        "handle": [{"failure": "plan_failure", "then": {"seq": [{"achieve": taking["achieve"]}, {"achieve": putting["achieve"]}]}}]}}]
    return Label(["missing_precondition", "wrong_order"], at_step(errand, "put"), [errand.thing.name], [["done", errand.number]], mended=True)


def mended_place(d, case, errand):
    """It is brought to a point off the board first; a handler brings it to its place."""
    only_style(case, errand, "place")
    piece, surface = case.scene.room.find("target_1")
    x, y = piece.in_room((surface.rect.x0 + surface.rect.x1) // 2, surface.rect.y0 - d.number("off", 60, 400, 20))
    right = errand.bring[0]["achieve"]
    errand.bring[:] = [{"tag": errand.tag("bring"), "on_failure": {
        "do": {"achieve": f"at_place(?it_{errand.number}, at({m(x)}, {m(y)}, 0, target_1))"},
        "handle": [{"failure": "plan_failure", "then": {"achieve": right}}]}}]
    return Label(["place_off_surface"], at_step(errand, "bring"), [errand.thing.name], [["done", errand.number]], mended=True)


# ---- more of the plan, the world and the senses ----


def other_thing(d, case, errand):
    """The plan fetches a thing of another type."""
    other = case.scene.put(d.under("other"), d.choice("kind", [k for k in ("can", "block", "cup") if k != errand.thing.type.name]), "source_1")
    errand.look["perceive"]["a"] = props(other)
    return Label(["misplaced", "never_achieved"], ["*"], [other.name], [["not_done", errand.number], ["never_lifted", errand.thing.name], ["lifted", other.name]])


def retries_in_vain(d, case, errand):
    """A reach that can never succeed is tried again and again."""
    errand.bring.insert(0, {"tag": errand.tag("reach"), "on_failure": {
        "do": {"move_arm": {"arm": "left", "to": f"before(?it_{errand.number})"}}, "handle": [{"failure": "plan_failure", "retry": d.number("retry", 1, 9)}]}})
    return Label(["unreachable", "retry_livelock"], at_step(errand, "reach"), [], [["not_done", errand.number], ["plan_failed"], ["never_lifted", errand.thing.name]])


def gives_up(d, case, errand):
    errand.bring.insert(0, {"tag": errand.tag("give_up"), "if": f"on(?it_{errand.number}, source_1)",
                            "then": {"fail": {"class": d.choice("class", ["fetching_failed", "delivering_failed", "searching_failed"]), "reason": "it is late"}}})
    return Label(["unrecovered_failure"], at_step(errand, "give_up"), [], [["not_done", errand.number], ["plan_failed"]])


def swallowed(d, case, errand):
    """The search fails, and a handler lets the plan go on without what it wanted."""
    errand.look["perceive"]["region"] = "on(target_1)"
    errand.bring[:] = []
    errand.look = {"tag": errand.tag("look"), "on_failure": {"do": {"perceive": errand.look["perceive"]}, "handle": [{"failure": "plan_failure", "then": {"log": "never mind"}}]}}
    return Label(["never_achieved", "unrecovered_failure"], ["*"], [], [["not_done", errand.number], ["never_lifted", errand.thing.name]])


def too_wide(d, case, errand):
    wide = d.number("width", 112, 160, 4)
    errand.thing.type.grasps = [objects.top(wide, errand.thing.type.height // 2, errand.thing.type.height, errand.thing.type.height)]
    return Label(["unreachable"], at_step(errand), [errand.thing.name], [["not_done", errand.number], ["never_lifted", errand.thing.name]], edit=False)


def color_blind(d, case, errand):
    if errand.thing.color in ("black", "green"):
        raise NoRoom("no other colour is close to it")
    case.settings["robot.color_confusion"] = percent(d.number("share", 70, 100, 2))
    return Label(["misrecognised", "wrong_object"], at_any_step("look", "bring", "take"), [errand.thing.name], [["not_done", errand.number], ["never_lifted", errand.thing.name]], edit=False)


def drifting(d, case, errand):
    """Driving by odometry alone that drifts."""
    case.settings["robot.odometry_bias"] = m(d.number("bias", 0, 100, 5))
    case.settings["robot.odometry_angle_bias"] = m(d.number("angle", 0, 2500, 100))
    case.routines.append({"achieve": "loc(robot, ?place)", "name": "go", "doc": "Drives there by odometry alone.", "effects": [], "body": {"navigate": {"to": "?place"}}})
    return Label(["mislocalised", "failed_navigation"], ["*"], [], [["not_done", errand.number]])


def ghosts(d, case, errand):
    """A recogniser with a narrow view reports what is not there, where the plan looks first; else a handler looks for the thing itself."""
    scene, thing, it = case.scene, errand.thing, f"?it_{errand.number}"
    if any(t is not thing and t.type.name == thing.type.name for t in scene.things):
        raise NoRoom("there are others of its type")
    spot = scene.free_region(d.under("spot"), f"spot_{errand.number}", "source_1", 60, 60)
    case.robot.append(("fov: [60, 45]", "fov: [5, 4]"))
    case.settings["robot.false_positives"] = percent(d.number("rate", 100, 1000, 50))
    errand.look = {"tag": errand.tag("look"), "on_failure": {
        "do": {"perceive": {"a": {"type": thing.type.name}, "region": f"within({spot.name})", "into": it}},
        "handle": [{"failure": "plan_failure", "then": {"perceive": {"a": {"type": thing.type.name}, "region": f"within({home(case, errand).name})", "into": it}}}]}}
    return Label(["hallucination"], at_any_step("look", "bring", "take"), [], [["not_done", errand.number], ["imagined", errand.tag("look")]], edit=False)


def weak_gripper(d, case, errand):
    """Of the force that holds the thing by what the robot believes of its pads, the hand has a share."""
    enough = errand.thing.type.mass * 9.81 / (2 * 0.8)
    force = round(enough * d.number("share", 20, 105, 5) / 100)
    if force < 1000:
        raise NoRoom("the thing is so light that no hand is too weak for it")
    case.settings["robot.gripper_force"] = m(force)
    return Label(["slipped", "dropped_in_transit", "missed_grasp"], at_any_step(), [errand.thing.name],
                 [["not_done", errand.number], ["gripped", errand.thing.name]], edit=False)


def wet_pads(d, case, errand):
    case.events.append({"name": "rain", "at": d.number("at", 1, 10), "wet": {"material": "pad", "friction": percent(d.number("friction", 0, 30))}})
    draught(d, case, errand)
    return Label(["slipped", "dropped_in_transit", "missed_grasp"], at_any_step(), [errand.thing.name],
                 [["not_done", errand.number], ["gripped", errand.thing.name]], edit=False)


def noisy_camera(d, case, errand):
    case.settings["robot.percept_noise"] = m(d.number("noise", 60, 180, 5))
    return Label(["pose_error"], at_any_step("look", "bring", "take", "put"), [errand.thing.name], [["not_done", errand.number]], edit=False)


def pushed_before(d, case, errand):
    case.events.append({"name": "dog", "at": d.number("at", 6, 14), "force": {"body": errand.thing.name, "force": [0, d.number("push", 1, 20), 1], "for": m(200)}})
    draught(d, case, errand)
    return Label(["stale_belief", "disturbed"], ["*"], [errand.thing.name], [["happened", errand.thing.name], ["not_done", errand.number]], edit=False)


def short_deadline(d, case, errand):
    piece, _ = case.scene.room.find("target_1")
    errand.bring.insert(0, {"tag": errand.tag("drive"), "navigate": {"to": "view(on(target_1))"}, "deadline": d.number("deadline", 1, 5)})
    return Label(["timed_out"], at_step(errand, "drive"), [], [["not_done", errand.number], ["plan_failed"], ["never_lifted", errand.thing.name]])


def slow_base(d, case, errand):
    """The base is too slow for a deadline that leaves time enough."""
    case.settings["robot.base_speed"] = m(d.number("speed", 10, 110, 10))
    errand.bring.insert(0, {"tag": errand.tag("drive"), "navigate": {"to": f"reach(?it_{errand.number}, left, any)"}, "deadline": 12})
    return Label(["timed_out", "stalled"], at_step(errand, "drive"), [], [["not_done", errand.number], ["plan_failed"], ["never_lifted", errand.thing.name]])


KINDS = {f.__name__: f for f in (
    no_take, put_before_take, other_region, only_asserted, left_out, brought_back, let_go_early, brought_twice, tested_wrongly, waits_in_vain,
    off_the_board, both_hands_full, told_wrong_place, told_wrong_color, the_one, slippery, heavy, place_taken, hidden, moved_meanwhile, taken_away,
    knocked_off_later, shifted_camera, blind_camera, mended_take, mended_place, other_thing, retries_in_vain, gives_up, swallowed, too_wide, color_blind,
    drifting, ghosts, weak_gripper, wet_pads, noisy_camera, pushed_before, short_deadline, slow_base)}
# Flaws after which the plan goes on: the first of two independent ones.
GOES_ON = ["other_region", "only_asserted", "brought_twice"]
# What is wrong with the hands, the base or the senses bears on every errand, and so does what is done before the first one: the case has one.
ALONE = ["both_hands_full", "slippery", "shifted_camera", "blind_camera", "color_blind", "drifting", "ghosts", "weak_gripper", "wet_pads", "noisy_camera", "slow_base"]
