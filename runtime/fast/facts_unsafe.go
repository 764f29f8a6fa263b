//fast:go

package fast

// SetFacts writes the facts: the thread level, the kernel's number of the main thread, the name of the
// processor, and the predefined error classes below MostClasses.
func (e *Endpoint) SetFacts(level int32, main uintptr, name string, classes []int32) {
	f := &e.Facts
	f.Level, f.Main = level, main
	f.NameLength = uint32(copy(f.Name[:nameRoom-1], name))
	for _, c := range classes {
		f.Codes[c/64] |= 1 << (c % 64)
	}
}
