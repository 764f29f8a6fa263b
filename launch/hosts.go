package launch

import (
	"fmt"
	"os"
	"strings"
)

// Hosts are compared as text: no name is ever resolved. Only this machine can be named, since ranks start
// here.

// CheckHosts refuses a list of hosts, such as "localhost:4,node7", that names any other machine than this.
func CheckHosts(list string) error {
	for _, item := range strings.Split(list, ",") {
		host, _, _ := strings.Cut(item, ":")
		if item != "" && !isLocal(host) && item != "::1" {
			return fmt.Errorf("host %q is not this machine; ranks can only be started here", host)
		}
	}
	return nil
}

// isLocal reports whether a name is one of this machine's.
func isLocal(host string) bool {
	if host == "localhost" || strings.HasPrefix(host, "localhost.") || strings.HasPrefix(host, "127.") {
		return true
	}
	own, err := os.Hostname()
	if err != nil {
		return false
	}
	short := func(s string) string { s, _, _ = strings.Cut(s, "."); return s }
	return strings.EqualFold(host, own) || strings.EqualFold(short(host), short(own)) &&
		!isNumber(short(host))
}

// isNumber reports whether text is made of digits, as the first part of an address is.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
