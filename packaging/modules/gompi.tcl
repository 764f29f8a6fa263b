#%Module
# gompi's environment module. It works from where it stands, and through a link to it.
set prefix [file normalize [file dirname [file normalize $ModulesCurrentModulefile/___]]/../../../..]

proc ModulesHelp {} {
    puts stderr "gompi: MPI 5.0 with the standard's ABI. mpicc, mpicxx, mpifort compile; mpiexec runs."
}
module-whatis "gompi: the Message Passing Interface with the standard's ABI"

conflict mpi
prepend-path PATH            $prefix/bin
prepend-path LD_LIBRARY_PATH $prefix/lib
prepend-path MANPATH         $prefix/share/man
append-path  MANPATH         ""
prepend-path PKG_CONFIG_PATH $prefix/lib/pkgconfig
prepend-path CMAKE_PREFIX_PATH $prefix
setenv       MPI_HOME        $prefix
setenv       MPI_BIN         $prefix/bin
setenv       MPI_LIB         $prefix/lib
setenv       MPI_INCLUDE     $prefix/include
