package mpi

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

// Views of files and file pointers (MPI 5.0, 14.3, 14.4.3, 14.4.4).

// maxDatarep is MPI_MAX_DATAREP_STRING.
const maxDatarep = 128

func FileSetView(f *file.File, disp int64, etype, filetype *datatype.Type, datarep string,
	i *info.Info) error {
	var check error
	rep := findRepresentation(datarep)
	switch {
	case !etype.Committed() || !filetype.Committed():
		check = mpierr.New(mpierr.ErrType, "etype and filetype must be committed")
	case rep == nil:
		check = mpierr.New(mpierr.ErrUnsupportedDatarep, "datarep is %q, which is none of native, internal and external32, nor registered by MPI_Register_datarep", datarep)
	}
	return f.SetView(disp, etype, filetype, rep, i, check)
}

func FileGetView(f *file.File, datarep CharArray) (disp int64, etype, filetype uintptr, err error) {
	d, e, t, name := f.View()
	if etype, err = typeForUser(e); err != nil {
		return 0, 0, 0, err
	}
	if filetype, err = typeForUser(t); err != nil {
		return 0, 0, 0, err
	}
	datarep.put(name, maxDatarep)
	return d, etype, filetype, nil
}

// typeForUser gives the program a handle of its own for a type; a predefined type has the one that it has.
func typeForUser(t *datatype.Type) (uintptr, error) {
	if t.Predefined() {
		return uintptr(t.Handle()), nil
	}
	d := t.Clone()
	d.Commit()
	return newType(d, nil)
}

func FileGetByteOffset(f *file.File, offset int64) (int64, error) { return f.ByteOffset(offset) }

func FileGetTypeExtent(f *file.File, t *datatype.Type) (int64, error) { return f.TypeExtent(t) }

func FileSeek(f *file.File, offset int64, whence int) error {
	return f.SeekIndividual(offset, file.Whence(whence))
}

func FileGetPosition(f *file.File) (int64, error) { return f.Position() }

func FileSeekShared(f *file.File, offset int64, whence int) error {
	return f.SeekShared(offset, file.Whence(whence))
}

func FileGetPositionShared(f *file.File) (int64, error) { return f.SharedPosition() }
