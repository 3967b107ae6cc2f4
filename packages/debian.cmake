# The Debian package: `cpack -G DEB` in the build folder. SOURCE_DATE_EPOCH makes its bytes reproducible.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanecheck)
set(CPACK_PACKAGE_CONTACT "The lanecheck project <lanecheck@localhost>")
set(CPACK_PACKAGE_VENDOR lanecheck)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, bash-completion, libgtest-dev, slurm-client")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "tests the vector masks of simulators of the Ascend A2 vector unit
lanecheck runs generated programs on a simulator and on an oracle. It names
each documented rule that the simulator breaks, and shows the smallest program
that breaks it. The package holds the program, the C header for plug-ins, the
oracle as a static library, the CMake package, and the client for Python.")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/debian_files.cmake)
set(CPACK_LANECHECK_SOURCE ${CMAKE_CURRENT_SOURCE_DIR})
include(CPack)
