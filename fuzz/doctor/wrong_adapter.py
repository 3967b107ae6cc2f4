"""An adapter that is wrong in one way, for the doctor's tests: `wrong_adapter.py MISTAKE [PROFILE...]` ('none': right;
without a profile: vmc).

A simulator in plain Python that shares nothing with lanecheck's own code: sub, adds, vmax and vmin here, masks in
wrong_masks.py, the forms that are not elementwise in wrong_forms.py. The names are those of the doctor's mistakes; each is made here the
way people make it."""
import json
import math
import struct
import sys

import wrong_masks
from wrong_forms import NAMES, STRIDES, Forms, units_of

wrong = sys.argv[1]
profiles = sys.argv[2:] or ["vmc"]
FORMATS = {"f16": "e", "f32": "f", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I"}
SIZES = {name: struct.calcsize(kind) for name, kind in FORMATS.items()}
SETTERS = ("set_mask", "set_vector_mask", "set_vector_mask_len", "set_vector_mask_total", "set_mask_norm",
           "set_mask_count")
MISTAKEN_TYPES = {"f16-as-i16": ("f16", "i16"), "i16-as-f16": ("i16", "f16"), "f32-as-i32": ("f32", "i32"),
                  "i32-as-f32": ("i32", "f32")}


def format_of(type_name, of_cast=False):
    if not of_cast and wrong in MISTAKEN_TYPES and type_name == MISTAKEN_TYPES[wrong][0]:
        type_name = MISTAKEN_TYPES[wrong][1]
    if wrong == "signed-as-unsigned" and type_name[0] == "i":
        type_name = "u" + type_name[1:]
    return (">" if wrong == "big-endian" else "<") + FORMATS[type_name]


def wrapped(value, kind):
    if kind[1] in "ef":
        try:
            return struct.unpack(kind, struct.pack(kind, value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    bits = 8 * struct.calcsize(kind)
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[1].islower() and value >> (bits - 1) else value


class Machine:
    def __init__(self):
        self.mask = [0 if wrong == "mask-starts-empty" else 1] * 256
        self.ub = bytearray()
        self.mode = "normal"
        self.shown_mask = self.first_own = None


def scalar_of(instruction, kind):
    bits, size = int(instruction["scalar"]["bits"], 16), struct.calcsize(kind)
    raw = struct.pack("<Q", bits)[:size]
    if wrong == "scalar-bits-as-value":
        return wrapped(float(bits) if kind[1] in "ef" else bits, kind)
    if wrong == "scalar-is-0":
        return 0
    value = struct.unpack(kind, raw if kind[0] == "<" else raw[::-1])[0]
    return int(value) if wrong == "scalar-truncated" else value


def repeats_of(instruction):
    repeats = instruction["repeat"]
    return {"one-repeat": min(repeats, 1), "repeat-0-is-1": max(repeats, 1), "one-repeat-too-many": repeats + 1,
            "one-repeat-too-few": max(repeats - 1, 0), "repeat-ignored": 1}.get(wrong, repeats)


def smaller(a, b):
    return max(a, b) if wrong == "vmin-as-vmax" else min(a, b)


def greater(a, b):
    return min(a, b) if wrong == "vmax-as-vmin" else max(a, b)


def offset_of(place):
    return place["offset"] * {"offsets-ignored": 0, "offsets-twice": 2}.get(wrong, 1)


def execute_form(machine, homes, instruction):
    name, *types = instruction["op"].split(".")
    instruction = {**instruction, "repeat": repeats_of(instruction)}
    start = (lambda place: place["offset"]) if wrong == "allocations-ignored" else (
        lambda place: homes[place["at"]] + offset_of(place))
    if wrong == "dst-and-src-swapped":
        other = next(role for role in ("control", "src", "src0") if role in instruction)
        instruction["dst"], instruction[other] = instruction[other], instruction["dst"]
        for role in ("dst", other):
            instruction[role] = {"block_stride": 1, "repeat_stride": 8, **instruction[role]}
    forms = Forms(wrong, machine, start, format_of)
    if name == "compare_scalar":
        forms.compare(instruction, types, scalar_of(instruction, format_of(types[-1])))
    else:
        getattr(forms, name)(instruction, types)


def strides_of(place, places):
    """The block stride and the repeat stride that the adapter takes for the operand."""
    owner = {"strides-of-dst": places[0], "strides-of-src": places[1], "strides-of-src1": places[-1]}.get(wrong, place)
    stride, step = owner["block_stride"], owner["repeat_stride"]
    if wrong in STRIDES:
        return STRIDES[wrong]
    if wrong == "src1-block-stride-ignored" and len(places) > 2 and place is places[2]:
        return 1, step
    if wrong == "dst-block-stride-ignored" and place is places[0]:
        return 1, step
    if wrong == "src-repeat-stride-ignored" and place is not places[0]:
        return stride, 8
    changed = {"strides-halved": (stride // 2, step // 2), "block-stride-is-repeat-stride": (step, step),
               "strides-swapped": (step, stride), "block-stride-ignored": (1, step), "repeat-stride-ignored": (stride, 8)}
    return changed.get(wrong, (stride, step))


class Addresses:
    """Where the adapter looks for the elements of an instruction without a form of its own."""

    def __init__(self, instruction, places, homes, size):
        self.repeats, self.places, self.homes, self.size = instruction["repeat"], places, homes, size

    def of(self, place, repeat, block, lane):
        stride, step = strides_of(place, self.places)
        block_unit, unit = units_of(wrong, self.size)
        if wrong == "repeats-backwards":
            repeat = self.repeats - 1 - repeat
        block += wrong == "blocks-from-1"
        repeat += wrong == "repeats-from-1"
        offset = offset_of(place)
        if wrong == "dst-offset-twice" and place is self.places[0]:
            offset *= 2
        if wrong == "offsets-in-elements":
            offset *= self.size
        home = 0 if wrong == "allocations-ignored" else self.homes[place["at"]]
        return home + offset + repeat * step * unit + block * stride * block_unit + lane * self.size


def write_lanes(machine, kind, values, is_on):
    for n, (at, value) in enumerate(values):
        gate = 1 if wrong == "third-lanes-unmasked" and n % 3 == 0 else is_on(n)
        if gate != (1 if wrong == "mask-inverted" and machine.mode == "normal" else 0):
            struct.pack_into(kind, machine.ub, at, value)
        elif wrong == "lanes-off-are-0":
            struct.pack_into(kind, machine.ub, at, 0)
        if wrong == "mask-used-once":
            machine.mask[n] = 1


def execute(machine, program, instruction):
    name = instruction["op"].split(".")[0]
    if wrong_masks.set_register(wrong, machine, instruction):
        return
    homes = {each["name"]: each["offset"] * (SIZES[each["type"]] if wrong == "allocations-in-elements" else 1)
             for each in program["allocations"]}
    wrong_masks.take_operand(wrong, machine, instruction)
    if name in NAMES:
        execute_form(machine, homes, instruction)
    else:
        execute_elementwise(machine, homes, instruction)
    wrong_masks.leave(machine, instruction)


def execute_elementwise(machine, homes, instruction):
    name, _, type_name = instruction["op"].partition(".")
    kind = format_of(type_name)
    size = struct.calcsize(kind)
    places = [dict(instruction[role]) for role in ("dst", "src", "src0", "src1") if role in instruction]
    if wrong == "dst-and-src-swapped":
        places[0], places[1] = places[1], places[0]
    if wrong == "sources-swapped" and len(places) > 2:
        places[1], places[2] = places[2], places[1]
    if wrong == "dst-in-a-row-if-mask-full" and all(machine.mask[:128]):
        places[0]["block_stride"] = 1
    addresses = Addresses(instruction, places, homes, size)
    scalar = scalar_of(instruction, kind) if "scalar" in instruction else 0
    repeats, gate = wrong_masks.repeats_and_gate(wrong, machine, repeats_of(instruction), 256 // size)
    for repeat in range(repeats):
        values = []
        for n in range(256 // size):
            where = [addresses.of(place, repeat, n // (32 // size), n % (32 // size)) for place in places]
            operands = [struct.unpack_from(kind, machine.ub, at)[0] for at in where[1:]]
            a, b = (operands + [scalar])[:2]
            results = {"sub": a - b, "adds": a + b, "vmax": greater(a, b), "vmin": smaller(a, b)}
            values.append((where[0], wrapped(results[name], kind)))
        write_lanes(machine, kind, values, lambda lane: gate(repeat, lane))


kept = Machine()


def run(program):
    global kept
    machine = Machine()
    if wrong in ("mask-leaks", "register-leaks", "state-leaks"):
        machine.mask = kept.mask
    if wrong in ("mode-leaks", "register-leaks", "state-leaks"):
        machine.mode = kept.mode
    sent = bytearray.fromhex(program["ub"])
    machine.ub = bytearray(len(sent)) if wrong == "memory-not-copied-in" else bytearray(sent)
    if wrong in ("memory-leaks", "state-leaks") and kept.ub:
        machine.ub[:len(kept.ub)] = kept.ub[:len(machine.ub)]
    instructions = program["instructions"]
    if wrong == "only-first-instruction":
        instructions = instructions[:1]
    if wrong == "only-last-instruction":
        instructions = instructions[-1:]
    if wrong == "last-instruction-missing":
        instructions = instructions[:-1]
    if wrong == "mask-one-late":
        instructions = wrong_masks.each_mask_late(instructions)
    for instruction in instructions:
        execute(machine, program, instruction)
    kept = machine
    ub, mask = machine.ub, list(machine.shown_mask or machine.mask)
    if wrong == "memory-not-copied-out":
        ub = sent
    if wrong == "words-swapped":
        ub = b"".join(ub[n:n + 4][::-1] for n in range(0, len(ub), 4))
    if wrong == "only-first-allocation" and program["allocations"]:
        end = program["allocations"][0]["offset"] + program["allocations"][0]["bytes"]
        ub = ub[:end] + sent[end:]
    if wrong == "mask-of-128-slots":
        mask[128:] = [0] * 128
    if wrong == "mask-not-shown":
        mask = [1] * 256
    words = [f"0x{sum(bit << n for n, bit in enumerate(mask[64 * w:64 * w + 64])):x}" for w in range(4)]
    return {"ub": bytes(ub).hex(), "mask": words[::-1] if wrong == "mask-words-reversed" else words}


def answer_to(program):
    try:
        result = run(program)
        if len(result["ub"]) == len(program["ub"]):
            return {"id": program["id"], "ran": result}
        return {"id": program["id"], "errored": "wrote behind UB"}
    except struct.error as error:
        return {"id": program["id"], "errored": f"struct.error: {error}"}


def answers(programs):
    list_of_answers = [answer_to(program) for program in programs]
    if wrong in ("first-answer-for-all", "last-answer-for-all"):
        one = list_of_answers[0 if wrong[0] == "f" else -1]["ran"]
        for own in list_of_answers:
            if len(one["ub"]) == len(own["ran"]["ub"]):
                own["ran"] = one
    return list_of_answers


for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "hello":
        rows = [{"instruction": name, "dst": kind} for name in ("sub", "adds", "vmax", "vmin")
                for kind in ("f16", "f32", "i8", "u8", "i16", "i32")]
        forms = [{"instruction": name} for name in SETTERS]
        forms += [{"instruction": "cast", "dst": dst, "src": src} for dst, src in (
            ("f32", "f16"), ("f16", "f32"), ("i32", "f32"))]
        forms += [{"instruction": name, "src": kind} for name in ("compare", "compare_scalar", "cmax")
                  for kind in ("f16", "f32")]
        forms += [{"instruction": name, "src": kind, "profile": "vmc"} for name in ("gather", "select")
                  for kind in ("f16", "f32")]
        answer = {"protocol": 1, "name": "wrong adapter", "profiles": profiles, "offers": forms + rows}
    else:
        answer = {"answers": answers(message["programs"])}
    print(json.dumps(answer), flush=True)
