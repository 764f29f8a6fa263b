# Recipe for Spack. A link to this folder in a repository of recipes makes it known, and builds the clone that
# the link leads to (in Spack 1.0 and later; before, packages lies right below mine):
#
#   spack repo create mine mine
#   ln -s "$PWD/packaging/recipes/spack" mine/spack_repo/mine/packages/gompi
#   spack repo add mine/spack_repo/mine && spack install gompi
import os

try: # Spack 1.0 and later
    from spack_repo.builtin.build_systems.generic import Package
except ImportError:
    pass

from spack.package import *


class Gompi(Package):
    """The Message Passing Interface in Go, with the standard's ABI (MPI 5.0)."""

    git = "file://" + os.path.realpath(os.path.join(os.path.realpath(__file__), "../../../.."))

    version("main", branch="main")

    license("MIT")

    provides("mpi@:5.0")

    depends_on("c", type="build")
    depends_on("go@1.26:", type="build")
    depends_on("gmake", type="build")

    # Jobs over several hosts talk by it; it is opened at run time.
    variant("libfabric", default=True, description="Jobs over several hosts")
    depends_on("libfabric", type="run", when="+libfabric")

    def install(self, spec, prefix):
        make("install", "PREFIX=" + prefix)

    def setup_run_environment(self, env):
        for language, wrapper in (("CC", "mpicc"), ("CXX", "mpicxx"), ("F77", "mpif77"), ("F90", "mpif90")):
            env.set("MPI" + language, join_path(self.prefix.bin, wrapper))
        if self.spec.satisfies("+libfabric"):
            env.set("GOMPI_LIBFABRIC", join_path(self.spec["libfabric"].prefix.lib, "libfabric.so.1"))

    def setup_dependent_build_environment(self, env, dependent_spec):
        self.setup_run_environment(env)
        # The wrappers run Spack's compilers. A package has those of the languages that it names.
        module = dependent_spec.package.module
        for variable, compiler in (("GOMPI_CC", "spack_cc"), ("GOMPI_CXX", "spack_cxx"), ("GOMPI_FC", "spack_fc")):
            if hasattr(module, compiler):
                env.set(variable, getattr(module, compiler))

    def setup_dependent_package(self, module, dependent_spec):
        self.spec.mpicc = join_path(self.prefix.bin, "mpicc")
        self.spec.mpicxx = join_path(self.prefix.bin, "mpicxx")
        self.spec.mpifc = join_path(self.prefix.bin, "mpifort")
        self.spec.mpif77 = join_path(self.prefix.bin, "mpif77")

    @property
    def libs(self):
        return find_libraries("libmpi_abi", root=self.prefix, recursive=True)

    @property
    def headers(self):
        return HeaderList(join_path(self.prefix.include, "mpi.h"))
