#include "fuzz/identify/gather_mask/gather_mask_call.h"

#include <algorithm>

#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// The type in which elements of src0 and dst are counted.
Element bits_of(const Instruction& insn) {
  return size_of(insn.src_type) == 2 ? Element::u16 : Element::u32;
}

const Region& region_of_count(const Layout& layout, const Instruction& insn) {
  return layout.regions[row_of(insn.op).operands.size() - 1];
}

void put_pattern(Program& program, const GatherCall& call, const Region& src1) {
  for (std::uint32_t byte = 0; byte < src1.bytes; ++byte) {
    const std::int32_t first = 8 * (static_cast<std::int32_t>(byte) - static_cast<std::int32_t>(src1.margin));
    std::uint64_t bits = 0;
    for (std::int32_t bit = 0; bit < 8; ++bit) bits |= std::uint64_t{call.pattern(first + bit)} << bit;
    put_element(program, src1, Element::u8, byte, bits);
  }
}

std::optional<Program> program_of(const GatherCall& call, const Layout& layout) {
  GatherCall normal = call;  // its lanes say which slots a mask may set
  auto program = probe_program(call.subject, layout, full_mask(normal.with("counter", 0).subject));
  if (!program) return {};
  const Instruction& insn = call.insn();
  const Element bits = bits_of(insn);
  const Region& src = layout.regions[1];
  fill_region(*program, layout.regions[0], bits, all_bits(bits));
  for (std::uint32_t n = 0; n < src.bytes / size_of(bits); ++n) put_element(*program, src, bits, n, n);
  if (call.is_user()) put_pattern(*program, call, layout.regions[2]);
  fill_region(*program, region_of_count(layout, insn), Element::u64, kOldCount);
  program->instructions.insert(program->instructions.end() - 1, call.before.begin(), call.before.end());
  if (call.earlier_repeat > 0) {  // it writes fewer elements to dst, which are written again
    Instruction earlier = program->instructions.back();
    earlier.repeat = call.earlier_repeat;
    program->instructions.insert(program->instructions.end() - 1, earlier);
  }
  if (find_fault(*program)) return {};
  return program;
}

/// With `repeat` repeats, in a row except for these strides of src0 and this one of src1.
GatherCall strided(const Subject& plain, std::uint32_t repeat, std::uint32_t block_stride,
                   std::uint32_t repeat_stride, std::uint32_t of_src1) {
  GatherCall call{plain};
  Instruction& insn = call.subject.insn;
  insn.repeat = repeat;
  insn.operands[1].block_stride = block_stride;
  insn.operands[1].repeat_stride = repeat_stride;
  if (call.is_user()) insn.operands[2].repeat_stride = of_src1;
  return call;
}

void add_normal_calls(const Subject& plain, std::vector<GatherCall>& calls) {
  calls.push_back({in_a_row(plain, 1)});
  calls.push_back({plain});
  calls.push_back({plain});
  calls.back().earlier_repeat = 2;
  if (plain.insn.op == Op::gather_mask)
    for (std::uint32_t pattern = 1; pattern <= 7; ++pattern)
      calls.push_back(GatherCall{plain}.with("pattern", pattern));
  calls.push_back(strided(plain, 3, 2, 19, 3));
  if (plain.insn.op == Op::gather_mask)  // a stride may be followed by some patterns alone
    for (const std::uint32_t pattern : {1U, 4U})
      calls.push_back(strided(plain, 3, 2, 19, 3).with("pattern", pattern));
  calls.push_back(strided(plain, 2, 9, 500, 253));
  calls.push_back(strided(plain, 1, 246, 1, 1));
  calls.push_back(strided(plain, 2, 3, 30, 0));
  calls.push_back(strided(plain, 3, 2, 0, 2));
  calls.push_back(strided(plain, 2, 0, 21, 2));
  calls.push_back(GatherCall{plain}.with("mask", 37));
  calls.push_back(strided(plain, 3, 2, 19, 3).with("mask", 100));
  calls.push_back({plain, {mask_instruction(Op::set_vector_mask, kGappedMask)}});
}

void add_counter_calls(const Subject& plain, std::vector<GatherCall>& calls) {
  const auto add = [&](GatherCall call, std::uint32_t mask) {
    calls.push_back(call.with("counter", 1).with("mask", mask));
  };
  const GatherCall three = strided(plain, 3, 1, 8, 1);
  add(three, 37);
  if (plain.insn.op == Op::gather_mask)
    for (std::uint32_t pattern = 1; pattern < 7; ++pattern)
      add(GatherCall(three).with("pattern", pattern), 36 + pattern + pattern / 4);  // with every rest by 4
  add(three, 128);
  add(three, 300);
  add(strided(plain, 3, 2, 19, 3), 37);
  add(strided(plain, 3, 2, 50, 5), 300);
  add(strided(plain, 2, 9, 500, 253), 100);
  add(strided(plain, 2, 3, 30, 0), 150);
  add(strided(plain, 3, 1, 0, 1), 100);
  add(strided(plain, 1, 1, 8, 1), 300);  // fewer repeats than that many elements need
  add(strided(plain, 2, 1, 8, 1), 700);
  add(three, 10);
  const std::uint32_t whole = whole_repeat(plain.insn);
  for (const std::uint32_t mask : {whole + 1, whole, 2 * whole, 3 * whole}) add(three, mask);
  add(strided(plain, 3, 2, 19, 3), whole);
  GatherCall gapped = three;
  gapped.before = {mask_instruction(Op::set_vector_mask, kGappedMask)};
  add(gapped, 100);
}

}  // namespace

bool scattered_bit(std::int32_t bit) {
  std::uint32_t mixed = static_cast<std::uint32_t>(bit) * 0x9e3779b1u + 0x7f4a7c15u;
  mixed = (mixed ^ mixed >> 15) * 0x85ebca6bu;
  return ((mixed ^ mixed >> 13) & 1) != 0;
}

bool GatherCall::after_counter_mode() const {
  return std::ranges::any_of(before, [](const Instruction& each) { return each.op == Op::set_mask_count; });
}

GatherCall& GatherCall::with(std::string_view name, std::uint32_t value) {
  if (const auto index = setting_index(row_of(insn().op), name)) subject.insn.settings[*index] = value;
  return *this;
}

std::string GatherCall::condition() const {
  if (after_counter_mode()) return ", if the mask mode is counter mode before";
  const std::string mask = std::to_string(setting(insn(), "mask"));
  if (counts()) return ", in its counter mode with a mask of " + mask;
  return mask == "0" ? "" : ", if its mask argument is not 0 in normal mode";
}

std::string GatherCall::arguments() const {
  const Operand& src = insn().operands[1];
  return "repeat times " + std::to_string(insn().repeat) +
         (is_user() ? "" : ", pattern " + std::to_string(setting(insn(), "pattern"))) + ", block stride " +
         std::to_string(src.block_stride) + " and repeat stride " + std::to_string(src.repeat_stride) +
         " of src0";
}

std::optional<Gathered> gather(const GatherCall& call, const Ask& ask) {
  const auto layout = lay_out(call.subject);
  if (!layout) return {};
  const auto program = program_of(call, *layout);
  if (!program) return {};
  const Answers answers = ask_all(ask, {&*program, 1});
  if (!answers.why_not.empty()) return {};
  const Element bits = bits_of(call.insn());
  const std::uint64_t old = all_bits(bits);
  const Region &dst = layout->regions[0], &src = layout->regions[1],
               &count = region_of_count(*layout, call.insn());
  Gathered gathered;
  const auto first = static_cast<std::int32_t>(src.margin / size_of(bits));
  for (std::uint32_t n = dst.margin / size_of(bits); n < dst.bytes / size_of(bits); ++n) {
    const std::uint64_t is = get_element(answers.states[0].ub, dst, bits, n);
    gathered.places.push_back(is == old ? kKept : static_cast<std::int32_t>(is) - first);
  }
  gathered.returned = get_element(answers.states[0].ub, count, Element::u64, count.margin / 8);
  return gathered;
}

std::size_t places_of_dst(const GatherCall& call) {
  const auto layout = lay_out(call.subject);
  return layout ? (layout->regions[0].bytes - layout->regions[0].margin) / size_of(call.insn().src_type) : 0;
}

std::vector<GatherCall> gather_calls(const Subject& given) {
  GatherCall plain{in_a_row(given, 6)};
  plain.with("counter", 0).with("mask", 0);
  plain.subject = in_a_row(plain.subject, 6);  // the strides of a row in normal mode
  if (plain.is_user()) plain.subject.insn.operands[2].repeat_stride = 1;
  plain.with("pattern", 7);
  std::vector<GatherCall> calls;
  add_normal_calls(plain.subject, calls);
  add_counter_calls(plain.subject, calls);
  if (plain.is_user()) {  // a repeat that keeps nothing
    calls.push_back(plain);
    calls.back().pattern = [](std::int32_t bit) {
      constexpr std::int32_t kOfARepeat = 8 * kBlockBytes;
      return scattered_bit(bit) && bit / kOfARepeat != 2;
    };
  }
  for (const std::uint64_t counted : {100u, 1000u, 101u}) {
    calls.push_back(strided(plain.subject, 3, 2, 19, 3));
    calls.back().before = {mask_instruction(Op::set_mask_count, {0, 0}),
                           mask_instruction(Op::set_vector_mask, {0, counted})};
  }
  calls.back().with("counter", 1).with("mask", 300);
  calls.push_back({given});
  return calls;
}

}  // namespace lanecheck
