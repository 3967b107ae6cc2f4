"""The tables of faults: names are unique, each hook exists, and each fault's own sentence names its cause rightly."""
import unittest

import faults
from api_unit import ApiUnit
from vector_unit import VectorUnit

UNITS = {"vmc": VectorUnit, "ascendc-a2": ApiUnit, "ascendc-310p": ApiUnit, "tik": ApiUnit}

GENERAL = ("active lanes hold another value than expected; in one contiguous repeat under a full mask the backend computes "
           "them as expected",
           "leaves elements of dst unwritten; no single known mistake reproduces the output, and the step violates the "
           "rules named",
           "changes bytes of UB outside the elements of dst", "leaves active lanes unwritten",
           "writes lanes that are masked off", "leaves another mask or mode",
           "no other lane differs, and the relation to the backend's own unmasked run holds")


class Tables(unittest.TestCase):
    def test_names_are_unique(self):
        names = [each.name for each in faults.every_fault()]
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_hooks_exist(self):
        for each in faults.every_fault():
            self.assertTrue(hasattr(UNITS[each.profile], each.hook), each.name)

    def test_the_sentence_of_a_fault_is_right(self):
        for each in faults.every_fault():
            self.assertEqual(each.judge(each.sentence), "right", each.name)

    def test_a_sentence_about_another_matter_is_wrong(self):
        for each in faults.every_fault():
            self.assertEqual(each.judge("takes ties to even and saturates; the packed bits of a register leak"), "wrong")

    def test_what_could_be_said_of_any_fault_is_vague(self):
        for each in faults.every_fault():
            for sentence in GENERAL:
                self.assertEqual(each.judge(sentence), "vague", f"{each.name}: {sentence}")


if __name__ == "__main__":
    unittest.main()
