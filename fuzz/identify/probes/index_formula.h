// A simple formula from one series of numbers to another: which slot or lane belongs to which lane.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanecheck {

/// "lane + 64", "lane xor 1", "127 - lane", "lane mod 64", "lane / 2", "2 * lane", "5": the first of these
/// that makes `to` out of
/// `from` at every place. `lanes`: of a full repeat. Nothing if no formula fits.
std::optional<std::string> index_formula(const std::vector<unsigned>& from, const std::vector<unsigned>& to,
                                         unsigned lanes, const std::string& lane = "lane");

/// "8 * (lane / 16) + lane mod 8" (the quotient without its remainder): places in blocks of one size that
/// were taken for blocks of another. Nothing if it does not fit.
std::optional<std::string> block_formula(const std::vector<unsigned>& from, const std::vector<unsigned>& to,
                                         unsigned lanes, const std::string& lane = "lane");

/// Is it a shift, so that an interval becomes an interval?
bool is_shift(const std::vector<unsigned>& from, const std::vector<unsigned>& to);

/// A sentence before and behind the name of the instruction.
struct AroundName {
  std::string before, behind;
};

/// "the last lanes (64..127) of @ are gated by the slots of the high word in reverse order": the first or
/// last 64 of more `lanes` by all slots of one word. Nothing if it is not so.
std::optional<AroundName> reversed_word(const std::vector<unsigned>& some, const std::vector<unsigned>& slots,
                                        unsigned lanes);

/// "in the last repeat", "in repeats 2, 4"; empty if `repeats` are all of `count`.
std::string in_repeats(const std::vector<unsigned>& repeats, unsigned count);

}  // namespace lanecheck
