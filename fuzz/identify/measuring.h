// One identification on its way: what was measured so far, and how it differs from the documents.
#pragma once

#include "fuzz/identify/difference_list.h"
#include "fuzz/identify/identify.h"

namespace lanecheck {

/// What is asked after a shape that differs: the one with most repeats, nothing, or the one with most repeats
/// if the difference is one of some repeats only.
enum class After : std::uint8_t { most_repeats, nothing, which_repeats };

/// Each function asks for more maps, as far as those before leave a question open.
class Measuring {
 public:
  Measuring(const Ask& ask, Shown shown, After after) : ask_(ask), shown_(shown), after_(after) {}
  /// The shapes, up to the first one that differs, and what comes after it.
  void shapes(const std::vector<Shape>& shapes);

  /// A reset_mask that sometimes has no effect.
  void reset(const Subject& subject);

  /// What an instruction leaves in the mask register, and whether its own mask is all that counts.
  void registers(const Shape& shape);

  /// What it does with source `k` in place, if it does nothing wrong where its operands lie apart.
  void in_place(const std::vector<Shape>& shapes, unsigned k);

  /// Operands that lie far behind the start of UB.
  void far_operands(const Shape& shape);

  /// Which slots of the register gate the lanes, where the other probes give a mask of its own.
  void gates_of_register(const Shape& shape);

  /// The mask that is shown, under conditions that no probe above meets.
  void shown_register(const Shape& shape);

  void sort(const std::vector<Shape>& shapes);

  void wrong_half_if_no_law();

  /// Words of the mask that are taken as other numbers, if only an example was found.
  void words_if_no_law(const Shape& shape);

  void gather_mask(const Shape& shape);

  /// An instruction that is given a number of elements.
  void numbers(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways);

  /// An instruction that sets a number of elements in the register.
  void set_number(const Subject& setter, const std::vector<Shape>& shapes, MaskGiven given);

  /// What the instruction does besides; asked only if its places and gates are as documented.
  void others(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways);

  void values(const MeasuredShape& first);

  /// The places of a reduction are measured with one lane of each result. What a full mask changes is asked
  /// here, with other strides than plain ones.
  void under_full_mask(const std::vector<Shape>& shapes);

  /// A reduction whose results under a full mask are right: its elements, neutral element and written results
  /// come before its places, which are measured under a mask that is not full.
  void reduction_first(const Shape& shape);

  Identification take();

  Identification result;

 private:
  /// If the number of repeats is wrong, or one law gives all that the shape shows, this is all that is said.
  std::vector<Difference> as_one_law(const MeasuredShape& measured, const std::vector<Shape>& shapes,
                                     std::vector<Difference> differences);

  /// If no start explains the results, a law of values may.
  /// Which elements count, with the condition that the mask is the reduction's own, if it is one.
  void add_of_elements(const Shape& shape, std::vector<Difference> found);
  void equal_elements(const Shape& shape, const EqualElements& measured);

  /// A lane does not count under a full mask, in some repeats only: is another one read in its place?
  void other_sources(const Subject& subject, const Contributions& contributions);
  /// What `lane` of each group shows of them; false if it shows nothing that drawn data confirm.
  bool add_sources(const Shape& shape, unsigned lane);
  /// The slots may be looked up by the address of an element.
  void add_elements_of_strides(const Shape& shape);

  void reduction(const Shape& shape);

  Ask ask_;
  Shown shown_;
  After after_;
  DifferenceList differences_;
  std::optional<std::pair<Shape, Difference>>
      wrong_half_;                  ///< of the records of a sort, and where it was seen
  std::optional<MapKind> refuted_;  ///< of a law that the maps suggest, and scattered data refute
  bool wrong_register_ = false;
};

}  // namespace lanecheck
