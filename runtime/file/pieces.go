package file

import "gompi/runtime/datatype"

// Accesses to many runs of the file by system calls.

// pieces moves the bytes run by run, or where runs are small many of them with what lies between, if that can
// be read.
func (f *File) pieces(a *access) (int64, error) {
	p := f.plan.Load()
	if a.view.apart && f.small(a) {
		if !a.write && p.sieveRead != disable {
			return f.sieve(a, p.readSieve)
		}
		if a.write && p.sieveWrite == enable && f.system.readable {
			return f.sieve(a, p.writeSieve)
		}
	}
	done := int64(0)
	var err error
	a.view.tiles.Runs(a.at, a.n, func(off, size int64) bool {
		var k int64
		k, err = f.flat(a.view.disp+off, a.buf, done, size, a.write)
		done += k
		return err == nil && k == size
	})
	return done, err
}

// smallRun is the size in bytes below which a run costs more as a call than as a part of what is read anyway.
const smallRun = 4096

// small reports whether the runs are small and near each other, on average.
func (f *File) small(a *access) bool {
	v := a.view
	return v.tiles.Size()/v.rows < smallRun && v.end(a.at, a.n)-v.locate(a.at) <= 16*a.n
}

// sieve moves stretches of the file with the gaps in them through memory. Writing reads them first, and keeps
// all others off meanwhile who write to the file with the same hint.
func (f *File) sieve(a *access, most int64) (int64, error) {
	v := a.view
	end := v.end(a.at, a.n)
	room := f.engine.Scratch.Take(min(most, end-v.locate(a.at)))
	defer f.engine.Scratch.Put(room)
	done := int64(0)
	for done < a.n {
		at := a.at + done
		lo := v.locate(at)
		hi := min(lo+most, end)
		n := min(v.before(hi)-at, a.n-done)
		part := stretch{lo: lo, hi: hi, at: at, n: n, from: done, mem: memory(room.Address(), hi-lo)}
		var k int64
		var err error
		if a.write {
			k, err = f.exclusively(lo, hi, func() (int64, error) { return f.rewrite(a, part) })
		} else {
			k, err = f.reread(a, part)
		}
		done += k
		if err != nil || k < n {
			return done, err
		}
	}
	return done, nil
}

// stretch is bytes [lo, hi) of the file, which hold n bytes of the stream from at on and, in the access's
// buffer, from from on.
type stretch struct {
	lo, hi      int64
	at, n, from int64
	mem         []byte
}

func (f *File) reread(a *access, s stretch) (int64, error) {
	got, err := f.system.read(s.mem, s.lo)
	n := min(a.view.before(s.lo+got)-s.at, s.n)
	if n > 0 {
		exchange(a, addressOf(s.mem)-uintptr(s.lo), s.from, n, f)
	}
	return max(n, 0), err
}

func (f *File) rewrite(a *access, s stretch) (int64, error) {
	got, err := f.system.read(s.mem, s.lo)
	if err != nil {
		return 0, err
	}
	clear(s.mem[got:])
	exchange(a, addressOf(s.mem)-uintptr(s.lo), s.from, s.n, f)
	k, err := f.system.write(s.mem, s.lo)
	return min(max(a.view.before(s.lo+k)-s.at, 0), s.n), err
}

// exchange moves bytes [from, from+n) of the access between its buffer and memory that holds a part of the
// file as if the file's byte 0 were at base.
func exchange(a *access, base uintptr, from, n int64, f *File) {
	at := a.at + from
	file := a.view.buffer(base, at+n)
	if a.buf.Contiguous() {
		copyBetween(file, at, memory(a.buf.Start()+uintptr(from), n), a.write)
		return
	}
	const step = 64 << 10
	room := f.engine.Scratch.Take(min(n, step))
	defer f.engine.Scratch.Put(room)
	for done := int64(0); done < n; done += step {
		mem := memory(room.Address(), min(n-done, step))
		if a.write {
			a.buf.Pack(from+done, mem)
		}
		copyBetween(file, at+done, mem, a.write)
		if !a.write {
			a.buf.Unpack(from+done, mem)
		}
	}
}

// copyBetween copies memory to the bytes of a stream from at on, or back.
func copyBetween(stream datatype.Buffer, at int64, mem []byte, write bool) {
	if write {
		stream.Unpack(at, mem)
	} else {
		stream.Pack(at, mem)
	}
}

// exclusively carries out an access while nobody else has bytes [lo, hi) locked. In atomic mode they are
// locked already.
func (f *File) exclusively(lo, hi int64, do func() (int64, error)) (int64, error) {
	if f.atomic.Load() {
		return do()
	}
	f.within.Lock()
	defer f.within.Unlock()
	if err := f.system.lock(lo, hi, true); err != nil {
		return 0, err
	}
	defer f.system.unlock(lo, hi)
	return do()
}
