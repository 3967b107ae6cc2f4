#include "fuzz/explain/smallest/neighbour.h"

#include <algorithm>
#include <iterator>

#include "fuzz/explain/questions/staging.h"
#include "fuzz/explain/questions/trial.h"
#include "fuzz/explain/questions/variation.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostQuestions = 48;
constexpr std::size_t kMostBits = 10;

class Neighbours {
 public:
  explicit Neighbours(const Finding& finding)
      : finding_(finding), from_(variation_of(finding.program, finding.instruction)) {}

  std::vector<Neighbour> take() {
    place_of_dst();
    if (finding_.matter == Matter::address) {
      repeats();
      strides();
      mask();
    } else {
      mask();
      repeats();
      strides();
    }
    const bool casts = row_of(from_.insn().op).rounds;  // between other types it is another conversion
    if (!casts) types();
    numbers();
    words();
    mask_forms();
    mask_set_before();
    fewer_instructions();
    modes();
    data();
    if (casts) types();
    return std::move(all_);
  }

 private:
  /// Adds the program with `change` applied to instruction `n`.
  template <class Change>
  void offer(std::string text, std::size_t n, Change change) {
    Program program = finding_.program;
    change(program.instructions[n]);
    if (program == finding_.program) return;
    make_room(program);
    all_.push_back({std::move(text), std::move(program), from_.index});
  }
  template <class Change>
  void offer(std::string text, Change change) {
    const auto computes = [](const Instruction& insn) { return !row_of(insn.op).operands.empty(); };
    if (std::ranges::count_if(finding_.program.instructions, computes) > 1)
      text += " in instruction " + std::to_string(from_.index + 1);
    offer(std::move(text), from_.index, change);
  }

  void place_of_dst() {
    Variation apart = from_;
    if (put_dst_apart(apart))
      all_.push_back({"with dst in an allocation of its own", std::move(apart.program), from_.index});
  }

  void mask() {
    const MaskFrom mask_from = from_.insn().mask_from;
    if (mask_from == MaskFrom::contiguous || mask_from == MaskFrom::count)
      for (const std::uint64_t number : {from_.insn().low + 1, from_.insn().low - 1, std::uint64_t{64},
                                         std::uint64_t{1}, std::uint64_t{lanes_of(from_.insn())}})
        offer((mask_from == MaskFrom::count ? "with count=" : "with mask=") + std::to_string(number),
              [&](Instruction& insn) { insn.low = number; });
    if (!from_.mask) return;
    for (const unsigned slot : slots_to_flip()) flip(slot);
  }

  /// First the slots that are off, those of wrong lanes before the others; then those of wrong lanes; then
  /// the first and the last one.
  std::vector<unsigned> slots_to_flip() const {
    const Instruction& holder = finding_.program.instructions[*from_.mask];
    const auto is_off = [&](unsigned slot) {
      return ((slot < 64 ? holder.low : holder.high) >> slot % 64 & 1) == 0;
    };
    std::vector<unsigned> wrong, slots;
    for (const LaneRow& lane : finding_.lanes)
      if (!lane.agrees && lane.lane < 128) wrong.push_back(lane.lane);
    const auto add = [&](unsigned slot) {
      if (slots.size() < kMostBits && std::ranges::find(slots, slot) == slots.end()) slots.push_back(slot);
    };
    for (const unsigned slot : wrong)
      if (is_off(slot)) add(slot);
    for (unsigned slot = 0; slot < 128; ++slot)
      if (is_off(slot) && slots.size() < kMostBits - 4) add(slot);
    for (const unsigned slot : wrong)
      if (slots.size() < kMostBits - 2) add(slot);
    add(0);
    add(127);
    return slots;
  }

  void flip(unsigned slot) {
    Instruction holder = finding_.program.instructions[*from_.mask];
    std::uint64_t& word = slot < 64 ? holder.low : holder.high;
    word ^= std::uint64_t{1} << slot % 64;
    std::string text = "with bit " + std::to_string(slot % 64) + (slot < 64 ? " of low" : " of high") +
                       ((word >> slot % 64 & 1) != 0 ? " set" : " clear");
    const auto holds_words = [](const Instruction& insn) { return row_of(insn.op).has_words; };
    if (std::ranges::count_if(finding_.program.instructions, holds_words) > 1)
      text += " in instruction " + std::to_string(*from_.mask + 1);
    offer(std::move(text), *from_.mask, [&](Instruction& insn) { insn = holder; });
  }

  /// Whole words of the mask.
  void words() {
    if (!from_.mask) return;
    const Instruction& holder = finding_.program.instructions[*from_.mask];
    for (const std::uint64_t word : {holder.low, std::uint64_t{0}, kOnes})
      offer("with high=" + show_hex(word), *from_.mask, [&](Instruction& insn) { insn.high = word; });
    for (const std::uint64_t word : {holder.high, std::uint64_t{0}, kOnes})
      offer("with low=" + show_hex(word), *from_.mask, [&](Instruction& insn) { insn.low = word; });
  }

  /// The mask comes from somewhere else. All lanes are on.
  void mask_forms() {
    const Instruction& own = from_.insn();
    if (own.mask_from == MaskFrom::reg) return;
    const std::uint8_t forms = lanecheck::mask_forms(row_of(own.op), finding_.program.profile);
    const auto give = [&](std::string text, MaskFrom form, std::uint64_t high, std::uint64_t low) {
      if (form != own.mask_from && has_form(forms, form))
        offer(std::move(text), [&](Instruction& insn) {
          insn.mask_from = form;
          insn.high = high;
          insn.low = low;
        });
    };
    const unsigned lanes = lanes_of(own);
    give("with the mask of the register instead of its own", MaskFrom::reg, 0, 0);
    give("with mask=" + std::to_string(lanes) + " instead of its own mask", MaskFrom::contiguous, 0, lanes);
    give("with a full mask of bits instead of its own mask", MaskFrom::bitwise, lanes > 64 ? kOnes : 0,
         kOnes);
  }

  void mask_set_before() {
    const auto sets_mask = row_of(finding_.program.profile).sets_mask;
    if (!sets_mask || from_.mask) return;
    const Instruction set = mask_setter(*sets_mask, {kOnes, kOnes}, from_.insn().src_type);
    Program program = finding_.program;
    program.instructions.insert(program.instructions.begin(), set);
    all_.push_back({"with a " + std::string(row_of(set.op).name) + " of all slots before it",
                    std::move(program), from_.index + 1});
  }

  void repeats() {
    const std::uint32_t repeat = from_.insn().repeat;
    if (!row_of(from_.insn().op).has_repeat) return;
    for (const std::uint32_t other : {1u, repeat - 1, repeat + 1})
      if (other != 0)  // no repeat at all passes almost always
        offer("with repeat=" + std::to_string(other), [&](Instruction& insn) { insn.repeat = other; });
  }

  void strides() {
    const Row& row = row_of(from_.insn().op);
    for (unsigned k = 0; k < row.operands.size(); ++k) {
      const std::string role(row.operands[k].role);
      const Operand& operand = from_.insn().operands[k];
      if (shows_block_stride(row.operands[k].walk))
        for (const std::uint32_t other : {1u, operand.block_stride + 1})
          offer("with " + role + " block stride " + std::to_string(other),
                [&](Instruction& insn) { insn.operands[k].block_stride = other; });
      if (shows_repeat_stride(row.operands[k].walk) && from_.insn().repeat > 1)
        for (const std::uint32_t other : {contiguous_stride(from_.insn(), k), operand.repeat_stride + 1})
          offer("with " + role + " repeat stride " + std::to_string(other),
                [&](Instruction& insn) { insn.operands[k].repeat_stride = other; });
    }
  }

  /// With other data the mode may be wrong too.
  void modes() {
    const Instruction& insn = from_.insn();
    const TypePair* pair = types_of(insn, finding_.program.profile);
    if (!row_of(insn.op).rounds || pair == nullptr) return;
    for (std::size_t mode = 0; mode < std::size(kRoundNames); ++mode) {
      Program program = finding_.program;
      program.instructions[from_.index].round = static_cast<Round>(mode);
      if ((pair->modes >> mode & 1) != 0 && !(program == finding_.program))
        all_.push_back({"with round=" + std::string(kRoundNames[mode]) + std::string(kWithTheseData),
                        std::move(program), from_.index, true});
    }
  }

  void types() {
    const Instruction& insn = from_.insn();
    for (const TypePair& types : row_of(insn.op).in(finding_.program.profile).pairs) {
      if (types.dst == insn.dst_type && types.src == insn.src_type) continue;
      Variation other = from_;
      if (set_types(other, types))
        all_.push_back({"as " + mnemonic(other.insn()), std::move(other.program), from_.index});
    }
  }

  void numbers() {
    const Row& row = row_of(from_.insn().op);
    for (unsigned q = 0; q < row.lengths; ++q)
      for (const std::uint32_t other : {from_.insn().lengths[q] - 1, from_.insn().lengths[q] + 1})
        offer("with length " + std::to_string(other) + " of queue " + std::to_string(q),
              [&](Instruction& insn) { insn.lengths[q] = other; });
    for (unsigned q = 0; q < row.settings.size(); ++q)
      for (const std::uint32_t other : {from_.insn().settings[q] - 1, from_.insn().settings[q] + 1})
        offer("with " + std::string(row.settings[q].name) + "=" + std::to_string(other),
              [&](Instruction& insn) { insn.settings[q] = other; });
  }

  /// Without the diverging instruction itself, that a program passes says nothing.
  void fewer_instructions() {
    const auto& instructions = finding_.program.instructions;
    for (std::size_t n = 0; n < instructions.size(); ++n) {
      if (n == from_.index) continue;
      Program program = finding_.program;
      program.instructions.erase(program.instructions.begin() + static_cast<std::ptrdiff_t>(n));
      all_.push_back({"without instruction " + std::to_string(n + 1), std::move(program),
                      from_.index - (n < from_.index ? 1 : 0)});
    }
  }

  void data() {
    for (std::size_t n = 0; n < finding_.program.allocations.size(); ++n) {
      if (!is_used(n)) continue;  // a backend that reads too far may reach it, but it is no operand
      const Allocation& home = finding_.program.allocations[n];
      Program program = finding_.program;
      std::fill_n(program.ub.begin() + home.offset, home.bytes, std::byte{0});
      if (!(program == finding_.program))
        all_.push_back({"with 0 everywhere in " + home.name, std::move(program), from_.index, true});
    }
  }

  bool is_used(std::size_t allocation) const {
    const auto& list = finding_.program.instructions;
    return std::any_of(list.begin(), list.end(), [&](const Instruction& insn) {
      const std::size_t operands = row_of(insn.op).operands.size();
      for (unsigned k = 0; k < operands; ++k)
        if (insn.operands[k].allocation == allocation) return true;
      return false;
    });
  }

  const Finding& finding_;
  Variation from_;
  std::vector<Neighbour> all_;
};

/// Does the neighbour pass with other data too, those of the wrong lanes in all lanes among them?
bool passes_with_other_data(const Neighbour& neighbour, const Stagings& stagings, Trial& trial) {
  if (neighbour.is_of_data) return true;
  return std::ranges::all_of(kEveryStaging, [&](Staging staging) {
    Variation it = variation_of(neighbour.program, neighbour.index);
    if (!is_sure(staging) || staging == Staging::own_data || !stagings.tells(staging, it)) return true;
    if (row_of(it.insn().op).operands.empty()) return true;
    stagings.stage(it, staging, true, false);
    return !trial.is_legal(it.program) || trial.ask_or_predict(it.program) == Says::conforms;
  });
}

}  // namespace

std::vector<Neighbour> neighbours(const Finding& finding) {
  if (finding.instruction >= finding.program.instructions.size()) return {};
  return Neighbours(finding).take();
}

std::string passing_change(const Finding& finding, const Hypothesis* suspect, AskedBackend& asked,
                           const Documented& documented) {
  if (finding.instruction >= finding.program.instructions.size()) return {};
  Trial trial(asked, documented, suspect, kMostQuestions);
  std::vector<Neighbour> all = neighbours(finding);
  std::erase_if(all, [&](const Neighbour& each) { return !trial.is_legal(each.program); });
  std::stable_partition(all.begin(), all.end(),
                        [&](const Neighbour& each) { return trial.predicts_conformity(each.program); });
  const Stagings stagings(finding, variation_of(finding.program, finding.instruction), 0);
  std::string with_these_data;
  for (const Neighbour& each : all) {
    if (trial.ask(each.program) != Says::conforms) continue;
    if (passes_with_other_data(each, stagings, trial)) return each.change;
    if (with_these_data.empty()) with_these_data = each.change + std::string(kWithTheseData);
  }
  return with_these_data;
}

}  // namespace lanecheck
