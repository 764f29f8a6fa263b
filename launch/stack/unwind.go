package stack

import (
	"bufio"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/go-delve/delve/pkg/dwarf/frame"
)

// registers are those of a thread in one of its calls, by their numbers in DWARF.
type registers struct {
	pc  uint64
	all [highest]uint64
}

// table is the unwinding table of a file.
type table struct {
	loads   []elf.ProgHeader
	entries frame.FrameDescriptionEntries
}

// mapping is a stretch of memory of a process that is a part of a file.
type mapping struct {
	from, to, offset uint64
	path             string
}

// mappings are those of a process from which it may run.
func mappings(pid int) (all []mapping, err error) {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/maps")
	if err != nil {
		return nil, fmt.Errorf("the files that process %d has mapped: %w", pid, err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || !strings.Contains(fields[1], "x") || !strings.HasPrefix(fields[5], "/") {
			continue
		}
		first, last, _ := strings.Cut(fields[0], "-")
		m := mapping{path: strings.Join(fields[5:], " ")}
		var wrong [3]error
		m.from, wrong[0] = strconv.ParseUint(first, 16, 64)
		m.to, wrong[1] = strconv.ParseUint(last, 16, 64)
		m.offset, wrong[2] = strconv.ParseUint(fields[2], 16, 64)
		if wrong == [3]error{} {
			all = append(all, m)
		}
	}
	return all, nil
}

// of is the table of a file, with no entries where it has none.
func (t *Tables) of(path string) *table {
	if one := t.files[path]; one != nil {
		return one
	}
	one := new(table)
	if t.files == nil {
		t.files = map[string]*table{}
	}
	t.files[path] = one
	f, err := elf.Open(path)
	if err != nil {
		return one
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			one.loads = append(one.loads, p.ProgHeader)
		}
	}
	s := f.Section(".eh_frame")
	if s == nil {
		return one
	}
	if data, err := s.Data(); err == nil {
		one.entries, _ = frame.Parse(data, f.ByteOrder, 0, wordSize, s.Addr)
	}
	// They are searched as if they were sorted, which the files need not do.
	slices.SortStableFunc(one.entries, func(a, b *frame.FrameDescriptionEntry) int {
		return cmp.Compare(a.Begin(), b.Begin())
	})
	return one
}

// address is the address in the file's own terms of what lies at an offset of it.
func (t *table) address(offset uint64) (uint64, bool) {
	for _, p := range t.loads {
		if p.Off <= offset && offset-p.Off < p.Filesz {
			return offset - p.Off + p.Vaddr, true
		}
	}
	return 0, false
}

// wordSize is the size of an address in bytes.
const wordSize = 8

// up goes to the caller of the function that r is in, and reports whether there is one that is known. first
// says that pc is where the thread is, and not behind a call.
func (t *Tables) up(r *registers, memory io.ReaderAt, space []mapping, first bool) bool {
	at := r.pc
	if !first {
		at--
	}
	f := t.frameAt(at, space)
	if f == nil || f.CFA.Rule != frame.RuleCFA || f.CFA.Reg >= highest {
		return false
	}
	word := func(address uint64) (uint64, bool) {
		var b [wordSize]byte
		_, err := memory.ReadAt(b[:], int64(address))
		return binary.LittleEndian.Uint64(b[:]), err == nil
	}
	base := r.all[f.CFA.Reg] + uint64(f.CFA.Offset)
	if base <= r.all[stackPointer] && !first {
		return false // stacks grow down
	}
	before := *r
	r.all[stackPointer] = base
	for n, rule := range f.Regs {
		if n >= highest {
			continue
		}
		ok := true
		switch rule.Rule {
		case frame.RuleOffset:
			r.all[n], ok = word(base + uint64(rule.Offset))
		case frame.RuleValOffset:
			r.all[n] = base + uint64(rule.Offset)
		case frame.RuleRegister:
			if ok = rule.Reg < highest; ok {
				r.all[n] = before.all[rule.Reg]
			}
		case frame.RuleSameVal:
		default:
			ok = n != f.RetAddrReg // the outermost function says so
		}
		if !ok {
			return false
		}
	}
	if f.RetAddrReg >= highest {
		return false
	}
	next := r.all[f.RetAddrReg]
	if next == 0 || next == r.pc && base == before.all[stackPointer] {
		return false
	}
	r.pc = next
	return true
}

// frameAt is how to find the caller of what lies at an address; nil where that is not known.
func (t *Tables) frameAt(address uint64, space []mapping) *frame.FrameContext {
	for _, m := range space {
		if address < m.from || address >= m.to {
			continue
		}
		one := t.of(m.path)
		own, ok := one.address(address - m.from + m.offset)
		if !ok {
			return nil
		}
		entry, err := one.entries.FDEForPC(own)
		if err != nil {
			return nil
		}
		f, err := entry.EstablishFrame(own)
		if err != nil {
			return nil
		}
		return f
	}
	return nil
}
