package mpierr

import "sort"

// Class is an error class with the value that the standard ABI gives it (MPI 5.0, 9.4 and 20.3). The classes
// are in zz_classes.go.
type Class int

// Name is the class's name in mpi.h, "MPI_ERR_RANK"; "MPI_ERR_UNKNOWN" for a value that is no predefined
// class.
func (c Class) Name() string {
	if i, ok := c.find(); ok {
		return classes[i].name
	}
	return "MPI_ERR_UNKNOWN"
}

// Text says in a few words what the class stands for, without detail: "invalid rank".
func (c Class) Text() string {
	if i, ok := c.find(); ok {
		return classes[i].text
	}
	return "unknown error"
}

// Predefined reports whether c is one of the standard's classes, MPI_SUCCESS included.
func (c Class) Predefined() bool {
	_, ok := c.find()
	return ok
}

func (c Class) find() (int, bool) {
	i := sort.Search(len(classes), func(i int) bool { return classes[i].class >= c })
	return i, i < len(classes) && classes[i].class == c
}
