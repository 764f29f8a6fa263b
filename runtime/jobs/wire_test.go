package jobs

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// patience is how long a test waits for what has to come; it is for hangs.
const patience = 60 * time.Second

// wires are the two ends of a stream.
func wires(t testing.TB, kind int) (a, b *wire) {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ends := make([]*wire, 2)
	for i := range ends {
		stop, err := newStopper()
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = &wire{connection: connection{pair[i]}, stop: stop, until: time.Now().Add(patience)}
	}
	return ends[0], ends[1]
}

func (w *wire) finish() {
	w.close()
	w.stop.close()
}

// Bytes arrive whole and in order, and the descriptors with them, however little the socket takes at a time
// and whatever pieces they are read in.
func TestShortWrites(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		before := openFiles(t)
		a, b := wires(t, unix.SOCK_STREAM|unix.SOCK_NONBLOCK)
		if err := unix.SetsockoptInt(a.fd, unix.SOL_SOCKET, unix.SO_SNDBUF, 1); err != nil {
			rt.Fatal(err)
		}
		text := make([]byte, rapid.IntRange(1, 60_000).Draw(rt, "bytes"))
		for i := range text {
			text[i] = byte(i * 7)
		}
		given := make([]int, rapid.IntRange(0, mostJobs+1).Draw(rt, "descriptors"))
		for i := range given {
			given[i] = a.stop.fd
		}
		plain := rapid.Bool().Draw(rt, "plain") && len(given) == 0
		sent := make(chan error, 1)
		go func() {
			if plain {
				sent <- a.plainWrite(text)
			} else {
				sent <- a.write(text, given...)
			}
		}()
		var got []byte
		var descriptors []int
		for len(got) < len(text) {
			part := make([]byte, rapid.IntRange(1, len(text)-len(got)).Draw(rt, "part"))
			var err error
			if plain {
				err = b.plainRead(part)
			} else {
				var more []int
				more, err = b.read(part, mostJobs+1)
				descriptors = append(descriptors, more...)
			}
			if err != nil {
				rt.Fatal(err)
			}
			got = append(got, part...)
		}
		if err := <-sent; err != nil || !bytes.Equal(got, text) {
			rt.Errorf("%d bytes have come, equal: %v, %v", len(got), bytes.Equal(got, text), err)
		}
		if len(descriptors) != len(given) {
			rt.Errorf("%d descriptors have come, want %d", len(descriptors), len(given))
		}
		closeAll(descriptors)
		a.finish()
		b.finish()
		if after := openFiles(t); after != before {
			rt.Errorf("%d descriptors are open, %d before", after, before)
		}
	})
}

// More descriptors than are expected end the stream, and none of them stays open.
func TestTooManyDescriptors(t *testing.T) {
	a, b := wires(t, unix.SOCK_STREAM)
	defer a.finish()
	defer b.finish()
	before := openFiles(t)
	for _, limit := range []int{0, 1, 5} {
		given := make([]int, limit+1)
		for i := range given {
			given[i] = a.fd
		}
		if err := a.write([]byte{1}, given...); err != nil {
			t.Fatal(err)
		}
		// The system keeps back what does not fit into the room for the limit, which is one at least.
		got, err := b.read(make([]byte, 1), limit)
		if err == nil && len(got) > limit || limit == 0 && err != errHungUp {
			t.Errorf("limit %d: %d descriptors, %v", limit, len(got), err)
		}
		closeAll(got)
		if after := openFiles(t); after != before {
			t.Errorf("limit %d: %d descriptors are open, %d before", limit, after, before)
		}
	}
}

// Every wait ends: when its time is over, when the call is given up, and when the other side has gone.
func TestWaitsEnd(t *testing.T) {
	full := make([]byte, 4<<20) // more than a socket takes
	waits := map[string]func(w *wire) error{
		"read":  func(w *wire) error { _, err := w.read(make([]byte, 1), 0); return err },
		"write": func(w *wire) error { return w.write(full) },
		"plain read": func(w *wire) error {
			return w.plainRead(make([]byte, 1))
		},
		"plain write": func(w *wire) error { return w.plainWrite(full) },
	}
	for name, wait := range waits {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				how  string
				want error
				end  func(w, other *wire)
			}{
				{"late", errLate, func(w, other *wire) {}},
				{"stopped", errStopped, func(w, other *wire) { w.stop.stop() }},
				{"gone", errHungUp, func(w, other *wire) { unix.Shutdown(other.fd, unix.SHUT_RDWR) }},
			} {
				a, b := wires(t, unix.SOCK_STREAM|unix.SOCK_NONBLOCK)
				if c.want == errLate {
					a.until = time.Now().Add(20 * time.Millisecond)
				}
				ended := make(chan error, 1)
				go func() { ended <- wait(a) }()
				if rand.IntN(2) == 0 {
					time.Sleep(5 * time.Millisecond) // it waits already, or comes later
				}
				c.end(a, b)
				if err := <-ended; err != c.want {
					t.Errorf("%s: %v, want %v", c.how, err, c.want)
				}
				a.finish()
				b.finish()
			}
		})
	}
}

// crowded is an address at which so many wait that no more are let in.
func crowded(t *testing.T) (name string, listening int) {
	t.Helper()
	name = unique("crowded") + t.Name()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		err = unix.Bind(fd, abstract(name))
	}
	if err == nil {
		err = unix.Listen(fd, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	for {
		c, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Close(c) })
		switch err := unix.Connect(c, abstract(name)); err {
		case nil:
		case unix.EAGAIN:
			return name, fd
		default:
			t.Fatal(err)
		}
	}
}

// Where too many wait already, a connector tries again until it is let in, its time is over, or the call is
// given up.
func TestCrowdedPort(t *testing.T) {
	name, listening := crowded(t)
	try := func(until time.Duration, meanwhile func(s *stopper)) error {
		stop, err := newStopper()
		if err != nil {
			t.Fatal(err)
		}
		defer stop.close()
		w := &wire{stop: stop, until: time.Now().Add(until)}
		go meanwhile(stop)
		if err = w.dial(name); err == nil {
			w.close()
		}
		return err
	}
	before := openFiles(t)
	if err := try(20*time.Millisecond, func(*stopper) {}); err != errLate {
		t.Errorf("in time: %v", err)
	}
	given := make(chan struct{})
	if err := try(patience, func(s *stopper) { s.stop(); close(given) }); err != errStopped {
		t.Errorf("given up: %v", err)
	}
	<-given
	accepted := make(chan int, 1)
	if err := try(patience, func(*stopper) {
		fd, _, err := unix.Accept4(listening, unix.SOCK_CLOEXEC)
		if err != nil {
			fd = -1
		}
		accepted <- fd
	}); err != nil {
		t.Errorf("let in: %v", err)
	}
	unix.Close(<-accepted)
	if after := openFiles(t); after != before {
		t.Errorf("%d descriptors are open, %d before", after, before)
	}
	if err := (&wire{}).dial(unique("nowhere")); err != errRefused {
		t.Errorf("where nobody listens: %v", err)
	}
}
