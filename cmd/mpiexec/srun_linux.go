package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"gompi/launch"
	"gompi/wire/pmi"
)

// In an allocation of Slurm's srun starts the ranks: it binds them to what the job has been given, and counts
// what they use. What srun cannot do, the launcher does itself, through ssh.

// bySrun is the command line of srun for a job, nil when the job is none for srun.
func (l *commandLine) bySrun(s *launch.Spec) []string {
	if !l.slurm || l.starter != nil || !abroad(l.allotted) || len(s.Apps) != 1 {
		return nil
	}
	p, app := &l.programs[0], &s.Apps[0]
	own := l.timestamps || l.exitCodes || l.outFile != "" || l.errFile != "" || l.merge ||
		s.Timeout > 0 || l.binding.kind != "" || app.Path != "" ||
		l.hasLabel && l.label != rankLabel || l.recovery || l.watch || l.debug.on()
	if own {
		return nil
	}
	argv := []string{"srun", "--mpi=pmi2", "-n", strconv.Itoa(app.Ranks), "--kill-on-bad-exit=1", "--export=ALL"}
	switch {
	case p.perNode > 0:
		argv = append(argv, "--ntasks-per-node="+strconv.Itoa(p.perNode))
	case l.byNode:
		argv = append(argv, "--distribution=cyclic")
	}
	if app.Ranks > slots(l.allotted) {
		argv = append(argv, "--overcommit")
	}
	if os.Getenv("SLURM_STEP_ID") != "" {
		argv = append(argv, "--overlap") // the step that this runs in has the same processors
	}
	if l.hasLabel {
		argv = append(argv, "--label")
	}
	if l.stdinRank < 0 {
		argv = append(argv, "--input=none")
	} else {
		argv = append(argv, "--input="+strconv.Itoa(l.stdinRank))
	}
	if app.Dir != "" {
		argv = append(argv, "--chdir="+app.Dir)
	}
	return append(append(argv, "--"), app.Argv...)
}

// becomeSrun goes on as srun. It returns when that cannot be.
func becomeSrun(argv, env []string) error {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("in an allocation of Slurm: %w; name the hosts (-hosts) to reach them by ssh", err)
	}
	return fmt.Errorf("%s: %w", path, syscall.Exec(path, argv, pmi.WithoutStartup(env)))
}
