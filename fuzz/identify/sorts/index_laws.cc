#include "fuzz/identify/sorts/index_laws.h"

#include <algorithm>
#include <cmath>

namespace lanecheck {
namespace {

/// The records of dst are others. change(record, place in dst, repeat, the repeat's records in the sources)
template <class Change>
SortLaw with_other_records(std::string text, Change change) {
  return {std::move(text), [change](const SortCall& call) {
            auto left = documented_records(call);
            for (std::size_t r = 0; r < left.size(); ++r) {
              const Queue sources = in_a_row(call.repeats[r]);
              for (std::size_t n = 0; n < left[r].size(); ++n) change(left[r][n], n, r, sources);
            }
            return left;
          }};
}

/// Some bits of each index are lost, or it grows with the repeats.
void add_changed_indices(std::vector<SortLaw>& laws) {
  for (const unsigned bits : {8U, 16U, 24U})
    laws.push_back(with_other_records(
        "keeps only the lowest " + std::to_string(bits) + " bits of each index; the others are 0",
        [bits](SortRecord& record, std::size_t, std::size_t, const Queue&) {
          record.index &= (1U << bits) - 1;
        }));
  for (const unsigned step : {1U, 32U})
    laws.push_back(with_other_records(
        "adds " + (step == 1 ? std::string() : std::to_string(step) + " * ") + "r to each index in repeat r",
        [step](SortRecord& record, std::size_t, std::size_t repeat, const Queue&) {
          record.index += step * static_cast<std::uint32_t>(repeat);
        }));
}

/// The score decides about the index: one is found by its score, or the sign of one runs into the other.
void add_indices_by_score(std::vector<SortLaw>& laws) {
  for (const bool is_first : {true, false})
    laws.push_back(with_other_records(
        std::string("writes the ") + (is_first ? "first" : "last") +
            " record of a score, in the order of the sources, in place of each record of this score",
        [is_first](SortRecord& record, std::size_t, std::size_t, const Queue& sources) {
          const auto has_score = [&](const SortRecord& each) { return each.value == record.value; };
          const auto found =
              is_first ? std::ranges::find_if(sources, has_score)
                       : std::ranges::find_if(sources.rbegin(), sources.rend(), has_score).base() - 1;
          record = *found;
        }));
  laws.push_back(with_other_records(
      "writes 0xffffffff in place of the index of each record whose score has the sign bit",
      [](SortRecord& record, std::size_t, std::size_t, const Queue&) {
        if (std::signbit(record.value)) record.index = ~std::uint32_t{0};
      }));
}

}  // namespace

std::vector<SortLaw> index_laws() {
  std::vector<SortLaw> laws;
  laws.push_back(with_other_records("moves scores alone: indices stay where they are",
                                    [](SortRecord& record, std::size_t n, std::size_t, const Queue& sources) {
                                      record.index = sources[n].index;
                                    }));
  laws.push_back(with_other_records("moves indices alone: scores stay where they are",
                                    [](SortRecord& record, std::size_t n, std::size_t, const Queue& sources) {
                                      record.score = sources[n].score;
                                    }));
  laws.push_back(with_other_records(
      "writes 0 in place of each index",
      [](SortRecord& record, std::size_t, std::size_t, const Queue&) { record.index = 0; }));
  laws.push_back(with_other_records("writes the place of a record in dst in place of its index",
                                    [](SortRecord& record, std::size_t n, std::size_t, const Queue&) {
                                      record.index = static_cast<std::uint32_t>(n);
                                    }));
  for (const bool of_all : {false, true})
    laws.push_back(with_other_records(
        std::string("writes the place of a record in the source") +
            (of_all ? ", counted over all repeats," : "") + " in place of its index",
        [of_all](SortRecord& record, std::size_t, std::size_t repeat, const Queue& sources) {
          const auto from = std::ranges::find(sources, record.index, &SortRecord::index) - sources.begin();
          record.index = static_cast<std::uint32_t>(from) +
                         (of_all ? static_cast<std::uint32_t>(repeat * sources.size()) : 0);
        }));
  laws.push_back(with_other_records("writes the bits of its score in place of each index",
                                    [](SortRecord& record, std::size_t, std::size_t, const Queue&) {
                                      record.index = static_cast<std::uint32_t>(record.score);
                                    }));
  for (const bool more : {true, false})
    laws.push_back(with_other_records(std::string(more ? "adds 1 to" : "subtracts 1 from") + " each index",
                                      [more](SortRecord& record, std::size_t, std::size_t, const Queue&) {
                                        record.index += more ? 1 : ~std::uint32_t{0};
                                      }));
  for (const bool before : {true, false})
    laws.push_back({std::string("writes the index of the record ") + (before ? "before" : "behind") +
                        " it in dst in place of its own, and of the " + (before ? "last" : "first") +
                        " one for the " + (before ? "first" : "last"),
                    [before](const SortCall& call) {
                      auto left = documented_records(call);
                      for (Queue& records : left) {
                        const Queue own = records;
                        const std::size_t step = before ? own.size() - 1 : 1;
                        for (std::size_t n = 0; n < own.size(); ++n)
                          records[n].index = own[(n + step) % own.size()].index;
                      }
                      return left;
                    }});
  add_changed_indices(laws);
  add_indices_by_score(laws);
  return laws;
}

}  // namespace lanecheck
