package process

import (
	"debug/elf"
	"strings"
)

// OpenMPILibrary is the library of Open MPI that a program needs; "" when it needs none, or is no program
// that tells. Its ranks would be as many jobs of one rank, for they wait for Open MPI's own launcher. MPICH's
// (libmpi.so.12) speaks PMI-1.
func OpenMPILibrary(path string) string {
	f, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	needed, err := f.ImportedLibraries()
	if err != nil {
		return ""
	}
	for _, name := range needed {
		if strings.HasPrefix(name, "libmpi.so.") && name != "libmpi.so.12" {
			return name
		}
	}
	return ""
}
