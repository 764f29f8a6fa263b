package ask

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gompi/launch/live"
	"gompi/launch/process"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// Where ranks are in their programs is read from their stacks, only when somebody asks: each thread is
// stopped for that. What a rank waits for in MPI it has told itself, with the line of the call: the stacks of
// Go's runtime are not the program's.

// mostShownCalls is how many of the calls that a thread is in are told.
const mostShownCalls = 8

// lines is where the threads of a rank of this host are, a line for each.
func (k *looker) lines(r *world.Rank, t *told) (all []string) {
	pid := r.Process()
	waits := map[int]string{}
	s := t.state()
	if s.State != nil {
		for i, w := range s.State.Waits {
			text := w.Call
			if i < len(s.Places) && s.Places[i] != "" {
				text += " at " + s.Places[i]
			}
			waits[int(w.Thread)] = text
		}
	}
	threads, err := k.tables.Of(pid, func(task int) bool {
		return !process.ReadStatus(fmt.Sprintf("/proc/%d/task/%d", pid, task)).BlocksAll
	}, process.Runs)
	for _, one := range threads {
		folder := fmt.Sprintf("/proc/%d/task/%d", pid, one.Number)
		line := k.calls(r, one.Calls)
		if text, ok := waits[int(process.ReadStatus(folder).Number)]; ok {
			line = text
		}
		if one.Number != pid {
			line = "in another thread: " + line
		}
		all = append(all, line)
	}
	switch {
	case len(all) > 0 || err == nil:
	case len(waits) > 0:
		for _, text := range waits {
			all = append(all, text)
		}
		slices.Sort(all)
	case errors.Is(err, unix.EPERM):
		all = []string{"not known: the system does not let it be traced, or a debugger does so"}
	default:
		all = []string{"not known: " + err.Error()}
	}
	return all
}

// calls is a thread's calls in words, the innermost first. What lies ahead of the first one that has a line
// of source, but for the function that it has called, is told no further, and neither is what calls main.
func (k *looker) calls(r *world.Rank, pcs []uint64) string {
	maps := "/proc/" + strconv.Itoa(r.Process()) + "/maps"
	var texts []string
	first := -1 // with a line
	for i, pc := range pcs {
		if i > 0 {
			pc-- // within the call
		}
		c := k.asker.files.Call(maps, pc)
		if first < 0 && c.Line != "" {
			first = i
		}
		if first >= 0 && c.Line == "" && i > first && c.File == "libc.so.6" {
			break
		}
		texts = append(texts, c.String())
		if c.Function == "main" {
			break
		}
	}
	if first > 1 {
		texts = texts[first-1:]
	}
	if len(texts) > mostShownCalls {
		texts = append(texts[:mostShownCalls:mostShownCalls], "...")
	}
	return strings.Join(texts, " < ")
}

// answerLines answers who wants to know the lines of code that the ranks are at, at that socket.
func (a *Asker) answerLines(fd int) {
	a.looker.look(true, func(k *looker) {
		if !k.stacks { // somebody else has looked
			a.answerLines(fd)
			return
		}
		write(fd, []byte(strings.Join(k.linesByRanks(), "\n")+"\n"))
		unix.Close(fd)
	})
}

// linesByRanks is a line for ranks that are at the same place.
func (k *looker) linesByRanks() (all []string) {
	states := k.asker.assemble(k.found)
	var order []string
	at := map[string][]int{}
	add := func(i int, line string) {
		if at[line] == nil {
			order = append(order, line)
		}
		if own := at[line]; len(own) == 0 || own[len(own)-1] != i {
			at[line] = append(own, i)
		}
	}
	for i, r := range k.asker.table.Ranks {
		lines := k.usage[r].lines
		switch state := liveState(&states.Ranks[i]); {
		case state == live.Finished && len(lines) == 0, state == live.Ended:
			add(i, string(state))
		case len(lines) == 0:
			add(i, "not known")
		}
		for _, line := range lines {
			add(i, line)
		}
	}
	names, widest := make([]string, len(order)), 0
	for i, line := range order {
		names[i] = states.Ranges(at[line])
		widest = max(widest, len(names[i]))
	}
	for i, line := range order {
		all = append(all, fmt.Sprintf("%-*s  %s", widest, names[i], line))
	}
	return all
}
