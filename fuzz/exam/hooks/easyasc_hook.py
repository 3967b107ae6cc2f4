"""A stand-in for easyasc that takes an exam: its functions write records, which the importer of the package reads and the
NumPy example executes. EASYASC_FAULT=swap swaps the arguments of set_mask."""
import os
import types

import numpy_hook  # first: it extends the path
import lanecheck
import lanecheck_backend

STRIDES = "{0}_blk_stride {0}_rep_stride"


def signature(*names, strided=()):
    return set(names) | {each for name in strided for each in STRIDES.format(name).split()}


# The arguments of each function, by hand from its definition.
ELEMENTWISE = signature("dst", "src", "repeat", strided=("dst", "src"))
THREE = signature("dst", "src1", "src2", "repeat", strided=("dst", "src1", "src2"))
GROUP = ELEMENTWISE - {"dst_blk_stride"}
SIGNATURES = {
    **dict.fromkeys("exp ln abs rec sqrt rsqrt relu vnot".split(), ELEMENTWISE),
    **dict.fromkeys("add sub mul div vmax vmin vand vor muladddst".split(), THREE),
    **dict.fromkeys("adds muls vmaxs vmins lrelu axpy".split(), ELEMENTWISE | {"val"}),
    **dict.fromkeys("cadd cmax cmin cgadd cgmax cgmin cpadd".split(), GROUP),
    "dup": signature("dst", "value", "repeat", strided=("dst",)), "cast": ELEMENTWISE | {"round_mode"},
    "compare": THREE | {"mode"}, "compare_scalar": THREE - {"src2_blk_stride", "src2_rep_stride"} | {"mode"},
    "select": THREE | {"selmask"}, "set_cmpmask": {"src"}, "gather": {"dst", "src", "offset", "repeat", "dst_rep_stride"},
    "scatter": {"dst", "src", "offset", "repeat", "src_rep_stride"}, "sort32": {"dst", "src", "idx", "repeat"},
    "mergesort4": {"dst", "src", "length_per_blk", "repeat"}, "mergesort_2seq": {"dst", "src1", "src2", "size1", "size2"},
    "brcb": signature("dst", "src", "repeat", strided=("dst",)), "set_mask": {"mask_high", "mask_low"}, "reset_mask": set()}
FIELDS = {"mask_high": "high", "mask_low": "low", "value": "src", "round_mode": "mode"}
called = set()


def as_tensor(name, dtype, elements):
    return types.SimpleNamespace(name=name, dtype=dtype, shape=[1, elements])


class Unit:
    def __init__(self, ub):
        self.machine = lanecheck_backend.Machine({"id": 0, "allocations": [], "instructions": []}, ub)
        self.whole = as_tensor("ub", "uint8_t", len(ub))
        self.kernel = lanecheck.easyasc.Kernel()
        self.records = [("create_tensor", {"val": self.whole})]

    def tensor(self, dtype, start):
        part = as_tensor(f"{dtype} at {start}", dtype, 1)
        self.records.append(("slice_tensor", {"src": self.whole, "out": part, "offset": [0, start]}))
        return part

    def __getattr__(self, name):
        if name not in SIGNATURES:
            raise AttributeError(name)

        def function(**arguments):
            unknown = set(arguments) - SIGNATURES[name]
            if unknown:
                raise TypeError(f"{name} has no argument {', '.join(unknown)}")
            if name == "set_mask" and os.environ.get("EASYASC_FAULT") == "swap":
                arguments = {"mask_high": arguments["mask_low"], "mask_low": arguments["mask_high"]}
            self.records.append((name, {FIELDS.get(key, key): value for key, value in arguments.items()}))
        return function

    def run(self):
        records, self.records = self.records, []
        for record in records:
            fields = self.kernel.instruction(record)
            if fields is None:
                continue
            homes = {each["name"]: lanecheck_backend.Allocation(each) for each in self.kernel.allocations}
            i = lanecheck_backend.Instruction(fields, homes)
            names = [i.op, f"{i.op}.{i.dst_type}", f"{i.op}.{i.dst_type}.{i.src_type}"]
            numpy_hook.FULL_TABLE[next(each for each in names if each in numpy_hook.FULL_TABLE)](self.machine, i)
