package boot

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"gompi/wire/pmi"
)

// strictServer is a PMI server as strict as Slurm's: each read of at most 1024 bytes is one request, and
// nothing that comes with it or behind it is kept.
type strictServer struct {
	*fakeServer
	complaints []string
	longest    int // value
}

func (s *strictServer) serve(fd int) {
	buf := make([]byte, 1024)
	for {
		n, err := syscall.Read(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return
		}
		line := string(buf[:n])
		m, err := pmi.Parse(line)
		s.mu.Lock()
		if err != nil || strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
			s.complaints = append(s.complaints, fmt.Sprintf("no single request in one read: %.60q", line))
		}
		key, _ := m.Get("key")
		value, _ := m.Get("value")
		s.longest = max(s.longest, len(value))
		answer := ""
		switch m.Cmd {
		case "init":
			answer = "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1"
		case "get_appnum":
			answer = "cmd=appnum rc=0 appnum=0"
		case "get_universe_size":
			answer = "cmd=universe_size rc=0 size=1"
		case "get_my_kvsname":
			answer = "cmd=my_kvsname rc=0 kvsname=123456.0"
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
				answer = "cmd=get_result rc=-1"
			}
		case "barrier_in":
			s.waiting = append(s.waiting, fd)
			if len(s.waiting) == s.size {
				for _, w := range s.waiting {
					syscall.Write(w, []byte("cmd=barrier_out rc=0\n"))
				}
				s.waiting = nil
			}
		case "finalize":
			answer = "cmd=finalize_ack rc=0"
		}
		s.mu.Unlock()
		if answer != "" {
			syscall.Write(fd, []byte(answer+"\n"))
		}
	}
}

func newStrict(t *testing.T, size int, mapping string) *strictServer {
	return &strictServer{fakeServer: newServer(t, size, mapping)}
}

// join has a rank join.
func (s *strictServer) join(rank int) (*Job, error) { return join(s.start(s.t, rank), Config{}) }

// start returns the environment of a rank and begins to serve it.
func (s *strictServer) start(t *testing.T, rank int) environ {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { s.serve(pair[0]); close(done) }()
	t.Cleanup(func() {
		syscall.Shutdown(pair[0], syscall.SHUT_RDWR)
		<-done
		syscall.Close(pair[0])
		syscall.Close(pair[1])
	})
	return env(map[string]string{"PMI_FD": strconv.Itoa(pair[1]), "PMI_RANK": strconv.Itoa(rank),
		"PMI_SIZE": strconv.Itoa(s.size)})
}

// cardOf is the card of a rank in these tests, up to most bytes of every value.
func cardOf(rank, most int) []byte {
	random := rand.New(rand.NewPCG(uint64(rank), 1))
	card := make([]byte, random.IntN(most+1))
	if rank == 1 {
		card = make([]byte, most)
	}
	for i := range card {
		card[i] = byte(random.Uint32())
	}
	return card
}

// exchangeAll has all ranks join and exchange their cards, and checks what each of them gets.
func exchangeAll(t *testing.T, size, most int, joinRank func(rank int) (*Job, error),
	nodes func(rank int) int) []*Job {
	t.Helper()
	jobs, errs := make([]*Job, size), make([]error, size)
	var wait sync.WaitGroup
	for r := range size {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if jobs[r], errs[r] = joinRank(r); errs[r] == nil {
				errs[r] = jobs[r].Exchange(cardOf(r, most))
			}
		}()
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for r, j := range jobs {
		t.Cleanup(j.Segment.Close)
		if j.Rank != r || j.Node(r) != nodes(r) {
			t.Fatalf("rank %d believes to be rank %d on node %d, is on %d", r, j.Rank, j.Node(r), nodes(r))
		}
		for other := range size {
			card, err := j.Card(other)
			if err != nil || !bytes.Equal(card, cardOf(other, most)) {
				t.Fatalf("rank %d has as the card of rank %d %d bytes, %v", r, other, len(card), err)
			}
		}
		if _, err := j.Card(size); err == nil {
			t.Errorf("rank %d has a card of a rank that is not there", r)
		}
	}
	return jobs
}

func TestExchangeByPMI(t *testing.T) {
	for _, c := range []struct{ nodes, perNode, most int }{
		{1, 1, 20}, {1, 4, 20}, {3, 1, MaxCard}, {3, 2, 0}, {5, 40, 16}, {5, 3, 200}, {2, 40, MaxCard},
	} {
		t.Run(fmt.Sprintf("%dx%d of %d", c.nodes, c.perNode, c.most), func(t *testing.T) {
			s := newStrict(t, c.nodes*c.perNode, fmt.Sprintf("(vector,(0,%d,%d))", c.nodes, c.perNode))
			jobs := exchangeAll(t, s.size, c.most, s.join, func(r int) int { return r / c.perNode })
			for _, j := range jobs {
				if len(j.Leaders) != c.nodes || j.Leaders[c.nodes-1] != (c.nodes-1)*c.perNode ||
					j.Sizes[0] != c.perNode {
					t.Errorf("leaders %v of nodes of %v ranks", j.Leaders, j.Sizes)
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.complaints) > 0 {
				t.Errorf("the server was asked what it does not understand: %q", s.complaints[0])
			}
			full := c.perNode == 40 && c.most == MaxCard
			if s.longest > longestValue || full && s.longest < longestValue-2 {
				t.Errorf("the longest value has %d bytes, of at most %d", s.longest, longestValue)
			}
		})
	}
}

// Ranks that are dealt to the nodes one by one, under node numbers that the launcher has chosen.
func TestExchangeCyclic(t *testing.T) {
	s := newStrict(t, 7, "(vector,(5,1,1),(1,2,1))")
	exchangeAll(t, s.size, 30, s.join, func(r int) int { return r % 3 })
}

// A launcher that does not say which ranks share a node: they find out.
func TestNodesWithoutMapping(t *testing.T) {
	s := newStrict(t, 4, "")
	jobs := exchangeAll(t, s.size, 30, s.join, func(r int) int { return 0 })
	s.mu.Lock()
	defer s.mu.Unlock()
	if !jobs[3].OnOneNode() || s.kvs[machineKey+"3"] == "" {
		t.Errorf("%+v", jobs[3])
	}
}

// A leader that gets something else than cards tells its node, and nobody waits.
func TestMalformedCards(t *testing.T) {
	for _, value := range []string{"%", "", "AA", "AQ", "_________w8", letters.EncodeToString([]byte{3, 9, 1, 1})} {
		s := newStrict(t, 4, "(vector,(0,2,2))")
		errs := make([]error, s.size)
		var wait sync.WaitGroup
		var barrier sync.WaitGroup
		barrier.Add(s.size)
		for r := range s.size {
			wait.Add(1)
			go func() {
				defer wait.Done()
				j, err := s.join(r)
				barrier.Done()
				barrier.Wait()
				if err != nil {
					errs[r] = err
					return
				}
				defer j.Segment.Close()
				if r >= 2 {
					j.store = lying{j.store, cardsKey + "0-0", value}
				}
				errs[r] = j.Exchange([]byte("card"))
			}()
		}
		wait.Wait()
		if errs[0] != nil || errs[1] != nil || errs[2] == nil || errs[3] == nil {
			t.Errorf("%q instead of cards: %v", value, errs)
		}
	}
}

// lying is a store in which one value is another one.
type lying struct {
	store
	key, value string
}

func (l lying) get(from int, key string) (string, error) {
	if key == l.key {
		return l.value, nil
	}
	return l.store.get(from, key)
}

func TestCardTooLong(t *testing.T) {
	j, err := join(env(nil), Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Segment.Close()
	err = j.Exchange(make([]byte, MaxCard+1))
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(MaxCard)) {
		t.Errorf("%v", err)
	}
	if _, err := j.Card(0); err == nil {
		t.Error("a card that was never given")
	}
}

func TestRankLists(t *testing.T) {
	for text, want := range map[string][]int{"0": {0}, "0-2,5": {0, 1, 2, 5}, "1,2,3": {1, 2, 3}} {
		got, err := parseRanks(text, 6)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "0,", "3-1", "1,1", "2,1", "6", "0-99999999999999999999", "-1"} {
		if got, err := parseRanks(text, 6); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	for _, ranks := range [][]int{{0}, {0, 1, 2}, {1, 3, 4, 5, 9}} {
		got, err := parseRanks(formatRanks(ranks), 10)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(ranks) {
			t.Errorf("%v is written %q and read as %v, %v", ranks, formatRanks(ranks), got, err)
		}
	}
}
