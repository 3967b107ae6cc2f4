"""The package lanecheck as a simulator's own unit tests use it. The environment names the program:
LANECHECK=build/lanecheck."""
import io
import os
import pydoc
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import lanecheck  # noqa: E402
from lanecheck import _backend, _program  # noqa: E402

OFFERS = [{"instruction": "set_mask"}, {"instruction": "add", "dst": "i32", "src": "i32"}]


def place(offset):
    return {"at": "d", "offset": offset, "block_stride": 1, "repeat_stride": 8}


#: 2 + 3 in the lanes that the mask has on: 0 and 2.
ADD = {"ub_bytes": 768, "allocations": [{"name": "d", "type": "i32", "offset": 0, "bytes": 768}],
       "ub": (struct.pack("<64i", *[9] * 64) + struct.pack("<64i", *[2] * 64) + struct.pack("<64i", *[3] * 64)).hex(),
       "instructions": [{"op": "set_mask", "high": "0x0", "low": "0x5"},
                        {"op": "add.i32", "dst": place(0), "src0": place(256), "src1": place(512), "repeat": 1}]}
SUMS = struct.pack("<64i", 5, 9, 5, *[9] * 61)


class Tensor:
    """Like a torch tensor: it shares the bytes of what it was made of and has no buffer protocol itself."""

    def __init__(self, shared):
        self.shared = memoryview(shared)

    @classmethod
    def frombuffer(cls, buffer):
        return cls(buffer)

    def __getitem__(self, at):
        return self.shared[at]

    def __setitem__(self, at, value):
        self.shared[at] = value

    def __len__(self):
        return len(self.shared)

    def numpy(self):
        return self.shared


def load(ub, at):
    return int.from_bytes(bytes([int(ub[at + k]) for k in range(4)]), "little")


def simulate(machine):
    """set_mask and add.i32, by single bytes, which every kind of buffer can do."""
    for i in machine.instructions:
        if i.op == "set_mask":
            machine.set_mask(i.high, i.low)
            continue
        walks = [lanecheck.blocks(i, operand, "i32") for operand in (i.dst, i.src0, i.src1)]
        for (_, block, dst), (_, _, src0), (_, _, src1) in zip(*walks):
            sums = [load(machine.ub, src0 + 4 * n) + load(machine.ub, src1 + 4 * n) for n in range(8)]
            for n in filter(lambda n: machine.mask[8 * block + n], range(8)):
                for k, byte in enumerate((sums[n] % 2**32).to_bytes(4, "little")):
                    machine.ub[dst + 4 * n + k] = byte
    return machine.ub


class ABackend(unittest.TestCase):
    def check(self, backend):
        result = backend(ADD)
        self.assertEqual((result.state, result.why), ("ran", ""))
        self.assertEqual(result.ub[:256], SUMS)
        self.assertEqual(result, lanecheck.oracle(ADD))

    def test_runs_on_a_bytearray(self):
        self.check(lanecheck.Backend(simulate))

    def test_runs_on_a_tensor_that_shares_the_bytes(self):
        self.check(lanecheck.Backend(simulate, ub=Tensor.frombuffer))

    def test_runs_on_a_numpy_array_that_shares_or_copies_the_bytes(self):
        import numpy
        self.check(lanecheck.Backend(simulate, ub=lambda ub: numpy.frombuffer(ub, numpy.uint8)))
        self.check(lanecheck.Backend(simulate, ub=lambda ub: numpy.array(ub)))

    def test_returns_a_numpy_array_of_another_type_and_a_mask_of_bool(self):
        import numpy

        def run(machine):
            ub = numpy.frombuffer(simulate(machine), "<i4").copy()
            return ub, numpy.array(list(machine.mask), bool)
        self.check(lanecheck.Backend(run))

    def test_is_made_of_a_dictionary_of_functions_too(self):
        def add(machine, i):
            machine.instructions = [i]
            simulate(machine)
        self.check(lanecheck.Backend({"add.i32": add}))

    def test_is_made_of_any_callable(self):
        class Simulator:
            def __call__(self, machine):
                return simulate(machine)
        self.check(lanecheck.Backend(Simulator()))

    def test_says_what_the_result_of_a_mistake_is(self):
        def returns_nothing(machine):
            simulate(machine)

        def returns_a_number(machine):
            return 7

        def short(machine):
            return machine.ub[:32]

        def asks_for_a_field(machine):
            return machine.instructions[1].destination
        for run, says in ((returns_nothing, "TypeError: run returned nothing; it must return UB"),
                          (returns_a_number, "run returned an object of type int; it must return UB"),
                          (short, "ValueError: UB has become 32 bytes long instead of "),
                          (asks_for_a_field, "no attribute 'destination'; it has: dst, ")):
            result = lanecheck.Backend(run)(ADD)
            self.assertEqual(result.state, "errored")
            self.assertIn(says, result.why)
        self.assertRegex(lanecheck.Backend(asks_for_a_field)(ADD).why, r"\(package_test.py:\d+\)$")

    def test_refuses_a_function_with_other_arguments_before_it_is_called(self):
        def of_two(machine, instruction):
            """Not called."""
        with self.assertRaisesRegex(TypeError, r"calls of_two\(machine, instruction\) with one argument, the machine"):
            lanecheck.Backend(of_two)
        with self.assertRaisesRegex(TypeError, "run must be a function or a dictionary of functions, not 3"):
            lanecheck.Backend(3)

    def test_skips_and_refuses(self):
        def skips(machine):
            raise lanecheck.Skip("not yet")

        def refuses(machine):
            raise KeyError("no such repeat")
        self.assertEqual(lanecheck.Backend(skips)(ADD), lanecheck.Result("skipped", why="not yet"))
        self.assertEqual(lanecheck.Backend(refuses, refuses=[KeyError])(ADD).state, "refused")


class Served(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("sim.py", """
            import lanecheck
            from package_test import OFFERS, simulate
            good = lanecheck.Backend(simulate, offers=OFFERS)
            def wrong(machine):
                machine.set_mask = lambda high, low: None
                return simulate(machine)
            def of_two(machine, i):
                pass
            def returns_nothing(machine):
                simulate(machine)
            def asks_for_a_field(machine):
                return machine.instructions[-1].destination
            def looks_up(machine):
                return [{"vadd": simulate}[i.op] for i in machine.instructions]
            def shortens_the_mask(machine):
                return simulate(machine), machine.mask[:128]
            def yields(machine):
                yield simulate(machine)
            old_mask = bytearray(b"\\1" * 256)
            def keeps_its_mask(machine):
                machine.mask = old_mask
                return simulate(machine)
            keeping = lanecheck.Backend(keeps_its_mask, offers=OFFERS)
            masks_nothing = lanecheck.Backend(wrong, offers=OFFERS, name="masks nothing")
            """)
        self.write("imports.py", "import no_such_module_of_mine\n")

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))

    def run_on(self, place, words=("run", "--quiet", "--no-doctor", "--cases", "3000", "--backend")):
        command = [os.environ["LANECHECK"], *words, f"cmd: {sys.executable} -m lanecheck.serve {place}"]
        return subprocess.run(command, cwd=self.folder.name, env={**os.environ, "PYTHONPATH": HERE}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_needs_no_adapter(self):
        ran = self.run_on("sim:good")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("backend sim", ran.stdout)
        ran = self.run_on("sim:masks_nothing")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("backend masks nothing", ran.stdout)

    def test_the_doctor_names_the_mistake(self):
        for name, says in (("returns_nothing", "TypeError: run returned nothing; it must return UB as it is afterwards"),
                           ("asks_for_a_field", "no attribute 'destination'; it has: dst, "),
                           ("looks_up", "KeyError: 'set_mask' (sim.py:"),
                           ("shortens_the_mask", "ValueError: the mask has become 128 slots long instead of 256: machine.mask is flat"),
                           ("yields", "run returned an object of type generator; it must return UB"),
                           ("keeping", "[mask-leaks, ")):
            ran = self.run_on(f"sim:{name}", ["doctor"])
            with self.subTest(name=name):
                self.assertEqual(ran.returncode, 1, ran.stdout)
                self.assertIn(says, ran.stdout)

    def test_names_what_cannot_be_served(self):
        for place, says in (("sim", "'sim' names no backend; write MODULE:NAME"),
                            ("sym:good", "there is no module 'sym' in "),
                            ("imports:good", "No module named 'no_such_module_of_mine'"),
                            ("sim:god", "sim.py has no 'god'; backends in it: good, keeping, masks_nothing"),
                            ("sim:of_two", "calls of_two(machine, i) with one argument, the machine")):
            ran = self.run_on(place)
            self.assertEqual(ran.returncode, 3)
            self.assertIn(says, ran.stdout)


class TheProgram(unittest.TestCase):
    def test_says_what_must_happen(self):
        result = lanecheck.oracle(ADD)
        self.assertEqual(result.ub[:256], SUMS)
        self.assertEqual(result.mask, bytes([1, 0, 1] + [0] * 125 + [1] * 128))

    def test_refuses_an_illegal_program_and_rejects_what_is_none(self):
        wide = dict(ADD, instructions=[dict(ADD["instructions"][1], src0=place(640))])
        self.assertEqual(lanecheck.oracle(wide).state, "refused")
        with self.assertRaisesRegex(lanecheck.LanecheckError, "no such instruction: dance"):
            lanecheck.oracle(dict(ADD, instructions=[{"op": "dance"}]))
        self.assertEqual(lanecheck.oracle(ADD).ub[:256], SUMS)  # the process lives on
        with self.assertRaisesRegex(lanecheck.LanecheckError, "ended with status 2: lanecheck serve: .*ub"):
            lanecheck.oracle({"ub_bytes": 32})
        self.assertEqual(lanecheck.oracle(ADD).ub[:256], SUMS)

    def test_iterates_over_the_cases_of_a_run(self):
        for profile in ("vmc", "tik"):
            some = list(lanecheck.cases(profile=profile, seed=7, count=5, first=100))
            self.assertEqual([each.number for each in some], list(range(100, 105)))
            self.assertEqual([each.program.get("profile", "vmc") for each in some], [profile] * 5)
            self.assertEqual(some[3:], list(lanecheck.cases(profile=profile, seed=7, count=2, first=103)))
            self.assertTrue(all(lanecheck.oracle(each.program).state == "ran" for each in some))
        self.assertNotEqual(next(lanecheck.cases()), next(lanecheck.cases(seed=2)))
        with self.assertRaisesRegex(lanecheck.LanecheckError, "no such profile"):
            list(lanecheck.cases(profile="mine"))

    def test_judges_what_the_documents_leave_open_as_right(self):
        """VMC 3.1 does not say how exact exp is: the neighbour of the oracle's result is right, another number is not."""
        program = {"ub_bytes": 576, "ub": (bytes(288) + struct.pack("<64f", *[1] * 64) + bytes(32)).hex(),
                   "allocations": [{"name": "d", "type": "f32", "offset": 0, "bytes": 256},
                                   {"name": "s", "type": "f32", "offset": 288, "bytes": 256}],
                   "instructions": [{"op": "exp.f32", "repeat": 1, "dst": place(0), "src": dict(place(0), at="s")}]}
        right = lanecheck.oracle(program)
        self.assertEqual(lanecheck.judge(program, right), [])
        for step, is_right in ((1, True), (1 << 20, False)):
            ub = bytearray(right.ub)
            ub[0:4] = (int.from_bytes(ub[0:4], "little") + step).to_bytes(4, "little")
            wrong = lanecheck.judge(program, lanecheck.Result("ran", bytes(ub), right.mask))
            self.assertEqual(wrong == [], is_right, wrong)

    def test_judges_results_of_the_instructions_that_a_simulator_has(self):
        some = list(lanecheck.cases(count=6, only=["add.f32"]))
        for case in some:
            ops = {each["op"] for each in case.program["instructions"]}
            self.assertTrue(all(op == "add.f32" or "mask" in op for op in ops), ops)
            self.assertEqual(lanecheck.judge(case.program, lanecheck.oracle(case.program)), [])
            refused = lanecheck.judge(case.program, lanecheck.Result("refused", why="no"))
            self.assertEqual(len(refused), 1)
        with self.assertRaisesRegex(lanecheck.LanecheckError, "a program is a dictionary such as lanecheck.cases"):
            lanecheck.oracle("add.f32")
        with self.assertRaisesRegex(lanecheck.LanecheckError, "a program is a dictionary"):
            lanecheck.judge(None, lanecheck.Result("refused"))

    def test_is_asked_again_after_it_ended(self):
        lanecheck.oracle(ADD)
        process = _program._oracle(lanecheck.find_program(), os.getpid())._process
        process.kill()
        process.wait()
        with self.assertRaisesRegex(lanecheck.LanecheckError, "ended with status -9"):
            lanecheck.oracle(ADD)
        self.assertEqual(lanecheck.oracle(ADD).ub[:256], SUMS)

    def test_is_named_if_it_is_missing(self):
        with mock.patch.dict(os.environ, {"LANECHECK": "/no/such"}):
            with self.assertRaisesRegex(lanecheck.LanecheckError, "LANECHECK=/no/such: there is no such program"):
                lanecheck.oracle(ADD)
        with mock.patch.dict(os.environ, {"PATH": self.id(), "LANECHECK": ""}):
            with self.assertRaisesRegex(lanecheck.LanecheckError, "no program `lanecheck` in PATH; set LANECHECK"):
                lanecheck.find_program()


class Help(unittest.TestCase):
    def test_everything_public_says_what_it_is(self):
        for name in lanecheck.__all__:
            with self.subTest(name=name):
                self.assertTrue(isinstance(getattr(lanecheck, name), dict) or getattr(lanecheck, name).__doc__)

    def test_the_example_of_oracle_works(self):
        import doctest
        tests = doctest.DocTestFinder().find(lanecheck.oracle, "oracle", globs={"lanecheck": lanecheck})
        runner, said = doctest.DocTestRunner(), io.StringIO()
        self.assertEqual(runner.run(tests[0], out=said.write), (0, 2), said.getvalue())

    def test_every_parameter_of_a_backend_is_explained(self):
        import inspect
        for name in list(inspect.signature(_backend.Backend).parameters):
            self.assertRegex(pydoc.getdoc(lanecheck.Backend), rf"(?m)^\s*([a-z_]+, )*{name}(, [a-z_]+)*: ")


if __name__ == "__main__":
    unittest.main()
