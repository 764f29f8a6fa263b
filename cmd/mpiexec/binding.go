package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"gompi/runtime/hardware"
)

// Ranks are bound to no processors unless an option says so. Then places follow each other in the order of
// the processors, or in turns over the parts of the machine that --map-by names, and each rank gets the
// part of the --bind-to kind that its place lies in. When there are more ranks than places they begin
// again.

// parts are the kinds of parts of the machine, by the words of the options.
var parts = map[string]string{
	"hwthread": "PU", "core": "Core", "l1cache": "L1Cache", "l2cache": "L2Cache", "l3cache": "L3Cache",
	"socket": "Package", "package": "Package", "numa": "NUMANode",
	"board": "Machine", "machine": "Machine", "node": "Machine",
}

// binding is what the options say about processors.
type binding struct {
	kind   string // of the part that a rank is bound to, "" for none
	over   string // kind of the parts that ranks are dealt out to in turns, "" for one place after the other
	each   int    // places of a rank
	listed []int  // processors that may be used, nil for all that are allowed
}

// bindTo reads a --bind-to. A number after a colon says how many parts a rank gets, as with MPICH.
func (b *binding) bindTo(text string) error {
	word, rest, _ := strings.Cut(strings.ToLower(text), ":")
	kind, known := parts[word]
	switch {
	case word == "none":
		*b = binding{}
		return nil
	case word == "cpu-list", word == "rr":
		kind = "Core"
	case !known:
		return fmt.Errorf(
			"%q is none of none, hwthread, core, l1cache, l2cache, l3cache, socket, package, numa, board", text)
	}
	b.kind = kind
	for _, q := range strings.FieldsFunc(rest, func(r rune) bool { return r == ':' || r == ',' }) {
		if n, err := strconv.Atoi(q); err == nil && n > 0 {
			b.each = n
		} else if !slices.Contains([]string{"overload-allowed", "no-overload", "if-supported", "report", "ordered"}, q) {
			return fmt.Errorf("%q: unknown word %q", text, q)
		}
	}
	return nil
}

// perRank reads how many processors each rank gets.
func (b *binding) perRank(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a number of processors", text)
	}
	b.each = n
	if b.kind == "" {
		b.kind = "Core"
	}
	return nil
}

// list reads the processors that may be used: "0,2-3".
func (b *binding) list(text string) error {
	for _, item := range strings.Split(text, ",") {
		first, last, ranged := strings.Cut(item, "-")
		a, err := strconv.Atoi(first)
		z := a
		if ranged && err == nil {
			z, err = strconv.Atoi(last)
		}
		if err != nil || a < 0 || z < a || z > mostProcessors {
			return fmt.Errorf("%q is no list of processors such as 0,2-3", text)
		}
		for ; a <= z; a++ {
			b.listed = append(b.listed, a)
		}
	}
	if b.kind == "" {
		b.kind = "Machine"
	}
	return nil
}

// mostProcessors bounds the numbers of processors.
const mostProcessors = 8191

// plan is a binding on a machine.
type plan struct {
	system  fs.FS
	whole   []int   // processors that may be used here
	allowed []int   // those of them that the job may use
	places  [][]int // processors of each place
	kind    string
	each    int
}

// on makes a plan of a binding for a machine on which some processors may be used; nil when ranks are not
// bound.
func (b *binding) on(system fs.FS, allowed []int) (*plan, error) {
	if b.kind == "" {
		return nil, nil
	}
	whole := allowed
	for _, cpu := range b.listed {
		if !slices.Contains(allowed, cpu) {
			return nil, fmt.Errorf("processor %d cannot be used here; %s can", cpu, spans(allowed))
		}
	}
	if b.listed != nil {
		allowed = slices.Compact(slices.Sorted(slices.Values(b.listed)))
	}
	p := &plan{system: system, whole: whole, allowed: allowed, kind: b.kind, each: max(b.each, 1)}
	place := "Core"
	if b.kind == "PU" {
		place = "PU"
	}
	p.places = p.partsOf(place)
	if b.over != "" {
		p.places = p.inTurns(b.over)
	}
	if len(p.places) == 0 {
		return nil, fmt.Errorf("no processor can be used here")
	}
	return p, nil
}

// partsOf lists the usable processors of each part of a kind. A machine that has none of that kind is one
// such part.
func (p *plan) partsOf(kind string) (all [][]int) {
	seen := map[int]bool{}
	for _, cpu := range p.allowed {
		if seen[cpu] {
			continue
		}
		part := p.partOf(kind, cpu)
		for _, c := range part {
			seen[c] = true
		}
		all = append(all, part)
	}
	return all
}

// partOf lists the usable processors of the part of a kind that a processor lies in.
func (p *plan) partOf(kind string, cpu int) []int {
	if kind == "Machine" {
		return p.allowed
	}
	members := hardware.Members(p.system, kind, cpu)
	if len(members) == 0 {
		if kind == "Core" {
			return []int{cpu}
		}
		return p.allowed
	}
	return slices.DeleteFunc(slices.Clone(p.allowed), func(c int) bool {
		return !slices.Contains(members,
			c)
	})
}

// inTurns is the places in the order in which they come when the parts of a kind take turns.
func (p *plan) inTurns(kind string) (all [][]int) {
	var groups [][][]int
	for _, part := range p.partsOf(kind) {
		var group [][]int
		for _, place := range p.places {
			if slices.Contains(part, place[0]) {
				group = append(group, place)
			}
		}
		groups = append(groups, group)
	}
	for i := 0; len(all) < len(p.places); i++ {
		for _, group := range groups {
			if i < len(group) {
				all = append(all, group[i])
			}
		}
	}
	return all
}

// of lists the processors of the n-th process.
func (p *plan) of(n int) []int {
	var set []int
	for i := range p.each {
		place := p.places[(n*p.each+i)%len(p.places)]
		set = append(set, p.partOf(p.kind, place[0])...)
	}
	return slices.Compact(slices.Sorted(slices.Values(set)))
}

// describe says where a rank runs in the words of Open MPI: "socket 0[core 1[hwt 0]]: [./B]".
func (p *plan) describe(set []int) string {
	var where []string
	var drawn strings.Builder
	whole := plan{system: p.system, allowed: p.whole}
	core := 0
	for s, socket := range whole.partsOf("Package") {
		drawn.WriteByte('[')
		one := plan{system: p.system, allowed: socket}
		for i, threads := range one.partsOf("Core") {
			if i > 0 {
				drawn.WriteByte('/')
			}
			var hwt []string
			for k, cpu := range threads {
				if slices.Contains(set, cpu) {
					drawn.WriteByte('B')
					hwt = append(hwt, strconv.Itoa(k))
				} else {
					drawn.WriteByte('.')
				}
			}
			if len(hwt) > 0 {
				where = append(where, fmt.Sprintf("socket %d[core %d[hwt %s]]", s, core, strings.Join(hwt, "-")))
			}
			core++
		}
		drawn.WriteByte(']')
	}
	return strings.Join(where, ", ") + ": " + drawn.String()
}

// spans writes a list of processors in short: "0-3,7".
func spans(cpus []int) string {
	var out []string
	for i := 0; i < len(cpus); {
		k := i
		for k+1 < len(cpus) && cpus[k+1] == cpus[k]+1 {
			k++
		}
		text := strconv.Itoa(cpus[i])
		if k > i {
			text += "-" + strconv.Itoa(cpus[k])
		}
		out = append(out, text)
		i = k + 1
	}
	return strings.Join(out, ",")
}
