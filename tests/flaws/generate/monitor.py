#!/usr/bin/env python3
"""monitor.py CASE LOG
Says from what the simulator wrote which of the injected flaws showed. It reads tables of the truth by SQL and shares no code with the
rules: what it says is the truth against which a diagnosis is held."""

import json
import math
import re
import sys
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "worlds" / "generate"))

from judge import WANTS, Log


class Truth(Log):
    """The truth about one episode, with what the case wants."""

    def __init__(self, path, case):
        super().__init__(path)
        self.case = case
        self.wrong = {want["errand"]: WANTS[want["want"]](self, want) for want in case["wants"]}

    def path_of(self, name):
        """Where it was (t, x, y, z): at its keyframes, and between them every 20 ms on the parabolas that they tell."""
        keys = self.rows("SELECT t_s, x, y, z, bow_x, bow_y, bow_z FROM pose_view WHERE episode = ? AND object = ? ORDER BY t_s", self.episode, name)
        path = [keys[0][:4]] if keys else []
        for a, b in zip(keys, keys[1:]):
            pieces = min(1000, int((b[0] - a[0]) / 0.02) + 1) if any(b[4:]) or a[1:4] != b[1:4] else 1
            for i in range(1, pieces + 1):
                u = i / pieces
                path.append(tuple(a[k] + u * (b[k] - a[k]) + (4 * u * (1 - u) * b[k + 3] if k else 0) for k in range(4)))
        return path

    def begun(self, errand):
        """Some step of the errand was begun."""
        return bool(self.rows("SELECT 1 FROM task WHERE episode = ? AND start_ns IS NOT NULL AND path GLOB ? LIMIT 1", self.episode, f"*/*_{errand}*"))

    def finger_spans(self, name):
        """When fingers touched it: (finger, start, end)."""
        spans = []
        for a, b, start, end, _ in self.contacts:
            for finger, other in ((a, b), (b, a)):
                if other == name and self.kind.get(finger) == "finger":
                    spans.append((finger, start, self.end if end is None else end))
        return spans

    def gripped_spans(self, name):
        """When two fingers touched it at once."""
        spans = self.finger_spans(name)
        return [(max(s, s2), min(e, e2)) for f, s, e in spans for f2, s2, e2 in spans if f < f2 and max(s, s2) < min(e, e2)]

    def risen(self, name):
        """Times at which it rose by 30 mm over where it last lay for half a second, with a part of the robot at it."""
        times, low, up = [], None, False
        for t, _, _, z in self.path_of(name):
            touched = any(s <= t <= e for _, s, e in self.finger_spans(name))
            if low is None or z < low:
                low = z
            if not touched:
                low, up = z, False
            elif z > low + 0.03 and not up:
                times.append(t)
                up = True
        return times


def check_done(truth, errand):
    return truth.wrong[errand] is None


def check_not_done(truth, errand):
    return truth.wrong[errand] is not None


def check_plan_failed(truth):
    return truth.outcome != "succeeded"


def check_lifted(truth, name):
    return bool(truth.risen(name))


def check_never_lifted(truth, name):
    return not truth.risen(name)


def check_lifted_twice(truth, name):
    return len(truth.risen(name)) >= 2


def check_gripped(truth, name):
    """Two fingers held it for a quarter of a second."""
    return any(end - start >= 0.25 for start, end in truth.gripped_spans(name))


def check_fell(truth, name, by):
    """It fell by so many mm within half a second, touched by no finger."""
    path, spans = truth.path_of(name), truth.finger_spans(name)
    for i, (t, _, _, z) in enumerate(path):
        for t2, _, _, z2 in path[i + 1:]:
            if t2 - t > 0.5:
                break
            if z - z2 > by / 1000 and not any(s < t2 and e > t + 0.05 for _, s, e in spans):
                return True
    return False


def check_happened(truth, name):
    """An event of the world's file befell it."""
    return bool(truth.rows("SELECT 1 FROM exogenous_view WHERE episode = ? AND object = ? LIMIT 1", truth.episode, name))


def check_imagined(truth, tag):
    """A search came back with something of which no percept was of a body, or that stood in the way of what failed."""
    found = truth.rows("SELECT result FROM task_view WHERE episode = ? AND path GLOB ? AND result IS NOT NULL", truth.episode, f"*/{tag}*")
    for reason, in truth.rows("SELECT DISTINCT reason FROM failure_view WHERE episode = ?", truth.episode):
        found += [(word,) for word in re.findall(r"[a-z_]+#\d+", reason.partition("closest: ")[2])]
    seen = truth.rows("SELECT a.believed, max(p.object IS NOT NULL) FROM association_view a LEFT JOIN percept_truth_view p ON p.percept = a.percept "
                      "WHERE a.episode = ? GROUP BY a.believed", truth.episode)
    return any((name, 0) in seen for name, in found)


CHECKS = {name.removeprefix("check_"): f for name, f in list(globals().items()) if name.startswith("check_")}


def monitor(case, log_path):
    truth = Truth(log_path, case)
    # What an injection does shows only where the plan came as far as its errand.
    shown = [truth.begun(label["errand"]) and all(CHECKS[check](truth, *args) for check, *args in label["shown"]) for label in case["labels"]]
    return {"shown": shown, "done": all(why is None for why in truth.wrong.values()), "wrong": [why for why in truth.wrong.values() if why],
            "outcome": truth.outcome, "seconds": round(truth.end, 1)}


def main():
    case = json.loads((Path(sys.argv[1]) / "case.json").read_text())
    print(json.dumps(monitor(case, sys.argv[2]), indent=1))


if __name__ == "__main__":
    main()
