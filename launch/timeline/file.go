package timeline

import (
	"errors"
	"io"
	"os"
)

// WriteFile writes a new file by a function and closes it. A file that could not be written as a whole is
// removed, so that nobody takes what is in it for a result; what is no regular file stays.
func WriteFile(f *os.File, write func(io.Writer) error) error {
	err := errors.Join(write(f), f.Close())
	if err != nil {
		Discard(f)
	}
	return err
}

// Discard closes a file that is not worth keeping, and removes it if it is a regular one.
func Discard(f *os.File) {
	f.Close()
	if st, err := os.Stat(f.Name()); err != nil || !st.Mode().IsRegular() {
		return
	}
	_ = os.Truncate(f.Name(), 0) // the path may be a link, and the file have other names
	_ = os.Remove(f.Name())
}
