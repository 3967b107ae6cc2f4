// File descriptors that are -1 while they are closed.
#pragma once

#include <unistd.h>

namespace lanecheck {

inline void close_if_open(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

}  // namespace lanecheck
