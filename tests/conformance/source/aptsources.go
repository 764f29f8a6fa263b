package source

import (
	"fmt"
	"strings"
)

// archive is a repository of packages, as an entry in apt's sources describes it.
type archive struct {
	uri        string
	suite      string
	components []string
	signedBy   string // file of keys; may be empty
}

// distribution reports whether the archive is one of Debian's or Ubuntu's own, which carry the source of
// every package. Archives of others often have none, and asking them would fail.
func (a archive) distribution() bool {
	uri := strings.TrimSuffix(a.uri, "/")
	return strings.HasSuffix(uri, "/debian") || strings.HasSuffix(uri, "/ubuntu") ||
		strings.Contains(a.signedBy, "debian-archive-keyring") || strings.Contains(a.signedBy, "ubuntu-archive-keyring")
}

// sourceLine is the line by which apt fetches source packages from the archive.
func (a archive) sourceLine() string {
	options := ""
	if a.signedBy != "" {
		options = "[signed-by=" + a.signedBy + "] "
	}
	return fmt.Sprintf("deb-src %s%s %s %s\n", options, a.uri, a.suite, strings.Join(a.components, " "))
}

// parseList reads entries in the one-line form of sources.list(5).
func parseList(text string) []archive {
	var found []archive
	for l := range strings.Lines(text) {
		l, _, _ = strings.Cut(l, "#")
		kind, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
		if kind != "deb" && kind != "deb-src" {
			continue
		}
		var a archive
		rest = strings.TrimSpace(rest)
		if options, after, ok := strings.Cut(rest, "]"); ok && strings.HasPrefix(options, "[") {
			for _, o := range strings.Fields(options[1:]) {
				if v, ok := strings.CutPrefix(o, "signed-by="); ok {
					a.signedBy = v
				}
			}
			rest = after
		}
		f := strings.Fields(rest)
		if len(f) < 3 {
			continue
		}
		a.uri, a.suite, a.components = f[0], f[1], f[2:]
		found = append(found, a)
	}
	return found
}

// parseDeb822 reads entries in the form of paragraphs with fields (Types, URIs, Suites, Components,
// Signed-By). Keys that stand in the entry itself are passed over; apt then falls back to the keys it trusts.
func parseDeb822(text string) []archive {
	var found []archive
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		fields := map[string]string{}
		last := ""
		for l := range strings.Lines(paragraph) {
			l = strings.TrimRight(l, "\n")
			if strings.HasPrefix(l, "#") || strings.TrimSpace(l) == "" {
				continue
			}
			if l[0] == ' ' || l[0] == '\t' { // goes on
				fields[last] += "\n" + strings.TrimSpace(l)
				continue
			}
			name, value, _ := strings.Cut(l, ":")
			last = strings.ToLower(name)
			fields[last] = strings.TrimSpace(value)
		}
		if strings.EqualFold(fields["enabled"], "no") || !strings.Contains(fields["types"], "deb") {
			continue
		}
		signedBy := fields["signed-by"]
		if strings.Contains(signedBy, "\n") {
			signedBy = ""
		}
		for _, uri := range strings.Fields(fields["uris"]) {
			for _, s := range strings.Fields(fields["suites"]) {
				if components := strings.Fields(fields["components"]); len(components) > 0 {
					found = append(found, archive{uri: uri, suite: s, components: components,
						signedBy: signedBy})
				}
			}
		}
	}
	return found
}
