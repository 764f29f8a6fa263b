package main

import (
	"errors"
	"strings"
)

// splitWords splits a line into words as a shell does and as compilers do with
// their response files: at white space, with ”, "" and \ to quote.
func splitWords(line string) ([]string, error) {
	var (
		words   []string
		word    strings.Builder
		inWord  bool
		quote   byte
		escaped bool
	)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case escaped:
			word.WriteByte(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case strings.IndexByte(" \t\n\r\v\f", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quotation mark is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// showWords writes words so that a shell reads them back as they are.
func showWords(words []string) string {
	shown := make([]string, len(words))
	for i, word := range words {
		shown[i] = showWord(word)
	}
	return strings.Join(shown, " ")
}

// showWord quotes a word where that is needed. Of an option with its value
// attached only the value is quoted, -I"/my dir": CMake's FindMPI knows no other
// form.
func showWord(word string) string {
	if word != "" && strings.IndexFunc(word, needsQuote) < 0 {
		return word
	}
	for _, option := range []string{"-Wl,", "-I", "-L", "-l", "-D"} {
		if value, ok := strings.CutPrefix(word, option); ok && value != "" {
			return option + quoted(value)
		}
	}
	return quoted(word)
}

func needsQuote(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r > 127:
		return false
	}
	return !strings.ContainsRune("_-+=./:,@%", r)
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(text) + `"`
}
