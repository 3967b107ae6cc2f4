// lanecheck doctor: ask an adapter easy questions and name its mistakes, or check the backend protocol.
#include "fuzz/doctor/doctor.h"

#include <iostream>
#include <memory>
#include <optional>

#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/doctor/protocol_check.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

struct DoctorCommand : AttachGroup {
  std::string backend;
  bool protocol = false;
};

int check_protocol_of(const DoctorCommand& given) {
  if (!given.backend.starts_with("cmd:"))
    throw InputError("doctor --protocol", "takes a process as the backend: 'cmd: COMMAND'");
  AttachOptions attach = given.attach;
  attach.stop = stop_requested;
  bool right = true;
  for (const ProtocolCheck& check : check_protocol(given.backend.substr(4), attach)) {
    right &= check.wrong.empty();
    std::cout << (check.wrong.empty() ? "ok      " : "WRONG   ") << check.claim << '\n';
    if (!check.wrong.empty()) std::cout << "          " << printable(check.wrong) << '\n';
  }
  if (stop_requested()) {
    std::cout << "interrupted: not all claims were checked\n";
    return kFailure;
  }
  std::cout << (right ? "the backend keeps to the protocol\n"
                      : "the backend does not keep to the protocol (fuzz/backend/protocol.md)\n");
  return right ? kConforms : kDiverges;
}

int doctor_command(const DoctorCommand& given) {
  given.check(given.backend);
  handle_stop_signals();
  if (given.protocol) return check_protocol_of(given);
  const Backend backend = named_backend(given.backend, given.attach);
  std::cout << "doctor: " << printable(backend.name) << (backend.about.empty() ? "" : ", ")
            << printable(backend.about) << '\n';
  std::cout.flush();
  std::optional<Diagnosis> asked;
  try {
    asked = examine(stoppable(backend));
  } catch (const Stopped&) {
    std::cout << "interrupted: not all questions were asked\n";
    return kFailure;
  }
  const Diagnosis& diagnosis = *asked;
  print_diagnosis(std::cout, diagnosis);
  return diagnosis.healthy() ? kConforms : kDiverges;
}

}  // namespace

void add_doctor(CommandLine& line) {
  Command command = line.add("doctor", "ask an adapter easy questions and name its mistakes");
  const auto given = std::make_shared<DoctorCommand>();
  command.text("backend", given->backend, "the backend, written as for --backend of `lanecheck run`")
      .required();
  const auto attaching = given->declare(command);
  command.flag("--protocol", given->protocol, "check only that a process keeps to the backend protocol")
      .excludes(attaching.back());  // --in-process
  command.footer(R"(Examples:
  lanecheck doctor 'cmd: python3 my_sim.py'
  lanecheck doctor plugin:./libmy_sim.so
  lanecheck doctor --protocol 'cmd: ./my_sim')" +
                 std::string(kExitCodesHelp));
  command.action([given] { return doctor_command(*given); });
}

}  // namespace lanecheck
