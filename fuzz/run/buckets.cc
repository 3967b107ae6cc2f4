#include "fuzz/run/buckets.h"

#include <algorithm>
#include <optional>
#include <utility>

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

/// How many lanes, or results, a repeat has: positions in it are counted in them. Empty: it has none.
std::optional<std::pair<unsigned, unsigned>> counts_of(const std::string& instruction) {
  Instruction insn;
  if (!parse_mnemonic(instruction, insn)) return {};
  return std::pair{std::min(128u, lanes_of(insn)), results_per_repeat(insn)};
}

/// Is it an instruction that sets the mask? Then others only show what it leaves there.
bool sets_mask(const std::string& instruction) {
  Instruction insn;
  return parse_mnemonic(instruction, insn) && row_of(insn.op).mask == MaskUse::is_mask_state;
}

/// What the finding says of the other instructions in which its cause was seen.
std::string scope_of(const Finding& finding) {
  const auto& all = finding.instructions;
  if (all.size() < 2) return {};
  if (!finding.cause.empty()) {
    const auto first = counts_of(all.front());
    const auto have_other = [&](unsigned std::pair<unsigned, unsigned>::*count) {
      return std::ranges::any_of(all, [&](const std::string& each) {
        const auto counts = counts_of(each);
        return counts && first && *counts.*count != *first.*count;
      });
    };
    std::string also = "; also ";  // positions in the sentence are those of the first instruction
    const auto says = [&](std::string_view words) { return finding.what.find(words) != std::string::npos; };
    const bool lanes_differ = have_other(&std::pair<unsigned, unsigned>::first);
    if ((finding.what.starts_with("lane") || says(": lane ")) && lanes_differ)
      also = "; also, in the lanes that correspond, ";
    if (says(" leaves slots ") && lanes_differ) also = "; also, in the slots that correspond, ";
    if (says(" units of ") && lanes_differ) also = "; also, with the unit that corresponds, ";
    if (finding.what.starts_with("result") && have_other(&std::pair<unsigned, unsigned>::second))
      also = "; also, in the results that correspond, ";
    if (says(" acts like ") || says(" are not written if they are ") || says(" as if it started with ") ||
        says("; so with scalar "))  // a type, or an operation, may have numbers of its own
      also = "; also, with the same number or the one that corresponds, ";
    const bool of_register = finding.what.starts_with("after ") || sets_mask(all.front());
    if (of_register && !std::ranges::all_of(all, sets_mask)) also = "; it also shows ";
    if (finding.operands.size() > 1)  // the sentence names the first
      also += "of " + joined(std::vector<std::string>(finding.operands.begin() + 1, finding.operands.end())) +
              ", ";
    return also + in_others(all);
  }
  return "; the same was seen " + in_others(finding.instructions) + ", which may have another cause";
}

/// Says what the other parts show, and notes in which instructions.
void add_parts(Finding& finding, const std::vector<OtherPart>& parts) {
  for (const OtherPart& part : parts)
    finding.what += "; " + part.lead + part.finding.what + scope_of(part.finding);
  for (const OtherPart& part : parts)
    for (const std::string& each : part.finding.instructions) add_once(finding.instructions, each);
}

}  // namespace

bool Buckets::add_instruction(Bucket& bucket, const std::string& instruction) {
  const std::size_t before = bucket.finding.instructions.size();
  add_once(bucket.finding.instructions, instruction);
  return bucket.finding.instructions.size() > before;
}

void Buckets::add_operand(Bucket& bucket, const std::string& operand) {
  if (bucket.operand_law) return;  // it says of which operands it is
  add_once(bucket.finding.operands, operand);
}

void Buckets::add_rules(Bucket& bucket, const std::vector<std::string>& rules) {
  for (const std::string& each : rules) add_once(bucket.finding.rules, each);
}

void Buckets::take_over(Bucket& bucket, const Bucket& other) {
  bucket.finding.cases += other.finding.cases;
  add_rules(bucket, other.finding.rules);
  add_once(bucket.finding.united, other.finding.id);
  for (const std::string& each : other.finding.united) add_once(bucket.finding.united, each);
}

void Buckets::rename(Bucket& bucket, std::string id) {
  if (bucket.finding.id == id) return;
  add_once(bucket.finding.united, bucket.finding.id);
  bucket.finding.id = std::move(id);
}

void Buckets::drop(const std::vector<std::string>& ids) {
  std::erase_if(list_,
                [&](const Bucket& each) { return std::ranges::find(ids, each.finding.id) != ids.end(); });
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
    add_parts(each.finding, each.other_parts);
    findings.push_back(std::move(each.finding));
  }
  list_.clear();
  return findings;
}

}  // namespace lanecheck
