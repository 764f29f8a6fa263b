package p2p_test

import (
	"bytes"
	"encoding/binary"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"gompi/runtime"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Layout of the input: how the packets come, then packets of slotBytes each.
const (
	slotBytes  = 60 // of a slot, behind the number that publishes it
	mostSlots  = 16
	overBridge = 1 // in the first byte: from a process of another job
	strayCalls = 2 // a bit is set for a rank that there is not
)

// packet is a slot as its sender fills it.
func packet(kind, flags uint8, inline uint16, ctx uint32, src, tag int32, bulk uint32,
	words ...uint64) []byte {
	b := make([]byte, slotBytes)
	b[0], b[1] = kind, flags
	binary.NativeEndian.PutUint16(b[2:], inline)
	binary.NativeEndian.PutUint32(b[4:], ctx)
	binary.NativeEndian.PutUint32(b[8:], uint32(src))
	binary.NativeEndian.PutUint32(b[12:], uint32(tag))
	binary.NativeEndian.PutUint32(b[16:], bulk)
	for i, w := range words {
		binary.NativeEndian.PutUint64(b[20+8*i:], w)
	}
	return b
}

// notice is a packet about a partitioned send, with tag 30, of a message of some bytes in some partitions,
// whose tags begin with base.
func notice(what int32, bytes, parts, base uint64) []byte {
	return packet(9, p2p.PartitionedRoom, 32, 0, 1, what, 0, bytes, parts, base, 30)
}

// victim is the receiver of the packets, with operations of every kind under way.
type victim struct {
	*runtime.Process
	guarded []byte // memory with buffers in it, and what must stay as it is around them
	used    []bool
	sends   []*request.Request
}

// buffer is n bytes in guarded memory, which receives write and nobody else.
func (v *victim) buffer(at, n int) datatype.Buffer {
	for i := at; i < at+n; i++ {
		v.used[i] = true
	}
	return datatype.Raw(shm.Address(v.guarded[at:at+1]), int64(n))
}

const guard = 0x5c

// begin makes the rank and begins what packets may be about: receives, announced and synchronous sends, a
// partitioned receive.
func newVictim(t *testing.T, seg *shm.Segment, rank int, fatal func(error)) *victim {
	p, err := runtime.New(runtime.Config{Rank: rank, Size: 3, NodeRank: rank, Node: []int{0, 1, 2},
		Segment: seg, Cores: 4, Fatal: fatal})
	if err != nil {
		t.Fatal(err)
	}
	return &victim{Process: p, guarded: bytes.Repeat([]byte{guard}, 1<<20), used: make([]bool, 1<<20)}
}

func (v *victim) begin(t *testing.T, peer int) {
	x := &v.World.P2P
	e := v.Engine
	for i, n := range []int{8, 40, 1000, 200 << 10} {
		if _, err := e.Irecv(x, v.buffer(i*(256<<10)+1024, n), 1, 10+i); err != nil {
			t.Fatal(err)
		}
	}
	data := make([]byte, 300<<10)
	big, err := e.Isend(x, datatype.Raw(shm.Address(data), int64(len(data))), peer, 20)
	if err != nil {
		t.Fatal(err)
	}
	small, err := e.Issend(x, datatype.Raw(shm.Address(data), 100), peer, 21)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, err := e.Issend(x, datatype.Raw(shm.Address(data), 100), peer, 22)
	if err == nil {
		err = e.Cancel(cancelled)
	}
	if err != nil {
		t.Fatal(err)
	}
	v.sends = append(v.sends, big, small, cancelled)
	part, err := v.Partitions.RecvInit(x, v.buffer(3*(256<<10)+(220<<10), 64), 4, 1, 30)
	if err == nil {
		err = e.Start(part)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever stands in its rings, a rank either ends with a word that says who has written it, or goes on;
// nothing is written outside the buffers of its receives, and messages of other ranks come as before.
func FuzzPackets(f *testing.F) {
	const eager, announce, fetched, ask, piece, withdraw, withdrawn, signature, am = 1, 2, 3, 4, 5, 6, 7, 8, 9
	const offered, validated, retracted = 0, 1, 2
	const inBulk, first = fast.InBulk, 0
	seeds := [][]byte{
		packet(eager, 0, 8, 0, 1, 10, 0, 7),
		packet(eager, 2, 40, 0, 1, 11, 5),
		packet(eager, 0, inBulk, 0, 1, 12, 64, 1000),
		packet(eager, 1, 8, 0, 1, 99, 3),
		packet(eager, 0, 41, 0, 1, 10, 0),
		packet(eager, 0, inBulk, 0, 1, 12, 256<<10-64, 1000),
		packet(eager, 0, inBulk, 0, 1, 12, 0, 1<<40),
		packet(eager, 0, inBulk, 0, 1, 12, 1<<31, 1000),
		packet(announce, 0, 24, 0, 1, 13, 0, 200<<10, 4096, 3),
		packet(announce, 1, 24, 0, 1, 13, 0, 200<<10, 0, 3),
		packet(announce, 0, 24, 0, 1, 13, 0, 1<<63, 4096, 3),
		packet(fetched, 0, 0, first+1, 0, 0, 0),
		packet(fetched, 0, 0, first+4, 0, 1, 0),
		packet(fetched, 0, 0, 0xffffffff, 0, 0, 0),
		packet(ask, 0, 0, first+4, 0, 9, 0),
		packet(ask, 0, 0, first+4, 77, 9, 0),
		packet(ask, 0, 0, 5, 0, 9, 0),
		packet(ask, 0, 24, first+4, 0, 9, 0, 4096),
		packet(piece, 8, 24, first+3, 0, 0, 0, 1000, 5000),
		packet(piece, 8, 24, first+3, 0, 0, 0, 1<<63, 0),
		packet(piece, 0, inBulk, first+3, 0, 0, 0, 1000, 5000),
		packet(piece, 0, inBulk, first+3, 0, 0, 0, 1000, 1<<62),
		packet(piece, 4, inBulk, first+3, 0, 0, 0, 1000, 0),
		packet(withdraw, 0, 24, 0, 1, 99, 0, 3),
		packet(withdrawn, 0, 0, first+6, 0, 1, 0),
		packet(withdrawn, 0, 0, first+5, 0, 0, 0),
		packet(signature, 0, 30, 0, 0, 0, 0, 1, 2, 0),
		notice(offered, 64, 4, 100),
		notice(offered, 64, 0, 0),
		notice(validated, 64, 4, 100),
		notice(retracted, 64, 4, 100),
		packet(am, 0, 32, 9, 1, 1, 0, 1, 2, 3, 4),
		packet(am, 0, 3, 9, 1, 1, 0),
		packet(am, 0, inBulk, 9, 1, 1, 64, 1, 2, 3, 4, 1<<50),
		packet(0, 0, 0, 0, 0, 0, 0),
		packet(200, 0, 0, 0, 0, 0, 0),
	}
	for _, s := range seeds {
		f.Add(append([]byte{0}, s...))
		f.Add(append([]byte{overBridge}, s...))
	}
	f.Add([]byte{strayCalls})
	f.Add([]byte{strayCalls | overBridge})
	chain := [][]byte{
		append(packet(announce, 1, 24, 0, 1, 13, 0, 200<<10, 0, 3),
			packet(piece, 0, inBulk, first+3, 0, 0, 0, 1000, 5000)...),
		append(notice(offered, 64, 4, 100),
			notice(validated, 64, 4, 100)...),
		append(notice(offered, 1<<40, 0x7fffffff, 0),
			notice(validated, 64, 0x7fffffff, 0)...),
		append(packet(announce, 0, 24, 0, 1, 13, 0, 200<<10, 4096, 3),
			packet(piece, 8, 24, first+3, 0, 0, 0, 200<<10, 0)...),
		append(packet(ask, 0, 0, first+4, 0, 9, 0), packet(ask, 0, 0, first+4, 0, 9, 0)...),
		append(packet(eager, 2, 8, 0, 1, 99, 3), packet(withdraw, 0, 24, 0, 1, 99, 0, 3)...),
	}
	for _, c := range chain {
		f.Add(append([]byte{0}, c...))
		f.Add(append([]byte{overBridge}, c...))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) == 0 {
			return
		}
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		fuzzPackets(t, in[0], in[1:])
	})
}

// ended is how a rank ends that has found a malformed packet.
type ended struct{ error }

func fuzzPackets(t *testing.T, how byte, packets []byte) {
	seg, err := shm.CreateJob(3)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	v := newVictim(t, seg, 0, func(err error) { panic(ended{err}) })
	other, err := runtime.New(runtime.Config{Rank: 2, Size: 3, NodeRank: 2, Node: []int{0, 1, 2},
		Segment: seg, Cores: 4})
	if err != nil {
		t.Fatal(err)
	}
	from, ranks, sender, peer := seg, 3, 1, 1
	if how&overBridge != 0 {
		if from, err = shm.CreateBridge(2); err != nil {
			t.Fatal(err)
		}
		defer from.Close()
		peers, err := v.Engine.Connect(transport.Bridge{Segment: from, Members: []transport.Member{
			{Home: seg, Rank: 0, Own: true}, {Home: seg, Rank: 1},
		}})
		if err != nil {
			t.Fatal(err)
		}
		ranks, peer = 2, peers[1]
	}
	v.begin(t, 1)
	calls := uint64(1) << sender
	if how&strayCalls != 0 {
		calls = 1 << (how >> 2)
	}
	atomic.OrUint64(shm.Word64(from.Base+shm.RankOffset(0)+shm.RankCalls), calls)
	var tx fast.Tx
	tx.Open(from, ranks, 0, sender)
	name := "rank 1 has written "
	if peer >= 3 {
		name = "a process of another job has written "
	}
	if how&strayCalls != 0 {
		name = " has written "
	}
	alive := v.survives(t, name, func() {
		for range mostSlots {
			if len(packets) < slotBytes {
				break
			}
			slot, _ := tx.Reserve(0)
			shm.Copy(fast.SlotAddress(slot)+4, shm.Address(packets[:slotBytes]), slotBytes)
			packets = packets[slotBytes:]
			tx.Publish(slot, 0)
			for range 8 {
				v.Engine.Step()
			}
		}
		for range 32 {
			v.Engine.Step()
		}
	})
	for i, b := range v.guarded {
		if b != guard && !v.used[i] {
			t.Fatalf("byte %d, in no buffer, has become %#x", i, b)
		}
	}
	if alive {
		stillWorks(t, v.Process, other)
	}
}

// survives does something, and reports whether the rank has not ended meanwhile, as it may only if it says
// who is to blame.
func (v *victim) survives(t *testing.T, who string, do func()) (alive bool) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(ended)
			if !ok {
				panic(p)
			}
			if !strings.Contains(e.Error(), who) {
				t.Fatalf("%q does not say %q", e.Error(), who)
			}
		}
	}()
	do()
	return true
}

// stillWorks sends a message from rank 2.
func stillWorks(t *testing.T, to, from *runtime.Process) {
	out, in := []byte("a message that is longer than a slot has room for, by far"), make([]byte, 100)
	if err := from.Engine.Send(&from.World.P2P, datatype.Raw(shm.Address(out), int64(len(out))), 0,
		55); err != nil {
		t.Fatal(err)
	}
	var st request.Status
	if err := to.Engine.Recv(&to.World.P2P, datatype.Raw(shm.Address(in), 100), 2, 55, &st); err != nil {
		t.Fatal(err)
	}
	if st.Bytes != int64(len(out)) || !bytes.Equal(in[:len(out)], out) {
		t.Fatalf("%d bytes came: %q", st.Bytes, in)
	}
}
