# A room is one library, with its tests beside it.

option(LANECHECK_FUZZERS "Build the fuzzers of parsers, which need clang and its libFuzzer (preset sanitize)" OFF)

set(LANECHECK_COLD_FLAGS "" CACHE STRING "More compiler options for rooms that are COLD")

# LINKS are the rooms and packages that its files may include. HOT: every case passes through the room. COLD: a command
# passes through it a few times. PARSES: what comes from outside passes through it, so fuzzers must see which branches
# are taken.
function(lanecheck_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "HOT;COLD;PARSES" "" "SOURCES;LINKS")
  add_library(lanecheck_${name} STATIC ${room_SOURCES})
  target_link_libraries(lanecheck_${name} PUBLIC lanecheck_options ${room_LINKS})
  if(room_HOT)  # g++ leaves out passes that take a fifth of the time of oracle/execute or more, and make nothing faster
    target_compile_options(lanecheck_${name} PRIVATE $<$<CONFIG:Release>:-O3>
      "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-fno-unswitch-loops;-fno-peel-loops;-fno-split-loops;-fno-ipa-cp-clone;-fno-tree-loop-distribution>")
  endif()
  if(room_PARSES AND LANECHECK_FUZZERS)
    target_compile_options(lanecheck_${name} PRIVATE -fsanitize=fuzzer-no-link)
    set(kind watched_)
  endif()
  if(room_COLD)
    target_compile_options(lanecheck_${name} PRIVATE ${LANECHECK_COLD_FLAGS})
    set(kind cold_)
  endif()
  lanecheck_precompile(lanecheck_${name} ${kind}room)
endfunction()

option(LANECHECK_SEARCHES "Build the tests that search many cases or mutants, and the benchmarks" ON)
set(LANECHECK_TEST_SHARES 0 CACHE STRING
  "Processes that run the tests of one executable (a quick one: one process); 0: a process, and a name for ctest, for each test")
set(LANECHECK_TEST_FLAGS "" CACHE STRING "More compiler options for the test files only")

# One executable of the test files SOURCES; LABEL is quick or long. To add a test, add its file to the list of its room.
# In a unity build the files are one unit, so that the headers are parsed once: if helpers of two files have the same
# name, one file puts them into a namespace that has the name of the file. WHOLE: one process runs all tests, because
# they share something dear or because the start of a process costs more than a test. SEARCHES: over many cases or
# mutants, which takes minutes under sanitizers.
function(lanecheck_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 test "WHOLE;SEARCHES" "LABEL" "SOURCES;LINKS")
  if(test_SEARCHES AND NOT LANECHECK_SEARCHES)
    return()
  endif()
  add_executable(${name} ${test_SOURCES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD "$CACHE{CMAKE_UNITY_BUILD}" UNITY_BUILD_BATCH_SIZE 0)
  target_link_libraries(${name} PRIVATE ${test_LINKS} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE LANECHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0> ${LANECHECK_TEST_FLAGS})  # compiled once, run once
  lanecheck_precompile(${name} test)
  set(shares ${LANECHECK_TEST_SHARES})
  if(test_WHOLE OR (shares GREATER 0 AND test_LABEL STREQUAL quick))
    set(shares 1)
  endif()
  if(shares EQUAL 0)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 900 LABELS ${test_LABEL})
    return()
  endif()
  math(EXPR last "${shares} - 1")
  foreach(share RANGE ${last})
    add_test(NAME ${name}_${share} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name}_${share} PROPERTIES TIMEOUT 1500 LABELS ${test_LABEL} COST 40
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shares};GTEST_SHARD_INDEX=${share}")
  endforeach()
endfunction()

# An executable of its own for NAME.cc, if it is run by name, or needs other links, definitions or its own main().
function(lanecheck_test name)
  lanecheck_tests(${name} SOURCES ${name}.cc ${ARGN})
endfunction()

# With LANECHECK_PRECOMPILE, common headers are parsed once for all rooms and once for all tests. (g++ gains nothing.)
option(LANECHECK_PRECOMPILE "Precompile common headers: the build is a third faster, but a missing #include is not noticed" OFF)
function(lanecheck_precompile target kind)  # KIND is test or a kind of room: the first target of a kind has the headers
  if(NOT LANECHECK_PRECOMPILE)
    return()
  endif()
  get_property(first GLOBAL PROPERTY lanecheck_precompiled_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  set(headers algorithm filesystem fstream functional iostream map memory optional set span string string_view vector
    nlohmann/json.hpp)
  if(kind STREQUAL test)
    list(APPEND headers gtest/gtest.h)
  endif()
  list(TRANSFORM headers REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${target} PRIVATE ${headers})
  set_property(GLOBAL PROPERTY lanecheck_precompiled_${kind} ${target})
endfunction()
