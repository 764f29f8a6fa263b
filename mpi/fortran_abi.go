package mpi

import (
	"strconv"
	"strings"
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

// What the ABI leaves open, and what is known of Fortran (MPI 5.0, 20.3 and 21.4.1). Fortran's types are
// those that compilers have without options that change them, and so are the values of its logicals. All is
// settled from the start, so programs cannot change it: they can confirm it.

// wordSizes are the keys of MPI_Abi_get_info; all these types have 64 bits.
var wordSizes = [...]string{"mpi_aint_size", "mpi_count_size", "mpi_offset_size"}

func AbiGetInfo() (uintptr, error) {
	i := new(info.Info)
	for _, key := range wordSizes {
		setShort(i, key, "8")
	}
	return newInfo(i)
}

// fortranTypes are the types that keys of MPI_Abi_get_fortran_info are about: a size, or whether there is
// one.
var (
	sizedTypes    = [...]string{"MPI_LOGICAL", "MPI_INTEGER", "MPI_REAL", "MPI_DOUBLE_PRECISION"}
	optionalTypes = [...]string{
		"MPI_LOGICAL1", "MPI_LOGICAL2", "MPI_LOGICAL4", "MPI_LOGICAL8", "MPI_LOGICAL16",
		"MPI_INTEGER1", "MPI_INTEGER2", "MPI_INTEGER4", "MPI_INTEGER8", "MPI_INTEGER16",
		"MPI_REAL2", "MPI_REAL4", "MPI_REAL8", "MPI_REAL16",
		"MPI_COMPLEX4", "MPI_COMPLEX8", "MPI_COMPLEX16", "MPI_COMPLEX32", "MPI_DOUBLE_COMPLEX",
	}
)

// fortranInfo is what is known of Fortran.
func fortranInfo() *info.Info {
	i, sizes := new(info.Info), map[string]int64{}
	for _, t := range datatype.All() {
		sizes[t.Name()] = t.Size()
	}
	for _, name := range sizedTypes {
		setShort(i, strings.ToLower(name)+"_size", strconv.FormatInt(sizes[name], 10))
	}
	for _, name := range optionalTypes {
		setShort(i, strings.ToLower(name)+"_supported", strconv.FormatBool(sizes[name] > 0))
	}
	return i
}

func AbiGetFortranInfo() (uintptr, error) { return newInfo(fortranInfo()) }

// Whether the program has said what Fortran is like: it may do so once.
var fortranInfoSet, fortranBooleansSet atomic.Bool

// confirm notes that the program has spoken, unless it has before.
func confirm(said *atomic.Bool, function string) error {
	if !said.CompareAndSwap(false, true) {
		return mpierr.New(mpierr.ErrABI, "%s has been called before", function)
	}
	return nil
}

// AbiSetFortranInfo accepts what is so anyway. A program whose compiler lacks an optional type does not
// use it.
func AbiSetFortranInfo(i *info.Info) error {
	if err := present(i); err != nil {
		return err
	}
	known := fortranInfo()
	for k := range known.Len() {
		key, err := known.Key(k)
		if err != nil {
			return err
		}
		have, _, err := known.Get(key)
		if err != nil {
			return err
		}
		said, ok, err := i.Get(key)
		if err != nil {
			return err
		}
		if unused := said == "false" && have == "true"; ok && said != have && !unused {
			return mpierr.New(mpierr.ErrABI, "info says that %s is %q, but it is %q and cannot be changed; MPI_Abi_get_fortran_info tells all", key, said, have)
		}
	}
	return confirm(&fortranInfoSet, "MPI_Abi_set_fortran_info")
}

// Values of Fortran's logicals.
const (
	logicalSize  = 4
	logicalTrue  = 1
	logicalFalse = 0
)

func checkLogical(size int, yes, no uintptr) error {
	switch {
	case size != logicalSize:
		return mpierr.New(mpierr.ErrArg, "logical_size is %d, but MPI_LOGICAL has %d bytes", size, logicalSize)
	case yes == 0:
		return mpierr.New(mpierr.ErrArg, "logical_true is NULL")
	case no == 0:
		return mpierr.New(mpierr.ErrArg, "logical_false is NULL")
	}
	return nil
}

func AbiGetFortranBooleans(size int, yes, no uintptr) (bool, error) {
	if err := checkLogical(size, yes, no); err != nil {
		return false, err
	}
	storeInt32(yes, logicalTrue)
	storeInt32(no, logicalFalse)
	return true, nil
}

func AbiSetFortranBooleans(size int, yes, no uintptr) error {
	if err := checkLogical(size, yes, no); err != nil {
		return err
	}
	if t, f := loadInt32(yes), loadInt32(no); t != logicalTrue || f != logicalFalse {
		return mpierr.New(mpierr.ErrABI, "logical_true is %d and logical_false %d, but they are %d and %d and cannot be changed", t, f, logicalTrue, logicalFalse)
	}
	return confirm(&fortranBooleansSet, "MPI_Abi_set_fortran_booleans")
}
