#include "spec/program/profile.h"

#include <algorithm>
#include <string>

#include "spec/program/source.h"

namespace lanecheck {
namespace {

constexpr std::string_view kOfVmc[] = {kVmc};
constexpr std::string_view kOfA2[] = {kSvm, kGm};
constexpr std::string_view kOf310P[] = {kSvm, kGm, kVp};
constexpr std::string_view kOfTik[] = {kTik};

constexpr ProfileRow kProfileRows[] = {
    {"vmc", "the A2 simulator of Vector Mask Constraints", kOfVmc, true},
    {"ascendc-a2", "Ascend C on Atlas A2: SetVectorMask, mask modes, GatherMask", kOfA2, true},
    {"ascendc-310p", "Ascend C on the AI Core of Atlas inference products: VectorPadding", kOf310P, true},
    {"tik", "TIK instructions with a vector and a scalar source", kOfTik, false},
};

constexpr std::uint8_t forms(std::initializer_list<MaskFrom> list) {
  std::uint8_t bits = 0;
  for (const MaskFrom from : list) bits = static_cast<std::uint8_t>(bits | 1u << static_cast<unsigned>(from));
  return bits;
}

}  // namespace

std::span<const ProfileRow> profiles() {
  return kProfileRows;
}

const ProfileRow& row_of(Profile profile) {
  return kProfileRows[static_cast<std::size_t>(profile)];
}

const Profile* find_profile(std::string_view name) {
  for (const Profile& each : kEveryProfile)
    if (row_of(each).name == name) return &each;
  return nullptr;
}

std::string profile_names() {
  std::string names = "there are:";
  for (const ProfileRow& row : kProfileRows) names.append(" ").append(row.name);
  return names;
}

Readings default_readings(Profile profile) {
  Readings readings;
  if (profile == Profile::a2 || profile == Profile::p310) {
    readings.empty_pair = EmptyPair::keeps_dst;  // asc-devkit, ReducePairElem
    readings.select_mask = MaskUseReading::gates;
    readings.gather_uses_mask = MaskUseReading::gates;
    readings.mask_after_brcb = MaskAfter::all_ones;
  }
  if (profile == Profile::p310) readings.gather_counter = GatherCounter::total;
  return readings;
}

std::uint8_t mask_forms(const Row& row, Profile profile) {
  using enum MaskFrom;
  constexpr auto kReg = forms({reg});
  if (profile == Profile::vmc) return kReg;
  if (profile == Profile::tik)
    return row.form == Form::scalar ? forms({contiguous, bitwise, count}) : forms({contiguous, bitwise});
  switch (row.mask_operand) {
    case MaskOperand::any:
      return forms({reg, contiguous, bitwise, count});
    case MaskOperand::no_count:
      return forms({reg, contiguous, bitwise});
    case MaskOperand::own:
      return row.form == Form::gather || row.form == Form::select_bits ? forms({contiguous, bitwise})
                                                                       : forms({contiguous, bitwise, count});
    case MaskOperand::reg_only:
    case MaskOperand::none:
      break;
  }
  return kReg;
}

}  // namespace lanecheck
