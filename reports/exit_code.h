// What the exit codes of lanecheck mean, and which error ends in which.
//
// | error                      | step at which it is thrown                      | exit code             |
// |----------------------------|-------------------------------------------------|-----------------------|
// | CLI::ParseError            | the command line is parsed                      | kBadInput             |
// | InputError                 | an option, a file or a program is read, or the  | kBadInput             |
// |                            | name of a backend or a reading is looked up     |                       |
// | LineError                  | a line of a program is parsed                   | becomes an InputError |
// | BackendFailure             | an attached backend is started                  | kFailure              |
// | ProtocolError              | a message of a backend is read                  | becomes an outcome    |
// |                            |                                                 | or a BackendFailure   |
// | std::runtime_error         | a report is written                             | kFailure              |
// | any other std::exception   | anywhere: a fault of lanecheck itself           | kFailure              |
//
// A crash, a hang or a wrong answer of a backend is the outcome of one program, not an error of lanecheck;
// the report decides about the exit code (exit_code in reports/report.h).
#pragma once

namespace lanecheck {

enum Exit : int {
  kConforms = 0,  ///< the backend conforms, or the command did its work
  kDiverges = 1,  ///< the backend diverges, or what was asked for is missing
  kBadInput = 2,  ///< the user's input is wrong
  kFailure = 3,   ///< the backend or lanecheck failed, or the run was interrupted
};

}  // namespace lanecheck
