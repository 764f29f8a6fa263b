package jobs

import (
	"encoding/binary"
	"os"
	"testing"
	"time"

	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/runtime/transport"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// openFiles is the number of descriptors that this process has open.
func openFiles(t testing.TB) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// listen to whatever comes: what another process says ends in a hello that holds or in an error, never in a
// panic, and leaves no descriptor behind.
func FuzzHear(f *testing.F) {
	job, err := shm.CreateJob(2)
	if err != nil {
		f.Fatal(err)
	}
	over, err := shm.CreateBridge(3)
	if err != nil {
		f.Fatal(err)
	}
	plain, err := shm.Create(4096)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { job.Close(); over.Close(); plain.Close() })
	h := hello{side: bridge.Side{Members: []transport.Identity{{Job: job.ID()},
		{Job: job.ID(), Rank: 1, Node: 1}}, Jobs: []*shm.Segment{job}}}
	good := h.encode()
	f.Add(good, "j", false)
	f.Add(good, "bj", true)
	f.Add(good, "jj", false)
	f.Add(good, "pp", true)
	f.Add(good, "", true)
	f.Add(good[:20], "j", false)
	f.Add(good[:40], "bj", true)
	refusal := h
	refusal.class = mpierr.ErrComm
	f.Add(refusal.encode(), "", false)
	for _, at := range []int{8, 12, 16, 20, 32, 48, 52} {
		b := append([]byte(nil), good...)
		binary.NativeEndian.PutUint32(b[at:], 1<<31)
		f.Add(b, "j", false)
	}
	stop, err := newStopper()
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(stop.close)
	f.Fuzz(func(t *testing.T, said []byte, files string, withBridge bool) {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(pair[0])
		before := openFiles(t)
		var descriptors []int
		for _, c := range files {
			switch len(descriptors) {
			case 8:
			default:
				descriptors = append(descriptors, map[rune]int{'b': over.FD(), 'p': plain.FD()}[c])
				if c != 'b' && c != 'p' {
					descriptors[len(descriptors)-1] = job.FD()
				}
			}
		}
		until := time.Now().Add(patience)
		go func() {
			_ = (&wire{connection: connection{pair[1]}, until: until, stop: stop}).write(said, descriptors...)
			unix.Close(pair[1])
		}()
		got, err := (&wire{connection: connection{pair[0]}, until: until, stop: stop}).hear(withBridge, 1)
		if err == nil {
			check(t, got, withBridge)
			got.close()
		}
		if err == errLate {
			t.Fatal("it waits for what does not come")
		}
		// The writer has closed its end by now, or is about to.
		for deadline := time.Now().Add(patience); openFiles(t) > before-1; {
			if time.Now().After(deadline) {
				t.Fatalf("%d descriptors are open, %d before", openFiles(t), before-1)
			}
			time.Sleep(time.Millisecond)
		}
	})
}

// check says what is wrong with a hello that was accepted.
func check(t *testing.T, h *hello, withBridge bool) {
	n := len(h.side.Members)
	switch {
	case n < 1 || n > shm.MaxNodeSize || h.root < 0 || h.root >= n:
		t.Errorf("%d members, root %d", n, h.root)
	case h.class != 0 && !h.class.Predefined():
		t.Errorf("class %d", h.class)
	case h.class == 0 && withBridge != (h.bridge != nil):
		t.Errorf("bridge: %v, want %v", h.bridge != nil, withBridge)
	}
	for _, s := range h.side.Jobs {
		if s.Ranks() < 1 || s.Ranks() > shm.MaxNodeSize {
			t.Errorf("a job of %d ranks", s.Ranks())
		}
	}
}
