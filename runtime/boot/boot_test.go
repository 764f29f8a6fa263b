package boot

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gompi/shm"
	"gompi/wire/pmi"
)

// fakeServer is a PMI server for ranks that are goroutines of the test. Answers that a test sets replace its
// own.
type fakeServer struct {
	t       *testing.T
	mapping string
	special map[string]string // by command: the line to answer; "hangup" closes the socket
	mu      sync.Mutex
	kvs     map[string]string
	barrier []net.Conn
	heard   []string
	size    int
	waiting []int // descriptors at the barrier of a strict one
}

// connect returns the environment of a rank and begins to serve it.
func (s *fakeServer) connect(rank int) environ {
	s.t.Helper()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	f := os.NewFile(uintptr(pair[0]), "server")
	conn, err := net.FileConn(f)
	f.Close()
	if err != nil {
		s.t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(2 * time.Minute))
	s.t.Cleanup(func() { conn.Close(); syscall.Close(pair[1]) })
	go s.serve(conn)
	return env(map[string]string{"PMI_FD": strconv.Itoa(pair[1]), "PMI_RANK": strconv.Itoa(rank), "PMI_SIZE": strconv.Itoa(s.size)})
}

func env(m map[string]string) environ { return func(name string) string { return m[name] } }

func (s *fakeServer) serve(conn net.Conn) {
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		m, err := pmi.Parse(line)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.heard = append(s.heard, strings.TrimSpace(line))
		answer, special := s.special[m.Cmd]
		key, _ := m.Get("key")
		value, _ := m.Get("value")
		if !special {
			switch m.Cmd {
			case "init":
				answer = "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=2"
			case "get_appnum":
				answer = "cmd=appnum appnum=3"
			case "get_universe_size":
				answer = "cmd=universe_size size=8"
			case "get_my_kvsname":
				answer = "cmd=my_kvsname kvsname=kvs"
			case "put":
				s.kvs[key] = value
				answer = "cmd=put_result rc=0"
			case "get":
				found := false
				if answer, found = s.kvs[key]; key == pmi.MappingKey {
					answer, found = s.mapping, s.mapping != ""
				}
				if found {
					answer = "cmd=get_result rc=0 value=" + answer
				} else {
					answer = "cmd=get_result rc=-1 msg=key_not_found"
				}
			case "barrier_in":
				s.barrier = append(s.barrier, conn)
				if len(s.barrier) == s.size {
					for _, c := range s.barrier {
						fmt.Fprintln(c, "cmd=barrier_out rc=0")
					}
					s.barrier = nil
				}
			case "finalize":
				answer = "cmd=finalize_ack rc=0"
			}
		}
		s.mu.Unlock()
		if answer == "hangup" {
			conn.Close()
			return
		}
		if answer != "" {
			fmt.Fprintln(conn, answer)
		}
	}
}

func newServer(t *testing.T, size int, mapping string) *fakeServer {
	return &fakeServer{t: t, size: size, mapping: mapping, special: map[string]string{},
		kvs: map[string]string{}}
}

// joinAll joins all ranks of a server at once.
func joinAll(s *fakeServer) ([]*Job, []error) {
	jobs, errs := make([]*Job, s.size), make([]error, s.size)
	var wait sync.WaitGroup
	for r := range s.size {
		words := s.connect(r)
		wait.Add(1)
		go func() { defer wait.Done(); jobs[r], errs[r] = join(words, Config{}) }()
	}
	wait.Wait()
	return jobs, errs
}

func TestJoinByPMI(t *testing.T) {
	s := newServer(t, 4, "(vector,(0,1,4))")
	jobs, errs := joinAll(s)
	for r, j := range jobs {
		if errs[r] != nil {
			t.Fatalf("rank %d: %v", r, errs[r])
		}
		if j.Rank != r || j.Size != 4 || j.NodeRank != r || j.NodeSize != 4 || j.Nodes != nil ||
			j.AppNum != 3 || j.UniverseSize != 8 ||
			j.Singleton || j.Reports || !j.OnOneNode() {
			t.Errorf("rank %d: %+v", r, j)
		}
		// the launcher's: that of the server, not that of the parent
		if pid := j.Tracer(); pid != os.Getpid() {
			t.Errorf("rank %d lets process %d and its descendants read it, want %d", r, pid, os.Getpid())
		}
	}
	// All see the same memory.
	word := shm.RankOffset(2) + shm.RankJobRank
	*shm.Word32(jobs[2].Segment.Base + word) = 12345
	for r, j := range jobs {
		if got := *shm.Word32(j.Segment.Base + word); got != 12345 {
			t.Errorf("rank %d reads %d", r, got)
		}
	}
	var wait sync.WaitGroup
	for r, j := range jobs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range 100 {
				if err := j.Barrier(); err != nil {
					t.Errorf("rank %d: %v", r, err)
				}
			}
			if err := errors.Join(j.Put("key"+strconv.Itoa(r), "value"), j.Fence()); err != nil {
				t.Errorf("rank %d: %v", r, err)
			}
			if got, err := j.Get("key" + strconv.Itoa((r+1)%4)); got != "value" || err != nil {
				t.Errorf("rank %d gets %q, %v", r, got, err)
			}
			if _, err := j.Get("none"); err == nil || !strings.Contains(err.Error(), "key_not_found") {
				t.Errorf("rank %d gets what nobody put: %v", r, err)
			}
			if err := j.Put("key", "two words"); !errors.Is(err, pmi.ErrBadText) {
				t.Errorf("rank %d puts two words: %v", r, err)
			}
			if err := j.Finalize(); err != nil {
				t.Errorf("rank %d: %v", r, err)
			}
		}()
	}
	wait.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.heard {
		if strings.HasPrefix(line, "cmd=init ") && line != "cmd=init pmi_version=1 pmi_subversion=1" {
			t.Errorf("a server that wants a fixed form heard %q", line)
		}
	}
	for _, j := range jobs {
		j.Segment.Close()
	}
}

func TestJoinOnSeveralNodes(t *testing.T) {
	s := newServer(t, 5, "(vector,(0,2,1))") // ranks 0 2 4 on one node, 1 3 on the other
	jobs, errs := joinAll(s)
	for r, j := range jobs {
		if errs[r] != nil {
			t.Fatalf("rank %d: %v", r, errs[r])
		}
		size := 3 - r%2
		if j.NodeRank != r/2 || j.NodeSize != size || j.OnOneNode() || j.Nodes[r] != r%2 {
			t.Errorf("rank %d: %+v", r, j)
		}
	}
	word := shm.RankOffset(0) + shm.RankJobRank
	*shm.Word32(jobs[0].Segment.Base + word) = 7
	if a, b := *shm.Word32(jobs[4].Segment.Base + word), *shm.Word32(jobs[3].Segment.Base + word); a != 7 ||
		b != 0 {
		t.Errorf("rank 4 reads %d, rank 3 on another node reads %d", a, b)
	}
	var wait sync.WaitGroup
	for _, j := range jobs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if err := j.Barrier(); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	for _, j := range jobs {
		j.Segment.Close()
	}
}

// Whatever a launcher answers, joining ends, with an error that says what was wrong.
func TestJoinRefused(t *testing.T) {
	for _, c := range []struct{ cmd, answer, want string }{
		{"init", "cmd=response_to_init rc=-1 pmi_version=2 msg=no", "PMI 1.1"},
		{"init", "cmd=something_else rc=0", `answered "something_else"`},
		{"init", "hangup", "launcher has gone"},
		{"init", "what?", "does not begin with cmd="},
		{"init", strings.Repeat("x", 40000), "too long"},
		{"get_my_kvsname", "cmd=my_kvsname", "lacks kvsname"},
		{"get_my_kvsname", "hangup", "launcher has gone"},
		{"get", "cmd=get_result rc=0 value=(circle)", "not a process mapping"},
		{"barrier_in", "hangup", "launcher has gone"},
		{"put", "cmd=put_result rc=-1 msg=full", "full"},
	} {
		s := newServer(t, 2, "(vector,(0,1,2))")
		s.special[c.cmd] = c.answer
		if j, err := join(s.connect(0), Config{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s answered by %.40q: %+v, %v; want an error with %q", c.cmd, c.answer, j, err, c.want)
		}
	}
}

// A rank that waits for its peers to come for the segment gives up when the launcher goes.
func TestLauncherDiesDuringHandover(t *testing.T) {
	s := newServer(t, 2, "(vector,(0,1,2))")
	s.special["barrier_in"] = "cmd=barrier_out rc=0" // and the other rank never comes
	words := s.connect(0)
	done := make(chan error)
	go func() { _, err := join(words, Config{}); done <- err }()
	for {
		s.mu.Lock()
		ready := len(s.heard) > 0 && s.heard[len(s.heard)-1] == "cmd=barrier_in"
		s.mu.Unlock()
		if ready {
			break
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	fd, _ := strconv.Atoi(words("PMI_FD"))
	syscall.Shutdown(fd, syscall.SHUT_RD) // as if the other end were closed
	select {
	case err := <-done:
		if !errors.Is(err, errLauncherGone) {
			t.Errorf("joined, or not: %v", err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("it waits for a peer although the launcher is gone")
	}
}

func TestBadEnvironment(t *testing.T) {
	s := newServer(t, 2, "(vector,(0,1,2))")
	good := s.connect(0)
	fd := good("PMI_FD")
	for _, c := range []struct {
		words map[string]string
		want  string
	}{
		{map[string]string{"PMI_FD": "x"}, `PMI_FD="x"`},
		{map[string]string{"PMI_FD": "-1"}, `PMI_FD="-1"`},
		{map[string]string{"PMI_FD": "9999", "PMI_RANK": "0", "PMI_SIZE": "2"}, "is not open in this process"},
		{map[string]string{"PMI_FD": "0", "PMI_RANK": "0", "PMI_SIZE": "2"}, "is not open in this process"},
		{map[string]string{"PMI_FD": fd, "PMI_SIZE": "2"}, `PMI_RANK=""`},
		{map[string]string{"PMI_FD": fd, "PMI_RANK": "0", "PMI_SIZE": "0"}, `PMI_SIZE="0"`},
		{map[string]string{"PMI_FD": fd, "PMI_RANK": "2", "PMI_SIZE": "2"}, "rank 2 of 2"},
		{map[string]string{"PMI_FD": fd, "PMI_RANK": "0", "PMI_SIZE": "2", "GOMPI_SEGMENT_FD": "4"}, `MPI_LOCALRANKID=""`},
		{map[string]string{"PMI_FD": fd, "PMI_RANK": "0", "PMI_SIZE": "2", "GOMPI_SEGMENT_FD": fd, "MPI_LOCALRANKID": "0", "MPI_LOCALNRANKS": "2"},
			"not a shared segment"},
		{map[string]string{"PMI_PORT": "nowhere.example:1", "PMI_ID": "0"}, "looks no names up"},
		{map[string]string{"PMI_PORT": "127.0.0.1", "PMI_ID": "0"}, "host:port"},
		{map[string]string{"PMI_PORT": "127.0.0.1:1", "PMI_ID": "0"}, "connect"},
		{map[string]string{"PMIX_NAMESPACE": "ns", "PMIX_RANK": "3"}, "rank 3 of a job started through PMIx"},
		{map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
			"OMPI_COMM_WORLD_LOCAL_SIZE": "2", "PMIX_NAMESPACE": "ns"}, "one of 4 that Open MPI's mpiexec started"},
		{map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
			"OMPI_COMM_WORLD_LOCAL_SIZE": "4"}, "gives the job no name"},
		{map[string]string{"OMPI_COMM_WORLD_SIZE": "4"}, `OMPI_COMM_WORLD_RANK=""`},
		{map[string]string{"SLURM_STEP_ID": "0", "SLURM_JOB_ID": "5", "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "4", "SLURM_STEP_NUM_NODES": "2"},
			"srun --mpi=pmi2"},
	} {
		j, err := join(env(c.words), Config{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %+v, %v; want an error with %q", c.words, j, err, c.want)
		}
		if j != nil {
			t.Errorf("%v: an error and a job", c.words)
		}
	}
}

func TestSingletons(t *testing.T) {
	for _, words := range []map[string]string{
		{},
		{"OMPI_COMM_WORLD_SIZE": "1"},
		{"SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_JOB_ID": "5"}, // the script of a batch job
		{"SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"},
	} {
		j, err := join(env(words), Config{})
		if err != nil {
			t.Errorf("%v: %v", words, err)
			continue
		}
		if !j.Singleton || j.Size != 1 || j.NodeSize != 1 || j.AppNum != -1 {
			t.Errorf("%v: %+v", words, j)
		}
		if err := errors.Join(j.Barrier(), j.Finalize()); err != nil {
			t.Errorf("%v: %v", words, err)
		}
		if err := j.Put("a", "b"); !errors.Is(err, ErrNoLauncher) {
			t.Errorf("%v: Put: %v", words, err)
		}
		j.Abort(1, "nobody hears this")
		j.Watch(func() { t.Error("a launcher was lost that never was") }, nil)
		j.Segment.Close()
	}
}

// The ranks of one node meet under a launcher that only numbers them.
func TestForeignRendezvous(t *testing.T) {
	const n = 4
	jobs, errs := make([]*Job, n), make([]error, n)
	var wait sync.WaitGroup
	for r := range n {
		wait.Add(1)
		go func() {
			defer wait.Done()
			time.Sleep(time.Duration(n-r) * 20 * time.Millisecond) // the one they wait for comes last
			number := strconv.Itoa(r)
			jobs[r], errs[r] = join(env(map[string]string{"SLURM_STEP_ID": "0", "SLURM_JOB_ID": fmt.Sprint("test", os.Getpid()),
				"SLURM_PROCID": number, "SLURM_LOCALID": number, "SLURM_STEP_NUM_TASKS": strconv.Itoa(n)}), Config{})
		}()
	}
	wait.Wait()
	for r := range n {
		if errs[r] != nil {
			t.Fatalf("rank %d: %v", r, errs[r])
		}
		defer jobs[r].Segment.Close()
	}
	for _, j := range jobs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if err := j.Barrier(); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
}

// Ranks at the barrier hear of a death instead of waiting for the dead.
func TestBarrierHearsOfDeath(t *testing.T) {
	s, err := shm.CreateJob(3)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	result := make(chan error)
	for r := range 2 {
		j := &Job{Rank: r, Size: 3, NodeRank: r, NodeSize: 3, Segment: s}
		go func() { result <- j.Barrier() }()
	}
	time.Sleep(20 * time.Millisecond)
	shm.MarkDead(s, 2)
	for range 2 {
		select {
		case err := <-result:
			if err == nil || !strings.Contains(err.Error(), "rank 2 has died") {
				t.Errorf("barrier: %v", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("a rank waits for the dead")
		}
	}
}

func TestWatchOfTheLauncher(t *testing.T) {
	for _, finalized := range []bool{false, true} {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		segment, err := shm.CreateJob(1)
		if err != nil {
			t.Fatal(err)
		}
		defer segment.Close()
		j := &Job{client: &client{fd: pair[0]}, ours: true, Segment: segment}
		lost := make(chan bool, 1)
		j.Watch(func() { lost <- true }, nil)
		if finalized {
			if err := j.Finalize(); err != nil {
				t.Error(err)
			}
		}
		syscall.Close(pair[1])
		limit := time.Minute
		if finalized {
			limit = 50 * time.Millisecond
		}
		select {
		case <-lost:
			if finalized {
				t.Error("the launcher may go after finalize")
			}
		case <-time.After(limit):
			if !finalized {
				t.Error("the launcher is gone, and nobody noticed")
			}
		}
		syscall.Close(pair[0])
	}
}
