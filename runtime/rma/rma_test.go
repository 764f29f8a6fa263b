package rma_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/rma"
	"gompi/runtime/tool"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// Handles of the standard ABI.
const (
	tByte, tShort, tInt, tLong, tDouble = 0x247, 0x208, 0x209, 0x20a, 0x214
	tComplex, tDoubleInt, tShortInt     = 0x216, 0x229, 0x22c
	opSum, opMax, opBxor, opMaxloc      = 0x21, 0x23, 0x2a, 0x39
	opReplace, opNoOp                   = 0x3c, 0x3d
)

func typ(h uint32) *datatype.Type { return datatype.ByHandle(h) }

// memory is how a window comes to its memory.
type memory string

var memories = []memory{"allocated", "shared", "alloc_mem", "private", "dynamic", "dynamic alloc_mem"}

// kept holds what tests pass by its address.
type kept struct{ all [][]byte }

func (k *kept) bytes(n int) []byte {
	b := make([]byte, max(n, 1)+64)
	at := -int(shm.Address(b)) & 63
	k.all = append(k.all, b)
	return b[at : at+n : at+n]
}

// private is memory outside Go's heap, as a program in C has it. The race detector would not see
// that ranks synchronize through memory that each of them has mapped at another address.
func private(n int64) (uintptr, error) {
	b, err := unix.Mmap(-1, 0, int(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	return shm.Address(b), err
}

// window makes a window with size bytes per rank. base is what displacement 0 of each rank means in
// operations.
func window(p *runtime.Process, m memory, size int64) (w *rma.Window, own []byte, base []int64, err error) {
	base = make([]int64, p.Size)
	var addr uintptr
	switch m {
	case "allocated":
		w, err = p.RMA.Allocate(p.World, size, 1, nil)
	case "shared":
		w, err = p.RMA.AllocateShared(p.World, size, 1, nil)
	default:
		if m == "alloc_mem" || m == "dynamic alloc_mem" {
			addr, err = p.RMA.Alloc(size, 64)
		} else {
			addr, err = private(size)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if m == "alloc_mem" || m == "private" {
			w, err = p.RMA.Create(p.World, addr, size, 1, nil)
			break
		}
		if w, err = p.RMA.CreateDynamic(p.World, nil); err != nil {
			return nil, nil, nil, err
		}
		if err = w.Attach(addr, size); err != nil {
			return nil, nil, nil, err
		}
		all := make([]byte, 8*p.Size)
		binary.NativeEndian.PutUint64(all[8*p.Rank:], uint64(addr))
		recv := datatype.Raw(shm.Address(all), 8)
		if err = coll.Allgather(p.World, datatype.Buffer{Addr: datatype.InPlace, Type: recv.Type},
			recv); err != nil {
			return nil, nil, nil, err
		}
		for r := range base {
			base[r] = int64(binary.NativeEndian.Uint64(all[8*r:]))
		}
		return w, shm.Bytes(addr, size), base, nil
	}
	if err != nil {
		return nil, nil, nil, err
	}
	own = shm.Bytes(w.Desc.Base, size)
	clear(own)
	return w, own, base, coll.Barrier(p.World)
}

// settings are the ways in which private memory is reached, and ranks of other nodes.
var settings = map[string]testjob.Options{
	"nodes": {Settings: tool.Settings{PretendNodes: "1"}},
	"pairs": {Settings: tool.Settings{PretendNodes: "2:cyclic"}},
	// more ranks than cores: the kernel copies, but for what the target may do when it ends the epoch
	"kernel": {},
	"asked":  {Settings: tool.Settings{NoSingleCopy: true}},
	"active": {Cores: 8}, // ranks that wait do what others want
}

// each runs a test for every kind of memory and way to reach it.
func each(t *testing.T, ranks []int, body func(p *runtime.Process, m memory) error) {
	for _, m := range memories {
		for name, s := range settings {
			nodes := s.Settings.PretendNodes != ""
			if name != "kernel" && !nodes && m != "private" && m != "dynamic" || nodes && m == "shared" {
				continue
			}
			for _, n := range ranks {
				if nodes && n == 1 {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%d", m, name, n), func(t *testing.T) {
					testjob.Run(t, n, s, func(p *runtime.Process) error { return body(p, m) })
				})
			}
		}
	}
}

func class(err error, want mpierr.Class) error {
	if mpierr.CodeOf(err) != int(want) {
		return fmt.Errorf("error %v, want class %s", err, want.Name())
	}
	return nil
}

// Every rank puts into every other one's memory between fences, and gets it back.
func TestPutAndGet(t *testing.T) {
	each(t, []int{1, 2, 3, 7}, func(p *runtime.Process, m memory) error {
		const part = 1000
		var k kept
		w, own, base, err := window(p, m, int64(part*p.Size))
		if err != nil {
			return err
		}
		if err := w.Fence(0); err != nil {
			return err
		}
		out := k.bytes(part)
		for r := range p.Size {
			for i := range out {
				out[i] = byte(p.Rank*31 + r*7 + i)
			}
			if err := w.Put(raw(out), r, base[r]+int64(part*p.Rank), part, typ(tByte)); err != nil {
				return err
			}
		}
		if err := w.Fence(0); err != nil {
			return err
		}
		for from := range p.Size {
			for i := range part {
				if want := byte(from*31 + p.Rank*7 + i); own[from*part+i] != want {
					return fmt.Errorf("byte %d from rank %d is %d, want %d", i, from, own[from*part+i], want)
				}
			}
		}
		in := k.bytes(part)
		next := (p.Rank + 1) % p.Size
		if err := w.Get(raw(in), next, base[next]+int64(part*p.Rank), part, typ(tByte)); err != nil {
			return err
		}
		for i := range in {
			if want := byte(p.Rank*31 + next*7 + i); in[i] != want {
				return fmt.Errorf("byte %d got back is %d, want %d", i, in[i], want)
			}
		}
		if err := w.Fence(fast.NoSucceed); err != nil {
			return err
		}
		// The program does not keep its promise.
		if err := w.Put(raw(out[:1]), next, base[next]+int64(part*p.Rank), 1, typ(tByte)); err != nil {
			return err
		}
		if err := w.Fence(fast.NoPrecede | fast.NoSucceed); err != nil {
			return err
		}
		if before := (p.Rank + p.Size - 1) % p.Size; own[before*part] != byte(before*31+(p.Size-1)*7) {
			return fmt.Errorf("byte put after the fence is %d", own[before*part])
		}
		return w.Free()
	})
}

func raw(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }

// What leaves the window is refused before a byte moves.
func TestRange(t *testing.T) {
	each(t, []int{2}, func(p *runtime.Process, m memory) error {
		const size = 4096
		var k kept
		w, own, base, err := window(p, m, size)
		if err != nil {
			return err
		}
		for i := range own {
			own[i] = 7
		}
		vector, err := datatype.Vector(3, 1, -10, typ(tInt), false)
		if err != nil {
			return err
		}
		vector.Commit()
		if err := w.LockAll(0); err != nil {
			return err
		}
		b := k.bytes(2 * size)
		for _, c := range []struct {
			disp, count int64
			t           *datatype.Type
		}{
			{size, 1, typ(tByte)}, {-1, 1, typ(tByte)}, {0, size + 1, typ(tByte)}, {size - 4, 2, typ(tInt)},
			{1 << 62, 1, typ(tByte)},
			{-1 << 63, 1, typ(tByte)}, {0, 1, vector}, {79, 1, vector}, {size - 3, 1, vector},
			{80, 1 << 60, typ(tByte)}, {0, 1 << 61, typ(tComplex)},
		} {
			for r := range p.Size {
				o := datatype.Buffer{Addr: shm.Address(b), Count: 1, Type: typ(tByte)}
				if err := class(w.Put(o, r, base[r]+c.disp, c.count, c.t), mpierr.ErrRMARange); err != nil {
					return fmt.Errorf("put %+v: %w", c, err)
				}
				if c.t != vector {
					i := datatype.Buffer{Addr: shm.Address(b), Count: 1, Type: c.t}
					if err := class(w.Accumulate(i, r, base[r]+c.disp, c.count, c.t, op.ByHandle(opReplace)),
						mpierr.ErrRMARange); err != nil {
						return fmt.Errorf("accumulate %+v: %w", c, err)
					}
				}
			}
		}
		o := datatype.Buffer{Addr: shm.Address(b), Count: 3, Type: typ(tInt)}
		if err := w.Put(o, 0, base[0]+80, 1, vector); err != nil {
			return err
		}
		if err := w.UnlockAll(); err != nil {
			return err
		}
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
		for i, v := range own {
			want := byte(7)
			if p.Rank == 0 && (i < 4 || i >= 40 && i < 44 || i >= 80 && i < 84) {
				want = 0
			}
			if v != want {
				return fmt.Errorf("byte %d is %d, want %d", i, v, want)
			}
		}
		return w.Free()
	})
}

// Counters that all ranks add to have the right sum in the end, whatever the size and the alignment
// of their type.
func TestAtomicity(t *testing.T) {
	each(t, []int{4}, func(p *runtime.Process, m memory) error {
		const times = 300
		var k kept
		w, own, base, err := window(p, m, 256)
		if err != nil {
			return err
		}
		if err := w.LockAll(0); err != nil {
			return err
		}
		one, was := k.bytes(64), k.bytes(64)
		for i := range times {
			for _, c := range []struct {
				t    uint32
				disp int64
				add  func()
			}{
				{tByte, 1, nil},
				{tShort, 2, func() { binary.NativeEndian.PutUint16(one, 1) }},
				{tInt, 4, func() { binary.NativeEndian.PutUint32(one, 1) }},
				{tInt, 9, func() { binary.NativeEndian.PutUint32(one, 1) }}, // not aligned
				{tLong, 16, func() { binary.NativeEndian.PutUint64(one, 1) }},
			} {
				if c.add == nil {
					continue
				}
				clear(one)
				c.add()
				r := i % p.Size
				if i%2 == 0 {
					err = w.FetchAndOp(shm.Address(one), shm.Address(was), typ(c.t), r, base[r]+c.disp,
						op.ByHandle(opSum))
				} else {
					err = w.Accumulate(datatype.Buffer{Addr: shm.Address(one), Count: 1, Type: typ(c.t)}, r,
						base[r]+c.disp, 1, typ(c.t), op.ByHandle(opSum))
				}
				if err != nil {
					return err
				}
			}
		}
		if err := w.UnlockAll(); err != nil {
			return err
		}
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
		mine := uint64(times / p.Size * p.Size)
		got := []uint64{uint64(binary.NativeEndian.Uint16(own[2:])),
			uint64(binary.NativeEndian.Uint32(own[4:])),
			uint64(binary.NativeEndian.Uint32(own[9:])), binary.NativeEndian.Uint64(own[16:])}
		for i, v := range got {
			if v != mine {
				return fmt.Errorf("counter %d is %d, want %d", i, v, mine)
			}
		}
		return w.Free()
	})
}

// An exclusive lock keeps all others away, a shared one exclusive holders.
func TestLocksExclude(t *testing.T) {
	each(t, []int{3, 8}, func(p *runtime.Process, m memory) error {
		const times = 60
		var k kept
		w, own, base, err := window(p, m, 16)
		if err != nil {
			return err
		}
		b, c := k.bytes(8), k.bytes(8)
		rnd := rand.New(rand.NewPCG(uint64(p.Rank), 1))
		added := uint64(0)
		for range times {
			if rnd.IntN(3) == 0 { // both words are equal as long as nobody writes
				if err := w.Lock(false, 0, 0); err != nil {
					return err
				}
				if err := w.Get(raw(b), 0, base[0], 8, typ(tByte)); err != nil {
					return err
				}
				if err := w.Get(raw(c), 0, base[0]+8, 8, typ(tByte)); err != nil {
					return err
				}
				if !bytes.Equal(b, c) {
					return fmt.Errorf("a reader sees %v and %v", b, c)
				}
			} else {
				if err := w.Lock(true, 0, 0); err != nil {
					return err
				}
				if err := w.Get(raw(b), 0, base[0], 8, typ(tByte)); err != nil {
					return err
				}
				binary.NativeEndian.PutUint64(b, binary.NativeEndian.Uint64(b)+1)
				added++
				for _, at := range []int64{0, 8} {
					if err := w.Put(raw(b), 0, base[0]+at, 8, typ(tByte)); err != nil {
						return err
					}
				}
			}
			if err := w.Unlock(0); err != nil {
				return err
			}
		}
		binary.NativeEndian.PutUint64(c, added)
		sum := datatype.Buffer{Addr: shm.Address(c), Count: 1, Type: typ(tLong)}
		if err := coll.Allreduce(p.World, datatype.Buffer{Addr: datatype.InPlace, Type: typ(tByte)}, sum,
			op.ByHandle(opSum)); err != nil {
			return err
		}
		if p.Rank == 0 && !bytes.Equal(own[:8], c) {
			return fmt.Errorf("the counter is %v, want %v", own[:8], c)
		}
		return w.Free()
	})
}
