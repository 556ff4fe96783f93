#!/usr/bin/env python3
"""The generator of flaws: the same seed gives the same bytes, every kind fits into a plan that foresee accepts, and scores are right."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from table import right_for, score  # before the others: the clean generator, which they import, has a table.py, too

from cases import kinds_of, make_case, write_case
from errands import STYLES, draw_case
from kinds import ALONE, KINDS

PROGRAM = os.environ.get("FORESEE", "foresee")


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


class Generator(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def test_a_seed_gives_the_same_bytes_and_another_one_others(self):
        write_case(1, self.folder / "a")
        write_case(1, self.folder / "b")
        write_case(2, self.folder / "c")
        self.assertEqual(files_of(self.folder / "a"), files_of(self.folder / "b"))
        self.assertNotEqual(files_of(self.folder / "a"), files_of(self.folder / "c"))

    def test_every_kind_fits_into_a_plan_that_is_accepted(self):
        for seed, kind in enumerate(KINDS, 501):
            told = write_case(seed, self.folder / kind, [kind])
            self.assertEqual(told["kinds"], [kind])
            checked = subprocess.run([PROGRAM, "check", str(self.folder / kind / "plan.yaml")], capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, f"{kind}: {checked.stderr}")

    def test_every_style_of_plan_is_drawn_and_accepted(self):
        drawn = {}
        for seed in range(6, 600, 6):
            for errand in draw_case(seed * 1000)[0].errands:
                drawn.setdefault(errand.style, seed)
        self.assertEqual(set(drawn), set(STYLES))
        for style in ("watched", "beside", "ordered"):
            told = write_case(drawn[style], self.folder / style, [])
            self.assertIn(style, told["style"])
            checked = subprocess.run([PROGRAM, "check", str(self.folder / style / "plan.yaml")], capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, f"{style}: {checked.stderr}")

    def test_a_wrong_order_shows_in_plans_of_partial_order_too(self):
        seen = set()
        for seed in range(1, 40):
            case, _, labels = make_case(seed, ["put_before_take"])
            errand = labels[0][1]
            if errand.style == "ordered":
                self.assertEqual(errand.bring[0]["before"], [[f"put_{errand.number}", f"take_{errand.number}"]])
            seen.add(errand.style)
        self.assertEqual(seen, {"split", "ordered"})

    def test_seeds_draw_clean_cases_every_kind_and_two_flaws(self):
        drawn = [kinds_of(seed) for seed in range(1, 600)]
        self.assertIn([], drawn)
        self.assertEqual({name for names in drawn for name in names}, set(KINDS))
        self.assertTrue(any(len(names) == 2 for names in drawn))

    def test_600_seeds_in_a_row_have_200_clean_cases_and_ten_of_each_kind(self):
        for first in (1, 5000):
            drawn = [kinds_of(seed) for seed in range(first, first + 600)]
            self.assertEqual(drawn.count([]), 200)
            self.assertEqual(min(sum(kind in names for names in drawn) for kind in KINDS), 10)
            self.assertTrue(all(not set(names) & set(ALONE) for names in drawn if len(names) == 2))

    def test_what_bears_on_all_errands_has_one(self):
        for kind in ("weak_gripper", "ghosts"):
            self.assertEqual(len(make_case(7, [kind])[0].errands), 1)

    def test_two_flaws_are_put_into_two_errands(self):
        case, _, labels = make_case(5, ["other_region", "no_take"])
        self.assertEqual([name for name, _, _ in labels], ["other_region", "no_take"])
        self.assertEqual(len(case.errands), 2)

    def test_a_root_counts_once_by_name_and_path_and_what_is_right_for_none_is_false(self):
        slip = {"kind": "slippery", "names": ["slipped"], "paths": ["*/take_1*"], "mended": False}
        case = {"labels": [slip]}
        flaw = lambda name, path, role="root": {"name": name, "path": path, "role": role, "start": 1.0, "sentence": ""}
        self.assertTrue(right_for(flaw("slipped", "work/take_1/fetch"), slip))
        self.assertFalse(right_for(flaw("slipped", "work/put_1"), slip))
        truth = {"shown": [True], "outcome": "failed"}
        told = score(case, truth, [flaw("slipped", "work/take_1"), flaw("broken", "work"), flaw("never_achieved", "work", "consequence")])
        self.assertEqual((told["found"], len(told["false"]), told["no_root"]), (["slippery"], 1, False))
        # Silence is right where the injection did no harm; a root that names it all the same is no false alarm.
        told = score(case, {"shown": [False], "outcome": "succeeded"}, [])
        self.assertEqual((told["shown"], told["found"], told["false"], told["no_root"]), ([], [], [], False))
        self.assertTrue(score(case, truth, [])["no_root"])


if __name__ == "__main__":
    unittest.main()
