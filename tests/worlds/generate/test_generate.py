#!/usr/bin/env python3
"""The generator's cases are the same whoever writes them, pass `foresee check`, and the independent check refuses what a
person would refuse. FORESEE names the program."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import feasible
import objects
import robots
from draw import Draws
from generate import family_of, write_case
from geometry import Rect
from objects import Thing, Type
from room import Piece, Room, Surface, box
from tasks import FAMILIES, Scene

FORESEE = os.environ.get("FORESEE", "foresee")
SEEDS = range(1, 34)


def board(name, x, y, yaw, height=800, width=1200, depth=600, sides=("front",), **more):
    piece = Piece(name, "counter", width, depth, height, "gray", [box(width, depth, height, 0, 0, height // 2)], sides=sides)
    piece.x, piece.y, piece.yaw = x, y, yaw
    piece.surfaces = [Surface(name, height, Rect(-width // 2, -depth // 2, width // 2, depth // 2), sides, **more)]
    return piece


def cylinder(mass=200, radius=35, height=100, ways="both"):
    top, side = objects.top(2 * radius, height // 2, height, height), objects.side(2 * radius, 20, height - 10)
    return Type("cup", mass, radius, height, [], {"both": [top, side], "top": [top], "side": [side]}[ways])


def ask(thing_type=None, at=(0, -150), counter=None, others=(), robot=robots.TWO_ARMS, do="take", start=(2000, 1500, 90), **what):
    """What the check says of one thing on a counter at the north wall of a room of 4 x 4 m."""
    scene = Scene("by_hand", 0)
    scene.room = Room(4000, 4000, [counter or board("counter", 2000, 3700, 0), *others], start)
    scene.things = [Thing("cup_1", thing_type or cylinder(), "red", "counter", *at, 0)]
    scene.handled = [{"do": do, "thing": "cup_1", **what}]
    return feasible.why_not(scene, robot, 80)


class TheSameSeed(unittest.TestCase):
    def test_draws_are_these_numbers_everywhere(self):
        d = Draws(7, "/set")
        self.assertEqual([d.number("a", 0, 999), d.number("b", 0, 999), d.number("a", 10, 20, 5)], DRAWN)
        self.assertEqual(d.shuffled("c", [1, 2, 3, 4, 5]), SHUFFLED)

    def test_two_processes_write_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            for salt in ("1", "2"):
                code = f"import sys; sys.path.insert(0, {str(HERE)!r}); from generate import write_case\n"
                code += f"for seed in range(1, 12): write_case(seed, {folder!r} + '/{salt}/' + str(seed))"
                subprocess.run([sys.executable, "-B", "-c", code], check=True, env={**os.environ, "PYTHONHASHSEED": salt})
            one = {p.relative_to(Path(folder, "1")): p.read_bytes() for p in sorted(Path(folder, "1").rglob("*.*"))}
            two = {p.relative_to(Path(folder, "2")): p.read_bytes() for p in sorted(Path(folder, "2").rglob("*.*"))}
            self.assertGreaterEqual(len(one), 44)
            self.assertEqual(one, two)


class Cases(unittest.TestCase):
    def test_all_families_pass_check(self):
        self.assertEqual({family_of(seed) for seed in SEEDS}, set(FAMILIES))
        with tempfile.TemporaryDirectory() as folder:
            plans = []
            for seed in SEEDS:
                write_case(seed, Path(folder, str(seed)))
                plans.append(str(Path(folder, str(seed), "plan.yaml")))
            told = subprocess.run([FORESEE, "check", "-q", *plans], capture_output=True, text=True)
            self.assertEqual(told.stdout + told.stderr, "")
            self.assertEqual(told.returncode, 0)


class ByHand(unittest.TestCase):
    def accepted(self, *args, **what):
        self.assertEqual(ask(*args, **what), [])

    def refused(self, word, *args, **what):
        self.assertIn(word, "; ".join(ask(*args, **what)))

    def test_a_cup_near_the_edge_can_be_taken(self):
        self.accepted()

    def test_a_cup_a_metre_in_cannot(self):
        self.refused("out of reach", at=(0, 500), counter=board("counter", 2000, 3200, 0, width=3800, depth=1600))

    def test_a_cup_wider_than_the_hand_cannot(self):
        self.refused("too wide", cylinder(radius=62))

    def test_a_hand_of_a_smaller_robot_is_narrower(self):
        self.accepted(cylinder(radius=52))
        self.refused("too wide", cylinder(radius=52), robot=robots.SIX_AXIS)

    def test_six_kilograms_cannot_be_held(self):
        self.accepted(cylinder(mass=2000))
        self.refused("too heavy", cylinder(mass=9000))

    def test_a_plate_of_a_kilogram_and_a_half_turns_out_of_the_hand(self):
        heavy = Type("plate", 1500, 110, 40, [], [objects.rim(110, 10, 12, 40, 8)])
        light = Type("plate", 300, 110, 40, [], [objects.rim(110, 10, 12, 40, 8)])
        self.accepted(light)
        self.refused("too heavy", heavy)

    def test_a_board_over_the_head_is_out_of_reach(self):
        self.refused("out of reach", counter=board("counter", 2000, 3700, 0, height=1800))

    def test_a_low_table_needs_a_torso(self):
        low = board("counter", 2000, 3700, 0, height=250)
        self.accepted(counter=low)
        self.refused("out of reach", counter=board("counter", 2000, 3700, 0, height=100), robot=robots.ONE_ARM)

    def test_a_bar_across_the_room_keeps_the_robot_away(self):
        self.refused("out of reach", others=[board("bar", 2000, 2300, 0, width=3600, depth=400)])
        self.accepted(others=[board("bar", 1500, 2300, 0, width=2400, depth=400)])

    def test_an_aisle_of_half_a_metre_is_none(self):
        self.refused("out of reach", others=[board("bar", 2000, 2700, 0, width=4000, depth=400)])

    def test_under_a_lid_only_the_level_hand_fits(self):
        lid = {"counter": board("counter", 2000, 3700, 0, clearance=400)}
        self.accepted(cylinder(ways="side"), **lid)
        self.refused("fits into", cylinder(ways="top"), **{"counter": board("counter", 2000, 3700, 0, clearance=300)})

    def test_a_level_hand_does_not_come_over_a_wall(self):
        deep = board("counter", 2000, 3700, 0, wall=120)
        self.refused("fits into", cylinder(ways="side"), counter=deep)
        self.accepted(cylinder(ways="top"), counter=deep)

    def test_a_tray_needs_two_hands(self):
        self.refused("two hands", robot=robots.ONE_ARM, do="take_both", mass=1000)
        self.accepted(do="take_both", mass=1000)

    def test_a_start_within_furniture_is_no_start(self):
        self.refused("start", start=(2000, 3700, 0))


DRAWN = [46, 118, 10]
SHUFFLED = [5, 1, 2, 3, 4]

if __name__ == "__main__":
    unittest.main()
