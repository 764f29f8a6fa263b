package mpierr

import "sync"

// lastCode is MPI_ERR_LASTCODE: what a program adds comes after it.
const lastCode = 0x3fff

// Added is the error classes, codes and texts that a program adds (MPI 5.0, 9.5). The zero Added is empty and
// ready for use, by several threads.
type Added struct {
	mu    sync.Mutex
	made  int
	codes map[int]*addedCode // classes too: a class is a code
	tell  func(code int, class Class)
}

type addedCode struct {
	class Class
	text  string
	codes int // of a class: how many codes belong to it, besides itself
}

// Last is the highest class or code in use so far, MPI_LASTUSEDCODE.
func (a *Added) Last() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return lastCode + a.made
}

func (a *Added) add(class Class) int {
	if a.codes == nil {
		a.codes = map[int]*addedCode{}
	}
	a.made++
	code := lastCode + a.made
	if class < 0 {
		class = Class(code)
	} else if c := a.codes[int(class)]; c != nil {
		c.codes++
	}
	a.codes[code] = &addedCode{class: class}
	a.told(code, class)
	return code
}

// AddClass makes an error class (MPI_Add_error_class).
func (a *Added) AddClass() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.add(-1)
}

// Tell has a function know all codes with their classes, now and whenever there is another one. It gets class
// 0 for a code that has been removed.
func (a *Added) Tell(f func(code int, class Class)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tell = f
	for code, c := range a.codes {
		f(code, c.class)
	}
}

// told tells of a code. The lock is held.
func (a *Added) told(code int, class Class) {
	if a.tell != nil {
		a.tell(code, class)
	}
}

// isClass reports whether there is such a class, predefined or added. The lock is held.
func (a *Added) isClass(class int) bool {
	c := a.codes[class]
	return Class(class).Predefined() || c != nil && c.class == Class(class)
}

// AddCode makes an error code of a class (MPI_Add_error_code).
func (a *Added) AddCode(class int) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.isClass(class) {
		return 0, New(ErrArg, "errorclass %d is no error class", class)
	}
	return a.add(Class(class)), nil
}

// SetText gives a class or code that was added its text (MPI_Add_error_string), or takes it away when text is
// empty (MPI_Remove_error_string).
func (a *Added) SetText(code int, text string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.codes[code]
	if !ok {
		return notAdded(code)
	}
	c.text = text
	return nil
}

func notAdded(code int) error {
	return New(ErrArg, "errorcode %d was not added by this program", code)
}

// Remove takes back a code, or a class when class is true (MPI_Remove_error_code, MPI_Remove_error_class). A
// class must have no codes and neither may have a text any more (MPI 5.0, 9.5).
func (a *Added) Remove(code int, class bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.codes[code]
	if !ok || (c.class == Class(code)) != class {
		return notAdded(code)
	}
	if c.text != "" {
		return New(ErrArg, "errorcode %d still has a text", code)
	}
	if c.codes > 0 {
		return New(ErrArg, "errorclass %d still has %d error codes", code, c.codes)
	}
	if of := a.codes[int(c.class)]; !class && of != nil {
		of.codes--
	}
	delete(a.codes, code)
	a.told(code, 0)
	return nil
}

// Lookup is the class and text of a class or code that was added; ok is false when there is none.
func (a *Added) Lookup(code int) (class Class, text string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.codes[code]; c != nil {
		return c.class, c.text, true
	}
	return 0, "", false
}
