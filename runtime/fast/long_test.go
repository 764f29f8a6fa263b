package fast

import (
	"bytes"
	"runtime"
	"testing"

	"gompi/shm"
)

// longPair is two ranks of a node, of which the first one sends and the second one receives.
func longPair(t *testing.T) (from, to *Endpoint) {
	t.Helper()
	s, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	both := make([]*Endpoint, 2)
	for r := range both {
		e, err := New(s, r, 2)
		if err != nil {
			t.Fatal(err)
		}
		e.Open, e.Eager, e.MostEager = Opened, MaxBulk, MaxBulk
		e.Spins, e.Polls = 1<<20, 1<<20
		e.Sizes[longBytes-FirstType] = 1
		addComm(t, e, Comm{Handle: longComm, Ctx: 3, Rank: int32(r), Size: 2, Targets: 2, Stride: 1})
		both[r] = e
	}
	from, to = both[0], both[1]
	tx := &from.Peer(1).Tx
	if err := tx.Open(s, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	tx.Through(NewArea(s, 2, 0))
	if err := to.Peer(0).Rx.Open(s, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	to.Activate(0)
	to.Unmeasured = AllUnmeasured
	return from, to
}

const (
	longComm  = uintptr(0x101)
	longBytes = FirstType + 7
)

// longData is n bytes.
func longData(n, seed int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((i + seed) * 7 >> 2)
	}
	return b
}

// A long eager message is received while it is sent, by a receive that waits and by one that was posted.
func TestLong(t *testing.T) {
	from, to := longPair(t)
	const rounds = 50
	sizes := []int{MaxMessage, MaxMessage + 1, 3*GrowStep + 5, MaxBulk}
	failed := make(chan Reason, 1)
	go func() {
		defer close(failed)
		for i := range rounds {
			for _, n := range sizes {
				data := longData(n, i)
				how := Send(from, shm.Address(data), int32(n), longBytes, 1, int32(i), longComm)
				runtime.KeepAlive(data)
				if how != Done {
					failed <- how
					return
				}
			}
		}
	}()
	for i := range rounds {
		for _, n := range sizes {
			in := make([]byte, MaxBulk+1)
			buf, room := shm.Address(in), int32(len(in))
			var how Reason
			var status Status
			call := func() Reason { return Recv(to, buf, room, longBytes, 0, int32(i), longComm, &status) }
			if i%2 != 0 {
				var request uintptr
				if how = Irecv(to, buf, room, longBytes, AnySource, AnyTag, longComm, &request); how != Done {
					t.Fatalf("a receive of %d bytes is not posted: %v", n, how)
				}
				call = func() Reason { return Wait(to, &request, &status) }
			}
			for how = call(); how == NeedsEngine || how == Waiting; { // its sender has lost its processor
				how = call()
			}
			if how != Done || status.Tag != int32(i) || !bytes.Equal(in[:n], longData(n, i)) || in[n] != 0 {
				t.Fatalf("message %d of %d bytes: %v, %+v, or wrong bytes", i, n, how, status)
			}
		}
	}
	if how, is := <-failed; is {
		t.Errorf("a send: %v", how)
	}
	if from.Sent != uint64(rounds*len(sizes)) || from.LongSent == 0 {
		t.Errorf("%d messages counted, the last long one sent at %d", from.Sent, from.LongSent)
	}
}

// Package p2p receives what it wants to measure, and what its sender does not go on with. Until then the
// message stays where it is.
func TestLongLeft(t *testing.T) {
	from, to := longPair(t)
	in := make([]byte, MaxBulk)
	receive := func() Reason {
		return Recv(to, shm.Address(in), MaxBulk, longBytes, 0, 1, longComm, nil)
	}
	data := longData(40000, 1)
	send := func() {
		t.Helper()
		if how := Send(from, shm.Address(data), 40000, longBytes, 1, 1, longComm); how != Done {
			t.Fatalf("send: %v", how)
		}
	}
	to.Unmeasured = 1
	send()
	send()
	if how := receive(); how != Done || to.Unmeasured != 0 {
		t.Errorf("the last one that is not measured: %v, %d left", how, to.Unmeasured)
	}
	var status Status
	if how := Probe(to, 0, 1, longComm, &status); how != Done || status.Internal[0] != 40000 {
		t.Errorf("a probe of the next one: %v, %+v", how, status)
	}
	if how := receive(); how != NeedsEngine {
		t.Errorf("one that is measured: %v", how)
	}
	to.Unmeasured = 7
	if how := receive(); how != Done || to.Unmeasured != 6 || !bytes.Equal(in[:len(data)], data) {
		t.Errorf("the same one: %v, %d left", how, to.Unmeasured)
	}
	peer := from.Peer(1)
	for _, never := range []bool{false, true} {
		slot, _ := peer.Tx.Reserve(40000)
		slot.Kind, slot.Flags, slot.Ctx, slot.Src, slot.Tag = uint8(eager), 0, 3, 0, 1
		slot.Data[0], slot.Data[2] = 40000, Growing
		if !peer.Tx.PublishEarly(slot, 40000) {
			t.Fatal("a message cannot be published early")
		}
		if peer.Tx.Grow(GrowStep); never {
			peer.Tx.GrowNever()
		}
		if how := receive(); how != NeedsEngine || to.Unmeasured != 6 {
			t.Errorf("a message of which there is a part, no more of it %v: %v", never, how)
		}
		to.Peer(0).Rx.Release(true)
	}
	runtime.KeepAlive(data)
	runtime.KeepAlive(in)
}
