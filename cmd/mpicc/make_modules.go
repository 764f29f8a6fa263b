package main

import (
	"os"
	"path/filepath"
	"strings"
)

// makeModules compiles the modules at the best level that the compiler knows into folder, which appears when
// all of them are there.
func makeModules(cc compilerCommand, t tree, folder string, v variant) (report string, err error) {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", err
	}
	var best attempt
	why := "-no-descriptors was given"
	for i, l := range levels {
		if i == 0 && v.plain {
			continue
		}
		a, err := makeLevel(cc, t, filepath.Dir(folder), l, v, why)
		defer os.RemoveAll(a.folder)
		if err != nil {
			return "", err
		}
		if i == 0 {
			why = a.lost
		}
		if a.made > best.made || best.folder == "" {
			best = a
		}
		if best.lost == "" {
			break
		}
	}
	if err := os.Chmod(best.folder, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(best.folder, folder); err != nil {
		if _, there := os.Stat(filepath.Join(folder, "report")); there != nil {
			return "", err
		} // another process has been faster
	}
	return best.report, nil
}

// attempt is what has become of one level.
type attempt struct {
	folder string
	report string
	made   int    // modules that a user names
	lost   string // why one of them cannot be made; "" when all are there
}

// makeLevel compiles the modules of a level into a folder of their own below parent. why is the reason to be
// given for a level that is not the best.
func makeLevel(cc compilerCommand, t tree, parent string, l level, v variant, why string) (attempt, error) {
	work, err := os.MkdirTemp(parent, "making")
	if err != nil {
		return attempt{}, err
	}
	a := attempt{folder: work}
	if err := writeSources(work, t, l, v.wide); err != nil {
		return a, err
	}
	compile := func(words ...string) (string, bool) {
		return outputIn(work, append(cc.commandLine(), words...)...)
	}
	lost := map[string]string{} // by module: why it cannot be made
	failed := ""                // why later modules cannot be made
	for _, s := range moduleSources {
		if failed == "" {
			if said, ok := compile("-fsyntax-only", s.file); !ok {
				failed = firstError(said)
			}
		}
		if s.module != "" {
			lost[s.module] = failed
		}
		if s.module == "mpi" {
			failed = "" // the other one may do without
		}
	}
	if lost["mpi_f08"] == "" {
		if lost["mpi_f08"] = try(work, t, l.source(l.probe), compile); lost["mpi_f08"] != "" {
			os.Remove(filepath.Join(work, "mpi_f08.mod"))
		}
	}
	for _, s := range moduleSources {
		switch reason := lost[s.module]; {
		case s.module == "":
		case reason != "":
			a.report += "module " + s.module + ": no: " + reason + "\n"
			a.lost = reason
		default:
			noted := ""
			if s.module == "mpi_f08" && l.noted != "" {
				noted = l.noted + why
			}
			a.report += "module " + s.module + ": yes" + noted + "\n"
			a.made++
		}
	}
	files, _ := filepath.Glob(filepath.Join(work, "*"))
	for _, file := range files {
		if ext := filepath.Ext(file); ext != ".mod" && ext != ".h" {
			os.Remove(file)
		}
	}
	return a, os.WriteFile(filepath.Join(work, "report"), []byte(a.report), 0o644)
}

// writeSources writes the sources of a level into a folder, and mpif.h where it is not the same for all.
func writeSources(folder string, t tree, l level, wide bool) error {
	files := []string{filepath.Join(t.include, "mpif.h")}
	for _, s := range moduleSources {
		files = append(files, filepath.Join(t.share, s.file))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		source := string(text)
		switch isHeader := filepath.Ext(file) == ".h"; {
		case isHeader && !wide:
			continue
		case !isHeader:
			source = l.source(source)
		}
		if wide {
			source = widened(source)
		}
		to := filepath.Join(folder, filepath.Base(file))
		if err := os.WriteFile(to, []byte(source), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// try compiles, links and runs a probe; "" when it works.
func try(work string, t tree, probe string, compile func(...string) (string, bool)) string {
	if err := os.WriteFile(filepath.Join(work, "probe.f90"), []byte(probe), 0o644); err != nil {
		return err.Error()
	}
	said, ok := compile(append([]string{"-o", "probe", "probe.f90"}, t.fortranLinkFlags()...)...)
	if !ok {
		return firstError(said)
	}
	if said, ok = outputIn(work, filepath.Join(work, "probe")); !ok || strings.TrimSpace(said) != "works" {
		return "a program compiled with it gets wrong results"
	}
	return ""
}
