package output

// Show shows text of the launcher's own: whole lines, or a prompt, which is a line that has no end.
func (s *Stream) Show(text string) {
	if text[len(text)-1] == '\n' {
		s.emit([]byte(text))
		return
	}
	s.partial = append(s.partial[:0], text...)
	s.ShowPartial()
}

// Entered notes that the terminal has ended the line of a prompt, as the user has typed Enter.
func (s *Stream) Entered() { s.shown, s.Queue.display.open = false, nil }
