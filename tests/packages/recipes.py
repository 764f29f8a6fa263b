#!/usr/bin/env python3
"""Carries out the recipes of packaging/recipes for conda and Spack as those tools do, on a copy of the
sources, in a system that is thrown away afterwards (scripts/packages-test).

    recipes.py conda|spack SOURCES GO

GO is the folder of Go's commands. The tools themselves are not here: what they give to a recipe and expect of
it is written down below. What a recipe uses beyond that is an error.
"""

import os
import re
import shutil
import subprocess
import sys
import types

FOLDER = "/opt/recipes"  # for everything that is made
SYSTEM = "/usr/sbin:/usr/bin:/sbin:/bin"
COMPILERS = {"cc": "gcc", "c++": "g++", "gfortran": "gfortran"}


def fail(what):
    sys.exit("recipes.py: " + what)


def expect(condition, what):
    if not condition:
        fail(what)


def only_keys(mapping, where, *known):
    expect(isinstance(mapping, dict), f"{where} is no mapping")
    for key in mapping:
        expect(key in known, f"{where}: there is no {key}")


def hide_compilers(folder, prefix):
    """Leaves the compilers of the system under the names prefix + name alone, in a folder of their own."""
    os.makedirs(folder)
    for name, program in COMPILERS.items():
        real = os.path.realpath(shutil.which(program, path=SYSTEM))
        with open(f"{folder}/{prefix}{name}", "w") as f:
            f.write(f'#!/bin/sh\necho "{name} $*" >>{FOLDER}/compiled\nexec {real} "$@"\n')
        os.chmod(f.name, 0o755)
    ordinary = re.compile(r"(x86_64-linux-gnu-)?(gcc|cc|g\+\+|c\+\+|clang|gfortran|f77|f95)")
    for name in os.listdir("/usr/bin"):
        if ordinary.fullmatch(name):
            os.remove("/usr/bin/" + name)


def shell(script, env, cwd):
    print("+ " + script.strip().replace("\n", "\n+ "), flush=True)
    done = subprocess.run(["bash", "-e", "-c", script], env=env, cwd=cwd, text=True, stdout=subprocess.PIPE)
    print(done.stdout, flush=True)
    expect(done.returncode == 0, f"exit code {done.returncode}")
    return done.stdout


def go_settings():
    """Where Go finds its modules here, without a network."""
    return {k: os.environ[k] for k in ("GOMODCACHE", "GOPROXY", "GOCACHE", "GOFLAGS") if k in os.environ}


# conda: rattler-build renders recipe.yaml, builds each output and tests it in an environment of its own.


class Recipe:
    """What rattler-build makes of ${{ }}."""

    def __init__(self, folder):
        import yaml

        self.folder = folder
        with open(folder + "/recipe.yaml") as f:
            self.raw = yaml.safe_load(f)
        with open(folder + "/variants.yaml") as f:
            self.variants = yaml.safe_load(f)
        self.context = self.raw["context"]
        self.outputs = {output["package"]["name"]: output for output in self.raw["outputs"]}

    def render(self, value):
        if isinstance(value, dict):
            return {k: self.render(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.render(v) for v in value]
        if isinstance(value, str):
            return re.sub(r"\$\{\{ *(.*?) *\}\}", self.expression, value)
        return value

    def expression(self, match):
        text = match.group(1)
        if text in self.context:
            return self.context[text]
        call = re.fullmatch(r"(\w+)\('([\w-]+)'(.*)\)", text)
        expect(call, f"what is {text}?")
        name, argument, more = call.groups()
        if name == "compiler":
            expect(argument in ("c", "cxx", "fortran", "go-cgo", "go-nocgo"), f"conda has no compiler {argument}")
            return argument + "_linux-64"
        if name == "stdlib":
            expect(self.variants.get(argument + "_stdlib"), f"variants.yaml names no stdlib for {argument}")
            return self.variants[argument + "_stdlib"][0] + "_linux-64"
        if name == "pin_subpackage":
            expect(argument in self.outputs, f"{argument} is no output")
            expect(re.fullmatch(r"(, (lower|upper)_bound='[x.]+')*", more), f"what is {more}?")
            return f"{argument} >={self.context['version']}"
        return fail(f"what is {text}?")


def check_form(raw):
    """Keys and places that rattler-build knows in a recipe of several outputs."""
    only_keys(raw, "recipe.yaml", "schema_version", "context", "recipe", "source", "build", "outputs", "about",
              "extra")
    only_keys(raw["recipe"], "recipe", "name", "version")
    only_keys(raw["about"], "about", "summary", "description", "license", "license_file", "homepage",
              "repository", "documentation")
    for output in raw["outputs"]:
        name = output["package"]["name"]
        only_keys(output, name, "package", "source", "build", "requirements", "tests", "about")
        only_keys(output["build"], name + ": build", "number", "string", "skip", "noarch", "script")
        only_keys(output.get("requirements", {}), name + ": requirements", "build", "host", "run",
                  "run_constraints", "run_exports")
        for test in output.get("tests", []):
            only_keys(test, name + ": test", "script", "files", "requirements")
            only_keys(test.get("files", {}), name + ": files of a test", "source", "recipe")
            only_keys(test.get("requirements", {}), name + ": requirements of a test", "build", "run")


def can_be_solved(recipe):
    """A package mpi with a build string of ours is in no channel, so it has to be an output."""
    for name, output in recipe.outputs.items():
        for wanted in recipe.render(output.get("requirements", {}).get("run", [])):
            words = wanted.split()
            if words[0] != "mpi":
                continue
            mpi = recipe.outputs.get("mpi") or fail("no output is the metapackage mpi")
            have = recipe.render(mpi["package"]["version"])
            expect(len(words) == 3 and words[2] == mpi["build"]["string"] and
                   have.startswith(words[1].removesuffix("*")), f"{name} wants {wanted}, and mpi is {have}")


def conda_environment(prefix, sources, go):
    """The variables of a build on Linux, of its compilers and of Go, as activated for it."""
    tools = FOLDER + "/build_env/bin"
    triple = "x86_64-conda-linux-gnu-"
    return {
        "PATH": f"{tools}:{go}:{prefix}/bin:{SYSTEM}", "HOME": sources, "USER": "rattler", "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8", "SHELL": "/bin/bash", "TERM": "xterm-256color", "CONDA_BUILD": "1",
        "PREFIX": prefix, "CONDA_PREFIX": prefix, "BUILD_PREFIX": FOLDER + "/build_env", "SRC_DIR": sources,
        "RECIPE_DIR": sources + "/packaging/recipes/conda", "CPU_COUNT": "2", "ARCH": "64", "SHLIB_EXT": ".so",
        "BUILD": "x86_64-conda_cos6-linux-gnu", "HOST": triple[:-1], "LD_RUN_PATH": prefix + "/lib",
        "CC": triple + "cc", "CXX": triple + "c++", "FC": triple + "gfortran",
        "CFLAGS": f"-march=nocona -mtune=haswell -ftree-vectorize -fPIC -fstack-protector-strong -fno-plt -O2 "
                  f"-ffunction-sections -pipe -isystem {prefix}/include",
        "LDFLAGS": f"-Wl,-O2 -Wl,--sort-common -Wl,--as-needed -Wl,-z,relro -Wl,-z,now "
                   f"-Wl,--disable-new-dtags -Wl,--gc-sections -Wl,-rpath,{prefix}/lib -L{prefix}/lib",
        "GOOS": "linux", "GOARCH": "amd64", "CGO_ENABLED": "1", "CONDA_GO_COMPILER": "1", "GOTOOLCHAIN": "local",
        **go_settings(), "GOFLAGS": "-modcacherw -buildmode=pie -trimpath",
    }


def conda(sources, go):
    recipe = Recipe(sources + "/packaging/recipes/conda")
    check_form(recipe.raw)
    can_be_solved(recipe)
    with open(sources + "/Makefile") as f:
        made = re.search(r"^VERSION := (.*)$", f.read(), re.M).group(1)
    expect(recipe.context["version"] == made, f"the version is {recipe.context['version']}, that of make {made}")
    root = os.path.normpath(os.path.join(recipe.folder, recipe.raw["source"]["path"]))
    expect(root == sources, f"the source is {root}")
    expect(os.path.exists(f"{root}/{recipe.raw['about']['license_file']}"), "no licence")

    hide_compilers(FOLDER + "/build_env/bin", "x86_64-conda-linux-gnu-")
    for name, output in recipe.outputs.items():
        prefix = f"{FOLDER}/{name}_placehold_placehold_placehold"
        os.makedirs(prefix)
        env = conda_environment(prefix, sources, go)
        shell("\n".join(recipe.render(output["build"]["script"])), env, sources)
        expect(bool(os.listdir(prefix)) == (output["build"].get("noarch") is None), f"{name} has {os.listdir(prefix)}")
        for test in output.get("tests", []):
            moved = f"{FOLDER}/test_env_{name}"
            os.rename(prefix, moved)
            test_in_environment(recipe.render(test), moved, env, sources)
    print("conda: built, moved, activated, tested")


def test_in_environment(test, prefix, env, sources):
    """Runs a test where nothing is but the package, what it says it needs, and the files that it names."""
    folder = FOLDER + "/test"
    for name in test.get("files", {}).get("source", []):
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        shutil.copy(f"{sources}/{name}", f"{folder}/{name}")
    have = " ".join(test.get("requirements", {}).get("run", []))
    compilers = {"CC": "c_linux-64", "CXX": "cxx_linux-64", "FC": "fortran_linux-64"}
    env = {k: v for k, v in env.items() if k in ("PATH", "LANG", "HOME") or compilers.get(k, "nothing") in have}
    env.update(PREFIX=prefix, CONDA_PREFIX=prefix, PATH=f"{prefix}/bin:{FOLDER}/build_env/bin:{SYSTEM}")
    said = shell("\n".join(
        [f'before=$(env | grep GOMPI || true); . "{prefix}/etc/conda/activate.d/gompi.sh"'] + test["script"] +
        [f'. "{prefix}/etc/conda/deactivate.d/gompi.sh"; [ "$(env | grep GOMPI)" = "$before" ]']), env, folder)
    expect("rank 1 of 2" in said, f"the test says {said!r}")


# Spack: a recipe is a class whose directives are calls; Spack sets names in its module, and calls its methods.


class Prefix(str):
    def __getattr__(self, name):
        return Prefix(self + "/" + name)


class Environment(dict):
    def set(self, name, value):
        self[name] = str(value)


class Spec:
    def __init__(self, name, variants=(), needs=(), prefix=None):
        self.name, self.variants, self.needs, self.prefix = name, variants, needs, Prefix(prefix or "/none")

    def satisfies(self, constraint):
        return constraint in self.variants

    def __getitem__(self, name):
        return {need.name: need for need in self.needs}[name]


def spack_module():
    """The names of spack.package that the recipe uses; its directives note what they are told."""
    told = []

    def directive(name):
        return lambda *arguments, **named: told.append((name, arguments, named))

    def find_libraries(name, root, shared=True, recursive=False):
        expect(shared and recursive, "libraries lie below lib")
        found = [os.path.join(at, f) for at, _, files in os.walk(root) for f in files if f == name + ".so"]
        return found or fail(f"no {name}.so below {root}")

    module = types.ModuleType("spack.package")
    module.Package = object
    module.join_path = os.path.join
    module.find_libraries = find_libraries
    module.HeaderList = lambda path: [path] if os.path.exists(path) else fail(f"no {path}")
    for name in ("version", "license", "provides", "depends_on", "variant"):
        setattr(module, name, directive(name))
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module
    return told


def check_directives(package, told, sources):
    first = [(name, *arguments) for name, arguments, _ in told]
    for wanted in (("provides", "mpi@:5.0"), ("depends_on", "c"), ("depends_on", "gmake"), ("license", "MIT")):
        expect(wanted in first, f"the recipe does not say {wanted}")
    need = next((a[0] for name, a, _ in told if name == "depends_on" and a[0].startswith("go@")), "no Go")
    with open(sources + "/go.mod") as f:
        expect(need == "go@" + re.search(r"^go (\d+\.\d+)", f.read(), re.M).group(1) + ":", f"it wants {need}")
    for name, arguments, named in told:
        if name == "version":
            expect(package.git == "file://" + sources and named.get("branch"), f"{arguments} is at {package.git}")


def spack(sources, go):
    # A repository of recipes has a link to the folder of the clone.
    repository = FOLDER + "/mine/packages"
    os.makedirs(repository)
    os.symlink(sources + "/packaging/recipes/spack", repository + "/gompi")
    told = spack_module()
    module = types.ModuleType("package")
    module.__file__ = repository + "/gompi/package.py"
    with open(module.__file__) as f:
        exec(compile(f.read(), module.__file__, "exec"), module.__dict__)
    package = module.Gompi()
    check_directives(package, told, sources)

    wrappers, prefix = FOLDER + "/spack/cc", Prefix(FOLDER + "/opt/gompi")
    libfabric = Spec("libfabric", prefix="/opt/libfabric")
    package.prefix, package.spec = prefix, Spec("gompi", ["+libfabric"], [libfabric], prefix)
    hide_compilers(wrappers, "spack-")
    stage = FOLDER + "/stage"
    shutil.copytree(sources, stage, symlinks=True)
    env = {"PATH": f"{go}:{SYSTEM}", "HOME": "/root", "CC": wrappers + "/spack-cc", "GO111MODULE": "on",
           "GOTOOLCHAIN": "local", "GOMAXPROCS": "2", "GOPATH": stage + "/go", **go_settings()}
    module.make = lambda *arguments: shell(" ".join(("make", "-j4", *arguments)), env, stage)
    package.install(package.spec, prefix)
    shutil.rmtree(stage)
    use_from_spack(package, wrappers, libfabric)
    print("spack: installed, used")


def use_from_spack(package, wrappers, libfabric):
    """A package that names C and C++ alone builds with the MPI, in the environment that its recipe makes."""
    user = Spec("user")
    user.package = types.SimpleNamespace(module=types.ModuleType("user"))
    user.package.module.spack_cc = wrappers + "/spack-cc"
    user.package.module.spack_cxx = wrappers + "/spack-c++"
    changes = Environment()
    package.setup_dependent_build_environment(changes, user)
    package.setup_dependent_package(user.package.module, user)
    expect(changes["GOMPI_LIBFABRIC"] == libfabric.prefix + "/lib/libfabric.so.1", "which libfabric?")
    for wrapper in (package.spec.mpicc, package.spec.mpicxx, package.spec.mpifc, package.spec.mpif77, *(
            v for k, v in changes.items() if k.startswith("MPI"))):
        expect(os.access(wrapper, os.X_OK), f"there is no {wrapper}")
    expect(package.libs[0].startswith(package.prefix) and package.headers, "no library, no header")
    os.remove(FOLDER + "/compiled")
    env = {"PATH": SYSTEM, **changes}
    projects = os.path.dirname(os.path.abspath(__file__)) + "/projects"
    for wrapper, file in (("$MPICC", "hello.c"), ("$MPICXX", "hello.cc")):
        said = shell(f"{wrapper} {projects}/{file} -o hello && {package.prefix}/bin/mpiexec -n 2 ./hello", env, FOLDER)
        expect(said.count("rank ") == 2, f"{file} says {said!r}")
    with open(FOLDER + "/compiled") as f:
        lines = f.read().splitlines()
    expect([line.split()[0] for line in lines] == ["cc", "c++"], f"Spack's compilers did {lines}")


if __name__ == "__main__":
    expect(len(sys.argv) == 4 and sys.argv[1] in ("conda", "spack"), __doc__)
    {"conda": conda, "spack": spack}[sys.argv[1]](os.path.realpath(sys.argv[2]), os.path.realpath(sys.argv[3]))
