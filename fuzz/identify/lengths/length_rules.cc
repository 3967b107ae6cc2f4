#include "fuzz/identify/lengths/length_rules.h"

#include <algorithm>

#include "fuzz/identify/lengths/conditional_lengths.h"
#include "fuzz/identify/lengths/word_lengths.h"
#include "fuzz/identify/probes/narrower_type.h"

namespace lanecheck {

std::string elements(std::uint32_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

/// What the number of elements is called.
std::string name_of(MaskGiven given) {
  switch (given) {
    case MaskGiven::contiguous:
    case MaskGiven::length:
      return "the length n";
    case MaskGiven::words:
    case MaskGiven::total:
    case MaskGiven::count:
      break;
  }
  return "the count n";
}

namespace {

/// Makes rules in the words of one way of giving a number.
class Rules {
 public:
  Rules(const Subject& subject, MaskGiven given, const LengthMap& measured)
      : n_(name_of(given)),
        insn_(subject.insn),
        lanes_(measured.lanes),
        filled_(std::min(lanes_of(subject.insn), 128U)),
        block_(std::max(1u, lanes_of(subject.insn) / kRepeatBlocks)),
        size_(size_of(subject.insn.src_type)),
        width_(size_of(subject.insn.dst_type)),
        in_repeats_(is_count(given)),
        answers_(measured.answers) {
    for (const LengthAnswer& answer : answers_) {
      most_ = std::max(most_, answer.reach);
      least_ = std::min(least_, answer.reach);
    }
  }

  std::vector<LengthRule> take() {
    if (lanes_ > 64) add_shifts_by_64();
    add_repeat_times();
    add_repeat_bits();
    add_narrower_type();
    add_constants();
    add_shifts();
    for (unsigned bits = 1; bits <= 16; ++bits)
      add_prefix("uses only the lowest " + std::to_string(bits) + " bits of " + n_ + " (n mod " +
                     std::to_string(1u << bits) + ")",
                 [=](std::uint32_t n) { return n & ((1u << bits) - 1); });
    for (unsigned bit = 0; bit < 10; ++bit) {
      const std::string text = "bit " + std::to_string(bit) + " of " + n_;
      add_prefix("takes " + text + " as 0", [=](std::uint32_t n) { return n & ~(1u << bit); });
      add_prefix("takes " + text + " as 1", [=](std::uint32_t n) { return n | 1u << bit; });
    }
    add_one_number();
    if (lanes_ <= 64) add_shifts_by_64();  // a length of 64 fills the repeat: plainer rules may say it
    add_units();
    add_scales();
    add_ends();
    add_others();
    add_all(in_repeats_ ? words_of_last_repeat(lanes_) : word_lengths(n_, lanes_));
    return std::move(rules_);
  }

 private:
  /// The first `reach(n)` elements take part.
  template <class Reach>
  void add_prefix(std::string text, Reach reach) {
    rules_.push_back(
        {std::move(text), [reach](const LengthAnswer& of, std::uint32_t e) { return e < reach(of.length); }});
  }
  template <class Takes>
  void add(std::string text, Takes takes) {
    rules_.push_back(
        {std::move(text), [takes](const LengthAnswer& of, std::uint32_t e) { return takes(of.length, e); }});
  }

  void add_all(std::vector<LengthRule> rules) { std::ranges::move(rules, std::back_inserter(rules_)); }

  void add_shifts_by_64() {
    if (!in_repeats_) add_all(shifts_by_64(n_, lanes_));
  }

  /// The repeat times take part in it. Whether they do is known only if several were tried.
  void add_repeat_times() {
    if (std::ranges::all_of(answers_, [&](const auto& each) { return each.repeat == answers_[0].repeat; }))
      return;
    const auto add_rule = [&](std::string text, auto takes) {
      rules_.push_back({std::move(text), [takes, lanes = lanes_](const LengthAnswer& of, std::uint32_t e) {
                          return e < of.repeat * lanes && takes(of.length, e);
                        }});
    };
    add_rule("runs at most its repeat times, however large " + n_ + " is",
             [](std::uint32_t n, std::uint32_t e) { return e < n; });
    rules_.push_back({"runs at most its repeat times if they are more than 1, however large " + n_ + " is",
                      [lanes = lanes_](const LengthAnswer& of, std::uint32_t e) {
                        return e < of.length && (of.repeat == 1 || e < of.repeat * lanes);
                      }});
    add_rule("takes all elements of its repeat times, whatever " + n_ + " is",
             [](std::uint32_t, std::uint32_t) { return true; });
    add_rule("lets each repeat of its repeat times take the first n elements instead of all repeats together",
             [lanes = lanes_](std::uint32_t n, std::uint32_t e) { return e % lanes < n; });
    add_rule("reads " + n_ + " as the bits of a mask, and runs its repeat times",
             [lanes = lanes_](std::uint32_t n, std::uint32_t e) {
               return e % lanes < 32 && (n >> e % lanes & 1) != 0;
             });
  }

  /// One number alone is taken for another one.
  void add_one_number() {
    const auto is_wrong = [](const LengthAnswer& each) { return each.reach != each.length; };
    const auto wrong = std::ranges::find_if(answers_, is_wrong);
    if (wrong == answers_.end()) return;
    const std::uint32_t number = wrong->length, reach = wrong->reach;
    const auto of_others = [&](const LengthAnswer& each) { return is_wrong(each) && each.length != number; };
    const auto above = [&](const LengthAnswer& each) { return each.length > number; };
    const bool is_known = std::ranges::any_of(answers_, above) || (!in_repeats_ && number >= filled_);
    if (!is_known || std::ranges::any_of(answers_, of_others)) return;
    const std::string if_it_is = " if " + n_ + " is ";
    add_prefix("takes " + (reach == 0 ? "no element" : elements(reach)) + if_it_is + std::to_string(number),
               [=](std::uint32_t n) { return n == number ? reach : n; });
    rules_.back().general =
        std::string("takes ") + (reach == 0 ? "no element" : "other elements") + if_it_is + "one number";
  }

  /// The repeats that a count fills are counted in a field of few bits. The last of those that are left ends
  /// where the count ends, or is a full one.
  void add_repeat_bits() {
    if (!in_repeats_) return;
    for (unsigned bits = 3; bits <= 10; ++bits) {
      const std::string text = "keeps only the lowest " + std::to_string(bits) +
                               " bits of the number of repeats that " + n_ + " fills";
      const auto kept = [bits, lanes = lanes_](std::uint32_t n) {
        return (n + lanes - 1) / lanes & ((1u << bits) - 1);
      };
      add_prefix(text, [=, lanes = lanes_](std::uint32_t n) { return std::min(n, kept(n) * lanes); });
      add_prefix(text + ", and ends the last of them as the last of all",
                 [=, lanes = lanes_](std::uint32_t n) {
                   return kept(n) == 0 ? 0 : kept(n) * lanes - ((n + lanes - 1) / lanes * lanes - n);
                 });
    }
  }

  /// More lanes to a repeat than its wider type leaves room for: each repeat lies over the end of the one
  /// before.
  void add_narrower_type() {
    const std::uint32_t more = lanes_of_narrower_type(insn_);
    if (!in_repeats_ || size_ == width_ || more <= lanes_) return;
    add_prefix(counts_lanes_by_narrower_type(insn_), [=, lanes = lanes_](std::uint32_t n) {
      if (n <= more) return n;
      const std::uint32_t before = (n - 1) / more, last = n - before * more;
      return std::max((before - 1) * lanes + more, before * lanes + last);
    });
    rules_.back().key = kLanesByNarrowerTypeKey;
  }

  void add_constants() {
    const std::uint32_t most = most_;
    if (most == 0) add_prefix("takes no element, whatever " + n_ + " is", [](std::uint32_t) { return 0u; });
    add_prefix("takes " + elements(most) + ", whatever " + n_ + " is", [=](std::uint32_t) { return most; });
  }

  /// Some elements more or less, in all repeats together or within the last one.
  void add_shifts() {
    const auto whole = [lanes = lanes_](std::uint32_t n) { return (n + lanes - 1) / lanes * lanes; };
    for (const std::uint32_t by : {1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 32u}) {
      const std::string more = "takes " + elements(by) + " more than " + n_;
      if (in_repeats_) add_prefix(more, [=](std::uint32_t n) { return n + by; });
      add_prefix(more + ", except if n fills " + (in_repeats_ ? "the last repeat" : "the repeat"),
                 [=](std::uint32_t n) { return std::min(n + by, whole(n)); });
      add_prefix("takes " + elements(by) + " less than " + n_,
                 [=](std::uint32_t n) { return n > by ? n - by : 0; });
    }
  }

  /// The number in whole data blocks, repeats, words of the mask or powers of two.
  void add_units() {
    if (in_repeats_) add_unit(lanes_, "repeat");
    if (lanes_ > 64) add_unit(64, "word");
    add_unit(block_, "data block");
    for (const unsigned size : {2u, 4u, 8u, 16u, 32u}) add_unit(size, "group");
    for (unsigned size = 256; size >= 2; size /= 2)
      if (size != lanes_ || !in_repeats_) add_multiples_of(size);  // a repeat has rules of its own
  }

  void add_unit(std::uint32_t size, const std::string& unit) {
    const std::string whole = unit + "s of " + elements(size), last = "the last " + unit;
    const auto down = [=](std::uint32_t n) { return n / size * size; };
    add_prefix("takes whole " + whole + ": " + last + " takes part in full, also past " + n_,
               [=](std::uint32_t n) { return down(n + size - 1); });
    add_prefix("takes whole " + whole + " only: " + last + " is left out if " + n_ + " does not fill it",
               down);
    add_prefix(
        "takes whole " + whole + " only: a last " + unit + " that is not full is left out after a full one",
        [=](std::uint32_t n) { return n < size ? n : down(n); });
    add_prefix("takes whole " + whole + " only, and at least one: a last " + unit +
                   " that is not full is left out after a full one",
               [=](std::uint32_t n) { return std::max(size, down(n)); });
    add_prefix("takes whole " + whole + ", and one more if " + n_ + " fills " + last,
               [=](std::uint32_t n) { return down(n) + size; });
  }

  void add_multiples_of(std::uint32_t size) {
    const std::string multiple = " if " + n_ + " is a multiple of " + std::to_string(size);
    add_prefix("leaves out the last " + elements(size) + multiple,
               [=](std::uint32_t n) { return n % size == 0 ? n - size : n; });
    add_prefix("takes " + elements(size) + " more" + multiple,
               [=](std::uint32_t n) { return n % size == 0 ? n + size : n; });
    add_prefix("takes no element" + multiple, [=](std::uint32_t n) { return n % size == 0 ? 0 : n; });
  }

  /// More elements than are asked for, up to all of a repeat.
  void add_capped_scale(std::uint32_t by) {
    const std::string as_half = ", as if n counted elements of 16 bits";
    const bool of_half = by == std::max(size_, width_) / 2;
    add_prefix("takes " + std::to_string(by) + " times as many elements as " + n_ +
                   ", at most all of a repeat" + (of_half ? as_half : ""),
               [=, lanes = lanes_](std::uint32_t n) { return std::min(n * by, lanes); });
    if (of_half) rules_.back().general = "takes more elements" + as_half;
  }

  /// The number as one of another unit, such as bytes.
  void add_scales() {
    for (const std::uint32_t by : {2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
      const std::string text = std::to_string(by);
      std::string as_unit;
      if (by == lanes_ && in_repeats_) as_unit = ", as if n counted repeats";
      if (by == block_) as_unit = ", as if n counted data blocks";
      add_prefix("takes " + text + " times as many elements as " + n_ + as_unit,
                 [=](std::uint32_t n) { return n * by; });
      if (!in_repeats_) add_capped_scale(by);
      const std::string as_bytes = by == size_ ? ", as if n counted bytes" : "";
      add_prefix("takes n / " + text + " elements (rounded down) instead of n" + as_bytes,
                 [=](std::uint32_t n) { return n / by; });
      add_prefix("takes n / " + text + " elements (rounded up) instead of n" + as_bytes,
                 [=](std::uint32_t n) { return (n + by - 1) / by; });
    }
  }

  /// Wrong for small or for large numbers only.
  void add_ends() {
    const std::uint32_t most = most_, least = least_;
    std::string limit = "stops after " + elements(most);
    if (in_repeats_ && most % lanes_ == 0)
      limit = "stops after " + std::to_string(most / lanes_) + (most == lanes_ ? " repeat" : " repeats") +
              " of " + elements(lanes_);
    add_prefix(limit + ", however large " + n_ + " is", [=](std::uint32_t n) { return std::min(n, most); });
    add_prefix("takes at least " + elements(least) + ", however small " + n_ + " is",
               [=](std::uint32_t n) { return std::max(n, least); });
    const std::uint32_t longest = std::ranges::max(answers_, {}, &LengthAnswer::length).length;
    for (std::size_t k = 1; k < answers_.size(); ++k) {
      const std::uint32_t from = answers_[k].length;
      if (answers_[k - 1].length + 1 != from) continue;  // it is not known where the right ones end
      const std::uint32_t large = answers_[k].reach, small = answers_[k - 1].reach;
      add_prefix("takes " + (large == 0 ? "no element" : elements(large)) + " if " + n_ + " is " +
                     std::to_string(from) + (from == longest ? "" : " or more"),
                 [=](std::uint32_t n) { return n >= from ? large : n; });
      add_prefix("takes " + (small == 0 ? "no element" : elements(small)) + " if " + n_ + " is " +
                     std::to_string(from - 1) + (from == 2 ? "" : " or less"),
                 [=](std::uint32_t n) { return n < from ? small : n; });
    }
  }

  /// Other elements than the first ones.
  void add_others() {
    const std::uint32_t lanes = lanes_;
    const std::string instead = " instead of the first n";
    const auto rest = [lanes](std::uint32_t n) { return (n - 1) % lanes + 1; };  // in the last repeat
    const auto before = [=](std::uint32_t n) { return n - rest(n); };
    const std::string where = in_repeats_ ? " of the last repeat" : " of the repeat";
    const std::string one_bit = ", as if one bit stood for all bits below it";
    const std::string of_high =
        " if " + n_ + " is 65 to " + std::to_string(lanes - 1);  // 128 are a full mask
    const auto bit_of_high = [lanes](std::uint32_t n, std::uint32_t e) {
      return n <= 64 || n >= lanes ? e < n : e < 64 || e == n;
    };
    if (!in_repeats_ && lanes > 64)
      add("takes elements 0..63 and element n" + of_high + one_bit, bit_of_high);
    if (!in_repeats_ && lanes > 64)
      add("takes elements 0..63 and of those behind them the last one alone" + of_high,
          [lanes](std::uint32_t n, std::uint32_t e) {
            return n <= 64 || n >= lanes ? e < n : e < 64 || e + 1 == n;
          });
    if (!in_repeats_)
      add("takes element n alone if " + n_ + " is less than " + std::to_string(lanes) + "," + instead +
              one_bit,
          [lanes](std::uint32_t n, std::uint32_t e) { return n >= lanes ? e < n : e == n; });
    add("lets each repeat take the first n elements instead of all repeats together",
        [=](std::uint32_t n, std::uint32_t e) {
          return e < before(n) + lanes && e % lanes < std::min(n, lanes);
        });
    add("reads " + n_ + " as the bits of a mask" +
            (in_repeats_ ? ", in each repeat that n elements fill" : ""),
        [=](std::uint32_t n, std::uint32_t e) {
          return e < before(n) + lanes && e % lanes < 32 && (n >> e % lanes & 1) != 0;
        });
    if (in_repeats_)
      add("fills the last repeat, and lets the first one take what is left" + instead,
          [=](std::uint32_t n, std::uint32_t e) {
            return e < before(n) + lanes && (e >= lanes || e < rest(n));
          });
    add("takes the last elements" + where + instead, [=](std::uint32_t n, std::uint32_t e) {
      return e < before(n) || (e < before(n) + lanes && e >= before(n) + lanes - rest(n));
    });
    add("takes all elements" + where + " except the first n" + instead,
        [=](std::uint32_t n, std::uint32_t e) { return e < before(n) || (e < before(n) + lanes && e >= n); });
    for (const std::uint32_t by : {1u, 2u, 8u, 16u, 32u, 64u}) {
      add("leaves out the first " + elements(by),
          [=](std::uint32_t n, std::uint32_t e) { return e >= by && e < n; });
      add("takes n elements from element " + std::to_string(by) + " on" + instead,
          [=](std::uint32_t n, std::uint32_t e) { return e >= by && e < n + by && e < before(n) + lanes; });
    }
    if (lanes_ <= 64) return;
    add("leaves out the first 64 elements of a repeat if " + n_ + " reaches past them",
        [=](std::uint32_t n, std::uint32_t e) {
          return e < n && (e % lanes >= 64 || n - e / lanes * lanes <= 64);
        });
    add("exchanges the words of the mask: it takes lane L of a repeat if n reaches lane L xor 64",
        [=](std::uint32_t n, std::uint32_t e) { return (e ^ 64u) < n; });
  }

  std::string n_;
  Instruction insn_;
  std::uint32_t lanes_, filled_;        ///< `filled_`: by the longest length of a repeat
  std::uint32_t block_, size_, width_;  ///< bytes of an element of src, and of dst
  bool in_repeats_;
  std::vector<LengthAnswer> answers_;
  std::uint32_t most_ = 0, least_ = ~0u;
  std::vector<LengthRule> rules_;
};

}  // namespace

std::vector<LengthRule> length_rules(const Subject& subject, MaskGiven given, const LengthMap& measured) {
  std::vector<LengthRule> rules = Rules(subject, given, measured).take();
  for (LengthRule& rule : conditional_lengths(subject, given, measured)) rules.push_back(std::move(rule));
  return rules;
}

}  // namespace lanecheck
