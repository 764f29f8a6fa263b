package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"gompi/fabric"
	"gompi/fabric/builtin"
	"gompi/fabric/libfabric"
	"gompi/runtime/tool"
)

// networks writes which networks there are here, and which of them ranks of different nodes would use.
func networks(out io.Writer, getenv func(string) string) error {
	settings, err := tool.Read(getenv)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	chosen, err := ofLibrary(w, &settings)
	missing := errors.Is(err, fabric.ErrNoLibrary) && settings.Libfabric == "" && settings.Fabric == ""
	if missing {
		fmt.Fprintln(w, err)
	}
	takes := missing || settings.Fabric == fabric.BuiltIn
	if !takes && !chosen {
		return errors.Join(w.Flush(), err)
	}
	return errors.Join(ofBuiltIn(w, &settings, takes), w.Flush())
}

const headings = "\n  provider\tversion\tdevice\taddress\tprogress\tmemory\twhy"

// ofLibrary writes what libfabric offers, and reports whether any of that is taken.
func ofLibrary(w io.Writer, settings *tool.Settings) (taken bool, err error) {
	l, err := libfabric.Open(settings.Libfabric)
	if err != nil {
		return false, err
	}
	offers, err := l.Offers(settings.FabricAddress)
	if err != nil {
		return false, err
	}
	defer offers.Close()
	wish := fabric.Wish{Provider: settings.Fabric, Library: l.Version()}
	chosen, err := wish.Choose(offers.List)
	fmt.Fprintf(w, "libfabric %s\n", l.Version())
	fmt.Fprintln(w, headings)
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
	return chosen >= 0, err
}

// ofBuiltIn writes the line of the built-in network.
func ofBuiltIn(w io.Writer, settings *tool.Settings, taken bool) error {
	why := "libfabric is better"
	switch {
	case settings.Fabric == fabric.BuiltIn:
		why = "taken: GOMPI_FABRIC=" + fabric.BuiltIn + " asks for it"
	case taken:
		why = "taken: libfabric is not here"
		fmt.Fprintln(w, headings)
	case settings.Fabric != "":
		why = "GOMPI_FABRIC=" + settings.Fabric + " asks for another one"
	}
	source := settings.FabricAddress
	at, err := builtin.Interface(&fabric.Opening{Source: source, Forced: source != ""})
	if err != nil && taken {
		return err
	}
	address := ""
	if err == nil {
		address = at.String()
	}
	fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\t%s\t%s\t%s\n", pick(taken, "*", " "), fabric.BuiltIn, builtin.Version,
		"sockets", address, "when called", "any", why)
	return nil
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
