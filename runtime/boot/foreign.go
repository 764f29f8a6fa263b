package boot

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"

	"gompi/shm"
)

// foreignGroup is what a launcher that speaks no PMI 1.1 says in the environment about the ranks that it
// started.
type foreignGroup struct {
	launcher             string // for messages
	name                 string // the same for all ranks of the job, and for nobody else
	rank, size           int
	localRank, localSize int
}

// rendezvousTimeout is how long ranks wait for each other under a launcher that does not help, in
// milliseconds.
const rendezvousTimeout = 60_000

// findForeign looks for the traces of launchers that speak no PMI 1.1. It returns false when there is none,
// or when it started this process alone.
func findForeign(env environ) (foreignGroup, bool, error) {
	switch {
	case env("OMPI_COMM_WORLD_SIZE") != "":
		return openMPI(env)
	case env("SLURM_STEP_ID") != "" && env("SLURM_PROCID") != "" && env.optional("SLURM_STEP_NUM_TASKS", 1) > 1:
		return slurm(env)
	case env("PMIX_NAMESPACE") != "" && env("PMIX_RANK") != "":
		// The name and the rank are known, how many there are is not.
		return foreignGroup{}, false, fmt.Errorf("this process is rank %s of a job started through PMIx, which gompi cannot join; "+
			"start it with gompi's mpiexec or with srun --mpi=pmi2", env("PMIX_RANK"))
	}
	return foreignGroup{}, false, nil
}

// openMPI reads the environment that Open MPI's mpiexec (ORTE or PRRTE) sets.
func openMPI(env environ) (foreignGroup, bool, error) {
	g := foreignGroup{launcher: "Open MPI's mpiexec", name: env("PMIX_NAMESPACE")}
	err := g.read(env, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE")
	return g, err == nil && g.size > 1, err
}

// slurm reads the environment that srun sets when it serves another kind of PMI, or none.
func slurm(env environ) (foreignGroup, bool, error) {
	g := foreignGroup{launcher: "srun", name: env("SLURM_JOB_ID") + "." + env("SLURM_STEP_ID")}
	if env.optional("SLURM_STEP_NUM_NODES", 1) > 1 {
		return g, false, g.unreachable("the job has several nodes")
	}
	g.localSize = env.optional("SLURM_STEP_NUM_TASKS", 1)
	err := g.read(env, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS")
	return g, err == nil, err
}

// read takes ranks and sizes from four variables and checks that they make sense.
func (g *foreignGroup) read(env environ, rank, size, localRank, localSize string) (err error) {
	if g.size, err = env.number(size, 1); err != nil || g.size == 1 {
		return err
	}
	for _, v := range []struct {
		to   *int
		name string
		min  int
	}{{&g.rank, rank, 0}, {&g.localRank, localRank, 0}, {&g.localSize, localSize, 1}} {
		if *v.to, err = env.number(v.name, v.min); err != nil {
			return err
		}
	}
	switch {
	case g.localSize != g.size:
		return g.unreachable("the job has several nodes")
	case g.rank >= g.size || g.localRank >= g.localSize:
		return g.unreachable("its numbers contradict each other")
	case g.name == "":
		return g.unreachable("it gives the job no name")
	}
	return nil
}

// unreachable is the error for a job that cannot be joined.
func (g *foreignGroup) unreachable(why string) error {
	return fmt.Errorf("this process is one of %d that %s started, and gompi cannot join them: %s; "+
		"start it with gompi's mpiexec, with MPICH's mpiexec or with srun --mpi=pmi2", g.size, g.launcher, why)
}

// joinForeign lets the ranks of one node meet without the launcher's help: they all derive the same socket
// name from what it told them. Another user who takes the name first can only make the start fail.
func joinForeign(g foreignGroup) (*Job, error) {
	j := &Job{Rank: g.rank, Size: g.size, NodeRank: g.localRank, NodeSize: g.localSize, AppNum: -1,
		UniverseSize: -1}
	// The names of sockets are short. That two jobs of one machine get the same is as good as excluded.
	sum := fnv.New128a()
	fmt.Fprintf(sum, "%d %s %s", os.Geteuid(), g.launcher, g.name)
	name := fmt.Sprintf("gompi-%x", sum.Sum(nil))
	if j.NodeRank > 0 {
		if err := j.take(name, -1, rendezvousTimeout); err != nil {
			return nil, errors.Join(g.unreachable("the ranks did not find each other"), err)
		}
		return j, nil
	}
	server, err := listen(name)
	if err != nil {
		return nil, errors.Join(g.unreachable("the ranks cannot meet"), err)
	}
	defer server.close()
	if j.Segment, err = shm.CreateJob(j.NodeSize); err != nil {
		return nil, err
	}
	if err := server.give(j.Segment.FD(), j.NodeSize-1, -1, rendezvousTimeout); err != nil {
		return nil, errors.Join(g.unreachable("the ranks did not find each other"), err)
	}
	return j, nil
}
