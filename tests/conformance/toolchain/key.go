package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"gompi/tests/conformance/suite"
)

// key condenses what a built program depends on: for each language, the command that compiles and links, the
// compiler's version, and the headers and modules. Where the implementation lies is no part of it.
func (m *MPI) key(ctx context.Context) (string, error) {
	header, err := m.compile(ctx, "#include <mpi.h>\n", "-E", "-dD", "-P", "-x", "c", "-")
	if err != nil {
		return "", fmt.Errorf("%s cannot compile a file that includes mpi.h: %w", m.CC[0], err)
	}
	sum := sha256.New()
	sum.Write(header)
	// There may be no bindings to C++, or no compiler.
	header, _ = m.run(ctx, m.CXX, "#include <mpi.h>\n", "-E", "-dD", "-P", "-x", "c++", "-")
	sum.Write(header)
	for _, language := range []suite.Language{suite.C, suite.F90, suite.CXX} {
		wrapper := m.wrapper(language)
		words, _ := m.show(ctx, language)
		words, _ = withoutPlaces(words)
		version, _ := m.run(ctx, wrapper, "", "--version")
		fmt.Fprintf(sum, "%q\n%s\n", m.anywhere(words), version)
		if language.Fortran() {
			if err := addModules(sum, words); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}

// anywhere gives words of a command without the folder that the implementation lies in.
func (m *MPI) anywhere(words []string) []string {
	wrapper := m.CC[0]
	if real, err := filepath.EvalSymlinks(wrapper); err == nil {
		wrapper = real
	}
	var pairs []string
	for _, name := range []string{wrapper, m.CC[0]} {
		if prefix := filepath.Dir(filepath.Dir(name)); prefix != "/" {
			pairs = append(pairs, prefix+"/", "/PREFIX/")
		}
	}
	moved := make([]string, len(words))
	for i, w := range words {
		moved[i] = strings.NewReplacer(pairs...).Replace(w)
	}
	return moved
}

// addModules adds what programs of Fortran include and use: mpif.h, which is not one of the preprocessor's
// files, and the modules.
func addModules(sum hash.Hash, words []string) error {
	for _, w := range words {
		folder, ok := strings.CutPrefix(w, "-I")
		if !ok {
			continue
		}
		for _, pattern := range []string{"mpi*.h", "mpi*.mod"} {
			names, _ := filepath.Glob(filepath.Join(folder, pattern))
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(sum, "%s %d\n", filepath.Base(name), len(text))
				sum.Write(text)
			}
		}
	}
	return nil
}
