"""The Python client as a host sees it: backends are started as processes and spoken to over their pipes."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import lanecheck_backend  # noqa: E402

ADDS = {"op": "adds.i32", "dst": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
        "src": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
        "scalar": {"value": "2", "bits": "0x2"}, "repeat": 1, "a_later_field": {"of": ["another version"]}}


def program(number, instructions=(), ub=bytes(64)):
    return {"id": number, "ub_bytes": len(ub), "instructions": list(instructions), "ub": ub.hex(), "news": [1],
            "allocations": [{"name": "d", "type": "i32", "offset": 0, "bytes": 64}]}


class Started:
    """A backend script in a process of its own."""

    def __init__(self, script, prelude=""):
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "my_simulator.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(prelude + "from lanecheck_backend import *\n" + textwrap.dedent(script))
        self.process = subprocess.Popen([sys.executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": HERE})

    def say(self, message, raw=b""):
        self.process.stdin.write(json.dumps(message).encode() + b"\n" + raw)
        self.process.stdin.flush()

    def ask(self, message, raw=b""):
        self.say(message, raw)
        return json.loads(self.process.stdout.readline())

    def run(self, *programs):
        return self.ask({"cmd": "run", "encoding": "hex", "programs": programs, "news": {}})["answers"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.folder.cleanup()

    def end(self):
        """Exit status and standard error after the end of input."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        errors = self.process.stderr.read().decode() if not self.process.stderr.closed else ""
        status = self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return status, errors


FUNCTIONS = """
def adds(machine, i):
    print("this print must not break the protocol")
    machine.ub[i.dst.start] += i.scalar.value
def boom(machine, i):
    machine.ub[0] = 99
    raise IndexError("out of reach")
def skips(machine, i):
    raise Skip("not yet")
def refuses(machine, i):
    raise ValueError("repeat is too large")
serve({"adds.i32": adds, "add": boom, "sub": skips, "mul": refuses}, name="tested", version=3, refuses=[ValueError],
      readings={"empty_pair": "keeps_dst"})
"""


class Client(unittest.TestCase):
    def test_hello_tells_name_version_readings_and_what_the_dictionary_offers(self):
        with Started(FUNCTIONS) as backend:
            hello = backend.ask({"cmd": "hello", "protocol": {"least": 1, "most": 9}, "host": "test"})
        self.assertEqual((hello["protocol"], hello["name"], hello["version"]), (1, "tested", "3"))
        self.assertEqual(hello["readings"], {"empty_pair": "keeps_dst"})
        self.assertIn({"instruction": "adds", "dst": "i32", "src": "i32"}, hello["offers"])
        self.assertIn({"instruction": "set_mask"}, hello["offers"])
        self.assertIn("hex", hello["encodings"])

    def test_a_print_in_the_simulator_goes_to_standard_error(self):
        with Started(FUNCTIONS) as backend:
            answer, = backend.run(program(7, [ADDS]))
            self.assertEqual(answer["ran"]["ub"][:4], "0200")
            self.assertIn("must not break", backend.end()[1])

    def test_every_program_starts_from_its_own_memory_and_a_full_mask(self):
        mask = {"op": "set_mask", "high": "0x0", "low": "0x5"}
        with Started(FUNCTIONS) as backend:
            first, second = backend.run(program(1, [mask, ADDS]), program(2))
        self.assertEqual(first["ran"]["mask"], ["0x5", "0x0", "0xffffffffffffffff", "0xffffffffffffffff"])
        self.assertEqual(second["ran"]["mask"], ["0xffffffffffffffff"] * 4)
        self.assertEqual(second["ran"]["ub"], bytes(64).hex())

    def test_a_program_that_breaks_does_not_disturb_its_neighbours(self):
        ops = [dict(ADDS, op=name) for name in ("adds.i32", "add.i32", "sub.i32", "mul.i32", "div.f32", "adds.i32")]
        with Started(FUNCTIONS) as backend:
            answers = backend.run(*[program(n, [op]) for n, op in enumerate(ops)])
        self.assertEqual([each["id"] for each in answers], list(range(6)))
        self.assertEqual(answers[0]["ran"], answers[5]["ran"])
        self.assertRegex(answers[1]["errored"], r"^IndexError: out of reach \(my_simulator.py:\d+\)$")
        self.assertEqual(answers[2]["skipped"], "not yet")
        self.assertEqual(answers[3]["refused"], "repeat is too large")
        self.assertEqual(answers[4]["skipped"], "no div.f32")

    def test_a_missing_attribute_or_key_is_named_with_those_that_exist(self):
        source = """
def adds(machine, i):
    i.src0
def add(machine, i):
    i.dst.stride
def sub(machine, i):
    TYPES["s32"]
def mul(machine, i):
    {}["mine"]
serve({"adds": adds, "add": add, "sub": sub, "mul": mul})
"""
        ops = [dict(ADDS, op=name) for name in ("adds.i32", "add.i32", "sub.i32", "mul.i32")]
        with Started(source) as backend:
            answers = backend.run(*[program(n, [op]) for n, op in enumerate(ops)])
        self.assertRegex(answers[0]["errored"], "'Instruction' object has no attribute 'src0'; it has: .*dst, .*src, ")
        self.assertRegex(answers[1]["errored"], "no attribute 'stride'; it has: allocation, block_stride, offset, ")
        self.assertRegex(answers[2]["errored"], r"there is no 's32'; there are: f16, bf16, .*u64 \(my_simulator.py:\d+\)")
        self.assertRegex(answers[3]["errored"], r"KeyError: 'mine' \(my_simulator")

    def test_profile_mask_operand_settings_and_mode_reach_the_simulator_and_come_back(self):
        source = """
def shows(machine, i):
    machine.mode = "counter"
    machine.ub[0] = i.mask_operand["count"] + i.by
    machine.ub[1] = i.mask_operand.get("high", 7)
    machine.ub[2] = len(machine.profile)
serve({"shl": shows, "set_vector_mask": lambda machine, i: machine.set_mask(i.high, i.low)}, name="a2",
      profiles=["ascendc-a2"], shows_mode=True, reports_refusals=True)
"""
        shl = dict(ADDS, op="shl.i32", by=3, mask_operand={"count": 70})
        with Started(source) as backend:
            hello = backend.ask({"cmd": "hello", "protocol": {"least": 1, "most": 1}})
            answer, = backend.run(dict(program(1, [shl, {"op": "set_vector_mask.f16", "high": "0x1", "low": "0x2"}]),
                                       profile="ascendc-a2"))
        self.assertEqual((hello["profiles"], hello["shows_mode"], hello["reports_refusals"]), (["ascendc-a2"], True, True))
        self.assertEqual(answer["ran"]["mode"], "counter")
        self.assertEqual(answer["ran"]["mask"][:2], ["0x2", "0x1"])
        self.assertEqual(answer["ran"]["ub"][:6], "49070a")

    def test_images_as_bytes_and_as_digits_give_the_same_result(self):
        images = [bytes(range(64)), bytes(range(64, 128))]
        with Started(FUNCTIONS) as backend:
            in_digits = backend.run(*[program(n, [ADDS], ub) for n, ub in enumerate(images)])
            request = [{k: v for k, v in program(n, [ADDS], ub).items() if k != "ub"} for n, ub in enumerate(images)]
            head = backend.ask({"cmd": "run", "encoding": "bytes", "bytes": 128, "programs": request}, b"".join(images))
            raw = backend.process.stdout.read(head["bytes"])
        self.assertEqual(head["bytes"], 128)
        self.assertEqual(raw.hex(), in_digits[0]["ran"]["ub"] + in_digits[1]["ran"]["ub"])

    def test_a_mask_of_another_shape_is_named_with_what_is_expected(self):
        with Started("""
            import numpy
            def two_rows(machine, i):
                machine.mask = numpy.ones((2, 128))
            def grows(machine, i):
                machine.ub[0:4] = bytes(8)
            serve({"adds": two_rows, "muls": grows})
            """) as backend:
            two_rows, grows = backend.run(program(1, [ADDS]), program(2, [{**ADDS, "op": "muls.i32"}]))
            self.assertIn("the mask has become 2 x 128 slots long instead of 256: machine.mask is flat", two_rows["errored"])
            self.assertIn("UB has become 68 bytes long instead of 64: results must replace as many bytes", grows["errored"])

    def test_a_key_without_types_offers_all_of_them(self):
        with Started("""
            KINDS = {"f16": 1}
            serve({"adds": lambda machine, i: KINDS[i.dst_type]})
            """) as backend:
            answer, = backend.run(program(1, [ADDS]))
            self.assertIn("KeyError: 'i32'; the key 'adds' offers adds of every element type: use keys such as 'adds.f16'",
                          answer["errored"])

    def test_an_object_with_run_is_a_backend(self):
        with Started("""
            class Simulator:
                def run(self, machine):
                    machine.ub[1] = len(machine.instructions)
            serve(Simulator(), shows_mask=False)
            """) as backend:
            self.assertFalse(backend.ask({"cmd": "hello"})["shows_mask"])
            answer, = backend.run(program(1, [ADDS, ADDS]))
        self.assertEqual(answer["ran"], {"ub": "0002" + "00" * 62})

    def test_a_ub_of_another_length_is_an_error_of_this_program(self):
        with Started("""
            class Simulator:
                def run(self, machine):
                    machine.ub = machine.ub[:5]
            serve(Simulator())
            """) as backend:
            answer, = backend.run(program(1))
        self.assertIn("5 bytes", answer["errored"])

    def test_what_a_simulator_does_to_its_process_or_its_state_stays_with_its_program(self):
        script = """
            import subprocess, sys
            def reads(machine, i):   # must not take requests off the pipe
                machine.ub[0] = len(sys.stdin.read()) + len(subprocess.run(["cat"], stdout=subprocess.PIPE).stdout)
            def exits(machine, i):
                sys.exit("enough")
            def no_ub(machine, i):
                machine.ub = None
            def long_mask(machine, i):
                machine.mask = [7] * 256
            def short_mask(machine, i):
                machine.mask = bytearray(255)
            def refuses_(machine, i):
                raise Refuse("two\\nlines")
            serve({"abs": reads, "exp": exits, "ln": no_ub, "relu": long_mask, "rec": short_mask, "sqrt": refuses_},
                  refuses=[KeyError])
            """
        with Started(script) as backend:
            answers = backend.run(*[program(n, [dict(ADDS, op=op + ".f32")]) for n, op in
                                    enumerate(("abs", "exp", "ln", "relu", "rec", "sqrt"))])
            self.assertEqual(backend.run(program(9))[0]["id"], 9)
        self.assertEqual(answers[0]["ran"]["ub"], bytes(64).hex())
        self.assertIn("SystemExit: enough", answers[1]["errored"])
        self.assertIn("TypeError", answers[2]["errored"])
        self.assertEqual(answers[3]["ran"]["mask"], ["0xffffffffffffffff"] * 4)
        self.assertIn("255 slots", answers[4]["errored"])
        self.assertEqual(answers[5]["refused"], "two lines")

    def test_the_end_of_input_is_the_end_with_status_0(self):
        backend = Started(FUNCTIONS)
        backend.ask({"cmd": "hello"})
        self.assertEqual(backend.end()[0], 0)
        backend.folder.cleanup()

    def test_a_request_that_cannot_be_read_ends_it_with_a_message(self):
        for request, says in (({"cmd": "dance"}, "no such request: dance"), ({"cmd": "run"}, "KeyError: 'programs'"),
                              ([1], "TypeError")):
            backend = Started(FUNCTIONS)
            backend.say(request)
            status, errors = backend.end()
            self.assertEqual(status, 1)
            self.assertIn(says, errors)
            backend.folder.cleanup()

    def test_works_without_numpy_and_imports_it_for_no_simulator_that_does_without(self):
        for prelude in ("import sys; sys.modules['numpy'] = None\n", "import sys\n"):
            with Started("""
                def adds(machine, i):
                    machine.ub[0] = 1 if sys.modules.get("numpy") is None else 2
                serve({"adds": adds})
                """, prelude=prelude) as backend:
                answer, = backend.run(program(1, [ADDS]))
            self.assertEqual(answer["ran"]["ub"][:2], "01")


class Helpers(unittest.TestCase):
    def setUp(self):
        fields = {"name": "t", "type": "f32", "offset": 96, "bytes": 4096}
        homes = {"t": lanecheck_backend.Allocation(fields)}
        place = {"at": "t", "offset": 32, "block_stride": 3, "repeat_stride": 5}
        self.cast = lanecheck_backend.Instruction(
            {"op": "cast.f16.f32", "dst": dict(place), "src": dict(place), "round": "rint", "repeat": 2}, homes)

    def test_a_mnemonic_names_the_operation_the_type_of_dst_and_the_type_of_src(self):
        self.assertEqual(lanecheck_backend.mnemonic("cast.f16.f32"), ("cast", "f16", "f32"))
        self.assertEqual(lanecheck_backend.mnemonic("add.i8"), ("add", "i8", "i8"))
        self.assertEqual(lanecheck_backend.mnemonic("compare.f32"), ("compare", "u8", "f32"))
        self.assertEqual(lanecheck_backend.mnemonic("set_mask"), ("set_mask", None, None))

    def test_a_repeat_has_the_lanes_of_the_wider_type(self):
        self.assertEqual(lanecheck_backend.lanes(self.cast), 64)

    def test_block_b_of_repeat_r_is_at_r_times_repeat_stride_plus_b_times_block_stride_blocks(self):
        narrow = list(lanecheck_backend.blocks(self.cast, self.cast.dst, "f16"))
        self.assertEqual(narrow, [(r, b, 128 + 32 * (5 * r + 3 * b)) for r in range(2) for b in range(4)])
        wide = list(lanecheck_backend.blocks(self.cast, self.cast.src, "f32"))
        self.assertEqual(len(wide), 16)

    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "needs NumPy")
    def test_lane_offsets_are_the_offsets_of_the_blocks_lane_by_lane(self):
        offsets = lanecheck_backend.lane_offsets(self.cast, self.cast.dst, "f16")
        by_hand = [[128 + 32 * (5 * r + 3 * (n // 16)) + 2 * (n % 16) for n in range(64)] for r in range(2)]
        self.assertEqual(offsets.tolist(), by_hand)


if __name__ == "__main__":
    unittest.main()
