# Takes back what activate.sh has set, before the compilers take back their names.
[ "${GOMPI_CC-}" != "${CC-}" ] || unset GOMPI_CC
[ "${GOMPI_CXX-}" != "${CXX-}" ] || unset GOMPI_CXX
[ "${GOMPI_FC-}" != "${FC-}" ] || unset GOMPI_FC
[ "${GOMPI_LIBFABRIC-}" != "$CONDA_PREFIX/lib/libfabric.so.1" ] || unset GOMPI_LIBFABRIC
