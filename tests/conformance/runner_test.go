package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gompi/tests/conformance/job"
	"gompi/tests/conformance/report"
	"gompi/tests/conformance/suite"
	"gompi/tests/conformance/toolchain"
)

func TestLimit(t *testing.T) {
	base := &report.Side{Results: map[string]report.Result{
		"a/quick 1": {Seconds: 0.1}, "a/slow 1": {Seconds: 7}, "a/long 1": {Seconds: 14},
		"a/short 1": {Seconds: 7}, "a/failed 1": {Kind: job.Output, Seconds: 1}}}
	for _, c := range []struct {
		program       string
		stated        time.Duration
		alone, beside time.Duration
	}{
		{"quick", 0, suiteLimit, leastLimit},
		{"slow", 0, suiteLimit, 70 * time.Second},
		{"long", 0, suiteLimit, 88 * time.Second},
		{"short", 30 * time.Second, 30 * time.Second, 30 * time.Second},
		{"failed", 0, suiteLimit, hopelessLimit},
		{"unknown", 600 * time.Second, 600 * time.Second, 600 * time.Second},
	} {
		test := suite.Test{Folder: "a", Program: c.program, NP: 1, Limit: c.stated}
		if got := (&runner{}).limit(test); got != c.alone {
			t.Errorf("%s alone: %v, want %v", c.program, got, c.alone)
		}
		if got := (&runner{base: base}).limit(test); got != c.beside {
			t.Errorf("%s beside a baseline: %v, want %v", c.program, got, c.beside)
		}
		if got := (&runner{patient: true}).limit(test); got != max(c.stated, patientLimit) {
			t.Errorf("%s where it may be slow: %v", c.program, got)
		}
	}
}

func TestSpec(t *testing.T) {
	r := &runner{mpi: &toolchain.MPI{Exec: []string{"/bin/mpiexec", "--oversubscribe"}, Crowded: []string{"A=1"}}}
	s := r.spec(suite.Test{Program: "p", NP: 5000, Args: []string{"x"}, Env: []string{"B=2"},
		MpiexecArgs: []string{"-y"}}, "/d")
	if want := []string{"/bin/mpiexec", "--oversubscribe", "-n", "5000", "-y", "./p", "x"}; !slices.Equal(s.Argv, want) {
		t.Errorf("command %q, want %q", s.Argv, want)
	}
	if !slices.Equal(s.Env, []string{"B=2", "A=1"}) || s.Dir != "/d" {
		t.Errorf("environment %q, folder %s", s.Env, s.Dir)
	}
	s = r.spec(suite.Test{Program: "p", NP: 1, Env: []string{"MPIR_CVAR_CH3_COMM_CONNECT_TIMEOUT=20"}}, "/d")
	if !slices.Contains(s.Env, "GOMPI_CONNECT_TIMEOUT=20") {
		t.Errorf("environment %q of a test that sets how long to wait for a connection", s.Env)
	}
	if s = r.spec(suite.Test{Program: "p", NP: 1}, "/d"); len(s.Env) > 0 {
		t.Errorf("environment %q of a run with a core for its rank", s.Env)
	}
	s = r.spec(suite.Test{Program: "timeout", NP: 2, Rule: suite.NonZero, Limit: 10 * time.Second}, "/d")
	if !slices.Contains(s.Env, "MPIEXEC_TIMEOUT=10") || s.Limit != 10*time.Second+launcherExtra {
		t.Errorf("environment %q, limit %v: the launcher should end the job before its limit", s.Env, s.Limit)
	}
}

func TestSettings(t *testing.T) {
	env := map[string]string{"DIRS": "rma, coll/", "ONLY": "lock", "NP_MAX": "4", "MPICC": "cc", "MPIEXEC": "run"}
	s, err := readSettings([]string{"JOBS=3", "NP_MAX=2", "BASELINE_MPICC=none"}, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	if s.npMax != 2 || s.jobs != 3 || s.mpicc != "cc" || s.mpiexec != "run" || s.baseMpicc != "" ||
		s.publishable() {
		t.Errorf("settings %+v", s)
	}
	for _, c := range []struct {
		folder, program string
		np              int
		want            bool
	}{{"rma", "lock_dt", 2, true}, {"rma", "lock_dt", 3, false}, {"rma", "fence", 2, false}, {"coll/sub", "lock", 1, true}, {"pt2pt", "lock", 1, false}} {
		if got := s.wants(suite.Test{Folder: c.folder, Program: c.program, NP: c.np}); got != c.want {
			t.Errorf("%+v: selected %v", c, got)
		}
	}
}

func TestMistakesInSettings(t *testing.T) {
	for arg, want := range map[string]string{
		"DIR=rma": "NAME one of", "DIRS=rmb": `"rmb" is no folder`, "ONLY=(": "ONLY", "JOBS=0": "no positive number", "NP_MAX=x": "no positive number",
		"MPICC=cc": "set both or none", "BASELINE_MPIEXEC=run": "set both or none", "plain": "NAME=value",
	} {
		args := []string{arg}
		if strings.HasPrefix(arg, "BASE") {
			args = append(args, "MPICC=cc", "MPIEXEC=run")
		}
		if _, err := readSettings(args, func(string) string { return "" }); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", arg, err, want)
		}
	}
}

func TestAnonymous(t *testing.T) {
	for line, want := range map[string]string{
		"gompi: rank 0 of 2 (pid 20740): MPI_Send: bad":    "MPI_Send: bad",
		"gompi: pid 7: MPI_Info_create: bad":               "MPI_Info_create: bad",
		"/tmp/run-1/prog: not found":                       "./prog: not found",
		"x: /home/me/mpich/test/mpi/coll/x.c:7: Assertion": "x: coll/x.c:7: Assertion",
		"rank 0 of 2 failed":                               "rank 0 of 2 failed",
	} {
		if got := anonymous(line, "/tmp/run-1"); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
}
