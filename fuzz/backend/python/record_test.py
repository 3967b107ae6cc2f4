"""Traces that the package records, judged by `lanecheck trace`. The environment names the program:
LANECHECK=build/lanecheck."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import lanecheck  # noqa: E402

MASK = {"op": "set_mask", "high": "0x0", "low": "0x5"}
RESET = {"op": "reset_mask"}


def place(offset):
    return {"at": "ub", "offset": offset, "block_stride": 1, "repeat_stride": 8}


ADD = {"op": "add.i32", "dst": place(0), "src0": place(256), "src1": place(512), "repeat": 1}


def adder(wrong_from=None):
    """A simulator of add.i32, which ignores the mask from its add number `wrong_from` on."""
    count = 0

    def add(machine, i):
        nonlocal count
        wrong = wrong_from is not None and count >= wrong_from
        count += 1
        for lane in range(64):
            if machine.mask[lane] or wrong:
                one, two = (struct.unpack_from("<i", machine.ub, each.start + 4 * lane)[0] for each in (i.src0, i.src1))
                struct.pack_into("<i", machine.ub, i.dst.start + 4 * lane, one + two)
    return {"add.i32": add}


class ATrace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "kernel.jsonl")

    def kernel(self, simulator, **options):
        with lanecheck.record(simulator, self.file, **options) as t:
            for number in range(6):
                t.copy_in(256, struct.pack("<128i", *range(number, number + 128)))
                t.execute(MASK if number % 2 else RESET)
                t.execute(ADD)
        return t

    def judged(self):
        done = subprocess.run([os.environ["LANECHECK"], "trace", self.file], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_of_a_right_simulator_conforms(self):
        self.assertEqual(self.kernel(adder()).ub[:8], struct.pack("<2i", 5 + 69, 4 + 1 + 4 + 65))
        self.assertEqual(self.judged(), (0, "12 steps, 0 diverge\n"))

    def test_names_the_first_wrong_step(self):
        self.kernel(adder(wrong_from=2))  # two adds later, one under a full mask, is the first visible one
        code, text = self.judged()
        self.assertEqual(code, 1)
        self.assertIn("add-ignores-mask", text)
        self.assertIn(f"{self.file}:13, id 11", text)

    def test_without_the_mask_is_judged_under_the_mask_that_was_set(self):
        self.kernel(lanecheck.Backend(adder(wrong_from=2), shows_mask=False))
        with open(self.file, encoding="utf-8") as lines:
            self.assertNotIn("mask", json.loads(lines.readlines()[3]))
        self.assertIn(f"{self.file}:13, id 11", self.judged()[1])

    def test_names_what_is_no_instruction(self):
        with self.assertRaisesRegex(ValueError, "an instruction is a dictionary such as .*, not 'reset_mask'"):
            with lanecheck.record(adder(), self.file) as t:
                t.execute("reset_mask")
        with self.assertRaisesRegex(ValueError, "add.i32: src0 lies in 'zz', which is no allocation .*; there are: ub"):
            with lanecheck.record(adder(), self.file) as t:
                t.execute(dict(ADD, src0=dict(place(0), at="zz")))

    def test_that_an_exception_ends_has_no_last_line(self):
        with self.assertRaises(lanecheck.Skip):
            with lanecheck.record(adder(), self.file, ub_bytes=768) as t:
                t.execute(ADD)
                t.execute({**ADD, "op": "sub.i32"})
        code, text = self.judged()
        self.assertEqual(code, 2)
        self.assertIn("ends after 1 steps without its last line", text)

    def test_has_no_copies_beyond_ub(self):
        with lanecheck.record(adder(), self.file, ub_bytes=768) as t:
            with self.assertRaisesRegex(ValueError, "2 bytes at offset 767 do not lie in a UB of 768 bytes"):
                t.copy_in(767, b"ab")


if __name__ == "__main__":
    unittest.main()
