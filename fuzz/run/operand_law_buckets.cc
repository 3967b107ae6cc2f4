// Findings of several instructions that one law of the strides of all operands explains: they become one.
#include <algorithm>
#include <set>

#include "fuzz/backend/capabilities.h"
#include "fuzz/explain/measured/cause_key.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/generate/generate.h"
#include "fuzz/run/case_sorter.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostTried = 8;  // laws that explain the findings, and are tried on fresh programs
constexpr std::uint64_t kMostSearched = 4'000;  // generated cases
constexpr unsigned kLeast = 4, kEnough = 16;    // fresh programs that must be as the law says

using Ops = std::set<Op>;

Ops ops_of(const Program& program) {
  Ops ops;
  for (const Instruction& insn : program.instructions)
    if (!row_of(insn.op).operands.empty()) ops.insert(insn.op);
  return ops;
}

/// May a law of strides be the cause? A mutant, a reading and a failure have another one.
bool may_be_of_strides(const Bucket& bucket) {
  const Finding& finding = bucket.finding;
  return bucket.suspects.empty() && bucket.failure.empty() && finding.repeats == Repeats::stable &&
         finding.instruction < finding.program.instructions.size() &&
         (finding.matter == Matter::address || finding.matter == Matter::unexplained);
}

/// `changed` with the dst of the instructions of `program`.
Program with_dst_of(const Program& program, Program changed) {
  for (std::size_t n = 0; n < program.instructions.size(); ++n)
    if (!row_of(program.instructions[n].op).operands.empty())
      changed.instructions[n].operands[0] = program.instructions[n].operands[0];
  return changed;
}

}  // namespace

/// Does the law give what the instruction of the finding leaves, and is that wrong?
bool CaseSorter::explains_by_law(std::size_t law, const Finding& finding) {
  const auto program = operand_laws_.with_room(finding.program, finding.instruction, law);
  if (!program) return false;
  const BackendAnswer answer = asked_.ask(*program);
  return answer.ran() && !agrees(*program, documented_.semantics, answer.state, asked_.shown()) &&
         operand_laws_.gives(law, *program, answer.state, asked_.shown());
}

/// Does the law say of all operands what the finding says of some, or does it explain the finding?
bool CaseSorter::covers_by_law(std::size_t law, const Finding& finding) {
  const bool of_its_operands =
      operand_laws_.is_of_all_operands(law) || std::ranges::count(finding.operands, "dst") == 0;
  const bool is_same = finding.cause == std::string(kStridesKey) + operand_laws_.key_of_one(law);
  return (is_same && of_its_operands) || explains_by_law(law, finding);
}

/// Does the backend leave what the law says in fresh programs of these instructions, where the documents say
/// something else? A law of all operands must show in dst as well.
bool CaseSorter::obeys(std::size_t law, const Ops& ops) {
  unsigned shown = 0;
  bool shown_in_dst = !operand_laws_.is_of_all_operands(law);
  Program drawn;
  for (std::uint64_t index = 0; index < kMostSearched && !asked_.ends(); ++index) {
    if (shown >= kEnough && shown_in_dst) break;
    generate(options_.seed, index, options_.mix, drawn);
    if (!asked_.backend().capabilities.include_all_of(drawn)) continue;
    const auto at = std::ranges::find_if(drawn.instructions,
                                         [&](const Instruction& insn) { return ops.contains(insn.op); });
    if (at == drawn.instructions.end()) continue;
    const auto number = static_cast<std::size_t>(at - drawn.instructions.begin());
    const auto program = operand_laws_.with_room(drawn, number, law);
    const auto changed = program ? operand_laws_.by_law(law, *program) : std::nullopt;
    if (!changed) continue;
    State predicted;
    execute(*changed, documented_.semantics, predicted);
    if (agrees(*program, documented_.semantics, predicted, asked_.shown())) continue;  // it shows nothing
    const bool in_dst =
        !agrees(with_dst_of(*program, *changed), documented_.semantics, predicted, asked_.shown());
    if (shown >= kEnough && !in_dst) continue;
    const BackendAnswer answer = asked_.ask(*program);
    if (!answer.ran() || !agrees(*changed, documented_.semantics, answer.state, asked_.shown())) return false;
    ++shown;
    shown_in_dst |= in_dst;
  }
  return shown >= kLeast && shown_in_dst;
}

/// The laws that give what the instruction of the finding leaves alone, with room for it.
std::vector<std::size_t> CaseSorter::laws_that_give(const Finding& finding) {
  const auto program = operand_laws_.with_room(finding.program, finding.instruction);
  if (!program) return {};
  const BackendAnswer answer = asked_.ask(*program);
  if (!answer.ran()) return {};
  return operand_laws_.that_give(*program, answer.state, asked_.shown());
}

/// The laws that explain the newest finding and another instruction's, those that explain most first, with
/// the instructions that each of them explains.
std::vector<std::pair<std::size_t, Ops>> CaseSorter::laws_of_several(const std::vector<Bucket*>& all) {
  std::vector<std::pair<std::size_t, Ops>> several;
  for (const std::size_t law : laws_that_give(all.back()->finding)) {
    Ops ops;
    for (const Bucket* each : all)
      if (explains_by_law(law, each->finding)) ops.merge(ops_of(each->finding.program));
    if (ops.size() > 1) several.emplace_back(law, std::move(ops));
  }
  std::ranges::stable_sort(several, std::greater(), [](const auto& each) { return each.second.size(); });
  if (several.size() > kMostTried) several.resize(kMostTried);
  return several;
}

/// The law of all operands names the finding.
void CaseSorter::say_operand_law(Bucket& bucket, std::size_t law) {
  Finding& finding = bucket.finding;
  const Instruction& insn = finding.program.instructions[finding.instruction];
  finding.what = operand_laws_.sentence(law, mnemonic(insn));
  finding.cause = std::string(kStridesKey) + operand_laws_.key(law);
  Buckets::rename(bucket, id_of_key(finding.cause));
  finding.matter = Matter::address;
  finding.is_example = false;
  finding.operands.clear();
  std::erase_if(finding.rules, [](const std::string& id) {
    const Rule* const rule = find_rule(id);
    return rule == nullptr || rule->about != About::strides;
  });
  bucket.operand_law = law;
}

/// A finding of which no law was found, or the strides of one shape alone, gets a law of operands, if fresh
/// programs of its instructions obey it.
void CaseSorter::name_by_operand_law(Bucket& bucket) {
  const bool is_law =
      !bucket.finding.is_example && bucket.finding.what.find("(seen with ") == std::string::npos;
  if (is_law || !may_be_of_strides(bucket) || !asked_.backend().recorded.empty()) return;
  const Finding& finding = bucket.finding;
  auto laws = laws_that_give(finding);
  if (laws.size() > kMostTried) laws.resize(kMostTried);
  for (const std::size_t law : laws)
    if (explains_by_law(law, finding) && obeys(law, ops_of(finding.program))) {
      say_operand_law(bucket, law);
      bucket.finding.united.clear();  // nothing was printed yet
      return;
    }
}

/// All findings that the law explains become the first of them.
void CaseSorter::unite_by_law(std::size_t law, const std::vector<Bucket*>& all) {
  Bucket* first = nullptr;
  std::vector<std::string> gone;
  for (Bucket* each : all) {
    if (!covers_by_law(law, each->finding)) continue;
    if (first == nullptr) {
      first = each;
      continue;
    }
    Buckets::take_over(*first, *each);
    for (const std::string& insn : each->finding.instructions) Buckets::add_instruction(*first, insn);
    gone.push_back(each->finding.id);
  }
  const std::string id = first->finding.id;  // the law may be that of one of those that go
  buckets_.drop(gone);
  say_operand_law(*buckets_.find_id(id), law);
}

/// Does one law of strides explain the newest finding and others? Asked whenever a finding is new.
void CaseSorter::find_operand_law() {
  if (!asked_.backend().recorded.empty() || !may_be_of_strides(buckets_.all().back())) return;
  std::vector<Bucket*> all;
  for (Bucket& each : buckets_.all())
    if (may_be_of_strides(each)) all.push_back(&each);
  if (all.size() < 2) return;
  const auto covered = [&, law = all.back()->operand_law](const Bucket* each) {
    return law && each != all.back() && covers_by_law(*law, each->finding);
  };
  if (std::ranges::any_of(all, covered)) return unite_by_law(*all.back()->operand_law, all);
  for (const auto& [law, ops] : laws_of_several(all))
    if (obeys(law, ops)) return unite_by_law(law, all);
}

/// The bucket of a law of all operands that explains a finding too.
Bucket* CaseSorter::bucket_of_operand_law(const Bucket& bucket) {
  if (!may_be_of_strides(bucket)) return nullptr;
  return buckets_.find([&](const Bucket& each) {
    return each.operand_law && covers_by_law(*each.operand_law, bucket.finding);
  });
}

/// The bucket of a law of all operands that gives `actual`, or gives what the instruction leaves that differs
/// first, where it has more room.
Bucket* CaseSorter::bucket_of_operand_law(const Program& program, const State& actual) {
  const auto has_law = [](const Bucket& each) { return each.operand_law.has_value(); };
  if (buckets_.find(has_law) == nullptr) return nullptr;
  Finding finding;
  finding.program = program;
  locate(finding, asked_, documented_);
  if (finding.instruction >= program.instructions.size()) return nullptr;
  Bucket* const same = buckets_.find([&](const Bucket& each) {
    return has_law(each) && (operand_laws_.gives(*each.operand_law, program, actual, asked_.shown()) ||
                             explains_by_law(*each.operand_law, finding));
  });
  if (same != nullptr) Buckets::add_instruction(*same, mnemonic(program.instructions[finding.instruction]));
  return same;
}

}  // namespace lanecheck
