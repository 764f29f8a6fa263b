// Package console lets one user talk to the debuggers of many ranks: what is typed goes to those that have
// been chosen, and what they answer is shown once for ranks that say the same. It knows neither processes nor
// terminals.
package console

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Console is that. All calls come from one goroutine.
type Console struct {
	// How it reaches the user and the ranks. Show writes text; Send gives a line to the debugger of a rank;
	// Interrupt stops its program; Quit ends the job.
	Show      func(text string)
	Send      func(rank int, line string)
	Interrupt func(rank int)
	Quit      func()
	Terminal  bool // the user sits at a terminal, which shows what is typed

	all      map[int]*debuggee
	chosen   []int
	queue    []string // lines that have not been carried out
	deep     int      // within how many blocks that "end" ends the lines are
	last     string   // the last command
	prompted bool     // the prompt stands on the terminal
	ended    bool     // no more lines come
	quitting bool
	changed  time.Time // when a rank last said something that has not been shown
}

// patience is how long what some ranks have said waits for the others to say the same.
const patience = 250 * time.Millisecond

// Start begins with the debuggers of some ranks, all of which are chosen.
func (c *Console) Start(ranks []int) {
	c.all = map[int]*debuggee{}
	for _, r := range ranks {
		c.all[r] = &debuggee{rank: r}
	}
	c.chosen = slices.Clone(ranks)
	c.Show(fmt.Sprintf("gdb of %s: commands go to all; \"z 0,2\" chooses ranks, \"z\" all, Ctrl-C stops them, \"quit\" ends the job\n",
		plural(len(ranks), "rank")))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Add takes in what the debugger of a rank has written.
func (c *Console) Add(rank int, text []byte, now time.Time) {
	d := c.all[rank]
	if d == nil {
		return
	}
	before := d.said.Len()
	d.take(string(text))
	if d.said.Len() > before {
		c.changed = now
	}
	c.goOn(now)
}

// Gone notes that the debugger of a rank has ended.
func (c *Console) Gone(rank int, now time.Time) {
	if d := c.all[rank]; d != nil && !d.gone {
		d.gone, d.running, d.prompts = true, false, false
		c.goOn(now)
	}
}

// Line takes in a line that the user has typed, without its end.
func (c *Console) Line(line string, now time.Time) {
	c.queue = append(c.queue, line)
	if c.Terminal {
		c.prompted = false // the cursor stands on a new line
	}
	c.goOn(now)
}

// End notes that the user types no more.
func (c *Console) End(now time.Time) {
	c.ended = true
	c.goOn(now)
}

// Stop interrupts the programs of the chosen ranks, as Ctrl-C does.
func (c *Console) Stop() {
	for _, r := range c.chosen {
		if d := c.all[r]; d.running {
			c.Interrupt(r)
		}
	}
}

// Due is when Tick is to be called, zero for never.
func (c *Console) Due() time.Time {
	if c.changed.IsZero() {
		return c.changed
	}
	return c.changed.Add(patience)
}

// Tick shows what has waited for long.
func (c *Console) Tick(now time.Time) {
	if due := c.Due(); !due.IsZero() && !now.Before(due) {
		c.flush()
		c.goOn(now)
	}
}

// ready reports whether all chosen ranks wait for a command, but for those that have ended.
func (c *Console) ready() bool {
	return !slices.ContainsFunc(c.chosen, func(r int) bool { d := c.all[r]; return !d.gone && !d.prompts })
}

// busy reports whether a rank of some has still to answer: it neither waits for a command, nor runs, nor has
// ended.
func (c *Console) busy(ranks []int) bool {
	return slices.ContainsFunc(ranks, func(r int) bool {
		d := c.all[r]
		return !d.gone && !d.prompts && !d.running
	})
}

// goOn does what can be done: shows what ranks have said, and carries out lines.
func (c *Console) goOn(now time.Time) {
	for {
		if c.ready() && !c.busy(slices.Collect(maps.Keys(c.all))) {
			c.flush()
		}
		if len(c.queue) == 0 {
			break
		}
		word, rest := split(c.queue[0])
		if word == "z" && c.deep == 0 {
			if c.busy(c.chosen) {
				break
			}
			c.flush()
			c.echo(c.queue[0])
			c.queue = c.queue[1:]
			c.choose(rest)
			continue
		}
		if c.deep == 0 && !c.ready() {
			break
		}
		c.flush()
		line := c.queue[0]
		c.queue = c.queue[1:]
		c.carryOut(line)
	}
	if c.ended && len(c.queue) == 0 && c.ready() && !c.quitting {
		c.flush()
		c.quit()
	}
	c.ask()
}

// split is the first word of a line, and the rest.
func split(line string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
	return word, strings.TrimSpace(rest)
}

// carryOut gives a line to the chosen ranks.
func (c *Console) carryOut(line string) {
	word, rest := split(line)
	if word == "" && c.deep == 0 {
		if line = c.last; line == "" {
			return
		}
		word, rest = split(line)
	}
	c.echo(line)
	switch {
	case c.deep == 0 && (word == "quit" || word == "q" || word == "exit") && len(c.chosen) == len(c.all):
		c.quit()
		return
	case opensBlock(word, rest) || c.deep > 0 && (word == "if" || word == "while"):
		c.deep++
	case word == "end" && c.deep > 0:
		c.deep--
	}
	if c.last = ""; repeats(word) && c.deep == 0 {
		c.last = line
	}
	for _, r := range c.chosen {
		if d := c.all[r]; !d.gone {
			d.asked, d.prompts = append(d.asked, line), false
			c.Send(r, line)
		}
	}
}

// opensBlock reports whether gdb reads the lines behind a command as a part of it, to a line "end".
func opensBlock(word, rest string) bool {
	switch word {
	case "commands", "define", "document", "if", "while":
		return true
	case "python", "py", "guile", "gu", "compile":
		return rest == ""
	}
	return false
}

// repeats reports whether an empty line behind a command carries it out once more, as with gdb.
func repeats(word string) bool {
	switch word {
	case "s", "step", "n", "next", "si", "stepi", "ni", "nexti", "c", "continue", "fg", "u", "until", "up", "down",
		"fin", "finish", "l", "list", "x":
		return true
	}
	return strings.HasPrefix(word, "x/")
}

// choose chooses ranks by a list, "" and "all" being all.
func (c *Console) choose(list string) {
	ranks := slices.Sorted(maps.Keys(c.all))
	if list != "" && list != "all" {
		var err error
		wanted, err := ParseRanks(list)
		if err == nil {
			for _, r := range wanted {
				if c.all[r] == nil {
					err = fmt.Errorf("rank %d runs in no debugger; %s do", r, FormatRanks(ranks))
				}
			}
		}
		if err != nil {
			c.Show(err.Error() + "\n")
			return
		}
		ranks = wanted
	}
	c.chosen = ranks
	var running, gone []int
	for _, r := range ranks {
		switch d := c.all[r]; {
		case d.gone:
			gone = append(gone, r)
		case d.running:
			running = append(running, r)
		}
	}
	if len(running) > 0 {
		c.Show(mark(running) + "running\n")
	}
	if len(gone) > 0 {
		c.Show(mark(gone) + "ended\n")
	}
}

// mark is what stands ahead of what some ranks have said, and of no others.
func mark(ranks []int) string { return "[" + FormatRanks(ranks) + "] " }

// flush shows what ranks have said. Lines that several have said at the same place are shown once, of ranks
// that have said as many of them.
func (c *Console) flush() {
	c.changed = time.Time{}
	said := map[int][][]string{} // by their number of lines: the lines of each rank
	who := map[int][]int{}
	for _, r := range slices.Sorted(maps.Keys(c.all)) {
		d := c.all[r]
		lines := slices.DeleteFunc(strings.Split(d.said.String(), "\n"),
			func(line string) bool { return strings.TrimSpace(line) == "" })
		d.said.Reset()
		if n := len(lines); n > 0 {
			said[n], who[n] = append(said[n], lines), append(who[n], r)
		}
	}
	if len(said) > 0 && c.prompted {
		c.Show("\n")
		c.prompted = false
	}
	for _, n := range slices.Sorted(maps.Keys(said)) {
		for k := range n {
			c.showLine(k, said[n], who[n])
		}
	}
}

// showLine shows the line of that index of what some ranks have said.
func (c *Console) showLine(k int, said [][]string, who []int) {
	done := make([]bool, len(who))
	for i := range who {
		if done[i] {
			continue
		}
		var same []int
		for o := i; o < len(who); o++ {
			if said[o][k] == said[i][k] {
				done[o], same = true, append(same, who[o])
			}
		}
		c.Show(mark(same) + said[i][k] + "\n")
	}
}

// prompt is what the user is asked by.
func (c *Console) prompt() string { return fmt.Sprintf("(gdb %s) ", FormatRanks(c.chosen)) }

// echo shows a line that no terminal shows.
func (c *Console) echo(line string) {
	if !c.Terminal {
		c.Show(c.prompt() + line + "\n")
	}
}

// ask shows the prompt when the user may type a command that is carried out at once.
func (c *Console) ask() {
	idle := len(c.queue) == 0 && c.deep == 0 && c.changed.IsZero() && c.ready()
	if c.Terminal && !c.prompted && !c.quitting && idle {
		c.Show(c.prompt())
		c.prompted = true
	}
}

// quit ends the job.
func (c *Console) quit() {
	if !c.quitting {
		c.quitting = true
		c.Quit()
	}
}
