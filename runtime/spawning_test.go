package runtime_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/coll"
	"gompi/runtime/jobs"
	"gompi/runtime/mpierr"
)

// fakeLauncher lets the second job of a test, which waits for a port, be what was asked for.
type fakeLauncher struct {
	ports   chan string
	started []int
	err     error
}

func (l *fakeLauncher) Spawn(programs []boot.Program, port string) ([]int, error) {
	if l.err != nil {
		return nil, l.err
	}
	n := 0
	for _, k := range l.started {
		n += k
	}
	for range n {
		l.ports <- port
	}
	return l.started, nil
}

// All ranks get the communicator and how many processes of each program there are; or the same error, and go
// on.
func TestStart(t *testing.T) {
	for name, o := range map[string]testjob.Options{"single": {}, "multiple": {Multiple: true}} {
		for _, parents := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%s/%d", name, parents), func(t *testing.T) {
				const children = 3
				l := &fakeLauncher{ports: make(chan string, children), started: []int{2, 0, 1}}
				programs := []boot.Program{{Name: "a", Ranks: 2}, {Name: "b", Ranks: 4}, {Name: "c", Ranks: 1}}
				testjob.RunJobs(t, []int{parents, children}, o, func(job int, p *runtime.Process) error {
					if job == 1 {
						c, err := p.Connect(p.World, 0, <-l.ports, jobs.Wait{})
						if err == nil {
							err = coll.Barrier(c)
						}
						if err != nil {
							return err
						}
						return p.Comms.Disconnect(c)
					}
					root := parents - 1
					try := func(order jobs.Order) (jobs.Outcome, error) {
						if p.Rank != root {
							order = jobs.Order{}
						}
						c, out, err := p.Ports.Start(p.Comms, p.World, root, &order)
						if err == nil {
							if c.Targets() != children {
								return out, fmt.Errorf("%d children", c.Targets())
							}
							if err = coll.Barrier(c); err == nil {
								err = p.Comms.Disconnect(c)
							}
						}
						return out, err
					}
					wanted := []int32{2, 4, 1}
					out, err := try(jobs.Order{Programs: programs,
						Launcher: &fakeLauncher{err: errors.New("no such luck")}})
					if mpierr.CodeOf(err) != int(mpierr.ErrSpawn) || !strings.Contains(err.Error(), "no such luck") {
						return fmt.Errorf("a launcher that refuses: %v", err)
					}
					if !slices.Equal(out.Wanted, wanted) || !slices.Equal(out.Started, []int32{0, 0, 0}) {
						return fmt.Errorf("a launcher that refuses: %+v", out)
					}
					out, err = try(jobs.Order{Refused: mpierr.New(mpierr.ErrArg, "not so")})
					if mpierr.CodeOf(err) != int(mpierr.ErrArg) || out.Wanted != nil {
						return fmt.Errorf("arguments that are wrong: %+v, %v", out, err)
					}
					out, err = try(jobs.Order{Programs: programs, Launcher: l})
					if err != nil {
						return err
					}
					if !slices.Equal(out.Wanted, wanted) || !slices.Equal(out.Started, []int32{2, 0, 1}) {
						return fmt.Errorf("what was started: %+v", out)
					}
					return nil
				})
			})
		}
	}
}
