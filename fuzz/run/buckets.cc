#include "fuzz/run/buckets.h"

#include <algorithm>

#include "spec/text/joined.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

/// "in sub, mul of f16, i16": the names and the element types of all instructions except the first.
std::string in_others(const std::vector<std::string>& instructions) {
  std::vector<std::string> names, types;
  for (std::size_t n = 1; n < instructions.size(); ++n) {
    const std::size_t dot = instructions[n].find('.');
    add_once(names, instructions[n].substr(0, dot));
    if (dot != std::string::npos) add_once(types, instructions[n].substr(dot + 1));
  }
  std::ranges::sort(names);
  std::ranges::sort(types);
  return "in " + joined(names) + (types.empty() ? "" : " of " + joined(types));
}

unsigned lanes_of_named(const std::string& instruction) {
  Instruction insn;
  return parse_mnemonic(instruction, insn) ? std::min(128u, lanes_of(insn)) : 0;
}

/// What the finding says of the other instructions in which its cause was seen.
std::string scope_of(const Finding& finding) {
  const auto& all = finding.instructions;
  if (all.size() < 2) return {};
  if (!finding.cause.empty()) {
    const bool other_lanes = std::ranges::any_of(
        all, [&](const std::string& each) { return lanes_of_named(each) != lanes_of_named(all.front()); });
    const bool names_lanes = finding.what.starts_with("lane");  // of the first instruction
    std::string also = names_lanes && other_lanes ? "; also, in the lanes that correspond, " : "; also ";
    if (finding.operands.size() > 1)  // the sentence names the first
      also += "of " + joined(std::vector<std::string>(finding.operands.begin() + 1, finding.operands.end())) +
              ", ";
    return also + in_others(all);
  }
  return "; the same was seen " + in_others(finding.instructions) + ", which may have another cause";
}

}  // namespace

bool Buckets::add_instruction(Bucket& bucket, const std::string& instruction) {
  const std::size_t before = bucket.finding.instructions.size();
  add_once(bucket.finding.instructions, instruction);
  return bucket.finding.instructions.size() > before;
}

void Buckets::add_operand(Bucket& bucket, const std::string& operand) {
  add_once(bucket.finding.operands, operand);
}

void Buckets::add_rules(Bucket& bucket, const std::vector<std::string>& rules) {
  for (const std::string& each : rules) add_once(bucket.finding.rules, each);
}

Bucket& Buckets::add(Bucket bucket, std::uint64_t index) {
  bucket.finding.cases = 1;
  bucket.finding.first_case = index;
  list_.push_back(std::move(bucket));
  return list_.back();
}

std::size_t Buckets::mistakes() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      list_, [](const Bucket& each) { return each.finding.verdict != Verdict::undecided; }));
}

std::vector<Finding> Buckets::take_findings() {
  std::vector<Finding> findings;
  for (Bucket& each : list_) {
    each.finding.what += scope_of(each.finding);
    findings.push_back(std::move(each.finding));
  }
  list_.clear();
  return findings;
}

}  // namespace lanecheck
