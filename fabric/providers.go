package fabric

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Offer is an endpoint that can be had, as libfabric describes it.
type Offer struct {
	Provider     string // with its layers, as "tcp;ofi_rxm"
	Domain       string // a device
	Network      string
	Version      Version // of the provider
	Protocol     uint32  // on the wire
	Address      []byte  // of the interface, as a sockaddr where the provider uses these; nil when unknown
	Inject, Most int     // sizes of messages in bytes: that are buffered, that there can be
	Parts        int     // pieces of memory of one message
	Registers    bool    // memory has to be registered before it is used
	Automatic    bool    // it makes progress by itself
}

// Version is that of libfabric or of a provider, as libfabric encodes it.
type Version uint32

// Since is the version with these numbers.
func Since(major, minor int) Version { return Version(major<<16 | minor) }

func (v Version) String() string {
	return strconv.Itoa(int(v>>16)) + "." + strconv.Itoa(int(v&0xffff))
}

// Traits is how a provider differs from what is usual: it makes progress when it is called, has a descriptor
// to sleep on, and does not want memory to be registered where it says so.
type Traits struct {
	Provider  string
	Avoid     string            // why it is not taken unless a setting names it; "" if it is
	Before    Version           // Avoid holds for libfabric before this version; 0 for every one
	Automatic bool              // a descriptor works only if it makes progress by itself
	NoWatch   bool              // it has no descriptor that works
	Signals   bool              // its descriptor stays readable by a signal, which has to be taken out
	Gaps      bool              // it gives memory for receives back while it still writes a message there
	Confuses  bool              // it may take a new peer for one that has died, and lose the connection
	Alias     string            // another name by which a setting may ask for it
	Rank      int               // of those that are offered for the same device, the lowest is taken
	Settings  map[string]string // variables of libfabric's that are set where the user has not
}

// rxm makes endpoints of the connections of another provider. It keeps buffers that sum up to 70 MB by
// default. What is longer than one of them takes a handshake, and is done later than what comes after it: so
// a buffer holds the longest message of gompi's. By default it looks for the steps of a connection each 10 ms
// only, of which one takes several.
var rxm = map[string]string{"FI_OFI_RXM_MSG_RX_SIZE": "64", "FI_OFI_RXM_MSG_TX_SIZE": "64",
	"FI_OFI_RXM_BUFFER_SIZE": "66560", "FI_OFI_RXM_CM_PROGRESS_INTERVAL": "200"}

// table are the providers of which something is known. Others are taken as they are offered.
var table = []Traits{
	{Provider: "cxi"},
	{Provider: "efa", NoWatch: true, Settings: map[string]string{"FI_EFA_ENABLE_SHM_TRANSFER": "0"}},
	{Provider: "opx", NoWatch: true},
	{Provider: "psm2", Automatic: true},
	{Provider: "psm3", Automatic: true},
	{Provider: "verbs;ofi_rxm", Gaps: true, Settings: rxm},
	{Provider: "tcp", Gaps: true, Confuses: true, Rank: 1, Before: Since(1, 19),
		Avoid: "before libfabric 1.19 its descriptor stays readable, so a rank that waits cannot sleep"},
	// what tcp is since libfabric 1.18
	{Provider: "net", Alias: "tcp", Gaps: true, Confuses: true, Signals: true, Rank: 2},
	{Provider: "tcp;ofi_rxm", Gaps: true, Rank: 3, Settings: rxm},
	{Provider: "net;ofi_rxm", Gaps: true, Rank: 4, Avoid: "it is tcp;ofi_rxm by another name"},
	{Provider: "udp", Avoid: "it loses messages"},
	{Provider: "udp;ofi_rxd", NoWatch: true, Avoid: "it is slower than tcp"},
	{Provider: "verbs;ofi_rxd", NoWatch: true, Avoid: "verbs;ofi_rxm is quicker"},
	{Provider: "sockets", NoWatch: true, Avoid: "it is slower than tcp"},
	{Provider: "shm", Avoid: "it does not leave the node"},
	{Provider: "sm2", Avoid: "it does not leave the node"},
	{Provider: "lnx", Avoid: "ranks of a node have gompi's own shared memory"},
	{Provider: "ofi_mrail", Avoid: "it spreads messages over interfaces that a setting has to name"},
}

// TraitsOf is what is known of a provider.
func TraitsOf(provider string) Traits {
	for _, t := range table {
		if t.Provider == provider {
			return t
		}
	}
	return Traits{Provider: provider}
}

// Settings are the variables of libfabric's that gompi sets, ahead of loading it, where the user has not. The
// cache of registrations must not take the place of libc's functions while other threads run. libinfinipath,
// which a provider brings with it, takes the signals of faults when it is loaded, if it is not told
// otherwise: one that comes at that moment would end the program in its own way.
func Settings() map[string]string {
	all := map[string]string{"FI_MR_CACHE_MONITOR": "userfaultfd", "IPATH_NO_BACKTRACE": "1"}
	for _, t := range table {
		for name, value := range t.Settings {
			all[name] = value
		}
	}
	return all
}

// Wish is what the user or the launcher wants of the choice.
type Wish struct {
	Provider string  // GOMPI_FABRIC: "tcp" stands for "tcp;ofi_rxm" and "net", too; "" for the best
	Loopback bool    // the job stays on this machine
	Library  Version // of libfabric
}

// Reject is why an offer is not taken, "" if it can be.
func (w Wish) Reject(o *Offer) string {
	t := TraitsOf(o.Provider)
	switch {
	case w.Provider != "" && !w.names(o.Provider):
		return "GOMPI_FABRIC=" + w.Provider + " asks for another one"
	case w.Provider == "" && t.Avoid != "" && (t.Before == 0 || w.Library < t.Before):
		return t.Avoid
	case o.Most > 0 && o.Most < leastMessage:
		return "its messages have at most " + strconv.Itoa(o.Most) + " bytes"
	case isLoopback(o.ip()) && !w.Loopback:
		return "its address is that of this machine alone"
	case isLinkLocal(o.ip()):
		return "its address holds for one link alone"
	}
	return ""
}

// leastMessage is the size in bytes that messages need to have.
const leastMessage = 4 << 10

// names reports whether the wish names a provider: by its whole name, by that of its lowest layer, or by an
// alias.
func (w Wish) names(provider string) bool {
	lowest, _, _ := strings.Cut(provider, ";")
	return strings.EqualFold(w.Provider, provider) || strings.EqualFold(w.Provider, lowest) ||
		strings.EqualFold(w.Provider, TraitsOf(provider).Alias)
}

// Choose is the index of the offer to take: of the first that is not rejected and the others for its device,
// the one of the lowest rank.
func (w Wish) Choose(offers []Offer) (int, error) {
	best := -1
	for i := range offers {
		o := &offers[i]
		switch {
		case w.Reject(o) != "":
		case best < 0, o.Domain == offers[best].Domain && o.rank() < offers[best].rank():
			best = i
		}
	}
	switch {
	case best >= 0:
		return best, nil
	case len(offers) == 0:
		return -1, fmt.Errorf("libfabric %s offers no provider here", w.Library)
	case w.Provider != "":
		return -1, fmt.Errorf("libfabric %s has no provider %q here; it has %s", w.Library, w.Provider, list(offers))
	}
	return -1, fmt.Errorf("libfabric %s has no provider here that leads to other machines; it has %s", w.Library,
		list(offers))
}

func (o *Offer) rank() int { return TraitsOf(o.Provider).Rank }

// list names the providers of some offers, each once.
func list(offers []Offer) string {
	var names []string
	seen := make(map[string]bool)
	for i := range offers {
		if name := offers[i].Provider; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Families of addresses, as Linux numbers them.
const (
	inet  = 2
	inet6 = 10
)

// ip is the address of the interface in 4 or 16 bytes, nil where it has none of IP.
func (o *Offer) ip() []byte {
	a := o.Address
	if len(a) < 2 {
		return nil
	}
	switch family := binary.NativeEndian.Uint16(a); {
	case family == inet && len(a) >= 8:
		return a[4:8]
	case family == inet6 && len(a) >= 24:
		return a[8:24]
	}
	return nil
}

// Interface is the address of the interface as people write it, "" where it has none of IP.
func (o *Offer) Interface() string {
	ip := o.ip()
	if len(ip) == 4 {
		return fmt.Sprintf("%d.%d.%d.%d", ip[0], ip[1], ip[2], ip[3])
	}
	var groups []string
	for i := 0; i < len(ip); i += 2 {
		groups = append(groups, strconv.FormatUint(uint64(binary.BigEndian.Uint16(ip[i:])), 16))
	}
	return strings.Join(groups, ":")
}

func isLoopback(ip []byte) bool {
	if len(ip) == 4 {
		return ip[0] == 127
	}
	return len(ip) == 16 && string(ip) == strings.Repeat("\x00", 15)+"\x01"
}

func isLinkLocal(ip []byte) bool {
	return len(ip) == 4 && ip[0] == 169 && ip[1] == 254 ||
		len(ip) == 16 && ip[0] == 0xfe && ip[1]&0xc0 == 0x80
}
