package foreign

import (
	"strings"
	"testing"
)

// A rank that ends without MPI_Finalize, or by MPI_Abort, ends the job, whatever the others do.
func TestEnds(t *testing.T) {
	each(t, func(t *testing.T, l launcher) {
		for _, how := range []string{"kill", "exit0", "exit3", "abort"} {
			for _, others := range []string{"wait", "busy"} {
				t.Run(how+" "+others, func(t *testing.T) {
					words := []string{"-n", "4", program(t), how, "1"}
					if others == "busy" {
						words = append(words, others)
					}
					r := l.run(t, words...)
					// Hydra reports 0 at times when the first rank to end has ended with 0, with its own
					// programs too.
					if r.code == 0 && !(l.name == "hydra" && how == "exit0") {
						t.Errorf("exit code 0:\n%s", r.out)
					}
					if how == "abort" && (others == "wait" || l.name != "srun pmi2") {
						r.want(t, 7) // Slurm's pmi2 kills those that compute, and reports that
					}
					said := strings.Count(r.out, "gompi: ")
					if said > 1 || said == 0 && !strings.HasPrefix(l.name, "hydra") {
						t.Errorf("%d lines say why:\n%s", said, r.out)
					}
				})
			}
		}
	})
}

// A rank that ends before it has begun MPI leaves nobody waiting under Slurm, where all would wait for it.
func TestEarlyEnds(t *testing.T) {
	for _, l := range launchers {
		if l.needs != "" || l.none {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			l.check(t)
			for _, more := range [][]string{nil, {"at once"}} {
				r := l.run(t, append([]string{"-N", "1", "-n", "4", program(t), "early", "2"}, more...)...)
				if r.code == 0 || strings.Count(r.out, "gompi: one of the 4 ranks") != 1 {
					t.Errorf("exit code %d:\n%s", r.code, r.out)
				}
			}
		})
	}
}
