package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// StartError is a program that cannot be started, with the exit code that shells use for the case.
type StartError struct {
	Code int
	text string
}

// NewStartError makes one.
func NewStartError(code int, text string) *StartError { return &StartError{code, text} }

// Error implements error.
func (e *StartError) Error() string { return e.text }

// Lookup finds the file to run for a program named in a job. As in a shell, a name with a slash is a path,
// from the working directory of the ranks; any other name is looked for in searchPath. A name that is nowhere
// there but is a program in the working directory means that one: "mpiexec -n 4 hello" does what its author
// meant.
func Lookup(name, dir, searchPath string) (string, error) {
	in := func(folder string) string {
		if !filepath.IsAbs(folder) && dir != "" {
			folder = filepath.Join(dir, folder)
		}
		if folder == "" {
			folder = "."
		}
		return folder + "/" + name
	}
	if name == "" {
		return "", &StartError{ExitNotFound, "the name of the program is empty"}
	}
	if strings.Contains(name, "/") {
		if err := runnable(Within(dir, name)); err != nil {
			return "", explain(name, err)
		}
		return name, nil
	}
	var denied error
	for _, folder := range filepath.SplitList(searchPath) {
		if err := runnable(in(folder)); err == nil {
			return in(folder), nil
		} else if !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.ENOTDIR) {
			denied = err
		}
	}
	err := runnable(in(""))
	if err == nil {
		return "./" + name, nil
	}
	if denied != nil {
		err = denied
	}
	if errors.Is(err, unix.ENOENT) {
		return "", &StartError{ExitNotFound, fmt.Sprintf("program %q is neither in PATH nor in the working directory", name)}
	}
	return "", explain(name, err)
}

// Lookup finds the file to run for a program: by the PATH of its ranks, or that of the launcher where they
// get none (-envnone).
func (app *App) Lookup() (string, error) {
	if app.File != "" {
		return app.File, nil
	}
	path := Variable(app.Env, "PATH")
	if path == "" {
		path = os.Getenv("PATH")
	}
	if app.Path != "" {
		path = app.Path + ":" + path
	}
	return Lookup(app.Argv[0], app.Dir, path)
}

// Within is a path as seen from the launcher, for ranks whose working directory is dir; "" is the launcher's
// own.
func Within(dir, path string) string {
	if filepath.IsAbs(path) || dir == "" {
		return path
	}
	return filepath.Join(dir, path)
}

// runnable tells why a path cannot be run, or nil.
func runnable(path string) error {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		return unix.EISDIR
	}
	return unix.Access(path, unix.X_OK)
}

// explain says in words why a program cannot be run.
func explain(name string, err error) *StartError {
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return &StartError{ExitNotFound, fmt.Sprintf("program %q not found", name)}
	case errors.Is(err, unix.EISDIR):
		return &StartError{ExitNotRunnable, fmt.Sprintf("program %q is a directory", name)}
	case errors.Is(err, unix.EACCES):
		return &StartError{ExitNotRunnable, fmt.Sprintf("program %q is not executable (permission denied)", name)}
	}
	return &StartError{ExitNotRunnable, fmt.Sprintf("program %q cannot be run: %v", name, err)}
}

// ExplainExec says why execve refused a file that lookup had accepted.
func ExplainExec(name, path, dir string, err error) *StartError {
	if dir != "" && unix.Access(dir, unix.X_OK) != nil {
		return &StartError{ExitSetup, fmt.Sprintf("working directory %q cannot be entered", dir)}
	}
	if !filepath.IsAbs(path) && dir != "" {
		path = filepath.Join(dir, path)
	}
	head := fileHead(path)
	switch {
	case errors.Is(err, unix.ENOENT) && bytes.HasPrefix(head, []byte("#!")):
		line, _, _ := bytes.Cut(head[2:], []byte("\n"))
		return &StartError{ExitNotRunnable, fmt.Sprintf("the interpreter %q of program %q not found", strings.TrimSpace(string(line)), name)}
	case errors.Is(err, unix.ENOENT):
		return &StartError{ExitNotRunnable, fmt.Sprintf("program %q needs a dynamic loader that is not on this machine", name)}
	case errors.Is(err, unix.ENOEXEC):
		return &StartError{ExitNotRunnable, fmt.Sprintf("program %q is not in a format that this machine runs", name)}
	}
	return explain(name, err)
}

// isScript reports whether a file that execve refused with ENOEXEC is a shell script without its "#!" line,
// which execvp and every shell run with /bin/sh.
func isScript(path, dir string) bool {
	if !filepath.IsAbs(path) && dir != "" {
		path = filepath.Join(dir, path)
	}
	head := fileHead(path)
	return len(head) > 0 && bytes.IndexByte(head, 0) < 0
}

// fileHead is the beginning of a file, empty when it cannot be read.
func fileHead(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 128)
	n, _ := f.Read(head)
	return head[:n]
}

// FindIn is the first program of that name in some folders, "" when there is none.
func FindIn(folders []string, name string) string {
	for _, f := range folders {
		if file := filepath.Join(f, name); runnable(file) == nil {
			return file
		}
	}
	return ""
}

// TooMany explains why a descriptor could not be had.
func TooMany(what string, err error) error {
	if err == unix.EMFILE || err == unix.ENFILE {
		return fmt.Errorf("too many ranks for the limit of open files (see ulimit -n): no descriptor for %s", what)
	}
	return fmt.Errorf("%s for a rank: %w", what, err)
}
