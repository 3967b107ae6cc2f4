"""The importer for records of easyasc, on each of its functions. The expected instructions are written by hand from the
fields and defaults of easyasc. The environment names the program: LANECHECK=build/lanecheck."""
import os
import struct
import sys
import tempfile
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import lanecheck  # noqa: E402

BLOCK = {"half": 16, "bfloat16_t": 16, "float": 8, "int": 8, "int16_t": 16, "uint8_t": 32, "uint32_t": 8}
ONE_REPEAT = {"block_stride": 1, "repeat_stride": 8}


def tensor(name, dtype, rows=4, blocks=8):
    """`rows` rows of `blocks` data blocks."""
    return types.SimpleNamespace(name=name, dtype=types.SimpleNamespace(name=dtype), shape=[rows, blocks * BLOCK[dtype]])


def at(name, **strides):
    return {"at": name, "offset": 0, **strides}


def imported(name, **fields):
    record = types.SimpleNamespace(opname=name, kwargs=fields)
    return lanecheck.easyasc.program([record])["instructions"][0]


class AFunctionOfEasyasc(unittest.TestCase):
    maxDiff = None
    seen = set()

    def check(self, expected, name, **fields):
        self.seen.add(name)
        self.assertEqual(imported(name, **fields), expected)

    def test_unary(self):
        for name in "exp ln abs rec sqrt rsqrt relu vnot".split():
            dtype, kind = ("int", "i32") if name == "vnot" else ("half", "f16")
            expected = {"op": f"{name}.{kind}", "dst": at("d", **ONE_REPEAT), "src": at("s", **ONE_REPEAT), "repeat": 4}
            self.check(expected, name, dst=tensor("d", dtype), src=tensor("s", dtype))
            given = {"op": f"{name}.{kind}", "dst": at("d", block_stride=2, repeat_stride=16),
                     "src": at("s", block_stride=3, repeat_stride=0), "repeat": 9}
            self.check(given, name, dst=tensor("d", dtype), src=tensor("s", dtype), repeat=9, dst_blk_stride=2,
                       dst_rep_stride=16, src_blk_stride=3, src_rep_stride=0)

    def test_binary(self):
        for name in "add sub mul div vmax vmin vand vor muladddst".split():
            dtype, kind = ("int", "i32") if name in ("vand", "vor") else ("float", "f32")
            expected = {"op": f"{name}.{kind}", "dst": at("d", **ONE_REPEAT),
                        "src0": at("a", block_stride=0, repeat_stride=1), "src1": at("b", block_stride=1, repeat_stride=0),
                        "repeat": 4}
            self.check(expected, name, dst=tensor("d", dtype), src1=tensor("a", dtype, blocks=1),
                       src2=tensor("b", dtype, rows=1))

    def test_with_a_scalar(self):
        for name in "adds muls vmaxs vmins lrelu axpy".split():
            expected = {"op": f"{name}.f16", "dst": at("d", **ONE_REPEAT), "src": at("s", **ONE_REPEAT),
                        "scalar": {"value": "1.5", "bits": "0x3e00"}, "repeat": 4}
            self.check(expected, name, dst=tensor("d", "half"), src=tensor("s", "half"), val=1.5)

    def test_of_groups(self):
        for name in "cadd cmax cmin cgadd cgmax cgmin cpadd".split():
            expected = {"op": f"{name}.f32", "dst": at("d", repeat_stride=1), "src": at("s", **ONE_REPEAT), "repeat": 4}
            self.check(expected, name, dst=tensor("d", "float"), src=tensor("s", "float"))

    def test_dup_and_brcb(self):
        self.check({"op": "dup.i32", "dst": at("d", **ONE_REPEAT), "scalar": {"value": "-3", "bits": "0xfffffffd"},
                    "repeat": 4}, "dup", dst=tensor("d", "int"), src=-3)
        self.check({"op": "brcb.f16", "dst": at("d", **ONE_REPEAT), "src": at("s"), "repeat": 2}, "brcb",
                   dst=tensor("d", "half"), src=tensor("s", "half", rows=1, blocks=1))

    def test_cast(self):
        wider = {"op": "cast.f32.f16", "dst": at("d", **ONE_REPEAT), "src": at("s", block_stride=1, repeat_stride=4),
                 "round": "none", "repeat": 4}
        self.check(wider, "cast", dst=tensor("d", "float"), src=tensor("s", "half"))
        narrower = {"op": "cast.f16.f32", "dst": at("d", block_stride=1, repeat_stride=4), "src": at("s", **ONE_REPEAT),
                    "round": "round", "repeat": 8}
        self.check(narrower, "cast", dst=tensor("d", "half"), src=tensor("s", "float"))
        self.check({**narrower, "round": "floor"}, "cast", dst=tensor("d", "half"), src=tensor("s", "float"),
                   mode=types.SimpleNamespace(name="CAST_FLOOR"))

    def test_compare_and_select(self):
        bits, a, b = tensor("m", "uint8_t", blocks=1), tensor("a", "half"), tensor("b", "half")
        self.check({"op": "compare.f16", "dst": at("m"), "src0": at("a", **ONE_REPEAT), "src1": at("b", **ONE_REPEAT),
                    "compare": "le", "repeat": 4}, "compare", dst=bits, src1=a, src2=b, mode="LE")
        self.check({"op": "compare_scalar.f16", "dst": at("m"), "src": at("a", **ONE_REPEAT), "compare": "gt",
                    "scalar": {"value": "5", "bits": "0x4500"}, "repeat": 4}, "compare_scalar", dst=bits, src1=a, src2=5,
                   mode="GT")
        select = {"op": "select.f16", "dst": at("d", **ONE_REPEAT), "control": at("m"), "src0": at("a", **ONE_REPEAT),
                  "repeat": 4}
        self.check({**select, "src1": at("b", **ONE_REPEAT)}, "select", dst=tensor("d", "half"), selmask=bits, src1=a,
                   src2=b)
        self.check({**select, "op": "select_number.f16", "scalar": {"value": "-3.0", "bits": "0xc200"}}, "select",
                   dst=tensor("d", "half"), selmask=bits, src1=a, src2=-3.0)
        self.check({"op": "set_cmpmask", "src": at("m")}, "set_cmpmask", src=bits)

    def test_gather_and_scatter(self):
        near, far, offset = tensor("n", "int"), tensor("f", "int"), tensor("o", "uint32_t")
        rows = at("n", repeat_stride=8)
        self.check({"op": "gather.i32", "dst": rows, "src": at("f"), "offsets": at("o"), "repeat": 4}, "gather", dst=near,
                   src=far, offset=offset)
        self.check({"op": "scatter.i32", "dst": at("f"), "src": rows, "offsets": at("o"), "repeat": 4}, "scatter",
                   dst=far, src=near, offset=offset)

    def test_sorts(self):
        d, s, index = tensor("d", "float"), tensor("s", "float"), tensor("i", "uint32_t")
        self.check({"op": "sort32.f32", "dst": at("d"), "src": at("s"), "index": at("i"), "repeat": 8}, "sort32", dst=d,
                   src=s, idx=index)
        self.check({"op": "mergesort4.f32", "dst": at("d"), "src": at("s"), "lengths": [32], "repeat": 1}, "mergesort4",
                   dst=d, src=s)
        self.check({"op": "mergesort_2seq.f32", "dst": at("d"), "src0": at("s"), "src1": at("i"), "lengths": [5, 7]},
                   "mergesort_2seq", dst=d, src1=s, src2=tensor("i", "float"), size1=5, size2=7)

    def test_of_the_mask(self):
        self.check({"op": "set_mask", "high": "0x1", "low": "0xff"}, "set_mask", low=255, high=1)
        self.check({"op": "set_mask", "high": "0xffffffffffffffff", "low": "0x0"}, "set_mask", low=0, high=-1)
        self.check({"op": "reset_mask"}, "reset_mask")

    @classmethod
    def tearDownClass(cls):
        assert cls.seen == set(lanecheck.easyasc.FUNCTIONS), "a function has no test"


class AProgramOfLanecheck(unittest.TestCase):
    def test_is_the_same_after_it_was_records(self):
        seen = set()
        for case in lanecheck.cases(count=600):
            fields = case.program
            machine = lanecheck.Machine({"id": 0, **fields}, bytearray(fields["ub_bytes"]))
            for given, (name, record) in zip(fields["instructions"], lanecheck.easyasc.records(machine)):
                if given["op"].startswith("cast") and "scalar" in given:
                    continue  # easyasc's cast has no scale
                kernel = lanecheck.easyasc.Kernel()  # each operand lies in an allocation of its own
                tensors = {field: value for field, value in record.items() if isinstance(value, lanecheck.easyasc.Tensor)}
                own = {field: lanecheck.easyasc.Tensor(field, value.dtype, value.start) for field, value in tensors.items()}
                again = kernel.instruction((name, {**record, **own}))
                for role, value in given.items():
                    if isinstance(value, dict) and "at" in value:
                        again[role] = {**again[role], "at": value["at"], "offset": value["offset"]}
                if "scalar" in again:
                    again["scalar"] = given["scalar"]  # its text may be another one
                self.assertEqual(again, given)
                seen.add(name)
        self.assertEqual(seen, set(lanecheck.easyasc.FUNCTIONS))


class AKernelOfEasyasc(unittest.TestCase):
    def test_gives_repeat_0_if_a_tensor_is_smaller_than_a_repeat(self):
        small = tensor("d", "float", rows=1, blocks=2)
        self.assertEqual(imported("abs", dst=small, src=small)["repeat"], 0)

    def test_finds_the_parts_of_a_tensor(self):
        whole, part, of_part = tensor("w", "half"), tensor("p", "half"), tensor("q", "half")
        part.span = [2, 16]
        buffer, second = tensor("b", "half"), tensor("c", "half")
        program = lanecheck.easyasc.program([
            ("create_tensor", {"val": whole, "shape": whole.shape}), ("create_dbuf", {"val": buffer, "shape": buffer.shape}),
            ("slice_tensor", {"src": whole, "out": part, "offset": [1, 16]}),
            ("slice_tensor", {"src": part, "out": of_part, "offset": [1, 0]}),
            ("get_buf", {"buf": buffer, "index": 1, "out": second}),
            ("add", {"dst": second, "src1": part, "src2": of_part})])
        self.assertEqual(program["allocations"], [{"name": "w", "type": "f16", "offset": 0, "bytes": 1024},
                                                  {"name": "b", "type": "f16", "offset": 1024, "bytes": 2048}])
        self.assertEqual(program["instructions"], [{
            "op": "add.f16", "dst": {"at": "b", "offset": 1024, **ONE_REPEAT},
            "src0": {"at": "w", "offset": 288, "block_stride": 0, "repeat_stride": 8},
            "src1": {"at": "w", "offset": 544, **ONE_REPEAT}, "repeat": 4}])

    def test_is_a_program_for_the_oracle_and_for_a_trace(self):
        d, s = tensor("d", "int", rows=1), tensor("s", "int", rows=1)
        program = lanecheck.easyasc.program([("set_mask", {"high": 0, "low": 5}), ("adds", {"dst": d, "src": s, "val": 7})])
        result = lanecheck.oracle(program)
        self.assertEqual(result.ub[:16], struct.pack("<4i", 7, 0, 7, 0))

        def adds(machine, i):
            for lane in range(64):
                if machine.mask[lane]:
                    machine.ub[i.dst.start + 4 * lane] = 7
        with tempfile.TemporaryDirectory() as folder:
            with lanecheck.record({"adds.i32": adds}, os.path.join(folder, "t"), allocations=program["allocations"],
                                  ub_bytes=program["ub_bytes"]) as t:
                for instruction in program["instructions"]:
                    t.execute(instruction)
        self.assertEqual(t.ub, result.ub)

    def test_names_what_is_wrong(self):
        d = tensor("d", "half")
        for message, record in (
                ("record 0, gm_to_ub_pad: it is no vector instruction", ("gm_to_ub_pad", {})),
                ("record 0, abs: it has no 'src'", ("abs", {"dst": d})),
                ("'val' is 'x'", ("adds", {"dst": d, "src": d, "val": "x"})),
                ("record 0, adds: 'val' is nan", ("adds", {"dst": tensor("i", "int"), "src": tensor("i", "int"),
                                                           "val": float("nan")})),
                ("record 0, adds: 'val' is inf", ("adds", {"dst": tensor("i", "int"), "src": tensor("i", "int"),
                                                           "val": float("inf")})),
                ("'repeat' is 1.5", ("abs", {"dst": d, "src": d, "repeat": 1.5})),
                ("'src' is 4; it must be a tensor", ("abs", {"dst": d, "src": 4})),
                ("there are: eq, ne", ("compare", {"dst": d, "src1": d, "src2": d, "mode": "almost"})),
                ("'selmask' is a scalar variable", ("select", {"dst": d, "selmask": 3, "src1": d, "src2": d})),
                ("there is no type 'fp8'", ("abs", {"dst": tensor("e", "half"), "src": types.SimpleNamespace(
                    name="x", dtype="fp8", shape=[1, 16])}))):
            with self.assertRaisesRegex(ValueError, message):
                lanecheck.easyasc.program([record])
        with self.assertRaisesRegex(TypeError, "is no record of easyasc"):
            lanecheck.easyasc.program([3])
        with self.assertRaisesRegex(ValueError, "need 1024 bytes of UB"):
            lanecheck.easyasc.program([("abs", {"dst": d, "src": d})], ub=b"")

    def test_takes_a_float_that_is_too_large_as_an_infinity(self):
        for name, bits in (("half", "0x7c00"), ("float", "0x7f800000"), ("bfloat16_t", "0x7f80")):
            for value, sign in ((1e39, 0), (-1e39, 1), (10**400, 0)):
                d = tensor("d", name)
                top = 0x80000000 if name == "float" else 0x8000
                self.assertEqual(imported("adds", dst=d, src=d, val=value)["scalar"]["bits"], hex(int(bits, 16) + sign * top))

    def test_knows_runtime_variables_with_a_value(self):
        d = tensor("d", "half")
        self.assertEqual(imported("abs", dst=d, src=d, repeat=types.SimpleNamespace(value=3))["repeat"], 3)


if __name__ == "__main__":
    unittest.main()
