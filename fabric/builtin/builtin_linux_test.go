package builtin

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gompi/fabric"
	"gompi/shm"
)

// Sizes of endpoints in tests, in bytes: a buffer holds a few of the longest messages.
const (
	least      = 20 << 10
	bufferSize = 100 << 10
	chunk      = 1 << 20
)

// limit is how long a test waits for what has to come.
const limit = 2 * time.Minute

// inBoth runs a test over unix sockets and over TCP.
func inBoth(t *testing.T, test func(t *testing.T, open func() *Endpoint)) {
	for name, tcp := range map[string]bool{"unix": false, "tcp": true} {
		t.Run(name, func(t *testing.T) {
			test(t, func() *Endpoint {
				o, err := Connect(fabric.Opening{Wish: fabric.Wish{Loopback: true}, Source: "127.0.0.1", Forced: tcp,
					Options: fabric.Options{Least: least, Chunk: chunk, Chunks: 2, Numbers: 100}})
				if err != nil {
					t.Fatal(err)
				}
				return o.Endpoint.(*Endpoint)
			})
		})
	}
}

// insert makes an endpoint a peer of another one.
func insert(t *testing.T, e, peer *Endpoint) fabric.Peer {
	t.Helper()
	p, err := e.Insert(peer.Address())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// await looks until an endpoint has something that is done, and gives it to f, until f is content.
func await(t *testing.T, e *Endpoint, f func(fabric.Completion) bool, others ...*Endpoint) {
	t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); {
		for _, c := range e.Done() {
			if f(c) {
				return
			}
		}
		for _, o := range others {
			o.Done()
		}
	}
	t.Fatal("it does not come")
}

// send sends a message once there is a connection.
func send(t *testing.T, e *Endpoint, number uint32, to fabric.Peer, at uintptr, n int) fabric.Result {
	t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); {
		if r := e.Send(number, to, at, n); r != fabric.Again {
			return r
		}
	}
	t.Fatal("there is no connection")
	return 0
}

// fill fills memory of an endpoint's second chunk by a number.
func fill(e *Endpoint, at, n int, number byte) uintptr {
	b := shm.Bytes(e.Memory()+chunk+uintptr(at), int64(n))
	for i := range b {
		b[i] = number + byte(i*i>>4)
	}
	return shm.Address(b)
}

// Messages of all sizes come whole and in order, from several peers at once, into buffers that are given back
// when they are full and nothing is written there any more.
func TestMessages(t *testing.T) {
	inBoth(t, func(t *testing.T, open func() *Endpoint) {
		const senders, each = 3, 400
		to := open()
		defer to.Close()
		for i := range 3 {
			to.Receive(uint32(i), to.Memory()+uintptr(i)*bufferSize, bufferSize)
		}
		random := rand.New(rand.NewPCG(1, 2))
		var from [senders]*Endpoint
		var peers [senders]fabric.Peer
		var sent, got [senders]int
		for i := range from {
			from[i] = open()
			defer from[i].Close()
			peers[i] = insert(t, from[i], to)
		}
		next := func(i int) {
			n := 2 + random.IntN(least-2)
			if random.IntN(2) == 0 {
				n = 2 + random.IntN(60)
			}
			slot := sent[i] % 20
			at := fill(from[i], slot*least, n, byte(sent[i]))
			shm.Bytes(at, 1)[0] = byte(i)
			first := 1 + random.IntN(n)
			r := fabric.Again
			for end := time.Now().Add(limit); r == fabric.Again && time.Now().Before(end); {
				r = from[i].SendTwo(uint32(slot), peers[i], at, first, at+uintptr(first), n-first)
			}
			if r != 0 {
				t.Fatal(r.Err())
			}
			sent[i]++
		}
		want := make([]byte, least)
		total, gone := 0, [senders]int{}
		for end := time.Now().Add(limit); total < senders*each; {
			if time.Now().After(end) {
				t.Fatalf("%d messages have come", total)
			}
			for i := range from {
				for sent[i] < each && sent[i]-gone[i] < 20 {
					next(i)
				}
				gone[i] += len(from[i].Done())
			}
			for _, c := range to.Done() {
				if c.Size > 0 {
					b := shm.Bytes(uintptr(c.At), int64(c.Size))
					i := int(b[0])
					for k := range want {
						want[k] = byte(got[i]) + byte(k*k>>4)
					}
					if !bytes.Equal(b[1:], want[1:c.Size]) {
						t.Fatalf("message %d of peer %d is torn", got[i], i)
					}
					got[i]++
					total++
				}
				if c.Ended != 0 {
					to.Receive(c.Number, to.Memory()+uintptr(c.Number)*bufferSize, bufferSize)
				}
			}
		}
	})
}

// A peer that takes nothing is sent what the kernel takes, and the rest later.
func TestFull(t *testing.T) {
	inBoth(t, func(t *testing.T, open func() *Endpoint) {
		from, to := open(), open()
		defer from.Close()
		defer to.Close()
		peer := insert(t, from, to)
		at, sent := fill(from, 0, least, 0), 0
		for waits := 0; waits < 10; sent++ {
			if r := send(t, from, 0, peer, at, least); r != 0 {
				t.Fatal(r.Err())
			}
			if len(from.Done()) == 0 {
				waits++
			}
		}
		to.Receive(0, to.Memory(), bufferSize)
		for got := 0; got < sent; {
			await(t, to, func(c fabric.Completion) bool {
				if c.Size > 0 {
					got++
				}
				if c.Ended != 0 {
					to.Receive(0, to.Memory(), bufferSize)
				}
				return got == sent
			}, from)
		}
	})
}

// A sender whose peer has gone hears of that, for what is under way and for what comes later.
func TestGone(t *testing.T) {
	inBoth(t, func(t *testing.T, open func() *Endpoint) {
		from, to := open(), open()
		defer from.Close()
		peer, refused := insert(t, from, to), insert(t, from, to)
		at := fill(from, 0, least, 0)
		send(t, from, 0, peer, at, least)
		await(t, from, func(c fabric.Completion) bool { return c.Error == 0 }, to)
		to.Close()
		for end := time.Now().Add(limit); from.Send(0, peer, at, least) == 0; {
			if from.Done(); time.Now().After(end) {
				t.Fatal("nobody says that the peer has gone")
			}
		}
		if r := send(t, from, 1, refused, at, least); r == 0 {
			await(t, from, func(c fabric.Completion) bool { return c.Number == 1 && c.Error != 0 })
		}
		if from.Send(1, refused, at, least) == 0 {
			t.Error("a message to nobody is sent")
		}
	})
}

// raw is a connection to an endpoint that is none of an endpoint's, with what was written over it.
func raw(t *testing.T, to *Endpoint, bytes ...[]byte) int {
	t.Helper()
	fd, err := dial(&to.own)
	if err != nil {
		t.Fatal(err)
	}
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	if _, err := unix.Poll(poll, int(limit.Milliseconds())); err != nil {
		t.Fatal(err)
	}
	for _, b := range bytes {
		if _, err := unix.Write(fd, b); err != nil {
			t.Fatal(err)
		}
	}
	return fd
}

func sizeOf(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }

// Connections of strangers are closed: of those without the key, and of those that send what no peer sends.
func TestStrangers(t *testing.T) {
	inBoth(t, func(t *testing.T, open func() *Endpoint) {
		to := open()
		defer to.Close()
		to.Receive(0, to.Memory(), bufferSize)
		key := to.own.key[:]
		wrong := bytes.Clone(key)
		wrong[keySize-1]++
		for _, said := range [][][]byte{
			{wrong}, {wrong, sizeOf(8), make([]byte, 8)}, {[]byte("GET / HTTP/1.1\r\n\r\n")},
			{key, sizeOf(0)}, {key, sizeOf(least + 1)}, {key, sizeOf(-1)},
		} {
			fd := raw(t, to, said...)
			n, b := -1, make([]byte, 1)
			for end := time.Now().Add(limit); n != 0 && time.Now().Before(end); {
				if len(to.Done()) > 0 {
					t.Fatalf("% x is a message", said)
				}
				if n, err := unix.Read(fd, b); n == 0 || err == unix.ECONNRESET {
					break
				}
				if time.Now().After(end.Add(-time.Second)) {
					t.Fatalf("after % x the connection stays", said)
				}
			}
			unix.Close(fd)
		}
	})
}

// Memory into which a peer was writing that has died is given back with its buffer.
func TestHalf(t *testing.T) {
	inBoth(t, func(t *testing.T, open func() *Endpoint) {
		to := open()
		defer to.Close()
		to.Receive(0, to.Memory(), bufferSize)
		half := raw(t, to, to.own.key[:], sizeOf(least), make([]byte, least/2))
		for end := time.Now().Add(limit); len(to.buffers) == 1 && to.buffers[0].writing == 0; to.Done() {
			if time.Now().After(end) {
				t.Fatal("the message does not come")
			}
		}
		from := open()
		defer from.Close()
		peer := insert(t, from, to)
		at := fill(from, 0, least, 0)
		for range 4 {
			send(t, from, 0, peer, at, least)
		}
		whole, ended := 0, false
		look := func(c fabric.Completion) bool {
			if c.Size > 0 {
				whole++
			}
			ended = ended || c.Ended != 0
			return whole == 3 || ended
		}
		await(t, to, look, from)
		for range 100 {
			for _, c := range to.Done() {
				look(c)
			}
		}
		if whole != 3 || ended {
			t.Errorf("%d messages are whole, and the buffer is given back: %v", whole, ended)
		}
		unix.Close(half)
		await(t, to, func(c fabric.Completion) bool { return c.Ended != 0 && c.Size == 0 }, from)
	})
}

// What is no address is refused.
func TestAddresses(t *testing.T) {
	inBoth(t, func(t *testing.T, open func() *Endpoint) {
		e := open()
		defer e.Close()
		good := e.Address()
		for _, b := range [][]byte{nil, good[:1+keySize], append([]byte{'x'}, good[1:]...)} {
			if _, err := e.Insert(b); err == nil {
				t.Errorf("% x is an address", b)
			}
		}
	})
	for source, fits := range map[string]bool{"127.0.0.1": false, "192.0.2.77": false, "node7": false, "": false} {
		_, err := listenAt(&fabric.Opening{Source: source, Forced: true})
		if (err == nil) != fits {
			t.Errorf("%q: %v", source, err)
		}
	}
}

// Messages take no memory of Go's.
func TestAllocations(t *testing.T) {
	inBoth(t, func(t *testing.T, open func() *Endpoint) {
		from, to := open(), open()
		defer from.Close()
		defer to.Close()
		peer := insert(t, from, to)
		at := fill(from, 0, 100, 0)
		to.Receive(0, to.Memory(), chunk)
		once := func() {
			send(t, from, 0, peer, at, 100)
			for come := 0; come == 0; from.Done() {
				come = len(to.Done())
			}
		}
		once()
		once()
		if n := testing.AllocsPerRun(100, once); n != 0 {
			t.Errorf("a message takes %v allocations", n)
		}
	})
}
