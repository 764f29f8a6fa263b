package match

import (
	"testing"

	"pgregory.net/rapid"
)

type item struct {
	key  Key
	node [Kinds]Node[item]
}

// The table must give what a list searched from the front gives, whatever is added and removed in between.
func TestAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table [Kinds]Table[item]
		var list []*item
		keys := rapid.Custom(func(t *rapid.T) Key {
			return Key{uint32(rapid.IntRange(0, 2).Draw(t, "ctx")),
				int32(rapid.IntRange(0, 3).Draw(t, "src")), int32(rapid.IntRange(0, 40).Draw(t, "tag"))}
		})
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "add") > 0 {
				it := &item{key: keys.Draw(t, "key")}
				for k := range it.node {
					it.node[k].Item = it
					table[k].Add(it.key.Under(Kind(k)), &it.node[k])
				}
				list = append(list, it)
				continue
			}
			kind := Kind(rapid.IntRange(0, 3).Draw(t, "kind"))
			want := keys.Draw(t, "pattern").Under(kind)
			at := -1
			for i, it := range list {
				if it.key.Under(kind) == want {
					at = i
					break
				}
			}
			got := table[kind].First(want)
			if at < 0 {
				if got != nil {
					t.Fatalf("%v: found %v, want nothing", want, got.Item.key)
				}
				continue
			}
			if got == nil || got.Item != list[at] {
				t.Fatalf("%v: got %v, want %v", want, got, list[at].key)
			}
			for k := range got.Item.node {
				n := &list[at].node[k]
				if !n.Linked() {
					t.Fatalf("node %d of %v is not linked", k, want)
				}
				table[k].Remove(n)
			}
			list = append(list[:at], list[at+1:]...)
		}
	})
}

// A receive among 100,000 posted ones costs what it costs among 10.
func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		b.Run(map[int]string{10: "10", 100_000: "100000"}[n], func(b *testing.B) {
			var table Table[item]
			nodes := make([]Node[item], n)
			for i := range nodes {
				table.Add(Key{1, 0, int32(i)}, &nodes[i])
			}
			b.ReportAllocs()
			for i := range b.N {
				k := Key{1, 0, int32(uint32(i) * 7919 % uint32(n))}
				node := table.First(k)
				table.Remove(node)
				table.Add(k, node)
			}
		})
	}
}
