# What is not a plain program compiled by the wrapper.
add_library(abi.profiler SHARED abi/profiler.c)
add_library(abi.plugin MODULE abi/plugin.c)
set_target_properties(abi.profiler abi.plugin PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/abi" PREFIX "")
set(profiler "${CMAKE_BINARY_DIR}/bin/abi/abi.profiler.so")
set(plugin "${CMAKE_BINARY_DIR}/bin/abi/abi.plugin.so")

# Programs that know no MPI: the plain compiler builds them.
foreach(prog dlopen_library plugin_host)
  set(out "${CMAKE_BINARY_DIR}/bin/abi/${prog}")
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/bin/abi"
    COMMAND "${PLAIN_CC}" -Wall -Wextra -O1 -g1 -o "${out}" "${CMAKE_CURRENT_SOURCE_DIR}/abi/${prog}.c" -ldl -lpthread
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/abi/${prog}.c")
  add_custom_target(build.${prog} ALL DEPENDS "${out}")
  add_executable(abi.${prog} IMPORTED GLOBAL)
  set_target_properties(abi.${prog} PROPERTIES IMPORTED_LOCATION "${out}")
  add_dependencies(abi.${prog} build.${prog})
endforeach()
