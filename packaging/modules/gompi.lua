-- gompi's module for Lmod. It works from where it stands, and through a link to it.
local file = myFileName()
local real = capture("readlink -f '" .. file .. "'"):gsub("%s+$", "")
local prefix = (real ~= "" and real or file):gsub("/share/modulefiles/.*$", "")

help([[gompi: MPI 5.0 with the standard's ABI. mpicc, mpicxx, mpifort compile; mpiexec runs.]])
whatis("gompi: the Message Passing Interface with the standard's ABI")

family("mpi")
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
append_path("MANPATH", "")
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
setenv("MPI_HOME", prefix)
setenv("MPI_BIN", pathJoin(prefix, "bin"))
setenv("MPI_LIB", pathJoin(prefix, "lib"))
setenv("MPI_INCLUDE", pathJoin(prefix, "include"))
