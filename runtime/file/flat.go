package file

import "gompi/runtime/datatype"

// bounce is how many bytes go at a time through memory of the library's, where a buffer has gaps: they stay
// in the cache.
const bounce = 256 << 10

// flat moves bytes [from, from+n) of a buffer's data to or from one run of the file. It returns how many were
// moved: fewer than n at the end of the file, or when there is an error.
func (s *storage) flat(off int64, b datatype.Buffer, from, n int64, write bool) (int64, error) {
	if b.Contiguous() {
		mem := memory(b.Start()+uintptr(from), n)
		if write {
			return s.system.write(mem, off)
		}
		return s.system.read(mem, off)
	}
	room := s.scratch.Take(min(n, bounce))
	defer s.scratch.Put(room)
	done := int64(0)
	for done < n {
		mem := memory(room.Address(), min(n-done, bounce))
		var k int64
		var err error
		if write {
			b.Pack(from+done, mem)
			k, err = s.system.write(mem, off+done)
		} else {
			k, err = s.system.read(mem, off+done)
			b.Unpack(from+done, mem[:k])
		}
		done += k
		if err != nil || k < int64(len(mem)) {
			return done, err
		}
	}
	return done, nil
}
