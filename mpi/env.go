package mpi

import (
	"fmt"
	"os"
	"runtime"

	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Environmental inquiry (MPI 5.0, 9.1 and 9.4).

// version of gompi.
const version = "0.1.0"

// Versions of the standard and of its ABI.
const (
	mpiVersion    = int(fast.Version)
	mpiSubversion = int(fast.Subversion)
	abiMajor      = 1
	abiMinor      = 0
)

func GetVersion() (version, subversion int, err error) { return mpiVersion, mpiSubversion, nil }

func GetLibraryVersion() (string, error) {
	return fmt.Sprintf("gompi %s, MPI %d.%d, standard ABI %d.%d, %s %s/%s", version, mpiVersion, mpiSubversion,
		abiMajor, abiMinor, runtime.Version(), runtime.GOOS, runtime.GOARCH), nil
}

func AbiGetVersion() (major, minor int, err error) { return abiMajor, abiMinor, nil }

func GetProcessorName() (string, error) {
	name, err := os.Hostname()
	if err != nil {
		return "", mpierr.New(mpierr.ErrOther, "the host has no name: %v", err)
	}
	return name, nil
}

func GetHwResourceInfo() (uintptr, error) { return newInfo(comm.Hardware()) }
