#include "fuzz/exam/python_source.h"

#include <charconv>
#include <cmath>

#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr const char* kHead = R"(
import importlib
import json
import os
import pathlib
import sys

import numpy as np
)";

constexpr const char* kMain = R"(

def stop(why):
    print(f"{sys.argv[0]}: {why}; nothing was written", file=sys.stderr)
    sys.exit(2)


def missing_in(unit, calls):
    return ", ".join(name for name in calls.needs if not hasattr(unit, name))


def attempt(program, unit):
    """Returns what became of the program, as the manifest says it."""
    if missing_in(unit, program):
        return {"skipped": "the unit has no " + missing_in(unit, program)}
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
        if missing_in(unit, reset):
            stop(f"the unit has no {missing_in(unit, reset)}, which reset the mask between two programs")
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
    try:
        make_unit = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        stop(f"{sys.argv[1]}: {error}")
    differ = run(make_unit, folder)
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

std::string python_function(const std::string& name, const std::string& body) {
  return "\n\ndef " + name + "(unit):\n" + body;
}

/// The methods that the instructions call, as a tuple.
std::string needs_of(std::span<const Instruction> instructions, const PythonCalls& calls) {
  std::string names;
  for (const Instruction& insn : instructions) {
    const std::string name = literal(calls.name(insn));
    if (names.find(name) == std::string::npos) names += name + ", ";
  }
  return "(" + names + ")";
}

}  // namespace

std::string python_scalar(Element type, const Scalar& scalar) {
  return python_number(type, value_of_scalar(type, scalar));
}

std::vector<ExportedFile> python_source(const Exam& exam, const ExamLayout& layout,
                                        const PythonCalls& calls) {
  const Profile profile = exam.front().program.profile;
  std::string text = "\"\"\"An exam of profile " + std::string(row_of(profile).name) + ": " +
                     programs_in_launches(exam) +
                     ". Written by `lanecheck export`.\n\n    python3 exam.py my_sim:Unit\n\n" +
                     std::string(calls.about) + "\"\"\"";
  text += (calls.definitions.empty() ? "" : "\nimport collections") + std::string(kHead) +
          std::string(calls.definitions);
  std::string reset = "    \"\"\"What runs between two programs of a launch.\"\"\"\n";
  for (const Instruction& insn : reset_instructions(profile)) reset += calls.call({}, insn);
  text += python_function("reset", reset);
  std::string launches;
  std::string needs = "reset.needs = " + needs_of(reset_instructions(profile), calls) + "\n";
  for (std::size_t n = 0; n < exam.size(); ++n) {
    const std::string name = "program_" + std::to_string(n);
    const Program placed = placed_program(exam[n]);
    std::string body;
    for (const Instruction& insn : placed.instructions) body += calls.call(placed, insn);
    if (calls.ends_with_run) body += "    unit.run()\n";
    text += python_function(name, body);
    needs += name + ".id, " + name + ".needs = " + std::to_string(n) + ", " +
             needs_of(placed.instructions, calls) + "\n";
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
