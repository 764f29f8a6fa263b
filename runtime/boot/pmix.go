package boot

import (
	"errors"
	"fmt"
	"strings"
)

// PMIx is a client of a PMIx server (PMIx 2 and later), by whose library it is carried out. Keys are those of
// the standard or of our own. Each error says in words what the library has answered.
type PMIx interface {
	// Begin connects to the server and returns which rank of its job this process is.
	Begin() (rank int, err error)
	// Number and Text return what the server has said of the job itself from the start.
	Number(key string) (int, error)
	Text(key string) (string, error)
	Put(key, value string) error
	// Fence waits until all ranks of the job have called it. What they have put before can be had then.
	Fence() error
	// Get returns what a rank has put.
	Get(rank int, key string) (string, error)
	// Abort asks the server to end the job.
	Abort(code int, why string) error
	// Lost is a descriptor that can be read once the server has gone.
	Lost() int
	End() error
}

// Config is what Join is given by those who call it.
type Config struct {
	OpenPMIx func(file string) (PMIx, error) // loads a library of PMIx; nil for a program that cannot
	LibPMIx  string                          // the only file to load it from; "" for those that can be found
	// Fail is called from another goroutine when this rank waits for others in vain: it tells the user why,
	// if there is something to tell, calls end, and then ends the process. It may be nil.
	Fail func(why string, end func())
}

// Keys of the PMIx standard.
const (
	jobSizeKey    = "pmix.job.size"
	localPeersKey = "pmix.lpeers"
	appNumKey     = "pmix.appnum"
	universeKey   = "pmix.univ.size"
)

// peersKey is the key under which the leader of a node puts the ranks of its node.
const peersKey = "gompi-peers"

// roomOfPMIx is how many bytes a value has at most there. The standard bounds none.
const roomOfPMIx = 64 << 10

// errNoPMIx is wrapped by the error for a library that cannot be found.
var errNoPMIx = errors.New("no library of PMIx can be loaded")

// pmixStore is the store of a PMIx server.
type pmixStore struct{ PMIx }

func (s pmixStore) put(key, value string) error              { return s.Put(key, value) }
func (s pmixStore) fence() error                             { return s.Fence() }
func (s pmixStore) get(from int, key string) (string, error) { return s.Get(from, key) }
func (s pmixStore) room(string) int                          { return roomOfPMIx }

// loadPMIx loads the first library of PMIx that there is: the one that was named and no other, or the
// loader's own choice, or one that a process has loaded which has started this one.
func loadPMIx(c Config) (PMIx, error) {
	if c.OpenPMIx == nil {
		return nil, fmt.Errorf("%w by this program", errNoPMIx)
	}
	files := []string{c.LibPMIx}
	if c.LibPMIx == "" {
		files = append([]string{"libpmix.so.2"}, loadedByAncestors("libpmix.so")...)
	}
	var tried []string
	for _, file := range files {
		p, err := c.OpenPMIx(file)
		if err == nil {
			return p, nil
		}
		tried = append(tried, err.Error())
	}
	return nil, fmt.Errorf("%w (%s); install it (Debian: apt install libpmix2), or set GOMPI_LIBPMIX to its file",
		errNoPMIx, strings.Join(tried, "; "))
}

// joinPMIx joins a job whose launcher is a PMIx server.
func joinPMIx(env environ, c Config) (*Job, error) {
	p, err := loadPMIx(c)
	if err != nil {
		return nil, err
	}
	j := &Job{AppNum: -1, UniverseSize: -1, pmix: p, store: pmixStore{p}}
	if j.Rank, err = p.Begin(); err != nil {
		return nil, fmt.Errorf("the PMIx server that started this process cannot be reached: %w", err)
	}
	if j.Size, err = p.Number(jobSizeKey); err != nil {
		return nil, err
	}
	if j.Rank < 0 || j.Rank >= j.Size {
		return nil, fmt.Errorf("the launcher says rank %d of %d", j.Rank, j.Size)
	}
	defer j.watchSiblings(env, c)()
	if n, err := p.Number(appNumKey); err == nil {
		j.AppNum = n
	}
	if n, err := p.Number(universeKey); err == nil && n > 0 {
		j.UniverseSize = n
	}
	text, err := p.Text(localPeersKey)
	if err != nil {
		return nil, fmt.Errorf("which ranks share this node: %w", err)
	}
	peers, err := parseRanks(text, j.Size)
	if err != nil {
		return nil, fmt.Errorf("%s from the launcher: %w", localPeersKey, err)
	}
	if len(peers) == j.Size {
		j.placeTogether()
		return j, j.share()
	}
	if peers[0] == j.Rank {
		if err := putText(j.store, peersKey, []byte(formatRanks(peers))); err != nil {
			return nil, err
		}
	}
	if err := j.store.fence(); err != nil {
		return nil, err
	}
	nodes, err := nodesByLeaders(j.store, j.Size)
	if err != nil {
		return nil, err
	}
	j.place(nodes)
	return j, j.share()
}

// nodesByLeaders finds the node of each rank from what the leaders have put: the lowest rank whose node is
// not known is always a leader.
func nodesByLeaders(s store, n int) ([]int, error) {
	nodes := make([]int, n)
	for r := range nodes {
		nodes[r] = -1
	}
	for leader, k := 0, 0; leader < n; leader++ {
		if nodes[leader] >= 0 {
			continue
		}
		text, err := getText(s, leader, peersKey)
		if err != nil {
			return nil, fmt.Errorf("which ranks share the node of rank %d: %w", leader, err)
		}
		ranks, err := parseRanks(string(text), n)
		if err != nil {
			return nil, fmt.Errorf("which ranks share the node of rank %d: %w", leader, err)
		}
		if ranks[0] != leader {
			return nil, fmt.Errorf("rank %d says that it shares a node with the ranks %s", leader, short(string(text)))
		}
		for _, r := range ranks {
			if nodes[r] >= 0 {
				return nil, fmt.Errorf("rank %d is on two nodes", r)
			}
			nodes[r] = k
		}
		k++
	}
	return nodes, nil
}
