// The loop that all elementwise instructions share: read a repeat of every source, compute all lanes, write
// back where the mask says so (VMC 6, pattern A).
#pragma once

#include "fuzz/simulator/machine.h"

namespace lanecheck::simulator {

/// f of each lane.
template <class F, class... Values, std::size_t P>
auto map_lanes(F f, const std::array<Values, P>&... values) {
  std::array<std::invoke_result_t<F, Values...>, P> results;
  for (std::size_t l = 0; l < P; ++l) results[l] = f(values[l]...);
  return results;
}

/// f takes one computed value of each source and returns that of dst, or dst's stored form itself.
template <class Dst, class... Src, class F>
void elementwise(const Machine& machine, const Instruction& insn, F f, const Strided<Src>&... sources) {
  constexpr std::size_t P = kLanes<Dst, Src...>;
  const Strided<Dst> dst = machine.strided<Dst>(insn, 0);
  const Gate<Dst, P> gate = machine.gate<Dst, P>();
  for (unsigned r = 0; r < insn.repeat; ++r)
    dst.write(r, narrow_lanes<Dst>(map_lanes(f, widen_lanes<Src>(sources.template read<P>(r))...)), gate);
}

/// The scalar of `insn`, which has element type T.
template <class T>
Computed<T> scalar_of(const Instruction& insn) {
  return widen<T>(from_bits<Stored<T>>(insn.scalar.bits));
}

}  // namespace lanecheck::simulator
