// Package source finds lines of a program's source, by the symbols of the files that a process has mapped.
package source

import (
	"bufio"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Files finds lines of source, and remembers them and the symbols of the files. The zero value knows none.
type Files struct {
	lines   map[place]string
	calls   map[place]Call
	objects map[string]*object
}

// place is an address of a process, which is named by its file of mappings.
type place struct {
	maps string
	pc   uint64
}

// object is a program or shared library; nil fields are what it does not have.
type object struct {
	file    *elf.File
	dwarf   *dwarf.Data
	symbols []elf.Symbol
}

// Line is the place of the call that returns to pc in the process whose mappings are in that file, as
// /proc/self/maps: "at ring.c:12", or "in exchange of ring" by the symbols that the linker needs, or "in
// ring", or "" where nothing is known.
func (f *Files) Line(maps string, pc uint64) string {
	if pc == 0 {
		return ""
	}
	at := place{maps, pc}
	if text, ok := f.lines[at]; ok {
		return text
	}
	if f.lines == nil {
		f.lines, f.objects = map[place]string{}, map[string]*object{}
	}
	text := f.find(maps, pc-1) // within the call
	f.lines[at] = text
	return text
}

func (f *Files) find(maps string, pc uint64) string {
	path, offset, ok := mapped(maps, pc)
	if !ok {
		return ""
	}
	o := f.objects[path]
	if o == nil {
		o = open(path)
		f.objects[path] = o
	}
	name := filepath.Base(path)
	address, ok := o.address(offset)
	if !ok {
		return "in " + name
	}
	if line := o.line(address); line != "" {
		return "at " + line
	}
	for i := range o.symbols {
		if y := &o.symbols[i]; elf.ST_TYPE(y.Info) == elf.STT_FUNC && address-y.Value < y.Size {
			return "in " + y.Name + " of " + name
		}
	}
	return "in " + name
}

// mapped is the file that is mapped at an address of a process, and the offset there.
func mapped(maps string, address uint64) (path string, offset uint64, ok bool) {
	f, err := os.Open(maps)
	if err != nil {
		return "", 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || !strings.HasPrefix(fields[5], "/") {
			continue
		}
		first, last, _ := strings.Cut(fields[0], "-")
		from, err1 := strconv.ParseUint(first, 16, 64)
		to, err2 := strconv.ParseUint(last, 16, 64)
		at, err3 := strconv.ParseUint(fields[2], 16, 64)
		if err1 == nil && err2 == nil && err3 == nil && from <= address && address < to {
			return strings.Join(fields[5:], " "), address - from + at, true
		}
	}
	return "", 0, false
}

// open reads the symbols of a file, as far as it has any.
func open(path string) *object {
	f, err := elf.Open(path)
	if err != nil {
		return &object{}
	}
	defer f.Close() // a descriptor that the program does not expect
	o := &object{file: f}
	if data, err := f.DWARF(); err == nil {
		o.dwarf = data
	}
	o.symbols, _ = f.Symbols()
	if len(o.symbols) == 0 {
		o.symbols, _ = f.DynamicSymbols()
	}
	return o
}

// address is the address that symbols have for what lies at an offset of the file.
func (o *object) address(offset uint64) (uint64, bool) {
	if o.file == nil {
		return 0, false
	}
	for _, p := range o.file.Progs {
		if p.Type == elf.PT_LOAD && p.Off <= offset && offset-p.Off < p.Filesz {
			return offset - p.Off + p.Vaddr, true
		}
	}
	return 0, false
}

// line is the file, without its folders, and the number of the line at an address.
func (o *object) line(address uint64) string {
	if o.dwarf == nil {
		return ""
	}
	unit, err := o.dwarf.Reader().SeekPC(address)
	if err != nil {
		return ""
	}
	lines, err := o.dwarf.LineReader(unit)
	if err != nil || lines == nil {
		return ""
	}
	var entry dwarf.LineEntry
	if lines.SeekPC(address, &entry) != nil || entry.File == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(entry.File.Name), entry.Line)
}
