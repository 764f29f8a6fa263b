package jobs

import (
	"strings"
	"testing"

	"gompi/runtime/mpierr"
)

// Where nobody listens, the error says whether that is because the port is on another machine.
func TestNamesOfPorts(t *testing.T) {
	here := portOf("gompi-port-1")
	elsewhere := portPrefix + "far-away/gompi-port-1"
	for _, x := range []struct {
		port  string
		class mpierr.Class
		text  string
	}{
		{here, mpierr.ErrPort, "nobody listens"},
		{elsewhere, mpierr.ErrUnsupportedOperation, "is on far-away"},
	} {
		host, address, err := parsePort(x.port)
		if err != nil || address != "gompi-port-1" {
			t.Errorf("%q: address %q, %v", x.port, address, err)
		}
		err = unheard(x.port, host)
		if mpierr.CodeOf(err) != int(x.class) || !strings.Contains(err.Error(), x.text) {
			t.Errorf("%q: %v", x.port, err)
		}
	}
	for _, port := range []string{"", "gompi://", "gompi://host", "gompi://host/", "host/gompi-port-1",
		portOf(strings.Repeat("a", maxAddress))} {
		if _, _, err := parsePort(port); mpierr.CodeOf(err) != int(mpierr.ErrPort) {
			t.Errorf("%q: %v", port, err)
		}
	}
}
