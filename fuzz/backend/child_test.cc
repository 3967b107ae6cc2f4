// A Child ends what it started and nothing else, whatever ends first, and changes nothing else in its host.
#include "fuzz/backend/child.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>

#include "reports/page/escape.h"

namespace lanecheck {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMost = 1000;

/// Writes `text` and waits until standard input ends.
int say_and_wait(const std::string& text) {
  [[maybe_unused]] const auto written = write(1, text.data(), text.size());
  for (char byte = 0; read(0, &byte, 1) > 0;) {
  }
  return 0;
}

/// Starts a daemon that leaves the process group and the session, then says its process id.
int start_daemon_and_wait() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  if (fork() == 0) {
    setsid();
    const pid_t daemon = fork();
    if (daemon == 0) {
      for (;;) pause();
    }
    [[maybe_unused]] const auto written = write(ends[1], &daemon, sizeof daemon);
    _exit(0);
  }
  pid_t daemon = 0;
  if (read(ends[0], &daemon, sizeof daemon) != sizeof daemon) return 1;
  return say_and_wait(std::to_string(daemon) + "\n");
}

bool is_gone_within(pid_t pid, milliseconds patience) {
  for (milliseconds waited{0}; waited < patience; waited += milliseconds(10)) {
    if (kill(pid, 0) != 0) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(Child, SaysWhatItIsAskedAndHowItEnded) {
  Child child([] { return say_and_wait("ok\n") + 3; });
  std::string_view line;
  ASSERT_FALSE(child.read_line(line, kMost, 10));
  EXPECT_EQ(line, "ok");
  EXPECT_EQ(child.end(Ending::orderly), "exited with status 3");
}

TEST(Child, ALineThatIsTooLongIsABreakdownAlsoIfItArrivesAtOnce) {
  for (const std::size_t length : {kMost, kMost + 1}) {
    Child child([length] { return say_and_wait(std::string(length, 'x') + "\n"); });
    std::string_view line;
    const auto breakdown = child.read_line(line, kMost, 10);
    ASSERT_EQ(breakdown.has_value(), length > kMost);
    if (breakdown) {
      EXPECT_EQ(breakdown->what, "sent more than 1000 bytes where an answer was expected");
    } else {
      EXPECT_EQ(line.size(), length);
    }
  }
}

TEST(Child, AnAnswerThatIsInThePipeCountsAfterTheDeadlineToo) {
  Child child([] { return say_and_wait("ok\n"); });
  std::this_thread::sleep_for(
      milliseconds(300));  // as after SIGSTOP: both the answer and the deadline are there
  std::string_view line;
  const auto breakdown = child.read_line(line, kMost, 0);
  ASSERT_FALSE(breakdown) << breakdown->what;
  EXPECT_EQ(line, "ok");
}

TEST(Child, ProcessesThatTheHostInheritedOrStartedItselfSurvive) {
  const pid_t inherited = fork();
  if (inherited == 0) {
    for (;;) pause();
  }
  {
    Child child([] { return say_and_wait("ok\n"); });
    std::string_view line;
    EXPECT_FALSE(child.read_line(line, kMost, 10));
    child.end(Ending::orderly);
  }
  EXPECT_EQ(waitpid(inherited, nullptr, WNOHANG), 0) << "it was killed";
  kill(inherited, SIGKILL);
  waitpid(inherited, nullptr, 0);
}

TEST(Child, WhatItStartedEndsWithItEvenInASessionOfItsOwn) {
  pid_t daemon = 0;
  {
    Child child(start_daemon_and_wait);
    std::string_view line;
    ASSERT_FALSE(child.read_line(line, kMost, 10));
    daemon = std::stoi(std::string(line));
    ASSERT_EQ(kill(daemon, 0), 0);
  }
  EXPECT_NE(kill(daemon, 0), 0) << "the daemon runs on";
}

TEST(Child, WhatItStartedEndsWhenTheHostIsKilled) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t host = fork();
  if (host == 0) {
    Child child(start_daemon_and_wait);
    std::string_view line;
    child.read_line(line, kMost, 10);
    const pid_t daemon = std::stoi(std::string(line));
    [[maybe_unused]] const auto written = write(ends[1], &daemon, sizeof daemon);
    for (;;) pause();
  }
  pid_t daemon = 0;
  ASSERT_EQ(read(ends[0], &daemon, sizeof daemon), static_cast<ssize_t>(sizeof daemon));
  ASSERT_EQ(kill(daemon, 0), 0);
  kill(host, SIGKILL);
  waitpid(host, nullptr, 0);
  EXPECT_TRUE(is_gone_within(daemon, milliseconds(3000)));
  close(ends[0]);
  close(ends[1]);
}

TEST(Child, AnEndThatTakesAWhileAfterTheOutputWasClosedIsAnEnd) {
  Child child([] {
    close(1);
    poll(nullptr, 0, 400);
    return 3;
  });
  std::string_view line;
  const auto breakdown = child.read_line(line, kMost, 10);
  ASSERT_TRUE(breakdown);
  EXPECT_EQ(breakdown->what, "exited with status 3 before it answered");
}

TEST(Child, AClosedInputIsABreakdownAndNoSignalToTheHost) {
  std::signal(SIGPIPE, SIG_DFL);
  Child child([] {
    close(0);
    [[maybe_unused]] const auto written = write(1, "ok\n", 3);
    for (;;) pause();
    return 0;
  });
  std::string_view line;
  ASSERT_FALSE(child.read_line(line, kMost, 10));
  const auto breakdown = child.send("are you there?\n", 10);
  ASSERT_TRUE(breakdown);
  EXPECT_EQ(breakdown->what, "closed its input and goes on running");
  EXPECT_EQ(std::signal(SIGPIPE, SIG_DFL), SIG_DFL) << "what the host does with SIGPIPE is its own matter";
  int adopts = 0;
  prctl(PR_GET_CHILD_SUBREAPER, &adopts);
  EXPECT_EQ(adopts, 0);
}

/// What `body` writes to its standard output, of this length.
std::string output_of(const std::function<int()>& body, std::size_t length) {
  Child child(body);
  std::string_view bytes;
  return child.read_bytes(bytes, length, 10) ? "" : std::string(bytes);
}

TEST(CommandBody, AWordThatIsQuotedForAShellIsReadAsTheShellReadsIt) {
  for (const std::string word :
       {"plain", "two words", "it's", "\"",       "'\"'", "back\\slash", "\\",
        "$HOME", "`id`",      "!",    "#",        "~",    "*",           "two\nlines",
        "tab\t", "\xc3\xa9",  "\xff", "\x1b[31m", "'",    "''",          "a'b\"c\\d $e\nf"}) {
    const std::string command = "printf %s " + page::shell_word(word);
    EXPECT_EQ(output_of(command_body(command), word.size()), word) << command;
    const auto shell = [&command] { return execlp("sh", "sh", "-c", command.c_str(), nullptr); };
    EXPECT_EQ(output_of(shell, word.size()), word) << command;
    const std::string inner = "printf %s " + page::shell_word(command);  // as in --backend 'cmd: ...'
    EXPECT_EQ(output_of([&] { return execlp("sh", "sh", "-c", inner.c_str(), nullptr); }, command.size()),
              command);
  }
}

TEST(CommandBody, WordsAreSeparatedAsInAShell) {
  EXPECT_EQ(output_of(command_body(" printf\t%s-\n'a b' \tc\n"), 6), "a b-c-");
}

}  // namespace
}  // namespace lanecheck
