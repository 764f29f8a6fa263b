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
	"runtime"
	"slices"
	"strings"
	"sync"

	"gompi/tests/conformance/cache"
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

	// gfortran names the place, shows the line, and then says what is wrong
	spread = regexp.MustCompile(`(?m)^(\S+:\d+:\d+:)\n(?:.*\n)*?((?:Fatal )?Error: .*)$`)
)

// firstComplaint finds the line of a compiler's output that says what is wrong.
func firstComplaint(output string, err error) string {
	line := complaint.FindString(output)
	if m := spread.FindStringSubmatch(output); line == "" && m != nil {
		line = m[1] + " " + m[2]
	}
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
	driverSupport = "util/run_mpitests.c"
)

// languageSupport is the support code of languages other than C.
var languageSupport = map[suite.Language]string{suite.F77: "util/mtest_f77.f", suite.F90: "util/mtest_f90.f90",
	suite.F08: "util/mtest_f08.f90", suite.CXX: "util/mtest_cxx.cxx"}

// Builder builds programs of a suite with one MPI. What is built stays in a cache for the next time. It may
// be used from several goroutines.
type Builder struct {
	mpi     *MPI
	suite   string // folder of the suite
	entry   *cache.Entry
	dir     string          // for what is built, particular to all that it depends on
	slots   chan struct{}   // one for each compiler that runs at a time
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

// NewBuilder prepares to build programs of the suite in the folder suiteDir, which has the key suiteKey. It
// uses an entry of the cache that is particular to this implementation, this suite and the way of building,
// and puts the configuration and the support code there. Close is to be called at the end.
func NewBuilder(ctx context.Context, m *MPI, suiteDir, suiteKey string, c cache.Cache) (*Builder, error) {
	config, err := m.config(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %q %s %s %s", m.Key, suiteKey, flags, config, poolsHeader,
		spawnSource+handlerSource))
	entry, err := c.Use(ctx, "programs", hex.EncodeToString(sum[:6]))
	if err != nil {
		return nil, err
	}
	b := &Builder{mpi: m, suite: suiteDir, entry: entry, dir: entry.Dir,
		slots:   make(chan struct{}, runtime.NumCPU()),
		support: map[string]bool{}, built: map[string]*building{}}
	if err := b.prepare(ctx, config); err != nil {
		entry.Close()
		return nil, err
	}
	return b, nil
}

// Close ends the use of what was built.
func (b *Builder) Close() { b.entry.Close() }

// prepare makes what all programs need.
func (b *Builder) prepare(ctx context.Context, config string) error {
	if err := writeConfig(b.dir, config); err != nil {
		return err
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	begin := func(do func() error) {
		wg.Go(func() {
			err := do()
			mu.Lock()
			failed = errors.Join(failed, err)
			mu.Unlock()
		})
	}
	for _, s := range append(commonSupport[:len(commonSupport):len(commonSupport)], singleSupport,
		threadSupport, dtypesSupport, driverSupport) {
		begin(func() error { return b.supply(ctx, suite.C, s, "-DCONFORMANCE_MTEST") })
	}
	for language, s := range languageSupport {
		args := []string{"-DCONFORMANCE_MTEST"}
		if language.Fortran() {
			args = []string{"-cpp", "-DMTestSpawnPossible=suite_spawn_possible"}
		}
		begin(func() error { return b.supply(ctx, language, s, args...) })
	}
	begin(func() error {
		return b.make(ctx, suite.C, b.object("spawn.c"), "-c", filepath.Join(b.dir, "spawn.c"))
	})
	for _, name := range handlerSetters {
		begin(func() error {
			return b.make(ctx, suite.C, b.object(name+".c"), "-DSETTER="+name, "-c", filepath.Join(b.dir, "handler.c"))
		})
	}
	begin(func() error { return b.generate(ctx) })
	wg.Wait()
	if failed != nil {
		return failed
	}
	return b.archive(ctx)
}

// supply compiles a piece of support code. Where the compiler refuses it, the programs that need it will
// fail, and they alone.
func (b *Builder) supply(ctx context.Context, language suite.Language, source string, args ...string) error {
	err := b.make(ctx, language, b.object(source), append(args, "-c", filepath.Join(b.suite, source))...)
	if _, refused := errors.AsType[*BuildError](err); refused {
		return nil
	}
	if err != nil {
		return fmt.Errorf("support code of the suite: %s: %w", source, err)
	}
	b.mu.Lock()
	b.support[source] = true
	b.mu.Unlock()
	return nil
}

// archive gathers the common support code, so that a program is linked with what it needs of it, and fails
// alone where that is missing.
func (b *Builder) archive(ctx context.Context) error {
	if _, err := os.Stat(b.library()); err == nil {
		return nil
	}
	partial, remove, err := beginFile(b.library())
	if err != nil {
		return err
	}
	defer remove()
	args := []string{"rcs", partial, b.object("spawn.c")}
	for _, name := range handlerSetters {
		args = append(args, b.object(name+".c"))
	}
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
	return filepath.Join(b.dir, "support", strings.TrimSuffix(filepath.Base(source), filepath.Ext(source))+".o")
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
	language := suite.LanguageOf(t.Folder)
	if !slices.ContainsFunc(r.Sources, func(s string) bool { return filepath.Ext(s) != ".c" }) {
		language = suite.C
	}
	if language.Fortran() {
		p.err = b.fortran(ctx, language, p.path, t, r)
		return p.path, p.err
	}
	args := append([]string{}, r.Defines...)
	for _, s := range r.Sources {
		args = append(args, b.source(t.Folder, s))
	}
	support := []string{}
	if r.Driver {
		support = append(support, driverSupport)
	}
	if language == suite.CXX {
		support = append(support, languageSupport[language])
	} else if r.Threads {
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
	p.err = b.program(ctx, language, p.path, append(args, "-lm")...)
	return p.path, p.err
}

// make has the compiler make an object, unless it is there. It appears under its name when it is complete.
func (b *Builder) make(ctx context.Context, language suite.Language, file string, args ...string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	return b.produce(ctx, file, args, func(partial string, args []string) error {
		_, err := b.mpi.run(ctx, b.mpi.wrapper(language), "", append(args, "-o", partial)...)
		return err
	})
}

// program has a program made, likewise.
func (b *Builder) program(ctx context.Context, language suite.Language, file string, args ...string) error {
	if b.mpi.runnable(file) {
		return nil
	}
	return b.produce(ctx, file, args, func(partial string, args []string) error {
		return b.mpi.link(ctx, language, partial, args...)
	})
}

// produce has a compiler called, one for each processor at a time, with the flags that all have in common.
func (b *Builder) produce(ctx context.Context, file string, args []string,
	call func(partial string, args []string) error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	partial, remove, err := beginFile(file)
	if err != nil {
		return err
	}
	defer remove()
	select {
	case b.slots <- struct{}{}:
		defer func() { <-b.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	all := append([]string{}, flags...)
	all = append(all, "-I"+filepath.Join(b.dir, "include"), "-I"+filepath.Join(b.suite, "include"),
		"-I"+filepath.Join(b.suite, "dtpools", "include"), "-I"+b.generated("headers"))
	if err := call(partial, append(all, args...)); err != nil {
		return err
	}
	return os.Rename(partial, file)
}

// beginFile names a file that takes the place of another when it is complete, and that no other process uses.
// remove is to be called at the end.
func beginFile(file string) (partial string, remove func(), err error) {
	dir, err := os.MkdirTemp(filepath.Dir(file), ".partial-")
	return filepath.Join(dir, filepath.Base(file)), func() { os.RemoveAll(dir) }, err
}
