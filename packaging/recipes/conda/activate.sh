# Sourced when an environment of conda is activated, after the scripts of its compilers, which have other names
# than those that the wrappers look for. mpiexec and the library open the libfabric of the environment.
[ -n "${GOMPI_CC-}" ] || [ -z "${CC-}" ] || export GOMPI_CC="$CC"
[ -n "${GOMPI_CXX-}" ] || [ -z "${CXX-}" ] || export GOMPI_CXX="$CXX"
[ -n "${GOMPI_FC-}" ] || [ -z "${FC-}" ] || export GOMPI_FC="$FC"
[ -n "${GOMPI_LIBFABRIC-}" ] || [ ! -e "$CONDA_PREFIX/lib/libfabric.so.1" ] ||
    export GOMPI_LIBFABRIC="$CONDA_PREFIX/lib/libfabric.so.1"
