package jobs

import (
	"encoding/binary"
	"testing"
	"time"

	"gompi/runtime/mpierr"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// port is a place to accept at, and its address.
func port(t *testing.T) (l *listener, address string) {
	t.Helper()
	name, err := secret()
	if err == nil {
		address = meetPrefix + name
		l, err = openPort(address)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l, address
}

// callAt is a wire to an address.
func callAt(t *testing.T, address string) *wire {
	t.Helper()
	stop, err := newStopper()
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{stop: stop, until: time.Now().Add(patience)}
	if err := w.dial(address); err != nil {
		t.Fatal(err)
	}
	return w
}

// strangers are callers who say what no connector says, by what is wrong with it.
func strangers(t *testing.T) map[string]func(w *wire) error {
	own := side(t)
	good, job := own.encode(), own.side.Jobs[0].FD()
	plain, err := shm.Create(4096)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { plain.Close() })
	with := func(at int, v uint32) []byte {
		b := append([]byte(nil), good...)
		binary.NativeEndian.PutUint32(b[at:], v)
		return b
	}
	says := func(b []byte, descriptors ...int) func(w *wire) error {
		return func(w *wire) error { return w.write(b, descriptors...) }
	}
	return map[string]func(w *wire) error{
		"another protocol":      says([]byte("GET / HTTP/1.1\r\nHost: nobody, and more than a header\r\n"), job),
		"another version":       says(with(0, 99), job),
		"a refusal":             says(with(8, uint32(mpierr.ErrComm))),
		"a strange class":       says(with(8, 1<<20), job),
		"a strange root":        says(with(12, 1), job),
		"a root below":          says(with(12, 1<<31), job),
		"no members":            says(with(16, 0), job),
		"too many members":      says(with(16, 1<<31), job),
		"more jobs":             says(with(20, 2), job),
		"no descriptors":        says(good),
		"too many descriptors":  says(good, job, job),
		"no segment":            says(good, plain.FD()),
		"no file":               says(good, w0(t)),
		"a process nobody has":  says(with(helloHeader+shm.JobIDSize+4, 1), job),
		"a place below":         says(with(helloHeader+shm.JobIDSize+4, 1<<31), job),
		"another job's process": says(with(helloHeader, 7), job),
		"nothing":               func(*wire) error { return nil },
		"half":                  says(good[:len(good)-1], job),
		"all, and is gone":      says(good, job),
	}
}

// w0 is a descriptor of no file.
func w0(t *testing.T) int {
	s, err := newStopper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s.fd
}

// Who says what no connector says keeps nobody from being connected, and leaves nothing open.
func TestStrangersArePassedOver(t *testing.T) {
	here, there := side(t), side(t)
	for name, say := range strangers(t) {
		t.Run(name, func(t *testing.T) {
			l, address := port(t)
			before := openFiles(t)
			stranger := callAt(t, address)
			if err := say(stranger); err != nil {
				t.Fatal(err)
			}
			if err := unix.Shutdown(stranger.fd, unix.SHUT_RDWR); err != nil {
				t.Fatal(err)
			}
			connected := make(chan error, 1)
			w := callAt(t, address)
			go func() {
				tr, err := w.ask(there)
				if err == nil {
					tr.close()
				}
				w.finish()
				connected <- err
			}()
			stop, err := newStopper()
			if err != nil {
				t.Fatal(err)
			}
			acceptor := &wire{stop: stop, until: time.Now().Add(patience)}
			tr, err := acceptor.agree(l, here)
			if err != nil {
				t.Fatal(err)
			}
			if tr.other.side.Members[0].Job != there.side.Jobs[0].ID() {
				t.Error("the stranger was let in")
			}
			tr.close()
			acceptor.finish()
			if err := <-connected; err != nil {
				t.Error(err)
			}
			stranger.finish()
			if after := openFiles(t); after != before {
				t.Errorf("%d descriptors are open, %d before", after, before)
			}
		})
	}
}

// Two groups with a process in common are told so, on both sides.
func TestProcessInCommon(t *testing.T) {
	both := side(t)
	l, address := port(t)
	w := callAt(t, address)
	defer w.finish()
	asked := make(chan error, 1)
	go func() {
		_, err := w.ask(both)
		asked <- err
	}()
	acceptor := &wire{stop: w.stop, until: time.Now().Add(patience)}
	_, err := acceptor.agree(l, both)
	want(t, err, mpierr.ErrComm)
	want(t, <-asked, mpierr.ErrComm)
}

// A listener without a descriptor left waits until there is one again. It does not lose who has come.
func TestDescriptorsRunOut(t *testing.T) {
	here, there := side(t), side(t)
	l, address := port(t)
	w := callAt(t, address)
	if err := w.tell(there); err != nil {
		t.Fatal(err)
	}
	defer w.finish()
	stop, err := newStopper()
	if err != nil {
		t.Fatal(err)
	}
	defer stop.close()
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 3, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	c, err := l.next()
	_, again := l.watched(time.Time{})
	late := (&wire{stop: stop, until: time.Now().Add(3 * retryMillis * time.Millisecond)})
	_, failed := late.accept(l)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if c != nil || err != nil || again.IsZero() || failed != errLate {
		t.Errorf("without descriptors: %v, %v, again at %v, %v", c, err, again, failed)
	}
	acceptor := &wire{stop: stop, until: time.Now().Add(patience)}
	if c, err = acceptor.accept(l); err != nil {
		t.Fatal(err)
	}
	defer c.close()
	h, err := helloOf(c.text, c.descriptors, false, 0)
	if err != nil || h.side.Members[0] != there.side.Members[0] || here.side.Members[0] == h.side.Members[0] {
		t.Fatalf("%+v, %v", h, err)
	}
	h.close()
}
