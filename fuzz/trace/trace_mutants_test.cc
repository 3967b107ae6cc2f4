// A mutant is switched on in the middle of a trace: the first step that it changes is the first one named.
#include <gtest/gtest.h>
TEST(Todo, Todo) {}
