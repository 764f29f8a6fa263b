package source

import (
	"debug/elf"
	"path/filepath"
)

// Call is where a thread is in one of the functions that it has called.
type Call struct {
	Function string // "" when it is not known
	Line     string // such as "ring.c:12", "" when it is not known
	File     string // the program or library, without its folders; "" when it is none
}

// String is the call in words.
func (c Call) String() string {
	name := c.Function
	if name == "" {
		name = "?"
	}
	switch {
	case c.Line != "":
		return name + " at " + c.Line
	case c.File != "":
		return name + " in " + c.File
	}
	return name
}

// Call is what is at an address in the process whose mappings are in that file, as /proc/self/maps.
func (f *Files) Call(maps string, pc uint64) Call {
	at := place{maps, pc}
	if c, ok := f.calls[at]; ok {
		return c
	}
	if f.calls == nil {
		f.calls = map[place]Call{}
	}
	c := f.findCall(maps, pc)
	f.calls[at] = c
	return c
}

func (f *Files) findCall(maps string, pc uint64) (c Call) {
	path, offset, ok := mapped(maps, pc)
	if !ok {
		return c
	}
	if f.objects == nil {
		f.lines, f.objects = map[place]string{}, map[string]*object{}
	}
	o := f.objects[path]
	if o == nil {
		o = open(path)
		f.objects[path] = o
	}
	c.File = filepath.Base(path)
	address, ok := o.address(offset)
	if !ok {
		return c
	}
	c.Line = o.line(address)
	for i := range o.symbols {
		y := &o.symbols[i]
		if elf.ST_TYPE(y.Info) == elf.STT_FUNC && address-y.Value < y.Size {
			c.Function = y.Name
			break
		}
	}
	return c
}
