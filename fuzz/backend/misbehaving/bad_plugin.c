/* A plug-in that misbehaves in one way, for the tests of isolation: the environment variable BAD_PLUGIN says
 * how. It is right for programs without instructions. On a program whose first byte is 0xee it does what is
 * asked, and with BAD_PLUGIN_EVERY=N on one program of N, whatever bytes it has. hangs_always and
 * restart_offers need no such byte. It is C on purpose: the header must be usable from C.
 */
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/backend/lanecheck_plugin.h"

static const char* fault(void) {
  const char* name = getenv("BAD_PLUGIN");
  return name != NULL ? name : "";
}

static int is(const char* name) {
  return strcmp(fault(), name) == 0;
}

/* Has an earlier process loaded this plug-in? The environment variable BAD_PLUGIN_LOADED names a file for
 * that. */
static int was_loaded_before(void) {
  const char* path = getenv("BAD_BACKEND_STARTED");
  if (path == NULL) return 0;
  if (access(path, F_OK) == 0) return 1;
  FILE* file = fopen(path, "w");
  if (file != NULL) fclose(file);
  return 0;
}

static void misbehave(lanecheck_program* program) {
  if (is("segfault")) raise(SIGSEGV);
  if (is("abort")) abort();
  if (is("exit0")) exit(0);
  if (is("ends_thread")) pthread_exit(NULL);
  if (is("divides_by_zero")) raise(SIGFPE);
  if (is("stack_overflow")) {
    char* volatile deep = alloca(1 << 30);
    deep[0] = 1;
  }
  while (is("hang")) sleep(1);
  if (is("writes_beyond_ub")) program->ub[program->ub_bytes + 3] = 1;
  if (is("writes_far_beyond_ub")) program->ub[program->ub_bytes + 400] = 1;
  if (is("writes_behind_guard")) program->ub[program->ub_bytes + 700] = 1;
  if (is("writes_pages_behind_ub")) program->ub[program->ub_bytes + 100000] = 1;
  if (is("writes_before_ub")) program->ub[-3] = 1;
  if (is("writes_beyond_mask")) program->mask[LANECHECK_MASK_SLOTS] = 0;
  if (is("writes_instructions")) ((lanecheck_instruction*)program->instructions)->repeat = 9;
  if (is("writes_answers")) memset(program, 0xff, sizeof *program);
  if (is("no_verdict")) program->verdict = LANECHECK_UNANSWERED;
  if (is("odd_verdict")) program->verdict = 77;
  if (is("odd_mask")) program->mask[3] = 7;
  if (is("errored")) {
    program->verdict = LANECHECK_ERRORED;
    memset(program->why, 'w', sizeof program->why);
  }
}

static int is_chosen(const lanecheck_program* program) {
  const char* every = getenv("BAD_PLUGIN_EVERY");
  uint32_t sum = 0;
  if (program->ub[0] == 0xee) return 1;
  if (every == NULL) return 0;
  for (uint32_t n = 0; n < program->ub_bytes; ++n) sum = sum * 31 + program->ub[n];
  return sum % (uint32_t)atoi(every) == 0;
}

static void run(void* opened, lanecheck_program* programs, uint32_t count) {
  (void)opened;
  puts("a plug-in may print");
  while (is("hangs_always")) sleep(1);
  static int batches = 0;
  if (is("restart_offers") && ++batches == 5) abort();
  for (uint32_t n = 0; n < count; ++n) {
    programs[n].verdict = LANECHECK_RAN;
    if (is_chosen(&programs[n])) misbehave(&programs[n]);
  }
}

const lanecheck_plugin_info* lanecheck_plugin(void) {
  static lanecheck_plugin_info info = {.version = LANECHECK_PLUGIN_VERSION,
                                       .size = sizeof(lanecheck_plugin_info),
                                       .name = "bad plug-in",
                                       .run = run};
  if (is("no_info")) return NULL;
  if (is("other_version")) info.version = 99;
  if (is("no_run")) info.run = NULL;
  if (is("dies_at_load")) abort();
  static const lanecheck_offer unknown = {.instruction = "frobnicate", .dst = "f32", .src = "f32"};
  if (is("restart_offers") && was_loaded_before()) {
    info.offers = &unknown;
    info.offer_count = 1;
  }
  return &info;
}
