package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"gompi/fabric"
	"gompi/fabric/libfabric"
	"gompi/runtime/tool"
)

// networks writes which providers libfabric has here, and which of them ranks of different nodes would use.
func networks(out io.Writer, getenv func(string) string) error {
	settings, err := tool.Read(getenv)
	if err != nil {
		return err
	}
	l, err := libfabric.Open(settings.Libfabric)
	if err != nil {
		return err
	}
	offers, err := l.Offers(settings.FabricAddress)
	if err != nil {
		return err
	}
	defer offers.Close()
	wish := fabric.Wish{Provider: settings.Fabric, Library: l.Version()}
	chosen, choosing := wish.Choose(offers.List)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "libfabric %s\n\n", l.Version())
	fmt.Fprintln(w, "  provider\tversion\tdevice\taddress\tprogress\tmemory\twhy")
	written := make(map[string]bool)
	for i := range offers.List {
		o := &offers.List[i]
		if at := o.Provider + " " + o.Domain + " " + o.Interface(); i == chosen || !written[at] {
			written[at] = true
			fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\t%s\t%s\t%s\n", pick(i == chosen, "*", " "), o.Provider, o.Version,
				o.Domain, o.Interface(), pick(o.Automatic, "by itself", "when called"),
				pick(o.Registers, "registered", "any"), reason(wish, offers.List, i, chosen))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return choosing
}

func pick(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}

// reason is why an offer is taken or not.
func reason(wish fabric.Wish, offers []fabric.Offer, i, chosen int) string {
	why := wish.Reject(&offers[i])
	switch {
	case why != "":
		return why
	case i == chosen && wish.Provider != "":
		return "taken: GOMPI_FABRIC=" + wish.Provider + " asks for it"
	case i == chosen:
		return "taken"
	case offers[i].Domain == offers[chosen].Domain:
		return offers[chosen].Provider + " is better for the same device"
	}
	return "libfabric names " + offers[chosen].Provider + " at " + offers[chosen].Domain + " first"
}
