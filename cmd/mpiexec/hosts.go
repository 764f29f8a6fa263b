package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// hostEntry is a host as the user names it.
type hostEntry struct {
	name  string // perhaps with a user's ahead: "user@node7"
	slots int    // ranks that it is meant for; 0 where that is not said
	most  int    // ranks that it may have; 0 for any number
}

// count is the number of slots for dealing ranks out.
func (m *hostEntry) count() int { return max(m.slots, 1) }

// addHost adds a host to a list. One that stands there already gets more slots.
func addHost(list []hostEntry, m hostEntry) []hostEntry {
	for i := range list {
		if sameHost(list[i].name, m.name) {
			list[i].slots = list[i].count() + m.count()
			if m.most > 0 {
				list[i].most = m.most
			}
			return list
		}
	}
	return append(list, m)
}

// parseHosts reads "a,b:4,user@c".
func parseHosts(list string) (all []hostEntry, err error) {
	for _, item := range strings.Split(list, ",") {
		if item == "" {
			continue
		}
		m, err := parseHost(item)
		if err != nil {
			return nil, err
		}
		m.slots = m.count()
		all = addHost(all, m)
	}
	return all, nil
}

// parseHost reads a host, and the slots behind a colon. What has several colons is an address of IPv6, which
// takes brackets where slots are to follow it.
func parseHost(item string) (hostEntry, error) {
	name, slots, found := strings.Cut(item, ":")
	if at := strings.LastIndex(item, "]"); strings.HasPrefix(item, "[") && at > 0 {
		name, slots, found = item[1:at], strings.TrimPrefix(item[at+1:], ":"), at+1 < len(item)
	} else if strings.Contains(slots, ":") {
		name, found = item, false
	}
	m := hostEntry{name: name}
	// What begins with a dash would be an option of ssh.
	if name == "" || strings.HasPrefix(name, "-") || strings.ContainsAny(name, " \t'\"$`;&|<>()\\") {
		return m, fmt.Errorf("%q is no name of a host", item)
	}
	if found {
		var err error
		if m.slots, err = parseSlots(slots); err != nil {
			return m, fmt.Errorf("%q: %w", item, err)
		}
	}
	return m, nil
}

// mostSlots bounds numbers of slots, so that no sum of them overflows.
const mostSlots = 1 << 20

func parseSlots(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostSlots {
		return 0, fmt.Errorf("%q is not a number of slots from 1 to %d", text, mostSlots)
	}
	return n, nil
}

// readHostFile reads a file of hosts, one on each line: "node7", "node7:4", "node7 slots=4 max_slots=8". What
// follows a "#" is a comment.
func readHostFile(file string) ([]hostEntry, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	var all []hostEntry
	for number, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		m, err := hostLine(words)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number+1, err)
		}
		all = addHost(all, m)
	}
	return all, nil
}

// hostLine reads the words of a line.
func hostLine(words []string) (hostEntry, error) {
	m, err := parseHost(words[0])
	for _, word := range words[1:] {
		if err != nil {
			break
		}
		key, value, _ := strings.Cut(word, "=")
		switch strings.ReplaceAll(strings.ToLower(key), "-", "_") {
		case "slots", "cpus", "count":
			m.slots, err = parseSlots(value)
		case "max_slots", "slots_max", "cpu_max", "max_cpus":
			m.most, err = parseSlots(value)
		case "user", "username":
			m.name = value + "@" + m.name
		case "binding", "ifhn", "boards", "sockets_per_board", "cores_per_socket":
		default:
			err = fmt.Errorf("%q is none of slots=, max_slots=, user=", word)
		}
	}
	return m, err
}
