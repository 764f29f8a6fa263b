package foreign

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Programs make one world, and programs that a rank starts are no ranks of it.
func TestWorld(t *testing.T) {
	each(t, func(t *testing.T, l launcher) {
		for _, n := range []int{1, 2, 4, 7} {
			nodes := []string{}
			if l.needs == "" {
				nodes = []string{"-N", "1"}
			}
			r := l.run(t, append(nodes, "-n", fmt.Sprint(n), program(t), "child")...)
			for rank := range n {
				r.want(t, 0, fmt.Sprintf("rank %d of %d, sum %d\n", rank, n, n*(n-1)/2))
			}
			if n > 1 {
				r.want(t, 0, "rank 0 of 1, sum 0\n")
			}
			if lines := strings.Count(r.out, "rank "); lines != n+1 {
				t.Errorf("%d lines of %d ranks:\n%s", lines, n, r.out)
			}
		}
	})
}

// Ranks of several nodes learn where the others are, and get their cards.
func TestCards(t *testing.T) {
	rank := filepath.Join(folder, "rank")
	for _, l := range launchers {
		if l.none {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			l.check(t)
			if l.needs != "" {
				r := l.run(t, "-n", "5", rank)
				for k := range 5 {
					r.want(t, 0, fmt.Sprintf("rank %d of 5 on node 0 of 1, with 4 others\n", k))
				}
				return
			}
			l.run(t, "-N", "1", "-n", "4", rank).want(t, 0, "rank 3 of 4 on node 0 of 1, with 3 others\n")
			l.run(t, "-N", "3", "-n", "3", rank).want(t, 0, "rank 2 of 3 on node 2 of 3, with 0 others\n")
			l.run(t, "-N", "3", "-n", "24", rank).want(t, 0, "rank 23 of 24 on node 2 of 3, with 7 others\n")
			l.run(t, "-N", "3", "-n", "24", "-m", "cyclic", rank).want(t, 0, "rank 3 of 24 on node 0 of 3, with 7 others\n",
				"rank 5 of 24 on node 2 of 3, with 7 others\n")
		})
	}
}

// What cannot be joined says so, with the numbers and a way out.
func TestNoPMIBetweenNodes(t *testing.T) {
	l := launchers[len(launchers)-1]
	l.check(t)
	r := l.run(t, "-N", "2", "-n", "3", program(t))
	if r.code == 0 {
		t.Errorf("exit code 0:\n%s", r.out)
	}
	for _, text := range []string{"one of 3 that srun started", "on 2 nodes", "--mpi=pmi2"} {
		if !strings.Contains(r.out, text) {
			t.Errorf("%q is not in:\n%s", text, r.out)
		}
	}
}
