package hang

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gompi/wire/state"
)

// Cause is one sentence that says why the ranks do not go on, or for whom they wait that may still come; ""
// when nothing is known. What a mistake has brought about is looked for after the mistake itself: a wrong tag
// leads to a cycle of waits, too.
func (j *Job) Cause() string {
	if !j.stuck(settled) {
		return cmp.Or(j.awaited(), j.outside())
	}
	text := j.because()
	for i := range j.Ranks {
		if text != "" && j.alive(i) {
			return text + fmt.Sprintf("; %s has a thread that does not wait in MPI, which may still end that", j.name(i))
		}
	}
	return text
}

// because is the cause of ranks that are stuck.
func (j *Job) because() string {
	for _, find := range []func() string{j.mistaken, j.itself, j.uncompleted, j.gone, j.disagreement, j.held,
		j.missing, j.cycle, j.unsent, j.unfinished} {
		if text := find(); text != "" {
			return text
		}
	}
	return ""
}

// each calls f for each need of each rank that waits, until it says something.
func (j *Job) each(f func(i int, w *state.Wait, n *state.Need) string) string {
	for i := range j.Ranks {
		s := j.Ranks[i].State
		if s == nil {
			continue
		}
		for k := range s.Waits {
			w := &s.Waits[k]
			for m := range w.Needs {
				if text := f(i, w, &w.Needs[m]); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// difference says in what a message differs from the one that rank i waits for, if that is one thing; ""
// otherwise.
func (j *Job) difference(i int, n *state.Need, m *state.Message) string {
	want, got := j.commOf(i, n), &j.Ranks[i].State.Comms[m.Comm]
	sameComm, sameTag := n.Comm == m.Comm, n.Tag == m.Tag || n.Tag == state.AnyTag
	from := j.wanted(i, &state.Need{Kind: state.Receive, Comm: m.Comm, Peer: m.Src})
	sameRank := n.Peer < 0 || len(from) == 1 && slices.Contains(j.wanted(i, n), from[0])
	switch {
	case sameRank && sameComm && !sameTag:
		return fmt.Sprintf("waits for tag %d, but %s has sent tag %d", n.Tag, j.sender(i, m), m.Tag)
	case sameRank && sameTag && !sameComm && len(from) == 1:
		return fmt.Sprintf("waits for %s on %s, but %s has sent it on %s", tag(n.Tag), on(want),
			j.sender(i, m), on(got))
	case sameComm && sameTag && !sameRank:
		return fmt.Sprintf("waits for a message with %s from %s, but it was %s that has sent one", tag(n.Tag),
			j.peer(i, n), j.sender(i, m))
	}
	return ""
}

// mistaken is a message that is almost the one that is waited for. Other tags count first: a message of
// another rank or communicator is more often for later.
func (j *Job) mistaken() string {
	return j.each(func(i int, w *state.Wait, n *state.Need) string {
		if n.Kind != state.Receive && n.Kind != state.Probe {
			return ""
		}
		messages := j.Ranks[i].State.Messages
		for k := range messages {
			if text := j.difference(i, n, &messages[k]); text != "" {
				return fmt.Sprintf("%s in %s %s", j.name(i), w.Call, text)
			}
		}
		return ""
	})
}

// itself is a rank that waits for itself alone.
func (j *Job) itself() string {
	return j.each(func(i int, w *state.Wait, n *state.Need) string {
		of := j.wanted(i, n)
		if len(of) != 1 || of[0] != i || w.Any && len(w.Needs) > 1 || len(j.Ranks[i].State.Waits) > 1 {
			return ""
		}
		switch n.Kind {
		case state.Partition:
			return fmt.Sprintf("%s waits in %s for %s", j.name(i), w.Call, j.what(i, n))
		case state.Send:
			return fmt.Sprintf("%s waits in %s for its own receive of the message that it sends to itself, %s on %s, and has posted none", j.name(i), w.Call, tag(n.Tag), on(j.commOf(i, n)))
		case state.Receive, state.Probe:
			return fmt.Sprintf("%s waits in %s for a message from itself, %s on %s, and has sent none", j.name(i), w.Call, tag(n.Tag), on(j.commOf(i, n)))
		}
		return ""
	})
}

// uncompleted is a wait for something that the program has to end and cannot, as all its threads wait.
func (j *Job) uncompleted() string {
	return j.each(func(i int, w *state.Wait, n *state.Need) string {
		if n.Kind != state.Completion || w.Any && len(w.Needs) > 1 {
			return ""
		}
		return fmt.Sprintf("%s waits in %s for %s, which no other thread of it can call: all wait", j.name(i),
			w.Call, j.what(i, n))
	})
}

// finalize is the function whose callers wait for all others.
const finalize = "MPI_Finalize"

// calls is the function that rank i waits in, of several threads the first; "" for none.
func (j *Job) calls(i int) string {
	if s := j.Ranks[i].State; s != nil && len(s.Waits) > 0 {
		return s.Waits[0].Call
	}
	return ""
}

// gone is a wait for a rank that has ended, or wants to.
func (j *Job) gone() string {
	return j.each(func(i int, w *state.Wait, n *state.Need) string {
		if w.Call == finalize {
			return ""
		}
		of := j.wanted(i, n)
		var left []int
		for _, r := range of {
			if j.calls(r) == finalize || j.Ranks[r].Phase >= Finished {
				left = append(left, r)
			}
		}
		if len(left) == 0 || len(left) < len(of) && n.Kind != state.Collective && n.Peer < 0 {
			return ""
		}
		how := "called MPI_Finalize"
		if phase := j.Ranks[left[0]].Phase; phase == Ended {
			how = "ended"
		}
		waits := j.what(i, n)
		if n.Kind == state.Collective {
			waits = "the others, on " + on(j.commOf(i, n))
			if len(left) == 1 {
				waits = fmt.Sprintf("%s, on %s", j.name(left[0]), on(j.commOf(i, n)))
			}
		}
		return fmt.Sprintf("%s waits in %s for %s; %s %s %s", j.name(i), w.Call, waits, j.names(left),
			verb(left, "has", "have"), how)
	})
}

// meeting is the ranks of a communicator that wait in a collective operation on it.
type meeting struct {
	comm    *state.Comm
	members []int
	inside  []int
	needs   []*state.Need
	calls   []string // the operations
}

// meetings is all of them. A communicator is known by its number and its members.
func (j *Job) meetings() (all []*meeting) {
	at := map[string]*meeting{}
	j.each(func(i int, w *state.Wait, n *state.Need) string {
		if n.Kind != state.Collective {
			return ""
		}
		c := j.commOf(i, n)
		members := j.members(i, c.Members)
		group := slices.Concat(members, j.members(i, c.Targets))
		slices.Sort(group)
		key := fmt.Sprint(c.Number, group, w.Call == finalize)
		m := at[key]
		if m == nil {
			m = &meeting{comm: c, members: group}
			at[key] = m
			all = append(all, m)
		}
		if !slices.Contains(m.inside, i) {
			m.inside, m.needs, m.calls = append(m.inside, i), append(m.needs, n), append(m.calls, n.Name)
		}
		return ""
	})
	return all
}

// groupBy is the ranks of a meeting by something that they say, in the order of the first of each.
func (m *meeting) groupBy(f func(k int) string) (words []string, ranks [][]int) {
	for k, i := range m.inside {
		word := f(k)
		at := slices.Index(words, word)
		if at < 0 {
			at = len(words)
			words, ranks = append(words, word), append(ranks, nil)
		}
		ranks[at] = append(ranks[at], i)
	}
	return words, ranks
}

// disagreement is ranks of one communicator that have called collective operations that do not fit together.
func (j *Job) disagreement() string {
	for _, m := range j.meetings() {
		words, ranks := m.groupBy(func(k int) string { return m.calls[k] })
		if len(words) > 1 {
			var parts []string
			for k, word := range words {
				parts = append(parts, fmt.Sprintf("%s in %s", j.names(ranks[k]), word))
			}
			return fmt.Sprintf("the ranks of %s have called different collective operations: %s", on(m.comm),
				join(parts))
		}
		for _, what := range []struct {
			name string
			of   func(n *state.Need) string
		}{
			{"roots", func(n *state.Need) string {
				if n.Root < 0 {
					return ""
				}
				return fmt.Sprint("root ", n.Root)
			}},
			{"operations", func(n *state.Need) string { return n.Op }},
			{"sizes", size},
		} {
			says, by := m.groupBy(func(k int) string { return what.of(m.needs[k]) })
			if len(says) < 2 || slices.Contains(says, "") {
				continue
			}
			var parts []string
			for k, word := range says {
				parts = append(parts, fmt.Sprintf("%s with %s", j.names(by[k]), word))
			}
			return fmt.Sprintf("the ranks of %s have called %s with different %s: %s", on(m.comm), m.calls[0],
				what.name, join(parts))
		}
	}
	return ""
}

// absent is the ranks that have not entered the operation. Not every rank without a part in it now is one: it
// may have done its part and left, or the operation may be for some of the ranks only.
func (j *Job) absent(m *meeting) (all []int) {
	named := map[int]bool{}
	for k, i := range m.inside {
		for _, r := range j.wanted(i, m.needs[k]) {
			named[r] = true
		}
	}
	for _, i := range m.members {
		if i < 0 || slices.Contains(m.inside, i) {
			continue
		}
		if named[i] || j.calls(i) != finalize && !forSome(m.calls[0]) {
			all = append(all, i)
		}
	}
	return all
}

// forSome reports whether a function is called by some ranks of its communicator alone: those of a
// group, or those that live.
func forSome(call string) bool {
	switch call {
	case "MPI_Intercomm_create", "MPI_Comm_create_group", "MPIX_Comm_agree", "MPIX_Comm_shrink":
		return true
	}
	return false
}

// missing is a collective operation that some ranks have not entered.
func (j *Job) missing() string {
	for _, m := range j.meetings() {
		absent := j.absent(m)
		if len(absent) == 0 || m.calls[0] == finalize {
			continue
		}
		text := fmt.Sprintf("%s %s not entered %s on %s, in which %s %s", j.names(absent),
			verb(absent, "has", "have"), m.calls[0], on(m.comm), j.names(m.inside),
			verb(m.inside, "waits", "wait"))
		first := absent[0]
		if s := j.Ranks[first].State; s != nil && len(s.Waits) > 0 && len(s.Waits[0].Needs) > 0 {
			w := &s.Waits[0]
			who := "it waits"
			if len(absent) > 1 {
				who = j.name(first) + " waits"
			}
			text += fmt.Sprintf(": %s in %s for %s", who, w.Call, j.what(first, &w.Needs[0]))
		} else if len(absent) == 1 {
			text += ": it " + j.doing(first)
		}
		return text
	}
	return ""
}

// unfinished is ranks that wait in MPI_Finalize for others.
func (j *Job) unfinished() string {
	for _, m := range j.meetings() {
		if m.calls[0] != finalize {
			continue
		}
		var left []int
		for _, i := range m.members {
			if i >= 0 && j.Ranks[i].Phase >= Finished {
				left = append(left, i)
			}
		}
		if len(left) > 0 {
			return fmt.Sprintf("%s %s left MPI while %s %s in MPI_Finalize: %s called fewer collective operations on %s than the others", j.names(left), verb(left, "has", "have"), j.names(m.inside),
				verb(m.inside, "waits", "wait"), verb(left, "it has", "they have"), on(m.comm))
		}
	}
	return ""
}

// held is a lock that somebody waits for and somebody else holds.
func (j *Job) held() string {
	return j.each(func(i int, w *state.Wait, n *state.Need) string {
		if n.Kind != state.WindowLock {
			return ""
		}
		target := j.wanted(i, n)
		if len(target) != 1 {
			return ""
		}
		var holders []int
		window := j.commOf(i, n).Name
		for h := range j.Ranks {
			if h != i && j.holds(h, target[0], window) {
				holders = append(holders, h)
			}
		}
		if len(holders) == 0 {
			return ""
		}
		text := fmt.Sprintf("%s waits in %s for the lock of %s in %s, which %s %s", j.name(i), w.Call,
			j.name(target[0]), window, j.names(holders), verb(holders, "holds", "hold"))
		if h := holders[0]; j.calls(h) != "" && len(j.Ranks[h].State.Waits[0].Needs) > 0 {
			v := &j.Ranks[h].State.Waits[0]
			text += fmt.Sprintf("; %s has waited for %s in %s for %s", j.name(h), seconds(j.lasted(v)), v.Call,
				j.what(h, &v.Needs[0]))
		}
		return text
	})
}

// holds reports whether rank h holds the lock of a target in a window.
func (j *Job) holds(h, target int, window string) bool {
	s := j.Ranks[h].State
	if s == nil {
		return false
	}
	for _, l := range s.Locks {
		of := j.wanted(h, &state.Need{Kind: state.Receive, Comm: l.Comm, Peer: l.Target})
		if s.Comms[l.Comm].Name == window && len(of) == 1 && of[0] == target {
			return true
		}
	}
	return false
}

// join lists parts of a sentence.
func join(parts []string) string {
	const most = 6
	if len(parts) > most {
		parts = append(slices.Clone(parts[:most]), fmt.Sprintf("%d more", len(parts)-most))
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
