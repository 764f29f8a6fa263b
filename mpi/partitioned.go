package mpi

import (
	"math"

	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Partitioned communication (MPI 5.0, chapter 4). No info key means anything to gompi here.

// partitionedBuffer checks a buffer of n partitions of count elements each. try looks whether its memory is
// there.
func partitionedBuffer(addr uintptr, n int, count int64, t *datatype.Type,
	try func(uintptr)) (datatype.Buffer, error) {
	var a Args
	switch {
	case n < 1:
		a.wrong(mpierr.ErrArg, "partitions is %d, must be at least 1", n)
	case count > math.MaxInt64/int64(n)/max(t.Size(), 1):
		a.wrong(mpierr.ErrCount, "%d partitions of %d elements of %d bytes are more than fit into an address space", n, count, t.Size())
	}
	if a.Err != nil {
		return datatype.Buffer{}, a.Err
	}
	b := datatype.Buffer{Addr: addr, Count: int64(n) * count, Type: t}
	if addr < lowest || !t.Committed() {
		a.oddBuffer("buf count datatype", b, 0)
	} else if first, size := b.Span(); size > 0 {
		a.Err = reach(mpierr.ErrBuffer, "buf", addr+uintptr(first), 1, try)
	}
	return b, a.Err
}

func PsendInit(addr uintptr, n int, count int64, t *datatype.Type, dest, tag int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	b, err := partitionedBuffer(addr, n, count, t, touch)
	if err != nil {
		return nil, err
	}
	notePartitions(b, n, false)
	return partitioning().SendInit(&c.P2P, b, n, dest, tag)
}

func PrecvInit(addr uintptr, n int, count int64, t *datatype.Type, source, tag int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	switch {
	case source == p2p.AnySource:
		return nil, mpierr.New(mpierr.ErrRank, "source is MPI_ANY_SOURCE, which partitioned receives do not take")
	case tag == p2p.AnyTag:
		return nil, mpierr.New(mpierr.ErrTag, "tag is MPI_ANY_TAG, which partitioned receives do not take")
	}
	b, err := partitionedBuffer(addr, n, count, t, touchForWriting)
	if err != nil {
		return nil, err
	}
	notePartitions(b, n, true)
	return partitioning().RecvInit(&c.P2P, b, n, source, tag)
}

// LayOut gives a partitioned operation that has just been made another buffer with as much data, for
// libraries of other languages (capi/callers.h).
func LayOut(request, addr uintptr, count int64, typ uintptr) error {
	r, t := lookupRequest(request), lookupType(typ)
	if r == nil || t == nil {
		return mpierr.New(mpierr.ErrRequest, "a handle that has just been made is not valid")
	}
	b := datatype.Buffer{Addr: addr, Count: count, Type: t}
	relaidPartitions(request, b)
	return partitioning().LayOut(r, b)
}

func Pready(partition int, r *request.Request) error {
	return readyRange(partition, partition, r)
}

func PreadyRange(low, high int, r *request.Request) error {
	if low > high {
		return mpierr.New(mpierr.ErrArg, "partition_low is %d, must not be larger than partition_high, which is %d", low, high)
	}
	return readyRange(low, high, r)
}

func readyRange(low, high int, r *request.Request) error {
	if r == nil {
		return nullRequest()
	}
	readyPartitions(r, low, high)
	return locate(r.Key.Ctx, partitioning().Ready(r, low, high))
}

func PreadyList(length int, partitions IntArray, r *request.Request) error {
	if r == nil {
		return nullRequest()
	}
	for i := range length {
		readyPartitions(r, int(partitions.at(i)), int(partitions.at(i)))
	}
	at := func(i int) int { return int(partitions.at(i)) }
	return locate(r.Key.Ctx, partitioning().ReadyList(r, length, at))
}

// Parrived finds that all of a null request has come (MPI 5.0, 4.2.2).
func Parrived(r *request.Request, partition int) (bool, error) {
	if r == nil {
		return true, nil
	}
	arrived, err := partitioning().Arrived(r, partition)
	if arrived {
		known(r)
	}
	return arrived, locate(r.Key.Ctx, err)
}

func nullRequest() error { return mpierr.New(mpierr.ErrRequest, "request is MPI_REQUEST_NULL") }
