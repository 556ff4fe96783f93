#!/usr/bin/env python3
"""`foresee mend` mends a generated case that an edit can mend, and says of one that none can why: the two ends of what mended.py counts."""

import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mended import good, mended, said_why
from table import program_keys


class Mended(unittest.TestCase):
    def case(self, kind, seed):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            for part in ("cases", "logs", "truth", "diagnoses", "stories"):
                (out / part).mkdir()
            result = mended(out, seed, [kind], program_keys())
        self.assertTrue(result["label"], f"{kind} {seed} shows nothing")
        return result

    def test_a_place_off_the_board_is_mended(self):
        result = self.case("off_the_board", 3016)
        self.assertTrue(result["label"]["edit"])
        self.assertTrue(good(result), result)
        self.assertEqual(result["before"], 0)

    def test_of_a_thing_that_is_taken_away_it_is_said_that_no_edit_helps(self):
        result = self.case("taken_away", 3031)
        self.assertFalse(result["label"]["edit"])
        self.assertTrue(said_why(result), result)
        self.assertIn("from outside", result["limit"])


if __name__ == "__main__":
    unittest.main()
