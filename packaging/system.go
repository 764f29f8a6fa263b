package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // the formats register themselves
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// What the packages of distributions have in common: a folder of gompi's own below the folder of libraries,
// with everything in it, and links to it from where the system looks. So it stands beside other MPIs.

// A system is a kind of distribution.
type system struct {
	format    string          // nfpm's name of it
	libraries string          // the folder of libraries
	names     map[part]string // of the packages
	modules   string          // where module files are looked for

	libraryMode os.FileMode // what libraries may have
}

// home is gompi's folder.
func (s system) home() string { return s.libraries + "/gompi" }

var descriptions = map[part]string{
	runtime: "Message Passing Interface with the standard's ABI: library and launcher\n" +
		"gompi runs parallel programs of the MPI 5.0 standard:\nlibmpi_abi.so.1, mpiexec, gompi-info and gompi-top.",
	development: "Message Passing Interface with the standard's ABI: compiler wrappers\n" +
		"mpicc, mpicxx and mpifort with headers, the sources of Fortran's\nmodules, and files for pkg-config and CMake.",
	manual: "Message Passing Interface with the standard's ABI: documentation\n" +
		"Guide, examples, pages about how gompi works, and manual pages of the\nfunctions.",
}

// A contents collects the files of one package.
type contents struct {
	product
	list files.Contents
}

func (c *contents) add(kind, source, destination string, mode os.FileMode) {
	c.list = append(c.list, &files.Content{Source: source, Destination: destination, Type: kind,
		FileInfo: &files.ContentFileInfo{Mode: mode, MTime: c.date}})
}

// link makes destination a link to another place of the package, by a relative path.
func (c *contents) link(target, destination string) error {
	relative, err := filepath.Rel(path.Dir(destination), target)
	if err != nil {
		return err
	}
	c.add(files.TypeSymlink, relative, destination, 0)
	return nil
}

// text makes destination a file of that text.
func (c *contents) text(text []byte, destination string, mode os.FileMode) error {
	source, err := c.keep(text)
	if err != nil {
		return err
	}
	c.add(files.TypeFile, source, destination, mode)
	return nil
}

// keep writes a text where it stays until the packages are made.
func (p product) keep(text []byte) (string, error) {
	f, err := os.CreateTemp(p.scratch, "text")
	if err != nil {
		return "", err
	}
	if _, err := f.Write(text); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// compressed packs as gzip -9n does: without a name and a time.
func compressed(text []byte) []byte {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.Write(text)
	w.Close()
	return packed.Bytes()
}

// place puts the files of a part of the tree where the system wants them.
func (c *contents) place(t tree, s system, wanted part) error {
	for _, f := range t.of(wanted) {
		folder, name := path.Split(f.name)
		var err error
		switch {
		case strings.HasPrefix(folder, "share/man/"):
			err = c.page(t, f)
		case strings.HasPrefix(folder, "share/doc/"):
			c.add(files.TypeFile, t.path(f), "/usr/"+f.name, f.mode)
		case f.target != "":
			c.add(files.TypeSymlink, f.target, s.home()+"/"+f.name, 0)
		default:
			mode := f.mode
			if folder == "lib/" {
				mode &= s.libraryMode
			}
			c.add(files.TypeFile, t.path(f), s.home()+"/"+f.name, mode)
		}
		if err == nil && folder == "bin/" {
			err = c.link(s.home()+"/"+f.name, "/usr/bin/"+commandName(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// commandName is what a command is called in /usr/bin, where each MPI has its own mpiexec.
func commandName(name string) string {
	if strings.HasPrefix(name, "gompi") {
		return name
	}
	return name + ".gompi"
}

// page puts a manual page beside those of other MPIs: pages of functions are in a subsection, those of
// commands have the names of the commands in /usr/bin.
func (c *contents) page(t tree, f file) error {
	text, err := os.ReadFile(t.path(f))
	if err != nil {
		return err
	}
	base, section, _ := strings.Cut(path.Base(f.name), ".")
	name := commandName(base) + "." + section
	if section != "1" {
		name = base + "." + section + "gompi"
	}
	return c.text(compressed(text), "/usr/share/man/man"+section+"/"+name+".gz", 0o644)
}

// pkgConfigNames are pkg-config's names of gompi: in the tree, beside other MPIs, and as the system's MPI.
var pkgConfigNames = []struct{ tree, own, general string }{
	{"gompi", "gompi", "mpi"}, {"mpi-c", "gompi-c", "mpi-c"}, {"mpi-cxx", "gompi-cxx", "mpi-cxx"},
	{"mpi-fort", "gompi-fort", "mpi-fort"},
}

// findable puts the files for CMake, pkg-config and modules where they are looked for.
func (c *contents) findable(t tree, s system, wanted part) error {
	if wanted == runtime {
		return c.link(s.home()+"/share/modulefiles/gompi/"+c.version, s.modules)
	}
	if err := c.link(s.home()+"/lib/cmake/gompi", s.libraries+"/cmake/gompi"); err != nil {
		return err
	}
	// pkg-config takes the place of a link for that of the file, so these are files. What is linked by them
	// may run where their folder is not there, so that no path goes through it.
	for _, names := range pkgConfigNames {
		text, err := os.ReadFile(filepath.Join(t.root, "lib/pkgconfig", names.tree+".pc"))
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("${pcfiledir}/.."), []byte(s.home()+"/lib"))
		if err := c.text(text, s.libraries+"/pkgconfig/"+names.own+".pc", 0o644); err != nil {
			return err
		}
	}
	return nil
}

// info is what the packages of all systems say of themselves.
func (p product) info(s system, t tree, wanted part) *nfpm.Info {
	info := &nfpm.Info{
		Name: s.names[wanted], Arch: t.arch, Platform: "linux", Version: p.version, Release: "1",
		Section: "libs", Priority: "optional", License: "MIT", MTime: p.date,
		Maintainer: p.owner, Description: descriptions[wanted],
	}
	info.RPM.BuildHost = "localhost"
	info.RPM.Packager = info.Maintainer
	info.Deb.Compression, info.RPM.Compression = "xz", "xz"
	if p.plain {
		info.Deb.Compression, info.RPM.Compression = "none", "gzip:0"
	}
	if wanted == manual {
		info.Section, info.Arch = "doc", "all"
	}
	if wanted == development {
		info.Section = "libdevel"
	}
	return info
}

// write makes one package.
func (p product) write(s system, info *nfpm.Info, c contents) error {
	info.Contents = c.list
	packager, err := nfpm.Get(s.format)
	if err != nil {
		return err
	}
	info = nfpm.WithDefaults(info)
	if err := nfpm.PrepareForPackager(info, s.format); err != nil {
		return err
	}
	f, err := p.file(packager.ConventionalFileName(info))
	if err != nil {
		return err
	}
	if err := packager.Package(info, f); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return f.Close()
}
