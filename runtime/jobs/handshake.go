package jobs

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/runtime/transport"
	"gompi/shm"
)

// The leaders of two sides shake hands over a stream:
//
//	connector -> acceptor   hello: who its side is, with the descriptors of the segments of their jobs
//	acceptor -> connector   an error class, 0 for none; hello likewise, the descriptor of the bridge ahead
//	                        of the others
//	connector -> acceptor   one byte: it goes on. One that has given up in the meantime has closed the
//	                        stream
//	both                    one byte each: whether all processes of its side have entered the bridge
//
// What a leader knows then it tells its side.

// Layout of a hello, in bytes: the header, then identitySize for each process.
const (
	helloMagic   = 0x67_6f_6d_70_69_68_00_01 // "gompih", version 1
	helloHeader  = 32
	identitySize = shm.JobIDSize + 8
	mostJobs     = 250 // descriptors in one message
)

// hello is what one side tells the other.
type hello struct {
	side   bridge.Side
	root   int          // rank of the leader
	class  mpierr.Class // why there will be no connection; 0 otherwise
	bridge *shm.Segment // the acceptor's
}

func (h *hello) encode() []byte {
	b := make([]byte, helloHeader, helloHeader+len(h.side.Members)*identitySize)
	binary.NativeEndian.PutUint64(b, helloMagic)
	binary.NativeEndian.PutUint32(b[8:], uint32(h.class))
	binary.NativeEndian.PutUint32(b[12:], uint32(h.root))
	binary.NativeEndian.PutUint32(b[16:], uint32(len(h.side.Members)))
	binary.NativeEndian.PutUint32(b[20:], uint32(len(h.side.Jobs)))
	return appendMembers(b, h.side.Members)
}

func appendMembers(b []byte, members []transport.Identity) []byte {
	for _, m := range members {
		b = append(b, m.Job[:]...)
		b = binary.NativeEndian.AppendUint32(b, uint32(m.Rank))
		b = binary.NativeEndian.AppendUint32(b, uint32(m.Node))
	}
	return b
}

func membersIn(b []byte) []transport.Identity {
	members := make([]transport.Identity, len(b)/identitySize)
	for i := range members {
		at := b[i*identitySize:]
		copy(members[i].Job[:], at)
		members[i].Rank = int32(binary.NativeEndian.Uint32(at[shm.JobIDSize:]))
		members[i].Node = int32(binary.NativeEndian.Uint32(at[shm.JobIDSize+4:]))
	}
	return members
}

// tell sends a hello with its descriptors.
func (w *wire) tell(h *hello) error {
	var descriptors []int
	if h.bridge != nil {
		descriptors = append(descriptors, h.bridge.FD())
	}
	if h.class == 0 {
		for _, s := range h.side.Jobs {
			descriptors = append(descriptors, s.FD())
		}
	}
	return w.write(h.encode(), descriptors...)
}

// mostMembers bounds the processes of one side.
const mostMembers = shm.MaxNodeSize

// errOtherProtocol is for those who say something else than a hello.
var errOtherProtocol = mpierr.New(mpierr.ErrPort, "the other side speaks another protocol: it uses another version of gompi")

// hear receives a hello; bridge says whether one comes with it, for own processes and as many as it names.
func (w *wire) hear(bridge bool, own int) (h *hello, err error) {
	text := make([]byte, helloHeader)
	descriptors, err := w.read(text, mostJobs+1)
	if err != nil {
		return nil, err
	}
	n, err := helloMembers(text)
	if err == nil {
		body := make([]byte, n*identitySize)
		_, err = w.read(body, 0)
		text = append(text, body...)
	}
	if err != nil {
		closeAll(descriptors)
		return nil, err
	}
	return helloOf(text, descriptors, bridge, own)
}

// helloOf is the hello that a text and its descriptors stand for; it takes the descriptors.
func helloOf(text []byte, descriptors []int, bridge bool, own int) (*hello, error) {
	jobs := int(binary.NativeEndian.Uint32(text[20:]))
	h := &hello{class: mpierr.Class(binary.NativeEndian.Uint32(text[8:])),
		root: int(binary.NativeEndian.Uint32(text[12:]))}
	h.side.Members = membersIn(text[helloHeader:])
	if h.class != 0 {
		closeAll(descriptors)
		return h, nil
	}
	if bridge {
		jobs++
	}
	if len(descriptors) != jobs {
		closeAll(descriptors)
		return nil, mpierr.New(mpierr.ErrNoMem, "descriptors of shared memory got lost: too many files are open")
	}
	if err := h.open(descriptors, bridge, own); err != nil {
		return nil, err
	}
	if !h.consistent() {
		h.close()
		return nil, errOtherProtocol
	}
	return h, nil
}

// consistent reports whether all processes are of jobs that have come with the hello.
func (h *hello) consistent() bool {
	for _, m := range h.side.Members {
		at := slices.IndexFunc(h.side.Jobs, func(s *shm.Segment) bool { return s.ID() == m.Job })
		if at < 0 || m.Node < 0 || int(m.Node) >= h.side.Jobs[at].Ranks() {
			return false
		}
	}
	return true
}

// open maps what stands behind the descriptors; it gives all back if that fails.
func (h *hello) open(descriptors []int, bridge bool, own int) (err error) {
	if bridge {
		if h.bridge, err = shm.OpenBridge(descriptors[0], own+len(h.side.Members)); err != nil {
			closeAll(descriptors[1:])
			return mpierr.Memory(err)
		}
		descriptors = descriptors[1:]
	}
	for i, fd := range descriptors {
		s, err := shm.OpenJob(fd)
		if err != nil {
			closeAll(descriptors[i+1:])
			h.close()
			if errors.Is(err, shm.ErrOtherKind) {
				return errOtherProtocol
			}
			return mpierr.Memory(err)
		}
		h.side.Jobs = append(h.side.Jobs, s)
	}
	return nil
}

// close gives back what came with a hello.
func (h *hello) close() {
	if h.bridge != nil {
		h.bridge.Close()
		h.bridge = nil
	}
	for _, s := range h.side.Jobs {
		s.Close()
	}
	h.side.Jobs = nil
}

// agreement is what the leaders have agreed on.
type agreement struct {
	bridge *shm.Segment
	other  hello
	first  bool // the own side is the acceptor's
}

func (t *agreement) close() {
	if t.bridge != nil {
		t.bridge.Close()
	}
	t.other.close()
}

// agree is the acceptor's part of a handshake with whoever comes to a listener. Those who have given up in
// the meantime, who do not go on or who speak something else are passed over.
func (w *wire) agree(l *listener, own *hello) (*agreement, error) {
	until := w.until
	for {
		w.until = until
		c, err := w.accept(l)
		if err != nil {
			return nil, err
		}
		w.connection = c.connection
		if soon := time.Now().Add(answerTimeout * time.Second); until.IsZero() || soon.Before(until) {
			w.until = soon
		}
		t, err := w.answer(own, c)
		if err == nil {
			return t, nil
		}
		w.close()
		late := err == errLate && (until.IsZero() || time.Now().Before(until))
		if err != errHungUp && !late && mpierr.CodeOf(err) != int(mpierr.ErrPort) {
			return nil, err
		}
	}
}

// answer is the acceptor's part of a handshake over a stream, once the other side's hello has come.
func (w *wire) answer(own *hello, c *caller) (*agreement, error) {
	other, err := helloOf(c.text, c.descriptors, false, 0)
	if err != nil {
		return nil, err
	}
	t := &agreement{other: *other, first: true}
	mine := *own
	if t.bridge, err = makeBridge(&own.side, &other.side); err != nil {
		mine.class = mpierr.Class(mpierr.CodeOf(err))
	}
	mine.bridge = t.bridge
	var goes [1]byte
	if e := w.tell(&mine); err == nil {
		if err = e; err == nil {
			_, err = w.read(goes[:], 0)
		}
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// makeBridge makes the segment for two sides.
func makeBridge(a, b *bridge.Side) (*shm.Segment, error) {
	here := make(map[transport.Identity]bool, len(a.Members))
	for _, m := range a.Members {
		here[m] = true
	}
	for _, m := range b.Members {
		if here[m] {
			return nil, mpierr.New(mpierr.ErrComm, "the two groups have a process in common")
		}
	}
	if len(a.Jobs) > mostJobs {
		return nil, mpierr.New(mpierr.ErrComm, "the communicator has processes of %d jobs, at most %d can be connected at once", len(a.Jobs), mostJobs)
	}
	s, err := shm.CreateBridge(len(a.Members) + len(b.Members))
	if err != nil {
		return nil, mpierr.Memory(err)
	}
	return s, nil
}

// ask is the connector's part of a handshake over a stream.
func (w *wire) ask(own *hello) (*agreement, error) {
	if len(own.side.Jobs) > mostJobs {
		return nil, mpierr.New(mpierr.ErrComm, "the communicator has processes of %d jobs, at most %d can be connected at once", len(own.side.Jobs), mostJobs)
	}
	if err := w.tell(own); err != nil {
		return nil, err
	}
	other, err := w.hear(true, len(own.side.Members))
	if err != nil {
		return nil, err
	}
	if other.class != 0 {
		return nil, mpierr.New(other.class, "the other side could not be connected: %s", other.class.Text())
	}
	t := &agreement{bridge: other.bridge, other: *other}
	t.other.bridge = nil
	if err := w.write([]byte{1}); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}
