package jobs

import (
	"encoding/binary"
	"errors"
	"time"

	"gompi/runtime/boot"
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Launcher starts programs as a job of their own, which connects to a port of the caller; boot.Job is one.
// After an error none runs.
type Launcher interface {
	Spawn(programs []boot.Program, port string) (started []int, err error)
}

// MostStarted is how many processes one call can start: they are on one node.
const MostStarted = shm.MaxNodeSize

// Order is what the root of a call wants to have started.
type Order struct {
	Programs []boot.Program
	Launcher Launcher
	// how long the programs may take to connect; 0 for as long as the launcher does not refuse
	Timeout time.Duration
	Refused error // if not nil, the call fails with it on all ranks
}

// Outcome tells, for each program of an order, how many processes were wanted and how many have been started.
type Outcome struct{ Wanted, Started []int32 }

// Start has the root's launcher start programs and returns the intercommunicator with them (MPI_Comm_spawn
// and MPI_Comm_spawn_multiple, MPI 5.0, 11.8.2 and 11.8.3). All ranks of c call it; the order matters at the
// root. All get the outcome, if the programs were known, and the same error: of class MPI_ERR_SPAWN when the
// launcher starts nothing.
func (p *Ports) Start(r *comm.Registry, c *comm.Comm, root int, o *Order) (*comm.Comm, Outcome, error) {
	if err := together(c); err != nil {
		return nil, Outcome{}, err
	}
	s := start{w: Wait{Refused: o.Refused}}
	leads := c.Rank() == root && !c.Inter()
	if leads && o.Refused == nil {
		s.begin(p, o)
	}
	inter, err := p.Accept(r, c, root, s.port, s.w)
	if c.Inter() {
		return nil, Outcome{}, err
	}
	if o.Timeout > 0 && mpierr.CodeOf(err) == int(mpierr.ErrPort) {
		err = mpierr.New(mpierr.ErrSpawn, "the programs have not connected within %v", o.Timeout)
	}
	var out Outcome
	if leads {
		err = s.reason(err)
		var refused error
		if out, refused = s.end(p, o, err == nil); err == nil {
			err = refused
		}
	}
	if why := spreadText(c, root, refusal(err)); why != "" {
		if inter != nil {
			r.Free(inter)
		}
		_ = out.spread(c, root) // there is an error to report already
		return nil, out, mpierr.New(mpierr.ErrSpawn, "%s", why)
	}
	if failed := out.spread(c, root); err == nil && failed != nil {
		r.Free(inter)
		return nil, out, failed
	}
	return inter, out, err
}

// start is the root's part of a call.
type start struct {
	w       Wait
	port    string
	started chan []int // what the launcher has answered, unless it has refused
}

// begin asks the launcher. Its refusal ends the wait for the new processes.
func (s *start) begin(p *Ports, o *Order) {
	port, err := p.OpenPort()
	if err != nil {
		s.w.Refused = err
		return
	}
	refused := make(chan error, 1)
	s.port, s.w.Stop, s.w.Timeout, s.started = port, refused, o.Timeout, make(chan []int, 1)
	go func() {
		started, err := o.Launcher.Spawn(o.Programs, port)
		if err != nil {
			refused <- mpierr.New(mpierr.ErrSpawn, "%v", err)
			return
		}
		s.started <- started
	}()
}

// answering is how long the launcher may take to say why the new processes have gone.
const answering = 3 * time.Second

// reason is why the call fails: new processes that go while they connect are those of which one has died
// before all had begun MPI, which the launcher says, or the launcher ends the job.
func (s *start) reason(err error) error {
	if mpierr.CodeOf(err) != int(mpierr.ErrProcAborted) || s.started == nil {
		return err
	}
	select {
	case refused := <-s.w.Stop:
		return refused
	case started := <-s.started:
		s.started <- started
	case <-time.After(answering):
	}
	return err
}

// refusal is the text of an error of the launcher's, "" for any other.
func refusal(err error) string {
	var e *mpierr.Error
	if errors.As(err, &e) && e.Class == mpierr.ErrSpawn {
		return e.Text
	}
	return ""
}

// spreadText gives all ranks a text of the root's, "" if that fails.
func spreadText(c *comm.Comm, root int, text string) string {
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if c.Spread(size, root) != nil {
		return ""
	}
	b := make([]byte, binary.LittleEndian.Uint32(size))
	copy(b, text)
	if len(b) == 0 || c.Spread(b, root) != nil {
		return ""
	}
	return string(b)
}

// end gives up the port. When the new processes have connected, the launcher has answered, or is about to: it
// may still refuse.
func (s *start) end(p *Ports, o *Order, connected bool) (out Outcome, refused error) {
	if s.port != "" {
		_ = p.ClosePort(s.port) // nobody else knows it
	}
	if s.port == "" && s.w.Refused != nil {
		return out, nil
	}
	var started []int
	if connected {
		select {
		case started = <-s.started:
		case refused = <-s.w.Stop:
		}
	}
	for i := range o.Programs {
		out.Wanted = append(out.Wanted, int32(o.Programs[i].Ranks))
		n := 0
		if i < len(started) {
			n = started[i]
		}
		out.Started = append(out.Started, int32(n))
	}
	return out, refused
}

// mostPrograms bounds the programs of one call: the launcher has to be told all of them in text.
const mostPrograms = 1 << 20

// spread gives all ranks the root's outcome.
func (o *Outcome) spread(c *comm.Comm, root int) error {
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(o.Wanted)))
	if err := c.Spread(size, root); err != nil {
		return err
	}
	n := int(binary.LittleEndian.Uint32(size))
	if n == 0 {
		return nil
	}
	if n > mostPrograms {
		return mpierr.New(mpierr.ErrIntern, "rank %d says that it has started %d programs", root, n)
	}
	all := make([]byte, 0, 8*n)
	for i := range o.Wanted {
		all = binary.LittleEndian.AppendUint32(all, uint32(o.Wanted[i]))
		all = binary.LittleEndian.AppendUint32(all, uint32(o.Started[i]))
	}
	all = all[:8*n]
	if err := c.Spread(all, root); err != nil {
		return err
	}
	o.Wanted, o.Started = make([]int32, n), make([]int32, n)
	for i := range n {
		o.Wanted[i] = int32(binary.LittleEndian.Uint32(all[8*i:]))
		o.Started[i] = int32(binary.LittleEndian.Uint32(all[8*i+4:]))
	}
	return nil
}
