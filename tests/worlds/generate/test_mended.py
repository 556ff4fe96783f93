#!/usr/bin/env python3
"""Cases that were not done before the mechanism was mended that each is named for. FORESEE names the program."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from generate import write_case
from judge import judge

FORESEE = os.environ.get("FORESEE", "foresee")


class EachIsDone(unittest.TestCase):
    def ask(self, seed, clear=False):
        """`clear`: the robot hits no furniture either."""
        with tempfile.TemporaryDirectory() as folder:
            case, log = write_case(seed, Path(folder) / "case"), Path(folder) / "log.db"
            self.assertTrue(case["can_be_done"])
            plan = Path(folder) / "case" / "plan.yaml"
            done = subprocess.run([FORESEE, "run", "-q", str(plan), "-o", str(log), "--seed", str(seed), "--until", "600"],
                                  capture_output=True, text=True)
            told = judge(case, log)
            self.assertTrue(told["done"], f"{told['wrong']} {told['failure']} {done.stderr}")
            self.assertEqual(told["outcome"], "succeeded")
            if clear:
                self.assertEqual(told["hits"], [])

    def test_a_hand_leaves_a_bin_upwards_where_its_wall_is_behind_the_hand(self):
        self.ask(200)

    def test_a_tray_is_taken_in_a_posture_that_can_lift_it(self):
        self.ask(28)

    def test_what_is_held_from_the_side_is_taken_again_from_above_for_a_deep_bin(self):
        self.ask(89)

    def test_a_drawer_is_looked_into_from_its_sides_where_its_front_hides_what_is_in_it(self):
        self.ask(213)

    def test_a_robot_with_a_load_turns_as_it_must_to_pass_furniture_in_a_narrow_room(self):
        self.ask(35)

    def test_a_tray_is_lifted_though_a_bowl_on_it_was_seen_lower_than_the_tray(self):
        self.ask(2008)

    def test_both_hands_stand_where_they_can_put_down_without_letting_go(self):
        self.ask(2019)

    def test_two_bricks_lie_side_by_side_in_a_bin(self):
        self.ask(2025)

    def test_the_first_thing_in_a_bin_leaves_room_for_the_hand_with_the_second(self):
        self.ask(2058)

    def test_what_cannot_be_carried_close_to_the_body_is_carried_where_it_is(self):
        self.ask(2032)

    def test_a_door_that_no_arm_can_follow_all_the_way_is_closed_in_halves(self):
        self.ask(5109)

    def test_both_hands_take_a_tray_with_some_reach_to_spare(self):
        self.ask(5110)

    def test_a_tray_is_put_down_along_a_wall(self):
        self.ask(5121)

    def test_a_hand_comes_down_onto_a_tray_in_the_posture_in_which_it_can(self):
        self.ask(5143)

    def test_the_robot_localises_before_it_pours_and_puts_the_mug_back_where_it_was_taken(self):
        self.ask(8037)

    def test_an_arm_keeps_clear_of_the_door_that_it_opens(self):
        self.ask(8046, clear=True)

    def test_a_mug_is_looked_for_from_where_the_arm_does_not_hide_it(self):
        self.ask(8202)

    def test_the_base_localises_on_a_long_way_before_it_passes_close_to_a_table(self):
        self.ask(8250, clear=True)

    def test_a_bowl_that_leaves_the_other_hand_no_place_is_put_down_for_it(self):
        self.ask(8258)

    def test_an_elbow_bends_out_of_the_way_of_the_door_that_its_hand_opens(self):
        self.ask(8541, clear=True)

    def test_a_door_that_a_corner_lets_open_half_way_is_reached_past(self):
        self.ask(8981)

    def test_a_door_is_closed_in_quarters_by_a_robot_of_six_axes(self):
        self.ask(9267)

    def test_a_tray_is_put_on_a_high_table_with_the_torso_lifted(self):
        self.ask(8652)

    def test_a_mug_stands_aside_in_its_region_where_the_middle_is_taken(self):
        self.ask(9339)


if __name__ == "__main__":
    unittest.main()
