package jobs

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"gompi/runtime/comm"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/tool"
	"gompi/shm"
	"gompi/wire/state"
)

// Two groups are connected in four steps (MPI 5.0, 11.9):
//
//	1  the leaders shake hands (handshake.go); the one on the acceptor's side makes the bridge
//	2  each leader tells its group who the others are, and hands on the descriptors
//	3  everybody enters the bridge; the leaders tell each other whether all of their sides have
//	4  both groups agree on contexts, by messages over the bridge
//
// While a leader waits for the other one, a goroutine waits on the stream, and the thread that called makes
// progress.

// Wait says how long Accept and Connect wait for the other side.
type Wait struct {
	Timeout time.Duration // 0: accept waits for ever, connect ConnectTimeout; negative: for ever
	Stop    <-chan error  // at the root, may be nil: an error from it ends the call on all ranks
	Refused error         // at the root, if not nil: the call fails with it on all ranks
}

// ConnectTimeout is how long MPI_Comm_connect waits for the other side when nothing else is said.
const ConnectTimeout = tool.DefaultConnect * time.Second

// deadline is when a wait ends that begins now; the zero time when never.
func (w Wait) deadline(otherwise time.Duration) time.Time {
	t := w.Timeout
	if t == 0 {
		t = otherwise
	}
	if t <= 0 {
		return time.Time{}
	}
	return time.Now().Add(t)
}

// Accept waits at a port of the root for another group to connect, and returns the intercommunicator with it
// (MPI_Comm_accept, MPI 5.0, 11.9.2). All ranks of c call it; port and w matter at the root. An error there
// is one of all.
func (p *Ports) Accept(r *comm.Registry, c *comm.Comm, root int, port string, w Wait) (*comm.Comm, error) {
	m := meeting{registry: r, c: c, root: root, origin: "MPI_Comm_accept", until: w.deadline(0), stop: w.Stop,
		refused: w.Refused, awaits: fmt.Sprintf("a group that connects to port %q", short(port))}
	return m.run(func(x *wire, own *hello) (*agreement, error) {
		l, err := p.enter(port)
		if err != nil {
			return nil, err
		}
		defer p.leave(l)
		t, err := x.agree(l, own)
		if err != nil && l.closed(p) {
			err = mpierr.New(mpierr.ErrPort, "port %q was closed", short(port))
		}
		return t, inTime(err, "nobody has connected to port %q in time", short(port))
	})
}

// closed reports whether the port has been closed.
func (l *listener) closed(p *Ports) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return l.shut
}

// inTime says in words that the time is over.
func inTime(err error, format string, args ...any) error {
	if err == errLate {
		return mpierr.New(mpierr.ErrPort, format, args...)
	}
	return err
}

// Connect connects with the group that accepts at a port, and returns the intercommunicator with it
// (MPI_Comm_connect, MPI 5.0, 11.9.3). All ranks of c call it; port and w matter at the root. An error there
// is one of all: of class MPI_ERR_PORT when there is no such port, when it is closed, or when nobody accepts
// in time, of class MPI_ERR_UNSUPPORTED_OPERATION when it is on another machine.
func Connect(r *comm.Registry, c *comm.Comm, root int, port string, w Wait) (*comm.Comm, error) {
	m := meeting{registry: r, c: c, root: root, origin: "MPI_Comm_connect", until: w.deadline(ConnectTimeout),
		stop: w.Stop, refused: w.Refused, awaits: fmt.Sprintf("a group that accepts at port %q", short(port))}
	return m.run(func(x *wire, own *hello) (*agreement, error) {
		host, address, err := parsePort(port)
		if err != nil {
			return nil, err
		}
		if err = x.dial(address); err == errRefused {
			return nil, unheard(port, host)
		}
		var t *agreement
		if err == nil {
			if t, err = x.ask(own); err == errHungUp {
				err = mpierr.New(mpierr.ErrPort, "port %q was closed before anybody accepted", short(port))
			}
		}
		return t, inTime(err, "nobody has accepted at port %q in time", short(port))
	})
}

// maxAddress bounds the address of an abstract socket, in bytes.
const maxAddress = 107

// meeting is one call that connects two groups, on one rank.
type meeting struct {
	registry *comm.Registry
	c        *comm.Comm
	root     int
	origin   string
	awaits   string // the other group, for reports on hangs
	until    time.Time
	stop     <-chan error
	refused  error
	wire     *wire                 // the leader's
	stopped  atomic.Pointer[error] // what has come by stop
}

// together is nil if all ranks of c are on this machine, where alone they can meet others.
func together(c *comm.Comm) error {
	if c.OnOneMachine() {
		return nil
	}
	return mpierr.New(mpierr.ErrUnsupportedOperation, "the ranks of communicator %q are on several machines; gompi connects "+
		"and starts processes only for ranks of one, as MPI_Comm_split_type with MPI_COMM_TYPE_SHARED gives them", c.Label())
}

// handshake is how a leader finds the other one.
type handshake func(x *wire, own *hello) (*agreement, error)

// run carries the call out.
func (m *meeting) run(shake handshake) (*comm.Comm, error) {
	if m.c.Inter() {
		return nil, mpierr.New(mpierr.ErrComm, "communicator %q is an intercommunicator", m.c.Label())
	}
	if err := together(m.c); err != nil {
		return nil, err
	}
	own := m.c.Side()
	leads := m.c.Rank() == m.root
	var t *agreement
	var err error
	switch {
	case leads && m.refused != nil:
		err = m.refused
	case leads:
		if t, err = m.lead(shake, own); m.wire != nil {
			defer m.wire.stop.close()
			if err == nil {
				defer m.wire.close()
			}
		}
	}
	j, server, err := m.tell(own, t, err)
	if err != nil {
		return nil, err
	}
	entry, failed := m.registry.Enter(j)
	all, err := m.c.All(failed == nil)
	if server != nil {
		server.end()
	}
	if leads && err == nil {
		all, err = m.exchange(all)
	}
	if failed != nil && !p2p.IsLoss(err) {
		err = failed
	}
	err = m.spreadVerdict(all, m.because(err))
	if failed == nil {
		defer entry.Leave()
	}
	if err != nil {
		return nil, err
	}
	return entry.Join(m.c, m.origin)
}

// spreadVerdict gives all ranks what the leader knows: whether all processes of both sides have entered the
// bridge, or its error. That a process has died goes before what that has brought about on this rank.
func (m *meeting) spreadVerdict(all bool, own error) error {
	said := own
	if m.c.Rank() == m.root && own == nil && !all {
		said = mpierr.New(mpierr.ErrNoMem, "a process could not map the memory for the connection")
	}
	if err := m.c.SpreadError(said, m.root); own == nil || p2p.IsLoss(err) {
		return err
	}
	return own
}

// task is something that a goroutine does while this thread makes progress.
type task struct {
	done   atomic.Bool
	awaits string // see meeting
}

// Describe implements p2p.Describer.
func (t *task) Describe(n *state.Need) { n.Kind, n.Text = state.Elsewhere, t.awaits }

// Ready implements p2p.Condition.
func (t *task) Ready() bool { return t.done.Load() }

// meanwhile does f in a goroutine, and makes progress until it has come to its end. stop makes it come to its
// end early.
func (m *meeting) meanwhile(f func(), stop func()) error {
	t, end := &task{awaits: cmp.Or(m.awaits, "other processes, to connect with them")}, make(chan struct{})
	e := m.c.Engine()
	go func() {
		defer close(end)
		f()
		t.done.Store(true)
		e.Nudge()
	}()
	err := e.WaitFor(t)
	if err != nil {
		stop()
	}
	<-end
	return err
}

// lead is step 1, on the leader.
func (m *meeting) lead(shake handshake, own bridge.Side) (t *agreement, err error) {
	stop, err := newStopper()
	if err != nil {
		return nil, mpierr.New(mpierr.ErrOther, "%v", err)
	}
	m.wire = &wire{until: m.until, stop: stop}
	if m.stop != nil {
		over, gone := make(chan struct{}), make(chan struct{})
		defer func() { close(over); <-gone }()
		go func() {
			defer close(gone)
			select {
			case e := <-m.stop:
				if e == nil {
					e = errStopped
				}
				m.stopped.Store(&e)
				stop.stop()
			case <-over:
			}
		}()
	}
	failed := m.meanwhile(func() { t, err = shake(m.wire, &hello{side: own, root: m.root}) }, stop.stop)
	if failed != nil {
		if t != nil {
			t.close()
			m.wire.close()
		}
		return nil, failed
	}
	return t, m.because(known(err))
}

// because is what has ended the call early instead of an error, if something has.
func (m *meeting) because(err error) error {
	if reason := m.stopped.Load(); err != nil && reason != nil {
		return *reason
	}
	return err
}

// known makes an error of the system one with a class.
func known(err error) error {
	var e *mpierr.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	if err == errHungUp {
		return mpierr.New(mpierr.ErrProcAborted, "a process of the other side has died, or has given up, while it was being connected")
	}
	return mpierr.New(mpierr.ErrOther, "the processes could not be connected: %v", err)
}

// exchangeTimeout is how long a leader waits for the other side to enter the bridge.
const exchangeTimeout = 60 * time.Second

// exchange tells the other leader whether all of this side have entered the bridge, and whether all of both
// have.
func (m *meeting) exchange(all bool) (bool, error) {
	b := []byte{0}
	if all {
		b[0] = 1
	}
	m.wire.until = time.Now().Add(exchangeTimeout)
	var err error
	failed := m.meanwhile(func() {
		if err = m.wire.write(b); err == nil {
			_, err = m.wire.read(b, 0)
		}
	}, m.wire.stop.stop)
	if failed != nil {
		return false, failed
	}
	return err == nil && all && b[0] == 1, known(err)
}

// Layout of what a leader tells its side, in bytes: the header, the identities of the others, the address of
// the server or the text of the error.
const (
	noticeHeader = 24
	mostText     = 64 << 10
	noticeMost   = shm.MaxNodeSize*identitySize + mostText // behind the header: the identities, and a text
)

// tell is step 2: it returns what each process has in hand, and on the leader the server that hands out
// descriptors.
func (m *meeting) tell(own bridge.Side, t *agreement,
	failed error) (j bridge.Connection, server *descriptorServer, err error) {
	leads := m.c.Rank() == m.root
	head, body := make([]byte, noticeHeader), []byte(nil)
	if leads {
		if failed == nil && m.c.Size() > 1 {
			if server, failed = serveDescriptors(t); failed != nil {
				t.close()
				failed = known(failed)
			}
		}
		var text string
		if failed != nil {
			text = failed.Error()
			var e *mpierr.Error
			if errors.As(failed, &e) {
				text = e.Text
			}
			text = text[:min(len(text), mostText)]
			binary.NativeEndian.PutUint32(head, uint32(mpierr.CodeOf(failed)))
		} else {
			body = appendMembers(nil, t.other.side.Members)
			binary.NativeEndian.PutUint32(head[8:], uint32(t.other.root))
			if t.first {
				head[12] = 1
			}
			binary.NativeEndian.PutUint32(head[16:], uint32(len(t.other.side.Jobs)))
			if server != nil {
				text = server.address
			}
		}
		binary.NativeEndian.PutUint32(head[4:], uint32(len(body)))
		body = append(body, text...)
		binary.NativeEndian.PutUint32(head[20:], uint32(len(body)))
	}
	if err = m.c.Spread(head, m.root); err == nil {
		if !leads {
			size := binary.NativeEndian.Uint32(head[20:])
			if size > noticeMost || binary.NativeEndian.Uint32(head[4:]) > size {
				return j, nil, mpierr.New(mpierr.ErrIntern, "the leader of this side says of the other one what cannot be: %d bytes", size)
			}
			body = make([]byte, size)
		}
		err = m.c.Spread(body, m.root)
	}
	if leads {
		if failed != nil {
			return j, nil, failed
		}
		j = bridge.Connection{Segment: t.bridge, Own: own, Other: t.other.side, First: t.first, Root: m.root,
			Leader: t.other.root}
		if err != nil {
			j.Refuse()
			if server != nil {
				server.end()
			}
		}
		return j, server, err
	}
	if err != nil {
		return j, nil, err
	}
	n := binary.NativeEndian.Uint32(head[4:])
	text := string(body[n:])
	if code := binary.NativeEndian.Uint32(head); code != 0 {
		class := mpierr.Class(code)
		if !class.Predefined() {
			class = mpierr.ErrOther
		}
		return j, nil, mpierr.New(class, "%s", text)
	}
	j = bridge.Connection{Own: own, First: head[12] == 1, Root: m.root,
		Leader: int(binary.NativeEndian.Uint32(head[8:]))}
	j.Other.Members = membersIn(body[:n])
	j.Segment, j.Other.Jobs = fetch(text, len(j.Own.Members)+len(j.Other.Members),
		int(binary.NativeEndian.Uint32(head[16:])))
	return j, nil, nil
}
