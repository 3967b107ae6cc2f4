// Writes traces for tests: a kernel made of generated programs, as an implementation executes it.
#pragma once

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/backend/message_json.h"
#include "fuzz/generate/generate.h"
#include "fuzz/trace/trace.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"

namespace lanecheck {

/// Executes steps and writes what they did, line by line.
class TraceWriter {
 public:
  TraceWriter(const Program& start, bool shows_mask) : program_(start), shows_mask_(shows_mask) {
    state_.ub = start.ub;
    std::string fields;
    append_program(fields, start, 0, Encoding::hex);
    text_ = "{\"schema\":\"" + std::string(kTraceSchema) + "\"," + fields.substr(1) + "\n";
  }

  /// Something else than an instruction writes the whole of UB.
  void copy_in(const std::vector<std::byte>& ub) {
    std::vector<std::byte> before = std::exchange(state_.ub, ub);
    before.resize(ub.size());
    add_line("", before, state_.mask, state_.mode);
  }

  void execute(const Instruction& insn, const Semantics& semantics) {
    const State before = state_;
    execute_one(program_, insn, semantics, state_);
    std::string field = "\"instruction\":";
    append_json(field, program_, insn);
    add_line(field + ",", before.ub, before.mask, before.mode);
  }

  const State& state() const { return state_; }
  std::uint64_t steps() const { return steps_; }

  void save(const std::string& file) const {
    std::ofstream(file, std::ios::binary)
        << text_ << "{\"steps\":" << steps_ << shown_mask(state_.mask, state_.mode, ",") << "}\n";
  }

 private:
  std::string shown_mask(const Mask& mask, Mode mode, const std::string& separator) const {
    if (!shows_mask_) return "";
    std::string text = separator + "\"mask\":[";
    for (unsigned w = 0; w < 4; ++w)
      text.append(w > 0 ? ",\"" : "\"").append(show_hex(mask_word(mask, w))).append("\"");
    return text + "],\"mode\":\"" + std::string(kModeNames[static_cast<std::size_t>(mode)]) + "\"";
  }

  void add_line(const std::string& instruction, const std::vector<std::byte>& before, const Mask& mask,
                Mode mode) {
    text_ += "{\"step\":" + std::to_string(steps_++) + "," + instruction;
    const std::string shown = shown_mask(mask, mode, "");
    if (!shown.empty()) text_ += shown + ",";
    text_ += "\"wrote\":[";
    const char* separator = "";
    const auto differs = [&](std::size_t at) {
      return std::memcmp(before.data() + at, state_.ub.data() + at, kBlockBytes) != 0;
    };
    for (std::size_t at = 0; at < before.size(); at += kBlockBytes) {
      if (!differs(at)) continue;
      std::size_t end = at;
      while (end < before.size() && differs(end)) end += kBlockBytes;
      text_ += separator + std::string("{\"offset\":") + std::to_string(at) + ",\"hex\":\"";
      append_hex(text_, state_.ub.data() + at, end - at);
      text_ += "\"}";
      separator = ",";
      at = end;
    }
    text_ += "]}\n";
  }

  Program program_;
  bool shows_mask_;
  State state_;
  std::string text_;
  std::uint64_t steps_ = 0;
};

/// The UB of a test: one allocation that is all of it.
inline Program whole_ub(Profile profile, std::uint32_t bytes) {
  Program start;
  start.profile = profile;
  start.allocations = {{"ub", Element::u8, 0, bytes}};
  start.ub.resize(bytes);
  return start;
}

/// A kernel: the instructions of generated programs, each program after a copy of its data into UB.
struct Kernel {
  Program start;
  struct Part {
    std::vector<std::byte> ub;
    std::vector<Instruction> instructions;
  };
  std::vector<Part> parts;
};

inline Kernel kernel_of(Profile profile, std::uint64_t first, std::uint64_t programs,
                        std::uint32_t least_ub = 0) {
  Kernel kernel;
  std::size_t ub = least_ub;
  Mix mix;
  mix.profile = profile;
  Program program;
  for (std::uint64_t index = first; index < first + programs; ++index) {
    generate(1, index, mix, program);
    Kernel::Part part{program.ub, {}};
    Instruction reset;  // each program starts with the mask that the machine starts with
    if (profile != Profile::tik) {
      part.instructions.push_back(reset);
      if (profile != Profile::vmc) part.instructions.push_back({.op = Op::set_mask_norm});
    }
    for (Instruction insn : program.instructions) {
      for (Operand& each : insn.operands) {
        each.offset += program.allocations.empty() ? 0 : program.allocations[each.allocation].offset;
        each.allocation = 0;
      }
      part.instructions.push_back(insn);
    }
    ub = std::max(ub, program.ub.size());
    kernel.parts.push_back(std::move(part));
  }
  kernel.start = whole_ub(profile, static_cast<std::uint32_t>(ub));
  for (Kernel::Part& each : kernel.parts) each.ub.resize(ub);
  return kernel;
}

/// Executes the kernel; `semantics` of a step are those that it returns for the number of the step.
inline void execute_kernel(const Kernel& kernel, TraceWriter& writer,
                           const std::function<const Semantics&(std::uint64_t step)>& semantics) {
  for (const Kernel::Part& part : kernel.parts) {
    writer.copy_in(part.ub);
    for (const Instruction& insn : part.instructions) writer.execute(insn, semantics(writer.steps()));
  }
}

}  // namespace lanecheck
