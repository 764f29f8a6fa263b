package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// machine is one of two packages with two cores of two threads each; the threads of a core are 4 apart.
func machine() (system fstest.MapFS, all []int) {
	system = fstest.MapFS{}
	for cpu := range 8 {
		core, pack := cpu%4, cpu%4/2
		dir := fmt.Sprintf("cpu/cpu%d/topology/", cpu)
		system[dir+"core_cpus_list"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d,%d\n", core, core+4)}
		system[dir+"package_cpus_list"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d-%d,%d-%d\n", 2*pack, 2*pack+1, 2*pack+4, 2*pack+5)}
		all = append(all, cpu)
	}
	return system, all
}

func TestBinding(t *testing.T) {
	system, all := machine()
	for _, c := range []struct {
		line string
		want [][]int // of the ranks from 0 on
	}{
		{"--bind-to core", [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {0, 4}}},
		{"-bind-to hwthread", [][]int{{0}, {1}, {2}}},
		{"--bind-to core --map-by socket", [][]int{{0, 4}, {2, 6}, {1, 5}, {3, 7}, {0, 4}}},
		{"--bind-to socket", [][]int{{0, 1, 4, 5}, {0, 1, 4, 5}, {2, 3, 6, 7}}},
		{"--bind-to socket --map-by package", [][]int{{0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 4, 5}}},
		{"-bind-to core:2", [][]int{{0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 4, 5}}},
		{"--map-by slot:PE=2", [][]int{{0, 1, 4, 5}, {2, 3, 6, 7}}},
		{"--cpus-per-rank 1", [][]int{{0, 4}, {1, 5}}},
		{"--cpu-list 1,6-7", [][]int{{1, 6, 7}, {1, 6, 7}}},
		{"--cpu-list 1,6-7 --bind-to core", [][]int{{1}, {6}, {7}, {1}}},
		{"--bind-to board", [][]int{all}},
		{"--bind-to numa", [][]int{all}}, // a machine that tells of none
		{"--bind-to-core", [][]int{{0, 4}}},
	} {
		l, _ := specOf(t, append(strings.Fields(c.line), "p")...)
		p, err := l.binding.on(system, all)
		if err != nil || p == nil {
			t.Errorf("%s: %v, %v", c.line, p, err)
			continue
		}
		for rank, want := range c.want {
			if got := p.of(rank); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: rank %d is bound to %v, want %v", c.line, rank, got, want)
			}
		}
	}
	for _, line := range []string{"--bind-to none", "--map-by socket", "--bind-to core --bind-to none", "-n 2"} {
		l, _ := specOf(t, append(strings.Fields(line), "p")...)
		if p, err := l.binding.on(system, all); p != nil || err != nil {
			t.Errorf("%s: %v, %v", line, p, err)
		}
	}
	l, _ := specOf(t, "--cpu-list", "9", "p")
	if _, err := l.binding.on(system, all); err == nil || !strings.Contains(err.Error(), "processor 9 cannot be used here; 0-7 can") {
		t.Errorf("a processor that is not there: %v", err)
	}
}

func TestDescribe(t *testing.T) {
	system, all := machine()
	l, _ := specOf(t, "--bind-to", "core", "--map-by", "socket", "p")
	p, err := l.binding.on(system, all)
	if err != nil {
		t.Fatal(err)
	}
	for rank, want := range []string{"socket 0[core 0[hwt 0-1]]: [BB/..][../..]", "socket 1[core 2[hwt 0-1]]: [../..][BB/..]"} {
		if got := p.describe(p.of(rank)); got != want {
			t.Errorf("rank %d: %q, want %q", rank, got, want)
		}
	}
	l, programs := specOf(t, "--display-map", "-n", "1", "p", ":", "-n", "2", "q")
	s, err := l.spec("mpiexec")
	if err != nil || len(programs) != 2 {
		t.Fatal(err)
	}
	if text := l.jobMap(s, nil); strings.Count(text, "Bound: N/A") != 3 || !strings.Contains(text, "App: 1 Process rank: 2 ") {
		t.Errorf("map %q", text)
	}
	if text := bindings(s, p); strings.Count(text, " MCW rank ") != 3 {
		t.Errorf("bindings %q", text)
	}
}
