package boot

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakePMIx is a PMIx server of which ranks that are goroutines of the test are clients.
type fakePMIx struct {
	mu      sync.Mutex
	cond    *sync.Cond
	nodes   []int // by rank
	values  map[string]string
	arrived int
	round   int
	aborted []int // exit codes
	left    int
	refused string // the function that fails
	peers   string // what lpeers says instead, if not ""
}

func newPMIx(nodes ...int) *fakePMIx {
	s := &fakePMIx{nodes: nodes, values: map[string]string{}}
	s.cond = sync.NewCond(&s.mu)
	return s
}

// pmixClient is one rank of it.
type pmixClient struct {
	*fakePMIx
	rank int
}

var errRefused = errors.New("refused by the test")

func (c pmixClient) fails(function string) error {
	if c.refused == function {
		return errRefused
	}
	return nil
}

func (c pmixClient) Begin() (int, error) { return c.rank, c.fails("Begin") }

func (c pmixClient) Number(key string) (int, error) {
	switch key {
	case jobSizeKey:
		return len(c.nodes), c.fails("Number")
	case appNumKey:
		return 2, nil
	}
	return 0, errors.New("not found")
}

func (c pmixClient) Text(key string) (string, error) {
	if c.peers != "" {
		return c.peers, nil
	}
	var peers []string
	for r, node := range c.nodes {
		if node == c.nodes[c.rank] {
			peers = append(peers, strconv.Itoa(r))
		}
	}
	return strings.Join(peers, ","), c.fails("Text")
}

func (c pmixClient) Put(key, value string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(value) > roomOfPMIx {
		return fmt.Errorf("a value of %d bytes", len(value))
	}
	c.values[fmt.Sprint(c.rank, " ", key)] = value
	return c.fails("Put")
}

func (c pmixClient) Fence() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	round := c.round
	if c.arrived++; c.arrived == len(c.nodes) {
		c.arrived, c.round = 0, c.round+1
		c.cond.Broadcast()
	}
	for c.round == round {
		c.cond.Wait()
	}
	return c.fails("Fence")
}

func (c pmixClient) Get(rank int, key string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.fails("Get"); err != nil {
		return "", err
	}
	value, found := c.values[fmt.Sprint(rank, " ", key)]
	if !found {
		return "", fmt.Errorf("rank %d has not put %s", rank, key)
	}
	return value, nil
}

func (c pmixClient) Abort(code int, _ string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aborted = append(c.aborted, code)
	return nil
}

func (c pmixClient) Lost() int { return -1 }

func (c pmixClient) End() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left++
	return nil
}

// join has a rank join.
func (s *fakePMIx) join(rank int) (*Job, error) {
	return join(env(map[string]string{"PMIX_NAMESPACE": "test", "PMIX_RANK": strconv.Itoa(rank)}),
		Config{OpenPMIx: func(string) (PMIx, error) { return pmixClient{s, rank}, nil }})
}

func TestExchangeByPMIx(t *testing.T) {
	for _, nodes := range [][]int{
		{0}, {0, 0, 0}, {0, 1, 2, 0, 1, 2}, {0, 0, 0, 1}, {0, 1, 1, 0, 2, 3, 4, 4},
	} {
		s := newPMIx(nodes...)
		jobs := exchangeAll(t, len(nodes), MaxCard, s.join, func(r int) int { return nodes[r] })
		for r, j := range jobs {
			if j.AppNum != 2 || j.UniverseSize != -1 || j.Reports || j.Singleton {
				t.Errorf("rank %d: %+v", r, j)
			}
			if err := j.Finalize(); err != nil {
				t.Error(err)
			}
		}
		if s.left != len(nodes) || len(s.aborted) > 0 {
			t.Errorf("%d of %d ranks have left, aborts %v", s.left, len(nodes), s.aborted)
		}
	}
}

// Whatever a server refuses or says wrong is an error of joining that names it.
func TestPMIxRefused(t *testing.T) {
	for _, function := range []string{"Begin", "Number", "Text", "Put", "Fence", "Get"} {
		s := newPMIx(0, 0)
		s.refused = function
		errs := make([]error, 2)
		var wait sync.WaitGroup
		for r := range errs {
			wait.Add(1)
			go func() {
				defer wait.Done()
				if function == "Put" && r == 1 || function == "Get" && r == 0 {
					return // the other one fails before it comes to wait for this one, or for want of it
				}
				_, errs[r] = s.join(r)
			}()
			if function == "Get" && r == 1 {
				go pmixClient{s, 0}.Fence()
			}
		}
		wait.Wait()
		if !errors.Is(errors.Join(errs...), errRefused) {
			t.Errorf("%s refused: %v", function, errs)
		}
	}
	for _, peers := range []string{"x", "0,9", "1,0"} {
		s := newPMIx(0, 0)
		s.peers = peers
		if _, err := s.join(0); err == nil || !strings.Contains(err.Error(), "rising ranks") {
			t.Errorf("the server says that %q share a node: %v", peers, err)
		}
	}
}

// A server may contradict itself about who shares a node with whom.
func TestContradictingLeaders(t *testing.T) {
	for _, said := range []string{"1", "0-1", "0,2"} {
		c := pmixClient{newPMIx(0, 1, 1), 0}
		for rank, text := range []string{said, "1-2", "1-2"} {
			if err := putText(pmixStore{pmixClient{c.fakePMIx, rank}}, peersKey, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if nodes, err := nodesByLeaders(pmixStore{c}, 3); err == nil {
			t.Errorf("rank 0 says that its node has the ranks %s, rank 1 that its has 1-2: %v", said, nodes)
		}
	}
}

// Where there is no library, the ranks of one node find each other by what the launcher says besides.
func TestWithoutLibraryOfPMIx(t *testing.T) {
	asked := []string{}
	missing := Config{OpenPMIx: func(file string) (PMIx, error) {
		asked = append(asked, file)
		return nil, fmt.Errorf("%s: no such file", file)
	}}
	words := map[string]string{"PMIX_NAMESPACE": "test", "PMIX_RANK": "0"}
	if _, err := join(env(words), missing); err == nil || !strings.Contains(err.Error(), "apt install libpmix2") {
		t.Errorf("%v", err)
	}
	if asked[0] != "libpmix.so.2" {
		t.Errorf("looked for %q", asked)
	}
	asked = nil
	missing.LibPMIx = "/opt/libpmix.so"
	if _, err := join(env(words), missing); err == nil || len(asked) != 1 || asked[0] != "/opt/libpmix.so" {
		t.Errorf("looked for %q, %v", asked, err)
	}
	words["OMPI_COMM_WORLD_SIZE"] = "1"
	if j, err := join(env(words), missing); err != nil || !j.Singleton {
		t.Errorf("started alone: %+v, %v", j, err)
	} else {
		j.Segment.Close()
	}
}

func TestFilesOfMappings(t *testing.T) {
	const maps = "7f00-7f01 r-xp 00000000 08:01 12 /usr/lib/libc.so.6\n7f02-7f03 r-xp 00000000 08:01 13                 /opt/pmix/lib/libpmix.so.2.6.2\n7f04-7f05 rw-p 00000000 00:00 0 [heap]\n"
	if got := mappedFile([]byte(maps), "libpmix.so"); got != "/opt/pmix/lib/libpmix.so.2.6.2" {
		t.Errorf("%q", got)
	}
	if got := mappedFile([]byte(maps), "libfoo"); got != "" {
		t.Errorf("%q", got)
	}
}

// The server is asked to end the job with the code of the first failure.
func TestAbortByPMIx(t *testing.T) {
	s := newPMIx(0, 0)
	jobs := exchangeAll(t, 2, 1, s.join, func(int) int { return 0 })
	if _, ending := jobs[0].Ending(); ending {
		t.Error("a job that goes on is ending")
	}
	jobs[1].Abort(7, "")
	if code, ending := jobs[0].Ending(); !ending || code != 7 {
		t.Errorf("ending %v with code %d, want 7", ending, code)
	}
	if fmt.Sprint(s.aborted) != "[7]" {
		t.Errorf("aborts %v", s.aborted)
	}
}

// Ranks that watch each other: goroutines cannot die, so the process behind a rank is another one.
func TestWatchOfNeighbours(t *testing.T) {
	for _, left := range []bool{false, true} {
		s := newPMIx(0, 0, 0)
		jobs := exchangeAll(t, 3, 1, s.join, func(int) int { return 0 })
		end, endNext := pretendProcess(t, jobs[1]), pretendProcess(t, jobs[2])
		died, lost := make(chan int, 3), make(chan bool, 3)
		jobs[0].Watch(func() { lost <- true }, func(rank int) { died <- rank })
		want := 1
		if left {
			if err := jobs[1].Finalize(); err != nil {
				t.Fatal(err)
			}
			want = 2
		}
		end()
		if left {
			select {
			case rank := <-died:
				t.Fatalf("rank %d is said to have died; rank 1 has left", rank)
			case <-time.After(100 * time.Millisecond):
			}
			endNext() // whom rank 0 watches now
		}
		select {
		case rank := <-died:
			if rank != want {
				t.Errorf("rank %d is said to have died, it was %d", rank, want)
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("nobody has seen a death")
		}
		<-lost
		if code, ending := jobs[2].Ending(); !ending || code != 1 {
			t.Errorf("ending %v, code %d", ending, code)
		}
		if fmt.Sprint(s.aborted) != "[1]" {
			t.Errorf("aborts %v", s.aborted)
		}
	}
}
