#include "fuzz/identify/sorts/queue_places.h"

#include <string_view>

namespace lanecheck {
namespace {

/// Where queue `queue` of repeat `repeat` starts, in records; `length`: of a queue.
struct QueuePlace {
  std::string_view text;
  std::uint32_t (*start)(std::uint32_t repeat, std::uint32_t queue, std::uint32_t length);
};

constexpr QueuePlace kQueuePlaces[] = {
    {"reads the queues of repeat r from record 128 * r on, whatever their length is",
     [](std::uint32_t repeat, std::uint32_t queue, std::uint32_t length) {
       return 128 * repeat + queue * length;
     }},
    {"reads queue q of a repeat from its record 32 * q on, whatever their length is",
     [](std::uint32_t repeat, std::uint32_t queue, std::uint32_t length) {
       return 4 * repeat * length + 32 * queue;
     }},
    {"reads queue q of repeat r from record 128 * r + 32 * q on, whatever their length is",
     [](std::uint32_t repeat, std::uint32_t queue, std::uint32_t) { return 128 * repeat + 32 * queue; }},
    {"reads the queues of repeat r from record r * their length on instead of 4 * r * their length",
     [](std::uint32_t repeat, std::uint32_t queue, std::uint32_t length) {
       return (repeat + queue) * length;
     }},
    {"reads queue q of all repeats one behind the other, and then queue q + 1",
     [](std::uint32_t repeat, std::uint32_t queue, std::uint32_t length) {
       return (4 * queue + repeat) * length;
     }},
};

}  // namespace

std::vector<SortLaw> queue_place_laws() {
  std::vector<SortLaw> laws;
  for (const QueuePlace& place : kQueuePlaces)
    for (const bool sorts :
         {false, true}) {  // a queue elsewhere need not descend: merging is not sorting then
      laws.push_back({std::string(place.text), [start = place.start, sorts](SortCall call) {
                        for (std::uint32_t repeat = 0; repeat < call.repeats.size(); ++repeat)
                          for (std::uint32_t q = 0; q < call.repeats[repeat].size(); ++q) {
                            Queue& queue = call.repeats[repeat][q];
                            const auto length = static_cast<std::uint32_t>(queue.size());
                            queue = call.source(start(repeat, q, length), length);
                            for (SortRecord& record : queue) record.queue = q;
                          }
                        return sorts ? sorted_records(call) : documented_records(call);
                      }});
      laws.back().of_places = true;
    }
  return laws;
}

}  // namespace lanecheck
