package am_test

import (
	"encoding/binary"
	"fmt"
	gort "runtime"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/am"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/rma"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// How a rank is asked to do something in its own memory, in the first byte of the input.
const (
	byMessage = iota
	byRuns    // a message about several runs of memory, which the progress thread may carry out
	byPacket
	asking

	dynamically = 4 // the window is a dynamic one
)

const (
	third = 64 << 10 // bytes of memory ahead of the window, of the window, and behind it
	fence = 0xab
	valid = 4096 // where the window is written to afterwards
)

// Handles of the standard ABI.
const (
	tByte, tInt                        = 0x247, 0x209
	opSum, opMaxloc, opReplace, opNoOp = 0x21, 0x39, 0x3c, 0x3d
)

func raw(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }

// trespass is what a rank asks another one for: the words as they stand, but for the address, which counts
// from the window.
type trespass struct {
	way, kind      uint8
	at, more       int64
	bytes, typ, op uint32
	data           []byte
}

// Whatever a rank is asked to do in its own memory, it does it in its window or not at all; whoever asks
// hears of it, and what is in order is done as before.
func FuzzActiveMessages(f *testing.F) {
	for way := range uint8(asking) {
		for _, flavor := range []uint8{0, dynamically} {
			for kind := range uint8(8) {
				f.Add(way|flavor, kind, int64(64), int64(0), uint32(8), uint32(tInt), uint32(opSum),
					[]byte("12345678"))
				f.Add(way|flavor, kind, int64(-8), int64(0), uint32(8), uint32(tInt), uint32(opSum),
					[]byte("12345678"))
				f.Add(way|flavor, kind, int64(third-4), int64(0), uint32(8), uint32(tInt), uint32(opReplace),
					[]byte("12345678"))
				f.Add(way|flavor, kind, int64(0), int64(1), uint32(1<<31), uint32(tInt), uint32(opNoOp),
					make([]byte, 3000))
				f.Add(way|flavor, kind, int64(1)<<62, int64(2), uint32(8), uint32(tInt), uint32(opMaxloc),
					make([]byte, 40))
				f.Add(way|flavor, kind, int64(8), int64(300), uint32(33), uint32(0x2ff), uint32(0x3f),
					make([]byte, 5000))
				// a message about several runs, which an origin does not take back
				f.Add(way|flavor, kind, int64(8), int64(3), uint32(16), uint32(tInt), uint32(opSum),
					make([]byte, 64))
			}
		}
	}
	var pairs [asking]*pair
	f.Fuzz(func(t *testing.T, way, kind uint8, at, more int64, bytes, typ, op uint32, data []byte) {
		x := trespass{way % dynamically % asking, kind, at, more, bytes, typ, op, data}
		if pairs[x.way] == nil {
			pairs[x.way] = x.pair(t)
		}
		pairs[x.way].run(t, func(p *runtime.Process) error { return x.run(p, way&dynamically != 0) })
	})
}

// pair is two ranks that live as long as the test: what a process has for its life is made once.
type pair struct {
	todo [2]chan func(*runtime.Process) error
	done chan error
}

func (x *trespass) pair(t *testing.T) *pair {
	seg, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	c := runtime.Config{Size: 2, Node: []int{0, 1}, Segment: seg, Cores: 8}
	switch x.way {
	case byRuns:
		c.Cores, c.Settings.NoSingleCopy = 1, true
	case byPacket:
		c.Settings.PretendNodes = "1"
	}
	q := &pair{done: make(chan error, 2)}
	for r := range q.todo {
		q.todo[r] = make(chan func(*runtime.Process) error)
		c.Rank, c.NodeRank = r, r
		p, err := runtime.New(c)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			gort.LockOSThread() // as a thread that calls in from C
			for do := range q.todo[r] {
				q.done <- do(p)
			}
		}()
	}
	return q
}

func (q *pair) run(t *testing.T, do func(*runtime.Process) error) {
	for _, rank := range q.todo {
		rank <- do
	}
	limit := time.After(testjob.Limit)
	for range q.todo {
		select {
		case err := <-q.done:
			if err != nil {
				t.Fatal(err)
			}
		case <-limit:
			buf := make([]byte, 256<<10)
			t.Fatalf("the ranks hang\n%s", buf[:gort.Stack(buf, true)])
		}
	}
}

func (x *trespass) run(p *runtime.Process, dynamic bool) error {
	all, err := unix.Mmap(-1, 0, 3*third, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return err
	}
	for i := range all {
		all[i] = fence
	}
	w, base, err := x.window(p, shm.Address(all)+third, dynamic)
	if err != nil {
		return err
	}
	if err := w.LockAll(0); err != nil {
		return err
	}
	if x.way == byPacket {
		err = x.send(p, w, base[0])
	} else if p.Rank == 1 {
		err = x.ask(w, base[0])
	}
	if err == nil {
		err = coll.Barrier(p.World)
	}
	if err == nil && p.Rank == 1 {
		disp := int64(valid)
		if dynamic {
			disp += base[0]
		}
		if err = x.put(w, disp); x.way == byPacket && mpierr.CodeOf(err) == int(mpierr.ErrRMARange) {
			err = x.put(w, disp) // the first flush tells of a packet that was refused
		}
	}
	if e := w.UnlockAll(); err == nil {
		err = e
	}
	if e := w.Free(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	for i, b := range all {
		if (i < third || i >= 2*third) && b != fence {
			return fmt.Errorf("byte %d from the window of rank %d on has become %#x", i-third, p.Rank, b)
		}
	}
	if got := all[third+valid : third+valid+8]; p.Rank == 0 && string(got) != "in order" {
		return fmt.Errorf("a put has brought %q", got)
	}
	return unix.Munmap(all)
}

func (x *trespass) put(w *rma.Window, disp int64) error {
	err := w.Put(raw([]byte("in order")), 0, disp, 8, datatype.ByHandle(tByte))
	if e := w.Flush(0); err == nil {
		err = e
	}
	return err
}

// window makes the window, and tells where it begins on each rank.
func (x *trespass) window(p *runtime.Process, addr uintptr,
	dynamic bool) (w *rma.Window, base []int64, err error) {
	if !dynamic {
		w, err = p.RMA.Create(p.World, addr, third, 1, nil)
	} else if w, err = p.RMA.CreateDynamic(p.World, nil); err == nil {
		err = w.Attach(addr, third)
	}
	if err != nil {
		return nil, nil, err
	}
	all := make([]byte, 16)
	binary.NativeEndian.PutUint64(all[8*p.Rank:], uint64(addr))
	if err = coll.Bcast(p.World, raw(all[:8]), 0); err == nil {
		err = coll.Bcast(p.World, raw(all[8:]), 1)
	}
	for r := range 2 {
		base = append(base, int64(binary.NativeEndian.Uint64(all[8*r:])))
	}
	return w, base, err
}

// ask has rank 0 do it by an active message.
func (x *trespass) ask(w *rma.Window, base int64) error {
	if !w.Active(0) {
		return fmt.Errorf("the window is not reached by active messages")
	}
	m, data := fast.Message{Kind: uint32(x.kind), Addr: uint64(base + x.at), Bytes: x.bytes,
		Type: x.typ, Op: x.op}, x.data
	if x.way == byRuns {
		m.Kind, m.Runs = uint32(x.kind&3), 1+uint32(x.more)&0x1ff
		data = nil
		for i := range int64(m.Runs) {
			data = binary.NativeEndian.AppendUint64(data, uint64(base+x.at+i*int64(x.typ&0xffff)))
			data = binary.NativeEndian.AppendUint64(data, uint64(x.bytes)<<(x.kind&32))
		}
		if m.Bytes = m.Runs * x.bytes; x.kind&64 != 0 {
			m.Bytes = x.op
		}
		data = append(data, x.data...)
	}
	err := w.Forge(0, m, data)
	if err != nil && mpierr.CodeOf(err) != int(mpierr.ErrRMARange) {
		return fmt.Errorf("the refusal says %v", err)
	}
	return nil
}

// send gives it to rank 0 as a packet. Both ranks have asked each other something, so that answers find their
// question.
func (x *trespass) send(p *runtime.Process, w *rma.Window, base int64) error {
	answers := make([]byte, 3*third)
	for i := range answers {
		answers[i] = fence
	}
	number := w.Question(1-p.Rank, shm.Address(answers[third:]), third)
	if err := coll.Barrier(p.World); err != nil {
		return err
	}
	if p.Rank == 0 {
		words := [4]uint64{uint64(x.at), number<<32 | uint64(uint32(x.more)&0x1ff),
			uint64(x.op)<<32 | uint64(x.typ), uint64(x.more)}
		what := [...]uint32{am.Reply, fast.PacketPut, fast.PacketGet, fast.PacketAccumulate, fast.PacketFetch,
			fast.PacketSwap, am.Check, am.Flush}[x.kind%8]
		switch what {
		case fast.PacketPut, fast.PacketAccumulate:
			words[1], words[3] = words[1]&0x1ff, number*uint64(x.kind>>7) // asks whether it is done
		case fast.PacketGet:
			words[2] = uint64(x.bytes)
			words[3] = 0
		case am.Reply:
			words = [4]uint64{number, uint64(x.at), uint64(x.typ & 0xf), 0}
		default:
			words[3] = 0
		}
		data := append([]byte(nil), x.data...)
		for i := uint64(0); i < words[1]&0x1ff && i*16+8 <= uint64(len(data)) && what != am.Reply; i++ {
			at := binary.NativeEndian.Uint64(data[i*16:]) & 0x3ffff // near the window
			binary.NativeEndian.PutUint64(data[i*16:], at)
		}
		if n := int(x.bytes % (fast.MaxBulk + 1)); what != fast.PacketGet && len(data) > n {
			data = data[:n]
		}
		p.Engine.Do(func() { w.FarPacket(1, what, words, data) })
	}
	err := coll.Barrier(p.World)
	for i, b := range answers {
		if (i < third || i >= 2*third) && b != fence {
			return fmt.Errorf("byte %d from the buffer on has become %#x", i-third, b)
		}
	}
	return err
}
