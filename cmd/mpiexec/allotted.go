package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"gompi/launch/process"
)

// Hosts that a system for batch jobs has given the job. It says so in the environment, each system in its own
// way.

// allotment is what the environment says.
type allotment struct {
	system  string // for messages
	hosts   []hostEntry
	starter []string // what starts programs there, nil for ssh
	slurm   bool
}

// findAllotment reads the environment; no hosts where it speaks of none.
func findAllotment(getenv func(string) string) (a allotment, err error) {
	for _, s := range []struct {
		variable string
		read     func(value string, getenv func(string) string) (allotment, error)
	}{
		{"SLURM_JOB_NODELIST", slurmHosts},
		{"PBS_NODEFILE", pbsHosts},
		{"LSB_MCPU_HOSTS", lsfHosts},
		{"LSB_DJOB_HOSTFILE", lsfFile},
		{"PE_HOSTFILE", gridEngineHosts},
		// Operators of Kubernetes set these, by the launcher that they take us for.
		{"HYDRA_HOST_FILE", hostFile},
		{"I_MPI_HYDRA_HOST_FILE", hostFile},
		{"OMPI_MCA_orte_default_hostfile", hostFile},
		{"PRTE_MCA_prte_default_hostfile", hostFile},
	} {
		if value := getenv(s.variable); value != "" {
			if a, err = s.read(value, getenv); err != nil {
				return a, fmt.Errorf("environment variable %s: %w", s.variable, err)
			}
			return a, nil
		}
	}
	return a, nil
}

func hostFile(file string, _ func(string) string) (allotment, error) {
	hosts, err := readHostFile(file)
	return allotment{system: "the host file " + file, hosts: hosts}, err
}

// slurmHosts reads SLURM_JOB_NODELIST, and the tasks of each node.
func slurmHosts(list string, getenv func(string) string) (allotment, error) {
	a := allotment{system: "Slurm", slurm: true}
	names, err := expandNodes(list)
	if err != nil {
		return a, err
	}
	text := getenv("SLURM_TASKS_PER_NODE")
	counts, err := repeated(text)
	if err != nil || text != "" && len(counts) != len(names) {
		return a, fmt.Errorf("%d nodes, and SLURM_TASKS_PER_NODE=%s", len(names), text)
	}
	for i, name := range names {
		m := hostEntry{name: name}
		if text != "" {
			m.slots = counts[i]
		}
		a.hosts = append(a.hosts, m)
	}
	return a, nil
}

// repeated reads numbers as Slurm writes them: "3,1" or "2(x3),1".
func repeated(text string) (all []int, err error) {
	for _, item := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		number, times, found := strings.Cut(item, "(x")
		n, err := parseSlots(number)
		count := 1
		if found && err == nil {
			count, err = parseSlots(strings.TrimSuffix(times, ")"))
		}
		if err != nil || len(all)+count > mostSlots {
			return nil, fmt.Errorf("%q is no list of numbers such as 2(x3),1", text)
		}
		all = append(all, slices.Repeat([]int{n}, count)...)
	}
	return all, nil
}

// expandNodes lists the names of "a[01-03,7],b,c[1-2]-ib".
func expandNodes(list string) ([]string, error) {
	var all []string
	for list != "" {
		depth, end := 0, 0
		for end < len(list) && (list[end] != ',' || depth > 0) {
			switch list[end] {
			case '[':
				depth++
			case ']':
				depth--
			}
			end++
		}
		names, err := expandNode(list[:end])
		if err != nil || depth != 0 || len(all)+len(names) > mostSlots {
			return nil, fmt.Errorf("%q is no list of nodes such as a[01-03,7]", list[:end])
		}
		all = append(all, names...)
		list = strings.TrimPrefix(list[end:], ",")
	}
	return all, nil
}

// expandNode lists the names of one pattern, whose first pair of brackets varies slowest.
func expandNode(pattern string) ([]string, error) {
	head, rest, found := strings.Cut(pattern, "[")
	if !found {
		if pattern == "" || strings.Contains(pattern, "]") {
			return nil, fmt.Errorf("%q", pattern)
		}
		_, err := parseHost(pattern)
		return []string{pattern}, err
	}
	inside, tail, found := strings.Cut(rest, "]")
	if !found {
		return nil, fmt.Errorf("%q", pattern)
	}
	var all []string
	for _, item := range strings.Split(inside, ",") {
		low, high, isRange := strings.Cut(item, "-")
		from, err := strconv.Atoi(low)
		to := from
		if isRange && err == nil {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from < 0 || to < from || to-from > mostSlots {
			return nil, fmt.Errorf("%q", item)
		}
		for n := from; n <= to; n++ {
			names, err := expandTail(fmt.Sprintf("%s%0*d", head, len(low), n), tail)
			if err != nil || len(all)+len(names) > mostSlots {
				return nil, fmt.Errorf("%q", pattern)
			}
			all = append(all, names...)
		}
	}
	return all, nil
}

// expandTail lists the names that begin with head.
func expandTail(head, tail string) ([]string, error) {
	if tail == "" {
		_, err := parseHost(head)
		return []string{head}, err
	}
	return expandNode(head + tail)
}

// pbsHosts reads a file that names each host once for each slot.
func pbsHosts(file string, _ func(string) string) (allotment, error) {
	hosts, err := readHostFile(file)
	for i := range hosts {
		hosts[i].slots = hosts[i].count()
	}
	return allotment{system: "PBS", hosts: hosts}, err
}

// lsfHosts reads "a 4 b 2". Programs are started by LSF's own command, where it is there.
func lsfHosts(text string, getenv func(string) string) (allotment, error) {
	a := allotment{system: "LSF", starter: ifThere(getenv, "blaunch")}
	words := strings.Fields(text)
	for ; len(words) >= 2; words = words[2:] {
		m, err := hostLine([]string{words[0], "slots=" + words[1]})
		if err != nil {
			return a, err
		}
		a.hosts = addHost(a.hosts, m)
	}
	if len(words) > 0 {
		return a, fmt.Errorf("%q is no list such as a 4 b 2", text)
	}
	return a, nil
}

func lsfFile(file string, getenv func(string) string) (allotment, error) {
	a, err := pbsHosts(file, getenv)
	a.system, a.starter = "LSF", ifThere(getenv, "blaunch")
	return a, err
}

// gridEngineHosts reads a file with the host, its slots, its queue and its processors on each line.
func gridEngineHosts(file string, getenv func(string) string) (allotment, error) {
	a := allotment{system: "Grid Engine"}
	if qrsh := ifThere(getenv, "qrsh"); qrsh != nil {
		a.starter = append(qrsh, "-inherit")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return a, err
	}
	for number, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) == 1 {
			return a, fmt.Errorf("%s:%d: a number of slots is missing", file, number+1)
		}
		m, err := hostLine([]string{words[0], "slots=" + words[1]})
		if err != nil {
			return a, fmt.Errorf("%s:%d: %w", file, number+1, err)
		}
		a.hosts = addHost(a.hosts, m)
	}
	return a, nil
}

// ifThere is a command, nil where there is none of that name.
func ifThere(getenv func(string) string, name string) []string {
	for _, folder := range strings.Split(getenv("PATH"), ":") {
		st, err := os.Stat(folder + "/" + name)
		if err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return []string{folder + "/" + name}
		}
	}
	return nil
}

// allot takes the hosts of the environment for those of the job where the command line names none.
func (l *commandLine) allot() error {
	if l.rankfile != "" {
		return nil
	}
	for i := range l.programs {
		if len(l.programs[i].hosts) > 0 {
			return nil
		}
	}
	a, err := findAllotment(os.Getenv)
	l.allotted, l.slurm = a.hosts, a.slurm
	if l.starter == nil {
		l.starter = a.starter
	}
	return err
}

// abroad reports whether some of the hosts are other machines than this one.
func abroad(hosts []hostEntry) bool {
	return slices.ContainsFunc(hosts, func(m hostEntry) bool { return !process.IsLocal(m.name) })
}
