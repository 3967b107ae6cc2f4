#include "spec/legality/edge_subject.h"

#include <algorithm>

namespace lanecheck {

namespace {

/// The register that the subject meets, with its own mask operand in it.
MaskBits mask_at(const EdgeSubject& subject, const Readings& readings) {
  MaskBits mask;
  for (const Instruction& before : subject.program.instructions) {
    mask.load(before, readings);
    if (&before == &subject.insn) break;
    mask.leave(before, readings);
  }
  return mask;
}

}  // namespace

ResolvedInstruction EdgeSubject::resolved() const {
  const Readings readings = default_readings(program.profile);
  return resolve(insn, mask_at(*this, readings), readings);
}

Mode EdgeSubject::mode() const {
  return mask_at(*this, default_readings(program.profile)).mode;
}

void EdgeSubject::make_room(unsigned k, std::uint32_t more) {
  const Allocation home = program.allocations[insn.operands[k].allocation];
  Allocation wider = home;
  wider.name = "w" + std::to_string(program.allocations.size());
  wider.offset = static_cast<std::uint32_t>(program.ub.size());
  wider.bytes = home.bytes + more;
  const std::vector<std::byte> data(program.ub.begin() + home.offset,
                                    program.ub.begin() + home.offset + home.bytes);
  program.ub.resize(program.ub.size() + wider.bytes + kBlockBytes);
  std::ranges::copy(data, program.ub.begin() + wider.offset);
  insn.operands[k].allocation = static_cast<std::uint16_t>(program.allocations.size());
  program.allocations.push_back(std::move(wider));
}

void EdgeSubject::make_contiguous(unsigned k) {
  insn.operands[k].block_stride = 1;
  insn.operands[k].repeat_stride =
      lanes_of(insn) * size_of(operand_type(insn, row().operands[k])) / kBlockBytes;
}

void EdgeSubject::overwrite(std::uint32_t at, std::uint32_t word) {
  std::byte* const place = program.ub.data() + at;
  overwritten = Overwritten{at, load<std::uint32_t>(place)};
  store(place, word);
}

bool EdgeSubject::put(std::string_view name, std::uint32_t value) {
  const auto index = setting_index(row(), name);
  if (index) insn.settings[*index] = value;
  return index.has_value();
}

}  // namespace lanecheck
