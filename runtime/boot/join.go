package boot

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"gompi/shm"
	"gompi/wire/pmi"
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
func Join(c Config) (*Job, error) { return join(os.Getenv, c) }

func join(env environ, c Config) (*Job, error) {
	j, err := joinAny(env, c)
	if err == nil && !j.ours && !j.Singleton {
		if err = j.enter(); err == nil {
			j.guard(env)
		}
	}
	if err != nil {
		return nil, err
	}
	j.Address = addressOf(env)
	return j, nil
}

// addressOf is the address or the name by which the launcher reaches this machine.
func addressOf(env environ) string {
	if address := env(pmi.EnvAddress); address != "" {
		return address
	}
	return env("SLURMD_NODENAME")
}

func joinAny(env environ, c Config) (*Job, error) {
	switch {
	case env(pmi.EnvFD) != "":
		return joinInherited(env, c)
	case env(pmi.EnvPort) != "" && env(pmi.EnvID) != "":
		return joinByPort(env, c)
	case env("PMIX_NAMESPACE") != "" && env("PMIX_RANK") != "" && !startedAlone(env):
		if startedByRank("PMIX_RANK") {
			return singleton()
		}
		j, err := joinPMIx(env, c)
		if !errors.Is(err, errNoPMIx) {
			return j, err
		}
		// On one node the ranks find each other without.
		group, foreign, reason := findForeign(env)
		if !foreign {
			return nil, errors.Join(fmt.Errorf("this process is rank %s of a job started through PMIx, which it cannot join: %w; "+
				"or start it with gompi's mpiexec or with srun --mpi=pmi2", env("PMIX_RANK"), err), reason)
		}
		return joinForeign(group)
	}
	group, foreign, err := findForeign(env)
	if err != nil {
		return nil, err
	}
	if foreign && !startedByRank(group.variable) {
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
	return &Job{Size: 1, NodeSize: 1, Leaders: []int{0}, Sizes: []int{1}, Segment: segment, Singleton: true,
		AppNum: -1, UniverseSize: -1}, nil
}

// joinInherited joins through the socket that the launcher left open for us.
func joinInherited(env environ, c Config) (*Job, error) {
	fd, err := env.number(pmi.EnvFD, 0)
	if err != nil {
		return nil, err
	}
	if !isSocket(fd) {
		if startedByRank(pmi.EnvFD) {
			return singleton()
		}
		return nil, fmt.Errorf("the launcher's socket (PMI_FD=%d) is not open in this process: a program in between has closed it; "+
			"let it pass open descriptors on (in Python: close_fds=False), or start it with mpiexec instead", fd)
	}
	j := &Job{client: &client{fd: fd}, AppNum: -1, UniverseSize: -1}
	if j.Rank, err = env.number(pmi.EnvRank, 0); err != nil {
		return nil, err
	}
	if j.Size, err = env.number(pmi.EnvSize, 1); err != nil {
		return nil, err
	}
	if j.Rank >= j.Size {
		return nil, fmt.Errorf("the launcher says rank %d of %d", j.Rank, j.Size)
	}
	if env(pmi.EnvSegment) != "" {
		err = joinOurs(j, env)
	} else {
		err = joinPMI(j, env, c, nil)
	}
	if err == nil {
		j.ParentPort, err = j.parentPort(env)
	}
	if err != nil {
		return nil, err
	}
	j.client.fd = shm.MoveUp(fd)
	return j, nil
}

// joinOurs joins a job of gompi's own launcher: all facts are in the environment, the segment is inherited,
// and the launcher need not answer before we go on.
func joinOurs(j *Job, env environ) error {
	j.ours, j.Reports = true, true
	j.AppNum = env.optional(pmi.EnvApp, -1)
	j.UniverseSize = env.optional(pmi.EnvUniverse, -1)
	j.Cores = env.optional(pmi.EnvCores, 0)
	j.NodeCores = env.optional(pmi.EnvNodeCores, 0)
	j.Kept = env.optional(pmi.EnvLauncher, -1) == os.Getppid()
	var err error
	if j.NodeRank, err = env.number(pmi.EnvNodeRank, 0); err != nil {
		return err
	}
	if j.NodeSize, err = env.number(pmi.EnvNodeSize, 1); err != nil {
		return err
	}
	fd, err := env.number(pmi.EnvSegment, 0)
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
	if err := j.placeByLauncher(); err != nil {
		return err
	}
	shm.AwaitStart(j.Segment)
	return nil
}

// placeByLauncher finds out which ranks share a node from gompi's own launcher, which need not be asked when
// there is one node only.
func (j *Job) placeByLauncher() error {
	if j.OnOneNode() {
		j.placeTogether()
		return nil
	}
	nodeRank, nodeSize := j.NodeRank, j.NodeSize
	s, err := j.values()
	if err != nil {
		return err
	}
	text, err := s.get(0, pmi.MappingKey)
	if err != nil {
		return fmt.Errorf("which ranks share a node: %w", err)
	}
	nodes, err := pmi.ParseMapping(text, j.Size)
	if err != nil {
		return fmt.Errorf("%s from the launcher: %w", pmi.MappingKey, err)
	}
	if j.place(nodes); j.NodeRank != nodeRank || j.NodeSize != nodeSize {
		return fmt.Errorf("the launcher says rank %d of %d on this node, and a mapping by which it is rank %d of %d",
			nodeRank, nodeSize, j.NodeRank, j.NodeSize)
	}
	return nil
}

// initMessage begins PMI. One server reads it into 64 bytes, with the words in this order.
func initMessage() pmi.Message {
	return pmi.New("init", "pmi_version", strconv.Itoa(pmi.Version), "pmi_subversion", strconv.Itoa(pmi.Subversion))
}

// joinPMI joins a job of any other launcher that speaks PMI 1.1. Where rank and size are not known before,
// identify sets them once the launcher has answered; it may be nil.
func joinPMI(j *Job, env environ, config Config, identify func() error) error {
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
	if _, err := j.values(); err != nil {
		return err
	}
	defer j.watchSiblings(env, config)()
	if err := j.findNodes(env, j.store); err != nil {
		return err
	}
	return j.share()
}
