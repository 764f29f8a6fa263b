package manual

import (
	"regexp"
	"strings"
)

// option matches a line of a command's help that explains an option: what is typed, and behind at least one
// blank, at a column that the help has for it, what it means.
var option = regexp.MustCompile(`^  (-.*)$`)

// FromHelp makes the page of a command of what it prints when asked for help: examples and paragraphs, and
// lines of options. An option's line is two blanks, what is typed, blanks, and what it means; the next lines
// may go on, at the same column or further in.
func FromHelp(command, help string) Page {
	p := Page{Name: command, Section: 1, Names: []string{command}, Group: "Commands"}
	p.Title, help = title(command, help)
	if usage, rest, ok := strings.Cut(help, "\n"); ok && strings.HasPrefix(usage, "usage: ") {
		p.Add("Synopsis", Block{Code: []string{strings.TrimPrefix(usage, "usage: ")}})
		help = rest
	}
	var blocks []Block
	heading := "Description"
	var text []string
	paragraph := func() {
		if text != nil {
			blocks = append(blocks, Text(text...))
			text = nil
		}
	}
	column := meanings(help)
	for line := range strings.SplitSeq(help, "\n") {
		line = strings.TrimRight(line, " ")
		last := len(blocks) - 1
		switch {
		case line == "":
			paragraph()
		case option.MatchString(line):
			paragraph()
			if heading == "Description" {
				p.Add(heading, blocks...)
				heading, blocks = "Options", []Block{{}}
			} else if blocks[len(blocks)-1].Items == nil {
				blocks = append(blocks, Block{})
			}
			b := &blocks[len(blocks)-1]
			typed, meaning := apart(line, column)
			b.Items = append(b.Items, Item{Term: typed, Text: meaning})
		case strings.HasPrefix(line, strings.Repeat(" ", 8)) && last >= 0 && blocks[last].Items != nil:
			items := blocks[last].Items
			item := &items[len(items)-1]
			item.Text = strings.TrimSpace(item.Text + " " + strings.TrimSpace(line))
		case strings.HasPrefix(line, "  "):
			paragraph()
			if last = len(blocks) - 1; last >= 0 && blocks[last].Code != nil {
				blocks[last].Code = append(blocks[last].Code, strings.TrimPrefix(line, "  "))
			} else {
				blocks = append(blocks, Block{Code: []string{strings.TrimPrefix(line, "  ")}})
			}
		default:
			text = append(text, line)
		}
	}
	paragraph()
	var after []Block
	for len(blocks) > 0 && blocks[len(blocks)-1].Items == nil {
		after = append([]Block{blocks[len(blocks)-1]}, after...)
		blocks = blocks[:len(blocks)-1]
	}
	if heading == "Options" {
		p.Add(heading, blocks...)
		heading = "Notes"
	}
	p.Add(heading, after...)
	return p
}

// title is what a command does, by the first sentence of its help, and the help without that line where the
// line says no more.
func title(command, help string) (title, rest string) {
	first, rest, _ := strings.Cut(help, "\n")
	if does, ok := strings.CutPrefix(first, command+" "); ok {
		does, _, _ = strings.Cut(does, " (")
		return strings.TrimSuffix(does, "."), rest
	}
	for line := range strings.SplitSeq(help, "\n") {
		if line != "" && !strings.HasPrefix(line, "usage: ") {
			does, _, _ := strings.Cut(line, ". ")
			return strings.ToLower(does[:1]) + strings.TrimSuffix(does[1:], "."), help
		}
	}
	return "", help
}

// meanings is the column at which most lines of options begin to say what is meant.
func meanings(help string) int {
	columns := map[int]int{}
	most := 0
	for line := range strings.SplitSeq(help, "\n") {
		if at := strings.LastIndex(line, "  "); option.MatchString(line) && at > 2 {
			columns[at+2]++
			if columns[at+2] > columns[most] {
				most = at + 2
			}
		}
	}
	return most
}

// apart cuts the line of an option into what is typed and what it means.
func apart(line string, column int) (typed, meaning string) {
	if len(line) > column && column > 0 && line[column-1] == ' ' {
		return strings.TrimSpace(line[:column]), strings.Join(strings.Fields(line[column:]), " ")
	}
	typed, meaning, _ = strings.Cut(strings.TrimSpace(line), "  ")
	return typed, strings.Join(strings.Fields(meaning), " ")
}
