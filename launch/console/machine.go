package console

import (
	"slices"
	"strings"
)

// debuggee is one rank and the gdb that it runs in, which speaks GDB/MI: a line for each record, and a prompt
// when it has done what it was asked for. Texts for the user are records as well, so they cannot be taken for
// what the program writes.
type debuggee struct {
	rank    int
	in      string   // the line that has not ended
	prompts bool     // it waits for a command
	running bool     // its program runs
	gone    bool     // it has ended
	asked   []string // commands that it has not repeated yet
	said    strings.Builder
}

// prompt is what gdb writes when it waits for a command; not all versions have the space.
const prompt = "(gdb)"

// take takes in what gdb has written.
func (d *debuggee) take(text string) {
	d.in += text
	for {
		line, rest, ok := strings.Cut(d.in, "\n")
		if !ok {
			return
		}
		d.in = rest
		d.record(strings.TrimSuffix(line, "\r"))
	}
}

// record takes in one line.
func (d *debuggee) record(line string) {
	body := strings.TrimLeft(line, "0123456789") // the number of the command that it answers
	switch {
	case strings.TrimSpace(line) == prompt:
		d.prompts, d.asked = !d.running, nil
	case body == "":
	case body[0] == '~', body[0] == '@':
		if text := unquote(body[1:]); text != ">" { // by which it asks for the lines of a block
			d.say(text)
		}
	case body[0] == '&':
		text := unquote(body[1:])
		if i := slices.Index(d.asked, strings.TrimSuffix(text, "\n")); i >= 0 {
			d.asked = d.asked[i+1:]
		} else {
			d.say(text)
		}
	case strings.HasPrefix(body, "^running"), strings.HasPrefix(body, "*running"):
		d.running, d.prompts = true, false
	case strings.HasPrefix(body, "*stopped"):
		d.running = false
	case strings.HasPrefix(body, "^done"), strings.HasPrefix(body, "^connected"), strings.HasPrefix(body, "^exit"):
		d.running = false
	case strings.HasPrefix(body, "^error"):
		d.running = false
	case body[0] == '=', body[0] == '*', body[0] == '+', body[0] == '^':
	default:
		d.say(line + "\n") // by a program that writes to gdb's output after all
	}
}

func (d *debuggee) say(text string) { d.said.WriteString(text) }

// unquote is the text of a string in C.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	s = s[1 : len(s)-1]
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			out.WriteByte('\n')
		case 't':
			out.WriteByte('\t')
		case 'r':
			out.WriteByte('\r')
		case 'e':
			out.WriteByte(0x1b)
		case 'a':
			out.WriteByte(7)
		case 'b':
			out.WriteByte(8)
		case 'f':
			out.WriteByte(12)
		case 'v':
			out.WriteByte(11)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, k := 0, 0
			for ; k < 3 && i+k < len(s) && s[i+k] >= '0' && s[i+k] <= '7'; k++ {
				n = n*8 + int(s[i+k]-'0')
			}
			out.WriteByte(byte(n))
			i += k - 1
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}
