package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gompi/launch/ask"
	"gompi/launch/live"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// view is what the terminal shows.
type view struct {
	job           job
	options       options
	width, height int // of the terminal
	before        *live.Sample
	table         *live.Table
	order         order
	paused        bool
	page          page
	text          []string // of the page, if it is not the table
	first         int      // line that is shown first
	ended         bool
	output        *relay // of the job, which is shown above the table; nil where the job is another's
	interrupt     func() // passes Ctrl-C on to the job; nil where that only leaves the view
}

// order is by what the ranks are sorted.
type order int

const (
	byRank    order = iota
	byWaiting       // those first that have waited for longest
	byTraffic       // those first that send most
	orders
)

func (o order) String() string {
	return [...]string{"by rank", "longest wait first", "most bytes first"}[o]
}

// page is what is shown.
type page int

const (
	tablePage page = iota
	reportPage
	linesPage
)

// What the view hears of.
type (
	ticked  struct{}
	sampled struct {
		sample *live.Sample
		err    error
	}
	told struct {
		page page
		text string
		err  error
	}
	finished struct{} // the job has ended
)

// Styles of what is shown.
var (
	titleStyle  = lipgloss.NewStyle().Reverse(true)
	headStyle   = lipgloss.NewStyle().Bold(true)
	footStyle   = lipgloss.NewStyle().Faint(true)
	stateStyles = map[string]lipgloss.Style{
		"computing": lipgloss.NewStyle().Foreground(lipgloss.Color("2")),
		"waiting":   lipgloss.NewStyle().Foreground(lipgloss.Color("3")),
		"polling":   lipgloss.NewStyle().Foreground(lipgloss.Color("3")),
	}
)

// look shows a job until the user has seen enough, or it has ended.
func look(j job, o options) error {
	if _, err := sample(j.pid); err != nil { // ahead of the first picture
		return err
	}
	end, err := tea.NewProgram(&view{job: j, options: o}).Run()
	if err != nil {
		return fmt.Errorf("the terminal: %w", err)
	}
	if v, ok := end.(*view); ok && v.ended {
		fmt.Printf("the job has ended: %s\n", j.command)
	}
	return nil
}

// Init implements tea.Model.
func (v *view) Init() tea.Cmd { return v.ask() }

// ask asks what the ranks do.
func (v *view) ask() tea.Cmd {
	pid := v.job.pid
	return func() tea.Msg {
		s, err := sample(pid)
		return sampled{s, err}
	}
}

// tell asks for the text of a page.
func (v *view) tell(p page, form string) tea.Cmd {
	pid := v.job.pid
	return func() tea.Msg {
		text, err := ask.Ask(pid, form)
		return told{p, string(text), err}
	}
}

// Update implements tea.Model.
func (v *view) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		v.width, v.height = m.Width, m.Height
		if v.output != nil {
			return v, v.output.show(v.width)
		}
	case tea.KeyPressMsg:
		return v, v.key(m.String())
	case written:
		return v, v.output.show(v.width)
	case shown:
		return v, v.output.next(v.width)
	case finished:
		v.ended = true
		return v, v.leave()
	case ticked:
		if v.paused {
			return v, v.tick()
		}
		return v, v.ask()
	case sampled:
		if m.err != nil {
			if v.options.inline {
				return v, v.tick() // it has not begun, or is about to end
			}
			v.ended = true
			return v, v.leave()
		}
		if v.before != nil {
			v.table = live.Between(v.before, m.sample)
		} else {
			v.table = live.Between(&live.Sample{}, m.sample)
		}
		v.before = m.sample
		return v, v.tick()
	case told:
		if v.page == m.page {
			v.text = strings.Split(strings.TrimRight(m.text, "\n"), "\n")
			if m.err != nil {
				v.text = []string{m.err.Error()}
			}
		}
	}
	return v, nil
}

func (v *view) tick() tea.Cmd {
	return tea.Tick(v.options.every, func(time.Time) tea.Msg { return ticked{} })
}

// leave ends the view.
func (v *view) leave() tea.Cmd {
	if v.output == nil {
		return tea.Quit
	}
	v.ended = true // the table goes, and the output stays
	return v.output.leave(v.width)
}

// key does what a key asks for.
func (v *view) key(k string) tea.Cmd {
	switch k {
	case "ctrl+c":
		if v.interrupt == nil {
			return v.leave()
		}
		v.interrupt()
	case "q":
		if v.page == tablePage {
			return v.leave()
		}
		v.page, v.first = tablePage, 0
	case "h":
		v.turn(reportPage)
		return v.tell(reportPage, ask.Text)
	case "l":
		v.turn(linesPage)
		return v.tell(linesPage, ask.Lines)
	case "esc", "t":
		v.page, v.first = tablePage, 0
	case "s":
		v.order = (v.order + 1) % orders
	case "p", "space":
		v.paused = !v.paused
	case "down", "j":
		v.first++
	case "up", "k":
		v.first = max(0, v.first-1)
	case "pgdown":
		v.first += v.room()
	case "pgup":
		v.first = max(0, v.first-v.room())
	case "home", "g":
		v.first = 0
	}
	return nil
}

// turn goes to a page whose text is about to come.
func (v *view) turn(p page) {
	if v.page != p {
		v.page, v.first, v.text = p, 0, []string{"..."}
	}
}

// room is how many lines there is room for below the head of the table.
func (v *view) room() int {
	const around = 4 // title, summary, head and keys
	if v.options.inline {
		return max(1, min(v.height/2, mostInline)-around)
	}
	return max(1, v.height-around)
}

// mostInline is how many lines the table takes below a job's output, at most.
const mostInline = 20

// View implements tea.Model.
func (v *view) View() tea.View {
	shown := tea.NewView(v.picture())
	shown.AltScreen = !v.options.inline
	return shown
}

// picture is what the terminal shows.
func (v *view) picture() string {
	if v.width == 0 || v.ended && v.options.inline {
		return ""
	}
	lines := []string{titleStyle.Render(pad(live.Cut(v.title(), v.width), v.width))}
	switch {
	case v.page != tablePage:
		text := ansi.Wrap(strings.Join(v.text, "\n"), v.width, " ")
		lines = append(lines, v.window(strings.Split(text, "\n"))...)
	case v.table == nil:
		lines = append(lines, "the job has not begun yet")
	default:
		all := v.sorted().Lines(v.width)
		lines = append(lines, all[0], headStyle.Render(all[1]))
		for _, line := range v.window(all[2:]) {
			lines = append(lines, colored(line))
		}
	}
	keys := "h hang report  l lines of code  s sort  p pause  q quit"
	if v.page != tablePage {
		keys = "t table  h hang report  l lines of code  q back"
	}
	return strings.Join(append(lines, footStyle.Render(live.Cut(keys, v.width))), "\n")
}

// title is the first line.
func (v *view) title() string {
	text := fmt.Sprintf(" gompi-top  pid %d  %s", v.job.pid, v.order)
	if v.paused {
		text += "  paused"
	}
	return text + "  " + v.job.command
}

// window is the lines that there is room for.
func (v *view) window(all []string) []string {
	v.first = max(0, min(v.first, len(all)-v.room()))
	shown := slices.Clone(all[v.first:min(len(all), v.first+v.room())])
	for i, line := range shown {
		shown[i] = live.Cut(line, v.width)
	}
	return shown
}

// sorted is the table in the order that the user has chosen.
func (v *view) sorted() *live.Table {
	t := *v.table
	t.Rows = slices.Clone(t.Rows)
	traffic := func(r *live.Row) float64 {
		if r.Rates == nil {
			return 0
		}
		return r.Rates.Bytes
	}
	slices.SortStableFunc(t.Rows, func(a, b live.Row) int {
		switch v.order {
		case byWaiting:
			return cmp.Compare(b.Lasted, a.Lasted)
		case byTraffic:
			return cmp.Compare(traffic(&b), traffic(&a))
		}
		return 0
	})
	return &t
}

// colored is a line of the table with the word for its state in color.
func colored(line string) string {
	for word, style := range stateStyles {
		if before, after, ok := strings.Cut(line, " "+word+" "); ok {
			return before + " " + style.Render(word) + " " + after
		}
	}
	return line
}

// pad is a line as wide as the terminal.
func pad(line string, width int) string {
	return line + strings.Repeat(" ", max(0, width-lipgloss.Width(line)))
}
