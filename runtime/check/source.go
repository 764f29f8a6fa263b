package check

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

// sources finds lines of the program's source by the symbols of its files, and remembers them.
type sources struct {
	lines   map[uintptr]string
	objects map[string]*object
}

// object is a program or shared library; nil fields are what it does not have.
type object struct {
	file    *elf.File
	dwarf   *dwarf.Data
	symbols []elf.Symbol
}

// line is the place of the call that returns to pc: "at ring.c:12", or "in exchange of ring" by the symbols
// that the linker needs, or "in ring", or "" where nothing is known.
func (s *sources) line(pc uintptr) string {
	if pc == 0 {
		return ""
	}
	if text, ok := s.lines[pc]; ok {
		return text
	}
	if s.lines == nil {
		s.lines, s.objects = map[uintptr]string{}, map[string]*object{}
	}
	text := s.find(uint64(pc) - 1) // within the call
	s.lines[pc] = text
	return text
}

func (s *sources) find(pc uint64) string {
	path, offset, ok := mapped(pc)
	if !ok {
		return ""
	}
	o := s.objects[path]
	if o == nil {
		o = open(path)
		s.objects[path] = o
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

// mapped is the file that is mapped at an address of this process, and the offset there.
func mapped(address uint64) (path string, offset uint64, ok bool) {
	f, err := os.Open("/proc/self/maps")
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
