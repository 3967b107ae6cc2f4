"""Parses the calls of an exported Ascend C exam back and compares them with the programs of its manifest.

Usage: check_calls.py FOLDER CALLS IMAGE: the exported folder, the calls that record_main.cc wrote, what it copied out.
The table of names is written by hand from the pages of the calls; it is not the one that the export uses."""
import json
import pathlib
import sys

APIS = {"exp": "Exp", "ln": "Ln", "abs": "Abs", "rec": "Reciprocal", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "vnot": "Not",
        "relu": "Relu", "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "vmax": "Max", "vmin": "Min", "vand": "And",
        "vor": "Or", "muladddst": "MulAddDst", "fusedmuladd": "FusedMulAdd", "adds": "Adds", "muls": "Muls", "vmaxs": "Maxs",
        "vmins": "Mins", "lrelu": "LeakyRelu", "axpy": "Axpy", "shl": "ShiftLeft", "shr": "ShiftRight", "dup": "Duplicate",
        "cast": "Cast", "cadd": "WholeReduceSum", "cmax": "WholeReduceMax", "cmin": "WholeReduceMin",
        "cmax_index": "WholeReduceMax", "cmin_index": "WholeReduceMin", "cgadd": "BlockReduceSum", "cgmax": "BlockReduceMax",
        "cgmin": "BlockReduceMin", "cpadd": "PairReduceSum", "select": "Select", "select_bits": "Select",
        "select_scalar": "Select", "select_cmpmask": "Select", "compare": "Compare", "compare_cmpmask": "Compare",
        "compare_scalar": "Compares", "set_cmpmask": "SetCmpMask", "get_cmpmask": "GetCmpMask", "gather": "Gather",
        "gatherb": "Gatherb", "brcb": "Brcb", "sort32": "Sort32", "mergesort4": "MrgSort", "mergesort_2seq": "MrgSort",
        "gather_mask": "GatherMask", "gather_mask_user": "GatherMask", "vpadding": "VectorPadding",
        "set_vector_mask": "SetVectorMask", "set_vector_mask_len": "SetVectorMask", "set_vector_mask_total": "SetVectorMask",
        "set_mask_norm": "SetMaskNorm", "set_mask_count": "SetMaskCount", "reset_mask": "ResetMask"}
ROUNDS = ["none", "rint", "floor", "ceil", "round", "trunc", "odd"]
COMPARES = ["lt", "gt", "eq", "le", "ge", "ne"]
SELECT_MODES = {"select_bits": 0, "select_cmpmask": 0, "select_scalar": 1, "select": 2}
ROLES = ("dst", "src", "src0", "src1", "control", "offsets", "index")
BYTES = {"f16": 2, "bf16": 2, "i16": 2, "u16": 2}
RESET = [{"api": "SetMaskNorm"}, {"api": "SetVectorMask", "type": "f16", "high": 2**64 - 1, "low": 2**64 - 1},
         {"api": "ResetMask"}]


def type_of(role, name, types):
    if role == "control" or name in ("set_cmpmask", "get_cmpmask") or role == "dst" and name.startswith("compare"):
        return "u8"
    if role in ("offsets", "index"):
        return "u32"
    if name == "gather_mask_user" and role == "src1":
        return "u16" if BYTES.get(types[0]) == 2 else "u32"
    return types[0] if role == "dst" else types[-1]


def scalar_of(name, types, bits):
    return [types[0] if name in ("dup", "cast") else types[-1], bits]


def fill(call, instruction, name, types, place):
    """What most calls have: operands, strides, scalar, mask, repeat times."""
    counted = "count" in instruction.get("mask_operand", {})
    for role in ROLES:
        if role in instruction:
            operand = instruction[role]
            call[role] = [type_of(role, name, types), place(operand)]
            if not counted:
                call.update({f"{role}_{kind}": operand[f"{kind}_stride"] for kind in ("block", "repeat")
                             if f"{kind}_stride" in operand})
    if "scalar" in instruction and name != "cast":
        call["scalar"] = scalar_of(name, types, int(instruction["scalar"]["bits"], 16))
    for field, value in instruction.get("mask_operand", {}).items():
        call[field] = int(value, 16) if isinstance(value, str) else value
    for field in ("pattern", "counter", "mask", "mode", "side", "order"):
        if field in instruction:
            call[field] = instruction[field]
    if "by" in instruction:
        call["scalar"] = [types[-1], instruction["by"]]
    if "round" in instruction:
        call["round"] = ROUNDS.index(instruction["round"])
    if "compare" in instruction:
        call["compare"] = COMPARES.index(instruction["compare"])
    if name in SELECT_MODES:
        call["mode"] = SELECT_MODES[name]
    if name in ("cmax", "cmin"):
        call["order"] = 2
    if "repeat" in instruction and not counted:
        call["repeat"] = instruction["repeat"]


def merge(call, instruction, types, place):
    four = "src" in instruction
    lengths = instruction["lengths"] * 4 if four else instruction["lengths"] + [0, 0]
    start = place(instruction["src" if four else "src0"])
    starts = [start + 8 * n * lengths[0] for n in range(4)] if four else \
        [start, place(instruction["src1"]), start, start]
    call.update({f"src{n}": [types[0], at] for n, at in enumerate(starts)}, dst=[types[0], place(instruction["dst"])],
                lengths=lengths, valid=15 if four else 3, repeat=instruction.get("repeat", 1))


def calls_of(instruction, place):
    """The calls that an instruction of the protocol is, as the stand-in header writes them."""
    name, *types = instruction["op"].split(".")
    call = {"api": APIS[name]}
    if name.startswith("set_vector_mask"):
        call["type"] = types[0] if types else "f16"
        if "len" in instruction:
            return [{**call, "len": instruction["len"], "counter": int(name.endswith("total"))}]
        return [{**call, "high": int(instruction["high"], 16), "low": int(instruction["low"], 16)}]
    if name.startswith("mergesort"):
        merge(call, instruction, types, place)
        return [call]
    fill(call, instruction, name, types, place)
    if name == "cast" and "scalar" in instruction:
        return [{"api": "SetDeqScale", "scalar": scalar_of(name, types, int(instruction["scalar"]["bits"], 16))}, call]
    if name.startswith("gather_mask"):
        call.setdefault("src1_repeat", 0)
        return [call, {"api": "SetValue", "at": ["u64", place(instruction["count"])]}]
    return [call]


def expected(manifest):
    launch = None
    for program in manifest["programs"]:
        first = program["launch"] != launch
        launch = program["launch"]
        starts = {each["name"]: each["offset"] + program["base"] for each in program["allocations"]}
        here = {"base": program["base"], "bytes": program["ub_bytes"]}
        yield from [{"api": "launch"}] * first
        yield {"api": "load", **here}
        yield from [] if first else RESET
        for instruction in program["instructions"]:
            yield from calls_of(instruction, lambda operand: starts[operand["at"]] + operand["offset"])
        yield {"api": "store", **here}


# What a call has although the instruction has not: strides of operands without them.
FREE = {"Compare": ("dst_block", "dst_repeat"), "Compares": ("dst_block", "dst_repeat"), "Select": ("src1_block", "src1_repeat")}


def main():
    folder = pathlib.Path(sys.argv[1])
    manifest = json.loads((folder / "manifest.json").read_text())
    calls = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
    wanted = list(expected(manifest))
    for number, (call, want) in enumerate(zip(calls, wanted)):
        free = FREE.get(call["api"], ())
        kept = {key: value for key, value in call.items() if key in want or key not in free}
        if kept != want:
            sys.exit(f"call {number} is\n  {json.dumps(call)}\ninstead of\n  {json.dumps(want)}")
    if len(calls) != len(wanted):
        sys.exit(f"there are {len(calls)} calls instead of {len(wanted)}")
    image, copied = (folder / "input.bin").read_bytes(), pathlib.Path(sys.argv[3]).read_bytes()
    for program in manifest["programs"]:
        region = slice(program["offset"], program["offset"] + program["ub_bytes"])
        if bytes(255 - each for each in image[region]) != copied[region]:
            sys.exit(f"program {program['id']} is not copied in and out")
    print(f"{len(calls)} calls are those of the programs, of {len(set(each['api'] for each in calls))} kinds")


main()
