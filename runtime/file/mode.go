package file

import (
	"math/bits"
	"strings"

	"gompi/runtime/mpierr"
)

// Mode is how a file is opened (MPI 5.0, 14.2.1), with the values of the standard ABI.
type Mode int

// The access modes, which are combined by adding.
const (
	Append        Mode = 1
	Create        Mode = 2
	DeleteOnClose Mode = 4
	Exclusive     Mode = 8
	ReadOnly      Mode = 16
	ReadWrite     Mode = 32
	Sequential    Mode = 64
	UniqueOpen    Mode = 128
	WriteOnly     Mode = 256

	allModes = Append | Create | DeleteOnClose | Exclusive | ReadOnly | ReadWrite | Sequential | UniqueOpen |
		WriteOnly
)

var modeNames = [...]string{"APPEND", "CREATE", "DELETE_ON_CLOSE", "EXCL", "RDONLY", "RDWR", "SEQUENTIAL", "UNIQUE_OPEN", "WRONLY"}

func (m Mode) String() string {
	var names []string
	for i, name := range modeNames {
		if m&(1<<i) != 0 {
			names = append(names, "MPI_MODE_"+name)
		}
	}
	if names == nil {
		return "0"
	}
	return strings.Join(names, "|")
}

// check refuses combinations that are not allowed.
func (m Mode) check() error {
	access := m & (ReadOnly | ReadWrite | WriteOnly)
	switch {
	case m&^allModes != 0:
		return mpierr.New(mpierr.ErrAmode, "amode is %#x, of which %#x is no access mode", int(m), int(m&^allModes))
	case bits.OnesCount(uint(access)) != 1:
		return mpierr.New(mpierr.ErrAmode, "amode is %v, must contain one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY", m)
	case access == ReadOnly && m&(Create|Exclusive) != 0:
		return mpierr.New(mpierr.ErrAmode, "amode is %v: a file that is only read can neither be created nor be exclusive", m)
	case access == ReadWrite && m&Sequential != 0:
		return mpierr.New(mpierr.ErrAmode, "amode is %v: sequential access is either reading or writing", m)
	}
	return nil
}

// Reads reports whether the file may be read.
func (m Mode) Reads() bool { return m&WriteOnly == 0 }

// Writes reports whether the file may be written.
func (m Mode) Writes() bool { return m&ReadOnly == 0 }
