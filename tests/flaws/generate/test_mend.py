#!/usr/bin/env python3
"""What diagnoses of generated cases suggest mends their plans: one case each of kinds that differ in what has to be edited."""

import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mend import mend
from table import program_keys

# The kind, a seed with it, and the rule that should mend it.
CASES = [("put_before_take", 3026, "order_steps"), ("off_the_board", 3037, "place_as_wanted"), ("told_wrong_place", 3039, "look_there"),
         ("told_wrong_color", 3040, "ask_as_wanted"), ("let_go_early", 3032, "keep_hold"), ("retries_in_vain", 3009, "other_base_pose")]


class Mending(unittest.TestCase):
    def test_suggestions_of_the_first_root_give_plans_that_succeed(self):
        helped, said = [], []
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            for part in ("cases", "logs", "truth", "diagnoses", "mended"):
                (out / part).mkdir()
            keys = program_keys()
            for kind, seed, rule in CASES:
                result = mend(out, seed, [kind], keys)
                self.assertTrue(all(t["made"] for t in result["tries"]), result)
                tries = [t for t in result["tries"] if t["first"]]
                self.assertIn(rule, [t["rule"] for t in tries], f"{seed} {kind}")
                helped += [kind for t in tries if t["helps"] and t["rule"] == rule]
                said += [f"{seed} {kind}, {t['rule']}: {t['said']}" for t in tries]
        # Physics may spoil one of them for other reasons.
        self.assertGreaterEqual(len(helped), len(CASES) - 1, said)


if __name__ == "__main__":
    unittest.main()
