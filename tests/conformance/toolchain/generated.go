package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// The suite makes a part of its sources when it is configured and built: headers that declare integers of the
// size of an address, and the programs that read and write files in each of the possible ways, from a
// template by a script in Perl that comes with it. This file has the same made, outside of the suite.

// addressHeaders are the headers of old Fortran; the names are unique, or the contents the same.
var addressHeaders = []string{"f77/*/*.h.in", "errors/f77/*/*.h.in"}

// merged are the folders whose programs come from a template.
var merged = []string{"f77/io", "f90/io", "f08/io", "cxx/io"}

// generated names a folder for what is generated. From "headers", which compilers search, the way to include
// is the one that some sources take: "../../include/mpitestconf.h".
func (b *Builder) generated(folder string) string { return filepath.Join(b.dir, "generated", folder) }

// generate makes the sources that are not in the suite.
func (b *Builder) generate(ctx context.Context) error {
	if err := os.MkdirAll(b.generated("headers"), 0o755); err != nil {
		return err
	}
	for _, pattern := range addressHeaders {
		found, _ := filepath.Glob(filepath.Join(b.suite, pattern))
		for _, name := range found {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			made := strings.NewReplacer("@F77_MPI_ADDRESS@", "integer*8", "@F77_MPI_OFFSET@", "integer*8").Replace(string(text))
			file := b.generated("headers/" + strings.TrimSuffix(filepath.Base(name), ".in"))
			if err := writeOnce(file, made); err != nil {
				return err
			}
		}
	}
	for _, folder := range merged {
		if err := b.merge(ctx, folder); err != nil {
			return fmt.Errorf("sources of %s: %w", folder, err)
		}
	}
	return nil
}

// merge has the programs of a folder made from its template. Without Perl, or without a template, there are
// none, and the tests that need them fail for that.
func (b *Builder) merge(ctx context.Context, folder string) error {
	perl, err := exec.LookPath("perl")
	if err != nil {
		return nil
	}
	script := filepath.Join(b.suite, "maint", "testmerge.in")
	definitions, template, err := b.template(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	dir := b.generated(folder)
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	partial, remove, err := beginFile(dir)
	if err != nil {
		return err
	}
	defer remove()
	if err := os.Mkdir(partial, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{"definitions": definitions, "template": template} {
		if err := os.WriteFile(filepath.Join(partial, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	// Not as a program: its first line is for configure to fill in, and names no interpreter.
	cmd := exec.CommandContext(ctx, perl, "-e", "do shift; die $@ if $@", script, "-defn="+filepath.Join(b.suite, "maint", "common.defn"),
		"definitions", "template")
	cmd.Dir = partial
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", script, err, out)
	}
	if err := os.Rename(partial, dir); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil // another process was first
}

var (
	oldFileName  = regexp.MustCompile(`filename="(.*)f\.f"`)
	offsetHeader = regexp.MustCompile(`include.*iooffset.*`)
	mpifHeader   = regexp.MustCompile(`include.*mpif.*`)
	oldComment   = regexp.MustCompile(`(?m)^C`)
	oldImplicit  = regexp.MustCompile(`(?m)^.*implicit *none.*\n`)
)

// template reads the template of a folder and what is to be put into it. Where f90 has none of its own it is
// made from that of f77, as the suite's maintainers make it.
func (b *Builder) template(folder string) (definitions, template string, err error) {
	read := func(folder string) (definitions, template string, err error) {
		d, err := os.ReadFile(filepath.Join(b.suite, folder, "ioharness.defn"))
		if err != nil {
			return "", "", err
		}
		t, err := os.ReadFile(filepath.Join(b.suite, folder, "ioharness.tlt"))
		return string(d), string(t), err
	}
	definitions, template, err = read(folder)
	if folder != "f90/io" || !errors.Is(err, os.ErrNotExist) {
		return definitions, template, err
	}
	definitions, template, err = read("f77/io")
	if err != nil {
		return "", "", err
	}
	definitions = oldFileName.ReplaceAllString(definitions, `filename="${1}f90.f90"`)
	definitions = offsetHeader.ReplaceAllString(definitions, "integer (kind=MPI_OFFSET_KIND)offset")
	template = oldImplicit.ReplaceAllString(template, "")
	template = mpifHeader.ReplaceAllString(template, "use mpi")
	template = strings.ReplaceAll(template, "fheader", "f90header")
	return definitions, oldComment.ReplaceAllString(template, "!"), nil
}
