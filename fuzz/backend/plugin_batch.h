// A batch of programs as the C structs of the plug-in interface, in memory that host and worker share. Both
// see it at the same address, so that pointers in it hold on both sides.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "fuzz/backend/backend.h"
#include "fuzz/backend/child.h"
#include "fuzz/backend/lanecheck_plugin.h"
#include "fuzz/backend/message.h"

namespace lanecheck {

class PluginBatch {
 public:
  PluginBatch();
  ~PluginBatch();
  PluginBatch(const PluginBatch&) = delete;
  PluginBatch& operator=(const PluginBatch&) = delete;

  void put(std::span<const Program> programs);
  /// Fills states and outcomes from what the library left. A write outside a UB or a mask is a breakdown.
  std::optional<Breakdown> take(const Batch& batch) const;

  lanecheck_program* programs() const { return reinterpret_cast<lanecheck_program*>(open_); }
  std::uint32_t count() const { return *count_; }
  /// Called in the worker before the library is loaded, which may handle signals by itself: notes the address
  /// of a write that the system refuses.
  void watch_writes() const;
  /// Called in the worker before each run. The library can then write the programs, masks and UBs of this
  /// batch. It can only read instructions, allocations, and the memory behind the batch: a write there ends
  /// the worker.
  void protect();
  /// Called in the host if the worker has died: where it wrote to memory that protect() protects; "" if it
  /// did not.
  std::string forbidden_write() const;

 private:
  void put(const Program& program, std::size_t n);

  std::byte* note_;               ///< a page that the worker writes: the address of its forbidden write
  std::byte* closed_;             ///< what the library only reads: count, instructions, allocations, names
  std::byte* open_;               ///< what the library writes: programs, masks, UBs
  std::byte* next_;               ///< free memory in closed_
  std::byte* masks_ = nullptr;    ///< the first mask, behind the programs
  std::byte* next_ub_ = nullptr;  ///< at the end: behind the last guard
  std::byte* last_ub_end_ = nullptr;
  std::byte* protected_ = nullptr;  ///< in the worker: from here on the library can only read
  std::array<std::byte*, kMostBatch> ubs_{};
  std::uint32_t* count_;
  std::size_t* used_;                              ///< bytes of open_ that the batch takes, in whole pages
  std::array<std::string, kMostBatch> too_large_;  ///< why a program is not given to the library; "" if it is
};

}  // namespace lanecheck
