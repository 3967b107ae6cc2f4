#include "oracle/execute/execute.h"

#include "oracle/execute/elementwise.h"
#include "oracle/execute/gather_mask.h"
#include "oracle/execute/moves.h"
#include "oracle/execute/reduction.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// Calls f with the element type of `insn`, if `Types` has it. Legal programs always find theirs.
template <class... Types, class F>
void with_one_of(Element type, F f) {
  with_type(type, [&](auto zero) {
    if constexpr ((std::is_same_v<decltype(zero), Types> || ...)) f(zero);
  });
}

/// For instructions that only move elements: an unsigned integer as wide as `type`.
template <class F>
void with_bits(Element type, F f) {
  if (size_of(type) == 2)
    f(std::uint16_t{});
  else
    f(std::uint32_t{});
}

template <class F>
void with_numeric(Element type, F f) {
  with_one_of<Half, float, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
              std::uint32_t>(type, f);
}

template <class F>
void with_cast_type(Element type, F f) {
  with_one_of<Half, BFloat16, float, std::int8_t, std::uint8_t, std::int16_t, std::int32_t, std::int64_t>(
      type, f);
}

template <class Lane, class T>
constexpr bool kComputes1 = requires(Lane lane, typename Documented::Wide<T> a) {
  lane(a);
};
template <class Lane, class T>
constexpr bool kComputes2 = requires(Lane lane, typename Documented::Wide<T> a) {
  lane(a, a);
};

/// One instruction: the form's walk with the row's lane function, per element type and policy.
template <Form F, class Lane, class Policy>
void perform(Machine& m, const Instruction& insn, const Policy& policy) {
  using enum Form;
  if constexpr (F == set_mask) {
    m.semantics.set_mask(m.mask, insn.high, insn.low);
  } else if constexpr (F == reset_mask) {
    m.semantics.reset_mask(m.reg());
  } else if constexpr (F == set_length || F == set_mode) {
    m.semantics.set_by(m.reg(), insn);
  } else if constexpr (F == set_cmpmask) {  // deprecated in VMC (5), where nothing reads it
    std::memcpy(m.cmpmask.data(), m.at(insn.operands[0]), m.cmpmask.size());
  } else if constexpr (F == get_cmpmask) {
    std::memcpy(m.at(insn.operands[0]), m.cmpmask.data(), m.cmpmask.size());
  } else if constexpr (F == shift) {
    with_one_of<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>(
        insn.dst_type, [&](auto t) { form::shift<Lane, decltype(t)>(m, insn); });
  } else if constexpr (F == padding) {
    with_bits(insn.dst_type, [&](auto t) { form::padding<decltype(t)>(m, insn); });
  } else if constexpr (F == gather_mask || F == gather_mask_user) {
    with_bits(insn.dst_type, [&](auto t) { form::gather_mask<decltype(t)>(m, insn); });
  } else if constexpr (F == gather_blocks) {
    form::gather_blocks(m, insn);
  } else if constexpr (F == unary) {
    with_numeric(insn.dst_type, [&](auto t) {
      using T = decltype(t);
      if constexpr (kComputes1<Lane, T>) form::unary<Lane, T>(m, insn, policy);
    });
  } else if constexpr (F == binary || F == scalar) {
    with_numeric(insn.dst_type, [&](auto t) {
      using T = decltype(t);
      if constexpr (kComputes2<Lane, T>) {
        if constexpr (F == binary) form::binary<Lane, T>(m, insn, policy);
        if constexpr (F == scalar) form::scalar<Lane, T>(m, insn, policy);
      }
    });
  } else if constexpr (F == multiply_add || F == axpy) {
    with_one_of<Half, float>(insn.dst_type, [&](auto d) {
      with_one_of<Half, float>(insn.src_type, [&](auto s) {
        using D = decltype(d);
        using S = decltype(s);
        if constexpr (F == multiply_add) form::multiply_add<D, S>(m, insn, policy);
        if constexpr (F == axpy) form::axpy<D, S>(m, insn, policy);
      });
    });
  } else if constexpr (F == dup) {
    with_type(insn.dst_type, [&](auto t) { form::dup<decltype(t)>(m, insn); });
  } else if constexpr (F == reduce_repeat || F == reduce_block || F == reduce_pair) {
    with_one_of<Half, float, std::int16_t, std::int32_t>(insn.dst_type, [&](auto t) {
      using T = decltype(t);
      if constexpr (F == reduce_repeat) form::reduce_repeat<Lane, T>(m, insn, policy);
      if constexpr (F == reduce_block) form::reduce_block<Lane, T>(m, insn, policy);
      if constexpr (F == reduce_pair) form::reduce_pair<Lane, T>(m, insn, policy);
    });
  } else if constexpr (F == cast) {
    with_cast_type(insn.dst_type, [&](auto d) {
      with_cast_type(insn.src_type, [&](auto s) { form::cast<decltype(d), decltype(s)>(m, insn, policy); });
    });
  } else if constexpr (F == gather || F == scatter || F == brcb) {
    with_type(insn.src_type, [&](auto t) {
      using T = decltype(t);
      if constexpr (F == gather) form::gather<T>(m, insn);
      if constexpr (F == scatter) form::scatter<T>(m, insn);
      if constexpr (F == brcb) form::brcb<T>(m, insn);
    });
  } else if constexpr (F == reduce_extreme) {
    with_one_of<Half, float>(insn.dst_type,
                             [&](auto t) { form::reduce_extreme<Lane, decltype(t)>(m, insn, policy); });
  } else if constexpr (F == select || F == select_scalar || F == select_bits || F == select_cmpmask) {
    with_bits(insn.src_type, [&](auto t) {
      using T = decltype(t);
      if constexpr (F == select) form::select<T>(m, insn);
      if constexpr (F == select_scalar) form::select_scalar<T>(m, insn);
      if constexpr (F == select_bits) form::select_bits<T>(m, insn);
      if constexpr (F == select_cmpmask) form::select_cmpmask<T>(m, insn);
    });
  } else if constexpr (F == compare_cmpmask) {
    with_one_of<Half, float>(insn.src_type, [&](auto t) { form::compare_cmpmask<decltype(t)>(m, insn); });
  } else if constexpr (F == compare || F == compare_scalar) {
    with_one_of<Half, float, std::int16_t, std::int32_t>(insn.src_type, [&](auto t) {
      using T = decltype(t);
      if constexpr (F == compare) form::compare<T>(m, insn);
      if constexpr (F == compare_scalar) form::compare_scalar<T>(m, insn);
    });
  } else {
    with_one_of<Half, float>(insn.src_type, [&](auto t) {
      using T = decltype(t);
      if constexpr (F == sort32) form::sort32<T>(m, insn);
      if constexpr (F == merge4) form::merge4<T>(m, insn);
      if constexpr (F == merge2) form::merge2<T>(m, insn);
    });
  }
}

template <class Policy>
using Performer = void (*)(Machine&, const Instruction&, const Policy&);

template <class Policy>
constexpr Performer<Policy> kPerformers[] = {
#define INSTRUCTION(name, form, mask, neutral, meaning, ...) &perform<Form::form, lane::meaning, Policy>,
#include "/tmp/gen/instructions.def"
#undef INSTRUCTION
};

/// Repeats of `insn` that lie in UB as a whole. A legal program has all of them there; who believes in
/// another mode, count or stride may not.
std::uint32_t repeats_in_ub(const Machine& m, Instruction insn) {
  const auto fits = [&](std::uint32_t repeats) {
    insn.repeat = repeats;
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
      if (static_cast<std::uint64_t>(m.at(insn.operands[k]) - m.ub) + extent(insn, k, lanes_of(insn)) >
          m.ub_bytes)
        return false;
    return true;
  };
  std::uint32_t most = insn.repeat, least = 0;
  if (fits(most)) return most;
  while (least < most) {
    const std::uint32_t middle = least + (most - least + 1) / 2;
    if (fits(middle))
      least = middle;
    else
      most = middle - 1;
  }
  return least;
}

void compute(Machine& m, const Instruction& insn) {
  const auto op = static_cast<std::size_t>(insn.op);
  if (m.semantics.reads_arithmetic())
    kPerformers<Read>[op](m, insn, Read{m.semantics.readings});
  else
    kPerformers<Documented>[op](m, insn, Documented{});
}

void perform(Machine& m, const Instruction& insn) {
  if (m.program.profile == Profile::vmc)  // no mask operands, no modes
    compute(m, insn);
  else
    compute(m, begin(m, insn));
  m.semantics.leave(m.reg(), insn, m.semantics.readings);
  if (m.semantics.after != nullptr) m.semantics.after(m, insn);
}

}  // namespace

Instruction begin(Machine& m, const Instruction& insn) {
  m.semantics.load(m.reg(), insn, m.semantics.readings);
  ResolvedInstruction here = m.semantics.walk(insn, m.mode, m.mask, m.semantics.readings);
  m.counts = here.total != kNoTotal;
  m.total = here.total;
  if (row_of(insn.op).has_repeat && m.program.profile != Profile::vmc && !m.semantics.runs_legal_programs)
    here.insn.repeat = std::min(repeats_in_ub(m, here.insn), kMostRepeats);
  return here.insn;
}

void execute_one(const Program& program, const Instruction& insn, const Semantics& semantics, State& state) {
  Machine machine(program, semantics, state);
  perform(machine, insn);
}

void execute(const Program& program, const Semantics& semantics, State& state) {
  state.ub.assign(program.ub.begin(), program.ub.end());
  state.mask = semantics.initial_mask;
  state.mode = Mode::normal;
  state.cmpmask = {};
  Machine machine(program, semantics, state);
  for (const Instruction& insn : program.instructions) perform(machine, insn);
}

}  // namespace lanecheck
