// What a call of gather_mask gives under a law, and the laws of the count that it returns.
#include <algorithm>
#include <limits>
#include <numeric>

#include "fuzz/identify/gather_mask/gather_mask_laws.h"
#include "fuzz/identify/probes/byte_order.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

bool is_kept(const GatherCall& call, const Instruction& insn, const GatherLaw& law, const GatherElement& e) {
  bool kept = false;
  if (call.is_user()) {
    const std::uint64_t bit = law.bit ? law.bit(insn, e) : 8 * e.repeat * repeat_step(insn, 2) + e.element;
    kept = call.pattern(static_cast<std::int32_t>(bit));
  } else {
    kept = is_chosen(setting(insn, "pattern"), law.index ? law.index(e) : e.element);
  }
  return law.keeps ? law.keeps(call, e, kept) : kept;
}

/// How many repeats there are, and how many elements one of them looks at, if a whole one has `whole`.
struct Repeats {
  const ResolvedInstruction& here;
  unsigned whole;

  bool is_limited() const { return here.total != kNoTotal; }
  std::uint64_t count() const {
    if (whole == 0 || !is_limited()) return here.insn.repeat;
    return (here.total + whole - 1) / whole;
  }
  unsigned looked_at(unsigned repeat) const {
    if (whole == 0) return lanes_in(here, repeat);
    if (!is_limited()) return whole;
    return static_cast<unsigned>(std::min<std::uint64_t>(whole, here.total - std::uint64_t{repeat} * whole));
  }
};

/// Executes one call; `places` is dst, of which `place` is the first element that it writes.
GatherTrace execute_call(const GatherCall& call, const GatherLaw& law, std::vector<std::int32_t>& places,
                         std::uint64_t place = 0) {
  Instruction insn = call.insn();
  if (law.executed) law.executed(insn);
  Readings readings = default_readings(call.subject.profile);
  if (law.readings) law.readings(readings);
  ResolvedInstruction here = resolve(insn, MaskBits{}, readings);
  if (law.resolved) law.resolved(call, here);
  const Repeats repeats{here, law.whole};
  GatherTrace trace;
  trace.size = size_of(insn.dst_type);
  std::uint64_t before = 0;
  for (unsigned repeat = 0; repeat < repeats.count(); ++repeat) {
    const unsigned looked_at = repeats.looked_at(repeat);
    const std::uint64_t first = place;
    for (unsigned n = 0; n < looked_at; ++n) {
      const GatherElement e{repeat, n, looked_at, before};
      if (!is_kept(call, insn, law, e)) continue;
      const std::uint64_t from = law.source ? law.source(insn, e) : lane_offset(insn, 1, repeat, n);
      const std::uint64_t at = law.place ? law.place(place) : place;
      if (at < places.size())
        places[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(from / trace.size);
      ++place;
    }
    before += looked_at;
    trace.kept.push_back(place - first);
    trace.looked_at.push_back(looked_at);
    trace.end = std::max(trace.end, place);
    if (law.ends_if_nothing_is_kept && place == first) break;
    if (law.next) place = law.next(insn, repeat, place, trace);
  }
  return trace;
}

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

std::uint64_t with_low_bytes(std::uint64_t old, std::uint64_t count, unsigned bytes) {
  const std::uint64_t low = ~std::uint64_t{0} >> (64 - 8 * bytes);
  return (old & ~low) | (count & low);
}

/// The count is right, but not as it stands in memory.
void add_written_bytes(std::vector<CountLaw>& laws) {
  for (const unsigned bytes : {4u, 2u, 1u})
    laws.push_back({"writes only the lowest " + (bytes == 1 ? "byte" : std::to_string(bytes) + " bytes") +
                        " of its count; the upper " + std::to_string(8 - bytes) + " keep their old values",
                    [bytes](const GatherTrace& t) { return with_low_bytes(t.old, t.count(), bytes); }});
  laws.push_back({"does not write its count", [](const GatherTrace& t) { return t.old; }});
  laws.push_back(
      {"adds its count to what stands there", [](const GatherTrace& t) { return t.old + t.count(); }});
  laws.push_back({"writes the bytes of its count in reverse order",
                  [](const GatherTrace& t) { return reversed_bytes(t.count()); }});
  laws.push_back(
      {"writes its count into the upper 4 bytes", [](const GatherTrace& t) { return t.count() << 32; }});
  laws.push_back({"writes its count twice, as two numbers of 4 bytes",
                  [](const GatherTrace& t) { return t.count() << 32 | t.count(); }});
  laws.push_back({"returns a count of 8 bits: at most 255",
                  [](const GatherTrace& t) { return std::min<std::uint64_t>(t.count(), 255); }});
  laws.push_back(
      {"returns the lowest 8 bits of the count", [](const GatherTrace& t) { return t.count() & 255; }});
}

/// Something else is counted.
void add_counted(std::vector<CountLaw>& laws) {
  const std::string instead = " instead of that of elements";
  laws.push_back({"returns the number of bytes that it keeps" + instead,
                  [](const GatherTrace& t) { return t.count() * t.size; }});
  laws.push_back({"returns the number of bits that it keeps" + instead,
                  [](const GatherTrace& t) { return t.count() * t.size * 8; }});
  laws.push_back({"returns the number of data blocks that it keeps" + instead,
                  [](const GatherTrace& t) { return (t.count() * t.size + kBlockBytes - 1) / kBlockBytes; }});
  laws.push_back({"returns 0 as its count", [](const GatherTrace&) { return std::uint64_t{0}; }});
  laws.push_back({"returns the count of its last repeat only",
                  [](const GatherTrace& t) { return t.kept.empty() ? 0 : t.kept.back(); }});
  laws.push_back({"returns the count of its first repeat only",
                  [](const GatherTrace& t) { return t.kept.empty() ? 0 : t.kept.front(); }});
  laws.push_back({"leaves its last repeat out of the count",
                  [](const GatherTrace& t) { return t.kept.empty() ? 0 : t.count() - t.kept.back(); }});
  laws.push_back({"counts all elements that it looks at instead of those that it keeps",
                  [](const GatherTrace& t) { return sum(t.looked_at); }});
  laws.push_back({"counts the elements that it does not keep",
                  [](const GatherTrace& t) { return sum(t.looked_at) - t.count(); }});
  laws.push_back({"returns the number of its repeats",
                  [](const GatherTrace& t) { return static_cast<std::uint64_t>(t.kept.size()); }});
  laws.push_back(
      {"counts one element more than it keeps", [](const GatherTrace& t) { return t.count() + 1; }});
  laws.push_back(
      {"counts one element less than it keeps", [](const GatherTrace& t) { return t.count() - 1; }});
  laws.push_back({"counts all elements of dst up to the last one that it writes",
                  [](const GatherTrace& t) { return t.end; }});
  laws.push_back({"adds the count of an earlier gather_mask to its own",
                  [](const GatherTrace& t) { return t.earlier.value_or(0) + t.count(); }, true});
  laws.push_back({"returns the count of an earlier gather_mask",
                  [](const GatherTrace& t) { return t.earlier.value_or(t.count()); }, true});
}

}  // namespace

std::uint64_t GatherTrace::count() const {
  return sum(kept);
}

bool is_chosen(unsigned pattern, std::uint64_t element) {
  if (pattern == 7) return true;
  return pattern <= 2 ? element % 2 == pattern - 1 : element % 4 == pattern - 3;
}

std::vector<CountLaw> count_laws() {
  std::vector<CountLaw> laws;
  add_written_bytes(laws);
  add_counted(laws);
  return laws;
}

Gathered predict(const GatherCall& call, const GatherLaw* law, const CountLaw* count) {
  const GatherLaw documented;
  const GatherLaw& followed = law ? *law : documented;
  const auto returned = [&](const GatherTrace& trace) {
    return count ? count->returned(trace) : trace.count();
  };
  Gathered predicted;
  predicted.places.assign(places_of_dst(call), kKept);
  std::optional<std::uint64_t> earlier;
  std::uint64_t kept_earlier = 0;
  if (call.earlier_repeat > 0) {
    GatherCall first = call;
    first.subject.insn.repeat = call.earlier_repeat;
    first.earlier_repeat = 0;
    const GatherTrace trace = execute_call(first, followed, predicted.places);
    earlier = returned(trace);
    kept_earlier = trace.count();
  }
  GatherTrace trace =
      execute_call(call, followed, predicted.places, followed.goes_on_behind_earlier ? kept_earlier : 0);
  trace.old = earlier.value_or(kOldCount);
  trace.earlier = earlier;
  predicted.returned = returned(trace);
  return predicted;
}

}  // namespace lanecheck
