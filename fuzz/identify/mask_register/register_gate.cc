#include <algorithm>

#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

constexpr MaskWords kWords[] = {{0x3a5c90d2e68f1b44, 0x5d17c8a3b06e9f22},
                                {0xc5a36f2d1970e4bb, 0xa2e8375c4f9160dd},
                                {0xb6d1f20c79a3e48d, 0x8e4b73d5196c2af9}};

struct Seen {
  MaskWords words{};
  Numbers written;
};

/// The subject of one repeat in a row, with its mask in the register: under each of the words, then under the
/// mask of the start of a program.
std::vector<Seen> lanes_written(const Subject& given, const Ask& ask) {
  Subject subject = in_a_row(given, 1);
  const auto layout = lay_out(subject);
  const MaskWords full = full_mask(subject);
  if (!layout) return {};
  std::vector<Seen> seen;
  std::vector<Program> programs;
  const Instruction& insn = subject.insn;
  const std::uint64_t old = old_dst_bits(insn, 0x35);
  for (std::size_t n = 0; n <= std::size(kWords); ++n) {
    const bool is_set = n < std::size(kWords);
    const MaskWords each = is_set ? kWords[n] : full;
    const MaskWords words = {each.high & full.high, each.low & full.low};
    auto program = probe_program(subject, *layout, words);
    if (!program) return {};
    Instruction last = program->instructions.back();
    last.mask_from = MaskFrom::reg;
    last.high = last.low = 0;
    Instruction set = mask_instruction(Op::set_vector_mask, words);
    program->instructions = {set, last};
    if (!is_set) program->instructions = {last};
    fill_region(*program, layout->regions[0], insn.dst_type, old);
    for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
      fill_region(*program, layout->regions[k], insn.src_type, plain_bits(insn.src_type, k));
    if (find_fault(*program)) return {};
    programs.push_back(std::move(*program));
    seen.push_back({words, {}});
  }
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty()) return {};
  const Region& dst = layout->regions[0];
  for (std::size_t n = 0; n < seen.size(); ++n)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const auto at = static_cast<std::uint32_t>(element_at(insn, 0, 0, lane));
      if (get_element(answers.states[n].ub, dst, insn.dst_type, dst.margin / size_of(insn.dst_type) + at) !=
          old)
        seen[n].written.push_back(lane);
    }
  return seen;
}

bool has(const Numbers& lanes, unsigned lane) {
  return std::ranges::binary_search(lanes, lane);
}

}  // namespace

std::vector<Difference> register_gate_differences(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const std::uint8_t forms = mask_forms(row, subject.profile);
  if (row_of(subject.profile).sets_mask != Op::set_vector_mask || !has_place_probes(row) ||
      row.mask != MaskUse::gates_writeback || !has_form(forms, MaskFrom::reg) ||
      !has_form(forms, MaskFrom::bitwise))
    return {};
  const auto measured = lanes_written(subject, ask), documented = lanes_written(subject, ask_oracle());
  if (measured.size() != documented.size()) return {};
  Numbers wrong;
  for (std::size_t n = 0; n < measured.size(); ++n)
    for (unsigned lane = 0; lane < lanes_of(subject.insn); ++lane)
      if (has(measured[n].written, lane) != has(documented[n].written, lane)) wrong.push_back(lane);
  wrong = sorted_unique(wrong);
  if (wrong.empty()) return {};
  const auto all = [&](auto is) {
    return std::ranges::all_of(wrong, [&](unsigned lane) {
      for (std::size_t n = 0; n < measured.size(); ++n)
        if (has(measured[n].written, lane) != is(has(documented[n].written, lane))) return false;
      return true;
    });
  };
  const std::string lanes =
      wrong.size() == lanes_of(subject.insn) ? "all its lanes" : counted_noun("lane", wrong);
  const std::string start = mnemonic(subject.insn) + " without a mask of its own ";
  const std::string end = ", whatever the mask register holds";
  if (all([](bool) { return true; })) return {{MapKind::gate, start + "writes " + lanes + end, {}}};
  if (all([](bool) { return false; })) return {{MapKind::gate, start + "never writes " + lanes + end, {}}};
  if (all([](bool right) { return !right; }))
    return {{MapKind::gate, start + "writes " + lanes + " if their slots in the mask register are 0", {}}};
  // The register itself may hold other slots than were set.
  return {{MapKind::gate,
           start + "is wrong under some masks that set_vector_mask has set, for example in " + lanes,
           {},
           true}};
}

}  // namespace lanecheck
