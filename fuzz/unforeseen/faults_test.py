"""The tables of faults: names are unique, each hook exists, and each fault's own sentence names its cause rightly."""
import unittest

import faults
from api_unit import ApiUnit
from vector_unit import VectorUnit

UNITS = {"vmc": VectorUnit, "ascendc-a2": ApiUnit, "ascendc-310p": ApiUnit}


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

    def test_an_empty_sentence_is_vague(self):
        for each in faults.every_fault():
            self.assertEqual(each.judge("holds another value than expected"), "vague", each.name)


if __name__ == "__main__":
    unittest.main()
