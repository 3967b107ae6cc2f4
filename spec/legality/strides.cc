// Strides fit the fields of the call.
#include <algorithm>

#include "spec/legality/rows.h"

namespace lanecheck::legality {
namespace {

/// The greatest legal strides of an operand, in data blocks: the fields of the API are bytes or words.
struct MostStrides {
  std::uint32_t block, repeat;
};

constexpr std::uint32_t kByte = 255, kWord = kMaxStride;

/// The fields of an instruction of Ascend C, for operand `k`.
MostStrides fields_of(StrideFields fields, unsigned k) {
  constexpr unsigned kUserPattern = 2;
  switch (fields) {
    case StrideFields::words:
      break;
    case StrideFields::unary:
      return {kWord, kByte};
    case StrideFields::binary:
      return {kByte, kByte};
    case StrideFields::gather_mask:
      return {kByte, k == kUserPattern ? kByte : kWord};
    case StrideFields::gather_blocks:
      return {kByte, kWord};
  }
  return {kWord, kWord};
}

MostStrides most_strides(Profile profile, const Row& row, unsigned k) {
  switch (row_of(profile).stride_widths) {
    case StrideWidths::words:
      break;
    case StrideWidths::by_form:
      return fields_of(row.strides, k);
    case StrideWidths::repeat_byte:
      return {kWord, kByte};
  }
  return {kWord, kWord};
}

Complaint block_stride_in_tik(const Site& site) {
  if (site.column().walk != Walk::blocks || site.operand().block_stride == 1) return {};
  return role_of(site) + " has a block stride other than 1";
}

Complaint stride_too_large(const Site& site) {
  const MostStrides most = most_strides(site.program.profile, site.row(), site.k);
  if (site.operand().block_stride > most.block)
    return role_of(site) + " has a block stride above " + number(most.block);
  if (site.operand().repeat_stride > most.repeat)
    return role_of(site) + " has a repeat stride above " + number(most.repeat);
  return {};
}

bool to_most_stride(EdgeSubject& s) {
  if (s.row().operands.empty()) return false;
  const unsigned k = s.drawn_operand();
  if (!s.walks(k, Walk::blocks) || s.insn.mask_from == MaskFrom::count) return false;
  s.insn.repeat = std::min(s.insn.repeat, 1u);
  const std::uint32_t most = most_strides(s.program.profile, s.row(), k).repeat;
  s.insn.operands[k].repeat_stride = s.outside ? most + 1 : most;
  return true;
}

Complaint dst_block_stride_zero(const Site& site) {
  const bool is_dst = site.k == 0 && site.column().walk == Walk::blocks && site.row().writes_dst();
  if (!is_dst || site.operand().block_stride != 0) return {};
  return "dst has a block stride of 0; allowed: 1 to " +
         number(most_strides(site.program.profile, site.row(), site.k).block);
}

bool to_block_stride_zero(EdgeSubject& s) {
  if (!s.row().writes_dst() || !s.walks(0, Walk::blocks)) return false;
  if (s.insn.mask_from == MaskFrom::count) return false;
  if (s.outside) s.insn.operands[0].block_stride = 0;
  return true;
}

constexpr LegalityRule kStrideRules[] = {
    {.position = 420,
     .id = "TIK-block-stride",
     .kind = "range",
     .claim = "There is no block stride: data blocks of a repeat lie in a row.",
     .source = {kTik, "prototype"},
     .profiles = tik,
     .checks = {{Stage::strides, block_stride_in_tik}}},
    {.position = 410,
     .id = "TIK-range-stride",
     .kind = "range",
     .claim = "Repeat strides are 0 to 255, in units of 32 bytes.",
     .source = {kTik, "notes"},
     .profiles = tik,
     .checks = {{Stage::strides, stride_too_large}},
     .edge = to_most_stride},
    {.position = 70,
     .id = "LAW-stride-range",
     .kind = "range",
     .claim = "Strides fit the fields of the call: 0 to 255 or 0 to 65535 blocks; in VMC 0 to 65535.",
     .source = {kDevkit, "UnaryRepeatParams, BinaryRepeatParams, GatherMaskParams"},
     .profiles = vmc | a2 | p310,
     .checks = {{Stage::strides, stride_too_large}},
     .edge = to_most_stride},
    {.position = 90,
     .id = "LAW-dst-block-stride",
     .kind = "range",
     .claim = "The block stride of dst is not 0.",
     .source = {kDevkit, "high-dimensional APIs"},
     .profiles = a2 | p310,
     .checks = {{Stage::strides, dst_block_stride_zero}},
     .edge = to_block_stride_zero},
};

}  // namespace

std::span<const LegalityRule> stride_rules() {
  return kStrideRules;
}

}  // namespace lanecheck::legality
