# For projects that take lanecheck by FetchContent or add_subdirectory. lanecheck is built for itself, in Release and
# without its tests: no flag, option, test or target name of one project reaches the other, except lanecheck::*.
include(ExternalProject)
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/installed)
file(MAKE_DIRECTORY ${prefix}/include)
ExternalProject_Add(lanecheck_build SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR} EXCLUDE_FROM_ALL TRUE
  CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16
    -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_INSTALL_LIBDIR=lib
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
  BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target lanecheck_packages
  BUILD_BYPRODUCTS ${prefix}/lib/liblanecheck.a ${prefix}/bin/lanecheck)
add_library(lanecheck_plugin INTERFACE)
add_library(lanecheck_oracle INTERFACE)
add_library(lanecheck_gtest INTERFACE)
add_dependencies(lanecheck_plugin lanecheck_build)
target_include_directories(lanecheck_plugin SYSTEM INTERFACE ${prefix}/include)
target_link_libraries(lanecheck_oracle INTERFACE lanecheck_plugin ${prefix}/lib/liblanecheck.a ${CMAKE_DL_LIBS})
target_compile_features(lanecheck_oracle INTERFACE cxx_std_17)
target_link_libraries(lanecheck_gtest INTERFACE lanecheck_oracle)
target_compile_definitions(lanecheck_gtest INTERFACE LANECHECK_PROGRAM="${prefix}/bin/lanecheck")
foreach(name plugin oracle gtest)
  add_library(lanecheck::${name} ALIAS lanecheck_${name})
endforeach()
