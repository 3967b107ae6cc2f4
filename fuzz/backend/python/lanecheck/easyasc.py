"""Kernels of easyasc as programs: lists of its records Instruction(name, **operands).

    program = lanecheck.easyasc.program(kernel.instructions)
    lanecheck.oracle(program).ub                        # what must come out, if UB starts with zeros
    with lanecheck.record(backend, allocations=program["allocations"], ub_bytes=program["ub_bytes"]) as t:
        for instruction in program["instructions"]:
            t.execute(instruction)

A record is an object with `opname` and `kwargs`, or a pair (name, fields). A tensor is an object with `name`, `dtype`
(or its name: "half", "float", "int", "int8_t", ...), `shape` and, if it is a part of another one, `span`. The records
create_tensor, create_dbuf, get_buf and slice_tensor say where tensors lie; a tensor that none of them names is a new one.
`records(machine)` is the other direction: what a program of lanecheck is for a simulator that executes records.
Repeat times and strides that a record does not have, or that are None, follow from the shapes, as easyasc does it.
"""
import dataclasses
import math
import struct
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

__all__ = ["FUNCTIONS", "Kernel", "Tensor", "program", "records"]

_TYPES = {"half": "f16", "float": "f32", "int": "i32", "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16",
          "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64",
          "bfloat16_t": "bf16", "bfloat16": "bf16"}
_SIZES = {"f16": 2, "bf16": 2, "f32": 4, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8}
_ROUNDS = ("none", "rint", "floor", "ceil", "round", "trunc", "odd")
_COMPARES = ("eq", "ne", "lt", "le", "gt", "ge")

# The operands of the elementwise functions, as (field of the record, operand of the program).
_UNARY = (("dst", "dst"), ("src", "src"))
_BINARY = (("dst", "dst"), ("src1", "src0"), ("src2", "src1"))
_KINDS: Dict[str, Tuple[str, ...]] = {
    "unary": ("exp", "ln", "abs", "rec", "sqrt", "rsqrt", "relu", "vnot"),
    "binary": ("add", "sub", "mul", "div", "vmax", "vmin", "vand", "vor", "muladddst"),
    "scalar": ("adds", "muls", "vmaxs", "vmins", "lrelu", "axpy"),
    "group": ("cadd", "cmax", "cmin", "cgadd", "cgmax", "cgmin", "cpadd"),
    "": ("dup", "cast", "compare", "compare_scalar", "select", "set_cmpmask", "gather", "scatter", "sort32", "mergesort4",
         "mergesort_2seq", "brcb", "set_mask", "reset_mask"),
}
_KIND_OF = {name: kind or name for kind, names in _KINDS.items() for name in names}
#: The functions of easyasc that are instructions of profile vmc.
FUNCTIONS = tuple(_KIND_OF)

_BLOCK, _REPEAT = 32, 256  # bytes


def _float_bits(form: str, value: Any) -> int:
    """A number that is too large is an infinity."""
    try:
        return int.from_bytes(struct.pack(form, value), "little")
    except (OverflowError, struct.error):  # struct.error: a whole number that no float holds
        return int.from_bytes(struct.pack(form, float("inf") if value > 0 else float("-inf")), "little")


def _bits(element_type: str, value: Any) -> int:
    if element_type in ("f32", "f16"):
        return _float_bits("<f" if element_type == "f32" else "<e", value)
    if element_type == "bf16":  # round to nearest, ties to even
        bits = _float_bits("<f", value)
        return bits >> 16 if value != value else (bits + 0x7fff + (bits >> 16 & 1)) >> 16
    return int(value) % (1 << 8 * _SIZES[element_type])


class _Record:
    """One record, whose fields say which of them is missing or wrong."""

    def __init__(self, record: Any, number: int) -> None:
        if isinstance(record, tuple) and len(record) == 2:
            self.name, fields = record
        else:
            self.name, fields = getattr(record, "opname", None), getattr(record, "kwargs", None)
        if not isinstance(self.name, str) or not isinstance(fields, Mapping):
            raise TypeError(f"record {number}: {record!r} is no record of easyasc: it has no opname and kwargs")
        self._fields, self._where = fields, f"record {number}, {self.name}"

    def wrong(self, what: str) -> ValueError:
        return ValueError(f"{self._where}: {what}")

    def get(self, field: str) -> Any:
        return self._fields.get(field)

    def field(self, field: str) -> Any:
        if self._fields.get(field) is None:
            raise self.wrong(f"it has no '{field}'")
        return self._fields[field]

    def tensor(self, field: str) -> Any:
        value = self.field(field)
        if not hasattr(value, "shape") or not hasattr(value, "dtype"):
            raise self.wrong(f"'{field}' is {value!r}; it must be a tensor in UB")
        return value

    def number(self, field: str, otherwise: Optional[int] = None) -> int:
        value = self.get(field) if otherwise is not None else self.field(field)
        return self.whole(field, otherwise if value is None else value)

    def whole(self, field: str, value: Any) -> int:
        """A runtime variable (Var) counts as its `value`."""
        value = getattr(value, "value", value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(f"'{field}' is {value!r}; it must be a whole number that is known before the kernel runs")
        return value

    def scalar(self, field: str, element_type: str) -> Dict[str, str]:
        value = getattr(self.field(field), "value", self.field(field))
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(f"'{field}' is {value!r}; it must be a number that is known before the kernel runs")
        if element_type[0] in "iu":
            if isinstance(value, float) and not math.isfinite(value):
                raise self.wrong(f"'{field}' is {value!r}, which is no number of type {element_type}")
            value = int(value)
        return {"value": repr(value), "bits": hex(_bits(element_type, value))}

    def choice(self, field: str, names: Tuple[str, ...]) -> str:
        """RoundMode.FLOOR, "CAST_FLOOR", CompareMode.LT, "LT": the last word counts."""
        mode = self.field(field)
        word = str(getattr(mode, "name", mode)).split("_")[-1].lower()
        if word not in names:
            raise self.wrong(f"'{field}' is {mode!r}; there are: {', '.join(names)}")
        return word


class Kernel:
    """Records of easyasc, one after the other. Each tensor that none of them places is an allocation of its own.

    allocations: as in a program of fuzz/backend/protocol.md
    ub_bytes: how much of UB they need
    """

    def __init__(self) -> None:
        self.allocations: List[Dict[str, Any]] = []
        self.ub_bytes = 0
        self._homes: Dict[str, Tuple[str, int]] = {}  # by name of a tensor: its allocation, and the byte in it
        self._number = 0

    def instruction(self, record: Any) -> Optional[Dict[str, Any]]:
        """Returns the instruction that `record` is, as in a program; None if it only says where a tensor lies. Raises
        ValueError if it is another one, or if a field of it is wrong."""
        given = _Record(record, self._number)
        self._number += 1
        if given.name in _PLACES:
            _PLACES[given.name](self, given)
            return None
        if given.name not in _KIND_OF:
            raise given.wrong("it is no vector instruction of profile vmc")
        return getattr(self, "_" + _KIND_OF[given.name])(given)

    # Where tensors lie.

    def _create(self, tensor: Any, count: int = 1) -> None:
        if tensor.name in self._homes:  # a loop creates it again
            return
        rows, columns = tensor.shape
        size = rows * columns * count * _SIZES[_type_of(tensor)]
        size = (size + _BLOCK - 1) // _BLOCK * _BLOCK
        self.allocations.append({"name": tensor.name, "type": _type_of(tensor), "offset": self.ub_bytes, "bytes": size})
        self._homes[tensor.name] = tensor.name, 0
        self.ub_bytes += size

    def _home(self, tensor: Any) -> Tuple[str, int]:
        if tensor.name not in self._homes:
            self._create(tensor)
        return self._homes[tensor.name]

    def _part(self, record: _Record, whole: Any, elements: int) -> None:
        home, at = self._home(whole)
        part = record.field("out")
        self._homes[part.name] = home, at + elements * _SIZES[_type_of(whole)]

    def _slice(self, record: _Record) -> None:
        whole = record.field("src")
        row, column = (record.whole("offset", each) for each in record.field("offset"))
        self._part(record, whole, row * record.whole("shape", whole.shape[1]) + column)

    def _buffer(self, record: _Record) -> None:
        whole = record.field("buf")
        self._part(record, whole, record.number("index") * whole.shape[0] * whole.shape[1])

    # The instructions.

    def _place(self, record: _Record, field: str, *, block: bool = True, repeat: bool = True) -> Dict[str, Any]:
        """An operand, with strides from the record or from its shape."""
        tensor = record.tensor(field)
        home, at = self._home(tensor)
        result: Dict[str, Any] = {"at": home, "offset": at}
        shaped = _strides(tensor)
        if block:
            result["block_stride"] = record.number(f"{field}_blk_stride", shaped[0])
        if repeat:
            result["repeat_stride"] = record.number(f"{field}_rep_stride", shaped[1])
        return result

    def _bare(self, record: _Record, field: str) -> Dict[str, Any]:
        return self._place(record, field, block=False, repeat=False)

    def _repeat(self, record: _Record, field: str, elements: Optional[int] = None) -> int:
        tensor = record.tensor(field)
        return record.number("repeat", _count(tensor) // (elements or _REPEAT // _SIZES[_type_of(tensor)]))

    def _unary(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src"), **{role: self._place(record, field) for field, role in _UNARY},
                "repeat": self._repeat(record, "src")}

    def _binary(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src1"), **{role: self._place(record, field) for field, role in _BINARY},
                "repeat": self._repeat(record, "dst")}

    def _scalar(self, record: _Record) -> Dict[str, Any]:
        return {**self._unary(record), "scalar": record.scalar("val", _type_of(record.tensor("src")))}

    def _group(self, record: _Record) -> Dict[str, Any]:
        dst = self._bare(record, "dst")
        return {"op": _mnemonic(record, "dst", "src"), "dst": {**dst, "repeat_stride": record.number("dst_rep_stride", 1)},
                "src": self._place(record, "src"), "repeat": self._repeat(record, "src")}

    def _dup(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst"), "dst": self._place(record, "dst"),
                "scalar": record.scalar("src", _type_of(record.tensor("dst"))), "repeat": self._repeat(record, "dst")}

    def _cast(self, record: _Record) -> Dict[str, Any]:
        to, of = (_type_of(record.tensor(field)) for field in ("dst", "src"))
        dst, src = _SIZES[to], _SIZES[of]
        wider = max(dst, src)
        instruction = {"op": f"cast.{to}.{of}", "dst": self._place(record, "dst"),
                       "src": self._place(record, "src"),
                       "round": record.choice("mode", _ROUNDS) if record.get("mode") is not None else
                       "none" if dst > src else "round",
                       "repeat": record.number("repeat", _count(record.tensor("dst")) // (_REPEAT // wider))}
        for field, size in (("dst", dst), ("src", src)):
            if record.get(f"{field}_rep_stride") is None:
                instruction[field]["repeat_stride"] = 8 * size // wider
        return instruction

    def _compare(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "src1"), "dst": self._bare(record, "dst"), "src0": self._place(record, "src1"),
                "src1": self._place(record, "src2"), "compare": record.choice("mode", _COMPARES),
                "repeat": self._repeat(record, "src1")}

    def _compare_scalar(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "src1"), "dst": self._bare(record, "dst"), "src": self._place(record, "src1"),
                "scalar": record.scalar("src2", _type_of(record.tensor("src1"))),
                "compare": record.choice("mode", _COMPARES), "repeat": self._repeat(record, "src1")}

    def _select(self, record: _Record) -> Dict[str, Any]:
        if not hasattr(record.field("selmask"), "shape"):
            raise record.wrong("'selmask' is a scalar variable; lanecheck knows masks in UB only")
        common = {"dst": self._place(record, "dst"), "control": self._bare(record, "selmask"),
                  "src0": self._place(record, "src1"), "repeat": self._repeat(record, "dst")}
        if hasattr(record.field("src2"), "shape"):
            return {"op": _mnemonic(record, "dst", "src1"), **common, "src1": self._place(record, "src2")}
        element_type = _type_of(record.tensor("src1"))
        return {"op": f"select_number.{element_type}", **common, "scalar": record.scalar("src2", element_type)}

    def _set_cmpmask(self, record: _Record) -> Dict[str, Any]:
        return {"op": "set_cmpmask", "src": self._bare(record, "src")}

    def _gather(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src"), "dst": self._place(record, "dst", block=False),
                "src": self._bare(record, "src"), "offsets": self._bare(record, "offset"),
                "repeat": self._repeat(record, "dst")}

    def _scatter(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src"), "dst": self._bare(record, "dst"),
                "src": self._place(record, "src", block=False), "offsets": self._bare(record, "offset"),
                "repeat": self._repeat(record, "src")}

    def _sort32(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src"), "dst": self._bare(record, "dst"), "src": self._bare(record, "src"),
                "index": self._bare(record, "idx"), "repeat": self._repeat(record, "src", 32)}

    def _mergesort4(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src"), "dst": self._bare(record, "dst"), "src": self._bare(record, "src"),
                "lengths": [record.number("length_per_blk", 32)], "repeat": record.number("repeat", 1)}

    def _mergesort_2seq(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src1"), "dst": self._bare(record, "dst"),
                "src0": self._bare(record, "src1"), "src1": self._bare(record, "src2"),
                "lengths": [record.number("size1"), record.number("size2")]}

    def _brcb(self, record: _Record) -> Dict[str, Any]:
        return {"op": _mnemonic(record, "dst", "src"), "dst": self._place(record, "dst"), "src": self._bare(record, "src"),
                "repeat": self._repeat(record, "src", 8)}

    def _set_mask(self, record: _Record) -> Dict[str, Any]:
        return {"op": "set_mask", **{field: hex(record.number(field) % 2**64) for field in ("high", "low")}}

    def _reset_mask(self, record: _Record) -> Dict[str, Any]:
        return {"op": "reset_mask"}


_PLACES = {
    "create_tensor": lambda kernel, record: kernel._create(record.field("val")),
    "create_dbuf": lambda kernel, record: kernel._create(record.field("val"), 2),
    "slice_tensor": Kernel._slice,
    "get_buf": Kernel._buffer,
}


def _type_of(tensor: Any) -> str:
    name = str(getattr(tensor.dtype, "name", tensor.dtype))
    if name not in _TYPES:
        raise ValueError(f"tensor {tensor.name}: there is no type '{name}'; there are: {', '.join(_TYPES)}")
    return _TYPES[name]


def _count(tensor: Any) -> int:
    rows, columns = getattr(tensor, "span", None) or tensor.shape
    return rows * columns


def _strides(tensor: Any) -> Tuple[int, int]:
    """Block and repeat stride: a row of one repeat follows the shape; a row of one data block is read eight times; a
    single row is read in each repeat."""
    rows, columns = getattr(tensor, "span", None) or tensor.shape
    block = _BLOCK // _SIZES[_type_of(tensor)]
    if columns not in (block, 8 * block):
        return 1, 8
    return (0 if columns == block else 1), (0 if rows == 1 else tensor.shape[1] // block)


def _mnemonic(record: _Record, *fields: str) -> str:
    types = [_type_of(record.tensor(field)) for field in fields]
    return ".".join([record.name, *dict.fromkeys(types)])


def program(records: Iterable[Any], ub: Optional[bytes] = None) -> Dict[str, Any]:
    """Returns the program that `records` are, as for lanecheck.oracle.

    ub: what UB holds at the start, zeros if nothing is given. The tensors lie in it one after the other, in the order in
        which the records name them, each on a whole number of data blocks of 32 bytes.
    """
    kernel = Kernel()
    instructions = [each for each in map(kernel.instruction, records) if each is not None]
    start = bytes(kernel.ub_bytes) if ub is None else bytes(ub)
    if len(start) < kernel.ub_bytes:
        raise ValueError(f"the tensors need {kernel.ub_bytes} bytes of UB, but ub has {len(start)}")
    return {"ub_bytes": len(start), "allocations": kernel.allocations, "instructions": instructions, "ub": start.hex()}


@dataclasses.dataclass(frozen=True)
class Tensor:
    """An operand of `records`: where it starts in UB, in bytes, and its type ("half", "float", "int", "int8_t", ...)."""
    name: str
    dtype: str
    start: int
    shape: Tuple[int, int] = (1, 1)


_NAMES = {short: name for name, short in reversed(list(_TYPES.items()))}
_FIELDS = {"src0": "src1", "src1": "src2", "control": "selmask", "offsets": "offset", "index": "idx"}
_BYTES = ("control",)  # operands of type uint8_t in all instructions
_STRIDED = ("unary", "binary", "scalar", "cast", "dup", "brcb", "select")


def records(machine: Any) -> Iterator[Tuple[str, Dict[str, Any]]]:
    """The instructions of `machine` (help(lanecheck.Machine)) as records of easyasc: pairs of a name and the fields, with
    all repeat times and strides, and a Tensor for each operand. Modes are words: "CAST_FLOOR", "LE"."""
    for i in machine.instructions:
        yield _record_of(i)


def _record_of(i: Any) -> Tuple[str, Dict[str, Any]]:
    name = "select" if i.op == "select_number" else i.op
    if name == "set_mask":
        return name, {"low": i.low, "high": i.high}
    fields: Dict[str, Any] = {}
    for role in ("dst", "control", "src", "src0", "src1", "offsets", "index"):
        operand = getattr(i, role, None)
        if operand is None:
            continue
        field = "src1" if name == "compare_scalar" and role == "src" else _FIELDS.get(role, role)
        fields[field] = Tensor(operand.allocation.name, _type_of_operand(i, role), operand.start)
        kind = _KIND_OF[name]
        source = role.startswith("src")
        if kind in _STRIDED and role not in _BYTES and (kind != "brcb" or role == "dst") or source and kind in (
                "group", "compare", "compare_scalar"):
            fields[f"{field}_blk_stride"] = operand.block_stride
        if f"{field}_blk_stride" in fields or (kind, role) in (("group", "dst"), ("gather", "dst"), ("scatter", "src")):
            fields[f"{field}_rep_stride"] = operand.repeat_stride
    if hasattr(i, "scalar"):
        fields["src" if name == "dup" else "val" if _KIND_OF[name] == "scalar" else "src2"] = i.scalar.value
    if name.startswith("compare"):
        fields["mode"] = i.compare.upper()
    if name == "cast":
        fields["mode"] = "CAST_" + i.round.upper()
    if name == "mergesort_2seq":
        fields["size1"], fields["size2"] = i.lengths
    elif name not in ("reset_mask", "set_cmpmask"):
        fields["repeat"] = i.repeat
    if name == "mergesort4":
        fields["length_per_blk"] = i.lengths[0]
    return name, fields


def _type_of_operand(i: Any, role: str) -> str:
    if role in _BYTES or i.op == "set_cmpmask":
        return "uint8_t"
    if role in ("offsets", "index"):
        return "uint32_t"
    return _NAMES[i.dst_type if role == "dst" else i.src_type]
