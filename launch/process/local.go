package process

import (
	"fmt"
	"os"
	"strings"
)

// Hosts are compared as text: no name is ever resolved here.

// CheckHosts refuses a list of hosts, such as "localhost:4,node7", that names any other machine than the one
// of that name, which is "" for this one. Processes that are spawned share memory with the one that asks.
func CheckHosts(list, own string) error {
	for _, item := range strings.Split(list, ",") {
		host, _, _ := strings.Cut(item, ":")
		switch {
		case item == "", item == "::1", host == own:
		case own != "" && !IsLocal(own):
			return fmt.Errorf("host %q is not %s, where the process that asks is; others can only be started there", host, own)
		case !IsLocal(host):
			return fmt.Errorf("host %q is not this machine; ranks can only be started here", host)
		}
	}
	return nil
}

// IsLocal reports whether a name is one of this machine's.
func IsLocal(host string) bool {
	if host == "localhost" || strings.HasPrefix(host, "localhost.") || strings.HasPrefix(host, "127.") || host == "::1" {
		return true
	}
	own, err := os.Hostname()
	if err != nil {
		return false
	}
	short := func(s string) string { s, _, _ = strings.Cut(s, "."); return s }
	// Of two full names the whole counts.
	return strings.EqualFold(host, own) || strings.EqualFold(short(host), short(own)) &&
		!isNumber(short(host)) && !(strings.Contains(host, ".") && strings.Contains(own, "."))
}

// isNumber reports whether text is made of digits, as the first part of an address is.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
