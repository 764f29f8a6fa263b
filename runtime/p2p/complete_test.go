package p2p_test

import (
	"errors"
	"fmt"
	"testing"

	"gompi/runtime"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// users is an operation that the test carries out, as a program does with a generalized request.
type users struct {
	p     *runtime.Process
	calls string
	last  error // of End
}

func (u *users) Advance(*request.Request) (bool, error) { return false, nil }

// call notes a call; that it makes progress shows that the engine is not locked.
func (u *users) call(what string) {
	u.calls += what
	u.p.Engine.Progress()
}

func (u *users) Report(_ *request.Request, st *request.Status) error {
	u.call("report ")
	st.Bytes = 77
	return nil
}

func (u *users) End() error {
	u.call("end ")
	return u.last
}

func (u *users) Cancel(done bool) error {
	u.call(fmt.Sprintf("cancel(%v) ", done))
	return nil
}

func TestOperationsThatTheUserCompletes(t *testing.T) {
	everywhere(t, []int{1}, func(p *runtime.Process) error {
		e := p.Engine
		begin := func() (*users, *request.Request) {
			u := &users{p: p}
			r, err := e.Ops.Begin(u, p.World.P2P.ID)
			if err != nil {
				panic(err)
			}
			return u, r
		}
		want := func(u *users, calls string) error {
			if u.calls != calls {
				return fmt.Errorf("calls: %q, want %q", u.calls, calls)
			}
			return nil
		}
		live := e.Pool.Live()

		u, r := begin()
		done, err := e.Test(r, nil)
		err = errors.Join(err, e.Cancel(r), e.Ops.Complete(r), expect(e.Ops.Complete(r), mpierr.ErrRequest),
			e.Cancel(r))
		var st request.Status
		if ok, err := e.Peek(r, &st); !ok || err != nil || st.Bytes != 77 || done {
			return fmt.Errorf("peek: %v, %+v, %v", ok, st, err)
		}
		if err := errors.Join(err, e.Wait(r, &st), want(u, "cancel(false) cancel(true) report report end ")); err != nil {
			return err
		}

		u, r = begin() // freed before it is done
		if err := errors.Join(e.Free(r), want(u, ""), e.Ops.Complete(r), want(u, "end ")); err != nil {
			return err
		}

		u, r = begin() // freed when it is done
		u.last = mpierr.New(mpierr.ErrNoSpace, "a test")
		err = errors.Join(e.Ops.Complete(r), expect(e.Free(r), mpierr.ErrNoSpace), want(u, "end "))
		if err != nil {
			return err
		}

		u, r = begin() // the last error counts
		u.last = mpierr.New(mpierr.ErrNoSpace, "a test")
		if err := errors.Join(e.Ops.Complete(r), expect(e.Wait(r, nil), mpierr.ErrNoSpace),
			want(u, "report end ")); err != nil {
			return err
		}
		if n := e.Pool.Live(); n != live {
			return fmt.Errorf("%d requests are left", n-live)
		}
		return nil
	})
}
