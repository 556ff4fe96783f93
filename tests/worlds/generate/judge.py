#!/usr/bin/env python3
"""judge.py CASE LOG
Says from what the simulator wrote whether the case was done: where things truly are in the end, what the robot truly hit.
It shares nothing with foresee's predicates or rules; of the robot's beliefs it reads nothing."""

import json
import math
import sqlite3
import sys
from pathlib import Path

HIT = 20.0  # N


class Log:
    """The truth of the last episode of a log."""

    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.episode, self.end, self.outcome = self.rows("SELECT id, end_s, outcome FROM episode_view ORDER BY id DESC LIMIT 1")[0]
        self.kind = dict(self.rows("SELECT name, kind FROM object_view WHERE episode = ?", self.episode))
        self.whole = dict(self.rows("SELECT name, whole FROM object_view WHERE episode = ?", self.episode))
        self.pose = {}
        for name, *pose in self.rows("SELECT object, x, y, z, qw, qx, qy, qz FROM pose_view WHERE episode = ? ORDER BY t_s", self.episode):
            self.pose[name] = pose
        self.joint = dict(self.rows("SELECT joint, position FROM joint_view WHERE episode = ? ORDER BY t_s", self.episode))
        self.contacts = self.rows("SELECT a, b, start_s, end_s, peak_force FROM contact_view WHERE episode = ? ORDER BY start_s", self.episode)
        self.touching = {frozenset((a, b)) for a, b, _, end, _ in self.contacts if end is None}

    def rows(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def place(self, name):
        """Its origin in mm."""
        return [1000 * value for value in self.pose[name][:3]]

    def lean(self, name):
        """How far its z axis leans, degrees."""
        _, _, _, _, x, y, _ = self.pose[name]
        return math.degrees(math.acos(max(-1.0, min(1.0, 1 - 2 * (x * x + y * y)))))

    def part_of_robot(self, name):
        return self.kind.get(name) in ("base", "link", "palm", "finger")

    def held(self, name):
        return any(name in pair and any(self.kind.get(other) == "finger" for other in pair) for pair in self.touching)

    def touch(self, a, b):
        return frozenset((a, b)) in self.touching


def apart(a, b):
    return math.hypot(a[0] - b[0], a[1] - b[1])


# ---- what can be wanted; each returns what is wrong, or None ----


def want_within(log, want):
    """One of the things stands upright at the region, let go."""
    nearest = None
    for name in want["one_of"]:
        at = log.place(name)
        off = apart(at, want["at"])
        if off <= want["by"] and abs(at[2] - want["at"][2]) <= 20 and log.lean(name) <= 25 and not log.held(name):
            return None
        if nearest is None or off < nearest[1]:
            nearest = name, off
    name, off = nearest
    return f"{name} is {off:.0f} mm from {want['region']}{' in the hand' if log.held(name) else ''}"


def want_on(log, want):
    name = want["thing"]
    at = log.place(name)
    if not log.touch(name, want["support"]) or not -10 <= at[2] - want["height"] <= 80 or log.held(name):
        return f"{name} does not stand on {want['support']}{': it is in the hand' if log.held(name) else ''}"
    return f"{name} has fallen over on {want['support']}" if log.lean(name) > 30 else None


def want_in(log, want):
    x, y, z = log.place(want["thing"])
    x0, y0, x1, y1 = want["rect"]
    low, high = want["height"]
    good = x0 <= x <= x1 and y0 <= y <= y1 and low <= z <= high and not log.held(want["thing"])
    return None if good else f"{want['thing']} is not in {want['container']}"


def want_stacked(log, want):
    upper, lower = want["upper"], want["lower"]
    a, b = log.place(upper), log.place(lower)
    good = log.touch(upper, lower) and a[2] > b[2] and apart(a, b) <= want["off"] and log.lean(upper) <= 25 and not log.held(upper)
    return None if good else f"{upper} does not stand on {lower}"


def want_joint(log, want):
    position = log.joint[want["joint"]]
    articulation = log.rows("SELECT kind FROM articulation_view WHERE episode = ? AND joint = ?", log.episode, want["joint"])[0][0]
    value = math.degrees(position) if articulation == "hinge" else 1000 * position
    return None if value <= want["at_most"] else f"{want['joint']} stands open at {value:.0f}"


def want_poured(log, want):
    drops = [name for name in log.pose if name.startswith(f"{want['from']}_water_")]
    into = log.place(want["into"])
    there = 0
    for name in drops:
        at = log.place(name)
        there += apart(at, into) <= want["radius"] and -5 <= at[2] - into[2] <= want["height"] + 20
    if 100 * there < want["percent"] * len(drops):
        return f"{there} of {len(drops)} drops are in {want['into']}"
    return f"{want['into']} has fallen over" if log.lean(want["into"]) > 25 else None


def want_held(log, want):
    """Both fingers of that hand touched it at one time."""
    times = {}
    for a, b, start, end, _ in log.contacts:
        for finger, other in ((a, b), (b, a)):
            if other == want["thing"] and log.kind.get(finger) == "finger" and f"_{want['hand']}_" in finger:
                times.setdefault(finger, []).append((start, end if end is not None else log.end))
    spans = list(times.values())
    if len(spans) == 2 and any(min(e1, e2) - max(s1, s2) > 0.3 for s1, e1 in spans[0] for s2, e2 in spans[1]):
        return None
    return f"the {want['hand']} hand never held {want['thing']}"


WANTS = {"within": want_within, "on": want_on, "in": want_in, "stacked": want_stacked, "joint": want_joint,
         "poured": want_poured, "held": want_held}


def hits(log, case):
    """What the robot hit of what it knows, as (time, part, body, N); a hand at a door or drawer is at work."""
    known = {name for name, in log.rows("SELECT name FROM object_view WHERE episode = ? AND known = 1 AND kind = 'body'", log.episode)} - {"floor"}
    found = []
    for a, b, start, _, force in log.contacts:
        for part, body in ((a, b), (b, a)):
            if not log.part_of_robot(part) or body not in known or force is None or force <= HIT:
                continue
            if body in case["doors"] and log.kind[part] in ("palm", "finger"):
                continue
            if not any(body == other and abs(start - t) < 2 for t, _, other, _ in found):
                found.append((round(start, 2), part, body, round(force)))
    return found


def self_hits(log):
    """Parts of the robot that met one another; fingers and palm of one hand do so when it closes."""
    found = []
    for a, b, start, _, force in log.contacts:
        if log.part_of_robot(a) and log.part_of_robot(b) and not (log.whole.get(a) == log.whole.get(b) and log.kind[a] in ("palm", "finger")):
            if force is not None and force > 1:
                found.append((round(start, 2), a, b, round(force)))
    return found


def failures(log):
    """What ended the plan: from the failure of the top task down to the first cause; and all failures, first to last."""
    rows = log.rows("SELECT id, t_s, class, reason, blocker, handled_by, cause, path FROM failure_view WHERE episode = ? ORDER BY id", log.episode)
    by_id = {row[0]: row for row in rows}
    leaves = [row for row in rows if row[6] is None]
    root = None
    top = [row for row in rows if row[5] is None and "/" not in row[7]]
    if top:
        root = top[-1]
        while root[6] in by_id:
            root = by_id[root[6]]
    told = lambda row: {"t": round(row[1], 2), "class": row[2], "reason": row[3], "blocker": row[4], "path": row[7],
                        "handled": row[5] is not None}
    return told(root) if root else None, [told(row) for row in leaves]


def judge(case, log_path):
    log = Log(log_path)
    wrong = [text for text in (WANTS[want["want"]](log, want) for want in case["wants"]) if text]
    root, leaves = failures(log)
    return {"done": not wrong, "wrong": wrong, "outcome": log.outcome, "seconds": round(log.end, 1), "hits": hits(log, case),
            "self_hits": self_hits(log), "failure": root, "failures": leaves}


def main():
    case = json.loads((Path(sys.argv[1]) / "case.json").read_text())
    print(json.dumps(judge(case, sys.argv[2]), indent=1))


if __name__ == "__main__":
    main()
