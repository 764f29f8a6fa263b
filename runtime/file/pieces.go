package file

import "gompi/runtime/datatype"

// Accesses to many runs of the file by system calls.

// pieces moves the bytes run by run, or where runs are small many of them with what lies between, if that can
// be read.
func (s *storage) pieces(a *access) (int64, error) {
	p := s.hints.Load()
	if a.view.apart && a.small() {
		if !a.write && p.sieveRead != disable {
			return s.sieve(a, p.readSieve)
		}
		if a.write && p.sieveWrite == enable && s.system.readable {
			return s.sieve(a, p.writeSieve)
		}
	}
	done := int64(0)
	var err error
	a.view.tiles.Runs(a.at, a.n, func(off, size int64) bool {
		var k int64
		k, err = s.flat(a.view.Disp+off, a.buf, done, size, a.write)
		done += k
		return err == nil && k == size
	})
	return done, err
}

// smallRun is the size in bytes below which a run costs more as a call than as a part of what is read anyway.
const smallRun = 4096

// small reports whether the runs are small and near each other, on average.
func (a *access) small() bool {
	v := a.view
	return v.tiles.Size()/v.rows < smallRun && v.end(a.at, a.n)-v.locate(a.at) <= 16*a.n
}

// sieve moves stretches of the file with the gaps in them through memory. Writing reads them first, and keeps
// all others off meanwhile who write to the file with the same hint.
func (s *storage) sieve(a *access, most int64) (int64, error) {
	v := a.view
	end := v.end(a.at, a.n)
	room := s.scratch.Take(min(most, end-v.locate(a.at)))
	defer s.scratch.Put(room)
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
			k, err = s.exclusively(lo, hi, func() (int64, error) { return s.rewrite(a, part) })
		} else {
			k, err = s.reread(a, part)
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

func (s *storage) reread(a *access, part stretch) (int64, error) {
	got, err := s.system.read(part.mem, part.lo)
	n := min(a.view.before(part.lo+got)-part.at, part.n)
	if n > 0 {
		s.exchange(a, addressOf(part.mem)-uintptr(part.lo), part.from, n)
	}
	return max(n, 0), err
}

func (s *storage) rewrite(a *access, part stretch) (int64, error) {
	got, err := s.system.read(part.mem, part.lo)
	if err != nil {
		return 0, err
	}
	clear(part.mem[got:])
	s.exchange(a, addressOf(part.mem)-uintptr(part.lo), part.from, part.n)
	k, err := s.system.write(part.mem, part.lo)
	return min(max(a.view.before(part.lo+k)-part.at, 0), part.n), err
}

// exchange moves bytes [from, from+n) of the access between its buffer and memory that holds a part of the
// file as if the file's byte 0 were at base.
func (s *storage) exchange(a *access, base uintptr, from, n int64) {
	at := a.at + from
	file := a.view.buffer(base, at+n)
	if a.buf.Contiguous() {
		copyBetween(file, at, memory(a.buf.Start()+uintptr(from), n), a.write)
		return
	}
	const step = 64 << 10
	room := s.scratch.Take(min(n, step))
	defer s.scratch.Put(room)
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
