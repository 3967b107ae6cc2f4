"""The Python side of lanecheck's backend protocol, version 1 (fuzz/backend/protocol.md).

A simulator becomes a backend with

    from lanecheck_backend import serve
    serve({"add.f32": add, "set_mask": set_mask}, name="my simulator")

where each function is called as function(machine, instruction), and runs as

    lanecheck run --backend 'cmd: python3 my_simulator.py'
    lanecheck gen --questions | python3 my_simulator.py | lanecheck judge -    (where lanecheck cannot start it)

This one file has no dependencies; it uses NumPy if that is installed. Offsets and sizes are in bytes, block stride and repeat
stride in data blocks of 32 bytes (the repeat stride of a reduction's dst: in results of one repeat).
"""
import collections
import functools
import json
import os
import sys
import traceback

PROTOCOL = 1
MASK_SLOTS = 256
BLOCK_BYTES, REPEAT_BYTES = 32, 256

class MissingKey(KeyError):
    """A key that a table of this client does not have."""

    def __str__(self):
        return self.args[0]


class Table(dict):
    """A dictionary that names its keys if one is missing."""

    def __missing__(self, key):
        raise MissingKey(f"there is no {key!r}; there are: {', '.join(map(str, self))}")


#: Element types, little-endian: size in bytes, code of the struct module, NumPy type. Neither module knows bf16: it is
#: given as its 16 bits.
TYPES = Table({
    "f16": (2, "<e", "<f2"), "bf16": (2, "<H", "<u2"), "f32": (4, "<f", "<f4"),
    "i8": (1, "<b", "<i1"), "u8": (1, "<B", "<u1"), "i16": (2, "<h", "<i2"), "u16": (2, "<H", "<u2"),
    "i32": (4, "<i", "<i4"), "u32": (4, "<I", "<u4"), "i64": (8, "<q", "<i8"), "u64": (8, "<Q", "<u8"),
})


def size_of(element_type):
    """Returns the bytes of one element."""
    return TYPES[element_type][0]


class Skip(Exception):
    """The simulator does not offer this. The program counts neither as agreement nor as failure."""


class Refuse(Exception):
    """The simulator says that the program is illegal."""


class Allocation:
    """A named piece of UB."""
    def __init__(self, fields):
        self.name, self.type = fields["name"], fields["type"]
        self.offset, self.bytes = fields["offset"], fields["bytes"]  # bytes from the start of UB, bytes


class Operand:
    """Where an instruction reads or writes."""
    __slots__ = ("allocation", "offset", "start", "block_stride", "repeat_stride")

    def __init__(self, allocation, fields):
        self.allocation = allocation
        self.offset = fields["offset"]  # bytes from the start of the allocation
        self.start = allocation.offset + self.offset  # bytes from the start of UB
        self.block_stride = fields.get("block_stride", 1)
        self.repeat_stride = fields.get("repeat_stride", 8)


class Scalar:
    """A scalar operand: its value, and its bits in the element type."""
    __slots__ = ("value", "bits")

    def __init__(self, fields, element_type):
        self.bits = int(fields["bits"], 16)
        text = fields["value"]
        if element_type[0] in "iu":
            self.value = int(text, 0) if text.lstrip("-").isdigit() or text.startswith("0x") else int(float(text))
        else:
            self.value = float("nan") if text.startswith("0x") else float(text)


#: Instructions that are named by the type of their sources, because their dst holds packed bits or they have no dst.
COMPARES = ("compare", "compare_scalar", "compare_cmpmask")


def mnemonic(name):
    """'cast.f16.f32' -> ('cast', 'f16', 'f32'): operation, type of dst, type of src."""
    op, *types = name.split(".")
    if not types:
        return op, None, None
    if op in COMPARES:
        return op, "u8", types[0]  # packed bits from elements
    return op, types[0], types[-1]


class Instruction:
    """One instruction. Operands are attributes: i.dst, i.src, i.src0, i.src1, i.control, i.offsets, i.index, i.count.
    Settings are attributes too: i.len, i.by, i.order, i.pattern, i.counter, i.mask, i.mode, i.side. `lanecheck offers`
    lists them for each instruction."""
    repeat = 1  # repeat times, 0..255
    scalar_repeat = False  # tik: repeat times given by a Scalar
    # Its own mask, in profiles other than vmc: {"contiguous": n}, {"high": h, "low": l} or {"count": n}, whole numbers;
    # None: what the register holds.
    mask_operand = None

    def __init__(self, fields, homes):
        own = self.__dict__
        own.update(fields)  # repeat, round, compare and lengths stay as they are in the message
        name = fields["op"]
        shape = _SHAPES.get(name) or _shape(name, fields)
        self.name = name
        self.op, self.dst_type, self.src_type, operands, scalar_type = shape
        for role in operands:
            place = own[role]
            own[role] = Operand(homes[place["at"]], place)
        if scalar_type:
            self.scalar = Scalar(self.scalar, scalar_type)
        if self.mask_operand:
            self.mask_operand = Table((field, int(str(value), 0)) for field, value in self.mask_operand.items())
        if self.op in ("set_mask", "set_vector_mask"):
            self.high, self.low = int(self.high, 16), int(self.low, 16)  # lanes 64..127, lanes 0..63


_SHAPES = {}  # by mnemonic


def _shape(name, fields):
    """(op, type of dst, type of src, names of the operands, type of the scalar or None): the same for all instructions
    with this mnemonic."""
    op, dst_type, src_type = mnemonic(name)
    operands = [role for role, value in fields.items() if isinstance(value, dict) and "at" in value]
    scalar_type = dst_type if op in ("dup", "cast") else src_type
    _SHAPES[name] = op, dst_type, src_type, operands, scalar_type if "scalar" in fields else None
    return _SHAPES[name]


class Machine:
    """UB, the mask and the program that is to run on them. Every program gets a new one, in the default state."""

    def __init__(self, fields, ub):
        self.id = fields["id"]
        self.profile = fields.get("profile", "vmc")
        self.mode = "normal"                    # of the mask, or "counter"; shown when serve() is told so
        self.ub = ub                            # bytearray: all of UB, before and after
        self.mask = bytearray(b"\1" * MASK_SLOTS)  # 0 or 1 for each slot
        self.allocations = [Allocation(each) for each in fields["allocations"]]
        homes = {each.name: each for each in self.allocations}
        self.instructions = [Instruction(each, homes) for each in fields["instructions"]]

    @property
    def bytes(self):
        """UB as a NumPy array of uint8 that writes through."""
        import numpy  # where it is used, because this costs a simulator without it 0.1 s at each start
        return numpy.frombuffer(self.ub, numpy.uint8)

    def set_mask(self, high, low):
        """Bit i of `low` becomes slot i, bit i of `high` slot 64 + i; slots 128..255 stay."""
        for i in range(64):
            self.mask[i] = low >> i & 1
            self.mask[64 + i] = high >> i & 1

    def reset_mask(self):
        self.mask[:] = b"\1" * MASK_SLOTS

    def lane_mask(self, lanes):
        """The first `lanes` slots as a NumPy array of bool."""
        import numpy
        return numpy.frombuffer(self.mask, numpy.bool_, lanes)

    def array(self, element_type, start, count):
        """`count` elements from byte `start` of UB, as a NumPy array that writes through."""
        import numpy
        return numpy.frombuffer(self.ub, TYPES[element_type][2], count, start)


def lanes(i):
    """Lanes of a full repeat: the wider of the two element types decides; compare counts by its source."""
    if i.op in COMPARES:
        return REPEAT_BYTES // size_of(i.src_type)
    return REPEAT_BYTES // max(size_of(i.dst_type), size_of(i.src_type))


def blocks(i, operand, element_type):
    """(repeat, block, byte offset in UB) for each data block that an elementwise operand walks over."""
    for repeat in range(i.repeat):
        for block in range(lanes(i) * size_of(element_type) // BLOCK_BYTES):
            yield repeat, block, (operand.start + BLOCK_BYTES *
                                  (repeat * operand.repeat_stride + block * operand.block_stride))


def lane_offsets(i, operand, element_type):
    """Byte offset in UB of every lane of every repeat: a NumPy array of shape (repeats, lanes)."""
    import numpy
    steps = numpy.arange(i.repeat, dtype=numpy.int64)[:, None] * (operand.repeat_stride * BLOCK_BYTES)
    return operand.start + steps + _lane_shape(lanes(i), size_of(element_type), operand.block_stride)


@functools.lru_cache(maxsize=4096)
def _lane_shape(count, size, block_stride):
    import numpy
    lane, per_block = numpy.arange(count, dtype=numpy.int64), BLOCK_BYTES // size
    return lane // per_block * (block_stride * BLOCK_BYTES) + lane % per_block * size


# From here on: the protocol.

def _dispatch(functions):
    """Makes a backend object from a dictionary of functions."""
    table = {"set_mask": lambda machine, i: machine.set_mask(i.high, i.low),
             "reset_mask": lambda machine, i: machine.reset_mask(), **functions}

    def run(machine):
        for i in machine.instructions:
            function = table.get(i.name) or table.get(i.op)
            if function is None:
                raise Skip("no " + i.name)
            try:
                function(machine, i)
            except KeyError as error:  # of a table of the simulator, by element type?
                if i.name not in table and error.args and error.args[0] in TYPES:
                    error.hint = (f"; the key {i.op!r} offers {i.op} of every element type: use keys such as "
                                  f"'{i.op}.f16' for the types that exist, or raise Skip for the others")
                raise

    return run, [_offer(name) for name in table]


def _offer(name):
    row = dict(zip(("instruction", "dst", "src"), mnemonic(name)))
    return {field: value for field, value in row.items() if value and not (field == "dst" and row["instruction"] in COMPARES)}


def _one_line(text):
    return " ".join(str(text).split())


_Shows = collections.namedtuple("_Shows", ["mask", "mode"])

_LIBRARY = os.path.dirname(os.__file__) + os.sep
_OURS = (__file__, os.path.join(os.path.dirname(__file__), "lanecheck") + os.sep)


def _where(error):
    """'ValueError: what (file.py:12)': the innermost place that is in neither this client nor a library."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    places = [each for each in places if not each[0].startswith(_OURS)]
    own = [each for each in places if not each[0].startswith(_LIBRARY) and "-packages" + os.sep not in each[0]]
    file, line = (own or places or [("", 0)])[-1]
    place = f" ({os.path.basename(file)}:{line})" if file else ""
    return f"{type(error).__name__}: {_one_line(error)}{_what_exists(error)}{getattr(error, 'hint', '')}{place}"


def _what_exists(error):
    """The attributes that exist, if a simulator asked an object of this client for another one."""
    owner = getattr(error, "obj", None)
    ours = isinstance(owner, (Allocation, Instruction, Machine, Operand, Scalar))
    if not ours or not isinstance(error, AttributeError):
        return ""
    return f"; it has: {', '.join(name for name in dir(owner) if not name.startswith('_'))}"


@functools.lru_cache(maxsize=64)
def _mask_words(mask):
    """256 bytes of 0 or 1 as four words of 64 slots, the lowest slots first."""
    return [hex(sum((slot != 0) << bit for bit, slot in enumerate(mask[w:w + 64]))) for w in range(0, MASK_SLOTS, 64)]


def _slots(mask):
    """The mask, which the simulator may have replaced by another object, as 256 bytes."""
    shape = tuple(getattr(mask, "shape", None) or (len(mask),))
    if shape != (MASK_SLOTS,):
        raise ValueError(f"the mask has become {' x '.join(map(str, shape))} slots long instead of {MASK_SLOTS}: machine.mask "
                         "is flat, a value of 0 or 1 for each slot; write into it, such as machine.mask[:128] = slots")
    return bytes(mask) if isinstance(mask, (bytes, bytearray)) else bytes(map(bool, mask))


def _state(machine, ub_bytes, shows):
    """UB, the words of the mask and its mode after a program. The simulator may have replaced them by other objects."""
    ub = machine.ub if isinstance(machine.ub, (bytes, bytearray)) else bytes(machine.ub)
    if len(ub) != ub_bytes:
        raise ValueError(f"UB has become {len(ub)} bytes long instead of {ub_bytes}: results must replace as many bytes, in "
                         "the element type of dst, such as machine.array(i.dst_type, start, count)[:] = results")
    ran = {"mask": _mask_words(_slots(machine.mask))} if shows.mask else {}
    if shows.mode:
        ran["mode"] = machine.mode
    return ub, ran


def _answer(run, fields, ub, refuses, shows):
    """One entry of `answers`, and UB if the program ran."""
    try:
        machine = Machine(fields, ub)
        run(machine)
        ub, ran = _state(machine, fields["ub_bytes"], shows)
        return {"id": fields["id"], "ran": ran}, ub
    except Skip as why:
        return {"id": fields["id"], "skipped": _one_line(why) or "not implemented"}, None
    except refuses as why:
        return {"id": fields["id"], "refused": _one_line(why) or type(why).__name__}, None
    except NotImplementedError as why:
        return {"id": fields["id"], "skipped": _one_line(why) or "not implemented"}, None
    except (Exception, SystemExit) as error:  # a broken program must not break the others of its request
        return {"id": fields["id"], "errored": _where(error)}, None


def _run_message(message, source, run, refuses, shows):
    """The answer to a `run` request, and the bytes behind it."""
    programs, raw, at = message["programs"], b"", 0
    in_bytes = message.get("encoding") == "bytes"
    if in_bytes:
        raw = memoryview(source.read(message["bytes"]))
        if len(raw) != message["bytes"]:
            sys.exit("lanecheck_backend: the input ends before the images do")
    answers, images = [], []
    for fields in programs:
        ub = bytearray(raw[at:at + fields["ub_bytes"]]) if in_bytes else bytearray.fromhex(fields["ub"])
        at += fields["ub_bytes"]
        answer, ub = _answer(run, fields, ub, refuses, shows)
        answers.append(answer)
        if in_bytes and ub is not None:
            images.append(ub)
        elif ub is not None:
            answer["ran"]["ub"] = ub.hex()
    tail = b"".join(images)
    return {"answers": answers, **({"bytes": len(tail)} if in_bytes else {})}, tail


def serve(backend, *, name=None, version="", offers=None, readings=None, refuses=(Refuse,), shows_mask=True,
          shows_mode=False, reports_refusals=False, profiles=("vmc",)):
    """Answers lanecheck until it closes standard input.

    backend: a dictionary {"add": f, "cast.f16.f32": g} of functions f(machine, instruction). A name with types comes
        before the same name without them; lanecheck leaves out the instructions that are not in the dictionary. Or an
        object with run(machine), which executes machine.instructions on machine.ub and machine.mask; then `offers`
        says which instructions it has (None: all).
    offers: rows like {"instruction": "add", "dst": "f16", "src": "f16"}; a field that is left out means any.
    readings: {"empty_pair": "keeps_dst"}: what this simulator does on purpose where the documents leave it open.
    profiles: whose programs it takes ("vmc", "ascendc-a2", "ascendc-310p", "tik").
    reports_refusals: illegal programs are refused; lanecheck then sends some and judges the answers.
    refuses: exception types, beside Refuse, with which the simulator refuses an illegal program. Skip and
        NotImplementedError skip it; every other exception is reported as the failure of this one program.
    """
    if isinstance(backend, dict):
        run, derived = _dispatch(backend)
        offers = derived if offers is None else offers
    else:
        run = backend.run
    hello = {"protocol": PROTOCOL, "name": name or os.path.basename(sys.argv[0]) or "python", "version": str(version),
             "encodings": ["hex", "bytes"], "shows_mask": shows_mask, "shows_mode": shows_mode,
             "reports_refusals": reports_refusals, "profiles": list(profiles), "readings": readings or {}}
    if offers is not None:
        hello["offers"] = offers
    if sys.stdin.isatty():
        print(f"{sys.argv[0]}: started by lanecheck, not by hand: lanecheck run --backend 'cmd: python3 {sys.argv[0]}'",
              file=sys.stderr)
    # A print() in a simulator must not end up between two messages, and what it reads must not be a request: standard
    # output becomes standard error and standard input empty, for its child processes too.
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    source = os.fdopen(os.dup(0), "rb", buffering=1 << 20)
    with open(os.devnull, "rb") as empty:
        os.dup2(empty.fileno(), 0)
    try:
        for line in iter(source.readline, b""):
            try:
                message = json.loads(line)
                question = message if "schema" in message else None  # of `lanecheck gen --questions`
                command, tail = "run" if question else message["cmd"], b""
                if command == "hello":
                    reply = hello
                elif question and question.get("profile", "vmc") not in profiles:
                    reply = {**question, "skipped": f"profile {question['profile']} is not on offer"}
                elif command == "run":
                    asked = {"programs": [question]} if question else message
                    reply, tail = _run_message(asked, source, run, (Refuse, *refuses), _Shows(shows_mask, shows_mode))
                    reply = {**question, **reply["answers"][0]} if question else reply
                else:
                    sys.exit(f"lanecheck_backend: no such request: {str(command)[:80]}")
                view = memoryview(json.dumps(reply).encode() + b"\n" + tail)
            except (ValueError, KeyError, TypeError) as error:
                sys.exit(f"lanecheck_backend: a request that cannot be read: {type(error).__name__}: {error}")
            while view:
                view = view[answers.write(view):]
    except (BrokenPipeError, KeyboardInterrupt):
        pass
