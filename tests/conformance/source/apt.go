package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// apt is apt-get with a private configuration: everything it reads and writes lies in one folder.
type apt struct {
	dir      string // holds sources, lists and cache
	settings string // the system's settings of apt, such as /etc/apt
}

// run runs apt-get in the given folder.
func (a apt) run(ctx context.Context, in string, args ...string) error {
	options := []string{
		"-q", "-o", "Dir::Etc::sourcelist=" + filepath.Join(a.dir, "sources.list"), "-o", "Dir::Etc::sourceparts=-",
		"-o", "Dir::State::lists=" + filepath.Join(a.dir, "lists"), "-o", "Dir::Cache=" + filepath.Join(a.dir, "cache"),
		"-o", "APT::Get::List-Cleanup=0", "-o", "Acquire::Retries=2",
	}
	cmd := exec.CommandContext(ctx, "apt-get", append(options, args...)...)
	cmd.Dir = in
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("apt-get %s: %w\n%s", strings.Join(args, " "), err, lastLines(string(out), 5))
	}
	return nil
}

// configure makes the folders and the list of source archives.
func (a apt) configure() error {
	for _, d := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(a.dir, d), 0o755); err != nil {
			return err
		}
	}
	archives, err := a.archives()
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, x := range archives {
		text.WriteString(x.sourceLine())
	}
	return os.WriteFile(filepath.Join(a.dir, "sources.list"), []byte(text.String()), 0o644)
}

// archives lists the distribution's own archives that the system's apt uses.
func (a apt) archives() ([]archive, error) {
	var found []archive
	lists, _ := filepath.Glob(filepath.Join(a.settings, "sources.list.d", "*.list"))
	for _, name := range append([]string{filepath.Join(a.settings, "sources.list")}, lists...) {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		found = append(found, parseList(string(text))...)
	}
	paragraphs, _ := filepath.Glob(filepath.Join(a.settings, "sources.list.d", "*.sources"))
	for _, name := range paragraphs {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found = append(found, parseDeb822(string(text))...)
	}
	found = slices.DeleteFunc(found, func(x archive) bool { return !x.distribution() })
	if len(found) == 0 {
		return nil, fmt.Errorf("apt knows no archive of the distribution's (looked in %s)", a.settings)
	}
	return found, nil
}

// lastLines returns the last n lines of a text.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
