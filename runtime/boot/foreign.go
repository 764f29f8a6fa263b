package boot

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"

	"gompi/shm"
)

// foreignGroup is what a launcher that serves no PMI says in the environment about the ranks that it
// started.
type foreignGroup struct {
	launcher             string // for messages
	name                 string // the same for all ranks of the job, and for nobody else
	variable             string // of the environment, where it stands
	rank, size           int
	localRank, localSize int
	nodes                int // 0 where it does not say
}

// rendezvousTimeout is how long ranks wait for each other under a launcher that does not help, in
// milliseconds.
const rendezvousTimeout = 60_000

// findForeign looks for the traces of launchers that number their ranks in the environment. It returns false
// when there is none, or when it started this process alone.
func findForeign(env environ) (foreignGroup, bool, error) {
	switch {
	case startedAlone(env):
	case env("OMPI_COMM_WORLD_SIZE") != "":
		return openMPI(env)
	case slurmStep(env):
		return slurm(env)
	}
	return foreignGroup{}, false, nil
}

// slurmStep reports whether this process is a task of a job step of Slurm, and not the script of a batch job.
func slurmStep(env environ) bool { return env("SLURM_STEP_ID") != "" && env("SLURM_PROCID") != "" }

// stepName is Slurm's name of that step.
func stepName(env environ) string { return env("SLURM_JOB_ID") + "." + env("SLURM_STEP_ID") }

// startedAlone reports whether the environment says that the job has one rank.
func startedAlone(env environ) bool {
	if size := env("OMPI_COMM_WORLD_SIZE"); size != "" {
		return size == "1"
	}
	return slurmStep(env) && env.optional("SLURM_STEP_NUM_TASKS", 1) == 1
}

// openMPI reads the environment that Open MPI's mpiexec (ORTE or PRRTE) sets.
func openMPI(env environ) (foreignGroup, bool, error) {
	g := foreignGroup{launcher: "Open MPI's mpiexec", name: env("PMIX_NAMESPACE"), variable: "OMPI_COMM_WORLD_RANK"}
	err := g.read(env, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE")
	return g, err == nil && g.size > 1, err
}

// slurm reads the environment that srun sets when it serves another kind of PMI, or none.
func slurm(env environ) (foreignGroup, bool, error) {
	g := foreignGroup{launcher: "srun", name: stepName(env),
		variable: "SLURM_PROCID"}
	g.nodes = env.optional("SLURM_STEP_NUM_NODES", 1)
	err := g.read(env, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS")
	return g, err == nil, err
}

// read takes ranks and sizes from four variables and checks that they make sense.
func (g *foreignGroup) read(env environ, rank, size, localRank, localSize string) (err error) {
	if g.size, err = env.number(size, 1); err != nil || g.size == 1 {
		return err
	}
	if g.nodes > 1 {
		return g.unreachable(fmt.Sprintf("it started them on %d nodes and offers them no PMI", g.nodes))
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
		return g.unreachable("it started them on several nodes and offers them no PMI")
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
		"start it with gompi's mpiexec, with MPICH's mpiexec or with srun --mpi=pmi2 or --mpi=pmix", g.size, g.launcher, why)
}

// joinForeign lets the ranks of one node meet without the launcher's help: they all derive the same socket
// name from what it told them. Another user who takes the name first can only make the start fail.
func joinForeign(g foreignGroup) (*Job, error) {
	j := &Job{Rank: g.rank, Size: g.size, AppNum: -1, UniverseSize: -1}
	j.placeTogether()
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
