package jobs_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/jobs"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// one is an error that should be of one of some classes.
func one(err error, classes ...mpierr.Class) error {
	if got := mpierr.CodeOf(err); got == 0 || !slices.Contains(classes, mpierr.Class(got)) {
		return fmt.Errorf("error %v, want one of the classes %d", err, classes)
	}
	return nil
}

// A connector that dies on its way is passed over as long as nobody has counted on it, and fails the call on
// all ranks afterwards. The ranks can go on in both cases.
func TestConnectorDies(t *testing.T) {
	for point := range jobs.Points {
		for _, ranks := range []int{1, 3} {
			t.Run(fmt.Sprintf("%d/%d", point, ranks), func(t *testing.T) {
				job, err := shm.CreateJob(1)
				if err != nil {
					t.Fatal(err)
				}
				defer job.Close()
				port := make(chan string, 2)
				testjob.RunJobs(t, []int{ranks, 1}, testjob.Options{Abandon: true},
					func(number int, p *runtime.Process) error {
						if number == 1 {
							return afterwards(p, port, job, point)
						}
						return acceptTwice(p, port, point)
					})
			})
		}
	}
}

// acceptTwice accepts one who goes away, and another one. Who goes away early is never seen.
func acceptTwice(p *runtime.Process, port chan<- string, point int) error {
	name := ""
	if p.Rank == 0 {
		var err error
		if name, err = p.Ports.OpenPort(); err != nil {
			return err
		}
		port <- name
	}
	c, err := p.Accept(p.World, 0, name, jobs.Wait{})
	if point >= jobs.AfterGoingOn {
		if err := one(err, mpierr.ErrProcAborted, mpierr.ErrNoMem); err != nil {
			return err
		}
		if p.Rank == 0 {
			port <- name
		}
		c, err = p.Accept(p.World, 0, name, jobs.Wait{})
	}
	if err != nil {
		return fmt.Errorf("the second one: %w", err)
	}
	return coll.Barrier(c)
}

// afterwards has a connector go away and then connects.
func afterwards(p *runtime.Process, port <-chan string, job *shm.Segment, point int) error {
	name := <-port
	if err := jobs.GoAway(name, job, point); err != nil {
		return fmt.Errorf("on the way: %w", err)
	}
	if point >= jobs.AfterGoingOn {
		<-port
	}
	c, err := p.Connect(p.World, 0, name, jobs.Wait{})
	if err != nil {
		return err
	}
	return coll.Barrier(c)
}

// When a rank dies, those of its job learn it, in whatever they wait while they are connected, and so do
// those of the other job.
func TestRankDiesWhileItsJobConnects(t *testing.T) {
	for _, dead := range []struct{ job, rank int }{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}} {
		for _, leader := range []int{0, 2} {
			t.Run(fmt.Sprintf("%d of job %d, %d leads", dead.rank, dead.job, leader), func(t *testing.T) {
				port := make(chan string, 3)
				testjob.RunJobs(t, []int{3, 3}, testjob.Options{Abandon: true},
					func(job int, p *runtime.Process) error {
						name := ""
						var err error
						if job == 0 && p.Rank == leader {
							if name, err = p.Ports.OpenPort(); err != nil {
								return err
							}
							for range 3 {
								port <- name
							}
						}
						if job == 1 {
							name = <-port
						}
						if job == dead.job && p.Rank == dead.rank {
							time.Sleep(5 * time.Millisecond) // the others are on their way
							shm.MarkDead(p.Segment, p.Rank)
							return nil
						}
						// Where the leader has died, nobody comes to the other side.
						w := jobs.Wait{Timeout: 300 * time.Millisecond}
						var c *comm.Comm
						if job == 0 {
							c, err = p.Accept(p.World, leader, name, w)
						} else {
							c, err = p.Connect(p.World, leader, name, w)
						}
						if c != nil {
							return errors.New("it is connected with a dead process")
						}
						return one(err, mpierr.ErrProcAborted, mpierr.ErrPort, mpierr.ErrNoMem)
					})
			})
		}
	}
}

// late is a launcher that answers after the programs have connected, or long texts.
type late struct {
	ports    chan string
	children int
	goOn     chan struct{}
	err      error
}

func (l *late) Spawn(_ []boot.Program, port string) ([]int, error) {
	for range l.children {
		l.ports <- port
	}
	if l.children > 0 {
		<-l.goOn
	}
	return nil, l.err
}

// A launcher that refuses once the programs have connected is believed: the call fails on all ranks.
func TestRefusedAfterConnecting(t *testing.T) {
	const children = 2
	l := &late{ports: make(chan string, children), children: children, goOn: make(chan struct{}),
		err: errors.New("one of them has gone")}
	testjob.RunJobs(t, []int{3, children}, testjob.Options{Abandon: true},
		func(job int, p *runtime.Process) error {
			if job == 1 {
				_, err := p.Connect(p.World, 0, <-l.ports, jobs.Wait{})
				if p.Rank == 0 {
					close(l.goOn)
				}
				return err
			}
			order := jobs.Order{}
			if p.Rank == 1 {
				order = jobs.Order{Programs: []boot.Program{{Name: "a", Ranks: children}}, Launcher: l}
			}
			c, out, err := p.Ports.Start(p.Comms, p.World, 1, &order)
			if c != nil || !slices.Equal(out.Started, []int32{0}) ||
				!slices.Equal(out.Wanted, []int32{children}) {
				return fmt.Errorf("the outcome is %+v", out)
			}
			return one(err, mpierr.ErrSpawn)
		})
}

// A launcher may say as much as it likes of why it refuses.
func TestLongRefusal(t *testing.T) {
	for _, n := range []int{1 << 10, 1 << 16, 1 << 20} {
		l := &late{err: errors.New(string(make([]byte, n)))}
		testjob.Run(t, 3, testjob.Options{}, func(p *runtime.Process) error {
			order := jobs.Order{}
			if p.Rank == 1 {
				order = jobs.Order{Programs: []boot.Program{{Name: "a", Ranks: 1}}, Launcher: l}
			}
			_, _, err := p.Ports.Start(p.Comms, p.World, 1, &order)
			if err := one(err, mpierr.ErrSpawn); err != nil {
				return err
			}
			return coll.Barrier(p.World)
		})
	}
}
