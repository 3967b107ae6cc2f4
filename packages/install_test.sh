#!/usr/bin/env bash
# `cmake --install`, find_package and pkg-config as a project outside the tree meets them; FetchContent as far as it
# costs no build of lanecheck. Usage: install_test.sh BUILD_DIR SOURCE_DIR PYTHON
set -u
set -- "$1/lanecheck" "$2" "$3"
. "$2/fuzz/command/expect.sh"
unset LANECHECK PYTHONPATH
prefix=$work/prefix
expect 0 "" cmake --install "$(dirname "$lanecheck")" --prefix "$prefix"
expect 0 "lanecheck " "$prefix/bin/lanecheck" --version
expect 0 "<!DOCTYPE html>" env -C / "$prefix/bin/lanecheck" rules --html
expect 0 "conforms" "$prefix/bin/lanecheck" replay "$prefix/share/lanecheck/corpus/VMC-3.2-cadd-zero"

# The plug-in header alone, in C, found by pkg-config; the file moves with the folder.
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/lib/x86_64-linux-gnu/pkgconfig
printf '#include <lanecheck_plugin.h>\nconst lanecheck_plugin_info* lanecheck_plugin(void) { return 0; }\n' >"$work/plugin.c"
# shellcheck disable=SC2046
expect 0 "" cc -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC $(pkg-config --cflags lanecheck) "$work/plugin.c" -o "$work/plugin.so"
expect 3 "lanecheck_plugin() returned NULL" "$(pkg-config --variable=program lanecheck)" run --backend "plugin:$work/plugin.so"

# The example project: its own GoogleTest, the rules as its tests.
cp -r "$source_dir/packages/example" "$work/project"
cd "$work/project" || exit 1
cat >>my_tests.cc <<'EOF'

// Not in the example: two simulators in one program, one of them by its descriptor, and a backend by its name.
const lanecheck_plugin_info& descriptor() {
  static lanecheck_plugin_info info{};
  info.version = LANECHECK_PLUGIN_VERSION;
  info.size = sizeof info;
  info.name = "by descriptor";
  static const lanecheck_offer offers[] = {{"set_mask", nullptr, nullptr}, {"add", "i32", "i32"}};
  info.offers = offers;
  info.offer_count = 2;
  info.run = [](void*, lanecheck_program* programs, uint32_t count) {
    for (uint32_t n = 0; n < count; ++n) run(programs[n]);
  };
  return info;
}
LANECHECK_TEST(Descriptor, descriptor(), (lanecheck::rules::Settings{"vmc", 3000, 1, ""}));
TEST(Backend, ByName) {
  const auto outcomes = lanecheck::rules::run("wrong:cadd-keeps-dst", {"vmc", 3000, 1, LANECHECK_PROGRAM});
  EXPECT_EQ(outcomes.at("VMC-3.2-cadd-zero").state, lanecheck::rules::State::failed);
  EXPECT_EQ(outcomes.at("VMC-3.2-cgadd-zero").state, lanecheck::rules::State::passed);
  EXPECT_EQ(outcomes.at(lanecheck::rules::kOther).state, lanecheck::rules::State::passed);
}
EOF
expect 0 "" cmake -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror=all"
expect 0 "" cmake --build build -j 2
expect 0 "100% tests passed" ctest --test-dir build
expect 0 "[  PASSED  ] 28 tests." build/my_tests --gtest_filter='Oracle.*:*MySimulator*'
BROKEN=1 expect 1 "rules/Descriptor.holds/VMC_3_1_keeps_masked_off" build/my_tests --gtest_filter='*Descriptor*'
mkdir "$work/it's"
cp build/my_tests "$work/it's/"
BROKEN=1 expect 1 "[  FAILED  ] rules/Descriptor.holds/VMC_3_1_keeps_masked_off" "$work/it's/my_tests" --gtest_filter='*Descriptor*'
expect 0 "[  PASSED  ] 1 test." build/my_tests --gtest_filter=Backend.ByName
failed_tests() { sed -n 's/^\[  FAILED  \] rules.MySimulator.holds.\([^,]*\), where.* ms)$/\1/p' "$work/output" | sort | tr '\n' ' '; }
BROKEN=1 expect 1 "add.i32" build/my_tests --gtest_filter='*MySimulator*'
wanted="VMC_3_1_binary VMC_3_1_keeps_masked_off VMC_6_pattern_a VMC_7_keeps_dst "
[ "$(failed_tests)" = "$wanted" ] || { echo "FAILED: masked-off lanes added: $(failed_tests), not $wanted"; failed=1; }
BROKEN=1 expect 1 "breaks VMC-7-keeps-dst" build/my_tests --gtest_filter='*VMC_7_keeps_dst*'
for text in "set_mask high=" "lanes of dst:" "LANECHECK_SERVE=MySimulator"; do  # program, lane map, command
  expect 0 "$text" cat "$work/output"
done
command=$(grep -m 1 "^lanecheck run --backend" "$work/output")
BROKEN=1 expect 1 "VMC-3.1-keeps-masked-off" bash -c "'$prefix/bin/lanecheck'${command#lanecheck}"
BROKEN=2 expect 1 "SIGABRT" build/my_tests --gtest_filter='*MySimulator*'
[ "$(failed_tests)" = "other_findings " ] || { echo "FAILED: a crash failed $(failed_tests)"; failed=1; }
LANECHECK=/no/such expect 1 "/no/such: cannot be run; set the environment variable LANECHECK" build/my_tests
GTEST_FILTER='*MySimulator*VMC_3_1_binary' GTEST_TOTAL_SHARDS=1 GTEST_SHARD_INDEX=0 expect 0 "[  PASSED  ] 1 test." build/my_tests

# FetchContent: nothing of lanecheck reaches the project, except the three targets.
expect 0 "" cmake -B fetched -DLANECHECK_SOURCE="$source_dir" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
expect 0 "Total Tests: 1" ctest --test-dir fetched -N
expect 0 "my_tests" cmake --build fetched --target help
if grep -q -e ffp-contract -e std=gnu++20 fetched/compile_commands.json; then
  echo "FAILED: flags of lanecheck reach the project"
  failed=1
fi
grep -q "fetched/_deps/lanecheck-build/installed/include" fetched/compile_commands.json ||
  { echo "FAILED: the project does not find the headers"; failed=1; }

# The installed bash completion, asked as bash asks it.
completed() { bash -c '. "$0"; COMP_WORDS=(lanecheck "$@"); COMP_CWORD=$#; _lanecheck; echo "${COMPREPLY[@]}"' "$prefix/share/bash-completion/completions/lanecheck" "$@"; }
expect 0 "baseline" completed bas
expect 0 "--profile --reading" completed run --
expect 0 "--from" completed baseline add --fr
expect 0 "lanecheck-baseline-add" find "$prefix/share/man/man1"
exit $failed
