"""An adapter that is wrong in one way, for the doctor's tests: `wrong_adapter.py MISTAKE` ('none': right).

A simulator in plain Python that shares nothing with lanecheck's own code: sub, adds, vmax, vmin and set_mask here, the
forms that are not elementwise in wrong_forms.py. The names are those of the doctor's mistakes; each is made here the
way people make it."""
import json
import struct
import sys

from wrong_forms import NAMES, STRIDES, Forms

wrong = sys.argv[1]
FORMATS = {"f16": "e", "f32": "f", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I"}
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
        return struct.unpack(kind, struct.pack(kind, value))[0]
    bits = 8 * struct.calcsize(kind)
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[1].islower() and value >> (bits - 1) else value


class Machine:
    def __init__(self):
        self.mask = [0 if wrong == "mask-starts-empty" else 1] * 256
        self.ub = bytearray()


def read_mask_bits(instruction):
    high, low = int(instruction["high"], 16), int(instruction["low"], 16)
    if wrong == "set_mask-arguments-swapped":
        high, low = low, high
    bits = [low >> n & 1 for n in range(64)] + [high >> n & 1 for n in range(64)]
    if wrong == "set_mask-high-is-0":
        bits[64:] = [0] * 64
    if wrong == "low-32-bits":
        bits[32:64] = bits[96:] = [0] * 32
    if wrong == "words-of-16-bits":
        bits = [bits[n ^ 16] for n in range(128)]
    if wrong == "mask-bits-reversed":
        bits = [int(c) for c in f"{low:064b}"] + [int(c) for c in f"{high:064b}"]
    if wrong == "mask-bits-all-reversed":
        bits = [int(c) for c in f"{high:064b}{low:064b}"]
    return bits


def scalar_of(instruction, kind):
    bits, size = int(instruction["scalar"]["bits"], 16), struct.calcsize(kind)
    raw = struct.pack("<Q", bits)[:size]
    if wrong == "scalar-bits-as-value":
        return wrapped(float(bits) if kind[1] in "ef" else bits, kind)
    if wrong == "scalar-is-0":
        return 0
    return struct.unpack(kind, raw if kind[0] == "<" else raw[::-1])[0]


def repeats_of(instruction):
    repeats = instruction["repeat"]
    return {"one-repeat": min(repeats, 1), "repeat-0-is-1": max(repeats, 1), "one-repeat-too-many": repeats + 1,
            "one-repeat-too-few": max(repeats - 1, 0)}.get(wrong, repeats)


def smaller(a, b):
    return max(a, b) if wrong == "vmin-as-vmax" else min(a, b)


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


def set_mask(machine, instruction):
    bits = read_mask_bits(instruction)
    if wrong == "set_mask-high-ignored":
        bits[64:] = machine.mask[64:128]
    if wrong == "set_mask-low-ignored":
        bits[:64] = machine.mask[:64]
    if wrong != "set_mask-ignored":
        machine.mask[:128] = bits
    if wrong == "set_mask-clears-upper":
        machine.mask[128:] = [0] * 128


def strides_of(place, places):
    """The block stride and the repeat stride that the adapter takes for the operand."""
    owner = {"strides-of-dst": places[0], "strides-of-src": places[1], "strides-of-src1": places[-1]}.get(wrong, place)
    stride, step = owner["block_stride"], owner["repeat_stride"]
    if wrong in STRIDES:
        return STRIDES[wrong]
    if wrong == "src1-block-stride-ignored" and len(places) > 2 and place is places[2]:
        return 1, step
    changed = {"strides-halved": (stride // 2, step // 2), "block-stride-is-repeat-stride": (step, step),
               "strides-swapped": (step, stride), "block-stride-ignored": (1, step), "repeat-stride-ignored": (stride, 8)}
    return changed.get(wrong, (stride, step))


class Addresses:
    """Where the adapter looks for the elements of an instruction without a form of its own."""

    def __init__(self, instruction, places, homes, size):
        self.repeats, self.places, self.homes, self.size = instruction["repeat"], places, homes, size

    def of(self, place, repeat, block, lane):
        stride, step = strides_of(place, self.places)
        unit = {"strides-in-bytes": 1, "strides-in-elements": self.size}.get(wrong, 32)
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
        return home + offset + (repeat * step + block * stride) * unit + lane * self.size


def write_lanes(machine, kind, values):
    for n, (at, value) in enumerate(values):
        gate = 1 if wrong == "mask-not-connected" or (wrong == "third-lanes-unmasked" and n % 3 == 0) else machine.mask[n]
        if gate != (1 if wrong == "mask-inverted" else 0):
            struct.pack_into(kind, machine.ub, at, value)
        elif wrong == "lanes-off-are-0":
            struct.pack_into(kind, machine.ub, at, 0)
        if wrong == "mask-used-once":
            machine.mask[n] = 1


def execute(machine, program, instruction):
    name, _, type_name = instruction["op"].partition(".")
    if name == "set_mask":
        set_mask(machine, instruction)
        return
    homes = {each["name"]: each["offset"] for each in program["allocations"]}
    if name in NAMES:
        execute_form(machine, homes, instruction)
        return
    kind = format_of(type_name)
    size = struct.calcsize(kind)
    places = [dict(instruction[role]) for role in ("dst", "src", "src0", "src1") if role in instruction]
    if wrong == "dst-and-src-swapped":
        places[0], places[1] = places[1], places[0]
    if wrong == "sources-swapped" and len(places) > 2:
        places[1], places[2] = places[2], places[1]
    addresses = Addresses(instruction, places, homes, size)
    scalar = scalar_of(instruction, kind) if "scalar" in instruction else 0
    for repeat in range(repeats_of(instruction)):
        values = []
        for n in range(256 // size):
            where = [addresses.of(place, repeat, n // (32 // size), n % (32 // size)) for place in places]
            operands = [struct.unpack_from(kind, machine.ub, at)[0] for at in where[1:]]
            a, b = (operands + [scalar])[:2]
            results = {"sub": a - b, "adds": a + b, "vmax": max(a, b), "vmin": smaller(a, b)}
            values.append((where[0], wrapped(results[name], kind)))
        write_lanes(machine, kind, values)


kept = Machine()


def run(program):
    global kept
    machine = Machine()
    if wrong in ("mask-leaks", "state-leaks"):
        machine.mask = kept.mask
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
    for instruction in instructions:
        execute(machine, program, instruction)
    kept = machine
    ub, mask = machine.ub, list(machine.mask)
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


def answers(programs):
    ran = [run(program) for program in programs]
    if wrong in ("first-answer-for-all", "last-answer-for-all"):
        one = ran[0 if wrong[0] == "f" else -1]
        ran = [one if len(one["ub"]) == len(own["ub"]) else own for own in ran]
    return [{"id": program["id"], "ran": result} for program, result in zip(programs, ran)]


for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "hello":
        rows = [{"instruction": name, "dst": kind} for name in ("sub", "adds", "vmax", "vmin")
                for kind in ("f16", "f32", "i8", "u8", "i16", "i32")]
        forms = [{"instruction": "set_mask"}] + [{"instruction": "cast", "dst": dst, "src": src} for dst, src in (
            ("f32", "f16"), ("f16", "f32"), ("i32", "f32"))]
        forms += [{"instruction": name, "src": kind} for name in NAMES[1:] for kind in ("f16", "f32")]
        answer = {"protocol": 1, "name": "wrong adapter", "offers": forms + rows}
    else:
        answer = {"answers": answers(message["programs"])}
    print(json.dumps(answer), flush=True)
