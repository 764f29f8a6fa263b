package transport_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gompi/fabric"
	"gompi/fabric/libfabric"
	"gompi/internal/testjob"
	"gompi/runtime/transport/network"
	"gompi/shm"
)

// Two ranks begin to talk to each other at the same time, after a third one has died that both have talked
// to. The one whose request for a connection wins looks only when the other one has taken it, and finds the
// other one's request first. libfabric's tcp then ends both connections; nothing is lost all the same.
func TestCrossing(t *testing.T) {
	if known := os.Getenv("TEST_CROSSING"); known != "" {
		beDoomed(t, strings.Fields(known))
		return
	}
	if _, err := os.Stat("/usr/include/rdma/fabric.h"); err != nil {
		t.Skip("not here: libfabric-dev")
	}
	seg, _ := newJob(t, doomed+1)
	var ranks []*rank
	for r := range doomed {
		ranks = append(ranks, openRank(t, seg, r, doomed+1, true, overTCP))
	}
	watchdog := time.Now().Add(testjob.Limit)
	kill := startDoomed(t, seg)
	for _, p := range ranks {
		put(p, doomed, 8, 0)
		lookAt(t, p, watchdog, p.Provider.(*network.Provider).Held)
	}
	kill()
	for _, p := range ranks {
		lookAt(t, p, time.Now().Add(50*time.Millisecond), always)
		p.Provider.(*network.Provider).DropPeer(doomed)
	}

	put(ranks[0], 1, 8, 0)
	put(ranks[1], 0, 8, 0)
	late := 0
	if bytes.Compare(cardOf(t, seg, 0), cardOf(t, seg, 1)) < 0 {
		late = 1 // of the same node, so the greater port wins
	}
	lookAt(t, ranks[late], time.Now().Add(50*time.Millisecond), always)
	var got, sent [doomed]uint32
	got[1-late] = lookAt(t, ranks[1-late], time.Now().Add(50*time.Millisecond), always)
	for sent = [doomed]uint32{1, 1}; got != [doomed]uint32{3, 3} && time.Now().Before(watchdog); {
		for r, p := range ranks {
			got[r] += lookAt(t, p, time.Now().Add(time.Millisecond), always)
			if sent[r] < 3 && put(p, 1-r, 8, sent[r]) {
				sent[r]++
			}
			p.Provider.(*network.Provider).Broken(func(peer int) {
				if peer != doomed {
					t.Fatalf("rank %d has lost rank %d", r, peer)
				}
			})
		}
	}
	if got != [doomed]uint32{3, 3} {
		t.Errorf("of 3 packets each, %d and %d have come", got[0], got[1])
	}
}

// doomed is the rank that dies. It is a process of its own.
const doomed = 2

func overTCP(o fabric.Opening) (fabric.Opened, error) {
	o.Source, o.Forced, o.Wish = "127.0.0.1", true, fabric.Wish{Provider: "tcp", Loopback: true}
	return libfabric.Connect(o)
}

func always() bool { return true }

// lookAt has a rank make progress as long as a condition holds, but not beyond a moment, and counts the
// packets that have come.
func lookAt(t *testing.T, p *rank, until time.Time, while func() bool) (packets uint32) {
	for while() && time.Now().Before(until) {
		if _, _, ok := take(t, p); ok {
			packets++
		}
	}
	return packets
}

func cardOf(t *testing.T, seg *shm.Segment, r int) []byte {
	card, err := shm.Card(seg, r)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

// startDoomed starts the rank that dies, and tells it the job and the cards of the others.
func startDoomed(t *testing.T, seg *shm.Segment) (kill func()) {
	job := seg.ID()
	known := fmt.Sprintf("TEST_CROSSING=%x", job[:])
	for r := range doomed {
		known += fmt.Sprintf(" %x", cardOf(t, seg, r))
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestCrossing$")
	c.Env, c.Stderr = append(os.Environ(), known), os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill = func() {
		c.Process.Kill()
		c.Wait()
	}
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	card, errCard := hex.DecodeString(strings.TrimSpace(line))
	if err != nil || errCard != nil {
		t.Fatalf("%q: %v, %v", line, err, errCard)
	}
	shm.SetCard(seg, doomed, card)
	return kill
}

// beDoomed is the rank that dies.
func beDoomed(t *testing.T, known []string) {
	o, err := overTCP(fabric.Opening{Options: network.Options(doomed+1, false, nil)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := network.New(network.Config{Rank: doomed, Size: doomed + 1,
		Reaches:  func(int) bool { return true },
		Survives: true, Endpoint: o.Endpoint, Provider: o.Provider, Version: o.Version, Malformed: malformed,
		Exchange: func(card []byte) (job shm.JobID, err error) {
			fmt.Printf("%x\n", card)
			_, err = hex.Decode(job[:], []byte(known[0]))
			return job, err
		},
		Card:     func(rank int) ([]byte, error) { return hex.DecodeString(known[1+rank]) },
		Unusable: func(err error) { panic(err) }})
	if err != nil {
		t.Fatal(err)
	}
	lookAt(t, &rank{Provider: p}, time.Now().Add(testjob.Limit), always)
}
