package toolchain

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gompi/tests/conformance/suite"
)

// Programs are shared by all builds of a library that have the same headers. A wrapper that writes into each
// program where its own library lies would have the programs of one build test the library of another. They
// are linked without that, and find the library under test by LD_LIBRARY_PATH.

// searchPath names the variable by which programs find their libraries.
const searchPath = "LD_LIBRARY_PATH"

// findLibraries finds out where the wrappers tell programs to look for the library.
func (m *MPI) findLibraries(ctx context.Context) {
	for _, language := range []suite.Language{suite.C, suite.F90, suite.CXX} {
		words, err := m.show(ctx, language)
		if err != nil {
			continue // the wrapper is not there, or has nothing to show
		}
		_, places := withoutPlaces(words)
		for _, p := range places {
			if !slices.Contains(m.places, p) {
				m.places = append(m.places, p)
			}
		}
	}
	if len(m.places) == 0 {
		return
	}
	path := m.places
	if set := os.Getenv(searchPath); set != "" {
		path = append(path[:len(path):len(path)], set)
	}
	m.Env = append(m.Env, searchPath+"="+strings.Join(path, string(filepath.ListSeparator)))
}

// show gives the command that the wrapper of a language amounts to, with further arguments.
func (m *MPI) show(ctx context.Context, language suite.Language, args ...string) ([]string, error) {
	text, err := m.run(ctx, m.wrapper(language), "", append([]string{"-show"}, args...)...)
	if err != nil {
		return nil, err
	}
	return splitWords(string(text)), nil
}

// link has the wrapper of a language link a program that holds no place of a library.
func (m *MPI) link(ctx context.Context, language suite.Language, program string, args ...string) error {
	args = append(args[:len(args):len(args)], "-o", program)
	if len(m.places) == 0 {
		_, err := m.run(ctx, m.wrapper(language), "", args...)
		return err
	}
	words, err := m.show(ctx, language, args...)
	if err != nil {
		return err
	}
	words, _ = withoutPlaces(words)
	if _, err := m.run(ctx, words, ""); err != nil {
		return err
	}
	return placeless(program)
}

// placeless says what is wrong with a program that is to be run with another build of the library: it is
// incomplete, or names a place of its own.
func placeless(program string) error {
	f, err := elf.Open(program)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		if found, err := f.DynString(tag); err != nil || len(found) > 0 {
			return errors.Join(err, fmt.Errorf("%s: %v is %q, and it would load that library", program, tag, found))
		}
	}
	return nil
}

// runnable reports whether a program that was built before may be used.
func (m *MPI) runnable(program string) bool {
	if len(m.places) == 0 {
		info, err := os.Stat(program)
		return err == nil && info.Size() > 0
	}
	return placeless(program) == nil
}

// loaded compares where ranks have the library from with where it is to come from.
func (m *MPI) loaded(libraries []string) error {
	if len(m.places) == 0 {
		return nil
	}
	if len(libraries) == 0 {
		return errors.New("no rank says where it has the library from")
	}
	for _, library := range libraries {
		real, err := filepath.EvalSymlinks(library)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(m.places, func(place string) bool {
			place, err := filepath.EvalSymlinks(place)
			return err == nil && place == filepath.Dir(real)
		}) {
			return fmt.Errorf("a rank has loaded %s, and the library under test lies in %s", library,
				strings.Join(m.places, " or "))
		}
	}
	return nil
}

// placeOption is the linker's option that writes a place into a program.
const placeOption = "-rpath"

// withoutPlaces takes options that write places into a program out of a command, in each of the ways in which
// a compiler hands them to the linker, and gives the places.
func withoutPlaces(words []string) (kept, places []string) {
	expected := false // the next word for the linker is a place
	for i := 0; i < len(words); i++ {
		list, isList := strings.CutPrefix(words[i], "-Wl,")
		options := strings.Split(list, ",")
		if words[i] == "-Xlinker" && i+1 < len(words) {
			i++
			options = []string{words[i]}
		} else if !isList {
			kept = append(kept, words[i])
			continue
		}
		var rest []string
		for _, o := range options {
			name, place, joined := strings.Cut("-"+strings.TrimLeft(o, "-"), "=")
			switch {
			case expected:
				places, expected = append(places, o), false
			case name != placeOption:
				rest = append(rest, o)
			case joined:
				places = append(places, place)
			default:
				expected = true
			}
		}
		if !isList && len(rest) > 0 {
			kept = append(kept, "-Xlinker", rest[0])
		} else if len(rest) > 0 {
			kept = append(kept, "-Wl,"+strings.Join(rest, ","))
		}
	}
	return kept, places
}

// splitWords takes a command apart as a shell would.
func splitWords(text string) []string {
	var words []string
	var word strings.Builder
	begun := false
	quote := rune(0)
	escaped := false
	for _, c := range text {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
