package live

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Lines is the table as text: a line for the job, the names of the columns, and a line for each rank. They
// are cut to width columns of a terminal; 0 leaves them whole.
func (t *Table) Lines(width int) []string {
	lines := append([]string{t.Summary()}, t.grid()...)
	for i, line := range lines {
		lines[i] = Cut(line, width)
	}
	return lines
}

// Cut is the beginning of a line that a terminal of that many columns has room for; 0 is any number.
func Cut(line string, width int) string {
	if width <= 0 || utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:max(0, width-1)]) + "…"
}

// Columns from firstNumber up to behindNumbers stand at the right of their cells.
const firstNumber, behindNumbers = 3, 9

// grid is the names of the columns and a line for each rank.
func (t *Table) grid() []string {
	cells := [][]string{{"rank", "host", "state", "wait", "calls/s", "msgs/s", "bytes/s", "cpu", "memory", "what it does"}}
	hosts := false
	for i := range t.Rows {
		cells = append(cells, t.Rows[i].cells())
		hosts = hosts || t.Rows[i].Host != ""
	}
	widths := make([]int, len(cells[0]))
	for _, row := range cells {
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	var lines []string
	for _, row := range cells {
		var line strings.Builder
		for k, cell := range row {
			if k == 1 && !hosts {
				continue
			}
			space := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if k > 0 {
				line.WriteString("  ")
			}
			if k == 0 || k >= firstNumber && k < behindNumbers {
				line.WriteString(space + cell)
			} else {
				line.WriteString(cell + space)
			}
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

// cells is what stands in the columns of a rank.
func (r *Row) cells() []string {
	wait, calls, messages, bytes := "-", "-", "-", "-"
	if s := r.Rates; s != nil {
		wait = fmt.Sprintf("%.0f%%", s.Waiting*100)
		calls, messages, bytes = Short(s.Operations), Short(s.Messages), Short(s.Bytes)
	}
	cpu, memory := "-", "-"
	if r.State != Ended {
		cpu, memory = fmt.Sprintf("%.0f%%", r.Processors*100), Short(float64(r.Memory))
	}
	return []string{r.Name(), r.Host, r.word(), wait, calls, messages, bytes, cpu, memory, r.What()}
}

// Name is what the table calls the rank: "3", or "1.3" in a spawned world.
func (r *Row) Name() string {
	if r.World > 0 {
		return fmt.Sprintf("%d.%d", r.World, r.Rank)
	}
	return fmt.Sprint(r.Rank)
}

// word is what the rank does, in a word.
func (r *Row) word() string {
	if r.State == Running && r.Doing == computes {
		return computing
	}
	return string(r.State)
}

// computing is the word for a rank that is Running and uses its processor.
const computing = "computing"

// computes is what is said of a rank whose main thread runs.
const computes = "uses its processor"

// What is what the rank does, in words; "" when there is no more to say than its state.
func (r *Row) What() string {
	if r.Call == "" {
		if r.Doing == computes {
			return ""
		}
		return r.Doing
	}
	text := r.Call
	if r.Place != "" {
		text += " at " + r.Place
	}
	if r.Lasted >= shortest {
		text += " for " + seconds(r.Lasted)
	}
	if r.For != "" {
		text += ": " + r.For
	}
	if r.More > 0 {
		text += fmt.Sprintf(" (and in %d more)", r.More)
	}
	return text
}

// shortest is the shortest wait whose time is told, in seconds.
const shortest = 0.001

// seconds is a time in words.
func seconds(s float64) string {
	switch {
	case s < 0.0995:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 9.95:
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// Short is a number in at most five characters, with the prefix of its unit: "12.3k".
func Short(x float64) string {
	prefixes := []string{"", "k", "M", "G", "T", "P"}
	i := 0
	for ; x >= 999.5 && i < len(prefixes)-1; i++ {
		x /= 1000
	}
	if i == 0 || x >= 99.95 {
		return fmt.Sprintf("%.0f%s", x, prefixes[i])
	}
	return fmt.Sprintf("%.1f%s", x, prefixes[i])
}

// Summary is the whole job in one line.
func (t *Table) Summary() string {
	numbers := map[string]int{}
	var messages, bytes, processors, memory float64
	counted := false
	for i := range t.Rows {
		r := &t.Rows[i]
		numbers[r.word()]++
		processors += r.Processors
		memory += float64(r.Memory)
		if r.Rates != nil {
			counted = true
			messages += r.Rates.Messages
			bytes += r.Rates.Bytes
		}
	}
	var parts []string
	for _, state := range []State{computing, Running, Waiting, Polling, Starting, Finished, Ended} {
		if n, word := numbers[string(state)], state; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	text := fmt.Sprintf("%d ranks: %s; ", len(t.Rows), strings.Join(parts, ", "))
	if len(t.Rows) == 1 {
		text = strings.Replace(text, "ranks", "rank", 1)
	}
	if counted {
		text += fmt.Sprintf("%s messages/s, %s bytes/s, ", Short(messages), Short(bytes))
	}
	text += fmt.Sprintf("%.1f processors, memory %s", processors, Short(memory))
	if len(t.Silent) > 0 {
		text += "; no answer from " + strings.Join(t.Silent, ", ")
	}
	return text
}
