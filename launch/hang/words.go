package hang

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gompi/wire/state"
)

// name is what texts call rank i.
func (j *Job) name(i int) string { return "rank " + j.short(i) }

// short is its number.
func (j *Job) short(i int) string {
	r := &j.Ranks[i]
	if r.World > 0 {
		return fmt.Sprintf("%d of spawned job %d", r.Number, r.World)
	}
	return fmt.Sprint(r.Number)
}

// doing says what rank i does that does not wait.
func (j *Job) doing(i int) string {
	r := &j.Ranks[i]
	text := phases[r.Phase]
	if j.busy(i) {
		text = fmt.Sprintf("polls in %s and goes on in between", r.State.Waits[0].Call)
	}
	if r.Doing != "" {
		text += ": it " + r.Doing
	}
	return text
}

// names is what texts call some ranks: "rank 3", "ranks 0-5, 7".
func (j *Job) names(of []int) string {
	of = slices.Clone(of)
	slices.SortFunc(of, func(a, b int) int {
		x, y := &j.Ranks[a], &j.Ranks[b]
		return cmp.Or(cmp.Compare(x.World, y.World), cmp.Compare(x.Number, y.Number))
	})
	of = slices.Compact(of)
	if len(of) == 1 {
		return j.name(of[0])
	}
	if first := j.Ranks[of[0]].World; j.Ranks[of[len(of)-1]].World != first { // numbers would mislead
		own := slices.IndexFunc(of, func(i int) bool { return j.Ranks[i].World != first })
		return j.names(of[:own]) + " and " + j.names(of[own:])
	}
	return "ranks " + j.ranges(of)
}

// ranges is the numbers of ranks in their order.
func (j *Job) ranges(of []int) string {
	var parts []string
	for k := 0; k < len(of); {
		first := &j.Ranks[of[k]]
		end := k + 1
		for end < len(of) && j.Ranks[of[end]].World == first.World &&
			j.Ranks[of[end]].Number == first.Number+end-k {
			end++
		}
		text := fmt.Sprint(first.Number)
		if n := end - k; n == 2 {
			text += fmt.Sprintf(", %d", first.Number+1)
		} else if n > 2 {
			text += fmt.Sprintf("-%d", first.Number+n-1)
		}
		if w := first.World; w > 0 && (end == len(of) || j.Ranks[of[end]].World != w) {
			text += fmt.Sprintf(" of spawned job %d", w)
		}
		parts = append(parts, text)
		k = end
	}
	return strings.Join(parts, ", ")
}

// verb is the form of a verb for so many subjects.
func verb(of []int, one, several string) string {
	if len(of) == 1 {
		return one
	}
	return several
}

// on is a communicator, for texts: its name and, as several may have that, the number of its contexts.
func on(c *state.Comm) string {
	if c.Name == "MPI_COMM_WORLD" && c.Number == 0 {
		return c.Name
	}
	if strings.HasPrefix(c.Name, "from ") {
		return fmt.Sprintf("a communicator %s (context %d)", c.Name, c.Number)
	}
	return fmt.Sprintf("%s (context %d)", c.Name, c.Number)
}

// peer is what texts call the partner of a need of rank i. In the communicator it may have another number.
func (j *Job) peer(i int, n *state.Need) string {
	if n.Peer < 0 {
		return "any rank"
	}
	all := j.wanted(i, n)
	if len(all) == 0 {
		return fmt.Sprintf("rank %d", n.Peer)
	}
	if all[0] == i {
		return "itself"
	}
	return j.name(all[0])
}

func tag(n int32) string {
	if n == state.AnyTag {
		return "any tag"
	}
	return fmt.Sprintf("tag %d", n)
}

// size is how much a need is about; "" when it is not known.
func size(n *state.Need) string {
	switch {
	case n.Bytes < 0:
		return ""
	case n.Type == "" || n.Type == "MPI_BYTE" || n.Type == "MPI_PACKED":
		return plural(n.Bytes, "byte")
	}
	return fmt.Sprintf("%d %s", n.Count, n.Type)
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// what says what rank i waits for, without the call.
func (j *Job) what(i int, n *state.Need) string {
	c := j.commOf(i, n)
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	switch n.Kind {
	case state.Receive:
		part := ""
		if strings.HasSuffix(n.Text, " of ") {
			part = n.Text
		}
		add(part + "a message from " + j.peer(i, n))
		add(tag(n.Tag))
		add(size(n))
	case state.Probe:
		add("a message from " + j.peer(i, n))
		add(tag(n.Tag))
	case state.Send:
		switch {
		case n.Full:
			add("room at " + j.peer(i, n) + " for a message")
		default:
			add("the receive of a message by " + j.peer(i, n))
		}
		add(tag(n.Tag))
		add(size(n))
	case state.Partition:
		to := *n
		to.Kind = state.Send
		add(fmt.Sprintf("its own %s of its message to %s", n.Text, j.peer(i, &to)))
		add(tag(n.Tag))
	case state.Collective:
		add(j.part(n, j.wanted(i, n)))
	case state.Window, state.WindowLock:
		if of := j.wanted(i, n); len(of) > 0 {
			return n.Text + " " + j.names(of) + ", in " + c.Name
		}
		return n.Text + " other ranks, in " + c.Name
	default:
		add(n.Text)
	}
	text := strings.Join(parts, ", ")
	if c != nil {
		text += ", on " + on(c)
	}
	return text
}

// part says that a collective operation waits for the part of some ranks, none for ranks that are not known.
func (j *Job) part(n *state.Need, of []int) string {
	text := "other ranks"
	if len(of) > 0 {
		text = j.names(of)
	}
	if behind(n.Name) {
		text += " in " + n.Name
	}
	if all := arguments(n); all != "" {
		text += ", " + all
	}
	return text
}

// behind reports whether an operation stands behind a request: another call waits for it.
func behind(name string) bool {
	return strings.HasPrefix(name, "a ") || strings.HasSuffix(name, "_init") ||
		strings.HasPrefix(name, "MPI_I") && !strings.HasPrefix(name, "MPI_Intercomm_") ||
		strings.Contains(name, "_idup") || strings.HasPrefix(name, "MPIX_Comm_i")
}

// arguments is what a collective operation was called with, as far as it is known.
func arguments(n *state.Need) string {
	var parts []string
	if n.Root >= 0 {
		parts = append(parts, fmt.Sprintf("root %d", n.Root))
	}
	if n.Op != "" {
		parts = append(parts, n.Op)
	}
	if s := size(n); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// seconds is a time for people.
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d s", int(d.Seconds()))
}
