package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Packing (MPI 5.0, 5.2 and 5.3), and counting basic elements (MPI 5.0, 5.1.11 and 13.3).

// window is the part of a packed buffer that a call uses: n bytes from the position on, whose memory try
// tries.
func window(name string, addr uintptr, size int64, position CountCell, n int64,
	try func(uintptr)) (uintptr, error) {
	at := position.load()
	switch {
	case at < 0 || at > size:
		return 0, mpierr.New(mpierr.ErrArg, "position is %d, must be from 0 to %d", at, size)
	case n > size-at:
		return 0, mpierr.New(mpierr.ErrTruncate, "%s has %d bytes from position %d on, %d are needed", name, size-at, at, n)
	case n > 0 && addr == 0:
		return 0, mpierr.New(mpierr.ErrBuffer, "%s is NULL", name)
	}
	return addr + uintptr(at), reach(mpierr.ErrBuffer, name, addr+uintptr(at), n, try)
}

func Pack(b datatype.Buffer, outbuf uintptr, outsize int64, position CountCell, _ *comm.Comm) error {
	n := b.Bytes()
	to, err := window("outbuf", outbuf, outsize, position, n, touchForWriting)
	if err != nil || n == 0 {
		return err
	}
	b.Pack(0, memory(to, int(n)))
	position.store(position.load() + n)
	return nil
}

func Unpack(inbuf uintptr, insize int64, position CountCell, b datatype.Buffer, _ *comm.Comm) error {
	n := b.Bytes()
	from, err := window("inbuf", inbuf, insize, position, n, touch)
	if err != nil || n == 0 {
		return err
	}
	b.Unpack(0, memory(from, int(n)))
	position.store(position.load() + n)
	return nil
}

func PackSize(count int64, t *datatype.Type, _ *comm.Comm) (int64, error) {
	return packedSize("incount", count, t.Size())
}

// packedSize is how many bytes count elements take that have size each.
func packedSize(name string, count, size int64) (int64, error) {
	n, ok := datatype.Times(count, size)
	if !ok {
		return 0, mpierr.New(mpierr.ErrCount, "%s is %d: as many elements of %d bytes are more than 63 bits can count", name, count, size)
	}
	return n, nil
}

// external checks the name of a data representation.
func external(name string) error {
	if name != "external32" {
		return mpierr.New(mpierr.ErrArg, "datarep is %q, must be \"external32\"", name)
	}
	return nil
}

func PackExternal(datarep string, b datatype.Buffer, outbuf uintptr, outsize int64,
	position CountCell) error {
	if err := external(datarep); err != nil {
		return err
	}
	n := b.ExternalBytes()
	to, err := window("outbuf", outbuf, outsize, position, n, touchForWriting)
	if err != nil || n == 0 {
		return err
	}
	b.PackExternal(memory(to, int(n)))
	position.store(position.load() + n)
	return nil
}

func UnpackExternal(datarep string, inbuf uintptr, insize int64, position CountCell,
	b datatype.Buffer) error {
	if err := external(datarep); err != nil {
		return err
	}
	n := b.ExternalBytes()
	from, err := window("inbuf", inbuf, insize, position, n, touch)
	if err != nil || n == 0 {
		return err
	}
	b.UnpackExternal(memory(from, int(n)))
	position.store(position.load() + n)
	return nil
}

func PackExternalSize(datarep string, count int64, t *datatype.Type) (int64, error) {
	if err := external(datarep); err != nil {
		return 0, err
	}
	if count < 0 {
		return 0, mpierr.New(mpierr.ErrCount, "incount is %d, must not be negative", count)
	}
	return packedSize("incount", count, datatype.Buffer{Count: 1, Type: t}.ExternalBytes())
}

func GetElements(st request.Status, t *datatype.Type) (int64, error) {
	if n, ok := t.Elements(st.Bytes); ok {
		return n, nil
	}
	return undefined, nil
}

// StatusSetElements makes the status that of a message of count basic elements of type t (MPI 5.0,
// 13.3).
func StatusSetElements(cell StatusCell, t *datatype.Type, count int64) error {
	if count < 0 {
		return mpierr.New(mpierr.ErrCount, "count is %d, must not be negative", count)
	}
	bytes, ok := t.Bytes(count)
	if !ok {
		return mpierr.New(mpierr.ErrCount, "count is %d: so many elements of %s do not fit into an address space", count, t.Name())
	}
	st := cell.load()
	st.Bytes = bytes
	cell.store(st)
	return nil
}
