package hang

import (
	"fmt"
	"slices"

	"gompi/wire/state"
)

// edge is a rank that waits for another one.
type edge struct {
	to   int
	wait *state.Wait
	need *state.Need
}

// edges is whom each rank waits for by name: waits for anybody are left out.
func (j *Job) edges() [][]edge {
	all := make([][]edge, len(j.Ranks))
	j.each(func(i int, w *state.Wait, n *state.Need) string {
		if w.Any && !j.sole(i, w) || n.Peer < 0 && (n.Kind == state.Receive || n.Kind == state.Probe) {
			return ""
		}
		for _, to := range j.wanted(i, n) {
			all[i] = append(all[i], edge{to, w, n})
		}
		return ""
	})
	return all
}

// sole reports whether all that a thread waits for is up to one rank.
func (j *Job) sole(i int, w *state.Wait) bool {
	who := -1
	for k := range w.Needs {
		of := j.wanted(i, &w.Needs[k])
		if len(of) != 1 || who >= 0 && of[0] != who {
			return false
		}
		who = of[0]
	}
	return true
}

// cycle is the shortest cycle of ranks that wait for each other.
func (j *Job) cycle() string {
	edges := j.edges()
	var best []edge // the last one leads to the first one's rank
	start := 0
	for i := range edges {
		if found := shortest(edges, i); found != nil && (best == nil || len(found) < len(best)) {
			best, start = found, i
		}
	}
	if best == nil {
		return ""
	}
	ranks := []int{start}
	for _, e := range best[:len(best)-1] {
		ranks = append(ranks, e.to)
	}
	var parts []string
	alike := true
	for k, i := range ranks {
		parts = append(parts, fmt.Sprintf("%s in %s for %s", j.name(i), best[k].wait.Call,
			j.what(i, best[k].need)))
		alike = alike && best[k].wait.Call == best[0].wait.Call && best[k].need.Kind == best[0].need.Kind
	}
	switch {
	case len(ranks) == 1:
		return fmt.Sprintf("%s waits in %s for itself: for %s", j.name(start), best[0].wait.Call,
			j.what(start, best[0].need))
	case len(ranks) == 2:
		return fmt.Sprintf("%s wait for each other: %s", j.names(ranks), join(parts))
	case alike:
		return fmt.Sprintf("a cycle of waits: %s wait in %s, each for the next: %s", j.names(ranks),
			best[0].wait.Call, j.path(ranks))
	}
	return fmt.Sprintf("a cycle of waits: %s", join(parts))
}

// path is the numbers of ranks in a circle.
func (j *Job) path(ranks []int) string {
	const most = 8
	text := ""
	for k, i := range ranks {
		if k == most {
			text += "... -> "
			break
		}
		text += j.short(i) + " -> "
	}
	return text + j.short(ranks[0])
}

// shortest is the shortest way from a rank back to itself; nil when there is none.
func shortest(edges [][]edge, start int) []edge {
	type step struct {
		edge
		from int // index of the step before, -1 for none
		at   int
	}
	var steps []step
	seen := make([]bool, len(edges))
	visit := func(at, from int) {
		for _, e := range edges[at] {
			if !seen[e.to] {
				seen[e.to] = true
				steps = append(steps, step{e, from, at})
			}
		}
	}
	visit(start, -1)
	for k := 0; k < len(steps); k++ {
		if steps[k].to != start {
			visit(steps[k].to, k)
			continue
		}
		var way []edge
		for s := k; s >= 0; s = steps[s].from {
			way = append(way, steps[s].edge)
		}
		slices.Reverse(way)
		return way
	}
	return nil
}

// unsent is a wait for a message that nobody sends, or one that nobody receives.
func (j *Job) unsent() string {
	return j.each(func(i int, w *state.Wait, n *state.Need) string {
		switch n.Kind {
		case state.Receive, state.Probe:
			if n.Peer < 0 {
				return fmt.Sprintf("%s waits in %s for %s, and all others that could send one wait as well",
					j.name(i), w.Call, j.what(i, n))
			}
			return fmt.Sprintf("%s waits in %s for %s, which has not been sent%s", j.name(i), w.Call,
				j.what(i, n), j.instead(i, n))
		case state.Send:
			return fmt.Sprintf("%s waits in %s for %s, which has not been posted%s", j.name(i), w.Call,
				j.what(i, n), j.instead(i, n))
		case state.Window, state.WindowLock, state.Partition, state.Other:
			return fmt.Sprintf("%s waits in %s for %s%s", j.name(i), w.Call, j.what(i, n), j.instead(i, n))
		}
		return ""
	})
}

// instead says what the rank does that rank i waits for.
func (j *Job) instead(i int, n *state.Need) string {
	of := j.wanted(i, n)
	if len(of) != 1 {
		return ""
	}
	s := j.Ranks[of[0]].State
	if s == nil || len(s.Waits) == 0 || len(s.Waits[0].Needs) == 0 {
		return fmt.Sprintf(": %s %s", j.name(of[0]), j.doing(of[0]))
	}
	w := &s.Waits[0]
	return fmt.Sprintf(": %s waits in %s for %s", j.name(of[0]), w.Call, j.what(of[0], &w.Needs[0]))
}
