package pmi

import (
	"strings"
)

// Encode makes one word of any text, for what gompi's library tells gompi's launcher: bytes that a word
// cannot carry, and the percent sign, become %XX.
func Encode(text string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if c := text[i]; c <= ' ' || c == '%' || c == 0x7f {
			out.WriteByte('%')
			out.WriteByte(digits[c>>4])
			out.WriteByte(digits[c&15])
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// Decode undoes Encode. What Encode cannot have written stays as it is.
func Decode(word string) string {
	if !strings.Contains(word, "%") {
		return word
	}
	var out strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] == '%' && i+2 < len(word) {
			high, low := hexDigit(word[i+1]), hexDigit(word[i+2])
			if high >= 0 && low >= 0 {
				out.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		out.WriteByte(word[i])
	}
	return out.String()
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
