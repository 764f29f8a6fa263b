package hardware

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// machine is a machine of two packages with two cores each, of two processors each; the second core of the
// first package has processors 1 and 5, as kernels like to number them.
func machine() fstest.MapFS {
	m := fstest.MapFS{}
	put := func(name, text string) { m[name] = &fstest.MapFile{Data: []byte(text + "\n")} }
	put("cpu/possible", "0-7")
	put("node/node0/cpulist", "0-1,4-5")
	put("node/node1/cpulist", "2-3,6-7")
	for cpu := range 8 {
		dir := fmt.Sprintf("cpu/cpu%d/", cpu)
		node := "0-1,4-5"
		if cpu%4 >= 2 {
			node = "2-3,6-7"
		}
		core := fmt.Sprintf("%d,%d", cpu%4, cpu%4+4)
		put(dir+"topology/package_cpus_list", node)
		put(dir+"topology/core_cpus_list", core)
		put(dir+"cache/index0/level", "1")
		put(dir+"cache/index0/type", "Instruction")
		put(dir+"cache/index0/shared_cpu_list", "0-7")
		put(dir+"cache/index1/level", "1")
		put(dir+"cache/index1/type", "Data")
		put(dir+"cache/index1/shared_cpu_list", core)
		put(dir+"cache/index3/level", "3")
		put(dir+"cache/index3/type", "Unified")
		put(dir+"cache/index3/shared_cpu_list", node)
	}
	return m
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		allowed []int
		want    map[string]int // resources that the process is bound to
	}{
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, map[string]int{"Machine": 0}},
		{[]int{2, 7}, map[string]int{"Machine": 0, "NUMANode": 2, "Package": 2, "L3Cache": 2}},
		{[]int{1, 5}, map[string]int{"Machine": 0, "NUMANode": 0, "Package": 0, "L3Cache": 0, "L1Cache": 1, "Core": 1}},
		{[]int{6}, map[string]int{"Machine": 0, "NUMANode": 2, "Package": 2, "L3Cache": 2, "L1Cache": 2, "Core": 2, "PU": 6}},
		{nil, nil},
	} {
		for _, r := range Find(machine(), c.allowed) {
			want, bound := c.want[r.Name[len(Scheme):]]
			switch {
			case c.allowed == nil || r.Name == Scheme+"L2Cache":
				want = Unknown
			case !bound:
				want = Unbound
			}
			if r.Instance != want {
				t.Errorf("processors %v: %s is %d, want %d", c.allowed, r.Name, r.Instance, want)
			}
		}
	}
}

func TestNothingIsKnown(t *testing.T) {
	for _, r := range Find(fstest.MapFS{}, []int{3}) {
		if want := map[bool]int{true: 3, false: Unknown}[r.Name == Scheme+"PU"]; r.Instance != want {
			t.Errorf("%s is %d, want %d", r.Name, r.Instance, want)
		}
	}
}

func TestSame(t *testing.T) {
	if !Same("hwloc://core", "hwloc://Core") || !Same("CORE", "hwloc://Core") || Same("cor", "hwloc://Core") || Same("", "hwloc://PU") {
		t.Error("names are not compared as those of URIs")
	}
}

func TestHere(t *testing.T) {
	if n := len(Here()); n != len(names) {
		t.Errorf("%d resources, want %d", n, len(names))
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add("0-3,8")
	f.Add("5-")
	f.Add("3-1")
	f.Add("-1")
	f.Add("0-999999999")
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range numbers(s) {
			if n < 0 {
				t.Errorf("numbers(%q) has %d", s, n)
			}
		}
	})
}
