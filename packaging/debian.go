package main

import (
	"os"
	"path/filepath"
	"strings"
)

// Debian's system of alternatives decides which MPI the plain names mean: mpirun and mpiexec (group mpirun),
// mpicc and its family (mpi), the headers and libraries of an architecture (mpi-ARCH). The groups and their
// followers are those of the packages mpich and openmpi.

// priority is lower than MPICH's 40 and Open MPI's 50: who has one of them keeps it.
const priority = "20"

func debian(arch string) system {
	return system{
		format:      "deb",
		libraries:   "/usr/lib/" + machine(arch) + "-linux-gnu",
		names:       map[part]string{runtime: "gompi", development: "gompi-dev", manual: "gompi-doc"},
		modules:     "/usr/share/modules/modulefiles/mpi/gompi-" + machine(arch),
		libraryMode: 0o644,
	}
}

// An alternative is one of a group: the link that the system has, and what it shall lead to.
type alternative struct {
	group, link, target string
	followers           []alternative
}

// follow adds a link that changes together with the first.
func (a *alternative) follow(group, link, target string) {
	a.followers = append(a.followers, alternative{group: group, link: link, target: target})
}

func (a alternative) install() string {
	command := "update-alternatives --install " + a.link + " " + a.group + " " + a.target + " " + priority
	for _, f := range a.followers {
		command += " \\\n\t\t--slave " + f.link + " " + f.group + " " + f.target
	}
	return command
}

func (a alternative) remove() string {
	return "update-alternatives --remove " + a.group + " " + a.target
}

// commandAlternative is the group whose first link is a command; its pages follow where there are some.
func commandAlternative(t tree, group string, commands []string) alternative {
	const bin, pages = "/usr/bin/", "/usr/share/man/man1/"
	a := alternative{group: group, link: bin + commands[0], target: bin + commandName(commands[0])}
	for i, name := range commands {
		if i > 0 {
			a.follow(name, bin+name, bin+commandName(name))
		}
		if t.has("share/man/man1/" + name + ".1") {
			a.follow(name+".1.gz", pages+name+".1.gz", pages+commandName(name)+".1.gz")
		}
	}
	return a
}

// alternatives are those of a package.
func alternatives(t tree, s system, wanted part) []alternative {
	arch := "-" + machine(t.arch) + "-linux-gnu"
	switch wanted {
	case runtime:
		// Programs that were linked with another library of the same ABI find this one by its name.
		library := alternative{group: "libmpi_abi.so.1" + arch, link: s.libraries + "/libmpi_abi.so.1",
			target: s.home() + "/lib/libmpi_abi.so.1"}
		library.follow("libmpifort_abi.so.1"+arch, s.libraries+"/libmpifort_abi.so.1", s.home()+"/lib/libmpifort_abi.so.1")
		return []alternative{commandAlternative(t, "mpirun", []string{"mpirun", "mpiexec"}), library}
	case development:
		headers := alternative{group: "mpi" + arch, link: "/usr/include/" + arch[1:] + "/mpi", target: s.home() + "/include"}
		headers.follow("libmpi.so"+arch, s.libraries+"/libmpi.so", s.home()+"/lib/libmpi_abi.so")
		headers.follow("libmpifort.so"+arch, s.libraries+"/libmpifort.so", s.home()+"/lib/libmpifort_abi.so")
		for _, names := range pkgConfigNames {
			headers.follow(names.general+".pc"+arch, s.libraries+"/pkgconfig/"+names.general+".pc",
				s.libraries+"/pkgconfig/"+names.own+".pc")
		}
		return []alternative{
			commandAlternative(t, "mpi", []string{"mpicc", "mpicxx", "mpic++", "mpiCC", "mpifort", "mpif77", "mpif90"}), headers}
	}
	return nil
}

// scripts are what dpkg runs behind the installation and ahead of the removal.
func scripts(list []alternative, library bool) (configure, remove string) {
	var ways, back []string
	for _, a := range list {
		ways = append(ways, "\t"+a.install())
		back = append(back, "\t"+a.remove())
	}
	if library {
		ways, back = append(ways, "\tldconfig"), append(back, "\tldconfig")
	}
	const head = "#!/bin/sh\nset -e\ncase $1 in\n"
	return head + "configure)\n" + strings.Join(ways, "\n") + "\n\t;;\nesac\n",
		head + "remove | deconfigure)\n" + strings.Join(back, "\n") + "\n\t;;\nesac\n"
}

func writeDebs(p product, t tree) error {
	s := debian(t.arch)
	for _, wanted := range []part{runtime, development, manual} {
		if wanted == manual && t.arch != architectures[0] {
			continue // one package serves all architectures
		}
		if err := p.writeDeb(s, t, wanted); err != nil {
			return err
		}
	}
	return nil
}

func (p product) writeDeb(s system, t tree, wanted part) error {
	info, c := p.info(s, t, wanted), contents{product: p}
	if err := c.place(t, s, wanted); err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(p.sources, "LICENSE"))
	if err != nil {
		return err
	}
	documents := "/usr/share/doc/" + info.Name
	if err := c.text(license, documents+"/copyright", 0o644); err != nil {
		return err
	}
	changes := "gompi (" + p.version + "-1) unstable; urgency=medium\n\n  * Release " + p.version + ".\n\n -- " +
		info.Maintainer + "  " + p.date.Format("Mon, 02 Jan 2006 15:04:05 -0700") + "\n"
	if err := c.text(compressed([]byte(changes)), documents+"/changelog.Debian.gz", 0o644); err != nil {
		return err
	}
	switch same := "gompi (= " + p.version + "-1)"; wanted {
	case runtime:
		info.Depends = []string{"libc6 (>= " + oldestGlibc + ")"}
		info.Recommends = []string{"openssh-client"}
		info.Suggests = []string{"gompi-dev", "gompi-doc", "libfabric1"}
	case development:
		info.Depends = []string{same}
		info.Recommends = []string{"gcc | c-compiler", "libc6-dev | libc-dev"}
		info.Suggests = []string{"gompi-doc", "g++", "gfortran"}
	}
	if wanted != manual {
		if err := c.findable(t, s, wanted); err != nil {
			return err
		}
		configure, remove := scripts(alternatives(t, s, wanted), wanted == runtime)
		if info.Scripts.PostInstall, err = p.keep([]byte(configure)); err != nil {
			return err
		}
		if info.Scripts.PreRemove, err = p.keep([]byte(remove)); err != nil {
			return err
		}
	}
	return p.write(s, info, c)
}
