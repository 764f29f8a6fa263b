package jobs

import (
	"testing"
	"time"

	"gompi/runtime/jobs/bridge"
	"gompi/runtime/transport"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// side is a group of one process, of a job of its own.
func side(t testing.TB) *hello {
	t.Helper()
	job, err := shm.CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { job.Close() })
	return &hello{side: bridge.Side{Members: []transport.Identity{{Job: job.ID()}},
		Jobs: []*shm.Segment{job}}}
}

// Connections that say nothing, or not all, keep nobody waiting who goes on.
func TestSilentCallers(t *testing.T) {
	name, err := secret()
	if err != nil {
		t.Fatal(err)
	}
	l, err := openPort(meetPrefix + name)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	l.answer = 10 * patience // nobody can wait for one of them to be given up
	stop, err := newStopper()
	if err != nil {
		t.Fatal(err)
	}
	defer stop.close()
	here, there := side(t), side(t)
	text := there.encode()
	var silent []connection
	for i := range 2 * mostCallers {
		c, err := dial(meetPrefix + name)
		if err != nil {
			t.Fatal(err)
		}
		defer c.close()
		c.send(text[:i%len(text)]) // from nothing to all but one byte
		silent = append(silent, c)
	}
	accepted := make(chan error, 1)
	acceptor := &wire{stop: stop, until: time.Now().Add(patience)}
	go func() {
		tr, err := acceptor.agree(l, here)
		if err == nil {
			tr.close()
			acceptor.close()
		}
		accepted <- err
	}()
	connector := &wire{stop: stop, until: time.Now().Add(patience)}
	if err := connector.dial(meetPrefix + name); err != nil {
		t.Fatal(err)
	}
	tr, err := connector.ask(there)
	if err != nil {
		t.Fatal(err)
	}
	if tr.other.side.Members[0].Job != here.side.Jobs[0].ID() || tr.first {
		t.Errorf("the agreement is %+v", tr)
	}
	tr.close()
	connector.close()
	if err := <-accepted; err != nil {
		t.Fatal(err)
	}
	// Who has said something else, or has gone, is forgotten; who may still go on is not.
	if err := unix.Shutdown(silent[len(silent)-1].fd, unix.SHUT_RDWR); err != nil {
		t.Fatal(err)
	}
	before := len(l.callers)
	if c, err := l.next(); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
	if len(l.callers) >= before || len(l.callers) == 0 {
		t.Errorf("%d callers of %d are left", len(l.callers), before)
	}
}

func FuzzHello(f *testing.F) {
	f.Add(side(f).encode(), 1)
	f.Add(make([]byte, helloHeader), 3)
	f.Add(side(f).encode()[:helloHeader+3], 2)
	other, err := newStopper() // what is sent must not keep the stream open
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(other.close)
	f.Fuzz(func(t *testing.T, text []byte, descriptors int) {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := caller{connection: connection{pair[0]}}
		var rights []byte
		if n := descriptors & 7; n > 0 {
			fds := make([]int, n)
			for i := range fds {
				fds[i] = other.fd
			}
			rights = unix.UnixRights(fds...)
		}
		if len(text) > 0 {
			if err := unix.Sendmsg(pair[1], text, rights, nil, unix.MSG_DONTWAIT); err != nil {
				t.Skip(err)
			}
		}
		unix.Close(pair[1])
		whole, err := c.advance()
		if whole == (err != nil) {
			t.Fatalf("a hello that has come as far as it ever will: %v, %v", whole, err)
		}
		if whole {
			if h, err := helloOf(c.text, c.descriptors, false, 0); err == nil {
				h.close()
			}
			c.close()
			return
		}
		c.drop()
	})
}
