package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// readConfig reads a file that describes programs, one per line, as they would stand between colons. A line
// that begins with "#" is a comment, a backslash at its end continues it.
func (l *commandLine) readConfig(a []string) error {
	text, err := os.ReadFile(a[0])
	if err != nil {
		return fmt.Errorf("the file cannot be read: %w", err)
	}
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	for number, line := range strings.Split(joined, "\n") {
		words, err := splitWords(line)
		if err == nil && len(words) > 0 {
			err = l.sections(words)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number+1, err)
		}
	}
	return nil
}

// splitWords splits a line as a shell does, with quotes and backslashes but without any expansion.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			word.WriteByte(c)
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			open = true
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == '#' && !open:
			return words, nil
		case c == ' ' || c == '\t' || c == '\r':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quotation mark is not closed")
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
