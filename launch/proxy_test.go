package launch

import (
	"testing"

	"gompi/launch/host"
	"gompi/launch/world"
)

// A world that ends elsewhere before its ranks have been started here does not begin.
func TestEndAheadOfStart(t *testing.T) {
	u := &launcherConn{job: &job{Table: &world.Table{}}}
	for _, f := range []host.Frame{{Kind: host.FrameStart, World: 1}, {Kind: host.FrameStart, World: 2},
		{Kind: host.FrameEnd, World: 1}} {
		if err := u.take(&f); err != nil {
			t.Fatal(err)
		}
	}
	if len(u.orders) != 1 || u.orders[0].World != 2 {
		t.Errorf("%+v", u.orders)
	}
}
