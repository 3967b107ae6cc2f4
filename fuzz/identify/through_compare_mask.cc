#include "fuzz/identify/through_compare_mask.h"

#include "fuzz/identify/compare_mask/bits_in_ub.h"
#include "fuzz/identify/compare_mask/kept_bits.h"
#include "fuzz/identify/compare_mask/left_bits.h"
#include "fuzz/identify/left_by_length.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

void rename(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The sentences about `other` as sentences about `subject`. What they say of other programs is said of an
/// instruction that these do not have.
void name_subject(Identification& found, const Subject& subject, const Subject& other) {
  const std::string from = mnemonic(other.insn), to = mnemonic(subject.insn);
  const std::string bits = row_of(other.insn.op).compares ? "a bit of dst" : "of control",
                    of_mask =
                        row_of(other.insn.op).compares ? "a bit of the compare mask" : "of the compare mask";
  for (std::string& sentence : found.differences) {
    rename(sentence, from, to);
    rename(sentence, bits, of_mask);
  }
  for (Difference& part : found.parts) {
    for (std::string* text : {&part.what, &part.key, &part.general}) rename(*text, from, to);
    rename(part.what, bits, of_mask);
    part.law.reset();
    part.results.reset();
    part.places = {};
    part.value = {};
  }
}

}  // namespace

bool needs_compare_mask(Op op) {
  return op == Op::compare_cmpmask || op == Op::select_cmpmask || op == Op::get_cmpmask ||
         op == Op::set_cmpmask;
}

Identification identify_through_compare_mask(const Subject& subject, const Ask& ask, bool of_case) {
  Identification found;
  if (row_of(Op::get_cmpmask).in(subject.profile).offered)
    for (const auto measure : {copied_bits_difference, left_bits_difference})
      if (found.parts.empty()) found.add(measure(subject.profile, ask));
  if (found.parts.empty() && subject.insn.op == Op::compare_cmpmask)
    found.add(kept_bits_difference(subject, ask));
  const auto other = with_bits_in_ub(subject);
  if (!found.parts.empty() || !other) return found;
  const Ask through = through_compare_mask(ask);
  const Program alone{subject.profile, {}, {other->insn}, {}};
  found = of_case ? identify(alone, 0, through, false, false) : identify(*other, through);
  name_subject(found, subject, *other);
  if (found.parts.empty())
    for (Difference& left : left_in_register(subject, ask)) found.add(std::move(left));
  return found;
}

}  // namespace lanecheck
