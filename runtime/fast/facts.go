package fast

import "sync/atomic"

// Facts are what this package knows of the process. They are written before the program can ask.
type Facts struct {
	Level      int32           // thread level (MPI 5.0, 11.6.1)
	NameLength uint32          // of Name, without the zero behind it; 0 when it is not known
	Main       uintptr         // the kernel's number of the main thread; 0 when that is not known
	Texts      uintptr         // of the predefined error classes (SetFacts)
	Name       [nameRoom]uint8 // of the processor
	// where the values of the predefined attributes of communicators stand, from MPI_TAG_UB on; 0 where Go
	// has to be asked. These are written later.
	Attributes [PredefinedKeys]uintptr
}

const nameRoom = 256 // MPI_MAX_PROCESSOR_NAME

// MostClasses is above all predefined error classes but MPI_ERR_LASTCODE.
const MostClasses = 1024

// The version of the standard.
const (
	Version    int32 = 5
	Subversion int32 = 0
)

// GetVersion is MPI_Get_version (MPI 5.0, 9.1.1).
func GetVersion(e *Endpoint, version, subversion *int32) bool {
	if e == nil || nowhere(version) || nowhere(subversion) {
		return false
	}
	*version = Version
	*subversion = Subversion
	return true
}

// GetProcessorName is MPI_Get_processor_name (MPI 5.0, 9.1.2).
func GetProcessorName(e *Endpoint, name uintptr, length *int32) bool {
	if name < Lowest || nowhere(length) || e.Facts.NameLength == 0 {
		return false
	}
	copyAll(name, addressOf(&e.Facts.Name[0]), uint64(e.Facts.NameLength)+1)
	*length = int32(e.Facts.NameLength)
	return true
}

// text is the distance of a class's text from Facts.Texts, below 0 once Tell has been called; 0 for what is
// no predefined class.
func (o *Objects) text(class int32) int32 {
	if o == nil || uint32(class) >= MostClasses || o.Facts.Texts == 0 {
		return 0
	}
	return atomic.LoadInt32(intAt(numbersAt(o.Facts.Texts), class))
}

// ErrorClass is MPI_Error_class (MPI 5.0, 9.5) of the predefined classes, which are codes as well, and of
// what the program has added.
func ErrorClass(e *Endpoint, code int32, class *int32) bool {
	if nowhere(class) || e == nil {
		return false
	}
	of := code
	if e.text(code) == 0 {
		of = e.class(code)
	}
	if of == 0 {
		return false
	}
	*class = of
	return true
}

// LastCode is MPI_ERR_LASTCODE: what a program adds comes after it.
const LastCode int32 = 0x3fff

// Codes is the error classes of the codes that the program has added, by their distance from LastCode.
type Codes struct {
	Classes [Chunks]*int32 // 0 for what is no code
}

// codeIndex is where the class of a code stands; 0 of the last predefined one.
func codeIndex(code int32) uintptr { return uintptr(uint32(code) - uint32(LastCode)) }

// class is the class of such a code; 0 for all others.
func (c *Codes) class(code int32) int32 {
	i := codeIndex(code)
	if i == 0 || i > objectMask {
		return 0
	}
	chunk := c.Classes[i>>ChunkBits]
	if chunk == nil {
		return 0
	}
	return atomic.LoadInt32(intAt(chunk, int32(i&chunkMask)))
}

// ErrorString is MPI_Error_string (MPI 5.0, 9.4) of the predefined classes of which there was no error yet.
func ErrorString(e *Endpoint, code int32, text uintptr, length *int32) bool {
	off := e.text(code)
	if off <= 0 || text < Lowest || nowhere(length) {
		return false
	}
	from := e.Facts.Texts + uintptr(off)
	n := *intAt(numbersAt(from), -1)
	copyAll(text, from, uint64(n)+1)
	*length = n
	return true
}

// QueryThread is MPI_Query_thread (MPI 5.0, 11.6.1).
func QueryThread(e *Endpoint, provided *int32) bool {
	if nowhere(provided) || e.Facts.Main == 0 {
		return false
	}
	*provided = e.Facts.Level
	return true
}

// IsThreadMain is MPI_Is_thread_main (MPI 5.0, 11.6.1).
func IsThreadMain(e *Endpoint, flag *int32) bool {
	if nowhere(flag) || e.Facts.Main == 0 {
		return false
	}
	*flag = 0
	if inMain(e) {
		*flag = 1
	}
	return true
}
