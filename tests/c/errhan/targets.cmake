# A program in C++, compiled by the wrapper beside MPICC.
get_filename_component(wrappers "${MPICC}" DIRECTORY)
set(MPICXX "${wrappers}/mpicxx" CACHE FILEPATH "compiler wrapper for C++ of the MPI under test")
set(exceptions "${CMAKE_BINARY_DIR}/bin/errhan/exceptions")
add_custom_command(OUTPUT "${exceptions}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/bin/errhan"
  COMMAND "${MPICXX}" -Wall -Wextra -O1 -g1 -o "${exceptions}" "${CMAKE_CURRENT_SOURCE_DIR}/errhan/exceptions.cc" -lpthread
  DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/errhan/exceptions.cc" "${MPICXX}")
add_custom_target(build.exceptions ALL DEPENDS "${exceptions}")
add_executable(errhan.exceptions IMPORTED GLOBAL)
set_target_properties(errhan.exceptions PROPERTIES IMPORTED_LOCATION "${exceptions}")
add_dependencies(errhan.exceptions build.exceptions)
