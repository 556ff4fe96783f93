"""Near misses: for each kind, causes that could have been it and were not - the other object's mass, the other sensor's noise, the event
next to it - as changes of a re-run (docs/intervention.md). {thing} is what the flawed errand is about, {other} another thing."""

HANDS = ["pads_as_believed", "mass_as_believed({thing})"]
SENSES = ["exact_percepts", "exact_place", "sure_detection", "no_confusion", "no_ghosts"]
# What the plan did wrong has its cause in the plan: any of the world's and the senses' could have been it.
PLAN = [*SENSES, *HANDS, "mass_as_believed({other})", "no_event(draught)"]
# What is near for the others, less what bears on it.
NEAR = {
    "slippery": ["mass_as_believed({thing})", "mass_as_believed({other})", "exact_percepts", "no_event(draught)"],
    "heavy": ["pads_as_believed", "mass_as_believed({other})", "exact_percepts", "no_event(draught)"],
    "weak_gripper": ["mass_as_believed({thing})", "pads_as_believed", "mass_as_believed({other})", "exact_percepts"],
    "wet_pads": ["mass_as_believed({thing})", "mass_as_believed({other})", "exact_percepts", "no_event(draught)"],
    "place_taken": ["transparent({other})", "exact_place", "exact_percepts", "no_event(draught)"],
    "hidden": ["transparent({other})", "sure_detection", "exact_percepts", "no_confusion", "no_event(draught)"],
    "moved_meanwhile": ["no_event(draught)", "exact_percepts", "exact_place"],
    "taken_away": ["no_event(draught)", "exact_percepts", "sure_detection", "transparent({other})"],
    "knocked_off_later": ["no_event(draught)", "pads_as_believed", "mass_as_believed({thing})", "exact_percepts"],
    "pushed_before": ["no_event(draught)", "exact_percepts", "exact_place", "sure_detection"],
    "shifted_camera": ["exact_place", "sure_detection", "no_confusion", "no_event(draught)"],
    "noisy_camera": ["exact_place", "sure_detection", "no_confusion", "no_event(draught)"],
    "blind_camera": ["exact_percepts", "no_confusion", "transparent({other})", "no_event(draught)"],
    "color_blind": ["exact_percepts", "sure_detection", "transparent({other})", "no_event(draught)"],
    "ghosts": ["exact_percepts", "no_confusion", "sure_detection", "no_event(draught)"],
    "drifting": ["exact_percepts", "sure_detection", "no_event(draught)"],
    "too_wide": ["exact_percepts", "exact_place", "mass_as_believed({thing})", "pads_as_believed"],
    "slow_base": ["exact_percepts", "exact_place", "mass_as_believed({thing})", "no_event(draught)"],
}


def near_misses(kind, case, errand, label):
    """The changes that the things and events of the case allow, for a flaw of the kind."""
    others = [t.name for t in case.scene.things if t is not errand.thing and t.name not in label.bodies]
    events = [event["name"] for event in case.events]
    made = [change.format(thing=errand.thing.name, other=min(others, default=None)) for change in NEAR.get(kind, PLAN)]
    return [change for change in made if "None" not in change and ("draught" not in change or "draught" in events)]
