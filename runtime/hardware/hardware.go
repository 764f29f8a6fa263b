// Package hardware finds out which parts of the machine this process is bound to: the ones that all
// processors that it may run on belong to (MPI 5.0, 7.4.2 and 9.1.3). It reads what the kernel tells of the
// machine and knows nothing of communicators.
package hardware

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Resource is one kind of part of the machine.
type Resource struct {
	Name string // as in "hwloc://Core", a URI
	// of the one that this process is bound to, named by its first processor; Unbound or Unknown
	Instance int
}

// What Instance is otherwise.
const (
	Unbound = -1 // the process may run on more than one of them
	Unknown = -2 // the machine has none, or the kernel does not say
)

// names are the kinds of parts in the names of the hwloc library, which the standard's examples use, from the
// whole to the smallest.
var names = [...]string{"Machine", "NUMANode", "Package", "L3Cache", "L2Cache", "L1Cache", "Core", "PU"}

// Kinds is how many resources Find lists.
const Kinds = len(names)

// Name is the name of the kind with that number.
func Name(kind int) string { return Scheme + names[kind] }

// Scheme begins the name of each resource.
const Scheme = "hwloc://"

// Find lists the resources for a process that may run on the given processors, from the whole machine to the
// smallest part. system is the folder /sys/devices/system.
func Find(system fs.FS, allowed []int) []Resource {
	var all []Resource
	for _, name := range names {
		instance := Unknown
		if len(allowed) > 0 {
			instance = common(system, name, allowed)
		}
		all = append(all, Resource{Name: Scheme + name, Instance: instance})
	}
	return all
}

// common is the part of a kind that all the processors belong to, by its first processor.
func common(system fs.FS, name string, allowed []int) int {
	part := Members(system, name, allowed[0])
	if len(part) == 0 {
		return Unknown
	}
	for _, cpu := range allowed {
		if !slices.Contains(part, cpu) {
			return Unbound
		}
	}
	return slices.Min(part)
}

// Members lists the processors of the part of a kind, such as "Core", that a processor belongs to; nil when
// it is unknown.
func Members(system fs.FS, name string, cpu int) []int {
	dir := "cpu/cpu" + strconv.Itoa(cpu)
	switch name {
	case "Machine":
		return list(system, "cpu/possible")
	case "NUMANode":
		return node(system, cpu)
	case "Package":
		return list(system, dir+"/topology/package_cpus_list", dir+"/topology/core_siblings_list")
	case "Core":
		return list(system, dir+"/topology/core_cpus_list", dir+"/topology/thread_siblings_list")
	case "PU":
		return []int{cpu}
	}
	return cache(system, dir, name[1:2])
}

// node lists the processors of the memory node that a processor belongs to.
func node(system fs.FS, cpu int) []int {
	files, err := fs.Glob(system, "node/node[0-9]*/cpulist")
	if err != nil {
		return nil
	}
	for _, f := range files {
		if l := list(system, f); slices.Contains(l, cpu) {
			return l
		}
	}
	return nil
}

// cache lists the processors that share the data cache of a level with one of them.
func cache(system fs.FS, dir, level string) []int {
	files, err := fs.Glob(system, dir+"/cache/index[0-9]*/level")
	if err != nil {
		return nil
	}
	for _, f := range files {
		index := path.Dir(f)
		if text(system, f) == level && text(system, index+"/type") != "Instruction" {
			return list(system, index+"/shared_cpu_list")
		}
	}
	return nil
}

func text(system fs.FS, file string) string {
	b, err := fs.ReadFile(system, file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// list reads the first of the files that is there, which holds numbers as in "0-3,8".
func list(system fs.FS, files ...string) []int {
	for _, f := range files {
		if s := text(system, f); s != "" {
			return numbers(s)
		}
	}
	return nil
}

// most bounds the number of a processor, against files that make no sense.
const most = 1 << 16

func numbers(s string) (all []int) {
	for _, r := range strings.Split(s, ",") {
		first, last, isRange := strings.Cut(r, "-")
		a, err := strconv.Atoi(first)
		if err != nil || a < 0 {
			return nil
		}
		b := a
		if isRange {
			if b, err = strconv.Atoi(last); err != nil || b >= most {
				return nil
			}
		}
		for ; a <= b; a++ {
			all = append(all, a)
		}
	}
	return all
}

// Same reports whether a user means the resource with that name: the whole name, or its last part alone, in
// any case.
func Same(wanted, name string) bool {
	return strings.EqualFold(wanted, name) || strings.EqualFold(wanted, strings.TrimPrefix(name, Scheme))
}
