package hardware

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// The private cache is the largest of the core alone, and the other one is shared out among cores, not among
// their threads.
func TestCachesOf(t *testing.T) {
	for _, c := range []struct {
		name, l1, l2, l3 string // sizes
		core, users      string // of the second level, and of the third
		want             Caches
	}{
		{"two threads a core", "32K", "1024K", "32768K", "0,4", "0-7", Caches{1 << 20, 8 << 20}},
		{"one thread", "48K", "2048K", "30M", "0", "0-15", Caches{2 << 20, 30 << 20 / 16}},
		{"no third level", "64K", "4M", "", "0-3", "", Caches{64 << 10, 1 << 20}},
		{"alone", "32K", "512K", "8M", "0", "0", Caches{8 << 20, 0}},
		{"nonsense", "many", "-3K", "K", "0", "0-3", Caches{}},
		{"nothing", "", "", "", "0", "0", Caches{}},
	} {
		m := fstest.MapFS{}
		put := func(name, text string) { m["cpu/cpu0/"+name] = &fstest.MapFile{Data: []byte(text + "\n")} }
		threads := "0"
		if c.core == "0,4" {
			threads = c.core
		}
		put("topology/core_cpus_list", threads)
		put("cache/index1/size", "4096K")
		put("cache/index1/type", "Instruction")
		put("cache/index1/shared_cpu_list", "0")
		for i, size := range []string{c.l1, c.l2, c.l3} {
			if size == "" {
				continue
			}
			at := fmt.Sprintf("cache/index%d/", []int{0, 2, 3}[i])
			put(at+"size", size)
			put(at+"type", "Data")
			put(at+"shared_cpu_list", []string{threads, c.core, c.users}[i])
		}
		if got := CachesOf(m, 0); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := CachesOf(fstest.MapFS{}, 0); got != (Caches{}) {
		t.Errorf("no folder: %+v", got)
	}
}
