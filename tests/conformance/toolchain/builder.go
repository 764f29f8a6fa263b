package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"gompi/tests/conformance/suite"
)

// BuildError says that a program could not be built.
type BuildError struct {
	Complaint string // the first error of compiler or linker, on one line
	Output    string // all that they said
}

func (e *BuildError) Error() string { return e.Complaint }

var (
	complaint = regexp.MustCompile(`(?m)^.*(?:error: |undefined reference).*$`)
	place     = regexp.MustCompile(`^\S*/`) // folders in front of a file's name
)

// firstComplaint finds the line of a compiler's output that says what is wrong.
func firstComplaint(output string, err error) string {
	line := complaint.FindString(output)
	if line == "" {
		line, _, _ = strings.Cut(strings.TrimSpace(output), "\n")
	}
	if line == "" {
		line = err.Error()
	}
	if i := strings.Index(line, "undefined reference"); i >= 0 {
		return line[i:] // in front of it stands the name of a temporary file
	}
	return place.ReplaceAllString(strings.TrimSpace(line), "")
}

// flags build every program. Warnings are the suite's own affair.
var flags = []string{"-O1", "-w", "-pthread"}

// Support code of the suite that programs are linked with, relative to the suite.
var (
	commonSupport = []string{
		"util/mtest.c", "util/mtest_common.c", "dtpools/src/dtpools.c", "dtpools/src/dtpools_misc.c", "dtpools/src/dtpools_init_verify.c",
		"dtpools/src/dtpools_desc.c", "dtpools/src/dtpools_attr.c", "dtpools/src/dtpools_custom.c",
	}
	singleSupport = "util/mtest_single.c"
	threadSupport = "util/mtest_thread.c"
	dtypesSupport = "util/dtypes.c"
)

// Builder builds programs of a suite with one MPI. What is built stays in its folder for the next time. It
// may be used from several goroutines.
type Builder struct {
	mpi     *MPI
	suite   string          // folder of the suite
	dir     string          // for what is built, particular to all that it depends on
	support map[string]bool // support code that could be built
	mu      sync.Mutex
	built   map[string]*building // by suite.Test.Name
}

// building is one program; done is closed when the rest is set.
type building struct {
	done chan struct{}
	path string
	err  error
}

// NewBuilder prepares to build programs of the suite in the folder suiteDir. It makes a folder below dir that
// is particular to this implementation, this suite and the way of building, with the configuration and the
// support code.
func NewBuilder(ctx context.Context, m *MPI, suiteDir, dir string) (*Builder, error) {
	config, err := m.config(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %q %s %s %s", m.Key, suiteDir, flags, config, poolsHeader, spawnSource))
	b := &Builder{mpi: m, suite: suiteDir, dir: filepath.Join(dir, hex.EncodeToString(sum[:6])),
		support: map[string]bool{}, built: map[string]*building{}}
	if err := writeConfig(b.dir, config); err != nil {
		return nil, err
	}
	for _, s := range append(commonSupport[:len(commonSupport):len(commonSupport)], singleSupport,
		threadSupport, dtypesSupport) {
		err := b.make(ctx, b.object(s), "-DCONFORMANCE_MTEST", "-c", filepath.Join(suiteDir, s))
		if _, refused := errors.AsType[*BuildError](err); refused {
			continue // the programs that need it will fail, and they alone
		}
		if err != nil {
			return nil, fmt.Errorf("support code of the suite: %s: %w", s, err)
		}
		b.support[s] = true
	}
	if err := b.make(ctx, b.object("spawn.c"), "-c", filepath.Join(b.dir, "spawn.c")); err != nil {
		return nil, err
	}
	return b, b.archive(ctx)
}

// archive gathers the common support code, so that a program is linked with what it needs of it, and fails
// alone where that is missing.
func (b *Builder) archive(ctx context.Context) error {
	partial := fmt.Sprintf("%s.%d.partial", b.library(), os.Getpid())
	defer os.Remove(partial)
	args := []string{"rcs", partial, b.object("spawn.c")}
	for _, s := range commonSupport {
		if b.support[s] {
			args = append(args, b.object(s))
		}
	}
	if out, err := exec.CommandContext(ctx, "ar", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ar: %w: %s", err, out)
	}
	return os.Rename(partial, b.library())
}

// library names the archive of the common support code.
func (b *Builder) library() string { return filepath.Join(b.dir, "support", "libsupport.a") }

// object names the object file of a piece of support code.
func (b *Builder) object(source string) string {
	return filepath.Join(b.dir, "support", strings.TrimSuffix(filepath.Base(source), ".c")+".o")
}

// Program builds the program of a test, once, and returns the path of the executable. The error is a
// *BuildError where the compiler or linker refuses.
func (b *Builder) Program(ctx context.Context, t suite.Test, r suite.Recipe) (string, error) {
	b.mu.Lock()
	p, ok := b.built[t.Name()]
	if !ok {
		p = &building{done: make(chan struct{})}
		b.built[t.Name()] = p
	}
	b.mu.Unlock()
	if ok {
		<-p.done
		return p.path, p.err
	}
	defer close(p.done)
	p.path = filepath.Join(b.dir, t.Folder, t.Program)
	args := append([]string{}, r.Defines...)
	for _, s := range r.Sources {
		args = append(args, filepath.Join(b.suite, t.Folder, s))
	}
	var support []string
	if r.Threads {
		args = append(args, "-DMTEST_USE_THREAD")
		support = append(support, threadSupport)
	} else {
		support = append(support, singleSupport)
	}
	if r.Dtypes {
		support = append(support, dtypesSupport)
	}
	for _, s := range support {
		if b.support[s] {
			args = append(args, b.object(s))
		}
	}
	args = append(args, b.library())
	p.err = b.make(ctx, p.path, append(args, "-lm")...)
	return p.path, p.err
}

// make has the compiler make a file, unless it is there. It appears under its name when it is complete.
func (b *Builder) make(ctx context.Context, file string, args ...string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	partial := fmt.Sprintf("%s.%d.partial", file, os.Getpid())
	defer os.Remove(partial)
	all := append([]string{}, flags...)
	all = append(all, "-I"+filepath.Join(b.dir, "include"), "-I"+filepath.Join(b.suite, "include"),
		"-I"+filepath.Join(b.suite, "dtpools", "include"), "-o", partial)
	if _, err := b.mpi.compile(ctx, "", append(all, args...)...); err != nil {
		return err
	}
	return os.Rename(partial, file)
}
