#include "spec/program/profile.h"

#include <algorithm>
#include <string>

#include "spec/program/source.h"

namespace lanecheck {
namespace {

constexpr std::string_view kOfVmc[] = {kVmc};
constexpr std::string_view kOfA2[] = {kSvm, kGm};
constexpr std::string_view kOf310P[] = {kSvm, kGm, kVp};
constexpr std::string_view kTikDocuments[] = {kTik};

/// asc-devkit (ReducePairElem, Select, Gather, Brcb) settles for Ascend C what VMC leaves open.
constexpr Readings kAscendReadings = {.empty_pair = EmptyPair::keeps_dst,
                                      .mask_after_brcb = MaskAfter::all_ones,
                                      .select_mask = MaskUseReading::gates,
                                      .gather_uses_mask = MaskUseReading::gates};
/// GM: inference products take GatherMask's other configuration.
constexpr Readings kInferenceReadings = [] {
  Readings readings = kAscendReadings;
  readings.gather_counter = GatherCounter::total;
  return readings;
}();

constexpr ProfileRow kProfileRows[] = {
    {.profile = Profile::vmc,
     .name = "vmc",
     .about = "the A2 simulator of Vector Mask Constraints",
     .documents = kOfVmc,
     .all_slots_legal = true,
     .least_dst_block_stride = 0,
     .read_dst_may_meet = true,
     .names_api = false,
     .sets_mask = Op::set_mask},
    {.profile = Profile::a2,
     .name = "ascendc-a2",
     .about = "Ascend C on Atlas A2: SetVectorMask, mask modes, GatherMask",
     .documents = kOfA2,
     .mask_operands = MaskOperands::by_form,
     .stride_widths = StrideWidths::by_form,
     .has_compare_mask = true,
     .has_modes = true,
     .count_is_contiguous = true,
     .sets_mask = Op::set_vector_mask,
     .readings = kAscendReadings},
    {.profile = Profile::p310,
     .name = "ascendc-310p",
     .about = "Ascend C on the AI Core of Atlas inference products: VectorPadding",
     .documents = kOf310P,
     .mask_operands = MaskOperands::by_form,
     .stride_widths = StrideWidths::by_form,
     .has_compare_mask = true,
     .has_modes = true,
     .count_is_contiguous = true,
     .sets_mask = Op::set_vector_mask,
     .readings = kInferenceReadings},
    {.profile = Profile::tik,
     .name = "tik",
     .about = "TIK instructions with a vector and a scalar source",
     .documents = kTikDocuments,
     .mask_operands = MaskOperands::always,
     .stride_widths = StrideWidths::repeat_byte,
     .shows_mask = false,
     .block_stride_fixed = true,
     .repeat_by_scalar = true},
};
static_assert(std::size(kProfileRows) == kProfiles);

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

const Readings& default_readings(Profile profile) {
  return row_of(profile).readings;
}

bool obeys_mask(Profile profile, Op op) {
  const Row& row = row_of(op);
  return row.mask != MaskUse::ignores || has_form(mask_forms(row, profile), MaskFrom::contiguous);
}

std::uint8_t mask_forms(const Row& row, Profile profile) {
  using enum MaskFrom;
  switch (row_of(profile).mask_operands) {
    case MaskOperands::never:
      return forms({reg});
    case MaskOperands::always:
      return row.counts_in_tik ? forms({contiguous, bitwise, count}) : forms({contiguous, bitwise});
    case MaskOperands::by_form:
      break;
  }
  switch (row.mask_operand) {
    case MaskOperand::any:
      return forms({reg, contiguous, bitwise, count});
    case MaskOperand::no_count:
      return forms({reg, contiguous, bitwise});
    case MaskOperand::own:
      return forms({contiguous, bitwise, count});
    case MaskOperand::own_no_count:
      return forms({contiguous, bitwise});
    case MaskOperand::reg_only:
    case MaskOperand::none:
      break;
  }
  return forms({reg});
}

}  // namespace lanecheck
