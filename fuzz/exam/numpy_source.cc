#include <charconv>
#include <cmath>

#include "fuzz/exam/export.h"
#include "spec/program/profile.h"
#include "spec/text/instruction_fields.h"
#include "spec/text/joined.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr const char* kHead = R"(
import collections
import importlib
import json
import os
import pathlib
import sys

import numpy as np

# allocation: a name; operands with the same name may overlap. start: bytes from the start of UB. Strides are in data
# blocks of 32 bytes; the repeat stride of the dst of a reduction is in results of one repeat.
Operand = collections.namedtuple("Operand", "allocation start block_stride repeat_stride")
Scalar = collections.namedtuple("Scalar", "value bits")  # bits: in the element type
)";

constexpr const char* kMain = R"(

def attempt(program, unit):
    """Returns what became of the program, as the manifest says it."""
    missing = [name for name in program.needs if not hasattr(unit, name)]
    if missing:
        return {"skipped": "the unit has no " + ", ".join(missing)}
    try:
        program(unit)
    except NotImplementedError as error:
        return {"skipped": str(error) or "not implemented"}
    except Exception as error:  # the other programs of the launch still run
        return {"errored": f"{type(error).__name__}: {error}"[:200]}
    return {}


def run(make_unit, folder):
    """Runs all launches and writes output.bin. Returns the ids of the programs that differ from golden.bin or broke."""
    image = np.fromfile(folder / "input.bin", np.uint8)
    golden = np.fromfile(folder / "golden.bin", np.uint8)
    compared = np.fromfile(folder / "compare.bin", np.uint8)
    manifest = json.loads((folder / "manifest.json").read_text())
    differ = []
    for start, size, programs in LAUNCHES:
        ub = np.zeros(size, np.uint8)
        unit = make_unit(ub)
        for place, program in enumerate(programs):
            entry = manifest["programs"][program.id]
            here = slice(entry["base"], entry["base"] + entry["ub_bytes"])
            image_here = slice(start + here.start, start + here.stop)
            ub[here] = image[image_here]  # now, so that no program before it can have changed it
            if place > 0:
                reset(unit)
            for outcome in ("skipped", "errored"):
                entry.pop(outcome, None)
            entry.update(attempt(program, unit))
            image[image_here] = ub[here]
    for entry in manifest["programs"]:
        region = slice(entry["offset"], entry["offset"] + entry["ub_bytes"])
        wrong = np.any((image[region] ^ golden[region]) & compared[region])
        if "errored" in entry or wrong and "skipped" not in entry:
            differ.append(entry["id"])
    image.tofile(folder / "output.bin")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return differ


def main():
    if len(sys.argv) != 2 or ":" not in sys.argv[1]:
        print(f"usage: python3 {sys.argv[0]} MODULE:UNIT, for example my_sim:Unit", file=sys.stderr)
        return 2
    module, _, name = sys.argv[1].partition(":")
    sys.path.insert(0, os.getcwd())
    folder = pathlib.Path(__file__).resolve().parent
    differ = run(getattr(importlib.import_module(module), name), folder)
    print(f"{len(differ)} programs differ from golden.bin: {differ}" if differ else "no program differs from golden.bin")
    print(f"`lanecheck judge {folder}` names the causes")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
)";

/// A float of Python: "-0" and "1" would be integers.
std::string python_float(double value) {
  char buffer[40];
  const std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string python_number(Element type, double value) {
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  return is_float(type) ? python_float(value) : std::to_string(static_cast<std::int64_t>(value));
}

/// The arguments of a call, as for_each_field visits them.
class Arguments {
 public:
  Arguments(std::string& out, const Program& launch) : out_(out), launch_(launch) {}

  void word(FieldName name, const std::uint64_t& value) { add(name.json, show_hex(value)); }
  void operand(const OperandColumn& column, const Operand& operand) {
    add(column.role, "Operand(" + literal(launch_.allocations[operand.allocation].name) + ", " +
                         std::to_string(start_of(launch_, operand)) + ", " +
                         std::to_string(operand.block_stride) + ", " + std::to_string(operand.repeat_stride) +
                         ")");
  }
  void scalar(FieldName name, Element type, const Scalar& scalar) {
    add(name.json,
        "Scalar(" + python_number(type, value_of_scalar(type, scalar)) + ", " + show_hex(scalar.bits) + ")");
  }
  template <class E>
  void choice(FieldName name, std::span<const std::string_view> names, const E& value) {
    add(name.json, literal(names[static_cast<std::size_t>(value)]));
  }
  void numbers(FieldName name, std::span<const std::uint32_t> values) {
    add(name.json, "[" + joined(values, [](std::uint32_t each) { return std::to_string(each); }) + "]");
  }
  void number(FieldName name, const std::uint32_t& value) { add(name.json, std::to_string(value)); }
  void mask_operand(const MaskFrom& from, const std::uint64_t& high, const std::uint64_t& low) {
    switch (from) {
      case MaskFrom::reg:
        return;
      case MaskFrom::bitwise:
        return add("mask_operand", "{\"high\": " + show_hex(high) + ", \"low\": " + show_hex(low) + "}");
      case MaskFrom::contiguous:
      case MaskFrom::count:
        break;
    }
    const std::string_view name = kMaskFromNames[static_cast<std::size_t>(from)];
    add("mask_operand", "{" + literal(name) + ": " + std::to_string(low) + "}");
  }
  void repeat(const std::uint32_t& times, const bool& by_scalar) {
    add("repeat", std::to_string(times));
    if (by_scalar) add("scalar_repeat", "True");
  }
  void add(std::string_view name, const std::string& value) {
    out_.append(out_.ends_with('(') ? "" : ", ").append(name).append("=").append(value);
  }

 private:
  std::string& out_;
  const Program& launch_;
};

std::string python_call(const Program& launch, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::string call = "    unit." + std::string(row.name) + "(";
  Arguments arguments(call, launch);
  if (row.typed()) {
    arguments.add("dst_type", literal(name_of(insn.dst_type)));
    arguments.add("src_type", literal(name_of(insn.src_type)));
  }
  for_each_field(insn, arguments);
  return call + ")\n";
}

std::string python_function(const std::string& name, const std::string& body) {
  return "\n\ndef " + name + "(unit):\n" + body;
}

/// The names of the instructions of a program, as a tuple.
std::string needs_of(const Program& program) {
  std::string names;
  for (const Instruction& insn : program.instructions) {
    const std::string name = literal(row_of(insn.op).name);
    if (names.find(name) == std::string::npos) names += name + ", ";
  }
  return "(" + names + ")";
}

}  // namespace

std::vector<ExportedFile> numpy_source(const Exam& exam, const ExamLayout& layout) {
  const Profile profile = exam.front().program.profile;
  std::string text =
      "\"\"\"An exam of profile " + std::string(row_of(profile).name) + ": " + programs_in_launches(exam) +
      ". Written by `lanecheck export`.\n\n    python3 exam.py my_sim:Unit\n\nUnit(ub) "
      "is the state in which a launch starts, on a NumPy array of uint8 that it changes. It has "
      "one method for each\ninstruction, with the arguments that stand below.\"\"\"";
  text += kHead;
  std::string reset = "    \"\"\"What runs between two programs of a launch.\"\"\"\n";
  for (const Instruction& insn : reset_instructions(profile)) reset += python_call({}, insn);
  text += python_function("reset", reset);
  std::string launches, needs;
  for (std::size_t n = 0; n < exam.size(); ++n) {
    const std::string name = "program_" + std::to_string(n);
    const Program placed = placed_program(exam[n]);
    std::string body;
    for (const Instruction& insn : placed.instructions) body += python_call(placed, insn);
    text += python_function(name, body);
    needs += name + ".id, " + name + ".needs = " + std::to_string(n) + ", " + needs_of(placed) + "\n";
    if (is_first_of_launch(exam, n)) {
      const ExamLayout::Launch& launch = layout.launches[exam[n].launch];
      launches += (n == 0 ? "" : "]),\n") + std::string("    (") + std::to_string(launch.offset) + ", " +
                  std::to_string(launch.bytes) + ", [";
    }
    launches += name + ", ";
  }
  text += "\n\n" + needs + "LAUNCHES = [  # offset in the files, bytes, programs\n" + launches + "]),\n]\n" +
          kMain;
  return {{"exam.py", text}};
}

}  // namespace lanecheck
