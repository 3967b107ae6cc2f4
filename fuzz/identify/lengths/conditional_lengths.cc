#include "fuzz/identify/lengths/conditional_lengths.h"

#include <algorithm>

namespace lanecheck {
namespace {

using Number = std::uint32_t;

/// A choice of numbers n.
struct Condition {
  std::string text;  ///< " if the count n is even"; empty: for every number
  std::function<bool(Number n)> holds;
};

/// What happens for a number n.
struct Effect {
  std::string text;
  std::function<bool(Number n, Number element)> takes;
  bool of_all = false;    ///< only worth a try for all numbers
  std::string general{};  ///< the text for types with another number of lanes; empty: the same
};

/// What both parts are about.
struct Numbers {
  std::string n;
  Number lanes, block;
  bool in_repeats;

  /// How many elements the last repeat has.
  Number rest(Number n_) const { return (n_ - 1) % lanes + 1; }
  /// How many elements come before the last repeat.
  Number before(Number n_) const { return n_ - rest(n_); }
};

constexpr Number kUnits[] = {256, 128, 64, 32, 16, 8, 4, 2};

class Conditions {
 public:
  Conditions(const Numbers& numbers, const LengthMap& measured) : numbers_(numbers), n_(numbers.n) {
    add("", [](Number) { return true; });
    if (numbers_.in_repeats) {
      add_last_repeats();
      add_multiples_of(numbers_.lanes, " (the elements of a repeat)");
    }
    add_ends(measured);
    for (const Number unit : kUnits)
      if (unit != numbers_.lanes || !numbers_.in_repeats) add_multiples_of(unit, "");
    for (unsigned bit = 1; bit < 10; ++bit)
      for (const unsigned is : {1u, 0u})
        add(" if bit " + std::to_string(bit) + " of " + n_ + " is " + std::to_string(is),
            [=](Number n) { return (n >> bit & 1) == is; });
  }

  std::vector<Condition> take() { return std::move(conditions_); }

 private:
  void add(std::string text, std::function<bool(Number)> holds) {
    conditions_.push_back({std::move(text), std::move(holds)});
  }

  void add_multiples_of(Number unit, const std::string& about) {
    const std::string size = std::to_string(unit), above = " and is above " + size;
    const std::string multiple = " if " + n_ + " is a multiple of " + size + about;
    const std::string other = " if " + n_ + " is not a multiple of " + size + about;
    add(multiple, [=](Number n) { return n % unit == 0; });
    add(multiple + above, [=](Number n) { return n % unit == 0 && n > unit; });
    add(other, [=](Number n) { return n % unit != 0; });
    add(other + above, [=](Number n) { return n % unit != 0 && n > unit; });
  }

  void add_last_repeats() {
    const Numbers& by = numbers_;
    const std::string lanes = std::to_string(by.lanes);
    add(" if the last repeat is not full", [=](Number n) { return n % by.lanes != 0; });
    add(" if the last repeat is not full and has more than 1 element",
        [=](Number n) { return n % by.lanes > 1; });
    add(" if the last repeat is not full and not the first one",
        [=](Number n) { return n % by.lanes != 0 && n > by.lanes; });
    add(" if " + n_ + " needs more than one repeat", [=](Number n) { return n > by.lanes; });
    add(" if " + n_ + " needs one repeat", [=](Number n) { return n <= by.lanes; });
    add(" if " + n_ + " needs more than two repeats", [=](Number n) { return n > 2 * by.lanes; });
    add(" if " + n_ + " does not fill the first repeat", [=](Number n) { return n < by.lanes; });
    add(" if " + n_ + " needs an even number of repeats",
        [=](Number n) { return (n - 1) / by.lanes % 2 == 1; });
    add(" if " + n_ + " needs an odd number of repeats",
        [=](Number n) { return (n - 1) / by.lanes % 2 == 0; });
    for (const Number part : {by.lanes / 2, by.block, 1u}) {
      const std::string size = elements(part);
      add(" if the last repeat has exactly " + size, [=](Number n) { return by.rest(n) == part; });
      add(" if the last repeat has at most " + size, [=](Number n) { return by.rest(n) <= part; });
      add(" if the last repeat has more than " + size, [=](Number n) { return by.rest(n) > part; });
      add(" if the last repeat has less than " + size, [=](Number n) { return by.rest(n) < part; });
      add(" if the last repeat has at most " + size + " and is not the first one",
          [=](Number n) { return by.rest(n) <= part && n > by.lanes; });
    }
  }

  /// From the first wrong number on, or up to the last one.
  void add_ends(const LengthMap& measured) {
    const auto& answers = measured.answers;
    for (std::size_t k = 1; k < answers.size(); ++k) {
      const Number from = answers[k].length;
      if (answers[k - 1].length + 1 != from) continue;  // it is not known where the right ones end
      add(" if " + n_ + " is " + std::to_string(from) + " or more", [=](Number n) { return n >= from; });
      add(" if " + n_ + " is " + std::to_string(from - 1) + " or less", [=](Number n) { return n < from; });
    }
  }

  const Numbers& numbers_;
  std::string n_;
  std::vector<Condition> conditions_;
};

class Effects {
 public:
  explicit Effects(const Numbers& numbers) : by_(numbers) {
    if (by_.in_repeats) {
      add_repeats();
      of_all_ = true;
      for (const Number size : {8u, 16u, 32u, 64u, 128u, 256u, 512u})
        if (size != by_.lanes) add_other_repeats(size);
      of_all_ = false;
    }
    add_shifts();
    if (by_.in_repeats) add_tails();
    add_prefix("takes no element", [](Number) { return 0u; });
    for (const Number count : {1u, by_.block, 64u, 128u, by_.lanes})
      add_prefix("takes " + elements(count), [=](Number) { return count; });
    for (const Number unit : kUnits) {
      const std::string size = std::to_string(unit);
      add_prefix("rounds n down to a multiple of " + size, [=](Number n) { return n / unit * unit; });
      add_prefix("rounds n up to a multiple of " + size,
                 [=](Number n) { return (n + unit - 1) / unit * unit; });
      add_prefix("takes n mod " + size + " elements", [=](Number n) { return n % unit; });
      add_prefix("takes n / " + size + " elements (rounded down)", [=](Number n) { return n / unit; });
    }
  }

  std::vector<Effect> take() { return std::move(effects_); }

 private:
  void add(std::string text, std::function<bool(Number, Number)> takes) {
    effects_.push_back({std::move(text), std::move(takes), of_all_});
  }
  template <class Reach>
  void add_prefix(std::string text, Reach reach) {
    add(std::move(text), [reach](Number n, Number e) { return e < reach(n); });
  }

  void add_repeats() {
    const Numbers by = by_;
    add_prefix("leaves out the last repeat", [=](Number n) { return by.before(n); });
    add_prefix("takes the last repeat in full", [=](Number n) { return by.before(n) + by.lanes; });
    add_prefix("takes one repeat more", [=](Number n) { return n + by.lanes; });
    add_prefix("takes the first repeat only", [=](Number n) { return std::min(n, by.lanes); });
    add("takes the last repeat only", [=](Number n, Number e) { return e >= by.before(n) && e < n; });
    add("leaves out the first repeat", [=](Number n, Number e) { return e >= by.lanes && e < n; });
    add("leaves out the last repeat but one",
        [=](Number n, Number e) { return e < n && (e >= by.before(n) || e + by.lanes < by.before(n)); });
    add("lets each repeat take as many elements as the last one",
        [=](Number n, Number e) { return e < n && e % by.lanes < by.rest(n); });
  }

  /// As if a repeat had `size` elements, where the number is cut into repeats.
  void add_other_repeats(Number size) {
    const Numbers by = by_;
    const std::string instead =
        std::to_string(size) + " elements for each repeat instead of " + std::to_string(by.lanes);
    const auto left = [=](Number n, Number e) { return n - std::min(n, e / by.lanes * size); };
    add("subtracts " + instead + ": repeat r (from 0) takes its first n - " + std::to_string(size) + " r",
        [=](Number n, Number e) { return e < by.before(n) + by.lanes && e % by.lanes < left(n, e); });
    add("counts " + instead + ": repeat r (from 0) takes at most " + std::to_string(size) + " of the n - " +
            std::to_string(size) + " r that are left",
        [=](Number n, Number e) { return e % by.lanes < std::min(size, left(n, e)); });
    add("counts " + instead + ", and runs until n - " + std::to_string(size) + " r is 0 (r from 0)",
        [=](Number n, Number e) { return e % by.lanes < left(n, e); });
    add_prefix(
        "counts " + instead + ", so it ends after n / " + std::to_string(size) + " repeats (rounded up)",
        [=](Number n) { return std::min(n, (n + size - 1) / size * by.lanes); });
    if (size > by.lanes)
      effects_.back().general = "counts " + std::to_string(size / by.lanes) +
                                " times the elements of a repeat for each repeat, so it ends too early";
    add_prefix("takes n mod " + std::to_string(size) + " elements of the last repeat",
               [=](Number n) { return by.before(n) + std::min(by.lanes, n % size); });
    add_prefix(
        "takes n mod " + std::to_string(size) + " elements of the last repeat (all if that is 0)",
        [=](Number n) { return by.before(n) + (n % size == 0 ? by.lanes : std::min(by.lanes, n % size)); });
  }

  void add_shifts() {
    const Numbers by = by_;
    for (const Number count : {1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 31u, 32u, 63u, 64u, 127u, 128u}) {
      add_prefix(count == 1 ? "leaves out the last element" : "leaves out the last " + elements(count),
                 [=](Number n) { return n - std::min(n, count); });
      add_prefix("takes " + elements(count) + " more", [=](Number n) { return n + count; });
      add_prefix("takes " + elements(count) + " more, up to the end of the last repeat",
                 [=](Number n) { return std::min(n + count, by.before(n) + by.lanes); });
      add(count == 1 ? "leaves out the first element" : "leaves out the first " + elements(count),
          [=](Number n, Number e) { return e >= count && e < n; });
    }
  }

  /// Another number of elements in the last repeat.
  void add_tails() {
    const Numbers by = by_;
    const auto add_tail = [&](const std::string& text, std::function<Number(Number)> tail) {
      add_prefix(text + " of the last repeat", [=](Number n) { return by.before(n) + tail(by.rest(n)); });
    };
    add_tail("takes half of the elements (rounded down)", [](Number rest) { return rest / 2; });
    add_tail("takes half of the elements (rounded up)", [](Number rest) { return (rest + 1) / 2; });
    add_tail("takes twice as many elements", [=](Number rest) { return std::min(2 * rest, by.lanes); });
    add_tail("takes " + std::to_string(by.lanes) + " - m instead of m elements",
             [=](Number rest) { return by.lanes - rest; });
    for (const Number count : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
      if (count > by.lanes) continue;
      const std::string size = elements(count);
      add_tail("takes " + size, [=](Number) { return count; });
      add_tail("takes at most " + size, [=](Number rest) { return std::min(rest, count); });
      add_tail("takes at least " + size, [=](Number rest) { return std::max(rest, count); });
      if (count < by.lanes)
        add_tail("takes m mod " + std::to_string(count) + " instead of m elements",
                 [=](Number rest) { return rest % count; });
    }
    add("takes the last elements instead of the first ones of the last repeat", [=](Number n, Number e) {
      const Number end = by.before(n) + by.lanes;
      return e < by.before(n) || (e < end && e >= end - by.rest(n));
    });
  }

  const Numbers& by_;
  bool of_all_ = false;
  std::vector<Effect> effects_;
};

/// Do exactly the first n elements take part?
bool takes_first_ones(const LengthAnswer& answer) {
  const auto first_ones = std::ranges::count(answer.written, true);
  return answer.reach == answer.length && (answer.written.empty() || first_ones == answer.reach);
}

}  // namespace

std::vector<LengthRule> conditional_lengths(const Subject& subject, MaskGiven given,
                                            const LengthMap& measured) {
  const Numbers numbers{name_of(given), measured.lanes, std::max(1u, lanes_of(subject.insn) / kRepeatBlocks),
                        is_count(given)};
  const auto effects = Effects(numbers).take();
  std::vector<LengthRule> rules;
  for (const Condition& condition : Conditions(numbers, measured).take()) {
    const bool leaves_out_wrong = std::ranges::any_of(measured.answers, [&](const LengthAnswer& each) {
      return !takes_first_ones(each) && !condition.holds(each.length);
    });
    if (leaves_out_wrong) continue;
    for (const Effect& effect : effects) {
      if (effect.of_all && !condition.text.empty()) continue;
      rules.push_back({effect.text + condition.text, [holds = condition.holds, takes = effect.takes](
                                                         const LengthAnswer& of, std::uint32_t e) {
                         return holds(of.length) ? takes(of.length, e) : e < of.length;
                       }});
      if (!effect.general.empty()) rules.back().general = effect.general + condition.text;
    }
  }
  return rules;
}

}  // namespace lanecheck
