package fast

// Facts are what this package knows of the process. They are written before the program can ask.
type Facts struct {
	Level      int32           // thread level (MPI 5.0, 11.6.1)
	NameLength uint32          // of Name, without the zero behind it; 0 when it is not known
	Main       uintptr         // the kernel's number of the main thread; 0 when that is not known
	Codes      [codes]uint64   // bitmap of the predefined error classes
	Name       [nameRoom]uint8 // of the processor
}

const (
	codes    = MostClasses / 64
	nameRoom = 256 // MPI_MAX_PROCESSOR_NAME
)

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

// ErrorClass is MPI_Error_class (MPI 5.0, 9.5) of the predefined classes, which are codes as well.
func ErrorClass(e *Endpoint, code int32, class *int32) bool {
	if nowhere(class) || uint32(code) >= MostClasses ||
		e.Facts.Codes[uint32(code)/64]&bit64(uint32(code)%64) == 0 {
		return false
	}
	*class = code
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
