package boot

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// The info key "file" names a file with further hints (MPI 5.0, 11.8.4), a line for each: "key = value".
// Blanks around both do not count, empty lines and lines that begin with "#" are passed over. What the info
// object says itself goes before what the file says.

// fileKeys are the keys that may stand in such a file.
var fileKeys = []string{"wdir", "path", "host", "hosts", "soft", envHint, "mpi_initial_errhandler", "mpi_memory_alloc_kinds"}

// envHint sets a variable, NAME=value, of the new processes. In a file there may be several; in an info
// object they are separated by newlines.
const envHint = "env"

// longestFile is the largest file of hints in bytes.
const longestFile = 1 << 20

// hints are those of a program, with what stands in the file that one of them names.
func (p *Program) hints() ([]Hint, error) {
	var all []Hint
	for _, h := range p.Hints {
		if h.Key == "file" {
			more, err := readHints(h.Value)
			if err != nil {
				return nil, fmt.Errorf("info key file: %w", err)
			}
			all = append(all, more...)
		}
	}
	for _, h := range p.Hints {
		switch h.Key {
		case "file":
		case envHint:
			for _, v := range strings.Split(h.Value, "\n") {
				if v != "" {
					all = append(all, Hint{envHint, v})
				}
			}
		default:
			all = append(all, h)
		}
	}
	return all, nil
}

// readHints reads a file of hints.
func readHints(name string) ([]Hint, error) {
	// One that is no regular file could have us wait for ever.
	if s, err := os.Stat(name); err != nil {
		return nil, err
	} else if !s.Mode().IsRegular() || s.Size() > longestFile {
		return nil, fmt.Errorf("%q is no regular file of at most %d bytes", name, longestFile)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []Hint
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !found:
			return nil, fmt.Errorf("%q, line %d: %q is not of the form key = value", name, i+1, short(line))
		case !slices.Contains(fileKeys, key):
			return nil, fmt.Errorf("%q, line %d: the key is %q, must be one of %s", name, i+1, short(key), strings.Join(fileKeys, ", "))
		case strings.ContainsRune(value, 0):
			return nil, fmt.Errorf("%q, line %d: the value of %s has a zero byte", name, i+1, key)
		}
		all = append(all, Hint{key, value})
	}
	return all, nil
}

// short is a text as it is shown in an error.
func short(text string) string {
	const most = 60
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
