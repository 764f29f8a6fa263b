package fabric

import (
	"strings"
	"testing"
)

// address is an interface of IPv4, as libfabric describes it.
func address(ip ...byte) []byte {
	return append([]byte{inet, 0, 0, 0}, append(ip, make([]byte, 8)...)...)
}

// offered makes offers at one device.
func offered(device string, ip []byte, providers ...string) (offers []Offer) {
	for _, name := range providers {
		offers = append(offers, Offer{Provider: name, Domain: device, Address: ip, Most: 1 << 30})
	}
	return offers
}

func TestChoose(t *testing.T) {
	old, recent := Since(1, 17), Since(1, 19)
	near, far := address(127, 0, 0, 1), address(10, 1, 2, 3)
	debian := append(offered("eth0", far, "net;ofi_rxm", "net", "tcp;ofi_rxm", "udp;ofi_rxd", "sockets"), offered("shm", nil, "shm")...)
	for _, c := range []struct {
		what   string
		wish   Wish
		offers []Offer
		want   string // the provider and its device, or a part of the error
	}{
		{"Debian 12", Wish{Library: old}, debian, "net eth0"},
		{"tcp with endpoints of its own", Wish{Library: recent},
			offered("eth0", far, "tcp;ofi_rxm", "tcp"), "tcp eth0"},
		{"tcp that is too old for that", Wish{Library: old}, offered("eth0", far, "tcp", "tcp;ofi_rxm"),
			"tcp;ofi_rxm eth0"},
		{"a fast network comes first", Wish{Library: recent},
			append(offered("cxi0", nil, "cxi"), offered("eth0", far, "tcp")...), "cxi cxi0"},
		{"unless another one is named", Wish{Library: recent, Provider: "tcp"},
			append(offered("cxi0", nil, "cxi"), offered("eth0", far, "tcp")...), "tcp eth0"},
		{"one that is avoided is named", Wish{Library: old, Provider: "sockets"}, debian, "sockets eth0"},
		{"the lowest layer is named", Wish{Library: old, Provider: "UDP"}, debian, "udp;ofi_rxd eth0"},
		{"an alias is named", Wish{Library: old, Provider: "TCP"}, debian, "net eth0"},
		{"all layers are named", Wish{Library: old, Provider: "tcp;ofi_rxm"}, debian, "tcp;ofi_rxm eth0"},
		{"what is not known is taken", Wish{Library: recent}, offered("x0", nil, "newfangled"), "newfangled x0"},
		{"not the machine itself", Wish{Library: recent},
			append(offered("lo", near, "tcp"), offered("eth0", far, "tcp")...), "tcp eth0"},
		{"the machine itself", Wish{Library: recent, Loopback: true}, offered("lo", near, "tcp"), "tcp lo"},
		{"not a link", Wish{Library: recent}, append(offered("usb0", address(169, 254, 1, 1), "tcp"),
			offered("eth0", far, "tcp")...), "tcp eth0"},
		{"nothing", Wish{Library: old}, nil, "libfabric 1.17 offers no provider here"},
		{"nothing that leads away", Wish{Library: old}, offered("shm", nil, "shm"),
			"no provider here that leads to other machines; it has shm"},
		{"not what is named", Wish{Library: old, Provider: "efa"}, debian,
			`no provider "efa" here; it has net;ofi_rxm, net, tcp;ofi_rxm, udp;ofi_rxd, sockets, shm`},
		{"short messages", Wish{Library: recent}, []Offer{{Provider: "x", Most: 2048}}, "leads to other machines"},
	} {
		t.Run(c.what, func(t *testing.T) {
			i, err := c.wish.Choose(c.offers)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = c.offers[i].Provider + " " + c.offers[i].Domain
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
			for k := range c.offers {
				if reason := c.wish.Reject(&c.offers[k]); err == nil && k == i && reason != "" {
					t.Errorf("%s is taken although %s", c.offers[k].Provider, reason)
				}
			}
		})
	}
}

func TestInterface(t *testing.T) {
	six := append([]byte{inet6, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 20)...)
	six[8], six[9], six[23] = 0xfe, 0x80, 1
	for _, c := range []struct {
		address   []byte
		want      string
		link, own bool
	}{
		{address(10, 1, 2, 3), "10.1.2.3", false, false},
		{address(127, 0, 0, 1), "127.0.0.1", false, true},
		{six, "fe80:0:0:0:0:0:0:1", true, false},
		{[]byte{27, 0, 1, 2}, "", false, false},
		{nil, "", false, false},
		{[]byte{inet, 0, 1}, "", false, false},
	} {
		o := Offer{Address: c.address}
		if got := o.Interface(); got != c.want || isLinkLocal(o.ip()) != c.link ||
			isLoopback(o.ip()) != c.own {
			t.Errorf("% x is %q, want %q", c.address, got, c.want)
		}
	}
	six[8], six[9] = 0, 0
	if o := (Offer{Address: six}); !isLoopback(o.ip()) {
		t.Error("::1 is not the machine itself")
	}
}

// Each provider stands in the table once, and what makes one avoided says why.
func TestTable(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range table {
		if seen[p.Provider] || p.Before != 0 && p.Avoid == "" {
			t.Errorf("%s", p.Provider)
		}
		seen[p.Provider] = true
	}
}
