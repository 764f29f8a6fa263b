package check

import (
	"fmt"
	"strings"
	"testing"
)

func TestHelloFromEveryRank(t *testing.T) {
	program := compile(t, "hello")
	for _, ranks := range []int{1, 4} {
		o := mpiexec(t, ranks, program)
		if o.code != 0 || strings.Count(o.stdout, "\n") != ranks {
			t.Fatalf("%d ranks: exit code %d\n%s%s", ranks, o.code, o.stdout, o.stderr)
		}
		for rank := range ranks {
			if want := fmt.Sprintf("hello from rank %d of %d on ", rank, ranks); strings.Count(o.stdout, want) != 1 {
				t.Errorf("%d ranks: %q is not there once:\n%s", ranks, want, o.stdout)
			}
		}
	}
}

func TestRing(t *testing.T) {
	program := compile(t, "ring")
	for _, ranks := range []int{1, 2, 5} {
		o := mpiexec(t, ranks, program)
		want := fmt.Sprintf("the token came round %d ranks with %d\n", ranks, ranks*(ranks-1)/2)
		if o.code != 0 || o.stdout != want {
			t.Errorf("%d ranks: exit code %d, %q, want %q\n%s", ranks, o.code, o.stdout, want, o.stderr)
		}
	}
}

func TestPi(t *testing.T) {
	program := compile(t, "pi")
	for _, ranks := range []int{1, 3} {
		o := mpiexec(t, ranks, program, "1000000")
		if o.code != 0 || !strings.HasPrefix(o.stdout, "pi is about 3.1415926535") {
			t.Errorf("%d ranks: exit code %d, %q\n%s", ranks, o.code, o.stdout, o.stderr)
		}
	}
	if o := mpiexec(t, 2, program, "none"); o.code == 0 || strings.Count(o.stderr, "usage: pi") != 1 {
		t.Errorf("bad argument: exit code %d, %q", o.code, o.stderr)
	}
}
