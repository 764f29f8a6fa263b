// Command packaging makes gompi's packages of portable trees (scripts/portable-tree): deb, rpm, a tarball and
// a wheel for Python. `make packages` calls it. What a tree holds is found in it, and described once
// (tree.go); each form of a package says no more than where its system wants it.
//
// It is a module of its own, so that the library has no dependencies of it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// product is what all packages of a release have in common.
type product struct {
	version string
	date    time.Time // of every file, so that the same sources give the same bytes
	sources string    // gompi's sources
	out     string    // the folder for packages
	scratch string    // removed at the end
	owner   string    // name and address of who makes the packages
	plain   bool      // nothing is compressed, for tests
}

// forms are the packages that can be made of a tree.
var forms = map[string]func(product, tree) error{
	"deb": writeDebs, "rpm": writeRPMs, "tarball": writeTarball, "wheel": writeWheel,
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("packaging", flag.ContinueOnError)
	version := flags.String("version", "", "version of gompi, such as 0.1.0")
	out := flags.String("out", "", "folder for the packages")
	sources := flags.String("sources", "..", "folder of gompi's sources")
	only := flags.String("only", "deb,rpm,tarball,wheel", "which packages")
	owner := flags.String("maintainer", "The gompi authors <maintainers@gompi.invalid>", "who makes the packages")
	plain := flags.Bool("plain", false, "compress nothing, for tests")
	bill := flags.Bool("sbom", false, "write what the programs are made of beside the packages, as SPDX")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: packaging -version V -out FOLDER [flags] ARCH=TREE...")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *version == "" || *out == "" || flags.NArg() == 0 {
		flags.Usage()
		return errors.New("-version, -out and a tree are needed")
	}
	scratch, err := os.MkdirTemp("", "gompi-packaging-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	p := product{version: *version, date: sourceDate(), sources: *sources, out: *out, scratch: scratch,
		owner: *owner, plain: *plain}
	var trees []tree
	for _, arg := range flags.Args() {
		arch, build, ok := strings.Cut(arg, "=")
		if !ok || !slices.Contains(architectures, arch) {
			return fmt.Errorf("%s: want ARCH=TREE with one of %v", arg, architectures)
		}
		t, err := p.install(arch, build)
		if err != nil {
			return err
		}
		trees = append(trees, t)
		for form := range strings.SplitSeq(*only, ",") {
			write, ok := forms[form]
			if !ok {
				return fmt.Errorf("there is no package %q", form)
			}
			if err := write(p, t); err != nil {
				return fmt.Errorf("%s for %s: %w", form, arch, err)
			}
		}
	}
	if *bill {
		return writeBill(p, trees)
	}
	return nil
}

// sourceDate is what that SOURCE_DATE_EPOCH says in seconds since 1970; the beginning of 2020 without it.
func sourceDate() time.Time {
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC()
	}
	return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
}

// file creates a file of the release.
func (p product) file(name string) (*os.File, error) { return os.Create(filepath.Join(p.out, name)) }
