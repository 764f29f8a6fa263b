package boot

import (
	"fmt"
	"os"
	"strconv"

	"gompi/launch/pmi"
	"gompi/shm"
)

// environ is the environment by which launchers speak to the processes that they start. Tests bring their
// own.
type environ func(name string) string

// number reads a variable that must hold a number of at least min.
func (env environ) number(name string, least int) (int, error) {
	n, err := strconv.Atoi(env(name))
	if err != nil || n < least {
		return 0, fmt.Errorf("environment variable %s=%q, set by the launcher, is not a number of at least %d", name, env(name), least)
	}
	return n, nil
}

// optional reads a variable that may be missing.
func (env environ) optional(name string, otherwise int) int {
	if n, err := strconv.Atoi(env(name)); err == nil {
		return n
	}
	return otherwise
}

// Join finds out how this process was started and joins its job. It returns when the shared segment of this
// node is mapped; the other ranks are waited for in [Job.Barrier]. The error says what to do.
//
// A process without a launcher is a job of its own. A process that some launcher started along with others,
// in a way that cannot be joined, is an error: a job must never fall apart into processes that all believe to
// be rank 0.
func Join() (*Job, error) { return join(os.Getenv) }

func join(env environ) (*Job, error) {
	switch {
	case env("PMI_FD") != "":
		return joinInherited(env)
	case env("PMI_PORT") != "" && env("PMI_ID") != "":
		return joinByPort(env)
	}
	group, foreign, err := findForeign(env)
	if err != nil {
		return nil, err
	}
	if foreign {
		return joinForeign(group)
	}
	return singleton()
}

// singleton makes a job of one.
func singleton() (*Job, error) {
	segment, err := shm.CreateJob(1)
	if err != nil {
		return nil, err
	}
	return &Job{Size: 1, NodeSize: 1, Segment: segment, Singleton: true, AppNum: -1, UniverseSize: -1}, nil
}

// joinInherited joins through the socket that the launcher left open for us.
func joinInherited(env environ) (*Job, error) {
	fd, err := env.number("PMI_FD", 0)
	if err != nil {
		return nil, err
	}
	if !isSocket(fd) {
		if startedByRank() {
			return singleton()
		}
		return nil, fmt.Errorf("the launcher's socket (PMI_FD=%d) is not open in this process: a program in between has closed it; "+
			"let it pass open descriptors on (in Python: close_fds=False), or start it with mpiexec instead", fd)
	}
	j := &Job{client: &client{fd: fd}, AppNum: -1, UniverseSize: -1}
	if j.Rank, err = env.number("PMI_RANK", 0); err != nil {
		return nil, err
	}
	if j.Size, err = env.number("PMI_SIZE", 1); err != nil {
		return nil, err
	}
	if j.Rank >= j.Size {
		return nil, fmt.Errorf("the launcher says rank %d of %d", j.Rank, j.Size)
	}
	if env("GOMPI_SEGMENT_FD") != "" {
		err = joinOurs(j, env)
	} else {
		err = joinPMI(j, env, nil)
	}
	if err == nil {
		j.ParentPort, err = j.parentPort(env)
	}
	if err != nil {
		return nil, err
	}
	return j, nil
}

// joinOurs joins a job of gompi's own launcher: all facts are in the environment, the segment is inherited,
// and the launcher need not answer before we go on.
func joinOurs(j *Job, env environ) error {
	j.ours, j.Reports = true, true
	j.AppNum = env.optional("GOMPI_APPNUM", -1)
	j.UniverseSize = env.optional("GOMPI_UNIVERSE_SIZE", -1)
	j.Cores = env.optional("GOMPI_CORES", 0)
	j.Kept = env.optional("GOMPI_LAUNCHER", -1) == os.Getppid()
	var err error
	if j.NodeRank, err = env.number("MPI_LOCALRANKID", 0); err != nil {
		return err
	}
	if j.NodeSize, err = env.number("MPI_LOCALNRANKS", 1); err != nil {
		return err
	}
	fd, err := env.number("GOMPI_SEGMENT_FD", 0)
	if err != nil {
		return err
	}
	if j.NodeRank >= j.NodeSize {
		return fmt.Errorf("the launcher says rank %d of %d on this node", j.NodeRank, j.NodeSize)
	}
	if j.Segment, err = shm.Open(fd); err != nil {
		return fmt.Errorf("the memory that the launcher shares with its ranks: %w", err)
	}
	if err := shm.CheckJob(j.Segment, j.NodeSize); err != nil {
		return err
	}
	if err := j.client.tell(initMessage()); err != nil {
		return err
	}
	shm.AwaitStart(j.Segment)
	return nil
}

// initMessage begins PMI. One server reads it into 64 bytes, with the words in this order.
func initMessage() pmi.Message {
	return pmi.New("init", "pmi_version", strconv.Itoa(pmi.Version), "pmi_subversion", strconv.Itoa(pmi.Subversion))
}

// joinPMI joins a job of any other launcher that speaks PMI 1.1. Where rank and size are not known before,
// identify sets them once the launcher has answered; it may be nil.
func joinPMI(j *Job, env environ, identify func() error) error {
	c := j.client
	if _, err := c.request(initMessage(), "response_to_init"); err != nil {
		return fmt.Errorf("%w; gompi speaks PMI 1.1, start it with gompi's mpiexec, MPICH's mpiexec or srun --mpi=pmi2", err)
	}
	if identify != nil {
		if err := identify(); err != nil {
			return err
		}
	}
	if n, err := c.number(pmi.New("get_appnum"), "appnum", "appnum"); err == nil {
		j.AppNum = n
	}
	if n, err := c.number(pmi.New("get_universe_size"), "universe_size", "size"); err == nil && n > 0 {
		j.UniverseSize = n
	}
	kvs, err := j.kvsName()
	if err != nil {
		return err
	}
	if err := j.findNode(env, kvs); err != nil {
		return err
	}
	return j.shareByKVS(kvs)
}

// findNode finds out which ranks share our node.
func (j *Job) findNode(env environ, kvs string) error {
	var nodes []int
	text, err := j.client.get(kvs, pmi.MappingKey)
	switch {
	case err == nil:
		if nodes, err = pmi.ParseMapping(text, j.Size); err != nil {
			return fmt.Errorf("%s from the launcher: %w", pmi.MappingKey, err)
		}
	case j.Size == 1 || env.optional("MPI_LOCALNRANKS", 0) == j.Size:
		nodes = make([]int, j.Size)
	default:
		return fmt.Errorf("the launcher does not say which ranks share a node (%w); start the program with gompi's mpiexec", err)
	}
	j.NodeRank, j.NodeSize = 0, 0
	for r, node := range nodes {
		if node != nodes[j.Rank] {
			j.Nodes = nodes
			continue
		}
		if r < j.Rank {
			j.NodeRank++
		}
		j.NodeSize++
	}
	return nil
}
