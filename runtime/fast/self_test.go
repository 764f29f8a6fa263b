package fast

import (
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"gompi/shm"
)

const (
	selfComm = uintptr(0x101)
	byteType = FirstType + 1
)

// alone is the endpoint of a rank alone on its node that may send itself bytes, until end is called.
func alone(t rapid.TB) (e *Endpoint, end func()) {
	e, end = newEndpoint(t)
	e.Open, e.Eager, e.Sizes[1] = Opened, 1<<16, 1
	e.BufferRoom = 1 << 20
	addComm(t, e, Comm{Handle: selfComm, Ctx: 4, Size: 1, Targets: 1, Stride: 1})
	piece, err := e.Buffers.must(pieceClass(MaxMessage)) // which leaves memory for others
	if err != nil {
		t.Fatal(err)
	}
	e.Buffers.give(pieceClass(MaxMessage), piece)
	return e, end
}

// A message of a rank to itself gets the oldest receive that it matches, and a receive the oldest message,
// whichever is first, as long as package p2p has nothing to do with it. What it takes over it gets in order.
func TestSelf(t *testing.T) {
	type message struct {
		tag     int32
		data    []byte
		request uintptr
	}
	type receive struct {
		tag     int32
		data    []byte
		request uintptr
	}
	rapid.Check(t, func(t *rapid.T) {
		e, end := alone(t)
		defer end()
		var sent []message
		var posted []receive
		tags, sizes := rapid.Int32Range(0, 3), rapid.IntRange(1, 600)
		serial := byte(0)
		match := func() {
			for r := 0; r < len(posted); r++ {
				x := posted[r]
				s := slices.IndexFunc(sent, func(m message) bool { return x.tag == m.tag || x.tag == AnyTag })
				if s < 0 {
					continue
				}
				var st Status
				if how := Wait(e, &x.request, &st); how != Done {
					t.Fatalf("the receive of tag %d ends with %d", x.tag, how)
				}
				if how := Wait(e, &sent[s].request, nil); how != Done {
					t.Fatalf("the send of tag %d ends with %d", sent[s].tag, how)
				}
				n := len(sent[s].data)
				if st.Source != 0 || st.Tag != sent[s].tag || st.Internal[0] != int32(n) {
					t.Fatalf("status %+v, want %d bytes of tag %d", st, n, sent[s].tag)
				}
				if !slices.Equal(x.data[:n], sent[s].data) || x.data[n] != 0 {
					t.Fatalf("tag %d: not the oldest message", st.Tag)
				}
				sent, posted, r = slices.Delete(sent, s, s+1), slices.Delete(posted, r, r+1), r-1
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"send": func(t *rapid.T) {
				serial++
				m := message{tag: tags.Draw(t, "tag"), data: make([]byte, sizes.Draw(t, "size"))}
				for i := range m.data {
					m.data[i] = serial
				}
				size := int32(len(m.data))
				how, buf := NoRoom, shm.Address(m.data)
				m.request = NullRequest
				switch rapid.IntRange(0, 4).Draw(t, "mode") {
				case 0:
					how = Isend(e, buf, size, byteType, 0, m.tag, selfComm, &m.request)
				case 1:
					how = Issend(e, buf, size, byteType, 0, m.tag, selfComm, &m.request)
				case 2:
					how = Ibsend(e, buf, size, byteType, 0, m.tag, selfComm, &m.request)
				case 3:
					how = Send(e, buf, size, byteType, 0, m.tag, selfComm)
				case 4:
					how = SsendInit(e, buf, size, byteType, 0, m.tag, selfComm, &m.request)
					if how == Done {
						how = Start(e, &m.request)
					}
				}
				if e.Spare() == NoRequest && how == NeedsEngine {
					t.Skip("package p2p makes room")
				}
				if how != Done {
					t.Fatalf("answer %d", how)
				}
				sent = append(sent, m)
				match()
			},
			"receive": func(t *rapid.T) {
				r := receive{tag: tags.Draw(t, "tag") - 2, data: make([]byte, 700)}
				if r.tag < 0 {
					r.tag = AnyTag
				}
				source := rapid.SampledFrom([]int32{0, AnySource}).Draw(t, "source")
				buf, room := shm.Address(r.data), int32(len(r.data))
				how := Irecv(e, buf, room, byteType, source, r.tag, selfComm, &r.request)
				if how == NeedsEngine && e.UnexpectedFor(4, source, r.tag) == ToFile {
					e.FileAll(source, r.tag)
					how = Irecv(e, buf, room, byteType, source, r.tag, selfComm, &r.request)
				}
				if how != Done {
					t.Fatalf("answer %d", how)
				}
				posted = append(posted, r)
				match()
			},
			"": func(t *rapid.T) {
				if n := uint32(len(sent)); e.Waiting != n || e.Unexpected != n {
					t.Fatalf("%d messages wait, %d are unexpected; want %d of each", e.Waiting, e.Unexpected, n)
				}
				if int(e.Posted) != len(posted) {
					t.Fatalf("%d receives are posted, want %d", e.Posted, len(posted))
				}
			},
		})
	})
}

// What is not plain is left to package p2p, with nothing changed.
func TestSelfRefused(t *testing.T) {
	wall, err := unix.Mmap(-1, 0, 1<<16, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(wall)
	bad, data := shm.Address(wall), make([]byte, 1<<16)
	defer runtime.KeepAlive(data)
	good := shm.Address(data)
	var request uintptr
	send := func(e *Endpoint, buf uintptr) Reason {
		return Isend(e, buf, 8, byteType, 0, 1, selfComm, &request)
	}
	receive := func(e *Endpoint, buf uintptr, n int32) Reason {
		return Recv(e, buf, n, byteType, 0, 1, selfComm, nil)
	}
	for name, refused := range map[string]func(e *Endpoint) Reason{
		"no receive": func(e *Endpoint) Reason {
			Issend(e, good, 8, byteType, 0, 1, selfComm, &request)
			return Wait(e, &request, nil)
		},
		"too large to be kept": func(e *Endpoint) Reason {
			return Send(e, good, MaxMessage+1, byteType, 0, 1, selfComm)
		},
		"bad and kept":    func(e *Endpoint) Reason { return Send(e, bad, 800, byteType, 0, 1, selfComm) },
		"bad send":        func(e *Endpoint) Reason { return send(e, bad) },
		"bad receive":     func(e *Endpoint) Reason { return Irecv(e, bad, 8, byteType, 0, 1, selfComm, &request) },
		"bad target":      func(e *Endpoint) Reason { send(e, good); return receive(e, bad, 8) },
		"truncation":      func(e *Endpoint) Reason { send(e, good); return receive(e, good+100, 7) },
		"a tool observes": func(e *Endpoint) Reason { e.Observed = 1; return send(e, good) },
		"watched":         func(e *Endpoint) Reason { e.Watched, e.Waiting = 1, 1; return send(e, good) },
		"posted in p2p": func(e *Endpoint) Reason {
			r := e.firstFree()
			r.Ctx, r.Src, r.Tag = 4, 0, 1
			e.Post(r, ExtendedPosted)
			how := send(e, good)
			e.Unpost(r)
			return how
		},
		"too large": func(e *Endpoint) Reason {
			return Isend(e, good, maxSelf+1, byteType, 0, 1, selfComm, &request)
		},
		"no rank": func(e *Endpoint) Reason { return Isend(e, good, 8, byteType, 1, 1, selfComm, &request) },
		"the send is waited for": func(e *Endpoint) Reason {
			Isend(e, good, 800, byteType, 0, 1, selfComm, &request)
			return Wait(e, &request, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, end := alone(t)
			defer end()
			if how := refused(e); how != NotPlain && how != NeedsEngine {
				t.Fatalf("answer %d", how)
			}
			if e.Posted != 0 || e.Unexpected > 1 {
				t.Errorf("%d receives are posted and %d messages unexpected", e.Posted, e.Unexpected)
			}
		})
	}
}

// MPI_Sendrecv of a rank with itself goes by its own message, unless another receive was there before it.
func TestSelfSendrecv(t *testing.T) {
	e, end := alone(t)
	defer end()
	out, in, first := []byte{1, 2, 3}, make([]byte, 3), make([]byte, 3)
	var st Status
	exchange := func() Reason {
		from, to := shm.Address(out), shm.Address(in)
		return Sendrecv(e, from, 3, byteType, 0, 1, to, 3, byteType, 0, 1, selfComm, &st)
	}
	if how := exchange(); how != Done || !slices.Equal(in, out) || st.Tag != 1 || st.Internal[0] != 3 {
		t.Fatalf("answer %d, data %v, status %+v", how, in, st)
	}
	var request uintptr
	if how := Irecv(e, shm.Address(first), 3, byteType, AnySource, AnyTag, selfComm, &request); how != Done {
		t.Fatalf("answer %d of the receive", how)
	}
	// Nothing comes any more for the second receive, as another rank's death says.
	e.Watched, e.Waiting = 1, 1
	if how := exchange(); how != SentOnly || !slices.Equal(first, out) {
		t.Fatalf("answer %d, data %v of the first receive", how, first)
	}
}
