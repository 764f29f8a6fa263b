package host

import "testing"

// Each host is reached by one of the level ahead of it, and none has more behind it than the width.
func TestTreeParent(t *testing.T) {
	for _, fanout := range []int{1, 2, 3, 32} {
		for _, n := range []int{1, 31, 32, 33, 64, 65, 1056, 1057, 2000} {
			behind := map[int]int{}
			level := make([]int, n)
			for i := range n {
				p := treeParent(i, fanout)
				if p < -1 || p >= i || (p == -1) != (i < fanout) {
					t.Fatalf("%d hosts, width %d: %d is behind %d", n, fanout, i, p)
				}
				if p >= 0 {
					level[i] = level[p] + 1
				}
				if i > 0 && (level[i] < level[i-1] || level[i] > level[i-1]+1) {
					t.Fatalf("%d hosts, width %d: %d is on level %d behind one on %d", n, fanout, i, level[i], level[i-1])
				}
				if behind[p]++; behind[p] > fanout {
					t.Fatalf("%d hosts, width %d: %d are behind %d", n, fanout, behind[p], p)
				}
			}
		}
	}
}
