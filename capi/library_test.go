package main

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"gompi/api"
)

// built is the library as programs get it, in a folder of its own; made by TestMain.
var built string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gompi")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built = dir
	library := []string{"../scripts/build-library"}
	if tree := os.Getenv("BUILD"); tree != "" { // where it has been built
		library = []string{"cp", filepath.Join(tree, "lib/libgompi.so")}
	}
	for _, command := range [][]string{
		append(library, filepath.Join(dir, "libmpi_abi.so.1")),
		{"cc", "-Wall", "-Wextra", "-I../include", "-o", filepath.Join(dir, "init_state"), "testdata/init_state.c", filepath.Join(dir, "libmpi_abi.so.1"), "-Wl,-rpath," + dir, "-lpthread"},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
		cancel()
		if err != nil {
			panic(strings.Join(command, " ") + "\n" + string(out))
		}
	}
	return m.Run()
}

func TestSymbols(t *testing.T) {
	f, err := elf.Open(filepath.Join(built, "libmpi_abi.so.1"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	d, err := api.Load()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, fn := range d.Functions {
		node := ""
		if fn.Extra {
			node = "GOMPI_EXTRA_1"
		}
		for _, n := range fn.CNames() {
			want[api.Symbol("MPI_", n)], want[api.Symbol("PMPI_", n)] = "weak "+node, "strong "+node
		}
	}
	// for libmpifort_abi.so and libgompi-trace.so
	for _, name := range []string{"gompi_with_callers", "gompi_follow", "gompi_lay_out", "gompi_call_places"} {
		want[name] = "strong GOMPI_PRIVATE_1"
	}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || elf.ST_TYPE(s.Info) != elf.STT_FUNC {
			if s.Section != elf.SHN_UNDEF && s.Name != "GOMPI_EXTRA_1" && s.Name != "GOMPI_PRIVATE_1" {
				t.Errorf("%s is visible and is no function", s.Name)
			}
			continue
		}
		got := map[elf.SymBind]string{elf.STB_WEAK: "weak ", elf.STB_GLOBAL: "strong "}[elf.ST_BIND(s.Info)] + s.Version
		switch node, ok := want[s.Name]; {
		case !ok:
			t.Errorf("%s is visible", s.Name)
		case node != got:
			t.Errorf("%s is %q, want %q", s.Name, got, node)
		}
		delete(want, s.Name)
	}
	var missing []string
	for n := range want {
		missing = append(missing, n)
	}
	sort.Strings(missing)
	if missing != nil {
		t.Errorf("missing: %v", missing)
	}
	if libs, err := f.ImportedLibraries(); err != nil || len(libs) != 1 || libs[0] != "libc.so.6" {
		t.Errorf("the library needs %v, %v; want libc.so.6 alone", libs, err)
	}
	if name, err := f.DynString(elf.DT_SONAME); err != nil || len(name) != 1 || name[0] != "libmpi_abi.so.1" {
		t.Errorf("SONAME %v, %v", name, err)
	}
}

func TestInitState(t *testing.T) {
	for _, c := range []struct {
		what   string
		signal syscall.Signal // that ends the program, 0 for an exit
		code   int
		out    string // part of stdout
		err    string // part of stderr; empty means no stderr at all
	}{
		{what: "nothing", out: "initialized; finalized 1 1\n"},
		{what: "legal at any time", out: "initialized 0, ABI 1.0, time 1\n"},
		{what: "fault before init", signal: syscall.SIGSEGV},
		{what: "pipe before init", signal: syscall.SIGPIPE},
		{what: "fault", signal: syscall.SIGSEGV},
		{what: "fault in a thread", signal: syscall.SIGSEGV},
		{what: "fault in a handler", signal: syscall.SIGSEGV},
		{what: "raise", signal: syscall.SIGSEGV},
		{what: "pipe", signal: syscall.SIGPIPE},
		{what: "ignored pipe", out: "write returns -1\n"},
		{what: "own handler", code: 7, out: "own handler\n"},
		{what: "environment", out: "GODEBUG=gctrace=1,inittrace=1 GOGC=1\n"},
		{what: "fork", out: "child exits with 5\nsystem works\n", err: "MPI_Comm_rank: called in a child of fork(), where MPI cannot be used before exec (MPI_ERR_OTHER)\n"},
		{what: "handler", out: "handler on self, rank 0: MPI_Send: dest: rank 3 is not in communicator \"MPI_COMM_SELF\" of size 1 (MPI_ERR_RANK)\ncode 6\n"},
		{what: "abort", code: 42, out: "initialized; ", err: "MPI_Abort with code 42\n"},
		{what: "abort 256", code: 1, out: "initialized; ", err: "MPI_Abort with code 256\n"},
		{what: "fatal", code: 6, out: "initialized; ", err: "gompi: rank 0 of 1 (pid "},
		{what: "fatal", code: 6, err: "): MPI_Send: dest: rank 9 is not in communicator \"MPI_COMM_WORLD\" of size 1 (MPI_ERR_RANK)\n"},
		{what: "too early", code: 16, err: ": MPI_Barrier: called before MPI_Init (MPI_ERR_OTHER)\n"},
		{what: "too late", code: 16, out: "finalized 1 1\n", err: "): MPI_Barrier: called after MPI_Finalize (MPI_ERR_OTHER)\n"},
		{what: "init again", code: 16, err: "MPI_Init: MPI has been initialized before, and can be only once (MPI_ERR_OTHER)\n"},
		{what: "constant buffer", out: "code 1\n"},
	} {
		t.Run(c.what, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, filepath.Join(built, "init_state"), c.what)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GODEBUG=gctrace=1,inittrace=1", "GOGC=1", "GOTRACEBACK=crash", "GOMAXPROCS=1"}
			err := cmd.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			switch {
			case c.signal != 0 && (!status.Signaled() || status.Signal() != c.signal):
				t.Errorf("ended by %v, want signal %v", cmd.ProcessState, c.signal)
			case c.signal == 0 && (!status.Exited() || status.ExitStatus() != c.code):
				t.Errorf("ended by %v, want exit code %d", cmd.ProcessState, c.code)
			}
			if !strings.Contains(stdout.String(), c.out) {
				t.Errorf("stdout is %q, want %q in it", stdout.String(), c.out)
			}
			if !strings.Contains(stderr.String(), c.err) || c.err == "" && stderr.Len() > 0 ||
				strings.Count(stderr.String(), "\n") > 1 {
				t.Errorf("stderr is %q, want one line with %q", stderr.String(), c.err)
			}
		})
	}
}
