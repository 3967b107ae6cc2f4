# Run by cpack between installation and packing: what Debian asks for beside the installed files, and what the package
# depends on.
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${usr}/share/doc/lanecheck)
file(MAKE_DIRECTORY ${doc})
configure_file(${CPACK_LANECHECK_SOURCE}/copyright ${doc}/copyright COPYONLY)
configure_file(${CPACK_LANECHECK_SOURCE}/changelog ${doc}/changelog.Debian COPYONLY)
file(GLOB pages ${usr}/share/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${doc}/changelog.Debian ${pages} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE all LIST_DIRECTORIES true ${usr}/*)
foreach(each IN LISTS all)
  if(IS_DIRECTORY ${each})
    file(CHMOD ${each} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()

# CPACK_DEBIAN_PACKAGE_SHLIBDEPS would start two processes for each of 650 files to find the one program (40 seconds).
set(work ${CPACK_TOPLEVEL_DIRECTORY}/shlibdeps)
file(WRITE ${work}/debian/control "")  # dpkg-shlibdeps wants one
execute_process(COMMAND dpkg-shlibdeps -O ${usr}/bin/lanecheck WORKING_DIRECTORY ${work} OUTPUT_VARIABLE depends
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "shlibs:Depends=" "" CPACK_DEBIAN_PACKAGE_DEPENDS "${depends}")
