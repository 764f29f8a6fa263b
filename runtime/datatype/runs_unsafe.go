package datatype

import "unsafe"

// The inner loops: equal runs at equal or listed distances. Runs of the sizes of numbers are moved by loads
// and stores of that size, as a loop written for the type would; others by the runtime's copy.
//
// Preconditions of all functions here:
//   - the memory at base plus every displacement that is visited is size bytes that stay where they are, and
//     does not
//     overlap the stream;
//   - the stream holds n x size bytes.
//
// Only addresses of such bytes are ever made into pointers. The checks that -race adds to arithmetic on
// pointers are off: displacements between the objects of a program are what datatypes are about.

// moveRuns moves n whole runs of the leaf s, from turn first on. base is the address of the leaf's first
// turn.
func moveRuns(base uintptr, s *step, first, n int64, stream []byte, dir direction) {
	end := unsafe.Pointer(unsafe.SliceData(stream))
	var offs []int64
	if s.offs != nil {
		offs = s.offs[first : first+n]
		if fastIndexed(end, pointer(base), offs, s.size, dir) {
			return
		}
	} else {
		base += uintptr(first * s.stride)
		to, toStride, from, fromStride := end, s.size, pointer(base), s.stride
		if dir == unpack {
			to, toStride, from, fromStride = from, fromStride, to, toStride
		}
		if fastRuns(to, toStride, from, fromStride, s.size, n) {
			return
		}
	}
	switch s.size {
	case 1:
		moveAll[byte](base, s.stride, offs, n, end, dir)
	case 2:
		moveAll[uint16](base, s.stride, offs, n, end, dir)
	case 4:
		moveAll[uint32](base, s.stride, offs, n, end, dir)
	case 8:
		moveAll[uint64](base, s.stride, offs, n, end, dir)
	case 12:
		moveAll[[3]uint32](base, s.stride, offs, n, end, dir)
	case 16:
		moveAll[[2]uint64](base, s.stride, offs, n, end, dir)
	case 24:
		moveAll[[3]uint64](base, s.stride, offs, n, end, dir)
	case 32:
		moveAll[[4]uint64](base, s.stride, offs, n, end, dir)
	case 64:
		moveAll[[8]uint64](base, s.stride, offs, n, end, dir)
	default:
		moveAny(base, s, offs, n, stream, dir)
	}
}

// gridTurns moves n whole turns of a grid (step.grid), of which the first run is at base; false when its runs
// are of a size for which there is no fast loop.
//
//go:nocheckptr
func gridTurns(base uintptr, s *step, n int64, stream []byte, dir direction) bool {
	c := &s.body[0]
	end, mem := unsafe.Pointer(unsafe.SliceData(stream)), pointer(base)
	if dir == pack {
		return fastRows(end, s.size, c.size, mem, s.stride, c.stride, c.size, c.count, n)
	}
	return fastRows(mem, s.stride, c.stride, end, s.size, c.size, c.size, c.count, n)
}

func moveAll[T any](base uintptr, stride int64, offs []int64, n int64, stream unsafe.Pointer, dir direction) {
	mem := pointer(base)
	switch {
	case offs == nil && dir == pack:
		gather[T](mem, stride, n, stream)
	case offs == nil:
		scatter[T](mem, stride, n, stream)
	case dir == pack:
		gatherListed[T](mem, offs, stream)
	default:
		scatterListed[T](mem, offs, stream)
	}
}

//go:nocheckptr
func gather[T any](mem unsafe.Pointer, stride, n int64, stream unsafe.Pointer) {
	to := unsafe.Slice((*T)(stream), n)
	at := int64(0)
	for len(to) >= 4 {
		to[0] = *(*T)(unsafe.Add(mem, at))
		to[1] = *(*T)(unsafe.Add(mem, at+stride))
		to[2] = *(*T)(unsafe.Add(mem, at+2*stride))
		to[3] = *(*T)(unsafe.Add(mem, at+3*stride))
		to, at = to[4:], at+4*stride
	}
	for i := range to {
		to[i] = *(*T)(unsafe.Add(mem, at))
		at += stride
	}
}

//go:nocheckptr
func scatter[T any](mem unsafe.Pointer, stride, n int64, stream unsafe.Pointer) {
	from := unsafe.Slice((*T)(stream), n)
	at := int64(0)
	for len(from) >= 4 {
		*(*T)(unsafe.Add(mem, at)) = from[0]
		*(*T)(unsafe.Add(mem, at+stride)) = from[1]
		*(*T)(unsafe.Add(mem, at+2*stride)) = from[2]
		*(*T)(unsafe.Add(mem, at+3*stride)) = from[3]
		from, at = from[4:], at+4*stride
	}
	for i := range from {
		*(*T)(unsafe.Add(mem, at)) = from[i]
		at += stride
	}
}

//go:nocheckptr
func gatherListed[T any](mem unsafe.Pointer, offs []int64, stream unsafe.Pointer) {
	to := unsafe.Slice((*T)(stream), len(offs))
	for i, off := range offs {
		to[i] = *(*T)(unsafe.Add(mem, off))
	}
}

//go:nocheckptr
func scatterListed[T any](mem unsafe.Pointer, offs []int64, stream unsafe.Pointer) {
	from := unsafe.Slice((*T)(stream), len(offs))
	for i, off := range offs {
		*(*T)(unsafe.Add(mem, off)) = from[i]
	}
}

// moveColumn moves n runs of size bytes that are stride bytes apart in memory and gap bytes apart in the
// stream.
func moveColumn(base uintptr, stride int64, stream []byte, gap, size, n int64, dir direction) {
	to, toStride := unsafe.Pointer(unsafe.SliceData(stream)), gap
	from, fromStride := pointer(base), stride
	if dir == unpack {
		to, toStride, from, fromStride = from, fromStride, to, toStride
	}
	if fastRuns(to, toStride, from, fromStride, size, n) {
		return
	}
	switch size {
	case 1:
		copyColumn[byte](to, toStride, from, fromStride, n)
	case 2:
		copyColumn[uint16](to, toStride, from, fromStride, n)
	case 4:
		copyColumn[uint32](to, toStride, from, fromStride, n)
	case 8:
		copyColumn[uint64](to, toStride, from, fromStride, n)
	case 16:
		copyColumn[[2]uint64](to, toStride, from, fromStride, n)
	case 24:
		copyColumn[[3]uint64](to, toStride, from, fromStride, n)
	default:
		for i := range n {
			move(base+uintptr(i*stride), stream[i*gap:][:size], dir)
		}
	}
}

//go:nocheckptr
func copyColumn[T any](to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, n int64) {
	for i, t, f := int64(0), int64(0), int64(0); i < n; i, t, f = i+1, t+toStride, f+fromStride {
		*(*T)(unsafe.Add(to, t)) = *(*T)(unsafe.Add(from, f))
	}
}

// moveAny moves runs of any size.
func moveAny(base uintptr, s *step, offs []int64, n int64, stream []byte, dir direction) {
	size := int(s.size)
	for i := range n {
		addr := base + uintptr(i*s.stride)
		if offs != nil {
			addr = base + uintptr(offs[i])
		}
		move(addr, stream[:size], dir)
		stream = stream[size:]
	}
}

// moveRun moves one run, which is the whole stream.
//
//go:nocheckptr
func moveRun(addr uintptr, stream []byte, dir direction) {
	mem, end := pointer(addr), unsafe.Pointer(unsafe.SliceData(stream))
	if dir == unpack {
		mem, end = end, mem
	}
	switch len(stream) {
	case 4:
		*(*uint32)(end) = *(*uint32)(mem)
	case 8:
		*(*uint64)(end) = *(*uint64)(mem)
	case 16:
		*(*[2]uint64)(end) = *(*[2]uint64)(mem)
	default:
		copy(unsafe.Slice((*byte)(end), len(stream)), unsafe.Slice((*byte)(mem), len(stream)))
	}
}

// pointer makes an address a pointer, by way of memory for the reason that memory gives.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// moveListed moves whole runs of a list, of which the first begins at byte begin of the step's stream. The
// stream holds just them.
//
//go:nocheckptr
func moveListed(base uintptr, list []listedRun, begin int64, stream []byte, dir direction) {
	first := unsafe.Pointer(unsafe.SliceData(stream))
	if fastListed(first, pointer(base), list, begin, dir) {
		return
	}
	for i, at := 0, begin; i < len(list); i++ {
		n := list[i].end - at
		to, from := unsafe.Add(first, at-begin), pointer(base+uintptr(list[i].off))
		at = list[i].end
		if dir == unpack {
			to, from = from, to
		}
		if n > 64 || n&7 != 0 {
			copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
			continue
		}
		for k := int64(0); k < n; k += 8 {
			*(*uint64)(unsafe.Add(to, k)) = *(*uint64)(unsafe.Add(from, k))
		}
	}
}
