package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// architectures are Go's names of those that packages are made for.
var architectures = []string{"amd64", "arm64"}

// machine is the kernel's and rpm's name of an architecture.
func machine(arch string) string {
	return map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch]
}

// A part is what a package of a distribution holds of gompi.
type part int

const (
	runtime     part = iota // what programs need to run
	development             // what it takes to compile them
	manual                  // pages to read
)

// A tree is gompi as `make install` leaves it.
type tree struct {
	arch  string
	root  string
	files []file
}

// A file is one of a tree.
type file struct {
	name   string // its path below the root of the tree
	target string // of a link, "" for others
	mode   fs.FileMode
	part   part
}

// wrapper is the program that all names of compiler wrappers lead to.
const wrapper = "mpicc"

// install installs a build tree into a folder of its own.
func (p product) install(arch, build string) (tree, error) {
	build, err := filepath.Abs(build)
	if err != nil {
		return tree{}, err
	}
	const prefix = "/gompi"
	destination := filepath.Join(p.scratch, arch)
	command := exec.Command(filepath.Join(p.sources, "scripts", "install"), build, destination, prefix, prefix+"/bin",
		prefix+"/lib", prefix+"/include", prefix+"/share", p.version)
	if said, err := command.CombinedOutput(); err != nil {
		return tree{}, fmt.Errorf("scripts/install: %w\n%s", err, said)
	}
	t := tree{arch: arch, root: destination + prefix}
	err = filepath.WalkDir(t.root, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(t.root, at)
		if err != nil {
			return err
		}
		f := file{name: filepath.ToSlash(name), mode: info.Mode().Perm()}
		if info.Mode()&fs.ModeSymlink != 0 {
			if f.target, err = os.Readlink(at); err != nil {
				return err
			}
		}
		f.part = partOf(f)
		t.files = append(t.files, f)
		return nil
	})
	return t, err
}

// partOf tells which package a file belongs to.
func partOf(f file) part {
	folder, name := path.Split(f.name)
	switch folder {
	case "bin/":
		if f.isWrapper() {
			return development
		}
		return runtime
	case "lib/":
		if name == "libmpi_abi.so" || name == "libmpifort_abi.so" {
			return development // the linker alone looks for them
		}
		return runtime
	case "share/modulefiles/gompi/":
		return runtime
	case "share/man/man1/":
		if isWrapperName(strings.TrimSuffix(name, ".1")) {
			return development
		}
		return runtime
	}
	if strings.HasPrefix(folder, "share/doc/") || strings.HasPrefix(folder, "share/man/") {
		return manual
	}
	return development
}

// isWrapper reports whether a file of bin compiles programs.
func (f file) isWrapper() bool {
	return path.Base(f.name) == wrapper || f.target == wrapper
}

func isWrapperName(name string) bool {
	return strings.HasPrefix(name, "mpi") && name != "mpiexec" && name != "mpirun"
}

// of returns the files of a part.
func (t tree) of(wanted part) []file {
	return slices.DeleteFunc(slices.Clone(t.files), func(f file) bool { return f.part != wanted })
}

// path is where a file of the tree lies.
func (t tree) path(f file) string { return filepath.Join(t.root, f.name) }

// has reports whether the tree has a file of that name.
func (t tree) has(name string) bool {
	return slices.ContainsFunc(t.files, func(f file) bool { return f.name == name })
}
