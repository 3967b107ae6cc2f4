#include "fuzz/identify/sorts/sort_laws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "fuzz/identify/sorts/index_laws.h"
#include "fuzz/identify/sorts/left_records.h"
#include "fuzz/identify/sorts/queue_places.h"
#include "fuzz/identify/sorts/short_cuts.h"
#include "spec/program/instruction_table.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

bool is_greater(const SortRecord& a, const SortRecord& b) {
  return a.value > b.value;
}

/// Each repeat's queues merged.
std::vector<Queue> merge_each(const SortCall& call, const Ahead& ahead) {
  std::vector<Queue> left;
  for (const auto& queues : call.repeats) left.push_back(merged(queues, ahead));
  return left;
}

/// left_of(queues): what a repeat leaves of its own queues.
template <class LeftOf>
SortLaw of_each_repeat(std::string text, LeftOf left_of) {
  return {std::move(text), [left_of = std::move(left_of)](const SortCall& call) {
            std::vector<Queue> left;
            for (const auto& queues : call.repeats) left.push_back(left_of(queues));
            return left;
          }};
}

SortLaw in_order(std::string text, Ahead ahead) {
  return of_each_repeat(std::move(text), [ahead = std::move(ahead)](const std::vector<Queue>& queues) {
    return merged(queues, ahead);
  });
}

/// All records of a repeat, whichever queue they are from.
Queue all_sorted(const std::vector<Queue>& queues, const Ahead& ahead) {
  Queue all = in_a_row(queues);
  std::ranges::stable_sort(all, ahead);
  return all;
}

SortLaw sorted_whole(std::string text, Ahead ahead) {
  return of_each_repeat(std::move(text), [ahead = std::move(ahead)](const std::vector<Queue>& queues) {
    return all_sorted(queues, ahead);
  });
}

/// The sources are others before they are merged as documented.
template <class Change>
SortLaw from_other_sources(std::string text, Change change) {
  return {std::move(text), [change](SortCall call) {
            change(call);
            return merge_each(call, is_greater);
          }};
}

std::int64_t as_signed(const SortRecord& record, Element type) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  return static_cast<std::int64_t>(record.score & (sign - 1)) -
         static_cast<std::int64_t>(record.score & sign);
}

struct Comparison {
  std::string text;
  Ahead ahead;
};

/// What scores may be compared as, in place of numbers of their type.
std::vector<Comparison> other_comparisons(Element type) {
  std::vector<Comparison> all;
  const auto add = [&](std::string text, auto number_of) {
    all.push_back({std::move(text), [number_of](const SortRecord& a, const SortRecord& b) {
                     return number_of(a) > number_of(b);
                   }});
  };
  add("compares the absolute values of scores", [](const SortRecord& it) { return std::abs(it.value); });
  add("compares the bits of scores as signed integers",
      [type](const SortRecord& it) { return as_signed(it, type); });
  add("compares the bits of scores as unsigned integers", [](const SortRecord& it) { return it.score; });
  add("compares scores as whole numbers", [](const SortRecord& it) { return std::trunc(it.value); });
  const unsigned bits = 8 * static_cast<unsigned>(size_of(type));
  for (unsigned cut = bits - 8; cut >= 8; cut -= 8)
    add("compares scores by their upper " + std::to_string(bits - cut) +
            " bits alone: those that are equal in these stay in the order of the sources",
        [type, cut](const SortRecord& it) { return value_of(type, it.score >> cut << cut); });
  for (const Element less : {Element::f16, Element::bf16})
    if (less != type)
      add("compares scores rounded to " + std::string(name_of(less)),
          [less](const SortRecord& it) { return value_of(less, nearest(less, it.value)); });
  return all;
}

/// In another order than that of numbers a queue does not descend: to merge heads is not to sort all records.
void add_other_comparisons(const Instruction& insn, std::vector<SortLaw>& laws) {
  for (const Comparison& each : other_comparisons(insn.src_type)) {
    laws.push_back(in_order(each.text, each.ahead));
    if (!row_of(insn.op).sorts)
      laws.push_back(sorted_whole(each.text + ", and sorts the records of each queue too", each.ahead));
    laws.back().general = each.text;  // sort32 has one queue
  }
}

/// A merge in steps, or over an array of heads in another order, takes equal scores by another order of
/// queues.
void add_orders_of_queues(const Instruction& insn, std::vector<SortLaw>& laws) {
  if (row_of(insn.op).sorts || row_of(insn.op).lengths != 1)
    return;  // of two queues it is the reversed order
  std::array<unsigned, 4> order = {0, 1, 2, 3};
  while (std::ranges::next_permutation(order).found) {
    std::array<unsigned, 4> rank{};
    for (unsigned n = 0; n < 4; ++n) rank[order[n]] = n;
    const auto queue = [&](unsigned n) { return std::to_string(order[n]); };
    laws.push_back(in_order("takes equal scores from its queues in the order " + queue(0) + ", " + queue(1) +
                                ", " + queue(2) + ", " + queue(3),
                            [rank](const SortRecord& a, const SortRecord& b) {
                              return a.value > b.value ||
                                     (a.value == b.value && rank[a.queue] < rank[b.queue]);
                            }));
  }
}

void add_orders(const Instruction& insn, std::vector<SortLaw>& laws) {
  const Ahead least = [](const SortRecord& a, const SortRecord& b) { return a.value < b.value; };
  if (row_of(insn.op).sorts) {
    laws.push_back(in_order("sorts in ascending order", least));
  } else {
    laws.push_back(in_order("takes the least head of its queues first", least));
    laws.push_back(sorted_whole("sorts its records in ascending order", least));
  }
  const std::string reversed = "takes equal scores in reversed order";
  laws.push_back(in_order(row_of(insn.op).sorts ? reversed : "takes the equal scores of a later queue first",
                          [](const SortRecord& a, const SortRecord& b) { return a.value >= b.value; }));
  laws.back().general = reversed;
  add_other_comparisons(insn, laws);
  for (const bool least_first : {true, false}) {
    const Ahead by_index = [least_first](const SortRecord& a, const SortRecord& b) {
      return a.value > b.value ||
             (a.value == b.value && (least_first ? a.index < b.index : a.index > b.index));
    };
    const std::string text = std::string("takes the ") + (least_first ? "least" : "greatest") +
                             " index first where scores are equal";
    laws.push_back(in_order(text, by_index));
    if (row_of(insn.op).sorts) continue;
    laws.push_back(sorted_whole(text + ", also those of one queue", by_index));
    laws.back().general = text;
  }
  add_orders_of_queues(insn, laws);
  laws.push_back(in_order("compares indices in place of scores, the greatest first",
                          [](const SortRecord& a, const SortRecord& b) { return a.index > b.index; }));
  laws.push_back(in_order("compares indices in place of scores, the least first",
                          [](const SortRecord& a, const SortRecord& b) { return a.index < b.index; }));
}

/// Repeat r takes its indices, or scores, from record `step` * r on, counted over all repeats.
void read_with_step(SortCall& call, std::size_t step, bool of_index) {
  const SortCall own = call;
  for (std::size_t r = 0; r < call.repeats.size(); ++r)
    for (std::size_t n = 0; n < call.repeats[r].size(); ++n) {
      const std::size_t from = r * step + n, each = call.repeats[r].size();
      const SortRecord& other = own.repeats[from / each][from % each][0];
      SortRecord& record = call.repeats[r][n][0];
      if (of_index) {
        record.index = other.index;
      } else {
        record.score = other.score;
        record.value = other.value;
      }
    }
}

void add_sources_of_sort32(std::vector<SortLaw>& laws) {
  const auto first = std::ssize(laws);
  for (const std::size_t step : {0U, 1U, 8U, 16U})
    for (const bool of_index : {true, false}) {
      const std::string half = of_index ? "indices" : "scores";
      const std::string text = step == 0 ? "takes the " + half + " of repeat 0 in every repeat"
                                         : "reads the " + half + " of repeat r from number " +
                                               (step == 1 ? "" : std::to_string(step) + " * ") +
                                               "r on instead of 32 * r";
      laws.push_back(from_other_sources(text, [=](SortCall& call) { read_with_step(call, step, of_index); }));
    }
  std::for_each(laws.begin() + first, laws.end(), [](SortLaw& law) { law.of_places = true; });
  for (const std::size_t size : {8U, 16U})
    laws.push_back(
        of_each_repeat("sorts every " + std::to_string(size) + " records apart from the others",
                       [size](const std::vector<Queue>& queues) {
                         Queue all = in_a_row(queues);
                         for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(size))
                           std::stable_sort(at, at + static_cast<std::ptrdiff_t>(size), is_greater);
                         return all;
                       }));
  laws.push_back({"sorts the records of all repeats together", [](const SortCall& call) {
                    Queue all;
                    for (const auto& queues : call.repeats)
                      for (const SortRecord& record : in_a_row(queues)) all.push_back(record);
                    std::ranges::stable_sort(all, is_greater);
                    std::vector<Queue> left;
                    if (call.repeats.empty()) return left;
                    const std::size_t each = all.size() / call.repeats.size();
                    for (std::size_t r = 0; r < call.repeats.size(); ++r)
                      left.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(r * each),
                                        all.begin() + static_cast<std::ptrdiff_t>((r + 1) * each));
                    return left;
                  }});
}

/// A merge that goes on until a queue is empty: `only` this one if it is given. `rest`: the records behind it
/// follow in the order of the queues, else what dst holds stays. `at_once`: a queue that is empty at the
/// start ends it too.
Queue until_one_is_empty(const std::vector<Queue>& queues, bool rest, std::optional<std::size_t> only = {},
                         bool at_once = false) {
  std::vector<std::size_t> taken(queues.size());
  Queue records;
  const auto is_empty = [&](std::size_t q) { return taken[q] == queues[q].size(); };
  for (;;) {
    std::size_t best = 0;
    for (std::size_t q = 0; q < queues.size(); ++q) {
      if (is_empty(q) && (only ? *only == q : at_once || !queues[q].empty())) {
        for (std::size_t k = 0; k < queues.size(); ++k)
          for (; !is_empty(k); ++taken[k]) {
            records.push_back(queues[k][taken[k]]);
            records.back().is_kept = !rest;
          }
        return records;
      }
      if (!is_empty(q) && (is_empty(best) || is_greater(queues[q][taken[q]], queues[best][taken[best]])))
        best = q;
    }
    if (is_empty(best)) return records;
    records.push_back(queues[best][taken[best]++]);
  }
}

/// "merges queues 0..2 and queue 3 apart, and puts the second group behind the first": groups of queues that
/// follow each other.
void add_groups(std::size_t count, std::vector<SortLaw>& laws) {
  for (std::size_t first = 1; first < count; ++first) {
    if (count < 3) return;  // nothing is merged then
    const auto text = [](std::size_t from, std::size_t to) {
      return from + 1 == to ? "queue " + std::to_string(from)
                            : "queues " + std::to_string(from) + ".." + std::to_string(to - 1);
    };
    laws.push_back(of_each_repeat("merges " + text(0, first) + " and " + text(first, count) +
                                      " apart, and puts the second group behind the first",
                                  [first](const std::vector<Queue>& queues) {
                                    const auto end = queues.begin() + static_cast<std::ptrdiff_t>(first);
                                    return in_a_row({merged({queues.begin(), end}, is_greater),
                                                     merged({end, queues.end()}, is_greater)});
                                  }));
  }
}

/// Merges that end with one of their queues.
void add_ends(std::size_t count, std::vector<SortLaw>& laws) {
  for (const bool at_once : {false, true})
    for (const bool rest : {true, false}) {
      const std::string until = "merges until one of its queues is empty",
                        then = std::string("; ") +
                               (rest ? "the records behind it follow queue by queue"
                                     : "the places of the records that are left keep their old dst");
      SortLaw law = of_each_repeat(
          until + (at_once ? ", which one may be at the start" : "") + then,
          [=](const std::vector<Queue>& queues) { return until_one_is_empty(queues, rest, {}, at_once); });
      law.general = until + then;
      laws.push_back(std::move(law));
    }
  for (std::size_t last = 0; last < count; ++last)
    for (const bool rest : {true, false})
      laws.push_back(of_each_repeat(
          "merges until queue " + std::to_string(last) + " is empty; " +
              (rest ? "the records that are left follow queue by queue"
                    : "the places of the records that are left keep their old dst"),
          [rest, last](const std::vector<Queue>& queues) { return until_one_is_empty(queues, rest, last); }));
}

void add_queues(std::size_t count, std::vector<SortLaw>& laws) {
  laws.push_back(from_other_sources("writes nothing", [](SortCall& call) {
    for (auto& queues : call.repeats)
      for (Queue& queue : queues) queue.clear();
  }));
  laws.push_back(of_each_repeat("puts its queues one behind the other without merging them", in_a_row));
  laws.push_back(of_each_repeat("takes equal scores in reversed order, also those of one queue",
                                [](const std::vector<Queue>& queues) {
                                  Queue all = in_a_row(queues);
                                  std::ranges::reverse(all);
                                  std::ranges::stable_sort(all, is_greater);
                                  return all;
                                }));
  add_groups(count, laws);
  add_ends(count, laws);
  for (unsigned first = 1; first < count; ++first)
    laws.push_back(in_order("takes queue " + std::to_string(first) + " first where scores are equal",
                            [first](const SortRecord& a, const SortRecord& b) {
                              return a.value > b.value || (a.value == b.value && a.queue == first);
                            }));
  const std::string taken = ": the places behind the records that it takes keep their old dst";
  for (std::size_t lost = 0; lost < count; ++lost)
    laws.push_back(from_other_sources("takes no record of queue " + std::to_string(lost) + taken,
                                      [lost](SortCall& call) {
                                        for (auto& queues : call.repeats) queues[lost].clear();
                                      }));
  for (std::size_t lost = 0; lost <= count; ++lost)
    for (const bool is_last : {true, false})
      laws.push_back(
          from_other_sources(std::string("leaves out the ") + (is_last ? "last" : "first") + " record of " +
                                 (lost == count ? "each queue" : "queue " + std::to_string(lost)) + taken,
                             [=](SortCall& call) {
                               for (auto& queues : call.repeats)
                                 for (std::size_t q = 0; q < count; ++q)
                                   if ((lost == count || q == lost) && !queues[q].empty())
                                     queues[q].erase(is_last ? queues[q].end() - 1 : queues[q].begin());
                             }));
  if (count == 2)
    laws.push_back(from_other_sources(
        "takes no more records of a queue than the other one has" + taken, [](SortCall& call) {
          for (auto& queues : call.repeats) {
            const std::size_t least = std::min(queues[0].size(), queues[1].size());
            for (Queue& queue : queues) queue.resize(least);
          }
        }));
  laws.push_back(from_other_sources("takes the records of repeat 0 in every repeat", [](SortCall& call) {
    for (auto& queues : call.repeats) queues = call.repeats[0];
  }));
}

/// Merges as documented, of queues with other lengths.
void add_lengths(const Row& row, std::vector<SortLaw>& laws) {
  const auto add = [&](std::string text, void (*take)(Instruction&)) {
    laws.push_back(
        {std::move(text), [](const SortCall& call) { return merge_each(call, is_greater); }, take});
  };
  add("uses only the lowest 8 bits of the length of a queue", [](Instruction& insn) {
    for (std::uint32_t& length : insn.lengths) length &= 255;
  });
  if (row.lengths < 2) return;
  add("takes the length of each queue for that of the other one",
      [](Instruction& insn) { std::swap(insn.lengths[0], insn.lengths[1]); });
  add("takes the length of queue 0 for both queues",
      [](Instruction& insn) { insn.lengths[1] = insn.lengths[0]; });
  add("takes the length of queue 1 for both queues",
      [](Instruction& insn) { insn.lengths[0] = insn.lengths[1]; });
}

/// Records as documented, at other places of dst.
void add_places(const Instruction& insn, std::vector<SortLaw>& laws) {
  const auto add = [&](std::string text, std::uint32_t (*step)(const Instruction&)) {
    laws.push_back({std::move(text), documented_records, {}, step, true});
  };
  add("writes the records of each repeat over those of the repeat before",
      [](const Instruction&) { return 0U; });
  if (row_of(insn.op).lengths == 1)
    add("goes on in dst by the records of one queue from repeat to repeat, instead of by those of four",
        [](const Instruction& call) { return bytes_of_repeat(call) / 4; });
  add("goes on in dst by half of the records of a repeat, from repeat to repeat",
      [](const Instruction& call) { return bytes_of_repeat(call) / 2; });
  add("leaves the room of as many records free between its repeats in dst",
      [](const Instruction& call) { return 2 * bytes_of_repeat(call); });
}

}  // namespace

std::vector<Queue> documented_records(const SortCall& call) {
  return merge_each(call, is_greater);
}

std::vector<Queue> sorted_records(const SortCall& call) {
  std::vector<Queue> left;
  for (const auto& queues : call.repeats) left.push_back(all_sorted(queues, is_greater));
  return left;
}

std::vector<SortLaw> sort_laws(const Instruction& insn) {
  std::vector<SortLaw> laws;
  const Row& row = row_of(insn.op);
  add_orders(insn, laws);
  if (row.sorts)
    add_sources_of_sort32(laws);
  else
    add_queues(row.lengths == 2 ? 2 : 4, laws);
  if (row.has_repeat) add_places(insn, laws);
  if (row.lengths > 0) add_lengths(row, laws);
  if (row.lengths == 1) std::ranges::copy(queue_place_laws(), std::back_inserter(laws));
  std::ranges::copy(index_laws(), std::back_inserter(laws));
  std::ranges::copy(left_record_laws(row.sorts), std::back_inserter(laws));
  std::ranges::copy(short_cut_laws(row.sorts), std::back_inserter(laws));
  return laws;
}

}  // namespace lanecheck
